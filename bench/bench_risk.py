"""Speed of the group search: 200 distinct terms against 10 protected entities.

    python bench/bench_risk.py DATA INDEX

Bar: under 10 s on one core, with the embedded index. The terms are words of clinical notes and articles.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk.alpha_c import AlphaC
from tacenda.term import content_words

ENTITIES = (
    "HIV", "sexually transmitted disease", "substance abuse", "depression", "diabetes", "cancer", "hepatitis",
    "tuberculosis", "pregnancy", "epilepsy",
)  # fmt: skip


def main() -> None:
    """Time one assessment."""
    data, index = Path(sys.argv[1]), open_index(sys.argv[2] if len(sys.argv) > 2 else None)
    lines = (data / "aci_bench" / "train_notes.jsonl").read_text("utf-8").splitlines()
    words = dict.fromkeys(word for line in lines[:4] for word in content_words(json.loads(line)["note"]))
    terms = [word for word in words if len(index.find(word).windows) >= 5][:200]
    text = " ".join(terms)
    mentions, at = [], 0
    for term in terms:
        mentions.append(Mention(at, at + len(term), term, "TERM"))
        at += len(term) + 1
    model = AlphaC(index=index, taxonomy=open_taxonomy(), unknown="keep")
    context = Context(Document(text), protected=tuple(Protected(entity) for entity in ENTITIES))
    for round_ in ("first", "again"):
        wall, cpu = time.perf_counter(), time.process_time()
        survey = model.survey(mentions, context)
        print(
            f"{round_}: {len(terms)} terms, {len(ENTITIES)} entities, {len(survey.risks)} risks: "
            f"{time.perf_counter() - wall:.2f} s, {time.process_time() - cpu:.2f} s of one core"
        )


main()
