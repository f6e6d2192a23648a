"""Medicines, tests and signs: what each is, and what it is for (tables/medicines.csv, medicines_by_class.txt).

kind        condition or class (class: the wider one), medicine, test, sign (no class, only uses), stem (an ending of
            generic names, "-navir", or a beginning, "cef-")
name, also  the generic or usual name, and other names parted by "|": brands, abbreviations
class       what may stand in its place
uses        what it is for, parted by "|", what it is mainly for first

The table was written for this purpose from general pharmacological knowledge; generic names and stems are those of
the World Health Organization's international nonproprietary names, which are free to use. No database was copied.
"""

from __future__ import annotations

import csv
import re
from itertools import product
from typing import Any

from tacenda.knowledge.taxonomy.compile import Node
from tacenda.term import normalize
from taxonomy_sources.tables import FOLDER

LINKS = {"medicine": "03740161-n", "medical procedure": "01024392-n"}
_USUAL = 9


def rows() -> list[dict[str, str]]:
    """Rows of the table, then those of the names by class that it lacks."""
    with (FOLDER / "medicines.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    known = {normalize(name) for row in table for name in _names(row)}
    for line in (FOLDER / "medicines_by_class.txt").read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, class_, uses, names = (part.strip() for part in line.split("|"))
            for name in (spelled for given in names.split(";") for spelled in _spelled_out(given.strip())):
                if name and normalize(name) not in known:
                    known.add(normalize(name))
                    table.append({"kind": kind, "name": name, "also": "", "class": class_, "uses": uses})
    return table


def _spelled_out(name: str) -> list[str]:
    """Return every name that braces stand for.

    >>> _spelled_out("{sore,ulcer} on the {penis,vulva}")[:3]
    ['sore on the penis', 'sore on the vulva', 'ulcer on the penis']
    """
    parts = re.split(r"\{([^}]*)\}", name)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    return [" ".join("".join(chosen).split()) for chosen in product(*choices)]


def read() -> tuple[list[Node], dict[int, str], dict[str, Any]]:
    """Concepts with a class, the WordNet synsets of the tops, and what the taxonomy says about uses."""
    table = rows()
    listed = [row for row in table if row["kind"] in ("class", "medicine", "test")]
    classes = {row["name"]: number for number, row in enumerate(listed) if row["kind"] == "class"}
    nodes = []
    for number, row in enumerate(listed):
        lemmas = _names(row)
        parents = (classes[row["class"]],) if row["class"] else ()
        if not parents and row["name"] not in LINKS:
            raise SystemExit(f"medicines.csv: {row['name']!r} has no class")
        nodes.append(Node(f"{number:04d}", lemmas, parents, priors=(_USUAL,) * len(lemmas)))
    return nodes, {classes[name]: synset for name, synset in LINKS.items()}, _uses(table)


def _names(row: dict[str, str]) -> tuple[str, ...]:
    return (row["name"], *filter(None, row["also"].split("|")))


def _uses(table: list[dict[str, str]]) -> dict[str, Any]:
    """Names by what they are for, main use first; conditions and what they belong to; stems of names."""
    wider = {row["name"]: row["class"] for row in table if row["kind"] == "condition"}
    by_use: dict[str, list[str]] = {}
    for row in table:
        if row["uses"] and row["kind"] != "stem":
            by_use.setdefault(row["uses"], []).extend(_names(row))
    for name, use in _class_uses(table, wider).items():
        row = next(row for row in table if row["kind"] == "class" and row["name"] == name)
        by_use.setdefault(use, []).extend(_names(row))
    stems = [[row["name"], row["uses"].split("|")] for row in table if row["kind"] == "stem"]
    return {
        "wider": wider,
        "uses": [[uses.split("|"), sorted(set(names))] for uses, names in sorted(by_use.items())],
        "stems": sorted(stems, key=lambda stem: (-len(stem[0]), stem[0])),
    }


def _class_uses(table: list[dict[str, str]], wider: dict[str, str]) -> dict[str, str]:
    """Classes of which every member is mainly for one listed condition: their name tells it as well."""
    members: dict[str, list[str]] = {row["name"]: [] for row in table if row["kind"] == "class"}
    above = {row["name"]: row["class"] for row in table if row["kind"] == "class"}
    for row in table:
        at = row["class"] if row["kind"] in ("medicine", "test") else ""
        while at:
            members[at].append(row["uses"].split("|")[0])
            at = above[at]
    found = {}
    for name, uses in members.items():
        shared = [use for use in _and_wider(uses[0], wider) if use in wider] if uses else []
        shared = [use for use in shared if all(use in _and_wider(other, wider) for other in uses)]
        if shared:
            found[name] = shared[0]
    return found


def _and_wider(use: str, wider: dict[str, str]) -> list[str]:
    found = [use]
    while wider.get(found[-1]):
        found.append(wider[found[-1]])
    return found
