"""Put replacements into a text so that it still reads: articles, number, capitals, possessives.

`fit` shapes one replacement to the place it goes to; `splice` applies all edits in one pass and says
where each piece came from. Neither looks further than the sentence around the mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tacenda import language, term
from tacenda.model import Candidate, Document, Edit, Mention, Span

_WORD_BEFORE = re.compile(r"([^\W_]+(?:[-‐‑][^\W_]+)*)(['’]s?)?[\s\"'“‘(\[]*$")
_BARE_LIST = re.compile(r", (?!(?:an?|the|his|her|their)\b)[a-z-]+(?: [a-z-]+)? (?:and|or) $")
_JOINED = re.compile(r"[\w)][-‐‑–]$")
_ENDS_SENTENCE = re.compile(r"\s+[A-Z]|\s*\n|\s*$")
_POINT_BEFORE = re.compile(r"(?:^|\s)\.$")
_ABBREVIATION = re.compile(r"\b[A-Z][a-z]{1,2}$")
_POINT_AFTER = re.compile(r"\.(?: [a-z]|,)")
_FROM = re.compile(r"\b(from|between) $", re.I)
_SPAN = re.compile(r"\d\s?(?:to|and|until|till|[-–—])\s?\d|\d (?:to|and|until) \w")
_CLASS_OF_AGES = re.compile(r"(\d{1,3}) to (\d{1,3})")
_DECADE = re.compile(r"\d{3}0['’]s")
_SENTENCE_START = re.compile(r"(?:^|[.!?]|\n)[\s\"'“‘(\[*#>•-]*$")
_FIELD_BEFORE = re.compile(r"(?:^|\n)[^\n:]{2,50}:[ \t]+$")
_FIELD_ENDS = frozenset((".", "", "\n", ",", ";"))
_FRAGMENT_ENDS = frozenset(".:!?")
# "Six years' imprisonment" is "[duration] imprisonment".
_MEASURES = frozenset(("[duration]", "[time]", "[number]", "[amount of money]"))
_LINE_START = re.compile(r"(?:^|\n)[\s*#>•\d.)-]*$")
_LINE_END = re.compile(r"[ \t]*[.;,]?[ \t]*(?:\n|$)")


@dataclass(frozen=True, slots=True)
class Fit:
    """A replacement shaped to its place, and the article before it if that must change."""

    text: str
    fix: Edit | None = None

    @property
    def fixes(self) -> tuple[Edit, ...]:
        """The fix as a decision holds it."""
        return (self.fix,) if self.fix else ()


def fit(text: str, start: int, end: int, replacement: str, *, whole: bool = True) -> Fit:
    """Shape a replacement to the place of `text[start:end]`.

    `whole`: the mention is a noun phrase of its own, not a word inside a longer one, so that it may
    take an article.
    """
    source, opening, closing = _unwrapped(text[start:end])
    before = text[max(0, start - 60) : start]
    if source[:1].isdigit() and _POINT_BEFORE.search(before):
        return Fit(replacement, (start - 1, start, ""))  # ".225 average": the point goes with the number
    if replacement.startswith("the ") and language.OWNER_BEFORE.search(before):
        replacement = replacement[4:]
    if dated := _fit_span(before, start, source, replacement) or _fit_date(before, start, replacement):
        return dated
    replacement = _fit_bound(before, replacement)
    possessive = (
        None if _DECADE.fullmatch(source) and replacement.endswith("0s") else language.POSSESSIVE_ENDING.search(source)
    )
    core, determiner = _split(source[: possessive.start()] if possessive else source, before)
    bare = source.endswith("s") and language.BARE_POSSESSIVE.match(text, end)  # "Hanks' films"
    owner = bare or text[end : end + 2] in ("'s", "’s")  # "Acme's dog": the owner is a phrase of its own
    # A line of its own is no sentence: "• Degenerative disease." takes no article.
    whole = whole and not (_LINE_START.search(before) and _LINE_END.match(text, end) and "\n" in text)
    # Nor is a fragment: "Incident report." is no "A report."
    whole = whole and not (_SENTENCE_START.search(before) and text[end : end + 1] in _FRAGMENT_ENDS)
    # Nor is what a form says of a field: "Heart: a murmur."
    whole = whole and not (_FIELD_BEFORE.search(before) and text[end : end + 1] in _FIELD_ENDS)
    shaped, fix = _with_article(_agree(core, replacement), core, determiner, before, start, whole or bool(owner))
    if source.endswith(".") and not shaped.endswith(".") and _ENDS_SENTENCE.match(text[end : end + 3]):
        shaped += "."
    if possessive and replacement not in _MEASURES:
        shaped += "'s" if not shaped.endswith("s") else "'"
    if not fix and bare and replacement in _MEASURES:
        fix = (end, end + 1, "")
    elif not fix and bare and not shaped.endswith("s"):
        fix = (end, end + 1, "'s")
    elif not fix and _ABBREVIATION.search(source) and _POINT_AFTER.match(text, end):
        fix = (end, end + 1, "")  # the point of "St." goes with it
    return Fit(opening + _capitals(shaped, source, before, text[end : end + 20]) + closing, fix)


def _fit_span(before: str, start: int, source: str, date: str) -> Fit | None:
    """A span of years that became one decade is "in" it: "from 2012 to 2015" is "in the 2010s"."""
    bound = _FROM.search(before)
    if not bound or not _SPAN.search(source) or not language.COARSE_DATE.fullmatch(date):
        return None
    at = start - (len(before) - bound.start())
    return Fit(date, (at, at + len(bound.group(1)), _like("in", bound.group(1))))


def _fit_date(before: str, start: int, date: str) -> Fit | None:
    """Give a coarse date its preposition: a day is "on", anything longer "in"; one decade is not "between"."""
    if not language.COARSE_DATE.fullmatch(date):
        return None
    if on := language.DAY_PREPOSITION.search(before):
        at = start - (len(before) - on.start())
        return Fit(date, (at, at + len(on.group(1)), _like("in", on.group(1))))
    return Fit(f"in {date}") if language.DATE_VERB_BEFORE.search(before) else None


def _fit_bound(before: str, replacement: str) -> str:
    """One end of a class of ages where the words before name the other: "over age 63" is "over age 60"."""
    found = _CLASS_OF_AGES.search(replacement)
    bound = language.AGE_BOUND.search(before + replacement[: found.start()]) if found else None
    if not found or not bound:
        return replacement
    end = found[1] if bound["least"] else str(int(found[2]) + 1)
    return replacement[: found.start()] + end + replacement[found.end() :]


def _split(core: str, before: str) -> tuple[str, str]:
    """Take the determiner off a phrase; that of a title is a word of it ("A League of Their Own") and goes."""
    leading = language.LEADING_DETERMINER.match(core)
    determiner = leading.group() if leading and leading.end() < len(core) else ""
    rest = core[len(determiner) :]
    if determiner[:1].isupper() and core != core.upper() and not _SENTENCE_START.search(before):
        return rest, ""
    return rest, determiner


def _unwrapped(source: str) -> tuple[str, str, str]:
    """Take brackets and quotation marks off the ends: they belong to the sentence.

    >>> _unwrapped("(PRK)"), _unwrapped("Kim)"), _unwrapped("X (1994)")
    (('PRK', '(', ')'), ('Kim', '', ')'), ('X (1994)', '', ''))
    >>> _unwrapped("(916) 555-0142")
    ('(916) 555-0142', '', '')
    """
    inner = source.lstrip('([“"‘')
    opening = source[: len(source) - len(inner)]
    core = inner.rstrip(')]”"')
    closing = inner[len(core) :]
    opened_inside = closing and not opening and any(mark in core for mark in '([“"')
    closed_inside = opening and not closing and any(mark in core for mark in ')]”"')
    if not core or opened_inside or closed_inside:
        return source, "", ""
    return core, opening, closing


def _governs(before: str) -> bool:
    """Tell whether a determiner stands before: "the 1999 film", "his film", "Weir's film"."""
    previous = _WORD_BEFORE.search(before)
    return bool(previous and (previous.group(2) or term.fold(previous.group(1)) in language.DETERMINERS))


def _agree(core: str, replacement: str) -> str:
    """Make a lower-case noun plural where the source was."""
    words = replacement.split(" ")
    last = words[-1]
    if replacement != replacement.lower() or not last.isalpha() or not core.split():
        return replacement
    source_last = term.fold(core.split()[-1])
    plural_source = source_last.isalpha() and term.singular(source_last) != source_last
    # "Golden Globe Awards" are awards, but "James" is one person.
    if (core != core.lower()) and term.singular(source_last) != last:
        plural_source = False
    if plural_source and term.singular(last) == last and last not in language.MASS_NOUNS:
        words[-1] = "people" if last == "person" else term.plural(last)
    return " ".join(words)


def _kept_head(core: str, noun: str) -> str | None:
    """The end of a phrase, with the determiner before it if there is one: "previously the main presenter"."""
    if core == noun or core != core.lower() or not core.endswith(f" {noun}"):
        return None
    found = [word for word in core[: -len(noun)].split() if language.LEADING_DETERMINER.match(f"{word} ")]
    if not found:
        return noun
    return f"{language.article(noun) if found[-1] in ('a', 'an') else found[-1]} {noun}"


def _with_article(
    noun: str, core: str, determiner: str, before: str, start: int, whole: bool
) -> tuple[str, tuple[int, int, str] | None]:
    if determiner:
        spoken = determiner.strip().casefold()
        if spoken in ("a", "an"):
            right = (
                language.article(noun)
                if term.singular(noun.split()[-1].casefold()) == noun.split()[-1].casefold()
                else ""
            )
            return (f"{_like(right, determiner)} {noun}" if right else noun), None
        return determiner + noun, None
    near = before[-12:]  # an article stands right before the mention; a short text is searched in no time
    found = language.ARTICLE_BEFORE.search(near)
    if found:
        at = start - (len(near) - found.start())
        last = noun.split()[-1]
        if noun in _MEASURES:
            return noun, (at, start, "")  # "for a decade" is "for [duration]"
        if last.isalpha() and last.islower() and term.singular(last) != last:
            return noun, (at, start, "")  # "a dozen plays" become "plays"
        right = _like(language.article(noun), found.group(1))
        return noun, (at, at + len(found.group(1)), right) if right != found.group(1) else None
    previous = _WORD_BEFORE.search(before)
    # "They say that Acme has": before a name "that" is no determiner.
    joining = core[:1].isupper() and previous is not None and previous.group(1) == "that"
    governed = (_governs(before) and not joining) or bool(
        _JOINED.search(before) or language.NEGATED_LIST.search(before)
    )
    # "a practising Quaker": a word between determiner and mention belongs to the phrase.
    second = _WORD_BEFORE.search(before[: previous.start()]) if previous else None
    governed = governed or _BARE_LIST.search(before) is not None  # "an author, actor and playwright"
    governed = governed or bool(second and term.fold(second.group(1)) in ("a", "an", "the"))
    kept = _kept_head(core, noun)
    if kept:
        return kept, None  # the phrase needed no article, and its head does not either
    if whole and not governed and language.countable(noun):
        return f"{language.article(noun)} {noun}", None
    return noun, None


def _like(word: str, model: str) -> str:
    return word.capitalize() if model[:1].isupper() else word


def _capitals(shaped: str, source: str, before: str, after: str) -> str:
    letters = [c for c in source if c.isalpha()]
    around = [c for c in before[-30:] + after if c.isalpha()]
    if len(letters) > 3 and source.isupper() and around and all(c.isupper() for c in around):
        return shaped.upper()
    opens = _SENTENCE_START.search(before) or (source[:1].isupper() and before.endswith(": "))
    if shaped[:1].islower() and (source[:1].isupper() or source[:1].isdigit()) and opens:
        return shaped[0].upper() + shaped[1:]
    return shaped


def fit_mention(document: Document, mention: Mention, candidate: Candidate) -> Fit:
    """Shape a candidate to the place of a mention; in a link, in code or in a name there is no sentence to fit."""
    part = document.part_at(mention.start) if document.parts else None
    if part is not None and part.kind not in ("prose", "cell"):
        return Fit(candidate.text)
    whole = candidate.noun and mention.opens and mention.closes
    fitted = fit(document.text, mention.start, mention.end, candidate.text, whole=whole)
    if part is None or fitted.fix is None or (part.start <= fitted.fix[0] and fitted.fix[1] <= part.end):
        return fitted
    return Fit(fitted.text)  # what stands in another part is not touched


def splice(text: str, edits: Iterable[tuple[int, int, str]]) -> tuple[str, tuple[tuple[int, int, int, int], ...]]:
    """Apply edits (start, end, new text) in one pass; they must not overlap.

    >>> splice("in Paris today", [(3, 8, "a city")])
    ('in a city today', ((3, 8, 3, 9),))
    """
    pieces: list[str] = []
    offsets = []
    done = written = 0
    for start, end, new in sorted(edits):
        if start < done or end < start:
            raise ValueError("edits overlap")
        pieces += (text[done:start], new)
        written += start - done
        offsets.append((start, end, written, written + len(new)))
        written += len(new)
        done = end
    pieces.append(text[done:])
    return "".join(pieces), tuple(offsets)


def lines(text: str) -> tuple[Span, ...]:
    """Return the spans of the lines that hold anything; what a policy calls a paragraph is one of these."""
    return tuple(m.span() for m in re.finditer(r"[^\n]+", text) if not m.group().isspace())
