"""Identifiers with a form of their own: the Safe Harbor elements and the usual national numbers.

Each family scans the text for a rare first character or is shown each number once; overlaps are settled by
`merge.settle`. See docs/identifiers.md for the table of elements, labels and confidences.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacenda.annotate.merge import settle
from tacenda.annotate.patterns import age_mentions, cued, date_mentions, net, numeric, places, record_numbers
from tacenda.annotate.patterns.hit import FULL, NUMBER, AtNumber, Find, Hit
from tacenda.model import Annotation, Document, Mention
from tacenda.term import plain_with_offsets

SCANS: dict[str, Find] = {
    "net": net.find,
    "numeric": numeric.find,
    "dates": date_mentions.find,
    "ages": age_mentions.find,
    "places": places.find,
    "cued": cued.find,
}
AT_NUMBERS: dict[str, AtNumber] = {
    "dates": date_mentions.at_number,
    "records": record_numbers.at_number,
    "ages": age_mentions.at_number,
    "places": places.at_number,
}

LABELS = (
    "ACCOUNT", "ADDRESS", "AGE", "CARD", "CASE", "DATETIME", "DEVICE", "EMAIL", "FAX", "IBAN", "IP", "LICENSE", "MAC",
    "NATIONAL_ID", "NHS", "OTHER_ID", "PASSPORT", "PERSON", "PHONE", "PLATE", "RECORD", "SSN", "URL", "VIN", "ZIP",
)  # fmt: skip


class Patterns:
    """Annotates identifiers by form, check digit and context.

    >>> found = Patterns().annotate(Document("Mail jo@example.org born 12 March 2019.")).mentions
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
        for hit in find_all(text):
            if hit.confidence >= self._floor:
                start, end = hit.start, hit.end
                if offsets is not None:
                    start, end = int(offsets[start]), int(offsets[end - 1]) + 1
                mentions.append(_mention(document.text, start, end, hit))
        return Annotation(tuple(settle(mentions)))


def find_all(text: str) -> Iterator[Hit]:
    """Yield every hit of every family, overlaps and all."""
    scanned = [hit for find in SCANS.values() for hit in find(text)]
    yield from scanned
    sure = sorted(hit[:2] for hit in scanned if hit.confidence == FULL)
    sure.append((len(text) + 1, 0))
    at, reach = 0, 0
    # A family is not asked again inside what it has found, nor any inside what a scan is sure of.
    shown: list[tuple[AtNumber, int]] = [(at_number, 0) for at_number in AT_NUMBERS.values()]
    for number in NUMBER.finditer(text):
        start, end = number.span()
        while sure[at][0] <= start:
            reach = max(reach, sure[at][1])
            at += 1
        if start < reach:
            continue
        for i, (at_number, done) in enumerate(shown):
            hit = at_number(text, start, end) if start >= done else None
            if hit is not None:
                shown[i] = at_number, hit.end
                yield hit


def _mention(text: str, start: int, end: int, hit: Hit) -> Mention:
    return Mention(start, end, text[start:end], hit.label, "identifier", Patterns.name, hit.confidence, role=hit.role)
