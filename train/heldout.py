"""Turn the fold models' probabilities into spans (offsets only), for scoring on documents they were not trained on.

python -m train.heldout --data DATA --silver silver.jsonl.gz --gold gold.npz --folds s0.npz [s1.npz ...]
    --model src/tacenda/data/encoder --vocabulary vocabulary.txt --out benchmarks/quality/detection/heldout.json

Documents of folds without a model are left out. What no model learns from (actor summaries, biographies) is read with
the model on all folds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tacenda.annotate.encoder import Encoder, decode
from tacenda.annotate.encoder.annotator import _Words
from tacenda.annotate.encoder.pieces import split, windows
from tacenda.annotate.encoder.wordpiece import WordPiece
from train import corpora, pack

FREE = {*pack.UNTRAINED, "bios"}  # no model learns from these
Found = list[tuple[int, int, str, str]]


class Folds:
    """Every evaluated document with the probabilities of a model that was not trained on it."""

    def __init__(self, args: argparse.Namespace) -> None:
        with np.load(args.gold) as arrays:
            rows, pieces_in_all = arrays["rows"], len(arrays["ids"])
        starts = np.concatenate(([0], np.cumsum(rows[:, 0], dtype=np.int64)))
        models = {n: _probabilities(path, pieces_in_all) for n, path in enumerate(args.folds)}
        everything = Encoder(args.model)
        tokenizer = WordPiece.load(args.vocabulary)
        examples = pack.load(args.data, list(corpora.lines(args.silver)))
        folds = pack.splits(examples, 7)
        known = [(e.source, e.doc, e.text, folds.get(e.source, {}).get(e.doc, -1)) for e in examples]
        known = [e for e in known if e[3] >= 0 or e[0].endswith("_dev")]
        lives = corpora.lines(args.data / "wiki_replace100/wiki_dev30.jsonl")
        known += [("bios", r["doc_id"], r["text"], -1) for r in lives]
        self.documents: list[tuple[str, str, str, int, list[tuple[_Words, np.ndarray]]]] = []
        row = 0
        for source, doc, text, fold in known:
            pieces, parts = split(text, tokenizer), []
            for window in windows(pieces, text):
                if fold in models and source not in FREE and not source.endswith("_dev"):
                    words = _Words(pieces, window)
                    parts.append((words, models[fold][starts[row] : starts[row + 1]][words.at]))
                row += 1
            if source in FREE:
                read = everything._run(pieces, text)
                parts = [(w := _Words(pieces, window), decode.softmax(scores[w.at])) for window, scores, _ in read]
            if parts:
                self.documents.append((source, doc, text, fold, parts))

    def entities(self, entity: float, mask: dict[str, float]) -> Iterator[tuple[str, str, int, Found]]:
        """Set, name, fold and entities of every document, for given limits."""
        for source, doc, text, fold, parts in self.documents:
            # On WikiGold names alone are scored, not what needs masking.
            limits = dict.fromkeys(decode.TYPES, 1.0) if source == "wikigold" else mask
            found: Found = []
            for words, probabilities in parts:
                for f in decode.entities(probabilities, entity=entity, mask=limits):
                    span = words.trim(text, f.first, f.last)
                    if span is not None:
                        found.append((*span, f.label, f.role))
            yield source, doc, fold, found


def _probabilities(path: Path, pieces: int) -> np.ndarray:
    with np.load(path) as file:
        used = np.unpackbits(file["used"])[:pieces].astype(bool)
        flat = np.zeros((pieces, decode.WIDTH), dtype=np.float32)
        flat[used] = file["probabilities"] / 255.0
    return flat


def options(description: str | None) -> argparse.ArgumentParser:
    """What reading the fold models' probabilities takes."""
    parser = argparse.ArgumentParser(description=description)
    for name in ("--data", "--silver", "--gold", "--vocabulary", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--folds", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path, required=True, help="folder of the model trained on all folds")
    return parser


def main() -> None:
    """Write {set:document: {entities: [start, end, type, role], fold}}."""
    args = options(__doc__).parse_args()
    limits = json.loads((args.model / "config.json").read_text())["thresholds"]
    result = {
        f"{source}:{doc}": {"fold": fold, "entities": found}
        for source, doc, fold, found in Folds(args).entities(limits["entity"], limits["mask"])
        if source != "presidio"
    }
    args.out.write_text(json.dumps(result, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
