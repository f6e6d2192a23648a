"""Words the index cannot judge: which of them must be taken for telling, and which are just names and typing errors.

An ordinary unknown word is no evidence of anything: a surname, a web address or a misspelling is kept and reported as
not assessed. An unknown word that is or looks like a medicine, a laboratory code or a technical abbreviation may tell
everything to a reader who knows it, so it is protected unless something says that it is harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tacenda.language import FIELD_WORDS
from tacenda.protocols import Uses
from tacenda.term import fold, is_acronym

# p24, gp120, cd4, hla57: a few letters, then a few digits. Not 15mm, 8am, x34703.
_CODE = re.compile(r"[a-z]{1,4}\d{1,3}[a-z]?")
_LONGEST_ACRONYM = 5
_LEAST_BESIDE_STEM = 2
# "started Zyntravo", "Zyntravo 50 mg", "refill of Zyntravo"
_DOSE = re.compile(
    r"[\s(]{1,3}(?:\d[\d.,]{0,8}\s?(?:mg|mcg|µg|ug|ml|iu|units?)|tablets?|pills?|capsules?|injections?)\b", re.I
)
_GIVEN = re.compile(
    r"\b(?:prescribed|started on|refill(?:ed)?(?: of)?|(?:doses?|tablets?) of|treated with|maintained on)\s$", re.I
)
_TAKEN = re.compile(r"\b(?:tak(?:es?|ing|en)|took|given|started|switched to)\s$", re.I)
# What follows a medicine that is taken, and does not follow a person who is: "took Anna home", "given Peter a book".
_TAKEN_SO = re.compile(
    r"(?:\s(?:since|and|or|but|for|daily|nightly|weekly|monthly|twice|once|every|again|regularly|in|at|with|without|until|"
    r"last|this|on|by|as|then|now|instead|plus|because|when|while|after|before)\b|[.,;:)]|\s?$)",
    re.I,
)
# "the Zyntest assay", "a Zyntest test", "the result of her Zyntest"
_ASSAY = re.compile(
    r"[\s-]{1,2}(?:assays?|tests?|testing|panel|screen|screening|swab|PCR|NAAT|immunoassay|titer|kit)\b", re.I
)
_RESULT = re.compile(r"\bresults? (?:of|from) (?:(?:the|his|her|their|a|an|my|your) )?$", re.I)
_DONE = re.compile(
    r"\s(?:was|were|is|came back|returned|turned) (?:done|performed|repeated|drawn|positive|negative|reactive)\b", re.I
)
NEAR = 24


class Unknown:
    """Tells which unknown words are taken for telling.

    pharmacy    what medicines are for; None: nothing is known of them
    conditions  the protected entities, as the pharmacy names them
    """

    def __init__(self, pharmacy: object, conditions: Iterable[str]) -> None:
        self._pharmacy = pharmacy if isinstance(pharmacy, Uses) else None
        self._conditions = frozenset(conditions)

    def is_harmless(self, word: str) -> bool:
        """Tell whether a word names a field, or a medicine or test that is for something else, or is made like one."""
        if fold(word) in FIELD_WORDS:
            return True  # "MRN", "DOB": what stands on every form tells nothing
        if self._pharmacy is None:
            return False
        if self._pharmacy.uses(word):
            return True  # what is mainly for a protected entity is a sign of it, and found as such
        uses = self._stem_uses(word)
        return bool(uses) and uses[0] not in _UNSPECIFIC and self._conditions.isdisjoint(uses)

    def looks_technical(self, word: str) -> bool:
        """Tell whether a normalized word has the form of a medicine, a code or an abbreviation."""
        if _CODE.fullmatch(word) or (is_acronym(word) and len(word) <= _LONGEST_ACRONYM):
            return True
        return bool(self._stem_uses(word))

    @staticmethod
    def is_given(before: str, after: str, *, named: bool) -> bool:
        """Tell from its surroundings whether a word names a medicine or a test: a dose follows, it is taken, done.

        named   it was found to be a person or place, which may be taken home or given a book
        """
        before, after = before[-NEAR:], after[:NEAR]
        if _DOSE.match(after) or _GIVEN.search(before) or _ASSAY.match(after) or _RESULT.search(before):
            return True
        if _DONE.match(after) and not named:
            return True
        return bool(_TAKEN.search(before)) and (not named or bool(_TAKEN_SO.match(after)))

    def _stem_uses(self, word: str) -> Sequence[str]:
        for stem, uses in self._pharmacy.stems() if self._pharmacy else ():
            part = stem.strip("-")
            long_enough = len(word) >= len(part) + _LEAST_BESIDE_STEM
            if long_enough and (word.endswith(part) if stem.startswith("-") else word.startswith(part)):
                return uses
        return ()


# What a stem says of a whole family, protected diseases among them.
_UNSPECIFIC = frozenset({"viral infection"})
