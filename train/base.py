"""Write pre-trained weights in a compact form: 8-bit rows for tables and matrices, 16-bit floats for the rest.

    python -m train.base minilm model.safetensors base.npz
    python -m train.base mpnet model.safetensors teacher --vocabulary vocab.txt --into vocabulary.txt --parts 2

The teacher's word table is put in the order of the student's vocabulary.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

SHA256 = {
    "minilm": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",  # all-MiniLM-L6-v2
    "mpnet": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",  # all-mpnet-base-v2
}
WORDS = "embeddings.word_embeddings.weight"
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}


def read(source: Path, expected: str) -> dict[str, np.ndarray]:
    """The arrays of a safetensors file whose checksum is known."""
    raw = source.read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != expected:
        raise SystemExit(f"{source}: sha256 {found}, expected {expected}")
    size = int.from_bytes(raw[:8], "little")
    arrays: dict[str, np.ndarray] = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32" and "pooler" not in name:
            a, b = entry["data_offsets"]
            arrays[name] = np.frombuffer(raw[8 + size + a : 8 + size + b], dtype=np.float32).reshape(entry["shape"])
    return arrays


def compact(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """8-bit rows with a scale for tables and matrices, 16-bit floats for the rest."""
    result: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        if array.ndim == 2 and min(array.shape) > 64:
            scale = np.maximum(np.abs(array).max(1), 1e-8) / 127
            result[name + ".scale"] = scale.astype(np.float32)
            result[name] = np.round(array / scale[:, None]).astype(np.int8)
        else:
            result[name] = array.astype(np.float16)
    return result


def main() -> None:
    """Check the checksum, convert, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", choices=SHA256)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--vocabulary", type=Path, help="the base's own vocabulary")
    parser.add_argument("--into", type=Path, help="the vocabulary whose order the word table shall have")
    parser.add_argument("--parts", type=int, default=1)
    args = parser.parse_args()
    arrays = read(args.source, SHA256[args.base])
    if args.into:
        place = {word: n for n, word in enumerate(args.vocabulary.read_text(encoding="utf-8").splitlines())}
        order = [place[SPECIAL.get(w, w)] for w in args.into.read_text(encoding="utf-8").splitlines()]
        arrays[WORDS] = arrays[WORDS][order]
    small = compact(arrays)
    if args.parts == 1:
        np.savez_compressed(args.out, **small)
        return
    total = sum(a.nbytes for a in small.values())
    groups: list[dict[str, np.ndarray]] = [{} for _ in range(args.parts)]
    at = 0
    for name, array in small.items():
        groups[min(at * args.parts // total, args.parts - 1)][name] = array
        at += array.nbytes
    for n, group in enumerate(groups):
        np.savez_compressed(f"{args.out}{n}.npz", **group)


if __name__ == "__main__":
    main()
