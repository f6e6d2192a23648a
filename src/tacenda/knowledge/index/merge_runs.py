"""Merging runs into an index file: duplicates dropped, windows and words numbered anew, postings encoded."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import InputError, KnowledgeError, UsageError
from tacenda.knowledge.index import layout
from tacenda.knowledge.index.postings import (
    BLOCK,
    SUPERBLOCK,
    Postings,
    Windows,
    Words,
    pack_counts,
    pack_superblock,
    pack_vocabulary,
)
from tacenda.knowledge.index.windows import Run

if TYPE_CHECKING:
    from tacenda.knowledge.index.build import BuildOptions

_DROPPED = np.uint32(0xFFFFFFFF)
_CHUNK_POSTINGS = 2_000_000
_BYTES_PER_POSTING = 48
_BYTES_PER_KEY = 200
Calls = Callable[[Iterable[tuple[Any, ...]]], Iterator[Any]]


def run_of_index(path: Path, folder: Path, options: BuildOptions) -> Run:
    """Write the content of a complete index as a run, to be merged."""
    file = layout.File(path)
    meta = file.meta
    if meta["postings_up_to"] is not None:
        raise KnowledgeError(
            f"index {path}: final (postings of its most common words were left out), so nothing can be added. "
            "Merge complete indexes, or build everything at once."
        )
    if (meta["unit"], meta["most_words"]) != (options.unit, options.most_words):
        raise UsageError(
            f"index {path}: counts {meta['unit']}s of at most {meta['most_words']} words, "
            f"asked for {options.unit}s of {options.most_words}. Both must have the same unit and size."
        )
    postings = Postings(file)
    starts = np.frombuffer(file.section("articles"), dtype="<u4").astype(np.int64)
    articles = np.repeat(np.arange(len(starts), dtype=np.uint32), np.diff(starts, append=meta["windows"]))
    marks = np.frombuffer(file.section("fingerprints"), dtype="<u8")
    run = Run.write(
        folder, list(Words(file)), meta["windows"],
        counts=postings.counts.astype(np.uint32), articles=articles, fingerprints=marks,
    )  # fmt: skip
    with (folder / "postings").open("wb") as out:
        for number in range(-(-len(postings) // SUPERBLOCK)):
            postings.superblock(number)[1].tofile(out)
    return replace(run, duplicates=meta["duplicates"])


def merge_runs(
    path: Path, runs: Sequence[Run], bases: int, options: BuildOptions, describe: dict[str, Any], calls: Calls
) -> str:
    """Merge runs into an index file and return its digest; the first `bases` runs come from other indexes."""
    scratch = path.parent
    total = _number_windows(runs, options)
    if not total:
        raise InputError("index: the sources contain no words, so nothing was written. Check them.")
    articles = _article_starts(runs, bases)
    bound = _number_words(runs, scratch / "words", options)
    most = int(total * options.most_share) if options.most_share else None
    counts, table = _write_postings(scratch, runs, bound, most, options, calls)
    with (scratch / "words").open(encoding="utf-8", newline="\n") as lines:
        vocabulary, heads = pack_vocabulary(line[:-1] for line in lines)
    duplicates = sum(run.windows + run.duplicates for run in runs) - total
    meta = described(options, describe, total, len(articles), counts, most, duplicates)
    sections: dict[str, Iterable[bytes]] = {
        "heads": [heads],
        "counts": [pack_counts(counts)],
        "blocks": [table.tobytes()],
        "articles": [articles.astype("<u4").tobytes()],
        "vocabulary": [vocabulary],
        "postings": file_pieces(scratch / "postings"),
    }
    if most is None:
        sections["fingerprints"] = _kept_fingerprints(runs)
    with path.open("wb") as target, (scratch / "spool").open("w+b") as spool:
        return layout.write(target, meta, sections, spool)


def described(
    options: BuildOptions, describe: dict[str, Any], windows: int, articles: int, counts: npt.NDArray[np.int64],
    most: int | None, duplicates: int,
) -> dict[str, Any]:  # fmt: skip
    """What an index says of itself."""
    return {
        "term_version": term.VERSION,
        "unit": options.unit,
        "most_words": options.most_words,
        "windows": windows,
        "articles": articles,
        "words": len(counts),
        "postings": int(counts[counts <= most].sum() if most is not None else counts.sum()),
        "postings_up_to": most,
        "duplicates": duplicates,
        **describe,
    }


def file_pieces(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, a megabyte at a time."""
    with path.open("rb") as source:
        while piece := source.read(1 << 20):
            yield piece


def _kept_fingerprints(runs: Sequence[Run]) -> Iterator[bytes]:
    for run in runs:
        marks = run.array("fingerprints", np.uint64)
        yield marks[run.array("new", np.uint32) != _DROPPED].astype("<u8").tobytes()


def _number_windows(runs: Sequence[Run], options: BuildOptions) -> int:
    """Give every window its number in the index, duplicates none; the first of equal windows stays."""
    total = sum(run.windows for run in runs)
    if total >= _DROPPED:
        raise KnowledgeError(f"index: {total} windows are too many for one index (limit {_DROPPED - 1}). Split it.")
    parts = max(1, total * 64 // (options.memory_mb << 20))
    dropped = np.zeros(total, dtype=bool)
    for part in range(parts):
        marks, places = _fingerprints_of_part(runs, part, parts)
        order = np.argsort(marks, kind="stable")
        again = marks[order][1:] == marks[order][:-1]
        dropped[places[order[1:][again]]] = True
    first = number = 0
    for run in runs:
        fresh = ~dropped[first : first + run.windows]
        new = np.where(fresh, number + np.cumsum(fresh) - 1, _DROPPED).astype(np.uint32)
        new.tofile(run.folder / "new")
        first += run.windows
        number += int(np.count_nonzero(fresh))
    return number


def _fingerprints_of_part(
    runs: Sequence[Run], part: int, parts: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    marks, places = [], []
    first = 0
    for run in runs:
        own = np.asarray(run.array("fingerprints", np.uint64), dtype=np.uint64)
        chosen = np.flatnonzero(own % np.uint64(parts) == part)
        marks.append(own[chosen])
        places.append(chosen + first)
        first += run.windows
    return np.concatenate(marks), np.concatenate(places)


def _article_starts(runs: Sequence[Run], bases: int) -> npt.NDArray[np.int64]:
    """First window of each article that still has windows."""
    owners = []
    for number, run in enumerate(runs):
        fresh = run.array("new", np.uint32) != _DROPPED
        source = min(number, bases)  # every other index has articles of its own; all new text shares one numbering
        owners.append(run.array("articles", np.uint32)[fresh].astype(np.uint64) | np.uint64(source << 32))
    owner = np.concatenate(owners)
    return np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))


def _number_words(runs: Sequence[Run], path: Path, options: BuildOptions) -> npt.NDArray[np.int64]:
    """Number all words in sorted order, some key range at a time; return an upper bound of each word's count."""
    bounds = _key_bounds(runs, max(1, (options.memory_mb << 20) // (2 * _BYTES_PER_KEY)))
    counts: list[npt.NDArray[np.int64]] = []
    first = 0
    for run in runs:
        (run.folder / "numbers").write_bytes(b"")
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for low, high in itertools.pairwise(bounds):
            slices = [run.keys_between(low, high) for run in runs]
            union = sorted(set().union(*(keys for _, keys in slices)))
            out.writelines(f"{key}\n" for key in union)
            number = {key: first + n for n, key in enumerate(union)}
            held = np.zeros(len(union), dtype=np.int64)
            for run, (start, keys) in zip(runs, slices, strict=True):
                own = np.fromiter(map(number.__getitem__, keys), dtype=np.uint32, count=len(keys))
                with (run.folder / "numbers").open("ab") as target:
                    own.tofile(target)
                held[own - first] += run.array("counts", np.uint32)[start : start + len(keys)]
            counts.append(held)
            first += len(union)
    return np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64)


def _key_bounds(runs: Sequence[Run], most: int) -> list[str | None]:
    """Bounds of key ranges that hold about `most` keys of all runs together; None is open."""
    held = sum(len(run.array("counts", np.uint32)) for run in runs)
    if held <= most:
        return [None, None]
    sample = sorted(key for run in runs for key in run.keys()[:: max(1, held // 10_000)])
    parts = -(-held // most)
    return [None, *sorted({sample[len(sample) * n // parts] for n in range(1, parts)}), None]


@dataclass(frozen=True)
class _Chunk:
    counts: npt.NDArray[np.int64]
    blocks: list[tuple[int, int, bytes]]


def _write_postings(
    scratch: Path, runs: Sequence[Run], bound: npt.NDArray[np.int64], most: int | None, options: BuildOptions,
    calls: Calls,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.void]]:  # fmt: skip
    processes = options.processes or 2
    limit = min(_CHUNK_POSTINGS, (options.memory_mb << 20) // (_BYTES_PER_POSTING * processes))
    counts, entries, offset = [], [], 0
    jobs = ((_merge_chunk, runs, low, high, most) for low, high in _chunks(bound, limit))
    with (scratch / "postings").open("wb") as out:
        for chunk in calls(jobs):
            counts.append(chunk.counts)
            for superblock, which, block in chunk.blocks:
                entries.append((superblock, which, offset, len(block), zlib.crc32(block)))
                out.write(block)
                offset += len(block)
    return np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64), np.array(entries, dtype=BLOCK)


def _chunks(bound: npt.NDArray[np.int64], limit: int) -> Iterator[tuple[int, int]]:
    """Ranges of words, whole superblocks, of about `limit` postings."""
    low = held = 0
    for start in range(0, len(bound), SUPERBLOCK):
        here = int(bound[start : start + SUPERBLOCK].sum())
        if held and held + here > limit:
            yield low, start
            low, held = start, 0
        held += here
    if low < len(bound):
        yield low, len(bound)


def _merge_chunk(runs: Sequence[Run], low: int, high: int, most: int | None) -> _Chunk:
    """Postings of the words numbered low..high of all runs, in the order of the windows, encoded."""
    parts = [_postings_between(run, low, high) for run in runs]
    counts = np.sum([held for held, _ in parts], axis=0)
    windows = np.empty(int(counts.sum()), dtype=np.uint32)
    fill = np.cumsum(counts) - counts
    for held, own in parts:
        # Within a run postings go by word, then window: each word's share is copied behind that of earlier runs.
        starts = np.cumsum(held) - held
        windows[np.repeat(fill - starts, held) + np.arange(len(own))] = own
        fill += held
    return _Chunk(counts, packed(low, counts, windows, most))


def packed(low: int, counts: npt.NDArray[np.int64], windows: Windows, most: int | None) -> list[tuple[int, int, bytes]]:
    """Encode the postings of the words from number `low` on, which begins a superblock."""
    blocks = []
    starts = np.concatenate(([0], np.cumsum(counts)))
    for first in range(0, len(counts), SUPERBLOCK):
        last = min(first + SUPERBLOCK, len(counts))
        own, held = windows[starts[first] : starts[last]], counts[first:last]
        if most is not None:
            own, held = own[np.repeat(held <= most, held)], np.where(held <= most, held, 0)
        blocks.extend(pack_superblock((low + first) // SUPERBLOCK, held, own))
    return blocks


def _postings_between(run: Run, low: int, high: int) -> tuple[npt.NDArray[np.int64], Windows]:
    numbers = run.array("numbers", np.uint32)
    first, last = np.searchsorted(numbers, [low, high])
    counts = run.array("counts", np.uint32)
    start = int(counts[:first].sum(dtype=np.int64))
    lengths = counts[first:last].astype(np.int64)
    local = run.array("postings", np.uint32)[start : start + int(lengths.sum())]
    windows = run.array("new", np.uint32)[local]
    word = np.repeat(numbers[first:last].astype(np.int64) - low, lengths)
    fresh = windows != _DROPPED
    return np.bincount(word[fresh], minlength=high - low), windows[fresh]
