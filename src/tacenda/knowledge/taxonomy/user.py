"""A user's own taxonomy: CSV (child, parent[, count]), OBO, or the release files of SNOMED CT (RF2).

Whatever is wrong with a file is told with its name and line, and nothing is built from it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy.compile import CycleError, Node
from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import normalize

_IS_A, _FULL_NAME, _SYNONYM = "116680003", "900000000000003001", "900000000000013009"
_TAG = re.compile(r"\s*\([^()]*\)$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_HEADERS = {("child", "parent"), ("child", "parent", "count")}


def load(path: Path) -> Graph:
    """Read a user's taxonomy, by the ending of its file; a folder is taken for RF2."""
    if path.is_dir():
        return _rf2(path)
    readers = {".csv": _csv, ".obo": _obo}
    if path.suffix.lower() not in readers:
        raise KnowledgeError(
            f"{path}: unknown kind of taxonomy. Use a .csv, .obo or .tax file, or a folder of RF2 files."
        )
    return readers[path.suffix.lower()](path)


def _fail(path: Path, line: int, message: str) -> KnowledgeError:
    return KnowledgeError(f"{path}, line {line}: {message}")


@dataclass
class _Draft:
    """Concepts and edges as they are read, each with the line that said so."""

    path: Path
    lemmas: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    edges: dict[tuple[str, str], int] = field(default_factory=dict)

    def name(self, id_: str, lemma: str, line: int) -> None:
        if not normalize(lemma):
            raise _fail(self.path, line, "an empty term. Give every concept a name.")
        known = self.lemmas.setdefault(id_, [])
        if lemma not in known:
            known.append(lemma)

    def edge(self, child: str, parent: str, line: int) -> None:
        if (child, parent) in self.edges:
            first = self.edges[child, parent]
            raise _fail(self.path, line, f"the same child and parent as in line {first}. Delete one of the lines.")
        self.edges[child, parent] = line

    def graph(self, name: str) -> Graph:
        if not self.lemmas:
            raise KnowledgeError(
                f"{self.path}: contains no concept. A taxonomy needs at least one child and its parent."
            )
        ids = list(self.lemmas)
        position = {id_: i for i, id_ in enumerate(ids)}
        above: dict[str, list[int]] = {id_: [] for id_ in ids}
        for (child, parent), line in self.edges.items():
            if parent not in position or child not in position:
                raise _fail(self.path, line, f"'{parent if child in position else child}' is not defined in the file.")
            above[child].append(position[parent])
        nodes = [Node(id_, tuple(self.lemmas[id_]), tuple(above[id_]), self.counts.get(id_, 1.0)) for id_ in ids]
        try:
            return Graph.compile(name, nodes, source=str(self.path), names=True)
        except CycleError as error:
            on = ids[error.node]
            line = next(line for (child, parent), line in self.edges.items() if child == on)
            raise _fail(self.path, line, f"'{self.lemmas[on][0]}' is above itself (a cycle).") from error


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines of a file; one that is not UTF-8 is an error."""
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, line in enumerate(file, 1):
                yield number, line
    except UnicodeDecodeError as error:
        raise _fail(path, number + 1, "not UTF-8 text. Save the file as UTF-8.") from error
    except OSError as error:
        raise KnowledgeError(f"{path}: cannot be read ({error.strerror}). Check the path.") from error


def _csv(path: Path) -> Graph:
    draft = _Draft(path)
    rows = csv.reader((line for _, line in _lines(path)), strict=True)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not cells or (rows.line_num == 1 and tuple(cell.lower() for cell in cells) in _HEADERS):
                continue
            _csv_row(draft, cells, rows.line_num)
    except csv.Error as error:
        raise _fail(path, rows.line_num, f"not CSV, or the file breaks off ({error}).") from error
    return draft.graph(path.stem)


def _csv_row(draft: _Draft, cells: list[str], line: int) -> None:
    if len(cells) not in (2, 3):
        raise _fail(draft.path, line, f"{len(cells)} columns. Each line holds child, parent and, if wanted, a count.")
    child, parent = cells[:2]
    if child and not parent:
        raise _fail(draft.path, line, f"'{child}' has no parent. Leave roots out: they are named as parents.")
    draft.name(normalize(child), child, line)
    draft.name(normalize(parent), parent, line)
    if normalize(child) == normalize(parent):
        raise _fail(draft.path, line, f"'{child}' is its own parent (a cycle).")
    draft.edge(normalize(child), normalize(parent), line)
    if len(cells) == 3 and cells[2]:
        try:
            draft.counts[normalize(child)] = float(cells[2])
        except ValueError:
            raise _fail(draft.path, line, f"'{cells[2]}' is not a count. Write a number.") from None
        if not draft.counts[normalize(child)] > 0:
            raise _fail(draft.path, line, f"a count of {cells[2]}. Counts must be greater than zero.")


def _obo(path: Path) -> Graph:
    draft = _Draft(path)
    stanza: list[tuple[int, str, str]] = []
    inside, begun = False, 0
    for number, line in _lines(path):
        text = line.split(" ! ")[0].strip()
        if text.startswith("["):
            _obo_term(draft, stanza, begun, inside=inside)
            stanza, inside, begun = [], text == "[Term]", number
        elif ":" in text and not text.startswith("!"):
            tag, _, value = text.partition(":")
            stanza.append((number, tag.strip(), value.strip()))
    _obo_term(draft, stanza, begun, inside=inside)
    return draft.graph(path.stem)


def _obo_term(draft: _Draft, stanza: list[tuple[int, str, str]], begun: int, *, inside: bool) -> None:
    """Add one [Term]; an obsolete one is skipped."""
    if not inside or any(tag == "is_obsolete" and value == "true" for _, tag, value in stanza):
        return
    ids = [(line, value) for line, tag, value in stanza if tag == "id" and value]
    names = [(line, value) for line, tag, value in stanza if tag == "name"]
    if not ids or not names:
        raise _fail(draft.path, begun, "a [Term] without id or name. The file may break off here.")
    line, id_ = ids[0]
    if id_ in draft.lemmas:
        raise _fail(draft.path, line, f"'{id_}' is defined twice. Delete one of them.")
    draft.name(id_, names[0][1], names[0][0])
    for number, tag, value in stanza:
        if tag == "synonym":
            quoted = _QUOTED.match(value)
            if not quoted:
                raise _fail(draft.path, number, 'a synonym without quotes. Write synonym: "text" EXACT [].')
            if " EXACT" in value[quoted.end() :]:
                draft.name(id_, quoted[1].replace('\\"', '"'), number)
        elif tag == "is_a":
            draft.edge(id_, value.split("{")[0].strip(), number)


def _rf2(folder: Path) -> Graph:
    draft = _Draft(_release_file(folder, "Relationship"))
    active = {row[0] for _, row in _release_rows(_release_file(folder, "Concept"), 5) if row[2] == "1"}
    descriptions = _release_file(folder, "Description")
    synonyms: list[tuple[str, str, int]] = []
    for line, row in _release_rows(descriptions, 9):
        if row[2] != "1" or row[4] not in active:
            continue
        if not normalize(row[7]):
            raise _fail(descriptions, line, "an empty term. Give every concept a name.")
        if row[6] == _FULL_NAME:
            draft.name(row[4], _TAG.sub("", row[7]) or row[7], line)
        elif row[6] == _SYNONYM:
            synonyms.append((row[4], row[7], line))
    for id_, text, line in synonyms:
        draft.name(id_, text, line)
    for line, row in _release_rows(draft.path, 10):
        if row[2] == "1" and row[7] == _IS_A:
            draft.edge(row[4], row[5], line)
    return draft.graph("snomed")


def _release_file(folder: Path, kind: str) -> Path:
    found = sorted(folder.rglob(f"*sct2_{kind}_*Snapshot*.txt"))
    english = [path for path in found if "-en" in path.name] or found
    if not english:
        raise KnowledgeError(f"{folder}: no file sct2_{kind}_Snapshot*.txt. Give the folder of an RF2 release.")
    return english[0]


def _release_rows(path: Path, columns: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in _lines(path):
        row = line.rstrip("\r\n").split("\t")
        if len(row) != columns:
            raise _fail(path, number, f"{len(row)} columns instead of {columns}. The file may break off here.")
        if number > 1:
            yield number, row
