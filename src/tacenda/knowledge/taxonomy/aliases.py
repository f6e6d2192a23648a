"""The alias table: ties what people write to what the taxonomies hold."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tacenda.errors import KnowledgeError
from tacenda.term import normalize


def load(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a table of aliases: key of each form -> the concepts it stands for, "taxonomy:term" or "taxonomy:#id"."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["alias"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise KnowledgeError(f"{path}: not a table of aliases ({error}).") from error
    table: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        for form in entry["forms"]:
            known = table.get(normalize(form), ())
            table[normalize(form)] = tuple(dict.fromkeys((*known, *entry["concepts"])))
    return table
