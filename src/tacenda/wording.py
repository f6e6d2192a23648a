"""The one module that puts reasons and notes into words. Risks and plans hold numbers and places only; what is quoted
comes from the document at hand, so an explanation is for those who may read the original.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2

from tacenda.language import LABEL_WORDS
from tacenda.model import Decision, Document, Explanation, Note, Plan, Risk, Span
from tacenda.term import content_words

_WHY = {
    "known": "is a known identifier of the subject",
    "protected": "is a form of what the policy protects",
    "leak": "would have brought back what the policy protects",
    "rounds": "still disclosed too much after all rounds, so it was suppressed",
    "allowed": "is on the allow-list, so it was kept although it is risky",
    "reviewer": "was decided by a reviewer",
    "group": "was kept: what discloses something together with it was changed",
}


# What the annotator's labels without a word of their own are called.
_KINDS = {"DEM": "description of a person", "MISC": "name", "TERM": "term", "WORD": "word"}


def explanations(plan: Plan, document: Document) -> tuple[Explanation, ...]:
    """Explain every decision, once for all that were taken alike."""
    spans = [d.span for d in plan.decisions]
    alike: dict[int, list[int]] = {}
    for number, decision in enumerate(plan.decisions):
        alike.setdefault(decision.group if decision.group != -1 else -2 - number, []).append(number)
    found = []
    for numbers in alike.values():
        d = plan.decisions[numbers[0]]
        was = _text(document, d.span)
        becomes = d.replacement if d.changes else "(kept)"
        found.append(Explanation(numbers[0], was, becomes, _why(plan, d, document, spans), len(numbers)))
    return tuple(found)


def why_decided(plan: Plan, number: int, document: Document) -> str:
    """Say why one decision was taken, quoting the document."""
    return _why(plan, plan.decisions[number], document, [d.span for d in plan.decisions])


def _why(plan: Plan, d: Decision, document: Document, spans: Sequence[Span]) -> str:
    quoted = f"*{_text(document, d.span)}*"
    risks = [plan.risks[r] for r in d.risks]
    told = [r for r in risks if r.unit not in ("match", "type")]
    typed = any(r.unit == "type" for r in risks)
    if typed:
        # What kind of thing it is says enough; that the index does not know a name is no news.
        told = [r for r in told if r.reason.kind != "unknown"]
    told.sort(key=lambda r: r.reason.kind == "unknown")
    words = [explain(risk, document, spans) for risk in told]
    if typed:
        words.insert(0, f"{quoted}: {_kind(d.label)}, which the policy hides.")
    elif d.why in _WHY and not (d.why == "protected" and words):
        words.insert(0, f"{quoted} {_WHY[d.why]}.")
    return " ".join(dict.fromkeys(filter(None, words[:2])))


def is_inferred(plan: Plan, number: int) -> bool:
    """Tell whether a decision rests on what can be inferred, not only on what kind of name or number it is."""
    risks = [plan.risks[r] for r in plan.decisions[number].risks]
    return any(r.unit not in ("match", "type") and r.reason.kind != "unknown" for r in risks)


def explain(risk: Risk, document: Document, spans: Sequence[Span]) -> str:
    """Say why the mentions of a risk are hidden, quoting the document.

    spans   where each mention of the risk stands, by the numbers in `risk.mentions`
    """
    if not risk.mentions:
        return ""
    if risk.members:
        return _group(risk, document, spans)
    if risk.reason.kind == "meaning":
        return _reading(risk, document, spans)
    what = _quote(document, spans[risk.mentions[0]], risk)
    said = _OF_KIND.get(risk.reason.kind)
    if said:
        return f"{what} is hidden because {said(risk)}."
    if risk.unit == "people":
        return _fitting(risk, what)
    if risk.unit == "rank":
        return (
            f"{what} is hidden because an attacker with the given background would rank the right person"
            f" number {risk.score:.0f} of {risk.counts['people']}; the person must not be among the first"
            f" {risk.limit:.0f}."
        )
    if risk.unit == "type":
        return f"{what} is hidden because names of its kind are."
    if "joint" in risk.counts:
        return f"{what} is hidden because it reveals {_told(risk)}: {_seen(risk, 'it')}."
    return (
        f"{what} is hidden because it carries {risk.score:.1f} {risk.unit}; at most {risk.limit:.1f} may be disclosed."
    )


_OF_KIND: dict[str, Callable[[Risk], str]] = {
    "name": lambda risk: f"it names {_entity(risk)}",
    "use": lambda risk: f"it is mainly used for {_entity(risk)}",
    "unknown": lambda _: "the index knows too little about it, so its risk cannot be assessed",
    "direct": lambda _: "it identifies the person directly",
    "relation": lambda _: "it is the office of a relative, who can be looked up",
    "first": lambda _: "it is among the most informative terms in the document",
    "unasked": lambda _: "it must not be sent to a search service",
}


def _reading(risk: Risk, document: Document, spans: Sequence[Span]) -> str:
    """Name the words that carry what a sentence tells: "*sober*, *sponsor*: the sentence reads as ..."."""
    carriers = [f"*{_text(document, spans[number])}*" for number in risk.mentions]
    numbers = risk.reason.numbers
    without = "it" if len(carriers) == 1 else "them"
    return (
        f"{', '.join(dict.fromkeys(carriers))}: the sentence reads as {_entity(risk)}"
        f" ({_share(numbers['before'])} → {_share(numbers['after'])} without {without})."
    )


def _fitting(risk: Risk, what: str) -> str:
    """Say how many people a fact fits: of those most like the subject, or by an estimate of all."""
    people = f"{risk.counts['people']:,} people"
    if risk.reason.kind == "estimate":
        fits = f"by an estimate it fits {_people(risk.score)} of the {people} the index knows"
        return f"{what} is hidden because it is rare: {fits}."
    if risk.reason.kind == "rare":
        fits = f"it fits {risk.counts['fit']} of the {people} the index knows; at least {risk.limit:.0f} must fit"
        return f"{what} is hidden because it is rare: {fits}."
    if risk.counts["fit"] >= risk.limit:
        return f"{what} is hidden because it is the name of one thing, such as the title of a work."
    return (
        f"{what} is hidden because it fits only {risk.counts['fit']} of the {people} in the index most like the"
        f" subject; at least {risk.limit:.0f} must fit."
    )


def votes(risk: Risk) -> str:
    """Say what each model that had a vote said: "entity yes (1 type), similarity no"."""
    said = [
        f"{v.model} no" if v.score is None else f"{v.model} yes ({v.score:.3g} {v.unit})" for v in risk.reason.votes
    ]
    return ", ".join(said)


def _group(risk: Risk, document: Document, spans: Sequence[Span]) -> str:
    """Say which terms tell something together, and how much each adds."""
    names = [f"*{_text(document, spans[member[0]])}*" for member in risk.members]
    if "joint" not in risk.counts:
        return f"{_list(names)} together reveal {_entity(risk)} ({risk.score:.2f} {risk.unit})."
    text = f"{_list(names)} together reveal {_told(risk)}: {_seen(risk, 'all of them')}."
    added = []
    for position, name in enumerate(names):
        joint = risk.counts.get(f"joint_without_{position}")
        count = risk.counts.get(f"count_without_{position}")
        if joint is None or not count:
            continue
        without = _bits(joint, count, risk)
        added.append(f"{name} adds {risk.score - without:.1f}" if joint else f"without {name} nothing is revealed")
    return f"{text} {'; '.join(added)} bits." if added else text


def _quote(document: Document, span: Span, risk: Risk) -> str:
    """Quote a mention, or the part of it that is meant."""
    text = _text(document, span)
    if risk.reason.kind == "words":
        first, last = int(risk.reason.numbers["first"]), int(risk.reason.numbers["last"])
        return f"*{text}* ({' '.join(content_words(text)[first - 1 : last])})"
    return f"*{text}*" + (", taken as a concept," if risk.reason.kind == "concept" else "")


def _kind(label: str) -> str:
    return _KINDS.get(label) or LABEL_WORDS.get(label, label.lower().replace("_", " "))


def _text(document: Document, span: Span) -> str:
    return " ".join(document.text[span[0] : span[1]].split())


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
    return "fewer than one" if number < 1 else f"about {number:,.0f}"


def _share(value: float) -> str:
    return f"{value:.2f}".lstrip("0") if value < 0.995 else "1"


def _list(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def note_in_words(note: Note) -> str:
    """Say a note in a sentence; a kind that is not known here is named with its numbers.

    >>> note_in_words(Note("loss", {"bits": 37.3, "bound": 37.3, "gap": 0.0}))
    'information lost: 37.3 bits (provably minimal)'
    """
    said = _NOTES.get(note.kind)
    if said:
        return said(note)
    numbers = ", ".join(f"{key} {value:g}" for key, value in note.numbers.items())
    return ": ".join(filter(None, (note.kind, note.about, numbers)))


def _subject(note: Note) -> str:
    at = note.numbers
    named = "subject" if at["given"] else "subject (proposed; name another if this is wrong)"
    stay = f"; {_count(at['others'], 'mention')} of other people are kept" if at["given"] else ""
    return (
        f"{named}: the person named at characters {at['start']:.0f}-{at['end']:.0f}"
        f" ({_count(at['mentions'], 'mention')}){stay}"
    )


def _famous(note: Note) -> str:
    at = note.numbers
    places = [f"{at[f'start_{n}']:.0f}-{at[f'end_{n}']:.0f}" for n in range(len(at)) if f"start_{n}" in at]
    weigh = f"; the most telling details are at characters {', '.join(places)}" if places else ""
    return (
        "the index has an article about someone with the subject's name: no text of useful length can hide a"
        f" well-known person from a reader who knows the field{weigh}"
    )


def _loss(note: Note) -> str:
    bits, bound, gap = (note.numbers[key] for key in ("bits", "bound", "gap"))
    if bits - bound < 0.05:
        return f"information lost: {bits:.1f} bits (provably minimal)"
    proof = "provably the cheapest set of terms" if gap == 0 else f"within {gap:.1%} of the cheapest set of terms"
    return f"information lost: {bits:.1f} bits (at least {bound:.1f} in any case; {proof})"


def _count(number: float, noun: str) -> str:
    return f"{number:.0f} {noun}" + ("" if number == 1 else "s")


_NOTES: dict[str, Callable[[Note], str]] = {
    "subject": _subject,
    "loss": _loss,
    "rounds": lambda n: (
        f"{_count(n.numbers['count'], 'mention')} suppressed because risks remained after"
        f" {_count(n.numbers['rounds'], 'round')}"
    ),
    "allowed": lambda n: f"the allow-list kept {_count(n.numbers['count'], 'mention')} that a risk model flagged",
    "reviewed": lambda n: (
        f"{n.about} kept {_count(n.numbers['count'], 'mention')} that a risk model flagged"
        f" (group of decision {n.numbers['decision']:.0f})"
    ),
    "remaining": lambda n: f"{_count(n.numbers['count'], 'risk')} above the limit left, as decided by {n.about}",
    "no_entity": lambda n: f"the index does not know '{n.about}': its names are hidden, but no guarantee holds for it",
    "incomplete": lambda n: f"the search for groups that reveal '{n.about}' was stopped early: not all were assessed",
    "weak": lambda n: (
        f"{_count(n.numbers['count'], 'group')} above the limit for '{n.about}' by count, but on too little evidence"
        " (weak)"
    ),
    "unjudged": lambda n: (
        f"{_count(n.numbers['count'], 'kept mention')} with a word the index cannot judge: the risk cannot be assessed"
    ),
    "unread": lambda n: f"could not be read: {n.about}",
    "dropped": lambda n: f"left out of the output: {n.about}",
    "famous": _famous,
    "plausible": lambda n: (
        f"{n.numbers['originals']:.0f} plausible originals (at least {n.numbers['wanted']:.0f} were asked for)"
    ),
}
