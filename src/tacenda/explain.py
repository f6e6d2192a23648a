"""Explanations in words. A risk holds numbers and places only; the words come from the document at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2

from tacenda.model import Document, Risk, Span
from tacenda.term import content_words

_PART = re.compile(r"words (\d+)-(\d+)")


def explain(risk: Risk, document: Document, spans: Sequence[Span]) -> str:
    """Say why the mentions of a risk are hidden, quoting the document.

    spans   where each mention of the risk stands, by the numbers in `risk.mentions`

    The result quotes the document: it is for those who may read the original.
    """
    if not risk.mentions:
        return ""
    if risk.members:
        return _group(risk, document, spans)
    what = _quote(document, spans[risk.mentions[0]], risk.note)
    if risk.note == "names the entity":
        return f"{what} is hidden because it names {_entity(risk)}."
    if risk.note.startswith("unknown"):
        return f"{what} is hidden because the index does not know it, or too little of it: nothing vouches for it."
    if risk.note == "identifies directly":
        return f"{what} is hidden because it identifies the person directly."
    if risk.unit == "people":
        return (
            f"{what} is hidden because, with what is kept, it would fit about {_people(risk.score)} of a population, "
            f"and at least {risk.limit:.0f} people must fit."
        )
    if risk.unit == "rank":
        return (
            f"{what} is hidden because an attacker with the background given would name the right person as number "
            f"{risk.score:.0f} of {risk.counts['people']}, and it must come after the first {risk.limit:.0f}."
        )
    if risk.unit == "type":
        return f"{what} is hidden because of what kind of name it is."
    if "joint" in risk.counts:
        return f"{what} is hidden because it tells {_told(risk)}: {_seen(risk, 'it')}."
    return f"{what} is hidden because it carries {risk.score:.1f} {risk.unit}, and {risk.limit:.1f} are allowed."


def _group(risk: Risk, document: Document, spans: Sequence[Span]) -> str:
    """Say which terms tell something together, and how much each adds."""
    names = [_quote(document, spans[member[0]], "") for member in risk.members]
    text = f"{_list(names)} together tell {_told(risk)}: {_seen(risk, 'all of them')}."
    added = []
    for position, name in enumerate(names):
        joint = risk.counts.get(f"joint_without_{position}")
        count = risk.counts.get(f"count_without_{position}")
        if joint is None or not count:
            continue
        without = _bits(joint, count, risk)
        added.append(f"{name} adds {risk.score - without:.1f}" if joint else f"without {name} nothing is told")
    return f"{text} {'; '.join(added)} bits." if added else text


def _quote(document: Document, span: Span, note: str) -> str:
    """Quote a mention, or the part of it that is meant."""
    text = document.text[span[0] : span[1]]
    part = _PART.fullmatch(note)
    if part:
        first, last = int(part[1]), int(part[2])
        return f"*{text}* ({' '.join(content_words(text)[first - 1 : last])})"
    return f"*{text}*" + (", taken as a concept," if note == "as a concept" else "")


def _entity(risk: Risk) -> str:
    return f"*{risk.discloses}*"


def _bits(joint: int, count: int, risk: Risk) -> float:
    if not joint:
        return 0.0
    return log2(joint * risk.counts["total"] / (risk.counts["entity"] * count))


def _told(risk: Risk) -> str:
    whole = log2(risk.counts["total"] / risk.counts["entity"])
    return f"{risk.score:.1f} of the {whole:.1f} bits of {_entity(risk)}"


def _seen(risk: Risk, what: str) -> str:
    joint, count = risk.counts["joint"], risk.counts["count"]
    return f"of the {count} paragraphs that mention {what}, {joint} mention {risk.discloses}"


def _people(number: float) -> str:
    return "one person" if number < 1.5 else f"{number:,.0f} people"


def _list(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
