"""Similarity to what is protected, by vectors of phrases (paper 004, section 3.2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tacenda.errors import KnowledgeError
from tacenda.model import Context, Mention, Risk
from tacenda.protocols import Calibrated, Embeddings, TrainedVectors
from tacenda.risk.terms import is_replaced
from tacenda.term import content_words, normalize

Floats = npt.NDArray[np.float32]
UNKNOWN = 1.0  # the score of a term that has no vector, where policy says to suppress what is not known


class Similarity:
    """Risky iff sim(v(p), v(e)) >= t: the vector of a phrase p is close to that of what is protected, e.

    e is each protected entity of the policy, the closest of its forms counting; where the policy protects none, e is
    the person the document is about.

    threshold   t, from -1 to 1; lower hides more. Without it the vectors say: .25 for trained ones (the paper's),
                a calibrated value for the ready-made ones
    share       instead of a threshold: hide about this share of the words of each document
    """

    name = "similarity"
    unit = "cosine"
    monotone = False
    guarantee = "No phrase left in the text is as similar as the threshold to what is protected, by these vectors."

    def __init__(
        self,
        *,
        embeddings: Embeddings,
        threshold: float | None = None,
        share: float | None = None,
        unknown: str = "suppress",
    ) -> None:
        if threshold is not None and share is not None:
            raise ValueError("threshold and share are both given; give the similarity, or the share of the text")
        if threshold is not None and not -1 <= threshold <= 1:
            raise ValueError(f"threshold is {threshold}; a cosine lies between -1 and 1")
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"share is {share}; it must lie between 0 and 1, e.g. 0.3")
        if embeddings is None:
            raise KnowledgeError(
                "risk model 'similarity' needs vectors; leave the setting out to use the ones that come with Tacenda."
            )
        if threshold is None and share is None and not isinstance(embeddings, Calibrated):
            raise ValueError("these vectors come without a threshold: set threshold (a cosine) or share")
        self.embeddings, self.share, self.unknown = embeddings, share, unknown
        self._threshold = threshold

    @property
    def threshold(self) -> float:
        """The threshold given, or the one the vectors come with; above every cosine where there is neither."""
        if self._threshold is None:
            return float(self.embeddings.threshold) if isinstance(self.embeddings, Calibrated) else 2.0
        return self._threshold

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return one risk for each distinct term and each protected entity it is too similar to."""
        alike = distinct_terms(mentions)
        replaced = [is_replaced(mentions[numbers[0]], context) for numbers in alike.values()]
        risks = []
        for discloses, forms in targets(context):
            scores = self.scores(tuple(alike), forms, replaced)
            limit = self.threshold if self.share is None else self._limit(context, forms)
            for numbers, score in zip(alike.values(), scores, strict=True):
                if score >= limit:
                    risks.append(Risk(self.name, tuple(numbers), discloses, score, limit, self.unit))
        return risks

    def scores(self, terms: Sequence[str], forms: Sequence[str], replaced: Sequence[bool] = ()) -> list[float]:
        """Return the cosine of each term to the closest of the forms; a term that is a form scores 1.

        replaced    which terms come from a replacer: those are judged by their parts where vectors trained on a
                    collection do not hold them whole; a term of the document is then one the collection never saw
        """
        own = {normalize(form) for form in forms}
        unknown = UNKNOWN if self.unknown == "suppress" else -1.0
        protected = [vector for vector in self.embeddings.vectors(list(forms)) if vector is not None]
        if not protected:
            return [1.0 if term in own else unknown for term in terms]
        matrix = stacked(protected)
        trained = self.embeddings if isinstance(self.embeddings, TrainedVectors) and self.embeddings.trained else None
        found = []
        for number, (term, vector) in enumerate(zip(terms, self.embeddings.vectors(list(terms)), strict=True)):
            new = bool(replaced) and replaced[number]
            if term in own:
                found.append(1.0)
            elif vector is None or (trained and not new and not trained.whole(term)):
                found.append(unknown)
            else:
                found.append(float(max(_product(matrix, vector))))
        return found

    def _limit(self, context: Context, forms: Sequence[str]) -> float:
        """The threshold at which about `share` of the document's words are hidden."""
        alike = distinct_terms(context.mentions)
        lengths = [sum(len(content_words(context.mentions[i].text)) for i in numbers) for numbers in alike.values()]
        total = len(content_words(context.document.text))
        return threshold_for_share(self.scores(tuple(alike), forms), lengths, total, self.share or 0.0)


def distinct_terms(mentions: Sequence[Mention]) -> dict[str, list[int]]:
    """Return the normalized terms with the mentions that carry them; what was removed or labeled tells nothing."""
    alike: dict[str, list[int]] = {}
    for number, mention in enumerate(mentions):
        text = mention.text.strip()
        if text and not (text.startswith("[") and text.endswith("]")):
            alike.setdefault(normalize(text), []).append(number)
    return alike


def targets(context: Context) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is protected: (name, forms) of each entity of the policy, or else the subject of the document."""
    for entry in context.protected:
        yield entry.entity, (entry.entity, *entry.forms)
    if not context.protected and context.subject:
        yield "identity", context.subject.names


def stacked(vectors: Sequence[Sequence[float]]) -> Floats:
    """Return vectors as rows of a matrix; different dimensions are an error."""
    sizes = {len(vector) for vector in vectors}
    if len(sizes) > 1:
        raise _dimensions(*sorted(sizes)[:2])
    return np.asarray(vectors, dtype=np.float32)


def _product(matrix: Floats, vector: Sequence[float]) -> Floats:
    if matrix.shape[1] != len(vector):
        raise _dimensions(matrix.shape[1], len(vector))
    return np.asarray(matrix @ np.asarray(vector, dtype=np.float32))


def _dimensions(one: int, other: int) -> KnowledgeError:
    return KnowledgeError(
        f"vectors of {one} and of {other} dimensions cannot be compared. Take all vectors from one file."
    )


def threshold_for_share(scores: Sequence[float], lengths: Sequence[int], total: int, share: float) -> float:
    """Return the threshold that hides the share of a text nearest to the one asked for.

    scores, lengths     of each term: its similarity, and the words all its mentions hold
    total               words of the text

    >>> threshold_for_share([0.9, 0.5, 0.1], [2, 3, 5], 10, 0.5)
    0.5
    """
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    best, limit, hidden = share, np.inf, 0
    for place, index in enumerate(order):
        hidden += lengths[index]
        tied = place + 1 < len(order) and scores[order[place + 1]] == scores[index]
        off = abs(hidden / total - share) if total else share
        if not tied and off < best:
            best, limit = off, float(scores[index])
    return limit


def best_threshold(documents: Sequence[Sequence[tuple[float, bool]]]) -> tuple[float, float]:
    """Return the threshold with the greatest mean F1 over marked documents, and that F1 (paper 004, section 4.1).

    documents       for each document the (similarity, marked) of its terms

    >>> best_threshold([[(0.9, True), (0.4, True), (0.1, False)]])
    (0.4, 1.0)
    """
    thresholds = sorted({score for terms in documents for score, _ in terms})
    if not any(marked for terms in documents for _, marked in terms):
        raise KnowledgeError("nothing is marked in these documents, so no threshold can be calibrated on them.")
    total = np.zeros(len(thresholds))
    for terms in documents:
        marks = np.array([marked for _, marked in terms], dtype=bool)
        scores = np.array([score for score, _ in terms])
        for number, limit in enumerate(thresholds):
            hit = scores >= limit
            right = float((hit & marks).sum())
            total[number] += 2 * right / (hit.sum() + marks.sum()) if right else 0.0
    best = int(np.argmax(total))
    return thresholds[best], float(total[best]) / len(documents)
