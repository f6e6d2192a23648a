"""The secret's own generalization (future work of paper 000), measured on the marked summaries.

The paper removes what ζ finds. If ζ writes a generalization instead ("AIDS" becomes "disease"), a reader has that word
beside the others, and groups of terms that told too little may tell too much with it. Counted here: how often that
happens if nobody looks, and what it costs to look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tacenda.measures.gold import Mask
from tacenda.measures.report import Section, Table
from tacenda.measures.utility import text_utility
from tacenda.model import Context, Document, Mention
from tacenda.policy import Policy
from tacenda.replace.generalization import Generalize
from tacenda.risk.correlation import ZETA, Correlation
from tacenda.risk.entity import TYPES
from tacenda.sanitizer import Sanitizer

MODES: dict[str, dict[str, Any]] = {"paper": {"mode": "paper", "support": 1}, "evidence": {}}
ORDERS = {"suppression": '"suppress"', "generalization": '"generalize", "suppress"'}
POLICY = """
name = "papers"
replace = [{order}]
[risk.correlation]
labels = ["PERSON", "LOC", "ORG"]
"""
Texts = Sequence[tuple[str, tuple[Mention, ...], Context]]


def measure(texts: Texts, index: Any, taxonomy: Any, annotator: Any) -> dict[str, Any]:
    """Both countings: what is overlooked, and what is kept once it is looked at."""
    overlooked = {mode: _overlooked(texts, index, taxonomy, settings) for mode, settings in MODES.items()}
    kept = {name: _kept(texts, index, taxonomy, annotator, order) for name, order in ORDERS.items()}
    return {"overlooked": overlooked, "kept": kept}


def _overlooked(texts: Texts, index: Any, taxonomy: Any, settings: Mapping[str, Any]) -> dict[str, int]:
    """Ψ on the removed terms, then generalizations written for what ζ took out: what is risky now?"""
    model = Correlation(index=index, taxonomy=taxonomy, labels=TYPES[3], **settings)
    ladder = Generalize(taxonomy, information=index.information)
    found = {"documents": 0, "secrets generalized": 0, "documents at risk": 0, "groups with a generalization": 0}
    for _, mentions, context in texts:
        risks = list(model.assess(mentions, context))
        first = {i for risk in risks if risk.reason == ZETA for i in risk.mentions}
        gone = {i for risk in risks for i in risk.mentions} - first
        written = {i: options[0].text for i in first if (options := list(ladder.candidates(mentions[i], context)))}
        texts_after = ["" if i in gone or i in first else m.text for i, m in enumerate(mentions)]
        for i, text in written.items():
            texts_after[i] = text
        after = [replace(m, text=text) for m, text in zip(mentions, texts_after, strict=True)]
        told = [r for r in model.assess(after, context) if r.reason != ZETA and first & set(r.mentions)]
        found["documents"] += 1
        found["secrets generalized"] += len(written)
        found["documents at risk"] += bool(told)
        found["groups with a generalization"] += len(told)
    return found


def _kept(texts: Texts, index: Any, taxonomy: Any, annotator: Any, order: str) -> dict[str, float]:
    """Information the product keeps with policy `correlation`, means of documents."""
    policy = replace(Policy.from_text(POLICY.format(order=order)), annotate=())
    sanitizer = Sanitizer(policy, index=index, taxonomy=taxonomy, annotators=[annotator])
    values, generalized = [], 0
    for name, mentions, context in texts:
        plan = sanitizer.plan(Document(context.document.text, name))
        masks = [Mask(d.start, d.end, d.label, "" if d.action == "suppress" else d.replacement) for d in plan.changes]
        phrases = [m.span for m in mentions]
        values.append(text_utility(context.document.text, masks, index.information, phrases=phrases).kept)
        generalized += sum(d.action == "generalize" for d in plan.changes)
    mean = round(sum(values) / len(values), 3)
    return {"information kept": mean, "terms generalized": generalized}


def section(found: Mapping[str, Any]) -> Section:
    """Both countings as a section of the page."""
    modes = found["overlooked"]
    names = list(next(iter(modes.values())))
    first = Table(
        ("rule", *names),
        tuple((mode, *(row[name] for name in names)) for mode, row in modes.items()),
        "If nobody looks: Ψ runs on removed terms, then what ζ took out is generalized one step",
    )
    ways = found["kept"]
    second = Table(
        ("what ζ writes", *next(iter(ways.values()))),
        tuple((way, *row.values()) for way, row in ways.items()),
        "If the product looks: generalizations are terms of the output and are assessed with the others, until nothing "
        "passes t_DR",
    )
    text = (
        "The paper removes what ζ takes out and leaves its generalization to future work: a reader of 'disease' in the "
        "place of AIDS knows more than a reader of a gap. Here a generalization counts as a concept with all its "
        "kinds, the secret among them, so that PMI(s; g) = IC(g) and PMI(s; {g} ∪ T) ≥ PMI(s; T) (both tested), and "
        "every group that holds it is asked again."
    )
    return Section("The secret's own generalization", (text,), tables=(first, second))
