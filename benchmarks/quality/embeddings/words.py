"""How well vectors agree with people on pairs of words: Spearman on WordSim-353 and SimLex-999, and their speed.

    python benchmarks/quality/embeddings/words.py PAIRS [--vectors FILE ...] [--potion FOLDER] -o words.json

PAIRS       folder with wordsim353.tsv and simlex999.txt (the test data of gensim carries both)
--potion    folder with the model.safetensors and tokenizer.json of potion-base-4M (int8), to compare with
"""

from __future__ import annotations

import argparse
import json
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.knowledge.vectors import open_vectors

Embed = Callable[[Sequence[str]], Sequence[Any]]


def pairs(path: Path) -> list[tuple[str, str, float]]:
    """The pairs of a file: two words and what people said."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) >= 3 and fields[2].replace(".", "", 1).isdigit():
            found.append((fields[0], fields[1], float(fields[2])))
    return found


def ranks(values: Sequence[float]) -> Any:
    """Ranks, ties sharing their mean."""
    array = np.asarray(values)
    order = np.argsort(array, kind="stable")
    rank = np.empty(len(array))
    rank[order] = np.arange(len(array))
    for value in np.unique(array):
        same = array == value
        rank[same] = rank[same].mean()
    return rank


def spearman(embed: Embed, given: Sequence[tuple[str, str, float]]) -> dict[str, float]:
    """Correlation of ranks over the pairs both of whose words have a vector."""
    first, second = embed([a for a, _, _ in given]), embed([b for _, b, _ in given])
    known = [i for i in range(len(given)) if first[i] is not None and second[i] is not None]
    cosines = [float(first[i] @ second[i]) for i in known]
    rho = float(np.corrcoef(ranks(cosines), ranks([given[i][2] for i in known]))[0, 1])
    return {"spearman": round(rho, 3), "pairs": len(known)}


def potion(folder: Path) -> Embed:
    """Mean of the rows of a phrase's word pieces, as potion models do."""
    from tokenizers import Tokenizer

    data = (folder / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8 : 8 + length])["embeddings"]
    start, end = entry["data_offsets"]
    rows = np.frombuffer(data[8 + length + start : 8 + length + end], dtype=np.int8).reshape(entry["shape"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def embed(phrases: Sequence[str]) -> list[Any]:
        means = []
        for encoded in tokenizer.encode_batch(list(phrases), add_special_tokens=False):
            mean = rows[encoded.ids].astype(np.float32).mean(axis=0)
            means.append(mean / max(float(np.linalg.norm(mean)), 1e-9))
        return means

    return embed


def measure(embed: Embed, folder: Path) -> dict[str, Any]:
    """Both sets, and phrases a second on pairs of their words (none is asked twice)."""
    words = {n: pairs(folder / n) for n in ("wordsim353.tsv", "simlex999.txt")}
    phrases = sorted({f"{a} {b}" for given in words.values() for a, b, _ in given})
    embed(phrases[:2])
    start = time.process_time()
    embed(phrases)
    spent = time.process_time() - start
    found: dict[str, Any] = {name.split(".")[0]: spearman(embed, given) for name, given in words.items()}
    return found | {"phrases_per_second": round(len(phrases) / spent)}


def main() -> None:
    """Compute and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--vectors", type=Path, nargs="*", default=[])
    parser.add_argument("--potion", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    results = {"static table": measure(open_vectors().vectors, options.pairs)}
    for path in options.vectors:
        results[path.stem] = measure(open_vectors(path).vectors, options.pairs)
    if options.potion:
        results["potion-base-4M"] = measure(potion(options.potion), options.pairs)
    options.output.write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
