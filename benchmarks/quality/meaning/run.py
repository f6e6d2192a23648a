"""What plain language discloses: how much of it the policies clear, and how much they touch that tells nothing.

    python -m benchmarks.quality.meaning.run SENTENCES.jsonl --data DATA [--weights FOLDER] [--output results.json]

A line of SENTENCES has `category`, `discloses` (1 or 0) and `text`; the category "none" stands for harmless text. Only
totals are printed, never a sentence.

cleared     a sentence that discloses its category is changed because of a risk that tells this category, and the
            product's own reader finds it below the limit afterwards
touched     a harmless sentence in which anything at all is changed
--weights   for things nobody trained: weights written by `train.meaning --leave-out`
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tacenda import Document, Policy, Sanitizer, load_policy
from tacenda.policy import protecting
from tacenda.risk.meaning.signs import category_named

HARMLESS = "none"
HEALTH = ("HIV", "sexually transmitted disease", "substance abuse")
CONVICTIONS = ("criminal convictions and offences",)
Row = dict[str, Any]


def known(name: str) -> str:
    """The category's name in the lexicon, or the name as it is."""
    found = category_named(name)
    return found.name if found else name


def policy_of(row: Row) -> str:
    """Which shipped policy a row belongs to; "" if none."""
    name = known(row["category"])
    if name in HEALTH:
        return "health"
    if name in CONVICTIONS:
        return "convictions"
    return "special-categories" if category_named(name) else ""


def judge(sanitizer: Sanitizer, row: Row) -> tuple[bool, bool]:
    """Whether anything was changed, and whether because of a risk that tells the row's category."""
    plan = sanitizer.plan(Document(row["text"]))
    told = {known(plan.risks[n].discloses) for d in plan.changes for n in d.risks}
    return bool(plan.changes), known(row["category"]) in told


def table(sanitizer: Sanitizer, rows: Sequence[Row]) -> dict[str, Any]:
    """Cleared and touched, by category and over all."""
    cleared: dict[str, list[bool]] = defaultdict(list)
    touched: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        changed, told = judge(sanitizer, row)
        (cleared if row["discloses"] else touched)[row["category"]].append(told if row["discloses"] else changed)
    return {
        "cleared": share([one for own in cleared.values() for one in own]),
        "touched": share([one for own in touched.values() for one in own]),
        "by_category": {
            name: {"cleared": share(cleared[name]), "touched": share(touched[name])}
            for name in sorted({*cleared, *touched})
        },
    }


def share(values: Sequence[bool]) -> dict[str, Any]:
    """A share with its numerator and denominator."""
    return {"share": round(sum(values) / len(values), 3) if values else None, "of": len(values), "yes": sum(values)}


def without_meaning(policy: Policy) -> Policy:
    """The same policy with counting alone."""
    return replace(policy, risk={name: s for name, s in policy.risk.items() if name != "meaning"})


def protect_anything(rows: Sequence[Row], weights: str) -> dict[str, Any]:
    """`--protect X` for each thing that no shipped policy names."""
    result: dict[str, Any] = {}
    by_name: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_name[row["category"]].append(row)
    flat: dict[bool, list[bool]] = {True: [], False: []}
    for name, own in sorted(by_name.items()):
        policy = protecting([name])
        settings = {**policy.risk["meaning"], "weights": weights} if weights else policy.risk["meaning"]
        sanitizer = Sanitizer(replace(policy, risk={**policy.risk, "meaning": settings}))
        found = [(bool(r["discloses"]), *judge(sanitizer, r)) for r in own]
        flat[True] += [told for yes, _, told in found if yes]
        flat[False] += [changed for yes, changed, _ in found if not yes]
        result[name] = {
            "cleared": share([told for yes, _, told in found if yes]),
            "touched": share([changed for yes, changed, _ in found if not yes]),
        }
    return {"cleared": share(flat[True]), "touched": share(flat[False]), "by_thing": result}


def reliability(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What a probability means: how often sentences that read so at .0 to .1, .1 to .2, ... do disclose."""
    from tacenda import knowledge
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Protected
    from tacenda.risk.meaning.reader import Reader

    encoder, embeddings = Encoder(), knowledge.open_vectors(None)
    readers: dict[str, Reader] = {}
    bins: dict[int, list[int]] = defaultdict(list)
    total: dict[int, float] = defaultdict(float)
    for row in rows:
        name = row["category"]
        if not category_named(name):
            continue
        reader = readers.setdefault(name, Reader([Protected(name)], encoder, embeddings))
        p = float(reader.probabilities(row["text"])[0])
        bins[min(9, int(p * 10))].append(int(row["discloses"]))
        total[min(9, int(p * 10))] += p
    return [
        {"from": b / 10, "mean": round(total[b] / len(v), 3), "disclose": round(sum(v) / len(v), 3), "of": len(v)}
        for b, v in sorted(bins.items())
    ]


def treebank_texts(data: Path) -> list[str]:
    """E-mails and reviews of the treebank's development part, a document each."""
    with gzip.open(data / "ud_ewt" / "ewt_dev.conllu.gz", "rt", encoding="utf-8") as lines:
        blocks = lines.read().split("\n\n")
    texts: dict[str, list[str]] = defaultdict(list)
    for block in blocks:
        sent, text = re.search(r"^# sent_id = (.+)-\d+$", block, re.M), re.search(r"^# text = (.+)$", block, re.M)
        if sent and text and sent[1].startswith(("email", "reviews")):
            texts[sent[1]].append(text[1])
    return [" ".join(parts) for parts in texts.values()]


def words_touched(sanitizer: Sanitizer, texts: Sequence[str]) -> dict[str, Any]:
    """The share of the words of ordinary texts that is changed, and by which models."""
    words = hidden = 0
    by: dict[str, int] = defaultdict(int)
    for text in texts:
        plan = sanitizer.plan(Document(text))
        words += len(text.split())
        for d in plan.changes:
            size = len(text[d.start : d.end].split())
            hidden += size
            for model in {plan.risks[n].model for n in d.risks}:
                by[model] += size
    return {"share": round(hidden / words, 4), "words": words, "touched": hidden, "by_model": dict(sorted(by.items()))}


def cost(texts: Sequence[str]) -> dict[str, float]:
    """Seconds of processor time for annotating by the encoder, and for reading meaning on top of it."""
    from tacenda import knowledge
    from tacenda.annotate.encoder import Encoder
    from tacenda.model import Context, Protected
    from tacenda.risk.meaning.model import Meaning

    encoder = Encoder()
    encoder.keeps_states = True
    meaning = Meaning(encoder=encoder, embeddings=knowledge.open_vectors(None))
    protected = tuple(Protected(name) for name in HEALTH)
    spent = [0.0, 0.0]
    for _turn in range(2):  # the first turn fills caches
        spent = [0.0, 0.0]
        for text in texts:
            at = time.process_time()
            annotation = encoder.annotate(Document(text))
            spent[0] += time.process_time() - at
            context = Context(Document(text), annotation.sentences, (), protected, annotation.mentions)
            at = time.process_time()
            list(meaning.assess(annotation.mentions, context))
            spent[1] += time.process_time() - at
        meaning._looked = None
    return {"encoder_s": round(spent[0], 2), "meaning_s": round(spent[1], 2), "more": round(spent[1] / spent[0], 3)}


def main() -> None:
    """Measure and print totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--weights", default="")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.sentences.read_text("utf-8").splitlines() if line.strip()]
    result: dict[str, Any] = {"sentences": given.sentences.name, "rows": len(rows)}
    for name in ("health", "special-categories", "convictions"):
        own = [row for row in rows if policy_of(row) == name or row["category"] == HARMLESS]
        policy = load_policy(name)
        result[name] = table(Sanitizer(policy), own)
        counting = table(Sanitizer(without_meaning(policy)), own)
        result[name]["counting_alone"] = {key: counting[key] for key in ("cleared", "touched")}
    others = [row for row in rows if not policy_of(row) and row["category"] != HARMLESS]
    result["protect"] = protect_anything(others, given.weights)
    result["reliability"] = reliability(rows)
    if given.data:
        texts = treebank_texts(given.data)
        result["ewt_words_touched"] = {"health": words_touched(Sanitizer(load_policy("health")), texts)}
        result["cost"] = cost(texts)
    text = json.dumps(result, indent=1)
    print(text)
    if given.output:
        given.output.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
