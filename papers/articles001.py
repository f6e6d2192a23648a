"""The six articles of paper 001 end to end: text in, plan out, as a user would have it.

The product finds the phrases, asks the index about words, phrases and groups, chooses replacements and assesses the
result again. Redaction removes; sanitization generalizes first. A phrase counts as detected if every place where it
stands was changed, whole or in part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from papers.marks import Marks, Span, marks_of, places
from tacenda.measures.gold import Mask
from tacenda.measures.utility import text_utility
from tacenda.model import Annotation, Document, Plan
from tacenda.policy import Policy
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.formulas import f_measure, precision, recall
from tacenda.sanitizer import Sanitizer

Row = dict[str, float]
ALPHAS = ("1", "3/2", "2", "4")
WAYS = {"redaction": '"suppress"', "sanitization": '"generalize", "suppress"'}
POLICY = """
name = "papers"
replace = [{order}]
choose = "hitting_set"
[[protect]]
entity = "{entity}"
synonyms = [{forms}]
alpha = {alpha}
[risk.alpha_c]
"""


class Remembered:
    """An annotator that annotates each text once: only the policy differs between runs."""

    name = "encoder"

    def __init__(self, annotator: Any) -> None:
        self._annotator = annotator
        self._held: dict[str, Annotation] = {}

    def annotate(self, document: Document) -> Annotation:
        """Return the annotation of a text, made when it was first asked for."""
        if document.text not in self._held:
            self._held[document.text] = self._annotator.annotate(document)
        return self._held[document.text]


def measure(
    texts: Mapping[str, str],
    entities: Mapping[str, Sequence[str]],
    index: Any,
    taxonomy: Any,
    annotators: Sequence[Any],
) -> dict[str, Any]:
    """Return all rows: groups or none -> α -> entity (and the mean)."""
    result: dict[str, Any] = {}
    for groups in (False, True):
        # One model for all runs: what it has looked up about an entity and counted need not be asked again.
        model = AlphaC(index=index, taxonomy=taxonomy, groups=groups)
        for alpha in ALPHAS:
            rows = {
                name: one(text, name, entities[name], alpha, model, index, taxonomy, annotators)
                for name, text in texts.items()
            }
            keys = next(iter(rows.values()))
            mean = {key: round(sum(row[key] for row in rows.values()) / len(rows), 3) for key in keys}
            result.setdefault("with groups" if groups else "single terms", {})[alpha] = {**rows, "mean": mean}
    return result


def one(
    text: str, name: str, forms: Sequence[str], alpha: str, model: AlphaC, index: Any, taxonomy: Any, annotators: Any
) -> Row:
    """Return the row of one article: detection against both labelers, and information kept both ways."""
    row: Row = {}
    for way, order in WAYS.items():
        made = POLICY.format(
            order=order,
            entity=name,
            forms=", ".join(f'"{form}"' for form in forms),
            alpha={"3/2": "1.5"}.get(alpha, alpha),
        )
        policy = replace(Policy.from_text(made), annotate=())
        given = {"index": index, "taxonomy": taxonomy, "annotators": annotators, "risk": [model]}
        plan = Sanitizer(policy, **given).plan(Document(text, name))
        if way == "redaction":
            row |= detected([d.span for d in plan.changes], text, marks_of(name))
            phrases = [m.span for m in annotators[0].annotate(Document(text, name)).mentions]
        row[way] = text_utility(text, _masks(plan), index.information, phrases=phrases).kept
    return {key: round(value, 3) for key, value in row.items()}


def _masks(plan: Plan) -> list[Mask]:
    return [Mask(d.start, d.end, d.label, "" if d.action == "suppress" else d.replacement) for d in plan.changes]


def detected(spans: Sequence[Span], text: str, marks: Marks) -> Row:
    """Precision, recall and F over the phrases of an article, the mean of the two labelers and each alone."""
    where = places(text, marks.terms)
    found = {t for t, held in where.items() if all(any(s < e and b < t_ for s, t_ in spans) for b, e in held)}
    row: Row = {}
    for name, chosen in (("first", marks.first), ("second", marks.second)):
        p, r = precision(found, set(where) & chosen), recall(found, set(where) & chosen)
        row |= {f"precision, {name}": p, f"recall, {name}": r, f"F, {name}": f_measure(p, r)}
    mean = {key: (row[f"{key}, first"] + row[f"{key}, second"]) / 2 for key in ("precision", "recall", "F")}
    return {**mean, **row}
