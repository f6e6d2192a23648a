"""Who is it about: what each risk model adds to the encoder, beside the systems the data give.

    python benchmarks/quality/risk/identity.py DATA INDEX ENCODER

Tokens are words; gold: the authors' sensitive spans (actors50), direct and quasi identifiers (wiki_replace100). An
entity is recalled if all its mentions are covered (actors50 has no entities: each span is one). INDEX must be built
without these documents. The encoder was trained on actors50: its row there is no held-out figure.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import annotate, write

from tacenda.annotate.encoder import Encoder
from tacenda.knowledge.index import open_index
from tacenda.risk.correlation import Correlation
from tacenda.risk.entity import Entity
from tacenda.risk.information import Information
from tacenda.risk.person import Person
from tacenda.term import tokens


def documents(data):
    """Yield set, id, text, gold spans by entity and the systems' spans."""
    for line in (data / "actors50" / "actors_dev20.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        gold = {str(i): [(s["start"], s["end"])] for i, s in enumerate(record["gold_sensitive"])}
        yield "actors50", record["doc_id"], record["text"], gold, {}
    for line in (data / "wiki_replace100" / "wiki_dev30.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        gold = {}
        for mention in next(iter(record["annotations"].values()))["entity_mentions"]:
            if mention["identifier_type"] != "NO_MASK":
                gold.setdefault(mention["entity_id"], []).append((mention["start_offset"], mention["end_offset"]))
        yield "wiki_replace100", record["doc_id"], record["text"], gold, record["system_spans"]


def inside(text, spans):
    """Return the numbers of the words that a span touches."""
    flags = bytearray(len(text) + 1)
    for start, end in spans:
        flags[start:end] = b"\1" * (end - start)
    return {i for i, token in enumerate(tokens(text)) if any(flags[token.start : token.end])}


def main() -> None:
    """Score every system and model."""
    data, index, encoder = Path(sys.argv[1]), open_index(sys.argv[2]), Encoder(sys.argv[3])
    models = {
        "entity, 3 types": [Entity(types=3)],
        "entity, 4 types": [Entity(types=4)],
        "entity, 7 types": [Entity(types=7)],
        "entity, all (the encoder)": [Entity()],
        "information > 9 bits": [Information(index=index, limit=9.0)],
        "correlation (000) alone": [Correlation(index=index)],
        "encoder + information > 9 bits": [Entity(), Information(index=index, limit=9.0)],
        "encoder + correlation": [Entity(), Correlation(index=index)],
        "person (k = 20)": [Person(index=index)],
        "person, no noun phrases (k = 20)": [Person(index=index, noun_phrases=False)],
    }
    scores: dict[tuple[str, str], list[int]] = {}
    for title, name, text, gold, systems in documents(data):
        mentions, context = annotate(encoder, name, text, ())
        found = {}
        for key, chosen in models.items():
            risks = [risk for model in chosen for risk in model.assess(mentions, context)]
            found[key] = [mentions[i].span for risk in risks for i in risk.mentions]
        found |= {f"[{key}]": [tuple(span[:2]) for span in spans] for key, spans in systems.items()}
        wanted = inside(text, [span for spans in gold.values() for span in spans])
        entities = [inside(text, spans) for spans in gold.values()]
        for key, spans in found.items():
            got = inside(text, spans)
            row = scores.setdefault((title, key), [0] * 5)
            row[0] += len(got & wanted)
            row[1] += len(got)
            row[2] += len(wanted)
            row[3] += sum(1 for entity in entities if entity and entity <= got)
            row[4] += sum(1 for entity in entities if entity)
    result: dict[str, dict[str, dict[str, float]]] = {}
    for (title, key), (both, got, wanted_, covered, entities_) in scores.items():
        p, r = both / max(1, got), both / max(1, wanted_)
        f = 2 * p * r / (p + r) if p + r else 0.0
        row = {"precision": p, "recall": r, "F1": f, "entity recall": covered / max(1, entities_)}
        result.setdefault(title, {})[key] = {k: round(v, 3) for k, v in row.items()}
    write("identity", result)


main()
