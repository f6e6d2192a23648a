"""An index file from postings that were sorted elsewhere, for instance on a cluster: what `build_index` makes."""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.errors import InputError
from tacenda.knowledge.index import layout
from tacenda.knowledge.index.build import BuildOptions, check_target
from tacenda.knowledge.index.merge_runs import described, file_pieces, packed
from tacenda.knowledge.index.postings import BLOCK, SUPERBLOCK, pack_counts, pack_vocabulary

Words = tuple[list[str], npt.NDArray[np.int64], npt.NDArray[np.uint32]]


@dataclass(frozen=True)
class Kept:
    """The windows that are not duplicates, in order: the article and the fingerprint of each."""

    articles: npt.NDArray[np.int64] = field(repr=False)
    fingerprints: npt.NDArray[np.uint64] = field(repr=False)
    duplicates: int = 0


def write_sorted(
    target: str | os.PathLike[str],
    words: Iterable[Words],
    kept: Kept,
    *,
    options: BuildOptions | None = None,
    describe: Mapping[str, Any] | None = None,
) -> str:
    """Write an index file and return its digest.

    words   chunks of (words, how many windows each has, the numbers of these windows), words and numbers ascending;
            the last word of a chunk may go on in the next
    """
    path, options = Path(target), options or BuildOptions()
    check_target(path)
    total = len(kept.articles)
    if not total:
        raise InputError("index: the sources contain no words, so nothing was written. Check them.")
    most = int(total * options.most_share) if options.most_share else None
    starts = np.flatnonzero(np.concatenate(([True], kept.articles[1:] != kept.articles[:-1])))
    with tempfile.TemporaryDirectory(prefix=".tacenda-index-", dir=path.resolve().parent) as name:
        scratch = Path(name)
        counts, entries = _spooled(scratch, words, most)
        with (scratch / "words").open(encoding="utf-8", newline="\n") as lines:
            vocabulary, heads = pack_vocabulary(line[:-1] for line in lines)
        meta = described(options, dict(describe or {}), total, len(starts), counts, most, kept.duplicates)
        sections: dict[str, Iterable[bytes]] = {
            "heads": [heads],
            "counts": [pack_counts(counts)],
            "blocks": [entries.tobytes()],
            "articles": [starts.astype("<u4").tobytes()],
            "vocabulary": [vocabulary],
            "postings": file_pieces(scratch / "postings"),
        }
        if most is None:
            sections["fingerprints"] = [kept.fingerprints.astype("<u8").tobytes()]
        with (scratch / "index").open("wb") as made, (scratch / "spool").open("w+b") as spool:
            digest = layout.write(made, meta, sections, spool)
        os.replace(scratch / "index", path)
    return digest


def _spooled(
    scratch: Path, words: Iterable[Words], most: int | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.void]]:
    """Write words and encoded postings beside each other; return all counts and the table of blocks."""
    counts: list[npt.NDArray[np.int64]] = []
    entries: list[tuple[int, int, int, int, int]] = []
    low = offset = 0
    with (
        (scratch / "postings").open("wb") as out,
        (scratch / "words").open("w", encoding="utf-8", newline="\n") as text,
    ):
        for keys, held, windows in _superblocks(words):
            text.writelines(f"{key}\n" for key in keys)
            counts.append(held)
            for superblock, which, block in packed(low, held, windows, most):
                entries.append((superblock, which, offset, len(block), zlib.crc32(block)))
                out.write(block)
                offset += len(block)
            low += len(keys)
    return np.concatenate(counts), np.array(entries, dtype=BLOCK)


def _superblocks(words: Iterable[Words]) -> Iterator[Words]:
    """Cut the stream anew into whole superblocks; the last one may be short. A word that goes on is joined."""
    keys: list[str] = []
    counts = np.zeros(0, dtype=np.int64)
    windows = np.zeros(0, dtype=np.uint32)
    for more, held, own in words:
        if keys and more and keys[-1] == more[0]:
            counts[-1] += held[0]
            more, held = more[1:], held[1:]
        keys, counts = keys + more, np.concatenate([counts, held])
        windows = np.concatenate([windows, own])
        whole = (len(keys) - 1) // SUPERBLOCK * SUPERBLOCK  # the last word may go on
        if whole > 0:
            cut = int(counts[:whole].sum())
            yield keys[:whole], counts[:whole], windows[:cut]
            keys, counts, windows = keys[whole:], counts[whole:], windows[cut:]
    if keys:
        yield keys, counts, windows
