"""Score which names of persons are tied to one person, on GUM's own mentions.

    python -m benchmarks.quality.coreference.run --data DATA [-o results.json]

Data: `ud_gum_ccby` (UD English GUM, the documents under CC BY), both parts; nothing was trained or chosen on it. A name
is a mention of type person whose words are all proper nouns; pronouns and descriptions are left out, and so is finding
the names: what is scored is the tying alone. B-cubed over all names.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

from tacenda.annotate.entities import tie
from tacenda.annotate.said import roles, same_people
from tacenda.language import ROLE_SAID
from tacenda.model import Mention
from train import treebank

_OPEN = re.compile(r"\((\d+)-(\w+)[^()]*\)?|(\d+)\)")


def names(tree: treebank.Tree) -> list[tuple[int, int, str]]:
    """Return start, end and gold entity of every name of a person, in reading order."""
    found = []
    for sentence in tree.sentences:
        opened: list[tuple[str, str, int]] = []
        for n, word in enumerate(sentence):
            column = re.search(r"Entity=([^|]*)", word.entity)
            for part in _OPEN.finditer(column[1] if column else ""):
                if part[1]:
                    opened.append((part[1], part[2], n))
                if part[0].endswith(")"):
                    number = part[1] or part[3]
                    at = max((i for i, one in enumerate(opened) if one[0] == number), default=-1)
                    if at >= 0:
                        _, kind, first = opened.pop(at)
                        if kind == "person" and all(w.upos == "PROPN" for w in sentence[first : n + 1]):
                            found.append((sentence[first].start, word.end, number))
    return sorted(found)


def b_cubed(pairs: list[tuple[object, object]]) -> tuple[float, float]:
    """Return the sums of precision and recall over mentions, each given as (gold, found) entity."""
    gold: dict[object, set[int]] = defaultdict(set)
    mine: dict[object, set[int]] = defaultdict(set)
    for n, (wanted, found) in enumerate(pairs):
        gold[wanted].add(n)
        mine[found].add(n)
    both = [len(gold[wanted] & mine[found]) for wanted, found in pairs]
    precision = sum(b / len(mine[found]) for b, (_, found) in zip(both, pairs, strict=True))
    recall = sum(b / len(gold[wanted]) for b, (wanted, _) in zip(both, pairs, strict=True))
    return precision, recall


def own_texts() -> dict[str, object]:
    """Score names and roles in texts written for this purpose: [Tom:1] is a name of the first person."""
    sums: dict[str, list[float]] = {"names": [0.0, 0.0, 0.0], "names and roles": [0.0, 0.0, 0.0]}
    for line in (Path(__file__).parent / "texts.txt").read_text(encoding="utf-8").splitlines():
        text, gold = "", []
        for piece in re.split(r"(\[[^\]]+:\d\])", line):
            if piece.startswith("["):
                form, _, number = piece[1:-1].rpartition(":")
                gold.append((len(text), len(text) + len(form), number))
                text += form
            else:
                text += piece
        named = [one for one in gold if not ROLE_SAID.fullmatch(text, *one[:2])]
        mentions = [Mention(s, e, text[s:e], "PERSON", "entity") for s, e, _ in named]
        tied = tie(mentions, same_people(text, mentions))
        people = sorted({m.entity for m in tied})
        called = roles(text, [[m for m in tied if m.entity == number] for number in people])
        found = {m.start: m.entity for m in tied} | {at: people[who] for at, who in called.items()}
        for what, asked in (("names", named), ("names and roles", gold)):
            p, r = b_cubed([(g, found.get(s, ("nobody", s))) for s, _, g in asked])
            sums[what] = [sums[what][0] + p, sums[what][1] + r, sums[what][2] + len(asked)]
    return {
        what: {
            "mentions": int(n),
            "precision": round(p / n, 4),
            "recall": round(r / n, 4),
            "f1": round(2 * p * r / (p + r) / n, 4),
        }
        for what, (p, r, n) in sums.items()
    }


def main() -> None:
    """Score both parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    result: dict[str, object] = {"own texts": own_texts()}
    for part in ("dev", "train"):
        documents = count = 0
        sums = {"tied": [0.0, 0.0], "same words only": [0.0, 0.0]}
        for tree in treebank.read(given.data / f"ud_gum_ccby/gum_{part}.conllu.gz"):
            gold = names(tree)
            mentions = [Mention(s, e, tree.text[s:e], "PERSON", "entity") for s, e, _ in gold]
            said = list(same_people(tree.text, mentions))
            found = {"tied": [m.entity for m in tie(mentions, said)], "same words only": [m.text for m in mentions]}
            documents, count = documents + bool(gold), count + len(gold)
            for system, entities in found.items():
                p, r = b_cubed([(g[2], e) for g, e in zip(gold, entities, strict=True)])
                sums[system] = [sums[system][0] + p, sums[system][1] + r]
        result[part] = {"documents": documents, "names": count} | {
            system: {
                "precision": round(p / count, 4),
                "recall": round(r / count, 4),
                "f1": round(2 * p * r / (p + r) / count, 4),
            }
            for system, (p, r) in sums.items()
        }
    print(json.dumps(result, indent=1))
    if given.output:
        given.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
