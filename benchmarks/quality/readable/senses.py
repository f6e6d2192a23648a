"""How often the sense chosen in context is right, and how right the rungs are where a term climbs.

    python benchmarks/quality/readable/senses.py DATA_FOLDER [-o benchmarks/quality/readable/results.json]

`senses.jsonl` holds mentions with the senses that are right, labeled by one reader before any score was computed: 320
drawn at random from aci_bench, nvidia_bios, GUM and EWT (places only; DATA_FOLDER holds the texts) and 57 sentences
written for this purpose. Counted are mentions with right and wrong senses; `never` marks what must not climb at all.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from tacenda import knowledge
from tacenda.annotate.encoder import Encoder
from tacenda.language import SPOKEN_RUNGS, sentences
from tacenda.replace.ladders import SURE
from tacenda.term import words

HERE = Path(__file__).parent
REACH = 300
BEFORE = 600  # characters that are read on either side


def texts(folder: Path) -> dict[str, str]:
    """The documents by the names that `senses.jsonl` gives them."""
    found = {row["id"]: row["note"] for row in _rows(folder / "aci_bench" / "train_notes.jsonl")}
    found |= {row["id"]: row["text"] for row in _rows(folder / "nvidia_bios" / "bios.jsonl")}
    for name, path in (("gum_dev", "ud_gum_ccby/gum_dev.conllu.gz"), ("ewt_dev", "ud_ewt/ewt_dev.conllu.gz")):
        documents: list[list[str]] = []
        with gzip.open(folder / path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("# newdoc"):
                    documents.append([])
                elif line.startswith("# text ="):
                    documents[-1].append(line[8:].strip())
        found |= {f"{name}:{i}": " ".join(said) for i, said in enumerate(documents)}
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def around(text: str, start: int, end: int) -> list[str]:
    """Words of the sentence, without the mention."""
    low, high = next((s for s in sentences(text) if s[0] <= start < s[1]), (start - REACH, end + REACH))
    low, high = max(low, start - REACH, 0), min(high, end + REACH)
    return words(text[low:start]) + words(text[end:high])


def read(encoder: Encoder, text: str, start: int, end: int) -> Any:
    """The encoder's state of the last word of a term, as annotation gives it to a mention."""
    low = max(0, start - BEFORE)
    text, start, end = text[low : end + BEFORE], start - low, end - low
    pieces, rows = encoder.states(text)
    first = int(np.searchsorted(pieces.start, text.rfind(" ", start, end) + 1 or start))
    return rows[first : max(first + 1, int(np.searchsorted(pieces.start, end)))].mean(axis=0)


def score(taxonomy: Any, encoder: Encoder, item: dict[str, Any], text: str) -> dict[str, Any] | None:
    """Whether the sense is right, before and now, how sure it is, and whether the nearest sure rung is true."""
    options = [name(taxonomy, ref) for ref in taxonomy.senses(item["term"])]
    right = set(item["right"])
    if not right or right.issuperset(options):
        return None
    said = around(text, item["start"], item["start"] + len(item["term"]))
    before = taxonomy.sense(item["term"], said)
    reading = read(encoder, text, item["start"], item["start"] + len(item["term"]))
    weighed = taxonomy.weigh(item["term"], said, reading=reading)
    rungs = taxonomy.generalizations(item["term"], said, sure=SURE, reading=reading)
    sure = [rung for rung in rungs if rung.name in SPOKEN_RUNGS]
    meant = [ref for ref in taxonomy.senses(item["term"]) if name(taxonomy, ref) in right]
    true = {key for ref in meant for key in above(taxonomy, ref)}
    return {
        "set": item["set"],
        "before": f"{before.taxonomy}:{before.id}" in right,
        "now": name(taxonomy, weighed[0][0]) in right,
        "share": weighed[0][1],
        "climbs": bool(sure),
        "rung": sure[0].name in true if sure else None,
    }


def above(taxonomy: Any, ref: Any) -> set[str]:
    """Names of everything above a concept."""
    above = taxonomy.across.above([ref]).items()
    return {lemma for (g, n), steps in above if steps for lemma in taxonomy.graphs[g].lemmas(n)}


def name(taxonomy: Any, ref: Any) -> str:
    """A concept as `senses.jsonl` writes it."""
    graph = taxonomy.graphs[ref[0]]
    return f"{graph.name}:{graph.ids[ref[1]]}"


def table(found: list[dict[str, Any]]) -> dict[str, float]:
    """Shares, and what is right among the surest."""
    ranked = sorted(found, key=lambda one: -one["share"])
    surest = {
        f"right of the surest {p} %": _share([o["now"] for o in ranked[: len(ranked) * p // 100]]) for p in (40, 60)
    }
    climbing = [one["rung"] for one in found if one["climbs"]]
    return {
        "mentions": len(found),
        "before": _share([one["before"] for one in found]),
        "now": _share([one["now"] for one in found]),
        **surest,
        "climb": round(len(climbing) / len(found), 3),
        "nearest rung offered is true": _share(climbing),
    }


def _share(hits: list[Any]) -> float:
    return round(sum(map(bool, hits)) / max(len(hits), 1), 3)


def main() -> None:
    """Print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    taxonomy, encoder, documents = knowledge.open_taxonomy(), Encoder(), texts(options.data)
    found = defaultdict(list)
    for item in _rows(HERE / "senses.jsonl"):
        one = score(taxonomy, encoder, item, item.get("text") or documents[item["doc"]])
        if one:
            found[item["set"]].append(one)
            found["all"].append(one)
    results = {kind: table(rows) for kind, rows in found.items()}
    print(json.dumps(results, indent=1))
    if options.output:
        options.output.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
