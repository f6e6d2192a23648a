"""The model `person` on texts about private people: what it hides, and how many people fit the rest.

python benchmarks/risk/person.py DATA INDEX ENCODER
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import annotate, notes, write

from tacenda.annotate.encoder import Encoder
from tacenda.knowledge.index import open_index
from tacenda.risk.person import DIRECT, Person
from tacenda.term import words


def main() -> None:
    """Run both sets at three populations."""
    data, index, encoder = Path(sys.argv[1]), open_index(sys.argv[2]), Encoder(sys.argv[3])
    lines = (data / "nvidia_bios" / "bios.jsonl").read_text("utf-8").splitlines()
    bios = [(record["id"], record["text"]) for record in map(json.loads, lines)]
    result = {}
    for title, texts in (("aci_bench, 20 notes", list(islice(notes(data), 20))), ("nvidia_bios", bios)):
        read = [annotate(encoder, name, text, ()) for name, text in texts]
        for population, phrases in ((10_000, False), (1_000_000, False), (8_000_000_000, False), (8_000_000_000, True)):
            model = Person(index=index, population=population, noun_phrases=phrases)
            hidden = total = direct = left = 0
            for (_, text), (mentions, context) in zip(texts, read, strict=True):
                risks = list(model.assess(mentions, context))
                gone = {i for risk in risks for i in risk.mentions}
                hidden += sum(len(words(mentions[i].text)) for i in gone)
                direct += sum(len(risk.mentions) for risk in risks if risk.note == DIRECT)
                total += len(words(text))
                after = [replace(m, text="") if i in gone else m for i, m in enumerate(mentions)]
                left += len(list(model.assess(after, context)))
            facts = "with noun phrases" if phrases else "names, places, dates, attributes"
            result[f"{title}, population {population:,}, {facts}"] = {
                "share of words hidden": round(hidden / total, 3),
                "direct identifiers": direct,
                "risks left after hiding": left,
            }
    write("person", result)


main()
