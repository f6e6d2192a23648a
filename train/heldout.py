"""Turn the fold models' probabilities into spans (offsets only), for scoring on documents they were not trained on.

python -m train.heldout --data DATA --silver silver.jsonl.gz --gold gold.npz --folds s0.npz s1.npz s2.npz s3.npz
    --config src/tacenda/data/encoder/config.json --vocabulary vocabulary.txt --out benchmarks/detection/heldout.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from tacenda.annotate.encoder import decode
from tacenda.annotate.encoder.annotator import _Words
from tacenda.annotate.encoder.pieces import split, windows
from tacenda.annotate.encoder.wordpiece import WordPiece
from train import corpora, pack


def main() -> None:
    """Write {set:document: {entities: [start, end, type, role], fold}}."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--silver", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--folds", nargs="+", required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    tokenizer = WordPiece.load(args.vocabulary)
    limits = json.loads(args.config.read_text())["thresholds"]
    with np.load(args.gold) as arrays:
        rows, pieces_in_all = arrays["rows"], len(arrays["ids"])
    starts = np.concatenate(([0], np.cumsum(rows[:, 0], dtype=np.int64)))
    models = []
    for path in args.folds:
        with np.load(path) as file:
            used = np.unpackbits(file["used"])[:pieces_in_all].astype(bool)
            flat = np.zeros((pieces_in_all, decode.WIDTH), dtype=np.float32)
            flat[used] = file["probabilities"] / 255.0
            models.append(flat)
    examples = pack.load(args.data, list(corpora.lines(args.silver)))
    folds = pack.splits(examples, 7)
    result: dict[str, dict] = {}
    row = 0
    for example in examples:
        fold = folds.get(example.source, {}).get(example.doc, -1)
        if fold < 0 and not example.source.endswith("_dev"):
            continue
        pieces = split(example.text, tokenizer)
        found: list = []
        for window in windows(pieces, example.text):
            if fold >= 0:
                words = _Words(pieces, window)
                flat = models[fold][starts[row] : starts[row + 1]][words.at]
                named = example.source == "wikigold"  # names alone are scored there, not what needs masking
                mask = dict.fromkeys(decode.TYPES, 1.0) if named else limits["mask"]
                for f in decode.entities(flat, entity=limits["entity"], mask=mask):
                    span = words.trim(example.text, f.first, f.last)
                    if span is not None:
                        found.append([*span, f.label, f.role])
            row += 1
        if fold >= 0 and example.source != "presidio":
            result[f"{example.source}:{example.doc}"] = {"fold": fold, "entities": found}
    args.out.write_text(json.dumps(result, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
