"""Information content: mask what is too specific, in bits or in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tacenda.errors import PolicyError
from tacenda.model import Context, Mention, Risk
from tacenda.protocols import CorpusIndex, InBits, Taxonomy
from tacenda.risk.counts import Counts
from tacenda.term import normalize


class Information:
    """Risky iff IC(t) > β, for every term and entity.

    limit       β in bits, or
    nothing_more_specific_than   a concept whose information is β: "nothing more specific than *city*"
    """

    name = "information"
    unit = "bits"
    monotone = True
    guarantee = "No term left in the text is more informative than the limit, by this index."

    def __init__(
        self,
        *,
        index: CorpusIndex,
        taxonomy: Taxonomy | None = None,
        limit: float | None = None,
        nothing_more_specific_than: str = "",
    ) -> None:
        if (limit is None) == (not nothing_more_specific_than):
            raise PolicyError(
                "risk model 'information' needs one limit: limit = 9.0 (bits), "
                'or nothing_more_specific_than = "city".'
            )
        self.counts, self.taxonomy = Counts(index, self.name), taxonomy
        self.limit = self._bits_of(nothing_more_specific_than) if limit is None else float(limit)

    def _bits_of(self, concept: str) -> float:
        bits = self.taxonomy.bits(concept) if isinstance(self.taxonomy, InBits) else None
        if bits is not None:
            return float(bits)
        if not all(self.counts.knows(word) for word in normalize(concept).split()):
            raise PolicyError(
                f"nothing_more_specific_than = {concept!r}: neither the taxonomies nor the index know it. "
                "Name a common concept, or give limit in bits."
            )
        return self.counts.information(concept)

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return one risk for each distinct term that is too informative."""
        alike: dict[str, list[int]] = {}
        for number, mention in enumerate(mentions):
            if mention.text.strip():
                alike.setdefault(normalize(mention.text), []).append(number)
        risks = []
        for key, numbers in alike.items():
            bits = self.counts.information(key)
            if bits > self.limit:
                risks.append(Risk(self.name, tuple(numbers), "identity", bits, self.limit, self.unit))
        return risks
