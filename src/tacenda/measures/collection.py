"""Documents of users, before and after a release: reading, and comparing at three levels.

    document    a released document counts only where it is the same as an original one (paper 002)
    word        users are compared by the words they show: judges generalization and deletion inside documents
    partial     a released document that is not among the user's originals counts for the nearest of them by the
                share of words they have in common, and for itself by the rest

With pure suppression `partial` equals `document`, since every released document is then an exact match.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacenda.arrays.ngrams import Runs, expanded, totals, word_runs
from tacenda.errors import InputError, UsageError
from tacenda.measures.spi import Counted, Privacy, Profiles, by_user, profiles, summarize

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Level = Literal["document", "word", "partial"]
LEVELS: tuple[Level, ...] = ("document", "word", "partial")
Row = tuple[str, str, int]  # user, text, line of the file (0: none)


@dataclass(frozen=True)
class Log:
    """Documents of users in integers: row i is text `text[i]` of user `user[i]`.

    texts       the distinct texts, shared by all logs of one comparison
    """

    users: tuple[str, ...] = field(repr=False)
    texts: Sequence[str] = field(repr=False)
    user: Ints = field(repr=False)
    text: Ints = field(repr=False)

    def __len__(self) -> int:
        return len(self.user)

    def keep(self, rows: npt.NDArray[np.bool_]) -> Log:
        """The log with only these rows: what a release shows."""
        return Log(self.users, self.texts, self.user[rows], self.text[rows])


def read_rows(path: Path, *, user: str = "user", text: str = "text") -> Iterator[Row]:
    """Read (user, text, line) from JSONL, or from CSV with a header, by the names of the two columns."""
    if not path.is_file():
        raise InputError(f"{path}: no such file; give a .jsonl or .csv file with '{user}' and '{text}'")
    with path.open(encoding="utf-8", newline="") as file:
        yield from (_csv_rows if path.suffix.lower() == ".csv" else _jsonl_rows)(file, path, user, text)


def _jsonl_rows(lines: Iterable[str], path: Path, user: str, text: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise InputError(f"{path}:{number}: not JSON; each line must be one object") from None
        if not isinstance(record, dict) or user not in record or text not in record:
            held = ", ".join(sorted(map(str, record))) if isinstance(record, dict) else type(record).__name__
            raise InputError(f"{path}:{number}: needs '{user}' and '{text}'; found: {held}")
        yield _checked(record[user], record[text], path, number)


def _csv_rows(lines: Iterable[str], path: Path, user: str, text: str) -> Iterator[Row]:
    reader = csv.DictReader(lines)
    columns = reader.fieldnames or []
    if user not in columns or text not in columns:
        raise InputError(f"{path}:1: needs columns '{user}' and '{text}'; found: {', '.join(columns)}")
    for record in reader:
        yield _checked(record[user], record[text], path, reader.line_num)


def _checked(user: object, text: object, path: Path, number: int) -> Row:
    if user is None or user == "":
        raise InputError(f"{path}:{number}: a row without a user")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{path}:{number}: user {user!s} has a row without a document; leave such rows out")
    return str(user), text, number


def read_logs(
    original: Path, released: Sequence[Path], *, user: str = "user", text: str = "text"
) -> tuple[Log, list[Log]]:
    """Read an original collection and releases of it; a released user must be one of the original's."""
    tables: tuple[dict[str, int], dict[str, int]] = {}, {}
    first = _encode(read_rows(original, user=user, text=text), *tables, known_in="")
    if not len(first[0]):
        raise InputError(f"{original}: contains no documents")
    rest = []
    for path in released:
        try:
            rest.append(_encode(read_rows(path, user=user, text=text), *tables, known_in=str(original)))
        except _UnknownUser as unknown:
            raise InputError(
                f"{path}:{unknown.line}: user {unknown.user} is not in {original}; "
                "a release may only hold users of the original"
            ) from None
    users, texts = tuple(tables[0]), list(tables[1])
    return Log(users, texts, *first), [Log(users, texts, *columns) for columns in rest]


def logs_of(original: Mapping[str, Sequence[str]], *released: Mapping[str, Sequence[str]]) -> tuple[Log, list[Log]]:
    """Take collections held as user -> documents.

    >>> x, (y,) = logs_of({"ann": ["a", "b"]}, {"ann": ["a"]})
    >>> len(x), len(y)
    (2, 1)
    """
    for name, documents in original.items():
        if not documents:
            raise InputError(f"user {name} has no documents in the original collection; leave such users out")
    tables: tuple[dict[str, int], dict[str, int]] = {}, {}
    first = _encode(_rows_of(original), *tables, known_in="")
    try:
        rest = [_encode(_rows_of(one), *tables, known_in="the original") for one in released]
    except _UnknownUser as unknown:
        raise InputError(f"user {unknown.user} of the release is not in the original collection") from None
    users, texts = tuple(tables[0]), list(tables[1])
    return Log(users, texts, *first), [Log(users, texts, *columns) for columns in rest]


def _rows_of(collection: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    return ((user, text, 0) for user, documents in collection.items() for text in documents)


class _UnknownUser(Exception):
    def __init__(self, user: str, line: int) -> None:
        self.user, self.line = user, line


def _encode(rows: Iterable[Row], users: dict[str, int], texts: dict[str, int], *, known_in: str) -> tuple[Ints, Ints]:
    user_column: list[int] = []
    text_column: list[int] = []
    for user, text, line in rows:
        if known_in and user not in users:
            raise _UnknownUser(user, line)
        user_column.append(users.setdefault(user, len(users)))
        text_column.append(texts.setdefault(text, len(texts)))
    return np.array(user_column, dtype=np.int64), np.array(text_column, dtype=np.int64)


@dataclass(frozen=True)
class Words:
    """The words of the distinct texts of a comparison, numbered once and used by every level and classifier."""

    runs: Runs = field(repr=False)
    vocabulary: dict[str, int] = field(repr=False)


def words_of(texts: Sequence[str]) -> Words:
    """Number the words of all texts."""
    vocabulary: dict[str, int] = {}
    return Words(word_runs(texts, vocabulary, grow=True), vocabulary)


_BLOCK = 1 << 22  # items compared at a time: keeps a million documents within two gigabytes


def compare(
    original: Log, released: Log, sigma: Floats, *, level: Level = "document", words: Words | None = None
) -> Privacy:
    """Measure a release at one level; `sigma` is the sensitivity of each distinct text, between 0 and 1.

    words       the words of the texts, if they were numbered before (`words_of`)
    """
    if original.texts is not released.texts:
        raise UsageError("original and release were not read together; use read_logs or logs_of")
    if len(sigma) != len(original.texts) or (len(sigma) and not 0 <= sigma.min() <= sigma.max() <= 1):
        raise UsageError(f"sigma needs one value in [0, 1] for each of {len(original.texts)} texts")
    if level not in LEVELS:
        raise UsageError(f"no level named '{level}'. Available: {', '.join(LEVELS)}")
    items = max(len(original.texts), 1)
    x, y = _counted(original, items), _counted(released, items)
    if level == "document":
        return summarize([by_user(_profiles(x, y, u, items), sigma) for u in _blocks(x, y, None, original)])
    held = words if words is not None else words_of(original.texts)
    if level == "partial":
        y = split_partial(x, y, held.runs, users=len(original.users))
        return summarize([by_user(_profiles(x, y, u, items), sigma) for u in _blocks(x, y, None, original)])
    size = max(len(held.vocabulary), 1)
    by_word = word_sigma(held.runs, sigma, size)
    parts = []
    for users in _blocks(x, y, held.runs, original):
        before, after = (_expanded(_between(side, users), held.runs) for side in (x, y))
        parts.append(by_user(_profiles(before, after, users, size), by_word))
    return summarize(parts)


def _profiles(x: Counted, y: Counted, users: tuple[int, int], items: int) -> Profiles:
    left, right = _between(x, users), _between(y, users)
    return profiles(_moved(left, users[0]), _moved(right, users[0]), users=users[1] - users[0], items=items)


def _moved(side: Counted, first: int) -> Counted:
    return Counted(side.user - first, side.item, side.count)


def _between(side: Counted, users: tuple[int, int]) -> Counted:
    rows = slice(*np.searchsorted(side.user, users))
    return Counted(side.user[rows], side.item[rows], side.count[rows])


def _blocks(x: Counted, y: Counted, words: Runs | None, log: Log) -> list[tuple[int, int]]:
    """Cut the users into blocks of about equal work."""
    work = np.zeros(len(log.users))
    for side in (x, y):
        size = np.ones(len(side.item)) if words is None else np.diff(words.starts)[side.item].astype(np.float64)
        work += totals(side.user, size, len(log.users))
    block = (np.cumsum(work) // _BLOCK).astype(np.int64)
    edges = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(log.users)]
    return list(pairwise(edges))


def word_sigma(words: Runs, sigma: Floats, vocabulary: int) -> Floats:
    """Sensitivity of a word: the mean of the distinct texts that show it, each occurrence counted."""
    total = totals(words.values, np.repeat(sigma, np.diff(words.starts)), vocabulary)
    count = np.bincount(words.values, minlength=vocabulary)
    return np.clip(total / np.maximum(count, 1), 0.0, 1.0)


def _counted(log: Log, items: int) -> Counted:
    key, count = np.unique(log.user * items + log.text, return_counts=True)
    return Counted(key // items, key % items, count.astype(np.float64))


def _expanded(side: Counted, words: Runs) -> Counted:
    at, row = expanded(words.starts, side.item)
    return Counted(side.user[row], words.values[at].astype(np.int64), side.count[row])


def split_partial(before: Counted, after: Counted, words: Runs, *, users: int) -> Counted:
    """Give each released document that is no exact match to the user's nearest original, in part.

    The part is |common words| / |words of either|; the rest stays with the released document itself.
    """
    items = len(words)
    changed = np.flatnonzero(~np.isin(after.user * items + after.item, before.user * items + before.item))
    target, share = after.item.copy(), np.zeros(len(after.item))
    bounds = np.searchsorted(before.user, np.arange(users + 1))
    starts = np.searchsorted(after.user[changed], np.arange(users + 1))
    for user in np.unique(after.user[changed]).tolist():
        rows = changed[starts[user] : starts[user + 1]]
        candidates = before.item[bounds[user] : bounds[user + 1]]
        likeness = _jaccard(after.item[rows], candidates, words)
        best = likeness.argmax(axis=1)
        target[rows] = candidates[best]
        share[rows] = likeness[np.arange(len(rows)), best]
    user = np.concatenate([after.user, after.user])
    count = np.concatenate([after.count * (1 - share), after.count * share])
    order = np.argsort(user, kind="stable")
    order = order[count[order] > 0]
    return Counted(user[order], np.concatenate([after.item, target])[order], count[order])


def _jaccard(left: Ints, right: Ints, words: Runs) -> Floats:
    """Share of distinct words that two texts have in common, for every pair."""
    (mine, row), (theirs, column) = _distinct_words(left, words), _distinct_words(right, words)
    low, high = np.searchsorted(theirs, mine, "left"), np.searchsorted(theirs, mine, "right")
    which = np.repeat(np.arange(len(mine)), high - low)
    at = low[which] + np.arange(len(which)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    shape = len(left), len(right)
    pairs = row[which] * len(right) + column[at]
    common = np.bincount(pairs, minlength=len(left) * len(right)).reshape(shape).astype(np.float64)
    sizes = np.bincount(row, minlength=len(left))[:, None] + np.bincount(column, minlength=len(right))[None, :]
    either = sizes - common
    return np.asarray(np.divide(common, either, out=np.zeros_like(common), where=either > 0), dtype=np.float64)


def _distinct_words(texts: Ints, words: Runs) -> tuple[Ints, Ints]:
    """The distinct words of some texts, sorted, and which of the texts holds each."""
    at, row = expanded(words.starts, texts)
    key = np.unique(words.values[at].astype(np.int64) * len(texts) + row)
    return key // len(texts), key % len(texts)
