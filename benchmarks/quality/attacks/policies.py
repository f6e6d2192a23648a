"""Attack what the shipped policies make of actor summaries and court cases, beside human masking and Presidio.

    python benchmarks/quality/attacks/policies.py --data DIR [--encoder] [-o policies.json]

Summaries: `tri_reid` (background of 543 actors, masked versions) and the texts of `actors50`. No policy knows the
background; but the embedded index holds articles about these people. `person` was set on other actors; every other
summary (the first, the third, ...), on which no earlier version was set either, is reported apart. Court cases: the
first half of each of the 40 is released, and the attacker has read the second half of all of them as it was. Masks of
Presidio and of annotators are the data's.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
from attributes import guess_attributes
from run import load

from tacenda import Sanitizer, policy
from tacenda.language import sentences
from tacenda.measures.attack import ATTACKERS, Candidates
from tacenda.measures.attack.matching import Attacker
from tacenda.model import Document
from tacenda.studies import attackers
from tacenda.term import content_words

POLICIES = ("identifiers", "court", "person")
SHARES = (0.25, 0.5, 1.0)
_MARK = re.compile(r"\[[^\]]*\]")
Outputs = Mapping[str, Mapping[str, str]]  # version -> whom it is about -> text
Floats = npt.NDArray[np.float64]


def kept(original: str, output: str) -> float:
    """Share of the content words of the original that the output still has."""
    before, after = (Counter(content_words(_MARK.sub(" ", text))) for text in (original, output))
    return sum((before & after).values()) / max(1, sum(before.values()))


def masked(text: str, spans: Sequence[Sequence[Any]]) -> str:
    """The text with a mark in place of every span."""
    flags = bytearray(len(text))
    for start, end, *_ in spans:
        flags[start:end] = b"\1" * (max(0, min(end, len(text)) - start))
    return re.sub("\0+", "[...]", "".join("\0" if hidden else one for one, hidden in zip(text, flags, strict=True)))


def summaries(data: Path) -> tuple[dict[str, str], dict[str, dict[str, str]], Candidates]:
    """Originals, the masked versions of the data, and the background."""
    background, rows = load(data)
    lines = (data / "actors50/actors_dev20.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {row["title"]: row["text"] for row in map(json.loads, lines)}
    versions = {"Presidio": "presidio", "human": "manual"}
    made = {name: {row["name"]: row[f"{key}_abstract"] for row in rows} for name, key in versions.items()}
    return texts, made, Candidates.of(background)


def cases(data: Path) -> tuple[dict[str, str], dict[str, dict[str, str]], Candidates]:
    """First halves of the cases, as they are and with the masks of the data; second halves are the background."""
    texts: dict[str, str] = {}
    rest: dict[str, str] = {}
    made: dict[str, dict[str, str]] = {"Presidio": {}, "human": {}}
    for row in map(json.loads, (data / "tab_test127/tab_dev40.jsonl").read_text(encoding="utf-8").splitlines()):
        name, text = row["doc_id"], row["text"]
        found = list(sentences(text))
        cut = found[len(found) // 2][0]
        texts[name], rest[name] = text[:cut], text[cut:]
        made["human"][name] = masked(text[:cut], [(m["start"], m["end"]) for m in row["gold_mentions"]])
        made["Presidio"][name] = masked(text[:cut], row["system_spans"]["presidio"])
    return texts, made, Candidates.of(rest)


def sanitized(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What each policy makes of the texts."""
    made = {}
    for name in POLICIES:
        sanitizer = Sanitizer(policy.load(name))
        made[name] = {who: sanitizer.sanitize(Document(text)).text for who, text in texts.items()}
    return made


def firsts(scores: Floats, right: Sequence[int]) -> list[float]:
    """For each text the chance that the right candidate is named: 1 if first alone, 1/m if first among m."""
    found = []
    for row, own in zip(scores, right, strict=True):
        best = row >= row.max()
        found.append(float(best[own]) / float(best.sum()))
    return found


def attack(outputs: Outputs, everybody: Candidates, using: Mapping[str, Attacker]) -> dict[str, dict[str, list[float]]]:
    """Version -> attacker -> chance of being named, document by document; the last attacker is all of them together."""
    order = [(version, who) for version, made in outputs.items() for who in made]
    texts = [outputs[version][who] for version, who in order]
    right = [everybody.names.index(who) for _, who in order]
    found: dict[str, dict[str, list[float]]] = {version: {} for version in outputs}
    together = np.zeros((len(texts), len(everybody)))
    for name, attacker in using.items():
        scores = attacker(everybody, texts)
        spread = scores.std(axis=1, keepdims=True)
        together += (scores - scores.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
        _sort(found, order, name, firsts(scores, right))
    _sort(found, order, "all together", firsts(together, right))
    return found


def _sort(
    found: dict[str, dict[str, list[float]]], order: list[tuple[str, str]], name: str, named: list[float]
) -> None:
    for (version, _), one in zip(order, named, strict=True):
        found[version].setdefault(name, []).append(one)


def summarize(found: dict[str, list[float]], part: slice = slice(None)) -> dict[str, Any]:
    """Share named by each attacker, and the worst of them."""
    rates = {name: round(float(np.mean(named[part])), 3) for name, named in found.items()}
    worst = max(rates, key=lambda name: rates[name])
    return {"worst": rates[worst], "which": worst, "each": rates}


def measure(
    texts: dict[str, str], outputs: Outputs, everybody: Candidates, slow: dict[str, Attacker]
) -> dict[str, Any]:
    """Attack all versions at every share of the background."""
    using = ATTACKERS | {"vectors": attackers.vectors(), "vectors, learned": attackers.learned_vectors()}
    result: dict[str, Any] = {version: {} for version in outputs}
    for share in SHARES:
        found = attack(outputs, everybody.share(share), using | (slow if share == 1.0 else {}))
        for version, by in found.items():
            row = summarize(by)
            result[version][f"{share:.0%}"] = {key: row[key] for key in ("worst", "which")}
            if share == 1.0:
                result[version]["each"] = row["each"]
                result[version]["not set on these"] = summarize(by, slice(0, None, 2))["worst"]
                result[version]["mean"] = round(float(np.mean(list(row["each"].values()))), 3)
    for version, made in outputs.items():
        share_kept = [kept(texts[who], text) for who, text in made.items() if who in texts]
        result[version]["kept"] = round(float(np.mean(share_kept)), 3)
        print(version, json.dumps(result[version]), flush=True)
    return result


def main() -> None:
    """Attack every policy on both sets, then guess attributes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoder", action="store_true", help="also learn from the encoder's vectors (minutes)")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    slow = {"encoder, learned": attackers.learned_encoder()} if given.encoder else {}
    results: dict[str, Any] = {}
    for name, read in (("summaries", summaries), ("court cases", cases)):
        texts, made, everybody = read(given.data)
        outputs = {"original": texts, **made, **sanitized(texts)}
        print(f"== {name}: {len(texts)} texts, {len(everybody)} candidates", flush=True)
        results[name] = measure(texts, outputs, everybody, slow)
        if name == "summaries":
            results["attributes"] = guess_attributes(given.data, texts, outputs)
            print(json.dumps(results["attributes"], indent=1), flush=True)
    if given.output:
        given.output.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
