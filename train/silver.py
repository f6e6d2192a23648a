"""Label plain text with a spaCy pipeline as teacher: sentences, parts of speech, noun chunks, entities.

    python -m train.silver --data DATA --spacy PATH --out silver.jsonl.gz

Articles about people who appear in any evaluation set are left out by title, and passages that share a run of
twelve words with an evaluated document are left out by content.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path

from train import treebank

MAINTENANCE = re.compile(
    r"this article|may be challenged|cleanup|citation needed|learn how and when|external links|"
    r"\bhatnote\b|wikiquote|redirects here|for other uses|please help|improve it",
    re.IGNORECASE,
)
BIOGRAPHY = re.compile(r"\bborn\b[^.]{0,40}\d{4}|\d{4}\s*[–-]\s*(?:c\. )?(?:\d{1,2} )?(?:\w+ )?(?:\d{1,2}, )?\d{4}\)")
SHINGLE = 12


def words(text: str) -> list[str]:
    """Lower-case words of a text, for comparing passages."""
    return re.findall(r"\w+", text.lower())


def shingles(text: str) -> set[int]:
    """Hashes of every run of `SHINGLE` words."""
    tokens = words(text)
    return {hash(tuple(tokens[i : i + SHINGLE])) for i in range(len(tokens) - SHINGLE + 1)}


def evaluated(data: Path) -> tuple[set[int], set[str]]:
    """Return the shingles of all evaluated documents and the normalized names of the people in them."""
    seen: set[int] = set()
    names: set[str] = set()

    def lines(path: Path) -> Iterator[dict]:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)

    for record in lines(data / "actors50/actors_dev20.jsonl"):
        seen |= shingles(record["text"])
        names.add(" ".join(words(record["title"])))
    for record in lines(data / "wiki_replace100/wiki_dev30.jsonl"):
        seen |= shingles(record["text"])
        names.add(record["doc_id"].replace("-", " "))
    for record in lines(data / "wiki_replace100/background_knowledge_553.jsonl.gz"):
        names.add(record["doc_id"].replace("-", " "))
    for name in ("background_knowledge_500.jsonl.gz", "anonymized_dev.jsonl"):
        for record in lines(data / "tri_reid" / name):
            names.add(" ".join(words(record.get("name") or record.get("title") or "")))
    wikigold = (data / "wikigold/wikigold_dev.conll").read_text(encoding="utf-8")
    for part in wikigold.split("-DOCSTART-"):
        seen |= shingles(" ".join(line.split()[0] for line in part.splitlines() if line.strip()))
    names.discard("")
    return seen, names


def wiki(data: Path, rng: random.Random, seen: set[int], names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield ("bio" or "wiki", passage): openings and other parts of biographies, a passage of every second article."""
    with lzma.open(data / "k_wiki9k/wiki_full.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if " ".join(words(record["title"])) in names:
                continue
            paragraphs = [p for p in record["text"].split("\n") if len(p) > 140 and not MAINTENANCE.search(p)]
            if not paragraphs:
                continue
            if BIOGRAPHY.search(paragraphs[0][:260]):
                picked = [("bio", "\n".join(paragraphs[:3])[:1600])]
                for _ in range(2 if len(paragraphs) > 6 else 0):
                    start = rng.randrange(3, len(paragraphs) - 1)
                    picked.append(("bio", "\n".join(paragraphs[start : start + 2])[:1200]))
            else:
                picked = [("wiki", rng.choice(paragraphs)[:1000])] if rng.random() < 0.5 else []
            for kind, passage in picked:
                if not shingles(passage) & seen:
                    yield kind, passage


def medical(data: Path, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield passages of health pages and whole clinical notes."""
    with gzip.open(data / "k_medquad/medquad.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            text = re.sub(r"[ \t]+", " ", json.loads(line)["text"])
            if rng.random() < 0.16 and len(text) > 200:
                start = 0 if rng.random() < 0.5 else rng.randrange(len(text) // 2)
                start = text.find(" ", start) + 1 if start else 0
                yield "med", text[start : start + 900]
    for name in ("train_notes", "valid_notes"):
        with open(data / f"aci_bench/{name}.jsonl", encoding="utf-8") as file:
            for line in file:
                yield "aci", json.loads(line)["note"]


def gold(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of gold sets that lack entity types (treebanks' training parts, actor summaries)."""
    for name in ("ud_ewt/ewt_train", "ud_gum_ccby/gum_train"):
        for tree in treebank.read(data / f"{name}.conllu.gz"):
            yield "gold:" + tree.id, tree.text
    with open(data / "actors50/actors_dev20.jsonl", encoding="utf-8") as file:
        for record in map(json.loads, file):
            yield "gold:" + record["doc_id"], record["text"]


def main() -> None:
    """Write one JSON a line: kind, text, tokens [start, end, upos], sentences, chunks, entities [start, end, type]."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--spacy", required=True, help="path of the teacher pipeline")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--limit", type=int, default=8_000_000, help="characters in all")
    args = parser.parse_args()
    import spacy

    rng = random.Random(args.seed)
    seen, names = evaluated(args.data)
    passages = [*gold(args.data), *wiki(args.data, rng, seen, names), *medical(args.data, rng)]
    rng.shuffle(passages)
    counts: dict[str, int] = {}
    kept, total = [], 0
    for kind, passage in passages:
        if total < args.limit or kind == "aci" or kind.startswith("gold:"):
            kept.append((kind, passage))
            total += len(passage)
            group = kind.partition(":")[0]
            counts[group] = counts.get(group, 0) + len(passage)
    print("characters", total, counts, "of", sum(len(p) for _, p in passages), flush=True)
    nlp = spacy.load(args.spacy, disable=["lemmatizer"])
    with gzip.open(args.out, "wt", encoding="utf-8") as out:
        for (kind, _), doc in zip(kept, nlp.pipe((p for _, p in kept), batch_size=64), strict=True):
            record = {
                "kind": kind,
                "text": doc.text,
                "tokens": [[t.idx, t.idx + len(t), t.pos_] for t in doc],
                "sentences": [[s.start_char, s.end_char] for s in doc.sents],
                "chunks": [[c.start_char, c.end_char] for c in doc.noun_chunks],
                "entities": [[e.start_char, e.end_char, e.label_] for e in doc.ents],
            }
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
