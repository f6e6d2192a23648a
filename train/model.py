"""The network: MiniLM's first layers, word shapes added to the input, one linear layer for all tasks."""

from __future__ import annotations

import torch
import torch.nn.functional as functional
from torch import nn

SHAPE_SIZES = (6, 7, 16, 4, 3)
TASKS = {"upos": 17, "phrase": 3, "sentence": 2, "entity": 17, "role": 3}
WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 256


class Layer(nn.Module):
    """One transformer layer as in BERT (normalisation after each half)."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Attend and transform; `bias` is 0 for pieces and very negative for padding."""
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, n, WIDTH))))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Network(nn.Module):
    """Pieces and shapes in; scores of all tasks and the last hidden states out."""

    def __init__(self, layers: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH, padding_idx=0)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.shapes = nn.ModuleList(nn.Embedding(size, WIDTH) for size in SHAPE_SIZES)
        for table in self.shapes:
            nn.init.normal_(table.weight, std=0.01)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.heads = nn.Linear(WIDTH, sum(TASKS.values()))
        nn.init.normal_(self.heads.weight, std=0.02)
        nn.init.zeros_(self.heads.bias)
        self.vector = nn.Linear(WIDTH, WIDTH, bias=False)
        nn.init.eye_(self.vector.weight)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: torch.Tensor, shape: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (batch, pieces, all tasks) scores and (batch, pieces, width) hidden states."""
        x = self.words(ids) + self.places.weight[: ids.shape[1]]
        for n, table in enumerate(self.shapes):
            # A product with one-hot rows: the gradient of a look-up in a table this small is very slow on a GPU.
            x = x + functional.one_hot(shape[:, :, n], table.num_embeddings).to(x.dtype) @ table.weight
        x = self.drop(self.norm(x))
        bias = (1.0 - mask[:, None, None, :].float()) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        return self.heads(self.drop(x)), x

    def load_base(self, base: dict[str, torch.Tensor]) -> None:
        """Take MiniLM's weights for the embeddings and the first layers."""
        with torch.no_grad():
            self.words.weight.copy_(base["embeddings.word_embeddings.weight"])
            positions = base["embeddings.position_embeddings.weight"][:POSITIONS]
            self.places.weight.copy_(positions + base["embeddings.token_type_embeddings.weight"][0])
            _norm(self.norm, base, "embeddings.LayerNorm")
            for n, layer in enumerate(self.layers):
                name = f"encoder.layer.{n}"
                for part in ("weight", "bias"):
                    qkv = [base[f"{name}.attention.self.{w}.{part}"] for w in ("query", "key", "value")]
                    getattr(layer.qkv, part).copy_(torch.cat(qkv))
                    getattr(layer.out, part).copy_(base[f"{name}.attention.output.dense.{part}"])
                    getattr(layer.up, part).copy_(base[f"{name}.intermediate.dense.{part}"])
                    getattr(layer.down, part).copy_(base[f"{name}.output.dense.{part}"])
                _norm(layer.norm1, base, f"{name}.attention.output.LayerNorm")
                _norm(layer.norm2, base, f"{name}.output.LayerNorm")


def _norm(norm: nn.LayerNorm, base: dict[str, torch.Tensor], name: str) -> None:
    norm.weight.copy_(base[f"{name}.weight"])
    norm.bias.copy_(base[f"{name}.bias"])
