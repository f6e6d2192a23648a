"""Score what the product masks: all annotators joined, then the `entity` risk model under the shipped policies.

    python -m benchmarks.quality.detection.product --data DATA --peers peers.json
        --heldout benchmarks/quality/detection/heldout.json

Court cases run under the policy `court`, clinical queries under `identifiers`, biographies and actor summaries under
`person` (its entity part). On sets the encoder was trained on, its part is the spans of a model that was not trained
on these documents (`heldout.json`); biographies, on which nothing was trained, are read with the shipped model.
Entities count only if all their mentions are covered. Nothing is propagated here but by the product itself; for the
peers this folder's simple propagation is used on biographies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from benchmarks.quality.detection import run, scoring
from benchmarks.quality.detection.texts import typed_texts
from tacenda import policy as policies
from tacenda.annotate import combine
from tacenda.annotate.encoder import Encoder
from tacenda.annotate.patterns import Patterns
from tacenda.knowledge import open_taxonomy
from tacenda.model import Annotation, Context, Document, Mention
from tacenda.risk.entity import Entity
from train import corpora

POLICY = {"tab": "court", "asq": "identifiers", "actors": "person", "bios": "person"}
Spans = list[tuple[int, int, str]]


load = cache(policies.load)


@cache
def model(name: str) -> Entity:
    """The entity model of a shipped policy."""
    return Entity(**load(name).risk["entity"])


class Product:
    """Annotates with the encoder (or with spans found before) and patterns, and masks as a policy says."""

    def __init__(self) -> None:
        self.encoder, self.patterns = Encoder(), Patterns()
        self.diseases = open_taxonomy("diseases")

    def spans(self, name: str, text: str, held: list | None = None) -> Spans:
        """Return what is masked in a text; `held` are entities found by another model."""
        document = Document(text)
        found = self.encoder.annotate(document) if held is None else _annotation(text, held)
        parts = [found, self.patterns.annotate(document)]
        policy = POLICY[name.partition(":")[0]]
        mentions = combine(
            document,
            parts,
            confidence=load(policy).confidence,
            is_disease=lambda phrase: bool(self.diseases.senses(phrase)),
        ).mentions
        risks = model(policy).assess(mentions, Context(document))
        return [(mentions[n].start, mentions[n].end, mentions[n].label) for risk in risks for n in risk.mentions]


def _annotation(text: str, held: list) -> Annotation:
    return Annotation(
        tuple(Mention(a, b, text[a:b], label, "entity", "encoder", role=role) for a, b, label, role in held)
    )


def everything(data: Path, heldout: dict, product: Product) -> run.Found:
    """What is masked in every document, by encoders that were not trained on it."""
    found: run.Found = {}
    for name, text in typed_texts(data).items():
        kind = name.partition(":")[0]
        if kind == "bios" or (kind in POLICY and name in heldout):
            found[name] = product.spans(name, text, None if kind == "bios" else heldout[name]["entities"])
    return found


def biographies(data: Path, found: run.Found, part: slice, *, propagate: bool) -> dict[str, float]:
    """Score some of the biographies, with this folder's propagation or without."""
    texts = {f"bios:{r['doc_id']}": r["text"] for r in corpora.lines(data / "wiki_replace100/wiki_dev30.jsonl")}
    names = list(texts)[part]
    if propagate:
        found = {name: scoring.propagate(texts[name], found[name]) for name in names}
    return run.biographies(data, found, keep=set(names))


def in_case(data: Path, product: Product, write: Callable[[str], str]) -> dict[str, float]:
    """Score the biographies written wholly in lower case or capitals (where that keeps their length)."""
    texts = {n: t for n, t in typed_texts(data).items() if n.startswith("bios:")}
    written = {n: write(t) if len(write(t)) == len(t) else t for n, t in texts.items()}
    return run.biographies(data, {n: product.spans(n, t) for n, t in written.items()}, keep=set(texts))


def health_pages(data: Path, product: Product, count: int = 600) -> dict[str, float]:
    """Share of first sentences of health pages, which name no patient, in which anything is masked.

    The encoder read these pages in training, without labels, and they suggested the rule for names of diseases.
    """
    pages = list(corpora.lines(data / "k_medquad/medquad.jsonl.gz"))
    first = [re.split(r"(?<=[.?])\s", page["text"])[0] for page in pages[:: len(pages) // count]]
    alarms = sum(bool(product.spans("asq:", sentence)) for sentence in first)
    return {"sentences": len(first), "false_alarms": scoring.ratio(alarms, len(first))}


def main() -> None:
    """Score the product beside spaCy and Presidio."""
    args, heldout, peers = run.given(__doc__, "product.json")
    product = Product()
    found = everything(args.data, heldout, product)
    others, _ = run.systems(args.data, heldout, peers, None)
    held = set(heldout)
    results: dict[str, dict] = {}
    for name, score in (("court_cases", run.court), ("actor_summaries", run.actors), ("clinical_queries", run.queries)):
        results[name] = {
            "product": score(args.data, found, held),
            **{s: score(args.data, f, held) for s, f in others.items() if s != "encoder"},
        }
    results["biographies"] = {
        "product": biographies(args.data, found, slice(None), propagate=False),
        "product, last 15": biographies(args.data, found, slice(15, None), propagate=False),
    }
    results["biographies"]["product, in lower case"] = in_case(args.data, product, str.lower)
    results["biographies"]["product, in capitals"] = in_case(args.data, product, str.upper)
    for s in ("spacy", "presidio"):
        results["biographies"][s] = biographies(args.data, others[s], slice(None), propagate=True)
        results["biographies"][f"{s}, last 15"] = biographies(args.data, others[s], slice(15, None), propagate=True)
    results["health_pages"] = {"product": health_pages(args.data, product)}
    args.out.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
