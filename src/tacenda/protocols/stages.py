"""What a stage is made of: annotators, risk models, replacers, choosers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tacenda.model import Annotation, Candidate, Context, Document, Mention, Note, Risk

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


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


class WordPieces(Protocol):
    """The pieces of words that a text was read in."""

    @property
    def start(self) -> npt.NDArray[np.int32]:
        """Where each piece begins in the text, ascending."""
        ...

    @property
    def end(self) -> npt.NDArray[np.int32]:
        """Where each piece ends."""
        ...


@runtime_checkable
class TextStates(Protocol):
    """An annotator whose states of word pieces other parts may read too (the encoder).

    keeps_states    set to True where another part will ask: `annotate` then keeps the states of its text
    """

    keeps_states: bool

    def states(self, text: str) -> tuple[WordPieces, npt.NDArray[np.float32]]:
        """Return the word pieces of a text and one row of numbers for each."""
        ...

    def is_common(self, word: str) -> bool:
        """Tell whether a word is among those most used in the language."""
        ...


class RiskModel(Protocol):
    """Finds which mentions, alone or together, disclose more than is allowed.

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


@runtime_checkable
class Overruling(Protocol):
    """A risk model that can clear other models of a false alarm. Not asked where a certificate is to be made."""

    def left(self, risks: Sequence[Risk], mentions: Sequence[Mention], context: Context) -> Sequence[Risk]:
        """Return those of the risks that stand, in their order; nothing may be added or changed."""
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


@runtime_checkable
class Settling(Protocol):
    """A chooser that decides by itself what is enough (t-plausibility): its choice is not assessed again.

    The risk models then only say which mentions are sensitive. The search for protected forms still runs.
    """

    settles: bool


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
