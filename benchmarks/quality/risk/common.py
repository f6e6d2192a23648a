"""What the risk benchmarks share: documents, entities, mentions, and one half of an index."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.knowledge.index import open_index
from tacenda.model import Context, Document, Mention, Protected
from tacenda.plan.rewrite import lines

HERE = Path(__file__).parent
MEDICAL = ("patient", "disease", "symptom", "medication", "diagnosis", "clinical", "therapy")


def articles(data: Path, characters: int) -> Iterator[tuple[str, str]]:
    """Yield name and beginning of the articles of paper 001."""
    with gzip.open(data / "paper_articles" / "paper_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["paper"] == "b":
                yield record["name"], record["text"][:characters]


def notes(data: Path) -> Iterator[tuple[str, str]]:
    """Yield id and text of the clinical notes."""
    for name in ("train_notes.jsonl", "valid_notes.jsonl"):
        for line in (data / "aci_bench" / name).read_text("utf-8").splitlines():
            record = json.loads(line)
            yield record["id"], record["note"]


def health() -> tuple[Protected, ...]:
    """Return what the shipped policy `health` protects."""
    from tacenda.policy import load

    return load("health").protect


def annotate(encoder: Any, name: str, text: str, protected: Sequence[Protected]) -> tuple[tuple[Mention, ...], Context]:
    """Return the mentions of a text and their context."""
    document = Document(text, name)
    found = encoder.annotate(document)
    return found.mentions, Context(document, found.sentences, lines(text), tuple(protected))


@dataclass
class HalfFound:
    """The windows of a term in one half."""

    windows: np.ndarray
    count: Any
    everywhere: bool = False


class Half:
    """One half of an index: every other article. Counts are those of an index built from that half."""

    def __init__(self, path: Path, parity: int) -> None:
        self.whole = open_index(path)
        self.parity = parity
        self.article_starts = self.whole.article_starts
        numbers = np.searchsorted(self.article_starts, np.arange(self.whole.total), side="right")
        self.member = numbers % 2 == parity
        self.total = int(self.member.sum())

    def find(self, term: Any) -> HalfFound:
        """Return the windows of this half that hold a term."""
        found = self.whole.find(term)
        windows = np.asarray(found.windows, dtype=np.int64)
        windows = windows[self.member[windows]]
        number = found.count.number
        if number is not None and not found.everywhere:
            number = len(windows)
        return HalfFound(windows, replace(found.count, number=number), found.everywhere)

    def information(self, term: str) -> float:
        """Return the information of a term in the whole index."""
        return self.whole.information(term)


def write(name: str, result: dict[str, Any]) -> None:
    """Write a result beside the script, and print it."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (HERE / "results" / f"{name}.json").write_text(text + "\n", "utf-8")
    print(text)
