"""A cell is what the head of its column says: under "Patient" stands a name, under "DOB" a date of birth.

The whole cell is one mention. Cells that say nothing ("n/a", "-") and cells too long to be a name are left to the
other annotators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from tacenda.annotate.fields import fields
from tacenda.model import Annotation, Document, Kind, Mention, Part

# What a head means, by the words it may hold; the first line that fits wins. "*" stands for any further words.
_HEADS: tuple[tuple[str, str, Kind], ...] = (
    ("EMAIL", r"(?:e ?mail|mail)(?: address(?:es)?)?", "identifier"),
    ("FAX", r"(?:tele)?fax(?: (?:number|no|num))?", "identifier"),
    ("PHONE", r"(?:tele)?phone|tel|mobile|cell(?:phone)?|contact (?:number|no)|landline|whatsapp", "identifier"),
    ("DATETIME", r"d ?o ?b|date of (?:birth|death)|birth ?(?:date|day)|born(?: on)?|d ?o ?d|death date", "identifier"),
    ("SSN", r"ssn|social security", "identifier"),
    (
        "RECORD",
        r"mrn|mr ?no|chart|medical record|hospital|nhs|record",
        "identifier",
    ),
    (
        "RECORD",
        r"(?:patient|person|customer|client|member|employee|staff|student|case) (?:id|no|number)",
        "identifier",
    ),
    ("PASSPORT", r"passport", "identifier"),
    ("LICENSE", r"(?:driver'?s? )?licen[cs]e", "identifier"),
    ("IBAN", r"iban", "identifier"),
    ("ACCOUNT", r"(?:bank )?account", "identifier"),
    ("CARD", r"(?:credit )?card", "identifier"),
    ("IP", r"ip(?: address)?", "identifier"),
    ("URL", r"(?:url|web ?site|home ?page|linkedin|twitter|facebook)", "identifier"),
    ("PLATE", r"(?:number|licen[cs]e) plate|plate|vehicle registration", "identifier"),
    (
        "ADDRESS",
        r"(?:home |postal |street |mailing )?address(?: ?(?:line )?\d)?|street(?: address)?",
        "identifier",
    ),
    ("ZIP", r"zip|postal code|post ?code|plz", "identifier"),
    ("DEM", r"roles?|positions?|job(?: title)?|occupation|profession|trade|grade|duty|rank|designation", "entity"),
    ("LOC", r"city|town|village|county|birth ?place|place of birth|place of residence|home ?town", "entity"),
    ("ORG", r"employer|company|organi[sz]ation|workplace|school|university|hospital name|clinic", "entity"),
    (
        "PERSON",
        r"(?:(?:full|first|last|middle|given|family|fore|sur|maiden|birth|legal|preferred|nick|patient'?s?|client|"
        r"customer|employee|contact|person|father'?s?|mother'?s?|spouse|guardian|doctor|physician|next of kin) ?)*"
        r"names?(?: ?\(?(?:first|last|full|given|family)\)?)?",
        "entity",
    ),
    (
        "PERSON",
        r"patient|client|customer|employee|surname|forename|next of kin|spouse|guardian|doctor|physician|gp|author|"
        r"attending|nurse|contact(?: person)?|defendant|plaintiff|claimant|applicant|witness|sender|recipient",
        "entity",
    ),
)
_TAIL = r"(?: (?:id|no|nr|num|number|#|code))?(?: \d{1,2})?"
_TAILED = frozenset(("SSN", "RECORD", "PASSPORT", "LICENSE", "ACCOUNT", "CARD", "PHONE", "FAX", "IBAN", "PLATE", "ZIP"))
_NOTHING = re.compile(r"\W*|n\W?a\.?|nil|none|null|unknown|not (?:known|applicable|given)|yes|no|other|tbd", re.I)
_MOST_WORDS = {"PERSON": 6, "LOC": 6, "ORG": 10, "ADDRESS": 16, "DEM": 2}
# Names are rarely written small, but values of settings are: "name": "left-pad".
_SMALL = re.compile(r"[a-z\d_.:/@-]+")
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s_\-./:#]+")


class Columns:
    """Finds cells whose column says what they are.

    >>> cell = Part(0, 10, "cell", column="Patient name")
    >>> [(m.label, m.text) for m in Columns().annotate(Document("Mary Jones", parts=(cell,))).mentions]
    [('PERSON', 'Mary Jones')]
    """

    name = "columns"

    def annotate(self, document: Document) -> Annotation:
        """Return one mention for each cell that its column explains, in tables and records in running text too."""
        told = [m for part in document.parts for m in _cell(document.text, part)]
        written = [m for part in fields(document, meaning_of) for m in _cell(document.text, part)]
        named = [m for m in written if m.label != "PERSON" or not _SMALL.fullmatch(m.text)]
        return Annotation(tuple(sorted((*told, *named), key=lambda m: m.start)))


def _cell(text: str, part: Part) -> Iterator[Mention]:
    meaning = meaning_of(part.column) if part.kind == "cell" and part.column else None
    if meaning is None:
        return
    label, kind = meaning
    content = text[part.start : part.end]
    words = content.strip()
    if _NOTHING.fullmatch(words) or len(words.split()) > _MOST_WORDS.get(label, 8) or len(words) > 200:
        return
    if kind == "entity" and not any(map(str.isalpha, words)):
        return
    start = part.start + len(content) - len(content.lstrip())
    role: Literal["direct", "none", ""] = "direct" if label == "PERSON" else "none" if label == "DEM" else ""
    yield Mention(start, start + len(words), words, label, kind, "columns", role=role)


@cache
def meaning_of(head: str) -> tuple[str, Kind] | None:
    """Return label and kind of what stands under the head of a column; None if the head does not tell.

    >>> meaning_of("First name"), meaning_of("dateOfBirth"), meaning_of("MRN"), meaning_of("Remarks")
    (('PERSON', 'entity'), ('DATETIME', 'identifier'), ('RECORD', 'identifier'), None)
    """
    words = " ".join(_SPLIT.sub(" ", head).lower().split()).strip(" :*()")
    for label, pattern, kind in _HEADS:
        tail = _TAIL if label in _TAILED else r"(?: \d{1,2})?"
        if re.fullmatch(f"(?:{pattern}){tail}", words):
            return label, kind
    return None
