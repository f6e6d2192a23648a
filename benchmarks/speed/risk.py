"""Speed of the group search: 200 distinct terms against 10 protected entities.

    python -m benchmarks.speed.risk --data DIR [--index FILE]

Bar: under 10 s on one core, with the embedded index. First a whole assessment of words of clinical notes, then the
search alone for words of four articles.
"""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from fractions import Fraction
from itertools import islice
from pathlib import Path

from benchmarks.speed.figures import Figures, options
from tacenda.knowledge.index import Index, open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Context, Document, Mention, Protected
from tacenda.risk.alpha_c import AlphaC
from tacenda.risk.counts import Counts
from tacenda.risk.groups import TermSets, minimal_groups
from tacenda.risk.rules import Rule
from tacenda.term import content_words

ENTITIES = (
    "HIV", "sexually transmitted disease", "substance abuse", "depression", "diabetes", "cancer", "hepatitis",
    "tuberculosis", "pregnancy", "epilepsy",
)  # fmt: skip


def assessment(data: Path, index: Index, figures: Figures) -> None:
    """Time one assessment, and the same again."""
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
        cpu = time.process_time()
        model.survey(mentions, context)
        spent = time.process_time() - cpu
        figures.add(f"assessment, {round_}", f"{len(terms)} terms, {len(ENTITIES)} entities", spent, "s")


def search(data: Path, index: Index, figures: Figures) -> None:
    """Time the search for all entities, windows at hand."""
    counts = Counts(index, "bench")
    secrets = [counts.union([entity]) for entity in ENTITIES]
    rules = [Rule(len(one), index.total, alpha=Fraction(2)) for one in secrets]
    with gzip.open(data / "paper_articles" / "paper_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        articles = [json.loads(line) for line in lines]
    for article in [one for one in articles if len(one["text"]) > 20_000][:4]:
        frequent = (word for word, _ in Counter(content_words(article["text"])).most_common())
        windows = list(islice(filter(len, map(counts.windows, frequent)), 200))
        cpu = time.process_time()
        sets = TermSets(windows, counts.articles)
        for secret, rule in zip(secrets, rules, strict=True):
            minimal_groups(sets, secret, rule)
        spent = time.process_time() - cpu
        figures.add(f"group search, {article['name']}", f"{len(windows)} terms, {len(ENTITIES)} entities", spent, "s")


def main() -> None:
    """Run both."""
    given, figures = options(__doc__, index={"type": Path}), Figures()
    index = open_index(given.index)
    assessment(given.data, index, figures)
    search(given.data, index, figures)
    figures.write(given.json)


if __name__ == "__main__":
    main()
