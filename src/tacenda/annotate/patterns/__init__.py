"""Identifiers with a form of their own: the Safe Harbor elements and the usual national numbers.

Families (dates, net, money, phones, national, records, places, ages) each yield hits; overlaps are settled
once, by `merge.settle`. See docs/identifiers.md for the table of elements, labels and confidences.
"""

from __future__ import annotations

from tacenda.annotate.merge import settle
from tacenda.annotate.patterns import ages, dates, money, national, net, phones, places, records
from tacenda.annotate.patterns.hit import Family, Hit
from tacenda.model import Annotation, Document, Mention
from tacenda.term import plain_with_offsets

FAMILIES: dict[str, Family] = {
    "net": net.find,
    "money": money.find,
    "national": national.find,
    "records": records.find,
    "phones": phones.find,
    "dates": dates.find,
    "ages": ages.find,
    "places": places.find,
}

LABELS = (
    "ACCOUNT", "ADDRESS", "AGE", "CARD", "CASE", "DATETIME", "DEVICE", "EMAIL", "FAX", "IBAN", "IP", "LICENSE", "MAC",
    "NATIONAL_ID", "NHS", "OTHER_ID", "PASSPORT", "PHONE", "PLATE", "RECORD", "SSN", "URL", "VIN", "ZIP",
)  # fmt: skip


class Patterns:
    """Annotates identifiers by form, check digit and context.

    >>> found = Patterns().annotate(Document("Mail jo@example.org before 12 March 2019.")).mentions
    >>> [(m.label, m.text, m.confidence) for m in found]
    [('EMAIL', 'jo@example.org', 1.0), ('DATETIME', '12 March 2019', 1.0)]
    """

    name = "patterns"

    def __init__(self, *, floor: float = 0.0) -> None:
        self._floor = floor

    def annotate(self, document: Document) -> Annotation:
        """Find identifiers; those under the floor of confidence are left out."""
        text, offsets = plain_with_offsets(document.text)
        mentions = []
        for find in FAMILIES.values():
            for hit in find(text):
                if hit.confidence >= self._floor:
                    start, end = hit.start, hit.end
                    if offsets is not None:
                        start, end = int(offsets[start]), int(offsets[end - 1]) + 1
                    mentions.append(_mention(document.text, start, end, hit))
        return Annotation(tuple(settle(mentions)))


def _mention(text: str, start: int, end: int, hit: Hit) -> Mention:
    return Mention(start, end, text[start:end], hit.label, "identifier", Patterns.name, hit.confidence, role=hit.role)
