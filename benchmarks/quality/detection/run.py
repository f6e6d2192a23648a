"""Score the encoder beside spaCy and Presidio on the same texts; write results.json.

    python -m benchmarks.quality.detection.run --data DATA --peers peers.json
        --heldout benchmarks/quality/detection/heldout.json

Sets the encoder was trained on are scored on the documents of fold 0, with the spans of a model that was not trained
on them (`heldout.json`); actor summaries, treebanks and biographies with the shipped model. Entity recall counts an
entity only if all its mentions are covered, after every surface form found anywhere in the document has been looked
up in all of it (for every system).
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.quality.detection import scoring
from benchmarks.quality.detection.texts import treebank_dev, typed_texts, wikigold
from tacenda.annotate.encoder import Encoder
from tacenda.annotate.spacy_adapter import LABELS
from tacenda.model import Document
from train import corpora

Found = dict[str, list[tuple[int, int, str]]]
PRESIDIO = {"PERSON": "PERSON", "LOCATION": "LOC", "ORGANIZATION": "ORG", "NRP": "DEM", "DATE_TIME": "DATETIME"}


def sums(rows: Iterable[tuple]) -> list[float]:
    """Column sums."""
    return np.sum([list(r) for r in rows], axis=0).tolist()


def spans(found: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Offsets alone."""
    return [(a, b) for a, b, _ in found]


def court(data: Path, found: Found, keep: set[str] | None = None) -> dict[str, float]:
    """Mention recall and token precision on court cases."""
    mentions, tokens = [], []
    for record in corpora.lines(data / "tab_test127/tab_dev40.jsonl"):
        name = f"tab:{record['doc_id']}"
        if keep is None or name in keep:
            gold = [(m["start"], m["end"]) for m in record["gold_mentions"]]
            mentions.append(scoring.mention_recall(record["text"], gold, spans(found[name])))
            tokens.append(scoring.token_counts(record["text"], gold, spans(found[name])))
    hit, total = sums(mentions)
    both, have, _ = sums(tokens)
    return {"mention_recall": scoring.ratio(hit, total), "token_precision": scoring.ratio(both, have)}


def actors(data: Path, found: Found, keep: set[str] | None = None) -> dict[str, float]:
    """Token precision and recall on actor summaries."""
    tokens = []
    for record in corpora.lines(data / "actors50/actors_dev20.jsonl"):
        name = f"actors:{record['doc_id']}"
        if keep is None or name in keep:
            gold = [(m["start"], m["end"]) for m in record["gold_sensitive"]]
            tokens.append(scoring.token_counts(record["text"], gold, spans(found[name])))
    both, have, want = sums(tokens)
    return {"token_precision": scoring.ratio(both, have), "token_recall": scoring.ratio(both, want)}


def queries(data: Path, found: Found, keep: set[str] | None = None) -> dict[str, float]:
    """Recall of PHI elements, and the share of clean queries with a false alarm."""
    mentions, alarms = [], []
    for record in corpora.lines(data / "asq_phi/asq_dev300.jsonl"):
        name = f"asq:{record['id']}"
        if keep is None or name in keep:
            gold = [(p["start"], p["end"]) for p in record["phi"]]
            mentions.append(scoring.mention_recall(record["query"], gold, spans(found[name])))
            if not gold:
                alarms.append((bool(found[name]), 1))
    return {"recall": scoring.ratio(*sums(mentions)), "false_alarms": scoring.ratio(*sums(alarms))}


def biographies(data: Path, found: Found, keep: set[str] | None = None) -> dict[str, float]:
    """Entity recall of direct and quasi-identifiers, and token precision."""
    rows: dict[str, list] = {"DIRECT": [], "QUASI": [], "tokens": []}
    for record in corpora.lines(data / "wiki_replace100/wiki_dev30.jsonl"):
        name = f"bios:{record['doc_id']}"
        if keep is not None and name not in keep:
            continue
        annotation = next(iter(record["annotations"].values()))["entity_mentions"]
        have = spans(found[name])
        gold = [m for m in annotation if m["identifier_type"] != "NO_MASK"]
        for role in ("DIRECT", "QUASI"):
            entities: dict[str, list] = {}
            for m in gold:
                if m["identifier_type"] == role:
                    entities.setdefault(m["entity_id"], []).append((m["start_offset"], m["end_offset"]))
            rows[role].append(scoring.entity_recall(record["text"], entities, have))
        wanted = [(m["start_offset"], m["end_offset"]) for m in gold]
        rows["tokens"].append(scoring.token_counts(record["text"], wanted, have))
    both, total, _ = sums(rows["tokens"])
    return {
        "direct": scoring.ratio(*sums(rows["DIRECT"])),
        "quasi": scoring.ratio(*sums(rows["QUASI"])),
        "token_precision": scoring.ratio(both, total),
    }


def encyclopedia(data: Path, found: Found, keep: set[str]) -> dict[str, float]:
    """Typed token F1 on WikiGold (person, place, organization, other; nationalities count as other)."""
    both = have = want = 0
    for example in wikigold(data):
        if f"wikigold:{example.doc}" not in keep:
            continue
        gold = _types(example.text, [(a, b, t[0]) for a, b, t in example.entities or []])
        guess = _types(example.text, found[f"wikigold:{example.doc}"])
        for m in scoring.WORD.finditer(example.text):
            g, f = gold[m.start()], guess[m.start()]
            want, have, both = want + (g > 0), have + (f > 0), both + (g > 0 and g == f)
    precision, recall = both / max(have, 1), both / max(want, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


def _types(text: str, found: list[tuple[int, int, str]]) -> np.ndarray:
    numbers = {"PERSON": 1, "LOC": 2, "ORG": 3, "MISC": 4}
    out = np.zeros(len(text) + 1, dtype=np.int8)
    for a, b, label in found:
        if label in ("PERSON", "LOC", "ORG") or (label in ("MISC", "DEM") and text[a].isupper()):
            out[a:b] = numbers.get(label, 4)
    return out


def grammar(data: Path, encoder: Encoder, peers: dict) -> dict[str, dict]:
    """Tags and base noun phrases on the treebanks' development parts; GUM's nested mentions apart."""
    result: dict[str, dict] = {}
    for source, trees in treebank_dev(data).items():
        right = total = 0
        counts = {"encoder": [0, 0, 0], "spacy": [0, 0, 0]}
        for tree in trees:
            words = [w for s in tree.sentences for w in s]
            tags = encoder.tag(tree.text, [(w.start, w.end) for w in words])
            right += sum(t[2] == w.upos for t, w in zip(tags, words, strict=True))
            total += len(words)
            gold = set(tree.phrases())
            for system, found in (
                ("encoder", set(encoder.phrases(tree.text))),
                ("spacy", {tuple(p) for p in peers["spacy"][f"{source}:{tree.id}"]["phrases"]}),
            ):
                for n, value in enumerate((len(gold & found), len(found), len(gold))):
                    counts[system][n] += value
        result[source] = {
            "upos": {"encoder": scoring.ratio(right, total), "spacy": scoring.ratio(*peers["tags"][source])}
        }
        result[source]["phrases"] = {s: _f1(*c) for s, c in counts.items()} | {"counts": counts}
    both = {s: sums([result[d]["phrases"]["counts"][s] for d in result]) for s in ("encoder", "spacy")}
    result["phrases_both"] = {s: _f1(*map(int, c)) for s, c in both.items()}
    return result


def nested(data: Path, encoder: Encoder) -> dict[str, float]:
    """GUM's own mentions, nested ones too, pronouns left out: found exactly, and holding a phrase that was found."""
    exact = holding = total = 0
    for tree in treebank_dev(data)["gum_dev"]:
        found = set(encoder.phrases(tree.text))
        for sentence in tree.sentences:
            for first, last in _gum_mentions(sentence):
                if first == last and sentence[first].upos in ("PRON", "DET", "ADV", "PUNCT"):
                    continue
                start, end = sentence[first].start, sentence[last].end
                total += 1
                exact += (start, end) in found
                holding += any(start <= a and b <= end for a, b in found)
    return {"mentions": total, "exact": scoring.ratio(exact, total), "holding_a_phrase": scoring.ratio(holding, total)}


def _gum_mentions(sentence: list) -> list[tuple[int, int]]:
    """Bracketed mentions of a sentence as (first, last) word."""
    opened: list[tuple[str, int]] = []
    result = []
    for n, word in enumerate(sentence):
        column = re.search(r"Entity=([^|]*)", word.entity)
        for part in re.findall(r"\([^()]+\)?|\d+\)", column[1] if column else ""):
            number = re.findall(r"\d+", part)[0]
            if part.startswith("("):
                opened.append((number, n))
            if part.endswith(")"):
                at = max((i for i, (name, _) in enumerate(opened) if name == number), default=-1)
                if at >= 0:
                    result.append((opened.pop(at)[1], n))
    return result


def _f1(both: int, have: int, want: int) -> dict[str, float]:
    precision, recall = both / max(have, 1), both / max(want, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


def masked(encoder: Encoder, text: str) -> list[tuple[int, int, str]]:
    """What the shipped model would mask."""
    mentions = encoder.annotate(Document(text)).mentions
    return [(m.start, m.end, m.label) for m in mentions if m.role in ("direct", "quasi")]


def systems(data: Path, heldout: dict, peers: dict, encoder: Encoder | None) -> tuple[dict[str, Found], Found]:
    """What each system found: for masking, and the encoder's typed entities whatever their role."""
    mask: Found = {k: [(a, b, t) for a, b, t, r in v["entities"] if r != "none"] for k, v in heldout.items()}
    typed: Found = {k: [(a, b, t) for a, b, t, _ in v["entities"]] for k, v in heldout.items()}
    for record in corpora.lines(data / "wiki_replace100/wiki_dev30.jsonl") if encoder else ():
        mask[f"bios:{record['doc_id']}"] = masked(encoder, record["text"])
    found = {"encoder": mask}
    for name, table in (("spacy", LABELS), ("presidio", PRESIDIO)):
        if name in peers:
            found[name] = {
                k: [(a, b, table.get(t, "MISC" if name == "spacy" else "CODE")) for a, b, t in v["entities"]]
                for k, v in peers[name].items()
            }
    return found, typed


def given(description: str | None, results: str) -> tuple[argparse.Namespace, dict, dict]:
    """What the command line says, the spans of the fold models and those of the peers."""
    parser = argparse.ArgumentParser(description=description)
    for name in ("--data", "--peers", "--heldout"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / results)
    args = parser.parse_args()
    return args, json.loads(args.heldout.read_text()), json.loads(args.peers.read_text())


def main() -> None:
    """Score everything."""
    args, heldout, peers = given(__doc__, "results.json")
    encoder = Encoder()
    found, typed = systems(args.data, heldout, peers, encoder)
    texts = typed_texts(args.data)
    results: dict[str, dict] = {"treebanks": grammar(args.data, encoder, peers)}
    for name, score in (("court_cases", court), ("actor_summaries", actors), ("clinical_queries", queries)):
        results[name] = {s: score(args.data, f, set(heldout)) for s, f in found.items()}
    bios = [name for name in texts if name.startswith("bios:")]
    formed = {s: {n: scoring.propagate(texts[n], f[n]) for n in bios} for s, f in found.items()}
    results["biographies"] = {s: biographies(args.data, f) for s, f in formed.items()}
    others = {s: f for s, f in found.items() if s != "encoder"}
    results["wikigold"] = {s: encyclopedia(args.data, f, set(heldout)) for s, f in {"encoder": typed, **others}.items()}
    results["gum_mentions"] = nested(args.data, encoder)
    results["texts"] = {"count": len(texts)}
    args.out.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
