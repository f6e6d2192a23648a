"""The whole extension surface: what a third party implements. One method each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol

from tacenda.model import Annotation, Box, Candidate, Concept, Context, Document, Edit, Mention, Reading, Risk


class Annotator(Protocol):
    """Finds mentions (and possibly sentences) in a document."""

    name: str

    def annotate(self, document: Document) -> Annotation:
        """Return what was found; offsets refer to `document.text`."""
        ...


class RiskModel(Protocol):
    """Tells which mentions, alone or together, disclose more than is allowed.

    unit        what scores and limits are measured in: bits, cosine, people, type
    monotone    True if replacing a term by a more general one never raises a score
    guarantee   one sentence: what holds when no risk is reported
    """

    name: str
    unit: str
    monotone: bool
    guarantee: str

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return every risk that passes its limit among these mentions (original or replaced)."""
        ...


class Replacer(Protocol):
    """Proposes replacements for a mention, the most informative first."""

    name: str

    def candidates(self, mention: Mention, context: Context) -> Iterable[Candidate]:
        """Return possible replacements, nearest to the original first."""
        ...


Assess = Callable[[Sequence[Mention]], Sequence[Risk]]


class Chooser(Protocol):
    """Picks one candidate for each mention so that no risk is left, at the least loss."""

    name: str

    def choose(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Sequence[Candidate | None]:
        """Return for each mention its candidate, or None to keep it as it is.

        `context` tells the sentences and paragraphs to choosers that work on them.
        """
        ...


class CountSource(Protocol):
    """Counts the pages that hold all terms of a group, and nothing else: a search service, or any index.

    A member of a group that is a tuple is a set of synonyms.
    """

    @property
    def total(self) -> int:
        """Number of pages."""
        ...

    def counts(self, groups: Sequence[Sequence[str | tuple[str, ...]]], /) -> Sequence[int | None]:
        """Return the number of pages of each group, None where it is unknown."""
        ...


class CorpusIndex(Protocol):
    """Knows in how many windows of a collection terms occur, alone and together."""

    @property
    def total(self) -> int:
        """Number of windows."""
        ...

    def counts(self, groups: Sequence[Sequence[str]], /) -> Sequence[int | None]:
        """Return for each group of terms the windows that hold all of them; None: unknown."""
        ...

    def within(self, known: Sequence[str], /) -> CorpusIndex:
        """Return the same index, counting only windows that hold one of these terms."""
        ...

    def find(self, term: str, /) -> Any:
        """Return what is known of a term: its sorted `windows`, its `count` (`.number` is None if it is unknown)."""
        ...

    def information(self, term: str, /) -> float:
        """Return the information of a term in bits; no term is without."""
        ...

    @property
    def article_starts(self) -> Any:
        """First window of each article, ascending."""
        ...


class Taxonomy(Protocol):
    """Knows what is more general than a term."""

    name: str

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        """Return the rungs above a term, nearest first; `context` are words that help choose a sense."""
        ...


class Embeddings(Protocol):
    """Gives vectors whose cosine tells how closely phrases are related."""

    dimensions: int

    def vectors(self, phrases: Sequence[str]) -> Sequence[Sequence[float] | None]:
        """Return a unit vector for each phrase; None where it has none."""
        ...


class Opened(Protocol):
    """One file, opened: keeps its nodes, glyphs or entries to itself."""

    def read(self) -> Document:
        """Return the text with its parts; raise InputError where the file cannot be read safely."""
        ...

    def write(self, edits: Sequence[Edit]) -> bytes:
        """Return the file with these edits made (offsets into the text that `read` gave) and nothing else left."""
        ...

    def boxes(self, start: int, end: int) -> Sequence[Box]:
        """Return where a stretch of the text stands on pages; nothing if there are none."""
        ...


class Promising(Protocol):
    """What an opened file may say besides: the text that reading it again will give, where it is not simply the text
    with the edits made (a black bar instead of words, letters that an encoding lacks).
    """

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that the written file must have; white space is not compared."""
        ...

    def reopened(self, data: bytes) -> Opened:
        """Open what was written, where that needs more than the bytes (a record of a table)."""
        ...


class Format(Protocol):
    """Reads bytes into a document and writes bytes from edits.

    suffixes    endings of file names, with their point, in lower case
    magic       what a file of this kind may begin with; empty if nothing can be told from it
    """

    name: str
    suffixes: tuple[str, ...]
    magic: tuple[bytes, ...]

    def open(self, data: bytes, reading: Reading) -> Opened:
        """Open a whole file."""
        ...

    def residue(self, data: bytes, words: Sequence[str]) -> Sequence[str]:
        """Return the places of a written file where one of these words still stands, in words without the text.

        Shares no code with writing: it searches all that the file holds, whatever a reader would show.
        """
        ...


class RecordFormat(Format, Protocol):
    """A format of many records, which are read one by one: each is a case of its own unless something joins them."""

    def head(self, file: BinaryIO, reading: Reading) -> Opened | None:
        """Return what precedes the records (the header of a table), whose names are labels; None without one."""
        ...

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Opened]:
        """Yield the records in order. `Document.case` is the same for records that belong together."""
        ...
