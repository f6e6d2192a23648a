"""Run spaCy and Presidio (with the same spaCy model) over every evaluated text; write what they found as offsets.

python -m benchmarks.quality.detection.peers --data DATA --spacy PATH --out peers.json
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from benchmarks.quality.detection.texts import treebank_dev, typed_texts

NOUN = {"NOUN", "PROPN"}


def spacy_spans(nlp: object, texts: dict[str, str]) -> dict[str, dict[str, list]]:
    """Entities and noun chunks (pronouns left out) of every text."""
    result = {}
    for name, doc in zip(texts, nlp.pipe(texts.values(), batch_size=32), strict=True):  # type: ignore[attr-defined]
        result[name] = {
            "entities": [[e.start_char, e.end_char, e.label_] for e in doc.ents],
            "phrases": [[c.start_char, c.end_char] for c in doc.noun_chunks if c.root.pos_ != "PRON"],
        }
    return result


def spacy_tags(nlp: object, trees: list) -> tuple[int, int]:
    """Right tags and all tags, on the treebank's own words and sentences (the kindest way to measure it)."""
    from spacy.tokens import Doc

    right = total = 0
    for tree in trees:
        for sentence in tree.sentences:
            doc = nlp(Doc(nlp.vocab, words=[w.text for w in sentence]))  # type: ignore[attr-defined, operator]
            right += sum(t.pos_ == w.upos for t, w in zip(doc, sentence, strict=True))
            total += len(sentence)
    return right, total


def main() -> None:
    """Run both peers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--spacy", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    import spacy

    nlp = spacy.load(args.spacy)
    texts = typed_texts(args.data)
    trees = treebank_dev(args.data)
    found: dict = {"spacy": spacy_spans(nlp, texts), "tags": {}}
    for source, documents in trees.items():
        found["tags"][source] = spacy_tags(nlp, documents)
        found["spacy"].update(spacy_spans(nlp, {f"{source}:{t.id}": t.text for t in documents}))
    args.out.write_text(json.dumps(found))
    print("spacy done", round(time.process_time()), flush=True)
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "en"}])
    engine.nlp = {"en": nlp}
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    found["presidio"] = {
        name: {"entities": [[r.start, r.end, r.entity_type] for r in analyzer.analyze(text, "en")]}
        for name, text in texts.items()
    }
    args.out.write_text(json.dumps(found))
    print("presidio done", round(time.process_time()), flush=True)


if __name__ == "__main__":
    main()
