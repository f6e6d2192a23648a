"""Score all that the policy `person` masks: entities, and the noun phrases that fit few people.

    python -m benchmarks.quality.detection.person --data DATA --heldout benchmarks/quality/detection/heldout.json

What is masked is what the risk models of the policy flag at first look. On court cases the entities are those of a
model that did not see the document (`heldout.json`; other cases are left out); noun phrases, and everything on
biographies and summaries, come from the shipped encoder, which was not trained on these. Settings were compared on all
of these documents: the two halves (every other document) show how far figures scatter; neither is held out.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.quality.detection import run
from benchmarks.quality.detection.texts import typed_texts
from tacenda import policy
from tacenda.annotate import combine
from tacenda.annotate.encoder import Encoder
from tacenda.annotate.patterns import Patterns
from tacenda.annotate.subject import find_subject
from tacenda.knowledge import open_index, open_taxonomy
from tacenda.model import Annotation, Context, Document, Mention
from tacenda.risk.entity import Entity
from tacenda.risk.person import Person

SCORES = {"tab": run.court, "bios": run.biographies, "actors": run.actors}


def annotation(encoder: Encoder, text: str, held: list | None) -> Annotation:
    """What the encoder finds; with `held`, its noun phrases beside the entities of another model."""
    found = encoder.annotate(Document(text))
    if held is None:
        return found
    entities = [Mention(a, b, text[a:b], label, "entity", "encoder", role=role) for a, b, label, role in held]
    terms = [m for m in found.mentions if m.kind == "term"]
    return Annotation(tuple(sorted([*entities, *terms], key=lambda m: m.start)), found.sentences)


def main() -> None:
    """Score three sets, whole and by halves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--heldout", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "person.json")
    args = parser.parse_args()
    heldout = json.loads(args.heldout.read_text())
    chosen = policy.load("person").risk
    models = (Entity(**chosen["entity"]), Person(index=open_index(), taxonomy=open_taxonomy(), **chosen["person"]))
    encoder, patterns = Encoder(), Patterns()
    diseases, medicines = open_taxonomy("diseases"), open_taxonomy("medicines")
    found: run.Found = {}
    for name, text in typed_texts(args.data).items():
        kind = name.partition(":")[0]
        if kind not in SCORES or (kind == "tab" and name not in heldout):
            continue
        document = Document(text)
        parts = [annotation(encoder, text, heldout[name]["entities"] if kind == "tab" else None)]
        parts.append(patterns.annotate(document))
        joined = combine(
            document,
            parts,
            is_disease=lambda phrase: bool(diseases.senses(phrase)),
            is_medicine=lambda phrase: bool(medicines.senses(phrase)),
        )
        subject = find_subject(document, joined)
        context = Context(document, joined.sentences, mentions=joined.mentions, subject=subject)
        risky = {n for model in models for risk in model.assess(joined.mentions, context) for n in risk.mentions}
        found[name] = [(m.start, m.end, m.label) for n, m in enumerate(joined.mentions) if n in risky]
    result = {}
    for kind, score in SCORES.items():
        names = [name for name in found if name.startswith(f"{kind}:")]
        parts_of = {"all": names, "first half": names[0::2], "second half": names[1::2]}
        result[kind] = {part: score(args.data, found, keep=set(kept)) for part, kept in parts_of.items()}
    args.out.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
