"""Data that several papers need: files, articles, the index to count in."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.made_with import file_digest
from tacenda.errors import InputError
from tacenda.knowledge import open_index


@dataclass(frozen=True)
class Given:
    """What the experiments run on.

    data          folder with the data
    index         index of counts, to be built without the documents reported on; None: the embedded one
    vectors       vectors trained without the documents reported on (paper 004); None: no row is called trained
    words         the same, trained on single words without phrases (paper 004)
    """

    data: Path
    index: Path | None = None
    vectors: Path | None = None
    words: Path | None = None

    def __post_init__(self) -> None:
        if not self.data.is_dir():
            raise InputError(f"{self.data}: no such folder; --data names the folder that holds the data of the papers")
        for path in (self.index, self.vectors, self.words):
            if path is not None and not path.is_file():
                raise InputError(f"{path}: no such file")

    def files(self) -> dict[str, str]:
        """Digests of the files given beside the data."""
        given = {"index given": self.index, "vectors given": self.vectors, "vectors of words given": self.words}
        return {name: file_digest([path]) for name, path in given.items() if path is not None}


def file_of(data: Path, name: str, paper: str) -> Path:
    """Return a file of the data folder, or say what the paper's experiments need."""
    path = data / name
    if not path.is_file():
        raise InputError(f"{path}: not found; the experiments of paper {paper} need {name} in the data folder")
    return path


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON Lines file, gzipped or not."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def articles(data: Path, paper: str, letter: str) -> dict[str, dict[str, Any]]:
    """Return the Wikipedia articles that a paper names ('a' for 000, 'b' for 001), by name."""
    path = file_of(data, "paper_articles/paper_articles.jsonl.gz", paper)
    return {record["name"]: record for record in records(path) if record["paper"] == letter}


def index_to_count_in(path: Path | None) -> tuple[Any, str]:
    """Open the index; the sentence says whether it has seen the documents."""
    if path is None:
        return open_index(), (
            "Counts: the index that comes with Tacenda. It was built with these articles, so the figures are better "
            "than they should be; --index takes one built without them."
        )
    return open_index(
        str(path)
    ), f"Counts: {path.name}, an index of the same collections built without these documents."
