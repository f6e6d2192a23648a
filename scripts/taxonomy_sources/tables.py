"""Our own tables of beliefs, orientations and peoples: indented text, one concept a line."""

from __future__ import annotations

import re
from pathlib import Path

from tacenda.knowledge.taxonomy.compile import Node

FOLDER = Path(__file__).parent / "tables"
_LINK = re.compile(r"\s*=(\d{8}-n)\s*$")
_USUAL, _OTHER = 9, 1


def read(*names: str) -> tuple[list[Node], dict[int, str]]:
    """Concepts of the tables, and the WordNet synsets their tops are the same as."""
    nodes: list[Node] = []
    links: dict[int, str] = {}
    tops: dict[str, int] = {}
    for name in names:
        above: dict[tuple[int, int], int] = {}
        for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            depth = (len(line) - len(line.lstrip())) // 2
            sides = line.strip().split(" / ")
            words = [_words(side) for side in sides]
            for side, (lemmas, link, hidden) in enumerate(words):
                if link in tops:
                    above[side, depth] = tops[link]
                    continue
                # What the people are called also tells the belief, and the other way round, as a rarer sense.
                other = tuple(w for i, (more, at, _) in enumerate(words) if i != side and not at for w in more)
                parents = (above[side, depth - 1],) if depth else ()
                priors = (_USUAL,) * len(lemmas) + (_OTHER,) * len(other)
                above[side, depth] = len(nodes)
                if link:
                    links[len(nodes)] = link
                    tops[link] = len(nodes)
                    other, priors = (), priors[: len(lemmas)]
                nodes.append(Node(f"{len(nodes):04d}", lemmas + other, parents, priors=priors, hidden=hidden))
    return nodes, links


def _words(side: str) -> tuple[tuple[str, ...], str, bool]:
    match = _LINK.search(side)
    text = _LINK.sub("", side).strip()
    return tuple(part.strip() for part in text.lstrip("~").split("|")), match[1] if match else "", text.startswith("~")
