"""The networks: MiniLM's first layers (what ships) and MPNet (its teacher), with word shapes added to the input.

Both read the same word pieces: MPNet's table is put in the order of MiniLM's vocabulary (`train.base`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as functional
from torch import nn

SHAPE_SIZES = (6, 7, 16, 4, 3)
TASKS = {"upos": 17, "phrase": 3, "sentence": 2, "entity": 17, "role": 3}
VOCABULARY, POSITIONS, HEADS = 30522, 256, 12
BUCKETS, FAR = 32, 128  # of MPNet's relative positions


@dataclass(frozen=True)
class Base:
    """Sizes and names of a pre-trained model."""

    width: int
    inner: int
    eps: float
    relative: bool
    first_position: int
    attention: tuple[str, str, str, str]  # query, key, value, output
    norm: str


BASES = {
    "minilm": Base(
        384, 1536, 1e-12, False, 0,
        ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"),
        "attention.output.LayerNorm",
    ),
    "mpnet": Base(
        768, 3072, 1e-5, True, 2,
        ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o"),
        "attention.LayerNorm",
    ),
}  # fmt: skip


class Layer(nn.Module):
    """One transformer layer as in BERT (normalization after each half)."""

    def __init__(self, base: Base, dropout: float) -> None:
        super().__init__()
        self.width = base.width
        self.qkv = nn.Linear(base.width, 3 * base.width)
        self.out = nn.Linear(base.width, base.width)
        self.norm1 = nn.LayerNorm(base.width, eps=base.eps)
        self.up = nn.Linear(base.width, base.inner)
        self.down = nn.Linear(base.inner, base.width)
        self.norm2 = nn.LayerNorm(base.width, eps=base.eps)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Attend and transform; `bias` is added to the attention scores, very negative for padding."""
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, self.width // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, n, self.width))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Network(nn.Module):
    """Pieces and shapes in; scores of all tasks and the last hidden states out."""

    def __init__(self, layers: int, dropout: float = 0.1, base: str = "minilm") -> None:
        super().__init__()
        self.base = BASES[base]
        width = self.base.width
        self.words = nn.Embedding(VOCABULARY, width, padding_idx=0)
        self.places = nn.Embedding(POSITIONS, width)
        self.shapes = nn.ModuleList(nn.Embedding(size, width) for size in SHAPE_SIZES)
        for table in self.shapes:
            nn.init.normal_(table.weight, std=0.01)
        self.norm = nn.LayerNorm(width, eps=self.base.eps)
        self.layers = nn.ModuleList(Layer(self.base, dropout) for _ in range(layers))
        self.heads = nn.Linear(width, sum(TASKS.values()))
        nn.init.normal_(self.heads.weight, std=0.02)
        nn.init.zeros_(self.heads.bias)
        self.vector = nn.Linear(width, width, bias=False)
        nn.init.eye_(self.vector.weight)
        self.distance = nn.Embedding(BUCKETS, HEADS) if self.base.relative else None
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: torch.Tensor, shape: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (batch, pieces, all tasks) scores and (batch, pieces, width) hidden states."""
        x = self.words(ids) + self.places.weight[: ids.shape[1]]
        # A product with one-hot rows: the gradient of a look-up in a table this small is very slow on a GPU.
        table = torch.cat([part.weight for part in self.shapes])
        first = torch.tensor([sum(SHAPE_SIZES[:n]) for n in range(len(SHAPE_SIZES))], device=ids.device)
        hot = torch.zeros(*ids.shape, len(table), dtype=x.dtype, device=ids.device).scatter_(2, shape + first, 1.0)
        x = x + hot @ table
        x = self.drop(self.norm(x))
        bias = (1.0 - mask[:, None, None, :].float()) * -10000.0
        if self.distance is not None:
            # Kept as it was pre-trained: with a gradient, attention would take ten times the memory.
            near = self.distance.weight.detach()[buckets(ids.shape[1], ids.device)]
            bias = (bias + near.permute(2, 0, 1)[None]).bfloat16()
        for layer in self.layers:
            x = layer(x, bias)
        return self.heads(self.drop(x)), x

    def load_base(self, weights: dict[str, torch.Tensor]) -> None:
        """Take the pre-trained weights for the embeddings and the first layers."""
        with torch.no_grad():
            self.words.weight.copy_(weights["embeddings.word_embeddings.weight"])
            low = self.base.first_position
            self.places.weight.copy_(weights["embeddings.position_embeddings.weight"][low : low + POSITIONS])
            if "embeddings.token_type_embeddings.weight" in weights:
                kind = weights["embeddings.token_type_embeddings.weight"][0]
                self.places.weight.add_(kind.to(self.places.weight.device))
            if self.distance is not None:
                self.distance.weight.copy_(weights["encoder.relative_attention_bias.weight"])
            _norm(self.norm, weights, "embeddings.LayerNorm")
            for n, layer in enumerate(self.layers):
                name = f"encoder.layer.{n}"
                *into, out = self.base.attention
                for part in ("weight", "bias"):
                    getattr(layer.qkv, part).copy_(torch.cat([weights[f"{name}.{w}.{part}"] for w in into]))
                    getattr(layer.out, part).copy_(weights[f"{name}.{out}.{part}"])
                    getattr(layer.up, part).copy_(weights[f"{name}.intermediate.dense.{part}"])
                    getattr(layer.down, part).copy_(weights[f"{name}.output.dense.{part}"])
                _norm(layer.norm1, weights, f"{name}.{self.base.norm}")
                _norm(layer.norm2, weights, f"{name}.output.LayerNorm")


def buckets(length: int, device: torch.device) -> torch.Tensor:
    """MPNet's bucket of the distance between each pair of places: exact when near, logarithmic when far."""
    place = torch.arange(length, device=device)
    back = place[:, None] - place[None]
    half, exact = BUCKETS // 2, BUCKETS // 4
    size = back.abs()
    far = exact + (size.clamp(min=1).float() / exact).log() / math.log(FAR / exact) * (half - exact)
    near = torch.where(size < exact, size, far.long().clamp(max=half - 1))
    return near + half * (back < 0)


def _norm(norm: nn.LayerNorm, weights: dict[str, torch.Tensor], name: str) -> None:
    norm.weight.copy_(weights[f"{name}.weight"])
    norm.bias.copy_(weights[f"{name}.bias"])
