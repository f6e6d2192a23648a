"""Build the English index that comes with the package, from the three collections it is made of.

    python scripts/build_index.py DATA -o src/tacenda/data/english/english.tix
    python scripts/build_index.py DATA -o eval.tix --exclude evaluated.jsonl --exclude others.jsonl.gz

DATA holds k_wiki9k/wiki_full.jsonl.xz (8,600 English Wikipedia articles, CC BY-SA 3.0), k_medquad/medquad.jsonl.gz
(NIH health pages of MedQuAD, CC BY 4.0) and k_actors/actor_abstracts.jsonl.gz (Wikipedia abstracts, CC BY-SA 3.0).

With --exclude FILE (JSONL with `text` and a title) evaluated documents stay out, by title or id and by near-duplicate:
a paragraph of which at least half of the eight-word sequences occur in an excluded text is dropped.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path

from tacenda import term
from tacenda.knowledge.index import BuildOptions, build_index
from tacenda.knowledge.index.mediawiki import without_maintenance

SOURCES = ("k_wiki9k/wiki_full.jsonl.xz", "k_medquad/medquad.jsonl.gz", "k_actors/actor_abstracts.jsonl.gz")
TITLES = ("title", "name", "source_title", "doc_id")
SHINGLE = 8
DESCRIBE = {
    "name": "english",
    "language": "en",
    "license": "CC BY-SA 3.0",
    "sources": [
        "English Wikipedia, 8,600 articles (early 2018), CC BY-SA 3.0",
        "MedQuAD, 5,486 NIH health pages, CC BY 4.0",
        "English Wikipedia, 20,136 abstracts, CC BY-SA 3.0",
    ],
}


def records(path: Path) -> Iterator[dict[str, str]]:
    """Records of a JSONL file, compressed or not."""
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


class Excluded:
    """Titles, ids and word sequences of documents that must stay out."""

    def __init__(self, files: list[Path]) -> None:
        self.titles: set[str] = set()
        self.shingles: set[int] = set()
        for file in files:
            for record in records(file):
                self.titles.update(term.normalize(record[key]) for key in TITLES if record.get(key))
                for part in (record.get("text") or "", record.get("lead") or ""):
                    self.shingles.update(shingles(part))

    def clean(self, record: dict[str, str]) -> str:
        """Text of a record without near-duplicates; nothing if the record itself is excluded."""
        if any(term.normalize(record[key]) in self.titles for key in TITLES if record.get(key)):
            return ""
        if not self.shingles:
            return record["text"]
        return "\n".join(part for part in record["text"].split("\n") if not self.is_near_duplicate(part))

    def is_near_duplicate(self, paragraph: str) -> bool:
        """Whether half of the word sequences of a paragraph are in an excluded text."""
        found = shingles(paragraph)
        return bool(found) and sum(s in self.shingles for s in found) * 2 >= len(found)


def shingles(text: str) -> list[int]:
    """Hashes of the eight-word sequences of a text."""
    words = term.words(text)
    return [hash(tuple(words[n : n + SHINGLE])) for n in range(len(words) - SHINGLE + 1)]


def pieces(data: Path, excluded: Excluded) -> Iterator[tuple[int, str]]:
    """Articles of the three collections."""
    number = 0
    for source in SOURCES:
        for record in records(data / source):
            text = excluded.clean(record)
            yield number, without_maintenance(text) if "wiki" in source else text
            number += 1


def main() -> None:
    """Parse the arguments and build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--exclude", type=Path, action="append", default=[])
    parser.add_argument("--unit", default="window")
    parser.add_argument("--most-share", type=float, default=1 / 8, help="words in more windows keep only their count")
    parser.add_argument("--processes", type=int, default=0)
    arguments = parser.parse_args()
    options = BuildOptions(unit=arguments.unit, most_share=arguments.most_share, processes=arguments.processes)
    excluded = Excluded(arguments.exclude)
    print(build_index(arguments.output, pieces(arguments.data, excluded), options=options, describe=DESCRIBE))


if __name__ == "__main__":
    main()
