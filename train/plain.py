"""Choose further plain text, to which only our own trained teachers will give labels.

    python -m train.plain --data DATA --out plain.jsonl.gz

Same exclusions as in `silver`: nobody and no passage of an evaluation set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path

from train import silver


def main() -> None:
    """Write one JSON a line: kind, text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=23)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    seen, names = silver.evaluated(args.data)
    totals: dict[str, int] = {}
    with gzip.open(args.out, "wt", encoding="utf-8") as out:
        for _ in range(3):
            for kind, text in [*silver.wiki(args.data, rng, seen, names), *silver.medical(args.data, rng)]:
                if kind == "aci" or (kind == "wiki" and rng.random() < 0.4):
                    continue
                totals[kind] = totals.get(kind, 0) + len(text)
                out.write(json.dumps({"kind": kind, "text": text}, ensure_ascii=False) + "\n")
    print(totals)


if __name__ == "__main__":
    main()
