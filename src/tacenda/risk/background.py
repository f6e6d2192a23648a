"""What an attacker may have read about each of many people, made ready to search."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda import term
from tacenda.arrays.ngrams import LikelyText, NearestText, Shape
from tacenda.errors import KnowledgeError, UsageError
from tacenda.risk.match import rank_of

SHAPES = (
    Shape(lengths=(1, 2, 3)),
    Shape(lengths=(1, 2, 3), stop_words=False),
    Shape("letters", (4, 5)),
)
_NAME_KEYS = ("name", "id", "title")
_TEXT_KEYS = ("text", "public_knowledge", "background")


class Background:
    """Texts about people, by name, with the searches that attackers would run on them."""

    def __init__(self, texts: Mapping[str, str], *, shapes: Sequence[Shape] = SHAPES) -> None:
        if len(texts) < 2:
            raise KnowledgeError(f"a background of {len(texts)} people; re-identification needs at least two")
        self.names = tuple(texts)
        self._place = {name: number for number, name in enumerate(self.names)}
        self._folded = {term.fold(name): number for name, number in self._place.items()}
        held = list(texts.values())
        self.searches = (*(NearestText(held, shape) for shape in shapes), LikelyText(held))

    @classmethod
    def read(cls, path: str | Path) -> Background:
        """Read JSON Lines (also .gz) with a name and a text on each line."""
        texts: dict[str, str] = {}
        for line, record in _records(Path(path)):
            name, text = (next((record[k] for k in keys if k in record), None) for keys in (_NAME_KEYS, _TEXT_KEYS))
            if not isinstance(name, str) or not isinstance(text, str):
                raise KnowledgeError(
                    f"{path}, line {line}: a background needs a name ({', '.join(_NAME_KEYS)}) and a text"
                    f" ({', '.join(_TEXT_KEYS)}) on each line. This line has {', '.join(record) or 'nothing'}"
                )
            texts[name] = f"{texts[name]}\n{text}" if name in texts else text
        return cls(texts)

    @staticmethod
    def check_file(path: Path) -> None:
        """Refuse a background that is not there, before anything is done with documents."""
        if not path.is_file():
            raise KnowledgeError(
                f"background {path}: no such file. Give one JSON object on each line, with a name and a text"
                " about the person"
            )

    def place(self, name: str) -> int:
        """Number of a person; capitals and accents make no difference."""
        found = self._place.get(name, self._folded.get(term.fold(name)))
        if found is None:
            raise UsageError(
                f"the background contains nothing about '{name}'; it knows {len(self.names)} people. Check the"
                " spelling, or add a line about this person: a person can be hidden only among people in the background"
            )
        return found

    def rank(self, text: str, name: str) -> int:
        """Least rank that any of the attackers gives the right person (1: named first)."""
        right = self.place(name)
        return min(rank_of(search.scores(text), right) for search in self.searches)


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    Background.check_file(path)
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        try:
            for number, line in enumerate(file, 1):
                if line.strip():
                    record = json.loads(line)
                    yield number, record if isinstance(record, dict) else {}
        except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise KnowledgeError(f"background {path}: cannot be read as JSON Lines ({type(error).__name__})") from None
