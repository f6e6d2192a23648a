"""How well a tool found what people marked: by token, mention, term and entity.

    token       a word that is no stop word; masked if all of it is masked
    mention     a marked stretch is found if all its words are masked; a mask is right if all its words are marked
    term        distinct strings of a document (papers 000, 001, 004): a marked term is found if every occurrence
                is; a masked term is right if some occurrence holds a marked word
    entity      an entity is found only if all its mentions are; masked strings are right only if every
                occurrence of them is

Marks with role "none" need not be masked. With several annotators each is a gold of its own and the counts are
added up (as the Text Anonymization Benchmark does), unless `combine` asks for their union or majority.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import UsageError
from tacenda.measures.agreement import fleiss_kappa
from tacenda.measures.gold import GoldDocument, GoldMention, Mask

Bits = Callable[[str], float]
Combine = Literal["each", "union", "majority"]
Bools = npt.NDArray[np.bool_]
LEVELS = ("token", "mention", "term", "entity")


@dataclass(frozen=True, slots=True)
class Score:
    """Counts behind precision (right of marked) and recall (found of gold)."""

    right: float = 0.0
    marked: float = 0.0
    found: float = 0.0
    gold: float = 0.0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.right + other.right, self.marked + other.marked, self.found + other.found, self.gold + other.gold
        )

    @property
    def precision(self) -> float:
        """Share of what was masked that was marked; not a number if nothing was masked."""
        return self.right / self.marked if self.marked else math.nan

    @property
    def recall(self) -> float:
        """Share of what was marked that was masked; not a number if nothing was marked."""
        return self.found / self.gold if self.gold else math.nan

    @property
    def f1(self) -> float:
        """Harmonic mean of the two; 0 if either is 0 or unknown."""
        return f1(self.precision, self.recall)


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall (eq. 15 of paper 000).

    >>> round(f1(0.5, 1.0), 4)
    0.6667
    """
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0


class _Page:
    """A text cut into words, with one question: are these stretches wholly covered?"""

    def __init__(self, text: str) -> None:
        found = list(term.tokens(text))
        self.text = text
        self.words = [t.word for t in found]
        self.starts = np.array([t.start for t in found], dtype=np.int64)
        self.ends = np.array([t.end for t in found], dtype=np.int64)
        self.content = np.array([t.word not in term.STOP_WORDS or t.acronym for t in found], dtype=np.bool_)

    def covered(self, spans: Iterable[tuple[int, int]]) -> Bools:
        """For each word whether the spans cover all of it: only then is it masked."""
        return np.asarray(self._inside(spans) == self.ends - self.starts)

    def touched(self, spans: Iterable[tuple[int, int]]) -> Bools:
        """For each word whether the spans cover some of it: enough to be marked by a person."""
        return self._inside(spans) > 0

    def _inside(self, spans: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
        inside = np.zeros(len(self.text), dtype=np.int64)
        for start, end in spans:
            inside[start:end] = 1
        total = np.concatenate([[0], np.cumsum(inside)])
        counted: npt.NDArray[np.int64] = total[self.ends] - total[self.starts]
        return counted

    def words_in(self, start: int, end: int) -> npt.NDArray[np.int64]:
        """The content words that a span touches (all its words, if it has only stop words)."""
        first, last = np.searchsorted(self.ends, start, "right"), np.searchsorted(self.starts, end, "left")
        touched = np.arange(first, max(first, last))
        content = touched[self.content[touched]]
        return content if len(content) else touched


@dataclass(frozen=True)
class Detection:
    """Scores of a tool: micro (all counts added up) and macro (mean over documents and annotators)."""

    micro: Mapping[str, Score]
    macro: Mapping[str, tuple[float, float, float]]
    by_type: Mapping[str, Mapping[str, Score]]
    by_role: Mapping[str, Mapping[str, Score]]
    by_label: Mapping[str, Score]
    weighted_precision: float
    kappa: float
    documents: int
    annotators: int
    per_document: Mapping[str, Mapping[str, Score]] = field(default_factory=dict, repr=False)

    def to_json(self) -> dict[str, object]:
        """Numbers only; what cannot be computed is null."""
        return {
            "documents": self.documents,
            "annotators": self.annotators,
            "micro": {level: _shown(score) for level, score in self.micro.items()},
            "macro": {
                level: dict(zip(("precision", "recall", "f1"), map(_number, values), strict=True))
                for level, values in self.macro.items()
            },
            "information_weighted_precision": _number(self.weighted_precision),
            "fleiss_kappa": _number(self.kappa),
            "by_type": {k: {level: _recall(s) for level, s in v.items()} for k, v in self.by_type.items()},
            "by_role": {k: {level: _recall(s) for level, s in v.items()} for k, v in self.by_role.items()},
            "by_label_of_the_tool": {k: _shown(s) for k, s in self.by_label.items()},
        }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _shown(score: Score) -> dict[str, float | None]:
    return {
        "precision": _number(score.precision),
        "recall": _number(score.recall),
        "f1": _number(score.f1),
        "masked": score.marked,
        "gold": score.gold,
    }


def _recall(score: Score) -> dict[str, float | None]:
    return {"recall": _number(score.recall), "gold": score.gold}


def detection(
    documents: Sequence[GoldDocument],
    masks: Mapping[str, Sequence[Mask]],
    *,
    bits: Bits | None = None,
    combine: Combine = "each",
) -> Detection:
    """Score a tool's masks against people's marks.

    bits        information of a word, for the weighted precision of the Text Anonymization Benchmark:
                sum of bits of the masked words that were marked / sum of bits of the masked words

    >>> gold = GoldDocument("d", "Ann met Bob", {"a": (GoldMention(0, 3, "PERSON"), GoldMention(8, 11, "PERSON"))})
    >>> found = detection([gold], {"d": [Mask(0, 3)]})
    >>> found.micro["mention"].precision, found.micro["mention"].recall
    (1.0, 0.5)
    """
    unknown = set(masks) ^ {document.id for document in documents}
    if unknown:
        raise UsageError(f"documents and masks are misaligned: {sorted(unknown)[0]} is only in one of them")
    tally = _Tally(bits)
    for document in documents:
        page = _Page(document.text)
        mine = [(m.start, m.end, m.label) for m in masks[document.id]]
        for who, marks in _golds(document, combine).items():
            tally.add(f"{document.id}/{who}", page, mine, marks)
    return tally.result(documents)


def _golds(document: GoldDocument, combine: Combine) -> dict[str, tuple[GoldMention, ...]]:
    if combine == "each" or len(document.annotators) < 2:
        return dict(document.annotators)
    votes: Counter[tuple[int, int]] = Counter()
    first: dict[tuple[int, int], GoldMention] = {}
    for marks in document.annotators.values():
        needed = {(m.start, m.end): m for m in marks if m.role != "none"}
        votes.update(needed.keys())
        first.update({span: mention for span, mention in needed.items() if span not in first})
    least = 1 if combine == "union" else len(document.annotators) // 2 + 1
    return {combine: tuple(first[span] for span in sorted(first) if votes[span] >= least)}


class _Tally:
    """Adds up the counts of all documents."""

    def __init__(self, bits: Bits | None) -> None:
        self.bits = bits
        self.weight: dict[str, float] = {}
        self.weighted = Score()
        self.pages: dict[str, dict[str, Score]] = {}
        self.types: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
        self.roles: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
        self.labels: dict[str, Score] = defaultdict(Score)

    def add(self, key: str, page: _Page, masks: Sequence[tuple[int, int, str]], marks: Sequence[GoldMention]) -> None:
        """Count one document against one annotator."""
        needed = [m for m in marks if m.role != "none"]
        gold = page.touched((m.start, m.end) for m in needed)
        mask = page.covered((start, end) for start, end, _ in masks)
        masked, marked = mask & page.content, gold & page.content
        self._weigh(page, masked, marked)
        words = [page.words_in(start, end) for start, end, _ in masks]
        strict = [_whole(gold, held) for held in words]
        some = [bool(gold[held].any()) for held in words]
        found = [_whole(mask, page.words_in(m.start, m.end)) or _within(m, masks) for m in needed]
        texts = [term.normalize(page.text[start:end]) for start, end, _ in masks]
        gold_texts = [term.normalize(page.text[m.start : m.end]) for m in needed]
        names = [m.entity or f"{m.label}:{t}" for m, t in zip(needed, gold_texts, strict=True)]
        both = float((masked & marked).sum())
        self.pages[key] = {
            "token": Score(both, float(masked.sum()), both, float(marked.sum())),
            "mention": Score(sum(strict), len(strict), sum(found), len(found)),
            "term": _grouped(texts, some, any) + _flip(_grouped(gold_texts, found, all)),
            "entity": _grouped(texts, strict, all) + _flip(_grouped(names, found, all)),
        }
        self._apart(page, needed, found, names, masked)
        for (_, _, label), right in zip(masks, some, strict=True):
            self.labels[label] += Score(right=float(right), marked=1)

    def _weigh(self, page: _Page, masked: Bools, marked: Bools) -> None:
        if self.bits is None:
            return
        for index in np.flatnonzero(masked).tolist():
            word = page.words[index]
            if word not in self.weight:
                self.weight[word] = self.bits(word)
            self.weighted += Score(right=self.weight[word] * float(marked[index]), marked=self.weight[word])

    def _apart(
        self, page: _Page, needed: Sequence[GoldMention], found: Sequence[bool], names: Sequence[str], masked: Bools
    ) -> None:
        for attribute, table in (("label", self.types), ("role", self.roles)):
            for value in sorted({getattr(m, attribute) for m in needed if getattr(m, attribute)}):
                rows = [i for i, m in enumerate(needed) if getattr(m, attribute) == value]
                hits = [found[i] for i in rows]
                marked = page.touched((needed[i].start, needed[i].end) for i in rows) & page.content
                table[value]["token"] += Score(found=float((masked & marked).sum()), gold=float(marked.sum()))
                table[value]["mention"] += Score(found=sum(hits), gold=len(hits))
                table[value]["entity"] += _flip(_grouped([names[i] for i in rows], hits, all))

    def result(self, documents: Sequence[GoldDocument]) -> Detection:
        """Put the counts together."""
        scores = list(self.pages.values())
        return Detection(
            micro={level: sum((page[level] for page in scores), Score()) for level in LEVELS},
            macro={level: _macro([page[level] for page in scores]) for level in LEVELS},
            by_type={k: dict(v) for k, v in sorted(self.types.items())},
            by_role={k: dict(v) for k, v in sorted(self.roles.items())},
            by_label=dict(sorted(self.labels.items())),
            weighted_precision=self.weighted.precision,
            kappa=kappa(documents),
            documents=len(documents),
            annotators=len({who for document in documents for who in document.annotators}),
            per_document=self.pages,
        )


def _whole(covered: Bools, words: npt.NDArray[np.int64]) -> bool:
    return bool(covered[words].all()) if len(words) else False


def _within(mention: GoldMention, masks: Sequence[tuple[int, int, str]]) -> bool:
    return any(start <= mention.start and mention.end <= end for start, end, _ in masks)


def _grouped(names: Sequence[str], hits: Sequence[bool], rule: Callable[[Iterable[bool]], bool]) -> Score:
    groups: dict[str, list[bool]] = defaultdict(list)
    for name, hit in zip(names, hits, strict=True):
        groups[name].append(hit)
    return Score(right=float(sum(rule(group) for group in groups.values())), marked=float(len(groups)))


def _flip(score: Score) -> Score:
    return Score(found=score.right, gold=score.marked)


def _macro(scores: Sequence[Score]) -> tuple[float, float, float]:
    precision = [s.precision for s in scores if s.marked]
    recall = [s.recall for s in scores if s.gold]
    both = [s.f1 for s in scores if s.gold]
    return _mean(precision), _mean(recall), _mean(both)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def kappa(documents: Sequence[GoldDocument]) -> float:
    """Fleiss' kappa over the words of all documents with two annotators or more: masked or not."""
    rows = []
    for document in documents:
        if len(document.annotators) < 2:
            continue
        page = _Page(document.text)
        votes = sum(
            page.touched((m.start, m.end) for m in marks if m.role != "none").astype(np.int64)
            for marks in document.annotators.values()
        )
        chosen = np.asarray(votes)[page.content]
        rows.append(np.stack([chosen, len(document.annotators) - chosen], axis=1))
    return fleiss_kappa(np.concatenate(rows)) if rows else math.nan
