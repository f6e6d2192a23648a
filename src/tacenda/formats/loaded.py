"""Files that are taken apart into a tree, read into a flow, and put together again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tacenda.errors import InputError, TacendaError
from tacenda.formats.flow import Flow
from tacenda.model import Box, Document, Edit, Limits, Reading


class Loaded(Protocol):
    """A file taken apart: its flat text and what becomes of it."""

    flow: Flow

    @property
    def dropped(self) -> Counter[str]:
        """What is left out, counted."""
        ...

    @property
    def unread(self) -> Counter[str]:
        """What leaves without having been read, counted."""
        ...

    def fit(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """Return the edits as the format can make them (the name of a sheet has at most 31 characters)."""
        ...

    def save(self) -> bytes:
        """Return the bytes of the file as it now is."""
        ...


class OpenedTree:
    """One file, opened; every write starts from the file as it was given."""

    def __init__(self, data: bytes, load: Callable[[bytes, Limits], Loaded], reading: Reading) -> None:
        self._data, self._load, self._reading = data, load, reading
        self._name = reading.name or "document"
        self._loaded: Loaded | None = None

    def _fresh(self) -> Loaded:
        if self._loaded is None:
            self._loaded = guarded(lambda: self._load(self._data, self._reading.limits), self._name)
        return self._loaded

    def read(self) -> Document:
        """Return the text with its parts."""
        loaded = self._fresh()
        return loaded.flow.document(
            self._name, dropped=counted(loaded.dropped), unread=counted(loaded.unread, after=" not read")
        )

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that reading the written file gives."""
        loaded = self._fresh()
        text, pieces, done = loaded.flow.text, [], 0
        for start, end, new in sorted(loaded.fit(edits)):
            pieces += [text[done:start], new]
            done = end
        return "".join([*pieces, text[done:]])

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with these edits made and nothing else left."""
        loaded, self._loaded = self._fresh(), None
        loaded.flow.apply(loaded.fit(edits))
        return bytes(guarded(loaded.save, self._name))

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Return nothing: the file does not say where its lines break."""
        return ()


def guarded(work: Callable[[], Any], name: str) -> Any:
    """Run work on a file that may be hostile: whatever goes wrong is an InputError without a word of the file."""
    try:
        return work()
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except TacendaError:
        raise
    except (MemoryError, RecursionError):
        raise InputError(f"{name}: is too large or too deeply nested to be read") from None
    except Exception as error:
        # The text of an unforeseen error may quote the file, so only its kind is told.
        raise InputError(f"{name}: is damaged and cannot be read ({type(error).__name__})") from None


def counted(counts: Counter[str], after: str = "") -> list[str]:
    """Say how many of each.

    >>> counted(Counter({"comment": 2, "glossary": 1}))
    ['2 comments', '1 glossary']
    """
    return [f"{n} {plural(what) if n > 1 else what}{after}" for what, n in counts.items() if n > 0]


def plural(what: str) -> str:
    """Return the plural of a phrase, whose noun stands before its first preposition.

    >>> plural("picture of a kind that cannot be cleaned"), plural("pivot cache"), plural("glossary")
    ('pictures of a kind that cannot be cleaned', 'pivot caches', 'glossaries')
    """
    words = what.split(" ")
    stops = [i for i, word in enumerate(words) if word in ("of", "to", "in", "that", "without")]
    at = (stops[0] if stops else len(words)) - 1
    words[at] = words[at][:-1] + "ies" if words[at].endswith("ry") else words[at] + "s"
    return " ".join(words)
