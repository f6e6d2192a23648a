"""Find sentences, noun phrases, entities and identifiers in a document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tacenda.annotate.edges import on_their_lines, without_idle_edges
from tacenda.annotate.entities import tie
from tacenda.annotate.gazetteer import Expressions, Gazetteer, protected_forms
from tacenda.annotate.known import Known
from tacenda.annotate.known_values import parse_known
from tacenda.annotate.mend import mended, one_label, one_number, without_known_names
from tacenda.annotate.merge import merge
from tacenda.annotate.name_edges import one_role, tidied, without_eponyms, without_medicines
from tacenda.annotate.said import same_people
from tacenda.annotate.spread import spread
from tacenda.annotate.titles import whole_titles, without_kinds
from tacenda.language import FUNCTION_WORDS, STOP_WORDS, is_unit, says_nothing, sentences, spoken_number
from tacenda.model import Annotation, Document, Mention, Protected
from tacenda.protocols import Annotator

__all__ = ["Known", "combine", "parse_known", "word_matchers"]

_FORM_LABELS = frozenset(("TERM", "ORG", "MISC", "CODE"))
_NO_QUANTITIES = frozenset(
    "please about thanks regards thank hi hello dear amen yes no ok if of in on at to as it is and or but so the a an "
    "this that with from for by".split()
)
_WORD_AFTER = re.compile(r"[ \u00a0]([A-Za-z]+)\b")
_PAGE = re.compile(r"(?:\bpp?\.|§§?)\s?$")
_NO_NAME = 10  # letters from which a heading is no name


def combine(
    document: Document,
    found: Iterable[Annotation],
    *,
    forced: Iterable[Annotator] = (),
    confidence: float = 0.0,
    is_disease: Callable[[str], bool] | None = None,
    is_medicine: Callable[[str], bool] | None = None,
) -> Annotation:
    """Join what annotators found with what must be found: spread forms, tie entities, settle overlaps.

    `forced` are matchers of known identifiers and protected forms; `confidence` is the least a finding
    needs; `is_disease` tells names of diseases, so that "Friedreich ataxia" names nobody, and `is_medicine`
    those of medicines. Every surface form of an entity or identifier found anywhere is found everywhere.
    """
    text = document.text

    def named(mentions: Iterable[Mention]) -> Iterable[Mention]:
        tidy = without_kinds(mended(text, tidied(text, on_their_lines(text, mentions))))
        tidy = without_medicines(tidy, is_medicine) if is_medicine else tidy
        return without_eponyms(text, tidy, is_disease) if is_disease else tidy

    kept = [
        Annotation(tuple(m for m in named(without_idle_edges(a.mentions)) if m.confidence >= confidence), a.sentences)
        for a in (*found, *(matcher.annotate(document) for matcher in forced))
    ]
    merged = merge(kept)
    titled = without_known_names(one_number(one_label(whole_titles(text, merged.mentions))))
    mentions = _with_phrases(one_role(spread(text, tie(titled, same_people(text, titled)))), kept)
    told = (m for m in _as_read(mentions, kept) if not _is_form(m, text))
    return Annotation(tuple(told), merged.sentences or tuple(sentences(text)))


def _as_read(mentions: Iterable[Mention], found: Iterable[Annotation]) -> Iterator[Mention]:
    """Give what other annotators found by its words the part of speech and the reading that its last word has."""
    read = {m.end: m for one in found for m in one.mentions if m.reading is not None}
    for mention in mentions:
        other = read.get(mention.end) if mention.reading is None else None
        yield replace(mention, tag=mention.tag or other.tag, reading=other.reading) if other else mention


def _is_form(mention: Mention, text: str) -> bool:
    """Tell whether a finding is a heading or shorthand that every text of its kind has: "PLAN:", "Pt", "BID"."""
    if mention.label == "DATETIME" and _PAGE.search(text, max(0, mention.start - 5), mention.start):
        return mention.text.isdigit()  # "p. 1641"
    if mention.label == "DATETIME" and mention.text.isdigit() and (unit := _WORD_AFTER.match(text, mention.end)):
        return is_unit(text, *unit.span(1))  # "2000 IU daily"
    if mention.kind not in ("term", "entity"):
        return False
    word = mention.text.casefold()
    if mention.label in ("QUANTITY", "CODE", "MISC") and word in _NO_QUANTITIES:
        return True
    if mention.label == "CODE" and word in FUNCTION_WORDS and not spoken_number(word):
        return True
    # Speakers are named before a colon, too; nobody is called "Constitutional" or "Respiratory".
    heads = mention.label == "PERSON" and len(mention.text) >= _NO_NAME
    return (heads or mention.label in _FORM_LABELS) and says_nothing(text, *mention.span)


def _with_phrases(mentions: Sequence[Mention], found: Sequence[Annotation]) -> Iterator[Mention]:
    """Tell each mention the noun phrase around it, for the rewriting: an article goes before a whole phrase only."""
    phrases = sorted((_bare_start(m), m.end) for a in found for m in a.mentions if m.kind == "term")
    starts = [start for start, _ in phrases]
    for mention in mentions:
        # Base noun phrases do not nest, so the last one that starts before the mention's end is the one around it.
        at = bisect_left(starts, mention.end) - 1
        around = phrases[at] if at >= 0 else (-1, -1)
        yield replace(mention, phrase=around) if around[1] > mention.start else mention


def _bare_start(phrase: Mention) -> int:
    """Offset of the first word of a noun phrase that is no determiner."""
    for word in re.finditer(r"[^\W_]+", phrase.text):
        if word.group().lower() not in STOP_WORDS:
            return phrase.start + word.start()
    return phrase.start


def word_matchers(
    protected: Sequence[Protected], words: Sequence[str], expressions: Sequence[tuple[str, str]]
) -> tuple[Annotator, ...]:
    """Return matchers for what a policy names: protected entities, words and regular expressions."""
    matchers: list[Annotator] = [Gazetteer(protected_forms([p]), name=p.entity) for p in protected]
    if words:
        matchers.append(_Forced(Gazetteer.of_words(words)))
    if expressions:
        matchers.append(_Forced(Expressions(expressions)))
    return tuple(matchers)


class _Forced:
    """What a policy lists ranks with protected entities: it is masked, whatever a risk model says."""

    def __init__(self, matcher: Annotator) -> None:
        self.name = matcher.name
        self._matcher = matcher

    def annotate(self, document: Document) -> Annotation:
        found = self._matcher.annotate(document).mentions
        return Annotation(
            tuple(Mention(m.start, m.end, m.text, m.label, "protected", "policy", entity=m.entity) for m in found)
        )
