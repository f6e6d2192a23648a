"""Risk by meaning: sentences, alone or two in a row, from which a reader concludes what is protected."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.errors import KnowledgeError
from tacenda.language import SAYING_WORDS, TIME_NOUNS
from tacenda.model import Context, Mention, Protected, Reason, Risk, Span
from tacenda.protocols import Embeddings, TextStates, Uses
from tacenda.risk.meaning.reader import Reader
from tacenda.risk.meaning.signs import DATA
from tacenda.risk.terms import is_replaced
from tacenda.term import content_words, fold

UNIT = "probability"
# Shares of the limit from which on a sentence within its document, seen by one network, is read by all of them, and
# then by itself.
_FIRST, _LOOK = 0.3, 0.6
_LONGEST = 600  # characters of two sentences that are read as one
_FRAME = 0.2  # a sentence tells something only if its content closes this share of what its bare frame left open
_SURER = 0.3  # two sentences that tell together must leave less than this share of the doubt that one may leave
_PLAIN = 0.9  # a sentence that read so in its source is read without favor once words of it are masked
_ENOUGH = 0.4  # words are left out until a sentence reads so at less than this share of the limit
_MATTERS = 0.4  # words that lower a reading by less, and not below the limit, do not carry it
_COUNTING = ("alpha_c", "correlation", "service")  # models that count how often words occur together
# Names of people, times and numbers say who and when, not what is told.
_WHO_AND_WHEN = frozenset(("PERSON", "DATETIME", "AGE", "CODE", "QUANTITY"))
_BY_COUNT = ("", "words", "concept", "name", "use")
_AROUND = 40  # characters beside a word in which a look-alike phrase may stand


@dataclass(frozen=True)
class Stretch:
    """One sentence, or two in a row, as it stands now: its text, and where the mentions that may tell stand in it."""

    text: str
    mentions: tuple[int, ...]
    spans: tuple[Span, ...]

    def without(self, left_out: set[int]) -> str:
        """The text without some of its mentions."""
        parts, at = [], 0
        for number, (start, end) in zip(self.mentions, self.spans, strict=True):
            if number in left_out and start >= at:
                parts.append(self.text[at:start])
                at = end
        return "".join((*parts, self.text[at:]))

    def places(self, left_out: set[int]) -> tuple[str, dict[int, Span]]:
        """The text without some of its mentions, and where each of the others stands in it."""
        gone = [span for number, span in zip(self.mentions, self.spans, strict=True) if number in left_out]
        places = {
            number: (start - shift, end - shift)
            for number, (start, end) in zip(self.mentions, self.spans, strict=True)
            if number not in left_out
            for shift in (sum(b - a for a, b in gone if b <= start),)
        }
        return self.without(left_out), places

    def holding(self, spans: Sequence[Span]) -> set[int]:
        """The mentions that share a letter with one of some spans."""
        return {
            number
            for number, (start, end) in zip(self.mentions, self.spans, strict=True)
            if any(start < b and a < end for a, b in spans)
        }


class Meaning:
    """Risky iff the probability that a reader concludes the protected thing from a sentence reaches the limit.

    limit       probability, from 0 to 1; lower hides more, 1 switches the model off
    overrule    where a sentence reads so at less than this, everyday words that counting alone found in it are left;
                0: never
    neighbors   False: sentences are read one by one; True: two in a row as well
    weights     folder with network.npz, trained.txt as `train.meaning` writes them; the shipped ones by default
    """

    name = "meaning"
    unit = UNIT
    monotone = False
    every_word = True  # any word can carry the meaning of a sentence, also one that no annotator marked
    guarantee = "By the judgment of a trained reader of sentences, which proves nothing, no sentence tells it."

    def __init__(
        self,
        *,
        encoder: TextStates | None = None,
        embeddings: Embeddings | None = None,
        limit: float = 0.5,
        overrule: float = 0.0,
        neighbors: bool = True,
        weights: str = "",
        taxonomy: Any = None,
    ) -> None:
        if not 0 < limit <= 1:
            raise ValueError(f"limit is {limit}; a probability above 0 and at most 1 is needed, e.g. 0.5")
        if not 0 <= overrule < limit:
            raise ValueError(f"overrule is {overrule}; it must lie between 0 and the limit, e.g. 0.05")
        if encoder is None or embeddings is None:
            raise KnowledgeError("risk model 'meaning' needs the encoder and vectors; leave both settings out.")
        self.limit, self.overrule, self.neighbors = limit, overrule, neighbors
        self._encoder, self._embeddings = encoder, embeddings
        self._pharmacy = taxonomy if isinstance(taxonomy, Uses) else None
        self._weights = Path(weights) if weights else DATA
        self._readers: dict[tuple[Protected, ...], Reader] = {}
        self._asked: tuple[Sequence[Protected], Reader] | None = None
        self._looked: tuple[str, Reader, list[Any]] | None = None

    def reader(self, protected: Sequence[Protected]) -> Reader:
        """Return the reader for some protected entities; made once."""
        # Asked for in every round with the same tuple: an entity with thousands of forms takes long to hash.
        if self._asked is None or self._asked[0] is not protected:
            key = tuple(dict.fromkeys(protected))
            if key not in self._readers:
                self._readers[key] = Reader(key, self._encoder, self._embeddings, self._weights)
            self._asked = protected, self._readers[key]
        return self._asked[1]

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return a risk for each sentence, or pair of sentences, that tells a protected entity."""
        if not context.protected or self.limit >= 1:
            return []
        reader = self.reader(context.protected)
        found = list(self._told(reader, mentions, context, pairs=False))
        # In a text that was changed and must be changed again, two in a row are read when no sentence tells by itself.
        again = found and any(is_replaced(mention, context) for mention in mentions)
        if self.neighbors and not again:
            alone = {(risk.discloses, number) for risk in found for number in risk.mentions}
            found += self._told(reader, mentions, context, pairs=True, told=alone)
        return found

    def left(self, risks: Sequence[Risk], mentions: Sequence[Mention], context: Context) -> list[Risk]:
        """Return the risks without those that counting alone found in sentences that clearly read otherwise.

        Only everyday words and known look-alikes can mean something else. Other names of an entity, medicines for it,
        rare words and what the index does not know always stand. A group stands if one of its sentences reads so.
        """
        if not self.overrule or not context.protected:
            return list(risks)
        reader = self.reader(context.protected)
        entities = {entry.entity: n for n, entry in enumerate(reader.protected)}
        starts = [start for start, _ in _spans(context, False)]
        read = self._look(reader, context, False)

        def clear(risk: Risk) -> bool:
            entity = entities[risk.discloses]
            sentences = {max(0, bisect_right(starts, mentions[n].start) - 1) for n in risk.mentions}
            return all(read[n][entity] < self.overrule for n in sentences) and all(
                self._may_mean_otherwise(reader, entity, mentions[n], context, risk.reason.kind) for n in risk.mentions
            )

        counted = (r for r in risks if r.model in _COUNTING and r.reason.kind in _BY_COUNT and r.discloses in entities)
        left_out = {id(risk) for risk in counted if clear(risk)}
        return [risk for risk in risks if id(risk) not in left_out]

    def _may_mean_otherwise(self, reader: Reader, entity: int, mention: Mention, context: Context, kind: str) -> bool:
        """Tell whether a word has other senses: it is common, or stands in a phrase that is a known look-alike."""
        if kind in ("name", "use"):
            words = content_words(mention.text)
            return any(fold(word) in reader.categories[entity].everyday for word in words)
        # As they are written: "credentials" is common, its singular is not.
        if all(self._encoder.is_common(word) for word in re.findall(r"\w+", mention.text)):
            return True
        low, high = max(0, mention.start - _AROUND), mention.end + _AROUND
        near = reader.alike(context.document.text[low:high], entity)
        return any(a + low <= mention.start and mention.end <= b + low for a, b in near)

    def _told(
        self,
        reader: Reader,
        mentions: Sequence[Mention],
        context: Context,
        *,
        pairs: bool,
        told: Collection[tuple[str, int]] = (),
    ) -> Iterator[Risk]:
        """Yield the risks of sentences or pairs of them.

        told    entities that one of two sentences tells already, with the mentions that carry it there: the pair is
                read again when those are changed
        """
        limit = 1.0 - _SURER * (1.0 - self.limit) if pairs else self.limit
        looked = self._look(reader, context, pairs)
        starts = [mention.start for mention in mentions]
        for number, span in enumerate(_spans(context, pairs)):
            # With fewer words a sentence does not tell what it did not come near with all of them.
            near = np.flatnonzero(looked[number] >= _LOOK * self.limit).tolist()
            if not near:
                continue
            inside = range(bisect_left(starts, span[0]), bisect_right(starts, span[1] - 1))
            numbers = [n for n in inside if mentions[n].end <= span[1]]
            near = [e for e in near if not any((reader.protected[e].entity, n) in told for n in numbers)]
            masked = any(is_replaced(mentions[n], context) for n in numbers)
            plain = {e for e in near if looked[number][e] >= _PLAIN}
            for held, entities in self._plainly(reader, near, numbers, mentions):
                stretch = _stretch(span, numbers, held, context)
                yield from self._read(reader, stretch, entities, limit, masked=masked, plain=plain)

    def _plainly(
        self, reader: Reader, near: Sequence[int], numbers: Sequence[int], mentions: Sequence[Mention]
    ) -> Iterator[tuple[Sequence[Mention], list[int]]]:
        """Yield the mentions as a sentence is read, with the entities it is read for.

        A medicine that is known to be for something else is no more than "medicine" where what is protected has
        medicines of its own: the reader has not learned each of them.
        """
        other: dict[int, Mention] = {}
        for number in numbers:
            uses = self._pharmacy.uses(mentions[number].text) if self._pharmacy else ()
            if uses and not any(reader.protected[entity].entity in uses for entity in near):
                other[number] = replace(mentions[number], text="medicine", kind="identifier")
        able = [entity for entity in near if other and reader.protected[entity].signs]
        if able:
            yield [other.get(number, mention) for number, mention in enumerate(mentions)], able
        if rest := [entity for entity in near if entity not in able]:
            yield mentions, rest

    def _read(
        self,
        reader: Reader,
        stretch: Stretch,
        near: Sequence[int],
        limit: float,
        *,
        masked: bool,
        plain: Collection[int],
    ) -> Iterator[Risk]:
        """Yield the risks of a stretch; `plain` are the entities that it told plainly before anything was masked."""
        read = reader.probabilities(stretch.text)
        surer = max(limit, 1.0 - _SURER * (1.0 - self.limit))
        for entity in near:
            # Masks leave a sentence vague, and the reader guesses: without a sign left it must be surer.
            vague = masked and entity not in plain and not reader.strong(stretch.text, entity)
            if read[entity] >= (surer if vague else limit):
                risk = self._risk(reader, stretch, entity, float(read[entity]), plain=entity in plain)
                if risk is not None:
                    yield risk

    def _look(self, reader: Reader, context: Context, pairs: bool) -> Any:
        """Probabilities of the sentences as they stand in the document, from the encoder's one pass over it."""
        text = context.document.text
        if self._looked is None or self._looked[0] != text or self._looked[1] is not reader:
            both = [_spans(context, False), _spans(context, True) if self.neighbors else []]
            every = reader.look(text, [*both[0], *both[1]], least=_FIRST * self.limit)
            self._looked = (text, reader, [every[: len(both[0])], every[len(both[0]) :]])
        return self._looked[2][int(pairs)]

    def _risk(self, reader: Reader, stretch: Stretch, entity: int, before: float, *, plain: bool) -> Risk | None:
        carriers, after = self._carriers(reader, stretch, entity, before, plain=plain)
        if not carriers:
            return None
        # Two digits: more would differ from one processor to the next.
        before, after = round(before, 2), round(after, 2)
        reason = Reason("meaning", {"before": before, "after": after})
        told = reader.protected[entity].entity
        return Risk(self.name, carriers, told, before, self.limit, UNIT, {}, reason)

    def _carriers(
        self, reader: Reader, stretch: Stretch, entity: int, before: float, *, plain: bool
    ) -> tuple[tuple[int, ...], float]:
        """Return the mentions without which the stretch no longer tells the entity, and what is left then.

        Strong signs are left out first. Then each other mention is left out by itself, those that matter most are
        left out together until little enough is told, and what was not needed after all is put back.
        """

        def without(numbers: set[int]) -> float:
            return float(reader.probabilities(stretch.without(numbers))[entity])

        spans = zip(stretch.mentions, stretch.spans, strict=True)
        able = [n for n, (a, b) in spans if (word := stretch.text[a:b].strip()) and fold(word) not in SAYING_WORDS]
        # What a sentence seems to tell without any of its content is no finding.
        frame = without(set(able))
        limit = max(self.limit, frame + _FRAME * (1.0 - frame))
        enough = max(self.limit * _ENOUGH, min(limit, frame + _FRAME * self.limit))
        if not able or before < limit:
            return (), before
        chosen = stretch.holding(reader.strong(stretch.text, entity)) & set(able)
        left = without(chosen) if chosen else before
        if left < enough:
            return tuple(sorted(chosen)), left
        order = self._most_telling(reader, stretch, entity, chosen, [n for n in able if n not in chosen])
        added: list[int] = []
        for number in order:
            added.append(number)
            left = without(chosen.union(added))
            if left < enough:
                break
        for number in [n for n in order if n in added]:
            rest = chosen.union(added) - {number}
            if rest and (less := without(rest)) < enough:
                added.remove(number)
                left = less
        if left >= self.limit and before - left < _MATTERS and not plain:
            # What is left reads so whichever words go: they do not carry it, and masking them would only break it.
            added, left = [], without(chosen) if chosen else before
        return tuple(sorted(chosen.union(added))), left

    @staticmethod
    def _most_telling(
        reader: Reader, stretch: Stretch, entity: int, left_out: set[int], numbers: Sequence[int]
    ) -> list[int]:
        """Return mentions by how much a stretch, without those left out already, tells without each of them."""
        text, places = stretch.places(left_out)
        alone = reader.without(text, [places[number] for number in numbers])[:, entity].tolist() if numbers else []
        return [number for _, number in sorted(zip(alone, numbers, strict=True))]


def _spans(context: Context, pairs: bool) -> list[Span]:
    sentences = [
        part for span in context.sentences or ((0, len(context.document.text)),) for part in _cut(span, context)
    ]
    if not pairs:
        return sentences
    joined = [(a[0], b[1]) for a, b in pairwise(sentences)]
    return [span for span in joined if span[1] - span[0] <= _LONGEST]


def _cut(span: Span, context: Context) -> Iterator[Span]:
    """Cut what has no end of a sentence for very long: every word of it is left out in turn, so time grows fast."""
    start, end = span
    while end - start > _LONGEST:
        at = context.document.text.rfind(" ", start + 1, start + _LONGEST)
        at = at if at > start else start + _LONGEST
        yield start, at
        start = at
    yield start, end


def _who_or_when(mention: Mention) -> bool:
    return mention.label in _WHO_AND_WHEN or (
        mention.kind == "term" and fold(mention.text.rpartition(" ")[2]) in TIME_NOUNS
    )


def _stretch(span: Span, numbers: Sequence[int], mentions: Sequence[Mention], context: Context) -> Stretch:
    """Return a stretch of the document as it reads with its mentions as they are now."""
    source = context.document.text
    parts: list[str] = []
    spans: list[Span] = []
    kept: list[int] = []
    at, length = span[0], 0
    for number in numbers:
        mention = mentions[number]
        if mention.start < at:
            continue
        between = source[at : mention.start]
        parts += (between, mention.text)
        length += len(between)
        if mention.kind in ("entity", "term", "protected") and not _who_or_when(mention):
            spans.append((length, length + len(mention.text)))
            kept.append(number)
        length += len(mention.text)
        at = mention.end
    parts.append(source[at : span[1]])
    return Stretch("".join(parts), tuple(kept), tuple(spans))
