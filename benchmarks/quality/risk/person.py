"""The model `person` on texts about private people: what it hides.

    python benchmarks/quality/risk/person.py DATA INDEX ENCODER

On what the encoder alone finds, and on what all annotators of the policy `person` find (the shipped encoder, patterns).
A word counts once, however many findings cover it. Ages are those written "50-year-old".
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import annotate, notes, write

from tacenda import Sanitizer
from tacenda.annotate.encoder import Encoder
from tacenda.knowledge.index import open_index
from tacenda.policy import load
from tacenda.risk.person import DIRECT, Person
from tacenda.term import tokens

AGE = re.compile(r"\b\d+-year-old")
SETTINGS = ((5, False), (5, True), (20, True))


def measure(model, texts, read):
    """Return what the model hides in all texts."""
    hidden = total = direct = left = ages = aged = 0
    for (_, text), (mentions, context) in zip(texts, read, strict=True):
        risks = list(model.assess(mentions, context))
        gone = {i for risk in risks for i in risk.mentions}
        flags = bytearray(len(text))
        for i in gone:
            flags[mentions[i].start : mentions[i].end] = b"\1" * (mentions[i].end - mentions[i].start)
        places = [(token.start, token.end) for token in tokens(text)]
        hidden += sum(any(flags[start:end]) for start, end in places)
        total += len(places)
        direct += sum(len(risk.mentions) for risk in risks if risk.reason == DIRECT)
        spans = [match.span() for match in AGE.finditer(text)]
        ages, aged = ages + sum(any(flags[start:end]) for start, end in spans), aged + len(spans)
        after = [replace(m, text="") if i in gone else m for i, m in enumerate(mentions)]
        left += len(list(model.assess(after, context)))
    return {
        "share of words hidden": round(hidden / total, 3),
        "direct identifiers": direct,
        "ages hidden": f"{ages} of {aged}",
        "risks left after hiding": left,
    }


def main() -> None:
    """Run both sets with each setting."""
    data, index, encoder = Path(sys.argv[1]), open_index(sys.argv[2]), Encoder(sys.argv[3])
    lines = (data / "nvidia_bios" / "bios.jsonl").read_text("utf-8").splitlines()
    bios = [(record["id"], record["text"]) for record in map(json.loads, lines)]
    result = {}
    for found, by in (("encoder", encoder), ("all annotators", Sanitizer(load("person")))):
        for title, texts in (("aci_bench, 20 notes", list(islice(notes(data), 20))), ("nvidia_bios", bios)):
            read = [annotate(by, name, text, ()) for name, text in texts]
            for k, phrases in SETTINGS:
                model = Person(index=index, k=k, noun_phrases=phrases)
                facts = "with noun phrases" if phrases else "names, places, dates, attributes"
                result[f"{found}: {title}, k = {k}, {facts}"] = measure(model, texts, read)
    write("person", result)


main()
