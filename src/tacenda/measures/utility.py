"""What a sanitized text is still good for.

Information is given as a function from a term to its bits, so that any index or table of counts can be the ruler.
A replacement never counts for more than what it replaced.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.arrays.ngrams import NearestText, Shape
from tacenda.errors import UsageError
from tacenda.measures.agreement import adjusted_rand
from tacenda.measures.gold import Mask

Bits = Callable[[str], float]
Vectors = Callable[[Sequence[str]], Sequence[Sequence[float] | None]]
Floats = npt.NDArray[np.float64]


def information(terms: Iterable[str], bits: Bits) -> float:
    """Sum of the information of terms, in bits: Semantics(D) of papers 000, 001 and 004."""
    return float(sum(bits(one) for one in terms))


def information_kept(before: Sequence[str], after: Sequence[str], bits: Bits) -> float:
    """Utility preserved (papers 001, 004): sum of IC after / sum of IC before, term by term.

    before, after   the terms in order; "" where one was removed. A replacement counts at most as its original.

    >>> ic = {"aids": 14.0, "disease": 6.0, "patient": 5.0}.get
    >>> round(information_kept(["aids", "patient"], ["disease", "patient"], lambda t: ic(t, 0.0)), 4)
    0.5789
    """
    if len(before) != len(after):
        raise UsageError(f"{len(before)} terms before, {len(after)} after: the two lists are misaligned")
    total = information(before, bits)
    kept = sum(min(bits(new), bits(old)) if new else 0.0 for old, new in zip(before, after, strict=True))
    return kept / total if total > 0 else 1.0


@dataclass(frozen=True, slots=True)
class TermChange:
    """One replaced term in numbers: bits before and after, and the cosine of the two (None: no vector)."""

    bits_before: float
    bits_after: float
    similarity: float | None
    label: str = ""


@dataclass(frozen=True)
class TextUtility:
    """Utility of one text: bits of all its terms before and after, and each term that changed."""

    bits_before: float
    bits_after: float
    changes: tuple[TermChange, ...] = field(default=(), repr=False)

    @property
    def kept(self) -> float:
        """Share of the information that is left."""
        return self.bits_after / self.bits_before if self.bits_before > 0 else 1.0


def text_utility(
    text: str,
    masks: Sequence[Mask],
    bits: Bits,
    *,
    phrases: Sequence[tuple[int, int]] | None = None,
    vectors: Vectors | None = None,
    labels_are_empty: bool = True,
) -> TextUtility:
    """Sum of IC kept when stretches of a text are replaced (papers 000, 001, 004).

    phrases         the terms to count (noun phrases); each content word for itself, if None
    labels_are_empty   a replacement in capitals or brackets ("PERSON", "[DATE]", "***") carries nothing

    A phrase touched by a mask is lost with all its words; what the mask wrote instead counts once, at most as
    much as what it replaced.
    """
    spans = list(phrases) if phrases is not None else _words(text)
    before = [bits(text[start:end]) for start, end in spans]
    order = sorted(masks, key=lambda m: (m.start, m.end))
    starts = np.array([m.start for m in order], dtype=np.int64)
    reach = np.maximum.accumulate([m.end for m in order]) if order else starts
    lost = [0.0] * len(order)
    kept = 0.0
    for (start, end), value in zip(spans, before, strict=True):
        first = int(np.searchsorted(reach, start, "right"))
        if first < len(order) and starts[first] < end:
            lost[first] += value
        else:
            kept += value
    changes = _changes(text, order, lost, bits, vectors, labels_are_empty)
    return TextUtility(sum(before), kept + sum(c.bits_after for c in changes), changes)


def _words(text: str) -> list[tuple[int, int]]:
    return [(t.start, t.end) for t in term.tokens(text) if t.word not in term.STOP_WORDS or t.acronym]


def _changes(
    text: str, masks: Sequence[Mask], lost: Sequence[float], bits: Bits, vectors: Vectors | None, labels_are_empty: bool
) -> tuple[TermChange, ...]:
    new = ["" if labels_are_empty and is_label(m.replacement) else m.replacement for m in masks]
    old = [text[m.start : m.end] for m in masks]
    likeness = similarities(old, new, vectors) if vectors else [None] * len(masks)
    after = [min(bits(word), most) if word.strip() else 0.0 for word, most in zip(new, lost, strict=True)]
    return tuple(TermChange(b, a, s, m.label) for b, a, s, m in zip(lost, after, likeness, masks, strict=True))


def is_label(replacement: str) -> bool:
    """Tell whether a replacement is a mark and no word: all capitals, digits and signs, or in brackets.

    >>> [is_label(r) for r in ("PERSON", "[DATE_1]", "***", "a city", "Europe")]
    [True, True, True, False, False]
    """
    return not any(c.islower() for c in replacement)


def similarities(old: Sequence[str], new: Sequence[str], vectors: Vectors) -> list[float | None]:
    """Cosine of each term and its replacement; 0 where it was removed, None where a vector is missing."""
    held = vectors([*old, *new])
    found: list[float | None] = []
    for index, word in enumerate(new):
        left, right = held[index], held[len(old) + index]
        if not word.strip():
            found.append(0.0)
        else:
            found.append(None if left is None or right is None else cosine(np.asarray(left), np.asarray(right)))
    return found


def cosine(left: Floats, right: Floats) -> float:
    """Cosine of two vectors; 0 if either is empty."""
    norm = math.sqrt(float((left**2).sum()) * float((right**2).sum()))
    return float((left * right).sum()) / norm if norm > 0 else 0.0


def plausible_cosine(volumes: Sequence[float | None], *, printed: bool = True) -> float:
    """Cosine utility of paper 003, section 5: a generalized word shares its frequency among its leaves.

    volumes     for each word of the text: 1 if kept, v if generalized to a concept of v leaves, None if removed
    printed     the paper's dot product with the original's norm for both; else the cosine proper, in which the
                other leaves lengthen the sanitized vector

    >>> plausible_cosine([1, 2]), plausible_cosine([1, None]), round(plausible_cosine([1, 2], printed=False), 4)
    (0.75, 0.5, 0.866)
    """
    if not volumes:
        return 1.0
    shares = [0.0 if v is None else 1.0 / v for v in volumes]
    dot = sum(shares) / len(volumes)
    if printed:
        return dot
    # v leaves of weight 1/v each have squared length 1/v
    length = math.sqrt(sum(shares) / len(volumes))
    return dot / length if length > 0 else 0.0


def bag_cosine(before: str, after: str) -> float:
    """Cosine of the word counts of two texts, stop words left out.

    >>> bag_cosine("the red car", "a red car")
    1.0
    """
    left, right = (Counter(w for w in term.words(t) if w not in term.STOP_WORDS) for t in (before, after))
    names = sorted(left.keys() | right.keys())
    return cosine(np.array([left[n] for n in names], dtype=float), np.array([right[n] for n in names], dtype=float))


def classifier_agreement(before: Sequence[str], after: Sequence[str], labels: Sequence[str]) -> dict[str, float]:
    """How far a plain classifier says the same of a text before and after.

    Each text is judged by the nearest other original text (TF-IDF words, cosine), whose label it takes; a text
    never judges itself. Return the agreement of the two answers and the accuracy of each.
    """
    _aligned(before, after)
    _aligned(before, labels)
    near = NearestText(before)
    said: list[list[str]] = [[], []]
    for index, pair in enumerate(zip(before, after, strict=True)):
        for answers, text in zip(said, pair, strict=True):
            scores = near.scores(text)
            scores[index] = -1.0
            answers.append(labels[int(scores.argmax())])
    size = len(before)
    return {
        "agreement": sum(a == b for a, b in zip(*said, strict=True)) / size,
        "accuracy_before": sum(a == b for a, b in zip(said[0], labels, strict=True)) / size,
        "accuracy_after": sum(a == b for a, b in zip(said[1], labels, strict=True)) / size,
    }


def clustering_agreement(before: Sequence[str], after: Sequence[str], *, clusters: int) -> float:
    """Adjusted Rand index of the clusters found before and after (spherical k-means, first centers spread out)."""
    _aligned(before, after)
    if not 1 <= clusters <= len(before):
        raise UsageError(f"{clusters} clusters requested for {len(before)} texts")
    return adjusted_rand(*(cluster(texts, clusters) for texts in (before, after)))


def cluster(texts: Sequence[str], clusters: int, *, rounds: int = 50) -> list[int]:
    """Group texts by their words: spherical k-means over cosines, from centers chosen far apart. Deterministic."""
    near = NearestText(texts, Shape(stop_words=False))
    likeness = np.stack([near.scores(text) for text in texts])
    norm = np.sqrt(np.clip(np.diag(likeness), 1e-12, None))
    likeness /= norm[:, None]
    chosen = [int(likeness.sum(axis=1).argmax())]
    while len(chosen) < clusters:
        chosen.append(int(likeness[:, chosen].max(axis=1).argmin()))
    member = likeness[:, chosen].argmax(axis=1)
    for _ in range(rounds):
        sums = np.stack([likeness[:, member == c].sum(axis=1) for c in range(clusters)], axis=1)
        lengths = np.array([math.sqrt(max(float(sums[member == c, c].sum()), 1e-12)) for c in range(clusters)])
        moved = (sums / lengths).argmax(axis=1)
        if (moved == member).all():
            break
        member = moved
    return [int(c) for c in member]


def _aligned(left: Sequence[str], right: Sequence[str]) -> None:
    if len(left) != len(right) or not left:
        raise UsageError(f"{len(left)} and {len(right)} texts cannot be compared; both lists must be aligned")


def word_bits(document_counts: Mapping[str, int], total: int) -> Bits:
    """Information of a phrase from word counts: max IC(w) + 0.2 · sum of the other IC(w), unknown words half.

    document_counts     folded word -> texts that hold it, out of `total`; IC(w) = -log2(count / total)

    >>> bits = word_bits({"blood": 25, "transfusion": 10}, 100)
    >>> round(bits("blood transfusions") - bits("transfusion"), 3), round(bits("blood"), 3)
    (0.4, 2.0)
    """
    if total < 1:
        raise UsageError("information needs a reference collection with at least one text")
    unknown = 0.5 * math.log2(total)
    cache: dict[str, float] = {}

    def one(word: str) -> float:
        count = max(document_counts.get(form, 0) for form in (word, term.singular(word), term.plural(word)))
        return -math.log2(min(count, total) / total) if count else unknown

    def bits(phrase: str) -> float:
        if phrase not in cache:
            found = sorted((one(w) for w in term.words(phrase) if w not in term.STOP_WORDS), reverse=True)
            cache[phrase] = found[0] + 0.2 * sum(found[1:]) if found else 0.0
        return cache[phrase]

    return bits


def count_documents(texts: Iterable[str]) -> tuple[dict[str, int], int]:
    """Count in how many texts each word occurs, for `word_bits`."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(set(term.words(text)))
        total += 1
    return dict(counts), total
