"""Named entities and identifiers by type: the first sanitizer ζ of the papers, and their baselines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tacenda.errors import PolicyError
from tacenda.model import Context, Mention, Risk

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_PLACED = re.compile(r"[a-z]\s(?:of|in|at|for)\s(?:the\s)?[A-Z][a-z]")
# What 3-, 4- and 7-type recognizers of the papers find, in our labels (DATETIME covers their date and time,
# QUANTITY their money and percent).
TYPES = {
    3: ("PERSON", "LOC", "ORG"),
    4: ("PERSON", "LOC", "ORG", "MISC"),
    7: ("PERSON", "LOC", "ORG", "DATETIME", "QUANTITY"),
}


class Entity:
    """Risky iff a mention has one of the labels named, or is an identifier.

    labels       labels to mask, or "LABEL:role" for those of one role ("AGE:direct" are ages over 89); without
                 them every entity and identifier is masked
    years        False: a year that stands alone is left
    types        3, 4 or 7: the baselines of the papers, instead of labels
    identifiers  False: only what the labels name
    """

    name = "entity"
    unit = "type"
    monotone = True
    guarantee = "No mention that an annotator gave one of the labels is left in the text; what it missed is left."

    def __init__(
        self, *, labels: Sequence[str] = (), types: int | None = None, identifiers: bool = True, years: bool = True
    ) -> None:
        if types is not None and types not in TYPES:
            raise PolicyError(f"risk model 'entity': types is {types}. Available: {', '.join(map(str, TYPES))}.")
        if types is not None and labels:
            raise PolicyError("risk model 'entity': labels and types are both given; keep one of them.")
        self.labels = frozenset(TYPES[types] if types is not None else labels)
        self.identifiers = identifiers
        self.years = years

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return one risk for each entity (all its mentions together)."""
        alike: dict[tuple[str, object], list[int]] = {}
        for number, mention in enumerate(mentions):
            if mention.text.strip() and self._masked(mention):
                key = ("entity", mention.entity) if mention.entity >= 0 else ("mention", number)
                alike.setdefault(key, []).append(number)
        return [Risk(self.name, tuple(numbers), "identity", 1.0, 0.0, self.unit) for numbers in alike.values()]

    def _masked(self, mention: Mention) -> bool:
        if mention.kind not in ("entity", "identifier"):
            return False
        if mention.kind == "entity" and mention.role == "none" and mention.label != "PERSON":
            return False  # the annotator says that it points at nobody
        if not self.years and mention.label == "DATETIME" and _YEAR.fullmatch(mention.text):
            return False
        if not self.labels:
            return mention.kind == "entity" or self.identifiers
        if mention.label == "DEM" and "LOC" in self.labels and _PLACED.search(mention.text):
            return True  # "mayor of Ludlow" names a place, whether or not offices are masked
        return mention.label in self.labels or f"{mention.label}:{mention.role}" in self.labels
