"""A reviewer's choice: fitted to its places, assessed again, and refused where it would bring back what must go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tacenda.assembly import Assembly
from tacenda.errors import PlanError
from tacenda.model import Action, Candidate, Context, Document, Mention, Note, Plan, Risk
from tacenda.plan import mentions as finding
from tacenda.plan import rewrite
from tacenda.plan.applying import check
from tacenda.plan.rewrite import splice


def override(
    parts: Assembly,
    document: Document,
    plan: Plan,
    number: int,
    *,
    action: Action,
    replacement: str = "",
    by: str = "reviewer",
) -> Plan:
    """Return a plan in which a reviewer's choice replaces decision `number` and all of its group.

    The replacement is fitted to each place, the rewritten text is assessed again, and risks that remain by this
    choice are noted. A known identifier or protected form is refused.
    """
    check(parts, document, plan)
    changed = plan.override(number, action=action, replacement=replacement, by=by)
    group = plan.group_of(number)
    if action != "keep":
        changed = _fitted(document, changed, group)
    text = splice(document.text, changed.edits)[0]
    found = finding.leaks(parts, text, document)
    if found:
        labels = ", ".join(sorted({m.label for m in found}))
        raise PlanError(
            f"decision {number}: with this choice the output would contain a known or protected form ({labels})."
            " Choose other words"
        )
    left = remaining(parts, document, changed)
    named = [r for r in left if set(group) & set(r.mentions)]
    notes = tuple(n for n in changed.notes if not (n.kind == "remaining" and n.numbers.get("decision") == number))
    if named:
        notes += (Note("remaining", {"count": len(named), "decision": number}, by),)
    return replace(changed, notes=notes)


def _fitted(document: Document, plan: Plan, group: Sequence[int]) -> Plan:
    decisions = list(plan.decisions)
    for i in group:
        d = decisions[i]
        mention = Mention(d.start, d.end, document.text[d.start : d.end], d.label, d.kind)
        # Own words are taken as they are, but the article before them is made to agree.
        fit = rewrite.fit_mention(document, mention, Candidate(d.replacement, d.action))
        decisions[i] = replace(d, replacement=fit.text, fixes=fit.fixes)
    return replace(plan, decisions=tuple(decisions))


def remaining(parts: Assembly, document: Document, plan: Plan) -> list[Risk]:
    """Return the risks left in the text as a plan rewrites it, with mentions numbered as its decisions."""
    from tacenda.annotate.subject import find_subject

    annotation = finding.find_mentions(parts, document)
    context = Context(
        document,
        annotation.sentences,
        rewrite.lines(document.text),
        parts.protected,
        annotation.mentions,
        find_subject(document, annotation),
    )
    at = {d.span: i for i, d in enumerate(plan.decisions)}
    current = [_as_written(m, plan, at.get(m.span, -1)) for m in annotation.mentions]
    place = {n: at[m.span] for n, m in enumerate(annotation.mentions) if m.span in at}
    risks = finding.assess(parts, current, context)
    return [replace(r, mentions=tuple(place[n] for n in r.mentions if n in place)) for r in risks]


def _as_written(mention: Mention, plan: Plan, number: int) -> Mention:
    if number < 0 or not plan.decisions[number].changes:
        return mention
    d = plan.decisions[number]
    return replace(mention, text="" if d.action == "suppress" else d.replacement, kind="term", vector=None)
