"""The network that reads a sentence: a small head on the encoder's states, in numpy, from 8-bit weights.

For one category c and the pieces i of a sentence, with states h_i, cues f_ic and the category's vector e_c:

    u_i = gelu(W h_i + F f_ic + C e_c),  v_i = gelu(V u_i + b),  a_i = softmax(q . v_i + r . f_ic)
    logit = w . [sum a_i v_i, max v_i] + g . [max f_ic, mean f_ic] + bias

e_c comes from the description's own mean state, plus a vector learned for the category where it was trained.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.errors import KnowledgeError

Floats = NDArray[np.float32]
Bounds = NDArray[np.int64]


def gelu(x: Floats) -> Floats:
    """Gaussian error linear unit, by its usual tanh form."""
    # In place: the arrays are large, and most of the time goes into memory that is written once and read once.
    inner = np.asarray(x * x, dtype=np.float32)
    inner *= 0.044715
    inner += 1.0
    inner *= x
    inner *= 0.7978845608
    np.tanh(inner, out=inner)
    inner += 1.0
    inner *= x
    inner *= 0.5
    return inner


def load(path: Path) -> dict[str, Floats]:
    """Read weights: 8-bit rows are multiplied by their scale."""
    if not path.is_file():
        raise KnowledgeError(f"risk model 'meaning': no {path.name} in {path.parent}. Reinstall Tacenda.")
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, EOFError, LookupError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        kind = type(error).__name__
        raise KnowledgeError(f"risk model 'meaning': {path.name} is damaged ({kind}). Reinstall Tacenda.") from None
    result: dict[str, Floats] = {}
    for name, array in arrays.items():
        if name.endswith(".scale"):
            continue
        scale = arrays.get(f"{name}.scale")
        result[name] = array.astype(np.float32) * (1.0 if scale is None else scale.astype(np.float32)[:, None])
    return result


@dataclass(frozen=True)
class Network:
    """The weights, and what is computed with them."""

    weights: Mapping[str, Floats]

    def category(self, description: Floats, learned: Floats | None) -> Floats:
        """Return C e_c, what a category adds to every piece."""
        w = self.weights
        vector = w["describe"] @ description
        if learned is not None:
            vector = vector + learned
        return np.asarray(w["category"] @ vector, dtype=np.float32)

    def project(self, states: Floats) -> Floats:
        """Return W h_i, shared by all categories."""
        return np.asarray((states - self.weights["mean"]) @ self.weights["state"].T, dtype=np.float32)

    def pieces(self, projected: Floats, cues: Floats, added: Floats) -> tuple[Floats, Floats]:
        """Return v_i and the attention scores, for one category or for each of several (one more axis, the first)."""
        w = self.weights
        # Some processors' kernels set the flag in lanes that nobody asked for; `Reader` checks what comes out.
        with np.errstate(invalid="ignore"):
            u = gelu(projected + cues @ w["cue"].T + added[..., None, :])
            v = gelu(u @ w["mix"].T + w["mix_bias"])
        return v, np.asarray(v @ w["ask"] + cues @ w["ask_cue"], dtype=np.float32)

    def logits(self, v: Floats, scores: Floats, cues: Floats, bounds: Bounds) -> NDArray[np.float64]:
        """Return the logits of several stretches of pieces, (first, after the last) each; none may be empty.

        With several categories the result has a line for each of them.
        """
        w = self.weights
        at = bounds.reshape(-1)  # reduceat: every second result is what lies between stretches
        weight = np.exp(np.asarray(scores - scores.max(axis=-1, keepdims=True), dtype=np.float64))[..., None]
        total = _reduced(np.add, weight, 0.0, at)
        pooled = _reduced(np.add, weight * v, 0.0, at) / total
        top = _reduced(np.maximum, v, -np.inf, at)
        size = (bounds[:, 1] - bounds[:, 0])[:, None]
        most = _reduced(np.maximum, cues, -np.inf, at)
        mean = _reduced(np.add, cues, 0.0, at) / size
        joined = np.concatenate((pooled, top), axis=-1)
        told = np.concatenate((most, mean), axis=-1)
        return np.asarray(joined @ w["out"] + told @ w["out_cue"] + w["bias"][0], dtype=np.float64)

    def logits_of(self, v: Floats, scores: Floats, cues: Floats, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the logits that several choices of pieces give, a line for each category, a column for each choice.

        v, scores and cues have a first axis of categories; kept has a line for each choice, none of them empty.
        """
        w = self.weights
        weight = np.exp(np.asarray(scores - scores.max(axis=-1, keepdims=True), dtype=np.float64))
        chosen = weight[:, None, :] * kept
        pooled = (chosen @ v) / np.maximum(chosen.sum(axis=-1), 1e-300)[..., None]
        top = np.stack([v[:, one].max(axis=1) for one in kept], axis=1)
        most = np.stack([cues[:, one].max(axis=1) for one in kept], axis=1)
        mean = (kept @ cues) / kept.sum(axis=1)[:, None]
        joined = np.concatenate((pooled, top), axis=-1)
        told = np.concatenate((most, mean), axis=-1)
        return np.asarray(joined @ w["out"] + told @ w["out_cue"] + w["bias"][0], dtype=np.float64)


def _reduced(how: np.ufunc, rows: Any, last: float, at: NDArray[np.int64]) -> Any:
    """Reduce each stretch of rows to one; a row is added at the end, so that a stretch may end there."""
    closing = np.full((*rows.shape[:-2], 1, rows.shape[-1]), last, dtype=rows.dtype)
    return how.reduceat(np.concatenate((rows, closing), axis=-2), at, axis=-2)[..., ::2, :]


def compress(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Write matrices as 8-bit rows with a scale, vectors as 16-bit floats; the inverse of `load`."""
    result: dict[str, Any] = {}
    for name, array in arrays.items():
        if array.ndim == 2 and array.shape[1] > 8:
            scale = np.maximum(np.abs(array).max(axis=1), 1e-8) / 127
            result[f"{name}.scale"] = scale.astype(np.float32)
            result[name] = np.round(array / scale[:, None]).astype(np.int8)
        else:
            result[name] = array.astype(np.float32)
    return result
