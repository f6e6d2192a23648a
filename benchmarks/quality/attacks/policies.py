"""Attack what the shipped policies make of 20 actor summaries, beside human masking and Presidio.

    python benchmarks/quality/attacks/policies.py --data DIR [-o policies.json]

Data: `tri_reid` (background of 543 actors, masked versions) and the summaries of `actors50`. The defender knows no
background; but the embedded index holds articles about these people, and the encoder was trained on annotations of
these summaries, so the figures flatter us. Content words kept: those of the original that stand in the output.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from run import load

from tacenda import Sanitizer, policy
from tacenda.measures.attack import ATTACKERS, Candidates, run_attacks
from tacenda.model import Document
from tacenda.term import content_words

POLICIES = ("identifiers", "court", "person", "similarity")
VERSIONS = ("presidio", "manual")
SHARES = (0.25, 0.5, 1.0)
_MARK = re.compile(r"\[[^\]]*\]")


def kept(original: str, output: str) -> float:
    """Share of the content words of the original that the output still has."""
    before, after = (Counter(content_words(_MARK.sub(" ", text))) for text in (original, output))
    return sum((before & after).values()) / max(1, sum(before.values()))


def main() -> None:
    """Attack every policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    background, rows = load(given.data)
    lines = (given.data / "actors50/actors_dev20.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {row["title"]: row["text"] for row in map(json.loads, lines)}
    outputs = {version: {row["name"]: row[f"{version}_abstract"] for row in rows} for version in VERSIONS}
    for name in POLICIES:
        sanitizer = Sanitizer(policy.load(name))
        outputs[name] = {who: sanitizer.sanitize(Document(text)).text for who, text in texts.items()}
    everybody = Candidates.of(background)
    results: dict[str, Any] = {}
    for name, made in outputs.items():
        found = run_attacks(list(made.items()), everybody, attackers=ATTACKERS, backgrounds=list(SHARES))
        worst = {
            f"{share:.0%}": max((one.top1, one.attacker) for one in found.results if one.background == share)
            for share in SHARES
        }
        share_kept = sum(kept(texts[who], text) for who, text in made.items() if who in texts) / len(made)
        results[name] = {
            "worst": worst,
            "full": {one.attacker: one.top1 for one in found.results if one.background == 1.0},
            "kept": round(share_kept, 3),
        }
        print(name, json.dumps(results[name]), flush=True)
    if given.output:
        given.output.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
