"""Choose further plain text, to which only our own trained teachers will give labels.

    python -m train.plain --data DATA --out plain.jsonl.gz

Same exclusions as in `silver`: nobody and no passage of an evaluation set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

from train import corpora, silver


def passages(data: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield ("bio", "wiki", "med" or "actor", passage): everything no evaluation set has a part in."""
    seen, names = silver.evaluated(data)
    for turn in range(5):
        for kind, text in silver.wiki(data, rng, seen, names):
            opening = kind == "bio" and silver.BIOGRAPHY.search(text[:260])
            if not (turn and opening) and not (kind == "wiki" and rng.random() < 0.5):
                yield kind, text
    for turn in range(3):
        yield from ((kind, text) for kind, text in silver.medical(data, rng) if kind == "med" or not turn)
    for record in corpora.lines(data / "k_actors/actor_abstracts.jsonl.gz"):
        name, text = " ".join(silver.words(record["title"])), record["text"]
        if name not in names and len(text) > 240 and rng.random() < 0.75 and not silver.shingles(text) & seen:
            yield "actor", text[:1600]


def main() -> None:
    """Write one JSON a line: kind, text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=23)
    args = parser.parse_args()
    totals: dict[str, int] = {}
    with gzip.open(args.out, "wt", encoding="utf-8") as out:
        for kind, text in passages(args.data, random.Random(args.seed)):
            totals[kind] = totals.get(kind, 0) + len(text)
            out.write(json.dumps({"kind": kind, "text": text}, ensure_ascii=False) + "\n")
    print(totals)


if __name__ == "__main__":
    main()
