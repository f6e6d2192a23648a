"""Validate the attackers on the masked versions of `tri_reid`.

    python benchmarks/quality/attacks/run.py --data DIR [--index FILE.tix] [--encoder] [-o results.json]

Two settings. "50 candidates" repeats the one for which figures are known (sublinear TF-IDF over words 1 to 3, cosine,
full background): the 50 actors were the candidates, but only 20 of them are public here, so the 20 stand among the 30
other people with the longest background (famous actors have long articles), and again among 30 drawn at random, five
times. "543 candidates" takes everybody. With an index, a guesser also fills the masks of the manual version.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.measures.attack import ATTACKERS, Candidates, guess_masks, run_attacks
from tacenda.measures.gold import Mask
from tacenda.measures.report import versions
from tacenda.studies import attackers

# top-1 of the nearest text by words 1 to 3 in the known setting, in percent, over 50 documents
KNOWN = {"ner3": 100, "ner4": 98, "ner7": 100, "presidio": 100, "spacy": 92, "word2vec_t=0.25": 72, "manual": 52}


def load(data: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Background by name, and the documents with all their versions."""
    folder = data / "tri_reid"
    with gzip.open(folder / "background_knowledge_500.jsonl.gz", "rt", encoding="utf-8") as file:
        background = {row["name"]: row["public_knowledge"] for row in map(json.loads, file)}
    rows = [json.loads(line) for line in (folder / "anonymized_dev.jsonl").open(encoding="utf-8")]
    return background, rows


def fifty(background: dict[str, str], rows: list[dict[str, Any]]) -> dict[str, list[Candidates]]:
    """The 20 people among 30 others: those with the longest background, and random draws."""
    mine = {row["name"] for row in rows}
    others = sorted((name for name in background if name not in mine), key=lambda name: -len(background[name]))
    random = np.random.default_rng(0)
    draws = [[others[i] for i in random.permutation(len(others))[:30].tolist()] for _ in range(5)]
    return {
        name: [Candidates.of({n: background[n] for n in [*sorted(mine), *more]}) for more in group]
        for name, group in {"longest": [others[:30]], "random": draws}.items()
    }


def guesser(data: Path, index_path: Path) -> dict[str, Any]:
    """Fill the masks of the manual version from an index; the terms to say are all terms masked in the documents."""
    from tacenda.knowledge.index import open_index

    index = open_index(index_path)
    documents, terms = [], []
    for line in (data / "actors50" / "actors_dev20.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        masks = [Mask(m["start"], m["end"]) for m in row["gold_sensitive"]]
        documents.append((row["text"], masks[::5]))
        terms += [row["text"][m.start : m.end] for m in masks]
    return guess_masks(documents, terms, index.counts, index.total, most_words=4).to_json()


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--encoder", action="store_true", help="also read everything with the encoder (many minutes)")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    background, rows = load(given.data)
    every, small = Candidates.of(background), fifty(background, rows)
    trigrams = {"trigrams": ATTACKERS["trigrams"]}
    meaning = {"vectors": attackers.vectors()} | ({"encoder": attackers.encoder()} if given.encoder else {})
    results: dict[str, Any] = {}
    for field in [name for name in rows[0] if name.endswith("_abstract") and name != "dev_abstract"]:
        version = field.removesuffix("_abstract")
        documents = [(row["name"], row[field]) for row in rows]
        found = run_attacks(documents, every, attackers=ATTACKERS | meaning)
        near = {
            name: [run_attacks(documents, held, attackers=trigrams, backgrounds=[1.0]).worst().top1 for held in group]
            for name, group in small.items()
        }
        results[version] = {
            "known_50_candidates": KNOWN.get(version),
            "50_candidates_longest": near["longest"][0],
            "50_candidates_random_mean": float(np.mean(near["random"])),
            "543_candidates": found.to_json(),
        }
        worst = found.worst()
        print(
            f"{version:16} known {KNOWN.get(version)}, 50 longest {near['longest'][0]:.0%}, random "
            f"{np.mean(near['random']):.0%}; 543: worst {worst.top1:.0%} ({worst.attacker}), any {found.by_any():.0%}",
            flush=True,
        )
    if given.index:
        results["guesser, manual version"] = guesser(given.data, given.index)
        print(results["guesser, manual version"])
    if given.output:
        held = {"versions": versions(), "documents": len(rows), "results": results}
        given.output.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
