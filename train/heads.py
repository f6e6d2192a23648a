"""What else the network learns beside tags, phrases and entities: senses of nouns, and what a sentence discloses.

Both are trained together with everything else, so that one pass of one network serves all; the product then reads its
states. A larger network of the same kind teaches them (`train.teach`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from train.model import Network

CLS, SEP = 101, 102
UNKNOWN = 255
CLASSES = 26


WIDTHS = (24, 32, 48, 64, 80, 96, 128, 160, 192, 224, 256)


def width(pieces: int) -> int:
    """The width to which texts of at most so many pieces are padded.

    Few widths, so that few shapes of arrays occur: with a new shape at every step, memory is claimed anew from the GPU
    and multiplications are planned anew, which took ten times as long as the computation.
    """
    return next(w for w in WIDTHS if w >= pieces)


def groups(sizes: np.ndarray, which: np.ndarray, pieces: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Everything once, in random batches of one width and so many pieces; the last batch of a width is filled up."""
    widths = np.asarray(WIDTHS)[np.searchsorted(WIDTHS, sizes[which])]
    result = []
    for each in np.unique(widths):
        own, count = rng.permutation(which[widths == each]), max(1, pieces // int(each))
        result += [np.resize(own[at : at + count], count) for at in range(0, len(own), count)]
    return [result[i] for i in rng.permutation(len(result))]


class Texts:
    """Texts as flat word pieces and shapes on the device."""

    def __init__(self, ids: np.ndarray, shape: np.ndarray, length: np.ndarray, device: str) -> None:
        self.ids = torch.from_numpy(ids.astype(np.int64)).to(device)
        self.shape = torch.from_numpy(shape).to(device)
        self.length = torch.from_numpy(length.astype(np.int64)).to(device)
        self.start = torch.cat((self.length.new_zeros(1), self.length.cumsum(0)))[:-1]
        self.sizes = length.astype(np.int64)
        self.device = device

    def alone(self, which: torch.Tensor, wide: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Ids, shapes and mask of some texts, with the two special pieces, padded to a width."""
        size = self.length[which][:, None]
        place = torch.arange(wide, device=self.device)[None]
        inside = (place >= 1) & (place <= size)
        index = torch.where(inside, self.start[which][:, None] + place - 1, 0)
        ids = torch.where(inside, self.ids[index], 0)
        ids[:, 0] = CLS
        ids.scatter_(1, size + 1, SEP)
        return ids, (self.shape[index] * inside[..., None]).long(), place < size + 2

    def pairs(self, told: torch.Tensor, which: torch.Tensor, wide: int) -> tuple[torch.Tensor, ...]:
        """[CLS] description [SEP] text [SEP]; also where the text begins."""
        first, size = self.length[told][:, None], self.length[which][:, None]
        place = torch.arange(wide, device=self.device)[None]
        in_first = (place >= 1) & (place <= first)
        in_text = (place >= first + 2) & (place < first + 2 + size)
        index = torch.where(in_first, self.start[told][:, None] + place - 1, 0)
        index = torch.where(in_text, self.start[which][:, None] + place - 2 - first, index)
        ids = torch.where(in_first | in_text, self.ids[index], 0)
        ids[:, 0] = CLS
        ids.scatter_(1, first + 1, SEP)
        ids.scatter_(1, first + size + 2, SEP)
        shape = (self.shape[index] * (in_first | in_text)[..., None]).long()
        return ids, shape, place < first + size + 3, (first + 2)[:, 0]


class Disclosures:
    """Sentences, descriptions, and which belong together (`train.meaning.pack`)."""

    def __init__(self, path: Path, device: str, *, held_out: bool) -> None:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        self.texts = Texts(arrays["ids"], arrays["shape"], arrays["length"], device)
        self.stretch = torch.from_numpy(arrays["stretch"].astype(np.int64)).to(device)
        pairs = arrays["pairs"].astype(np.int64)
        self.table = pairs
        self.pairs = torch.from_numpy(pairs).to(device)
        self.described = torch.from_numpy(arrays["described"].astype(np.int64)).to(device)
        usable = pairs[:, 4] == 0 if held_out else np.ones(len(pairs), bool)
        self.train = np.flatnonzero((pairs[:, 3] < 2) & usable)
        self.labeled = np.flatnonzero((pairs[:, 3] == 0) & usable)
        self.tune = np.flatnonzero(pairs[:, 3] == 2)
        self.shipped = int(arrays["shipped"][0])
        told = arrays["length"][arrays["described"].astype(np.int64)].astype(np.int64).max(1)
        self.told_width = width(int(told.max()) + 2)
        self.size = self.texts.sizes[pairs[:, 0]] + told[pairs[:, 1]] + 3
        self.size_alone = self.texts.sizes[pairs[:, 0]] + 2

    def batches(self, which: np.ndarray, pieces: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Pairs of one width, in random order, for ever."""
        while True:
            yield from groups(self.size, which, pieces, rng)


class Reading(nn.Module):
    """Would a reader conclude what is described? Asked with the description in front, and of the sentence alone."""

    def __init__(self, width: int, size: int = 96) -> None:
        super().__init__()
        self.up = nn.Linear(width, size)
        self.ask = nn.Linear(size, 1, bias=False)
        self.out = nn.Linear(2 * size, 1)
        self.own = nn.Linear(width, size, bias=False)
        self.told = nn.Linear(width, size, bias=False)
        self.mix = nn.Linear(size, size)
        self.ask_alone = nn.Linear(size, 1, bias=False)
        self.out_alone = nn.Linear(2 * size, 1)
        self.drop = nn.Dropout(0.2)

    def _pooled(self, v: torch.Tensor, score: torch.Tensor, inside: torch.Tensor) -> torch.Tensor:
        weight = score.squeeze(-1).masked_fill(~inside, -1e4).softmax(-1)
        top = v.masked_fill(~inside[..., None], -1e4).amax(1)
        return self.drop(torch.cat(((weight[..., None] * v).sum(1), top), -1))

    def together(self, network: Network, data: Disclosures, group: np.ndarray, told: torch.Tensor) -> torch.Tensor:
        """Logits of pairs whose description stands before the text."""
        text = data.pairs[torch.from_numpy(group).to(told.device), 0]
        ids, shape, mask, begin = data.texts.pairs(told, text, width(int(data.size[group].max())))
        _, hidden = network(ids, shape, mask)
        place = torch.arange(ids.shape[1], device=ids.device)[None] - begin[:, None]
        inside = (place >= data.stretch[text, :1]) & (place < data.stretch[text, 1:])
        v = functional.gelu(self.up(self.drop(hidden)))
        return self.out(self._pooled(v, self.ask(v), inside)).squeeze(-1).float()

    def alone(self, network: Network, data: Disclosures, group: np.ndarray, told: torch.Tensor) -> torch.Tensor:
        """Logits of pairs whose text and description are read apart."""
        text = data.pairs[torch.from_numpy(group).to(told.device), 0]
        ids, shape, mask = data.texts.alone(told, data.told_width)
        _, hidden = network(ids, shape, mask)
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        ids, shape, mask = data.texts.alone(text, width(int(data.size_alone[group].max())))
        _, hidden = network(ids, shape, mask)
        place = torch.arange(ids.shape[1], device=ids.device)[None] - 1
        inside = (place >= data.stretch[text, :1]) & (place < data.stretch[text, 1:])
        u = functional.gelu(self.own(self.drop(hidden)) + self.told(mean)[:, None])
        v = functional.gelu(self.mix(u))
        return self.out_alone(self._pooled(v, self.ask_alone(v), inside)).squeeze(-1).float()


def described(data: Disclosures, which: torch.Tensor) -> torch.Tensor:
    """A description for each pair: as written half of the time, else made from the name."""
    kind = torch.randint(0, 4, (len(which),), device=which.device).sub(1).clamp(min=0)
    return data.described[data.pairs[which, 1], kind]


def reading_loss(
    logits: torch.Tensor, data: Disclosures, which: torch.Tensor, soft: torch.Tensor | None
) -> torch.Tensor:
    """Cross-entropy with the labels, and with what the teacher says."""
    label = data.pairs[which, 2]
    known = label != UNKNOWN
    each = functional.binary_cross_entropy_with_logits(logits, 0.96 * label.clamp(max=1) + 0.02, reduction="none")
    loss = (each * known).sum() / known.sum().clamp(min=1)
    if soft is not None:
        loss = loss + functional.binary_cross_entropy_with_logits(logits, soft[which].float())
    return loss


@torch.no_grad()
def read_all(network: Network, head: Reading, data: Disclosures, which: np.ndarray, *, alone: bool) -> np.ndarray:
    """Logits of pairs, with the description as written."""
    network.eval()
    head.eval()
    out = np.zeros(len(data.table), np.float32)
    way = head.alone if alone else head.together
    with torch.autocast(data.texts.device, torch.bfloat16):
        for group in groups(data.size, which, 32768, np.random.default_rng(0)):
            at = torch.from_numpy(group).to(data.texts.device)
            told = data.described[data.pairs[at, 1], 0]
            out[group] = way(network, data, group, told).float().cpu().numpy()
    network.train()
    head.train()
    return out


def reading_figures(network: Network, head: Reading, data: Disclosures) -> dict[str, float]:
    """On sentences of other writers: recall at 4 % false alarms and the area under the curve, shipped and held out."""
    result = {}
    for way in (False, True):
        logits = read_all(network, head, data, data.tune, alone=way)
        for name, part in (
            ("shipped", data.tune[data.table[data.tune, 1] < data.shipped]),
            ("held", data.tune[data.table[data.tune, 4] == 1]),
        ):
            x, y = logits[part], data.table[part, 2] == 1
            limit = np.quantile(x[~y], 0.96)
            above = (x[y][:, None] > x[~y][None]).mean()
            key = f"{name} {'alone' if way else 'together'}"
            result[key] = [round(float((x[y] > limit).mean()), 3), round(float(above), 3)]
    return result


class Nouns:
    """Nouns in context with the senses they may have (`train.senses.pack`)."""

    def __init__(self, path: Path, device: str, base: Network) -> None:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        self.texts = Texts(arrays["ids"], arrays["shape"], arrays["length"], device)
        where = arrays["instances"].astype(np.int64)
        self.table = where
        self.where = torch.from_numpy(where).to(device)
        self.gold = torch.from_numpy(arrays["gold"].astype(np.int64)).to(device)
        options = np.concatenate((arrays["options"], np.full((1, arrays["options"].shape[1]), -1, np.int32)))
        self.options = torch.from_numpy(options.astype(np.int64)).to(device)  # the last row: lemma -1, none
        self.up, self.down = _sums(arrays["above"], device)
        self.classes = torch.from_numpy(arrays["classes"].astype(np.int64)).to(device)
        self.offsets = arrays["offsets"]
        self.count = len(self.offsets)
        self.gloss = self._glosses(arrays["gloss"].astype(np.int64), base, device)
        order = np.argsort(where[:, 0], kind="stable")
        self.order = order
        self.first = np.searchsorted(where[order, 0], np.arange(len(arrays["length"]) + 1))
        held = np.zeros(len(arrays["length"]), bool)
        held[where[where[:, 5] == 1, 0]] = True
        self.train = np.flatnonzero(~held)
        self.held = np.flatnonzero(held)

    @staticmethod
    @torch.no_grad()
    def _glosses(ids: np.ndarray, base: Network, device: str) -> torch.Tensor:
        """Sentence vectors of the glosses, by the base model."""
        parts = []
        for at in range(0, len(ids), 2048):
            block = torch.from_numpy(ids[at : at + 2048]).to(device)
            size = (block > 0).sum(1, keepdim=True)
            full = functional.pad(block, (1, 1))
            full[:, 0] = CLS
            full.scatter_(1, size + 1, SEP)
            mask = full > 0
            with torch.autocast(device, torch.bfloat16):
                _, hidden = base(full, full.new_zeros(*full.shape, 5), mask)
            mean = (hidden.float() * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            parts.append(functional.normalize(mean, dim=-1))
        return torch.cat(parts)

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Windows in random order, for ever."""
        while True:
            order = rng.permutation(self.train)
            for at in range(0, len(order) - size, size):
                yield np.sort(order[at : at + size])

    def within(self, windows: np.ndarray) -> np.ndarray:
        """Instances of some windows."""
        return np.concatenate([self.order[self.first[w] : self.first[w + 1]] for w in windows.tolist()])


def _sums(above: np.ndarray, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The sparse matrix that adds up the concepts above each, and its transpose."""
    size = len(above)
    row, column = np.nonzero(above < size)
    place = torch.from_numpy(np.stack((row, above[row, column].astype(np.int64)))).to(device)
    ones = torch.ones(len(row), device=device)
    return tuple(
        torch.sparse_coo_tensor(p, ones, (size, size)).coalesce().to_sparse_csr() for p in (place, place.flip(0))
    )


class _Sum(torch.autograd.Function):
    """Product with a sparse matrix; the gradient of a look-up that meets the same row thousands of times is slow."""

    @staticmethod
    def forward(ctx, weight: torch.Tensor, up: torch.Tensor, down: torch.Tensor) -> torch.Tensor:
        ctx.down = down
        return up @ weight

    @staticmethod
    def backward(ctx, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        return ctx.down @ gradient.contiguous(), None, None


NOUNS = 8  # read in a window, on the average
PIECES = 8  # of a noun's last word that are read


class Senses(nn.Module):
    """A noun's vector in context, and a sense's: the sum over the concepts above it and what its gloss gives."""

    def __init__(self, data: Nouns, width: int, size: int) -> None:
        super().__init__()
        self.query = nn.Linear(width, size)
        self.own = nn.Parameter(torch.randn(data.count, size) * 0.02)
        self.gloss = nn.Linear(384, size, bias=False)
        self.kind = nn.Linear(width, CLASSES)
        self.warm = nn.Parameter(torch.tensor(1.0))
        self.warm_across = nn.Parameter(torch.tensor(1.0))
        self.drop = nn.Dropout(0.1)

    def vectors(self, data: Nouns) -> torch.Tensor:
        """Vectors of all synsets."""
        return _Sum.apply(self.own, data.up, data.down) + 4 * self.gloss(data.gloss)

    def read(self, network: Network, data: Nouns, windows: np.ndarray, at: torch.Tensor) -> torch.Tensor:
        """States of nouns: the mean over the pieces of the last word."""
        chosen = torch.from_numpy(windows).to(at.device)
        ids, shape, mask = data.texts.alone(chosen, width(int(data.texts.sizes[windows].max()) + 2))
        _, hidden = network(ids, shape, mask)
        row = torch.searchsorted(chosen, data.where[at, 0])
        place = data.where[at, 1][:, None] + torch.arange(PIECES, device=ids.device)[None]
        inside = place < data.where[at, 2][:, None]
        flat = row[:, None] * ids.shape[1] + torch.where(inside, place + 1, 0)
        states = hidden.flatten(0, 1)[flat] * inside[..., None]
        return (states.sum(1) / inside.sum(1, keepdim=True)).float()

    def logits(self, data: Nouns, made: torch.Tensor, query: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        """Logits of the senses that each noun may have, given the vectors of all."""
        options = data.options[data.where[at, 3]]
        return ((query @ made.t()).gather(1, options.clamp(min=0)) * self.warm).masked_fill(options < 0, -1e4)

    def loss(
        self, network: Network, data: Nouns, windows: np.ndarray, soft: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Right sense among the lemma's, among those of the batch, and its class; and what the teacher says.

        As many nouns in every batch, some twice if need be, so that all arrays have one shape.
        """
        found = data.within(windows)
        at = torch.from_numpy(np.resize(np.random.default_rng(len(found)).permutation(found), NOUNS * len(windows)))
        at = at.to(data.texts.device)
        with torch.autocast(data.texts.device, torch.bfloat16):
            state = self.drop(self.read(network, data, windows, at))
        query, every = self.query(state), self.vectors(data)
        options = data.options[data.where[at, 3]]
        several = (options >= 0).sum(1) > 1
        log = self.logits(data, every, query, at).log_softmax(-1)
        right = ((options[:, :, None] == data.gold[at][:, None]) & (options >= 0)[..., None]).any(-1)
        told = right.any(-1) & several
        each = -(log.masked_fill(~right, -1e4).logsumexp(-1))
        loss = torch.where(told, each, 0).sum() / told.sum().clamp(min=1)
        if soft is not None:
            imitated = (soft[at].float() * log.clamp(min=-30)).sum(-1)
            loss = loss - torch.where(several, imitated, 0).sum() / several.sum().clamp(min=1)
        gold = data.gold[at][:, 0]
        sure = gold >= 0
        node = gold.clamp(min=0)
        across = (query @ every[node].t()) * self.warm_across
        other = (node[:, None] != node[None]) & sure[None]
        own = torch.eye(len(node), dtype=torch.bool, device=node.device)
        each = -across.masked_fill(~(other | own), -1e4).log_softmax(-1).diagonal()
        each = 0.5 * each + functional.cross_entropy(self.kind(state), data.classes[node], reduction="none")
        return loss + torch.where(sure, each, 0).sum() / sure.sum().clamp(min=1)

    @torch.no_grad()
    def figures(self, network: Network, data: Nouns) -> dict[str, list[float]]:
        """Right senses among several on what was kept apart, and the first sense's share."""
        network.eval()
        self.eval()
        every = self.vectors(data)
        tally = {name: [0, 0, 0] for name in ("semcor", "masc", "own")}
        for low in range(0, len(data.held), 128):
            windows = data.held[low : low + 128]
            at = torch.from_numpy(data.within(windows)).to(data.texts.device)
            with torch.autocast(data.texts.device, torch.bfloat16):
                query = self.query(self.read(network, data, windows, at))
            options = data.options[data.where[at, 3]]
            best = self.logits(data, every, query.float(), at).argmax(1, keepdim=True)
            right = ((options[:, :, None] == data.gold[at][:, None]) & (options >= 0)[..., None]).any(-1)
            counted = ((options >= 0).sum(1) > 1) & right.any(1)
            for number, row in enumerate(tally.values()):
                part = counted & (data.where[at, 4] == number)
                row[0] += int(part.sum())
                row[1] += int(right.gather(1, best)[part].sum())
                row[2] += int(right[part][:, 0].sum())
        network.train()
        self.train()
        return {k: [n, round(a / max(n, 1), 3), round(b / max(n, 1), 3)] for k, (n, a, b) in tally.items()}

    @torch.no_grad()
    def soft(self, network: Network, data: Nouns) -> np.ndarray:
        """Probabilities of the senses of every instance."""
        network.eval()
        self.eval()
        every = self.vectors(data)
        out = np.zeros((len(data.table), data.options.shape[1]), np.float16)
        for low in range(0, len(data.train), 256):
            windows = data.train[low : low + 256]
            at = torch.from_numpy(data.within(windows)).to(data.texts.device)
            with torch.autocast(data.texts.device, torch.bfloat16):
                query = self.query(self.read(network, data, windows, at))
            out[at.cpu().numpy()] = self.logits(data, every, query.float(), at).softmax(-1).half().cpu().numpy()
        return out

    @torch.no_grad()
    def table(self, data: Nouns) -> dict[str, np.ndarray]:
        """What the product needs: vectors of all synsets as 8-bit rows, the query, the classes."""
        vectors = (self.vectors(data) * self.warm).float()
        scale = vectors.abs().amax(1).clamp(min=1e-8) / 127
        state = {name: value.float().cpu().numpy().astype(np.float16) for name, value in self.state_dict().items()}
        return {
            "vector": (vectors / scale[:, None]).round().to(torch.int8).cpu().numpy(),
            "scale": scale.cpu().numpy(),
            "offsets": data.offsets,
            "query": state["query.weight"],
            "query_bias": state["query.bias"],
            "kind": state["kind.weight"],
            "kind_bias": state["kind.bias"],
        }
