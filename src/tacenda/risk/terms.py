"""The terms of a document, from its mentions: what is counted, and which mentions carry it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tacenda.model import Context, Mention, Span
from tacenda.term import STOP_WORDS, content_words, tokens

UNITS = ("sentence", "paragraph", "passage", "document")
_LONGEST = 4
_PASSAGE = 1_200  # characters, about two hundred words: the windows of an index are no longer
_SURE = 0.9


@dataclass(frozen=True)
class Carried:
    """A word or phrase and the mentions that carry it (numbers, ascending)."""

    words: tuple[str, ...]
    mentions: tuple[int, ...]

    @property
    def key(self) -> str:
        """The words as one term."""
        return " ".join(self.words)


def phrase_words(mention: Mention) -> tuple[str, ...]:
    """Return the content words of a mention's text; none for a mention whose text was removed."""
    if not mention.text.strip():
        return ()
    # "Jobs" the person is not the plural of a job; where that is not sure, the cautious reading is the word.
    name = mention.kind == "entity" and mention.label == "PERSON" and mention.confidence >= _SURE
    return content_words(mention.text, name=name)


def is_number(words: Sequence[str]) -> bool:
    """Tell whether a term is digits alone: what "27" counts in one text says nothing about "27" in another."""
    return all(word.isdigit() for word in words)


def whole_phrases(mentions: Sequence[Mention], chosen: Sequence[int]) -> list[Carried]:
    """Return the distinct terms of the chosen mentions, in reading order; same words, same term."""
    return _collect(mentions, chosen, lambda words: iter((words,)))


def single_words(mentions: Sequence[Mention], chosen: Sequence[int]) -> list[Carried]:
    """Return the distinct words of the chosen mentions."""
    return _collect(mentions, chosen, lambda words: ((word,) for word in words))


def sub_phrases(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the contiguous parts of a phrase, short ones first, up to four words, and the whole.

    >>> [" ".join(part) for part in sub_phrases(("human", "immune", "system"))]
    ['human', 'immune', 'system', 'human immune', 'immune system', 'human immune system']
    """
    for length in range(1, min(_LONGEST, len(words)) + 1):
        for start in range(len(words) - length + 1):
            yield words[start : start + length]
    if len(words) > _LONGEST:
        yield words


def all_parts(mentions: Sequence[Mention], chosen: Sequence[int]) -> list[Carried]:
    """Return the distinct contiguous parts of the chosen mentions, each with the mentions that carry it."""
    return _collect(mentions, chosen, sub_phrases)


def _collect(
    mentions: Sequence[Mention],
    chosen: Sequence[int],
    parts: Callable[[tuple[str, ...]], Iterable[tuple[str, ...]]],
) -> list[Carried]:
    carried: dict[tuple[str, ...], list[int]] = {}
    for number in chosen:
        words = phrase_words(mentions[number])
        if words:
            for part in dict.fromkeys(parts(words)):
                carried.setdefault(part, []).append(number)
    return [Carried(words, tuple(numbers)) for words, numbers in carried.items()]


def contexts(mentions: Sequence[Mention], context: Context, unit: str) -> list[list[int]]:
    """Return the mentions of each context: the document, its passages, its paragraphs or its sentences.

    A passage is sentences in a row, about a third of a page: what a reader has before the eyes at once.
    A mention belongs to the span it starts in; what lies outside all spans shares one last context.
    """
    if unit == "document":
        return [list(range(len(mentions)))]
    if unit not in UNITS:
        raise ValueError(f"no context named {unit!r}. Available: {', '.join(UNITS)}.")
    spans: Sequence[Span] = context.paragraphs if unit == "paragraph" else context.sentences
    if unit == "passage":
        spans = passages(spans)
    if not spans:
        return [list(range(len(mentions)))]
    starts = [start for start, _ in spans]
    inside: dict[int, list[int]] = {}
    for number, mention in enumerate(mentions):
        at = bisect_right(starts, mention.start) - 1
        within = at >= 0 and mention.start < spans[at][1]
        inside.setdefault(at if within else len(spans), []).append(number)
    return [inside[key] for key in sorted(inside)]


def bridges(mentions: Sequence[Mention], context: Context) -> list[list[int]]:
    """Return the mentions from the middle of each passage to the middle of the next.

    Where a passage ends is chance: what stands just before and just after it is before the eyes at once, too.
    """
    middles = [(start + end) // 2 for start, end in passages(context.sentences)]
    starts = [mention.start for mention in mentions]
    places = [bisect_left(starts, middle) for middle in middles]
    return [list(range(low, high)) for low, high in pairwise(places) if high > low]


def passages(sentences: Iterable[Span]) -> list[Span]:
    """Join sentences in a row to passages.

    >>> passages([(0, 900), (901, 1100), (1101, 1400)])
    [(0, 1100), (1101, 1400)]
    """
    found: list[Span] = []
    for start, end in sentences:
        if found and end - found[-1][0] <= _PASSAGE:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def is_replaced(mention: Mention, context: Context) -> bool:
    """Tell whether a mention no longer says what the document says at its place."""
    return context.document.text[mention.start : mention.end] != mention.text


def remaining_words(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return a mention for every content word that lies outside all mentions, in reading order.

    A certificate is about every word of the output, verbs and adjectives included; with these, a risk model sees
    what a verifier will see.
    """
    covered = sorted(mention.span for mention in mentions)
    starts = [start for start, _ in covered]
    ends = list(accumulate((end for _, end in covered), max))
    words = []
    for token in tokens(text):
        at = bisect_right(starts, token.start) - 1
        inside = (at >= 0 and ends[at] > token.start) or (at + 1 < len(starts) and starts[at + 1] < token.end)
        if not inside and (token.acronym or token.word not in STOP_WORDS):
            words.append(Mention(token.start, token.end, text[token.start : token.end], "WORD", source="words"))
    return words
