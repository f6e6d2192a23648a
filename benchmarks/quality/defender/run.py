"""The defender against re-identification, on the actor summaries of `tri_reid`.

    python benchmarks/quality/defender/run.py --data DIR --index FILE.tix [--taxonomy FILE.tax ...] [-o results.json]

DIR holds `tri_reid`, `actors50` and `k_actors`. The index gives the information of words; build it without the
articles of the people reported on. k is the least with which the worst attacker finds at most 10 % of 30 other people
of the background (`benchmarks/quality/splits.json`).
Texts are cut into dates, runs of capitals, numbers and content words by the rules below, so that the result does not
depend on an annotator. Every release is attacked as generalized text; attackers the defender does not know are
marked.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda import term
from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.measures.attack import Candidates, run_attacks
from tacenda.measures.gold import Mask, replaced
from tacenda.measures.report import versions
from tacenda.measures.utility import text_utility, word_bits
from tacenda.risk.reidentify import Background, defend

SETTINGS = ((1, 0.1), (3, 0.1), (5, 0.1), (10, 0.1))
TUNED_TO = 0.1
KNOWN_TO_DEFENDER = ("trigrams", "trigrams, no stop words", "naive Bayes")
MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
CHUNK = re.compile(
    rf"{MONTH}\s+\d{{1,2}},?\s+\d{{4}}|\d{{1,2}}\s+{MONTH}\s+\d{{4}}"
    r"|(?:[A-Z][\w'’.-]*\w|[A-Z])(?:\s+(?:(?:of|the|and|in|to|for|a|with|from|on|at|de|von|&)\s+)*"
    r"(?:[A-Z0-9][\w'’-]*\w|[A-Z0-9]))*|\w[\w'’-]*\w|\w"
)
OPENING = re.compile(
    r"(?:The|In|As|At|He|She|His|Her|It|An|A|On|For|From|With|And|After|By|Since|During|Born|When|While|Although|Other"
    r"|Among)\s+(?=[A-Z0-9])"
)
Masked = tuple[str, list[Mask]]


def chunks(text: str) -> list[tuple[int, int]]:
    """Cut a text into what may be masked: dates, runs of capitals, numbers, other words that are no stop words."""
    found = []
    for match in CHUNK.finditer(text):
        if any(word not in term.STOP_WORDS for word in term.words(match.group())):
            opening = OPENING.match(match.group())
            found.append((match.start() + (opening.end() if opening else 0), match.end()))
    return found


class Generalizer:
    """The first rung of the taxonomies that does not point at few people, a type for names, or nothing."""

    def __init__(self, taxonomy: Any, bits: Callable[[str], float], background: Mapping[str, str]) -> None:
        self.taxonomy, self.bits = taxonomy, bits
        self.people = Counter(word for text in background.values() for word in set(term.words(text)))
        self.few = 0.05 * len(background)
        self.cache: dict[str, str] = {}

    def __call__(self, words: str) -> str:
        if words not in self.cache:
            self.cache[words] = self._find(words)
        return self.cache[words]

    def _find(self, words: str) -> str:
        own = set(term.content_words(words))
        for rung in self.taxonomy.generalizations(words):
            held = [w for w in term.words(rung.name) if w not in term.STOP_WORDS]
            common = all(self.people[w] == 0 or self.people[w] >= self.few for w in held)
            if (
                held
                and common
                and own.isdisjoint(term.content_words(rung.name))
                and self.bits(rung.name) < self.bits(words)
            ):
                return rung.name
        return "name" if words[:1].isupper() else ""


def load(data: Path) -> tuple[dict[str, str], list[dict[str, Any]], dict[str, dict[str, Any]], dict[str, str]]:
    """Background, the summaries reported on, their marks, and summaries of other people for tuning."""
    folder = data / "tri_reid"
    with gzip.open(folder / "background_knowledge_500.jsonl.gz", "rt", encoding="utf-8") as file:
        background = {row["name"]: row["public_knowledge"] for row in map(json.loads, file)}
    rows = [json.loads(line) for line in (folder / "anonymized_dev.jsonl").open(encoding="utf-8")]
    marks = {}
    for line in (data / "actors50" / "actors_dev20.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        marks[row["title"]] = row
    splits = json.loads((Path(__file__).parents[1] / "splits.json").read_text(encoding="utf-8"))["reidentification"]
    rows = [row for row in rows if row["name"] in set(splits["report"])]
    with gzip.open(data / "k_actors" / "actor_abstracts.jsonl.gz", "rt", encoding="utf-8") as file:
        others = {r["title"]: r["text"] for r in map(json.loads, file)}
    return background, rows, marks, {name: others[name] for name in splits["tune"]}


def bits_from(index_path: Path, texts: Sequence[str]) -> Callable[[str], float]:
    """Information of phrases from the counts of an index."""
    index = open_index(index_path)
    forms = sorted({f for t in texts for w in term.words(t) for f in (w, term.singular(w), term.plural(w))})
    found = index.counts([[form] for form in forms])
    return word_bits({form: n for form, n in zip(forms, found, strict=True) if n}, index.total)


def defended(
    documents: Mapping[str, str], known: Background, bits: Any, generalize: Any, *, k: int, margin: float
) -> tuple[dict[str, Masked], list[float]]:
    """Defend each document; return text and masks, and the processor time of each in seconds."""
    out, taken = {}, []
    for name, text in documents.items():
        begun = time.process_time()
        found = defend(text, chunks(text), known, name, bits, generalize=generalize, k=k, margin=margin)
        taken.append(time.process_time() - begun)
        out[name] = text, [Mask(start, end, "", new) for start, end, new in found.changes]
    return out, taken


def judge(
    releases: Mapping[str, Masked], candidates: Candidates, bits: Any, backgrounds: Sequence[float] = (0.25, 0.5, 1.0)
) -> dict[str, Any]:
    """Utility on one ruler, and every attacker, on the generalized text."""
    kept = [text_utility(text, masks, bits, phrases=chunks(text)).kept for text, masks in releases.values()]
    bare = [
        text_utility(text, [Mask(m.start, m.end) for m in masks], bits, phrases=chunks(text)).kept
        for text, masks in releases.values()
    ]
    found = run_attacks(
        [(name, replaced(*held)) for name, held in releases.items()], candidates, backgrounds=backgrounds
    )
    share = sum(len(masks) for _, masks in releases.values()) / sum(len(chunks(t)) for t, _ in releases.values())
    return {
        "utility_generalized": round(sum(kept) / len(kept), 4),
        "utility_if_suppressed": round(sum(bare) / len(bare), 4),
        "masks_per_chunk": round(share, 4),
        "attack": found.to_json(),
        "worst_known_to_defender": max(
            r.top1 for r in found.results if r.background == 1 and r.attacker in KNOWN_TO_DEFENDER
        ),
        "worst_unknown_to_defender": max(
            r.top1 for r in found.results if r.background == 1 and r.attacker not in KNOWN_TO_DEFENDER
        ),
    }


def show(name: str, row: Mapping[str, Any]) -> None:
    """Print one line of the result."""
    worst = row["attack"]["worst"]["1.0"]
    print(
        f"{name:32} worst {worst['top1']:.0%} ({worst['attacker']}), known {row['worst_known_to_defender']:.0%}, "
        f"unknown {row['worst_unknown_to_defender']:.0%}; utility {row['utility_generalized']:.1%}, "
        f"if suppressed {row['utility_if_suppressed']:.1%}",
        flush=True,
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--taxonomy", nargs="*", default=["default"])
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    background, rows, marks, tuning = load(given.data)
    originals = {row["name"]: marks[row["name"]]["text"] for row in rows}
    taxonomy = open_taxonomy(*given.taxonomy)
    rungs = [r.name for t in [*originals.values(), *tuning.values()] for s, e in chunks(t)
             for r in taxonomy.generalizations(t[s:e])]  # fmt: skip
    bits = bits_from(given.index, [*originals.values(), *tuning.values(), *rungs, "name"])
    generalize = Generalizer(taxonomy, bits, background)
    candidates, known = Candidates.of(background), Background(background)
    results: dict[str, Any] = {}
    for k, margin in SETTINGS:
        out, _ = defended(tuning, known, bits, generalize, k=k, margin=margin)
        row = judge(out, candidates, bits, [1.0])
        results[f"tuning, k={k}, margin={margin}"] = row
        show(f"tuning, k={k}, margin={margin}", row)
        if row["attack"]["worst"]["1.0"]["top1"] <= TUNED_TO:
            break
    manual = {
        name: (text, [Mask(m["start"], m["end"], "", generalize(text[m["start"] : m["end"]]))
                      for m in marks[name]["gold_sensitive"]])
        for name, text in originals.items()
    }  # fmt: skip
    results["manual masking"] = judge(manual, candidates, bits)
    show("manual masking", results["manual masking"])
    out, taken = defended(originals, known, bits, generalize, k=k, margin=margin)
    results["defender"] = judge(out, candidates, bits) | {"k": k, "margin": margin}
    show("defender", results["defender"])
    part = Background(dict(zip(candidates.names, candidates.share(0.25, seed=1).texts, strict=True)))
    weak, _ = defended(originals, part, bits, generalize, k=k, margin=margin)
    results["defender with 25 % of the background"] = judge(weak, candidates, bits)
    show("defender with 25 %", results["defender with 25 % of the background"])
    print(f"processor time per document: mean {1000 * sum(taken) / len(taken):.0f} ms, most {1000 * max(taken):.0f} ms")
    if given.output:
        held = {"versions": versions(), "documents": len(rows), "candidates": len(background), "results": results}
        given.output.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
