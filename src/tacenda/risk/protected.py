"""A protected entity as the index sees it: all its forms, the union of their windows, and its rule.

Under-counting the entity is the largest error there is ("catholicism" alone finds next to nothing), so its
synonyms, specializations and derived words count as the entity. A term that contains a form is risky by
definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import prod
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacenda.arrays.window_sets import Rows, Windows, meet, members, pack
from tacenda.errors import PolicyError
from tacenda.language import WORDS_LIKE_ACRONYMS
from tacenda.model import Protected
from tacenda.protocols import Signs
from tacenda.risk.counts import Counts
from tacenda.risk.formulas import alpha_for_posterior
from tacenda.risk.rules import Evidence, Rule
from tacenda.term import content_words, fold, is_abbreviation, is_acronym, normalize

# Adjectives and persons derived from nouns: "catholicism" -> "catholic", "homosexuality" -> "homosexual".
# A name in fewer windows than this, and of at least so many letters, is taken as the taxonomy gives it.
_RARE, _SHORTEST_NAME = 20, 4
# Of very broad entities ("disease" has 47,000 names) no more than this are judged and counted; the rest, if long
# enough not to be an everyday word, are names only.
_MOST_JUDGED = _MOST_COUNTED = 2_000
_LONG_NAME = 6
_MOST_ANSWERS, _MOST_ROWS = 100_000, 5_000
_DERIVED = (("ism", ""), ("ism", "ist"), ("ism", "istic"), ("ity", ""), ("ality", "al"), ("osis", "otic"), ("y", "ic"))


class Meanings(Protocol):
    """What a risk model asks a taxonomy: other names, kinds, and whether one thing is a kind of another."""

    def synonyms(self, term: str) -> Sequence[str]:
        """Return other names of the same thing."""
        ...

    def specializations(self, term: str) -> Sequence[str]:
        """Return the names of its kinds, however far below."""
        ...

    def volume(self, term: str) -> int:
        """Return how many leaves lie below a term."""
        ...

    def is_generalization(self, general: str, term: str) -> bool:
        """Tell whether `general` lies above `term`."""
        ...


def derived(entity: str, counts: Counts) -> tuple[str, ...]:
    """Return derived words of a one-word entity that the index knows and that are no rarer than a tenth of it."""
    word = fold(entity)
    if " " in word or len(word) < 7 or normalize(word) != word:
        return ()
    made = [word[: -len(old)] + new for old, new in _DERIVED if word.endswith(old)]
    least = len(counts.windows(word)) / 10
    return tuple(form for form in dict.fromkeys(made) if len(form) >= 4 and len(counts.windows(form)) > least)


def expand(protected: Protected, counts: Counts, taxonomy: Meanings | None) -> Protected:
    """Return a protected entity with all its forms: given, derived, synonyms, kinds and their names; and its signs.

    This is the one expansion, made on the whole index whatever a model counts later: masking, risk and certificate
    all take its result. What a taxonomy offers is a name only if the index bears it out: "acid" and "Elvis" are names
    of drugs, but not where people write them. It must occur with what the policy names as often as a term that is
    risky at α = 2, or be too rare to tell. A phrase is counted only if its words go together ("drug use" is in every
    window that speaks of a drug and of use). An entity that was expanded before comes back as it is.
    """
    if protected.counted is not None:
        return protected
    counts = counts.everywhere
    names = _written((protected.entity, *protected.forms, *derived(protected.entity, counts)))
    if taxonomy is not None:
        offered = _written((*taxonomy.synonyms(protected.entity), *taxonomy.specializations(protected.entity)))
        names = {**{name: offered[name] for name in _borne_out(offered, names, counts)}, **names}
    own = normalize(protected.entity)
    counted = [
        name
        for name in islice(sorted(names, key=lambda name: name.count(" ")), _MOST_COUNTED)
        if name == own or _goes_together(name, counts)
    ]
    signs = taxonomy.signs((protected.entity, *protected.forms)) if isinstance(taxonomy, Signs) else ()
    return replace(
        protected, forms=tuple(sorted(names.values())), counted=shortest(counted), signs=tuple(dict.fromkeys(signs))
    )


def _written(forms: Iterable[str]) -> dict[str, str]:
    """Return the forms as they are written, by their normalized name; the first of each name."""
    table: dict[str, str] = {}
    for form in forms:
        if key := normalize(form):
            table.setdefault(key, form)
    return table


def shortest(names: Iterable[str]) -> tuple[str, ...]:
    """Leave out every name that contains another word for word: the shorter one covers it."""
    kept: dict[tuple[str, ...], str] = {}
    for name in sorted(names, key=lambda one: (one.count(" "), one)):
        words = tuple(name.split())
        spans = (words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1))
        if not any(span in kept for span in spans):
            kept[words] = name
    return tuple(kept.values())


def _borne_out(offered: Iterable[str], given: Iterable[str], counts: Counts) -> list[str]:
    """Return the offered names that the index ties to the given ones, or that are too rare to judge."""
    core = counts.union(given)
    share = (len(core) / counts.total) ** 0.5

    def tied(name: str) -> bool:
        windows = counts.windows(name)
        if len(windows) >= _RARE:
            return bool(len(meet(windows, core)) >= share * len(windows))
        # A rare phrase of everyday words, none of them tied ("nose drops", "grievous bodily harm"), is no name.
        words = name.split()
        telling = len(words) == 1 or any(counts.is_rare(word, _RARE) or tied(word) for word in words)
        return telling and len(name) >= _SHORTEST_NAME

    kept = []
    for number, name in enumerate(offered):
        if number >= _MOST_JUDGED:
            if len(name) >= _LONG_NAME:
                kept.append(name)
        elif tied(name):
            kept.append(name)
    return kept


def _goes_together(name: str, counts: Counts) -> bool:
    """Tell whether the words of a name meet at least eight times as often, per word, as chance would have it."""
    words = name.split()
    expected = counts.total * prod(len(counts.windows(word)) / counts.total for word in words)
    return len(words) == 1 or len(counts.windows(name)) >= expected * 8 ** (len(words) - 1)


@dataclass(frozen=True, slots=True)
class Told:
    """What a term tells about an entity by itself: it names it, is a sign of it, or is risky by its counts.

    joint, count   n(ct) and n(t), where it is risky
    """

    named: bool = False
    shown: bool = False
    joint: int = 0
    count: int = 0
    risky: bool = False


NOTHING = Told()


@dataclass(frozen=True)
class Secret:
    """A protected entity ready to be asked about.

    forms    normalized names; a term that contains one is risky by definition
    counted  the names whose windows are the entity's
    signs    normalized names of medicines, tests and the like that are mainly for it; risky by definition too
    windows  the union of the windows of the counted names
    whole    the same entity in the whole index, for words too rare where it is counted; None where that is the same
    rule     None if the index does not know the entity: its names are protected, nothing else can be said
    general  the names counted for what may be revealed
    """

    protected: Protected
    forms: tuple[str, ...]
    windows: Windows
    rule: Rule | None
    counted: tuple[str, ...] = ()
    general: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    whole: Secret | None = None

    @cached_property
    def _forms_by_first(self) -> _ByFirst:
        return _by_first(self.forms)

    @cached_property
    def _signs_by_first(self) -> _ByFirst:
        return _by_first(self.signs)

    def names(self, words: tuple[str, ...]) -> bool:
        """Tell whether a phrase contains a form of the entity.

        An acronym is also recognized in lower case, unless its lower-case letters are a word of their own
        ("aids" is not AIDS).
        """
        return _contains(words, self._forms_by_first, _same_name)

    def shows(self, words: tuple[str, ...]) -> bool:
        """Tell whether a phrase contains a sign of the entity; an acronym is one in capitals only ("CAGE", no cage)."""
        return _contains(words, self._signs_by_first, str.__eq__)

    def told(self, words: tuple[str, ...], windows: Callable[[str], Windows]) -> Told:
        """Return what a term tells by itself; remembered, since every round asks about nearly the same terms.

        windows   gives the windows of a term where the entity is counted
        """
        known = self._told.get(words)
        if known is None:
            own = windows(" ".join(words))
            joint, risky = self.single(own)
            known = Told(self.names(words), self.shows(words), joint, len(own), risky)
            if len(self._told) >= _MOST_ANSWERS:
                self._told.clear()
            # Most terms tell nothing at all: they share one answer, which is quickly passed over.
            known = self._told[words] = known if known.named or known.shown or known.risky else NOTHING
        return known

    def single(self, windows: Windows) -> tuple[int, bool]:
        """Return n(ct) of a term, given its windows, and whether it is risky alone."""
        joint = int(np.count_nonzero(self._holds[windows[: np.searchsorted(windows, len(self._holds))]]))
        return joint, self.rule is not None and self.rule.single(joint, len(windows))

    @cached_property
    def _holds(self) -> npt.NDArray[np.bool_]:
        """Whether each window, up to the last one of the entity, holds it; asked of every term."""
        flags = np.zeros(int(self.windows[-1]) + 1 if len(self.windows) else 0, dtype=bool)
        flags[self.windows] = True
        return flags

    def rows(self, terms: Sequence[tuple[tuple[str, ...], Windows]]) -> Rows:
        """Return which of the windows of the entity each term is in, as rows of bits."""
        if not terms:
            return np.zeros((0, -(-len(self.windows) // 64)), dtype=np.uint64)
        return np.stack([self._row(*term) for term in terms])

    def _row(self, words: tuple[str, ...], windows: Windows) -> Rows:
        row = self._rows.get(words)
        if row is None:
            row = pack(members(self.windows, windows)[None])[0]
            if len(self._rows) >= _MOST_ROWS:
                self._rows.clear()
            self._rows[words] = row = row if row.any() else self._no_row
        return row

    @cached_property
    def _told(self) -> dict[tuple[str, ...], Told]:
        return {}

    @cached_property
    def _rows(self) -> dict[tuple[str, ...], Rows]:
        return {}

    @cached_property
    def _no_row(self) -> Rows:
        return np.zeros(-(-len(self.windows) // 64), dtype=np.uint64)

    @property
    def share(self) -> float:
        """The share of all windows that hold the entity; 0 if the index does not know it."""
        return self.rule.secret / self.rule.total if self.rule else 0.0


_ByFirst = dict[str, list[tuple[str, ...]]]


def _by_first(forms: Iterable[str]) -> _ByFirst:
    table: _ByFirst = {}
    for form in forms:
        words = tuple(form.split())
        table.setdefault(words[0].lower(), []).append(words)
    return table


def _contains(words: Sequence[str], forms: _ByFirst, same: Callable[[str, str], bool]) -> bool:
    for i, word in enumerate(words):
        for form in forms.get(word.lower(), ()):
            part = words[i : i + len(form)]
            if len(part) == len(form) and all(map(same, part, form)):
                return True
    return False


def _same_name(word: str, form: str) -> bool:
    if word == form:
        return True
    if form.isupper():
        return word.lower() == form.lower() and word.islower() and word not in WORDS_LIKE_ACRONYMS
    return word.isupper() and word.lower() == form


def look_up(
    protected: Protected,
    counts: Counts,
    taxonomy: Any,
    evidence: Evidence,
) -> Secret:
    """Expand an entity, count its union and make its rule; contradictions and impossible limits are errors."""
    entry = expand(protected, counts, taxonomy)
    general = _general(entry, taxonomy) if entry.may_reveal else ()
    secret = _counted(entry, general, counts, evidence)
    if counts.everywhere is counts:
        return secret
    return replace(secret, whole=_counted(entry, general, counts.everywhere, evidence))


def _counted(entry: Protected, general: tuple[str, ...], counts: Counts, evidence: Evidence) -> Secret:
    """Return an expanded entity as one collection counts it."""
    counted = entry.counted or ()
    windows = counts.union(counted)
    rule = _rule(entry, windows, general, counts, evidence) if len(windows) else None
    # "PrEP" normalized is a prep: what is an abbreviation by its capitals only, the search for words as written finds.
    clear = [sign for sign in entry.signs if is_acronym(sign) or not is_abbreviation(sign)]
    forms, signs = (shortest(filter(None, map(normalize, names))) for names in (entry.forms, clear))
    return Secret(entry, forms, windows, rule, counted, general, signs)


def _rule(entry: Protected, windows: Windows, general: tuple[str, ...], counts: Counts, evidence: Evidence) -> Rule:
    if entry.posterior is not None:
        alpha = alpha_for_posterior(len(windows), counts.total, entry.posterior, entry.prior)
        return Rule(len(windows), counts.total, alpha=alpha, evidence=evidence)
    if not entry.may_reveal:
        if entry.alpha < 1:
            raise PolicyError(
                f"protected entity {entry.entity!r}: alpha is {entry.alpha}; it must be 1 or more "
                "(1: only full disclosure counts; 2: half of the information)."
            )
        return Rule(len(windows), counts.total, alpha=entry.alpha, evidence=evidence)
    count = len(np.union1d(counts.union(general), windows))
    if count >= counts.total:
        raise PolicyError(
            f"protected entity {entry.entity!r}: may_reveal = {entry.may_reveal!r} is in every window of the "
            "index, so it would allow nothing to be revealed. Name something more specific."
        )
    return Rule(len(windows), counts.total, general=count, evidence=evidence)


def _general(protected: Protected, taxonomy: Any) -> tuple[str, ...]:
    """Return the names counted for what may be revealed: its own, and those of everything below it."""
    general = protected.may_reveal
    if taxonomy is None or not taxonomy.is_generalization(general, protected.entity):
        raise PolicyError(
            f"protected entity {protected.entity!r}: may_reveal = {general!r} is not a generalization of it in the "
            f"taxonomies. `tacenda generalize {protected.entity!r}` shows what is."
        )
    names = (general, *taxonomy.synonyms(general), *taxonomy.specializations(general))
    return tuple(dict.fromkeys(key for name in names if (key := normalize(name))))


def check_contradictions(protected: Sequence[Protected]) -> None:
    """Raise where two entries protect the same entity with different limits."""
    limits: dict[str, tuple[Any, str]] = {}
    for entry in protected:
        if not content_words(entry.entity):
            raise PolicyError("a protected entity has no name. Give `entity` a word or a phrase.")
        given = entry.alpha if not (entry.may_reveal or entry.posterior) else (entry.posterior, entry.prior)
        limit = (given, normalize(entry.may_reveal) if entry.may_reveal else "")
        known = limits.setdefault(normalize(entry.entity), limit)
        if known != limit:
            raise PolicyError(
                f"protected entity {entry.entity!r} is listed twice with different limits. Keep one entry, "
                "or give both the same alpha or may_reveal."
            )
