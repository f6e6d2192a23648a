"""Information kept when all members of risky groups go, and when the least loss is chosen, at the same guarantee.

    python benchmarks/quality/risk/loss.py DATA INDEX ENCODER [NOTES]

alpha = 2; articles of paper 001 (first 3,000 characters) and clinical notes; what the policy `health` protects.
Changes are suppressions, so every risky group of the original is broken by both, and nothing new can arise.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import MEDICAL, annotate, articles, health, notes, write

from tacenda.annotate.encoder import Encoder
from tacenda.choose.cover import cover
from tacenda.choose.items import Items
from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Candidate
from tacenda.risk.alpha_c import AlphaC

SUPPRESS = Candidate("[...]", "suppress")


def kept(model, index, mentions, context):
    """Return the shares of information kept: all members, least loss; and the gap of the least loss."""
    started = time.perf_counter()
    survey = model.survey(mentions, context)
    seconds = time.perf_counter() - started
    items = Items(mentions, [(SUPPRESS,)] * len(mentions), index)
    loss = [items.cheapest_loss(item) for item in range(len(items.members))]
    whole = sum(bits * len(members) for bits, members in zip(items.bits, items.members, strict=True))
    every = {items.of[number] for risk in survey.risks for number in risk.mentions}
    numbers: dict[frozenset[int], int] = {}
    groups = [[numbers.setdefault(part, len(numbers)) for part in items.parts(risk)] for risk in survey.risks]
    least = cover(groups, [sorted(part) for part in numbers], loss) if groups else None
    return {
        "terms": len(items.members),
        "groups": sum(1 for risk in survey.risks if risk.members),
        "complete": not survey.incomplete,
        "all_members": 1 - sum(loss[item] for item in every) / whole,
        "least_loss": 1 - (least.cost if least else 0.0) / whole,
        "gap": least.gap if least else 0.0,
        "seconds": seconds,
    }


def main() -> None:
    """Evaluate both modes on both sets."""
    data, index, encoder = Path(sys.argv[1]), open_index(sys.argv[2]), Encoder(sys.argv[3])
    most = int(sys.argv[4]) if len(sys.argv) > 4 else 87
    taxonomy, protected = open_taxonomy(), health()
    sets = {
        "paper_articles": (list(articles(data, 3000)), ()),
        "aci_bench": (list(islice(notes(data), most)), ()),
        "aci_bench, known to be medical": (list(islice(notes(data), most)), MEDICAL),
    }
    result: dict[str, object] = {"alpha": 2, "protects": [p.entity for p in protected]}
    for mode in ("evidence", "paper"):
        for title, (documents, known) in sets.items():
            model = AlphaC(index=index, taxonomy=taxonomy, mode=mode, unknown="keep", known_context=known, most=200_000)
            rows = []
            for name, text in documents:
                rows.append(kept(model, index, *annotate(encoder, name, text, protected)))
                print(mode, title, name, {k: round(v, 3) for k, v in rows[-1].items()}, flush=True)
            mean = {key: round(sum(row[key] for row in rows) / len(rows), 4) for key in rows[0]}
            result[f"{mode}, {title}"] = {"documents": len(rows), **mean}
    write("loss", result)


main()
