"""Find listed words and phrases everywhere: forms of protected entities, custom words, known surfaces.

A form is matched word by word on the folded text (`term.fold_with_offsets`), so case, accents,
compatibility characters, invisible characters and look-alike letters make no difference; between two words
may stand spaces, a line break, hyphens, dots or emphasis marks. "HIV-positive" holds the word "HIV";
"post traumatic", "post-traumatic" and "posttraumatic" are one form; "H.I.V." is "HIV".

Cost: one pass over the words of the text, a dictionary look-up each; only words that begin a form cost more.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tacenda.disguise import Disguises, in_capitals, sought
from tacenda.errors import PolicyError
from tacenda.language import EVERYDAY_ACRONYMS, FUNCTION_WORDS, HOMOGRAPHS, inflections
from tacenda.model import Annotation, Document, Kind, Mention, Protected
from tacenda.term import fold, fold_with_offsets, is_abbreviation, is_acronym, normalize, plural, singular
from tacenda.term import words as term_words

WORD = re.compile(r"[^\W_]+")
# What may stand between two words of one form, a possessive ending included; never a bracket, colon, semicolon
# or quotation mark.
GAP = re.compile(r"(?:'s(?![^\W_]))?[\s\-_.,'*/·•]{1,8}")
_MAX_ACRONYM = 6
# Letters under which forms wait; inflection changes no more than the last letters of a word ("city", "cities").
_LETTERS, _FEWEST, _ENDING = 6, 4, 3
_MOST_STARTS = 100_000
_DETERMINERS = frozenset("the a an his her their its my your our".split())


@dataclass(frozen=True, slots=True)
class Form:
    """A form to look for, and what a match means.

    capital     match only where the first letter is a capital (everyday words, very short names)
    inflect     also plural, -ed and -ing of the last word, singular of every word
    upper       match only where every letter is a capital
    """

    words: tuple[str, ...]
    label: str
    entity: int = -1
    capital: bool = False
    inflect: bool = False
    upper: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Where a form stands in a text."""

    start: int
    end: int
    form: Form


def form(
    text: str, label: str, *, entity: int = -1, capital: bool = False, inflect: bool = False, upper: bool = False
) -> Form | None:
    """Make a form of a text; None if it holds no word.

    >>> form("Blood-Transfusions", "HEALTH").words
    ('blood', 'transfusions')
    """
    parts = tuple(term_words(text))
    return Form(parts, label, entity, capital, inflect, upper) if parts else None


_Rest = tuple[tuple[frozenset[str], ...], Form]


class Matcher:
    """Finds any of many forms in a text; built once, used for many texts.

    A disease has 45,000 names, most of them in no text: a form waits under the letters that all spellings of its first
    word begin with, and is spelled out when a text has a word that begins so.
    """

    def __init__(self, forms: Iterable[Form]) -> None:
        self._waiting: dict[str, list[Form]] = {}
        self._spelled: dict[str, dict[str, list[_Rest]]] = {}  # of those letters a text had: spelling of the first word
        # First word -> the rest of the words (each a set of accepted spellings) and the form.
        self._starts: dict[str, tuple[_Rest, ...]] = {}
        for entry in dict.fromkeys(forms):
            for letters in _beginnings(entry):
                self._waiting.setdefault(letters, []).append(entry)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def _forms_at(self, word: str) -> tuple[_Rest, ...]:
        """Return the forms that may begin with a word, the longest first."""
        known = self._starts.get(word)
        if known is None:
            sizes = {len(word), *range(_FEWEST, _LETTERS + 1)}
            near = {word[:size] for size in sizes if size <= min(len(word), _LETTERS)}
            found = dict.fromkeys(rest for letters in sorted(near) for rest in self._spell(letters).get(word, ()))
            order = sorted(found, key=lambda e: (-len(e[0]), e[1].words, e[1].label, e[1].entity))
            if len(self._starts) >= _MOST_STARTS:
                self._starts.clear()
            known = self._starts[word] = tuple(order)
        return known

    def _spell(self, letters: str) -> dict[str, list[_Rest]]:
        """Return the forms that wait under some letters by the spellings of their first word; spelled out once."""
        spelled = self._spelled.get(letters)
        if spelled is None and letters not in self._waiting:
            return {}
        if spelled is None:
            spelled = self._spelled[letters] = {}
            for entry in self._waiting.get(letters, ()):
                for sequence in _spellings(entry):
                    for word in sequence[0]:
                        spelled.setdefault(word, []).append((sequence[1:], entry))
        return spelled

    def find(self, text: str) -> Iterator[Match]:
        """Yield the longest match at each word; matches may overlap, in reading order."""
        if not self._waiting:
            return
        folded, offsets = fold_with_offsets(text)
        for word in WORD.finditer(folded):
            entries = self._forms_at(word.group())
            if not entries:
                continue
            start = int(offsets[word.start()])
            for rest, entry in entries:
                end = _rest_end(folded, word.end(), rest)
                if end < 0 or (entry.capital and not text[start].isupper()):
                    continue
                if entry.upper and not in_capitals(text[start : int(offsets[end - 1]) + 1]):
                    continue
                # An initial takes its dot along, and alone is nothing without it ("M.", not "M").
                dotted = folded[end - 1 : end + 1][1:] == "." and (end == 1 or not folded[end - 2].isalnum())
                if len(entry.words) == len(entry.words[0]) == 1 and not (dotted and folded[end - 2 : end - 1] != "."):
                    continue
                yield Match(start, int(offsets[end - 1 + dotted]) + 1, entry)
                break


def _beginnings(entry: Form) -> Iterable[str]:
    """Return letters such that every spelling of a form begins with some of them."""
    first = entry.words[0]
    letters = first[: min(_LETTERS, len(first) - _ENDING)]
    one = singular(first)
    usual = len(letters) >= _FEWEST and one.startswith(letters) and plural(one).startswith(letters)
    if usual:  # longer than any acronym, which may be spelled letter by letter
        return (letters,)
    return {word[:_LETTERS] for sequence in _spellings(entry) for word in sequence[0]}


def _spellings(entry: Form) -> Iterator[tuple[frozenset[str], ...]]:
    """Word sequences under which a form may be written."""
    words = entry.words
    if entry.inflect:
        sequence = [frozenset({w, singular(w), plural(singular(w))}) for w in words[:-1]]
        # "sores on the penis" are those on his penis too.
        sequence[1:] = [_DETERMINERS if w in _DETERMINERS else s for w, s in zip(words[1:], sequence[1:], strict=False)]
        sequence.append(frozenset(inflections(words[-1])))
    else:
        sequence = [frozenset({w}) for w in words]
    yield tuple(sequence)
    joined = "".join(words)
    if len(words) > 1 and len(joined) >= _MAX_ACRONYM:
        last = inflections(words[-1]) if entry.inflect else {words[-1]}
        yield (frozenset("".join(words[:-1]) + w for w in last),)
    if len(words) == 1 and entry.inflect and 3 <= len(joined) <= _MAX_ACRONYM and joined.isalpha():
        yield tuple(frozenset({letter}) for letter in joined)


def _rest_end(folded: str, position: int, rest: Sequence[frozenset[str]]) -> int:
    """End of the words that follow at `position`, or -1 where they do not."""
    for accepted in rest:
        gap = GAP.match(folded, position)
        word = WORD.match(folded, gap.end()) if gap else None
        if word is None or word.group() not in accepted:
            return -1
        position = word.end()
    return position


def everyday(word: str) -> bool:
    """Tell whether a folded word is too everyday to be taken for a name in lower case."""
    return len(word) < 3 or word in FUNCTION_WORDS or word in HOMOGRAPHS


def protected_forms(protected: Iterable[Protected]) -> list[Form]:
    """Forms of protected entities: whatever case and inflection; function words only as capitals ("WHO")."""
    found: list[Form | None] = []
    for entity in protected:
        for text in dict.fromkeys((entity.entity, *entity.forms)):
            capital = is_acronym(text) and (fold(text) in FUNCTION_WORDS or fold(text) in EVERYDAY_ACRONYMS)
            found.append(form(text, "PROTECTED", capital=capital, inflect=True))
        # An abbreviation is a sign in its capitals only: "CAGE" is a questionnaire, a cage is not; "PrEP" is no prep.
        for text in entity.signs:
            short = is_abbreviation(text)
            found.append(form(text, "PROTECTED", upper=short, inflect=not short))
    return [made for made in found if made is not None]


class Gazetteer:
    """Annotates listed forms; of overlapping ones the longest is kept by `merge`."""

    def __init__(self, forms: Iterable[Form], *, name: str = "gazetteer", kind: Kind = "protected") -> None:
        self.name = name
        self._kind: Kind = kind
        listed = list(forms)
        self._matcher = Matcher(listed)
        self._disguises = Disguises(sought(f.words, f, capitals=f.upper or f.capital) for f in listed)

    @classmethod
    def of_protected(cls, protected: Iterable[Protected]) -> Gazetteer:
        """Find every form of protected entities.

        >>> finder = Gazetteer.of_protected([Protected("HIV", ("acquired immune deficiency",))])
        >>> [m.text for m in finder.annotate(Document("Hiv-positive; h.i.v.; Acquired Immune-Deficiencies")).mentions]
        ['Hiv', 'h.i.v.', 'Acquired Immune-Deficiencies']
        """
        return cls(protected_forms(protected), name="protected")

    @classmethod
    def of_words(cls, words: Iterable[str], *, label: str = "CUSTOM") -> Gazetteer:
        """Find custom words of a policy, in any case and inflection."""
        made = (form(word, label, inflect=True) for word in words)
        return cls((f for f in made if f is not None), name="words", kind="identifier")

    def annotate(self, document: Document) -> Annotation:
        """Find all forms in a document."""
        text = document.text
        found = {(m.start, m.end): m.form for m in self._matcher.find(text)}
        # How far any plain match reaches that begins at or before each.
        starts = sorted(found)
        reach = list(accumulate((end for _, end in starts), max))
        for hit in self._disguises.find(text):
            at = bisect_right(starts, (hit.start, len(text))) - 1
            if at < 0 or reach[at] < hit.end:
                found[hit.start, hit.end] = hit.sought.what
        return Annotation(
            tuple(
                Mention(start, end, text[start:end], form.label, self._kind, self.name, 1.0, form.entity)
                for (start, end), form in sorted(found.items(), key=lambda one: one[0])
            )
        )


class Expressions:
    """Annotates regular expressions of a policy, each checked to run in bounded time per character."""

    name = "expressions"

    def __init__(self, expressions: Iterable[tuple[str, str]]) -> None:
        from tacenda.annotate.safe_regex import compile_safe

        self._compiled = [(label, compile_safe(pattern, label)) for label, pattern in expressions]

    def annotate(self, document: Document) -> Annotation:
        """Find all matches; an empty match is no mention."""
        text = document.text
        return Annotation(
            tuple(
                Mention(m.start(), m.end(), m.group(), label, "identifier", self.name)
                for label, pattern in self._compiled
                for m in pattern.finditer(text)
                if m.end() > m.start()
            )
        )


def check_words(words: Sequence[str], where: str) -> None:
    """Refuse custom words that hold no letter or digit: they would match nothing, silently."""
    for number, word in enumerate(words, 1):
        if form(word, "") is None:
            raise PolicyError(f"{where}: entry {number} contains no letter or digit. Remove it, or enter a word.")


class AllowList:
    """Words that may stay although an annotator found them; known and protected mentions never do.

    >>> may_stay = AllowList(["European Courts"])
    >>> may_stay.allows(Mention(0, 18, "the European Court", "ORG", "entity"))
    True
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._keys = frozenset(key for word in words if (key := normalize(word)))

    def allows(self, mention: Mention) -> bool:
        """Tell whether a mention is on the list; the plan records it when a risky one is kept."""
        return mention.kind not in ("known", "protected") and normalize(mention.text) in self._keys
