"""The whole extension surface: what a third party implements.

The first class of each kind is what a part must have. What it may have besides is a protocol of its own, asked for
with `isinstance`; a part without it works, with less. `tacenda.testing` checks all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, runtime_checkable

from tacenda.model import Annotation, Box, Candidate, Concept, Context, Document, Edit, Mention, Note, Reading, Risk

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Windows = npt.NDArray[np.integer[Any]]


@runtime_checkable
class Digested(Protocol):
    """Any part with a digest: plans and certificates name it, so that a result can be made again."""

    @property
    def digest(self) -> str:
        """What changes whenever the part may answer differently."""
        ...


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


@runtime_checkable
class EveryWord(Protocol):
    """A risk model that wants to see every word, also those that no annotator marked."""

    every_word: bool


@runtime_checkable
class Noting(Protocol):
    """A risk model that has something to say of an output besides its risks: what it could not assess."""

    def notes(self, mentions: Sequence[Mention], context: Context) -> Sequence[Note]:
        """Return notes; none may hold a word of the text."""
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


class Proof(Protocol):
    """A choice, and what is proven about it."""

    @property
    def chosen(self) -> Sequence[Candidate | None]:
        """For each mention its candidate, or None to keep it."""
        ...

    @property
    def note(self) -> Note | None:
        """What is proven, for the plan: kind "loss" with `bits` lost, the `bound` no choice can stay under, `gap`."""
        ...


@runtime_checkable
class Proving(Protocol):
    """A chooser that proves how good its choice is; `solve` is then asked instead of `choose`."""

    def solve(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        risks: Sequence[Risk],
        assess: Assess,
        context: Context | None = None,
    ) -> Proof:
        """Choose, and say what is lost against what must be lost."""
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


class Counted(Protocol):
    """How often a term was counted."""

    @property
    def number(self) -> int | None:
        """Windows that hold it; None if the term is unknown."""
        ...


class TermWindows(Protocol):
    """What an index knows of a term."""

    @property
    def windows(self) -> Windows:
        """Numbers of the windows that hold it, ascending, each once; none if it is unknown or `everywhere`."""
        ...

    @property
    def count(self) -> Counted:
        """How many there are."""
        ...

    @property
    def everywhere(self) -> bool:
        """Whether it is too common to be evidence; then its windows are not listed."""
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

    def find(self, term: str, /) -> TermWindows:
        """Return what is known of a term."""
        ...

    def information(self, term: str, /) -> float:
        """Return the information of a term in bits; no term is without."""
        ...

    @property
    def article_starts(self) -> Windows:
        """First window of each article, ascending."""
        ...


class Taxonomy(Protocol):
    """Knows what is more general than a term."""

    name: str

    def generalizations(self, term: str, context: Sequence[str] = ()) -> Sequence[Concept]:
        """Return the rungs above a term, nearest first; `context` are words that help choose a sense."""
        ...


@runtime_checkable
class Synonyms(Protocol):
    """A taxonomy that knows other names. Without: only the forms that the policy gives are hidden."""

    def synonyms(self, term: str) -> Sequence[str]:
        """Return other names of the same thing."""
        ...


@runtime_checkable
class Specializations(Protocol):
    """A taxonomy that knows kinds. Without: a concept is counted by its own name alone, the safe side."""

    def specializations(self, term: str) -> Sequence[str]:
        """Return the names of its kinds, however far below."""
        ...


@runtime_checkable
class Volumes(Protocol):
    """A taxonomy that knows how broad a term is. Without: every term counts as broad."""

    def volume(self, term: str) -> int:
        """Return how many leaves lie below a term: 1 for a leaf, 0 if the term is unknown."""
        ...


@runtime_checkable
class Lineage(Protocol):
    """A taxonomy that can be asked about two terms. Without: the rungs above the narrower one are looked through."""

    def is_generalization(self, general: str, term: str) -> bool:
        """Tell whether `general` lies above `term`."""
        ...


@runtime_checkable
class InBits(Protocol):
    """A taxonomy that knows how much a term tells. Without: the index is asked."""

    def bits(self, term: str) -> float | None:
        """Return the information of a term in bits; None if it is unknown."""
        ...


@runtime_checkable
class Senses(Protocol):
    """A taxonomy that says which sense it took, and can be told where to look first (`prefer`, a taxonomy's name)."""

    def sense(self, term: str, context: Sequence[str] = (), *, prefer: str = "") -> Any:
        """Return the sense taken (its `name` and `taxonomy`), None if the term is unknown."""
        ...

    def generalizations(self, term: str, context: Sequence[str] = (), *, prefer: str = "") -> Sequence[Concept]:
        """Return the rungs above a term, nearest first."""
        ...


class FullTaxonomy(Taxonomy, Synonyms, Specializations, Volumes, Lineage, Protocol):
    """What risk models are given: `knowledge.taxonomy.complete` adds what a taxonomy lacks."""


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


@runtime_checkable
class Promising(Protocol):
    """An opened file whose written text is not simply its text with the edits made (a black bar instead of words,
    letters that an encoding lacks). Without: it is.
    """

    def promised(self, edits: Sequence[Edit]) -> str:
        """Return the text that the written file must have; white space is not compared."""
        ...


@runtime_checkable
class Reopening(Protocol):
    """An opened file that says how to read what it wrote. Without: its format opens the bytes."""

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


@runtime_checkable
class RecordFormat(Format, Protocol):
    """A format of many records, which are read one by one: each is a case of its own unless something joins them."""

    def head(self, file: BinaryIO, reading: Reading) -> Opened | None:
        """Return what precedes the records (the header of a table), whose names are labels; None without one."""
        ...

    def records(self, file: BinaryIO, reading: Reading) -> Iterator[Opened]:
        """Yield the records in order. `Document.case` is the same for records that belong together."""
        ...


class TableBatch(Protocol):
    """Some rows of a table of columns."""

    @property
    def records(self) -> Sequence[Opened]:
        """The rows, each opened."""
        ...

    def written(self, head: bytes, lines: Sequence[bytes]) -> bytes:
        """Return a piece of the output, of what head and rows wrote; an empty line is a row that failed."""
        ...


@runtime_checkable
class TableFormat(RecordFormat, Protocol):
    """A format of records whose file is not one record after another: a table kept by columns."""

    def batches(self, file: BinaryIO, reading: Reading) -> Iterator[TableBatch]:
        """Yield the rows some at a time, always cut alike; first a batch without rows."""
        ...

    def finish(self, pieces: BinaryIO, out: BinaryIO) -> None:
        """Make the file of all pieces, one after another; raise GuaranteeError if it does not read as they do."""
        ...
