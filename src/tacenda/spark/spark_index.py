"""An index built on Spark: workers cut windows, Spark drops duplicates and sorts, the driver writes the file.

It is the file that `build_index` makes of the same articles on one machine, byte for byte. The driver holds 16 bytes
for each window; words and postings pass through it once, in order, and are never held together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tacenda.errors import InputError

if TYPE_CHECKING:
    from tacenda.knowledge.index import BuildOptions
    from tacenda.knowledge.index.sorted_postings import Words

_PART_BITS = 20  # windows of one article: a million
_PLACES = "place long, mark long, words array<string>"


def build_index(
    frame: Any,
    target: str | os.PathLike[str],
    *,
    article: str = "article",
    text: str = "text",
    options: BuildOptions | None = None,
    describe: Mapping[str, Any] | None = None,
) -> str:
    """Build an index file on the driver's disk from a DataFrame of articles; return its digest.

    article     a column of whole numbers, each once: the order of the articles
    options     those of `tacenda.knowledge.index.build_index`; memory and processes are Spark's affair
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions

    from tacenda.knowledge.index import BuildOptions
    from tacenda.knowledge.index.sorted_postings import write_sorted

    held = options or BuildOptions()
    given = frame.select(functions.col(article).cast("long").alias("article"), functions.col(text).alias("text"))
    _check_articles(given, article)
    windows = given.mapInArrow(_cutting(held.unit, held.most_words), _PLACES).persist(StorageLevel.DISK_ONLY)
    first = windows.groupBy("mark").agg(functions.min("place").alias("place")).persist(StorageLevel.DISK_ONLY)
    try:
        kept, places = _kept(windows.count(), first)
        whole = windows.join(first.select("place"), "place", "left_semi")
        postings = whole.select(functions.explode("words").alias("word"), "place").sort("word", "place")
        chunks = postings.mapInArrow(_pack, "words binary, counts binary, places binary")
        rows = chunks.toLocalIterator(prefetchPartitions=True)
        return write_sorted(target, (_words(row, places) for row in rows), kept, options=held, describe=describe)
    finally:
        first.unpersist()
        windows.unpersist()


def _check_articles(given: Any, name: str) -> None:
    """Each article must have a number of its own: it says where its windows stand in the index."""
    from pyspark.sql import functions

    most = 1 << (62 - _PART_BITS)
    wrong = given.filter(functions.col("article").isNull() | ~functions.col("article").between(0, most))
    if wrong.limit(1).count():
        raise InputError(f"column '{name}': must hold whole numbers from 0 on, and one is missing or out of range")
    if given.groupBy("article").count().filter("count > 1").limit(1).count():
        raise InputError(f"column '{name}': two articles have the same number; number them")


def _cutting(unit: Any, most_words: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def cut(batches: Iterator[Any]) -> Iterator[Any]:
        from tacenda.knowledge.index.windows import cut_windows

        for batch in batches:
            numbers, texts = batch.column(0).to_pylist(), batch.column(1).to_pylist()
            pieces = [(n, one) for n, one in zip(numbers, texts, strict=True) if one is not None]
            yield _windows_batch(cut_windows(pieces, unit, most_words))

    return cut


def _windows_batch(cut: Any) -> Any:
    """One row for each window: its place, its fingerprint, and each of its words once."""
    import numpy as np
    import pyarrow as pa

    count = len(cut.lengths)
    fresh = np.flatnonzero(np.concatenate(([count > 0], cut.articles[1:] != cut.articles[:-1])))
    part = np.arange(count) - np.repeat(fresh, np.diff(fresh, append=count))
    if count and int(part.max()) >= 1 << _PART_BITS:
        raise InputError(f"an article has more than {1 << _PART_BITS:,} windows; split it")
    window = np.repeat(np.arange(count, dtype=np.int64), cut.lengths)
    used, slot = np.unique(cut.numbers, return_inverse=True)
    pairs = np.unique(window * max(len(used), 1) + slot)
    owner, which = pairs // max(len(used), 1), pairs % max(len(used), 1)
    starts = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=count)))) if count else np.zeros(1)
    keys = pa.array([cut.key(number) for number in used.tolist()], pa.string()).take(pa.array(which, pa.int64()))
    return pa.record_batch(
        [
            pa.array((cut.articles.astype(np.int64) << _PART_BITS) | part, pa.int64()),
            pa.array(cut.fingerprints.view(np.int64), pa.int64()),
            pa.ListArray.from_arrays(pa.array(starts, pa.int32()), keys),
        ],
        names=["place", "mark", "words"],
    )


def _kept(windows: int, first: Any) -> tuple[Any, Any]:
    """Return the windows that stay, in order, and their places, by which they are numbered."""
    import numpy as np

    from tacenda.knowledge.index.sorted_postings import Kept

    table = first.select("place", "mark").toArrow()
    places, marks = (table.column(n).to_numpy().astype(np.int64) for n in ("place", "mark"))
    order = np.argsort(places)
    places = places[order]
    return Kept(places >> _PART_BITS, marks[order].view(np.uint64), windows - len(places)), places


def _pack(batches: Iterator[Any]) -> Iterator[Any]:
    """Join the rows of each word: one row of bytes for each batch, which travels cheaply."""
    import numpy as np
    import pyarrow as pa

    for batch in batches:
        if not batch.num_rows:
            continue
        runs = batch.column(0).dictionary_encode()
        indices = np.asarray(runs.indices)
        starts = np.flatnonzero(np.concatenate(([True], indices[1:] != indices[:-1])))
        words = runs.dictionary.take(pa.array(indices[starts])).to_pylist()
        counts = np.diff([*starts, len(indices)]).astype("<i8")
        places = np.asarray(batch.column(1)).astype("<i8")
        blobs = ["\n".join(words).encode(), counts.tobytes(), places.tobytes()]
        yield pa.record_batch([pa.array([blob], pa.binary()) for blob in blobs], names=["words", "counts", "places"])


def _words(row: Any, places: Any) -> Words:
    import numpy as np

    numbers = np.searchsorted(places, np.frombuffer(row.places, dtype="<i8")).astype(np.uint32)
    return bytes(row.words).decode().split("\n"), np.frombuffer(row.counts, dtype="<i8").astype(np.int64), numbers
