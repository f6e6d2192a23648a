"""Where knowledge comes from: counts, indexes, taxonomies, vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tacenda.model import Concept

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Windows = npt.NDArray[np.integer[Any]]


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


@runtime_checkable
class OnDisk(Protocol):
    """An index that is a file. Without: no certificate, because a recipient could not count again."""

    @property
    def path(self) -> Path:
        """The file."""
        ...


@runtime_checkable
class Joined(Protocol):
    """Several indexes asked as one."""

    @property
    def indexes(self) -> Sequence[CorpusIndex]:
        """The indexes, in the order in which their windows are numbered."""
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


class SenseTaken(Protocol):
    """The sense in which a taxonomy took a term."""

    @property
    def name(self) -> str:
        """What the concept is called."""
        ...

    @property
    def taxonomy(self) -> str:
        """The taxonomy that holds it."""
        ...


@runtime_checkable
class Senses(Protocol):
    """A taxonomy that says which sense it took, and can be told where to look first (`prefer`, a taxonomy's name)."""

    def sense(self, term: str, context: Sequence[str] = (), *, prefer: str = "") -> SenseTaken | None:
        """Return the sense taken, None if the term is unknown."""
        ...

    def generalizations(self, term: str, context: Sequence[str] = (), *, prefer: str = "") -> Sequence[Concept]:
        """Return the rungs above a term, nearest first."""
        ...


@runtime_checkable
class ReadInSentence(Protocol):
    """A taxonomy that tells senses by how an annotator read a term in its sentence (`Mention.reading`)."""

    def class_of(self, reading: Any) -> int:
        """Return the number of a word's broadest class (`language.CLASS_LABELS`); -1 if it is open."""
        ...

    def generalizations(
        self, term: str, context: Sequence[str] = (), *, prefer: str = "", sure: float = 0.0, reading: Any = None
    ) -> Sequence[Concept]:
        """Return the rungs below which the likely senses lie with a probability of at least `sure`."""
        ...


@runtime_checkable
class Uses(Protocol):
    """A taxonomy that knows what medicines and tests are for. Without: an unknown word is never taken for harmless."""

    def uses(self, term: str) -> Sequence[str]:
        """Return what a medicine or test is for; nothing if it is not listed."""
        ...

    def stems(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Return endings ("-navir") or beginnings ("cef-") of generic names with what they are for, longest first."""
        ...


@runtime_checkable
class Signs(Protocol):
    """A taxonomy that knows what points to a condition. Without: only counts tell."""

    def signs(self, conditions: Iterable[str]) -> Sequence[str]:
        """Return medicines, tests and the like that are mainly for one of these conditions."""
        ...


@runtime_checkable
class FullTaxonomy(Taxonomy, Synonyms, Specializations, Volumes, Lineage, Protocol):
    """What risk models are given: `knowledge.taxonomy.complete` adds what a taxonomy lacks."""


class Embeddings(Protocol):
    """Gives vectors whose cosine tells how closely phrases are related."""

    dimensions: int

    def vectors(self, phrases: Sequence[str]) -> Sequence[Sequence[float] | None]:
        """Return a unit vector for each phrase; None where it has none."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """Vectors that come with a threshold. Without: the policy must give one."""

    @property
    def threshold(self) -> float:
        """The cosine from which a phrase counts as close."""
        ...


@runtime_checkable
class TrainedVectors(Protocol):
    """Vectors that may come from a collection, so that a phrase they do not hold is one the collection never saw."""

    @property
    def trained(self) -> bool:
        """Tell whether they were trained on a collection."""
        ...

    def whole(self, phrase: str) -> bool:
        """Tell whether a phrase has a vector of its own, not only one made of its parts."""
        ...
