"""Find what is already known of the subject: every written variant, typos of one letter included.

A known value is a name, a date, a number or anything else (an address, an e-mail address), optionally with
the name of its field before a colon ("birth date: 12 March 1980"). Matched are

- names: the whole, reversed ("Smith, John"), with initials, joined ("johnsmith"), each part alone, initials
  alone where written with dots or capitals ("J. S."); titles around them belong to the span;
- dates: every written form that reads as that day, day first or month first, the day and month without the
  year, the month with the year, and the year alone after "born";
- numbers (four digits and more): with whatever separators, or none;
- other values: word by word, and an address also by its street line and its postal code.

A word of five letters and more, or a number of six digits and more, also matches with one letter wrong, missing,
too many or swapped with its neighbor (Damerau-Levenshtein distance 1), found by the deletion neighborhood:
two words are that near only if deleting at most one letter of each makes them meet, so a word of the text costs
a few look-ups, not one comparison per known word. A lower-case everyday word one letter from a name ("crown",
"Brown") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacenda.annotate.entities import parse_name
from tacenda.annotate.gazetteer import GAP, WORD, everyday
from tacenda.annotate.known_values import Value, classify
from tacenda.annotate.merge import settle
from tacenda.disguise import Disguises, Sought, sought
from tacenda.language import BIRTH_CUE, EVERYDAY_WORDS, SUFFIXES, TITLES, find_dates
from tacenda.language.calendar import Day, WrittenDate
from tacenda.model import Annotation, Document, Mention
from tacenda.term import fold, fold_with_offsets, plain_with_offsets

Offsets = npt.NDArray[np.int64]
MIN_TYPO_LETTERS = 5
MIN_TYPO_DIGITS = 6
MIN_DISGUISED = 4
MIN_TYPO_BESIDE = 3  # beside another part of the same name a shorter word may be mistyped
_JOIN = re.compile(r"[\s().,/#+:_-]{1,3}")
_MAX_GROUPS = 6
_LOWER_LETTER = re.compile(r"\b[a-z]\b")
_INITIALS = re.compile(r"[A-Z](?<!\w.)(?:\.[ -]?[A-Z]){1,4}+\.?(?!\w)|[A-Z](?<![\w.-].)[A-Z]{1,3}(?![\w.-])")


def deletions(word: str) -> set[str]:
    """The word and every word that deleting one letter of it makes.

    >>> sorted(deletions("abc"))
    ['ab', 'abc', 'ac', 'bc']
    """
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def one_edit(one: str, other: str) -> bool:
    """Tell whether one inserted, missing, wrong or swapped letter, or none, parts two words.

    >>> one_edit("smith", "simth"), one_edit("smith", "smth"), one_edit("smith", "smyths")
    (True, True, False)
    """
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    i = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) != len(other):
        return one[i:] == other[i + 1 :]
    swapped = one[i : i + 2] == other[i : i + 2][::-1] and one[i + 2 :] == other[i + 2 :]
    return one[i + 1 :] == other[i + 1 :] or swapped


class Near:
    """Words within one edit of any of a set of words, by deletion neighborhood."""

    def __init__(self, targets: Iterable[str]) -> None:
        self.targets = frozenset(targets)
        self._around: dict[str, list[str]] = {}
        for target in sorted(self.targets):
            for key in deletions(target):
                self._around.setdefault(key, []).append(target)

    def find(self, word: str) -> tuple[str, ...]:
        """Targets that are at most one edit from a word, the word itself first."""
        if word in self.targets:
            return (word,)
        seen = dict.fromkeys(t for key in deletions(word) for t in self._around.get(key, ()))
        return tuple(t for t in sorted(seen) if one_edit(word, t))


@dataclass
class _Forms:
    """Everything to look for, gathered from the known values."""

    sequences: dict[str, list[tuple[tuple[str, ...], Value]]] = field(default_factory=dict)
    numbers: dict[str, Value] = field(default_factory=dict)
    days: dict[Day, Value] = field(default_factory=dict)
    initials: dict[str, Value] = field(default_factory=dict)

    def add(self, parts: tuple[str, ...], value: Value) -> None:
        """Look for a sequence of words."""
        if parts and (parts, value) not in self.sequences.setdefault(parts[0], []):
            self.sequences[parts[0]].append((parts, value))


def _forms(values: Iterable[Value]) -> _Forms:
    forms = _Forms()
    for value in values:
        if value.kind == "date":
            forms.days[value.day] = value
        elif value.kind == "number":
            forms.numbers.setdefault(value.compact, value)
        elif value.kind == "name":
            _add_name(forms, value)
        else:
            for piece in value.pieces:
                forms.add(tuple(WORD.findall(fold(piece))), value)
    for entries in forms.sequences.values():
        entries.sort(key=lambda e: (-len(e[0]), e[0]))
    return forms


def _rows(forms: _Forms) -> Iterator[Sought[Value] | None]:
    """Rows of letters to look for in disguise; a part of a name alone only if it is no everyday word."""
    for entries in forms.sequences.values():
        for parts, value in entries:
            name = value.kind == "name"
            if not name or (sum(map(len, parts)) >= MIN_DISGUISED and not (len(parts) == 1 and everyday(parts[0]))):
                yield sought(parts, value, name=name)
            if "@" in value.text and len(parts) > 1:
                yield from (sought(said, value) for said in _said(value.text))
    for compact, value in forms.numbers.items():
        yield sought([compact], value)


def _said(address: str) -> Iterator[list[str]]:
    """An e-mail address as it is said: "jo at example dot org"."""
    user, _, host = fold(address).partition("@")
    domain = [word for part in host.split(".") for word in ("dot", part)][1:]
    dotted = [word for part in user.split(".") for word in ("dot", part)][1:]
    yield [*WORD.findall(user), "at", *domain]
    yield [*dotted, "at", *domain]


def _add_name(forms: _Forms, value: Value) -> None:
    whole = tuple(w for w in WORD.findall(fold(value.text)) if w not in TITLES and w not in SUFFIXES)
    parts = parse_name(value.text).parts
    forms.add(whole, value)
    forms.add(parts, value)
    if len(parts) > 1:
        given, family = parts[:-1], parts[-1]
        forms.add((family, *given), value)
        forms.add((given[0], family), value)
        forms.add((family, given[0]), value)
        forms.add((given[0][0], family), value)
        forms.add((family, given[0][0]), value)
        forms.add((*(g[0] for g in given), family), value)
        forms.add((given[0], *(g[0] for g in given[1:]), family), value)
        forms.add(("".join(parts),), value)
        forms.add((given[0] + family,), value)
        forms.add((family + given[0],), value)
        initials = "".join(p[0] for p in parts)
        forms.initials[initials] = forms.initials[initials[0] + initials[-1]] = value
    for part in parts:
        if len(part) > 1:
            forms.add((part,), value)


class Known:
    """Annotates known identifiers: those given here and those the document brings along.

    >>> found = Known(["John Smith", "1980-03-12", "MRN: 123-456-78"]).annotate(
    ...     Document("Smih, Jon (J. S.), born March 12th 1980, file 12345678, brother of Ann."))
    >>> [(m.label, m.text) for m in found.mentions]
    [('PERSON', 'Smih'), ('PERSON', 'J. S.'), ('DATETIME', 'March 12th 1980'), ('RECORD', '12345678')]
    """

    name = "known"

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = tuple(values)

    def annotate(self, document: Document) -> Annotation:
        """Find every variant of every known value."""
        values = self._values + document.known
        if not values:
            return Annotation()
        scan = _scan_of(values)
        return Annotation(tuple(settle(list(scan.find(document.text)))))


@lru_cache(maxsize=8)
def _scan_of(values: tuple[str, ...]) -> _Scan:
    return _Scan(values)


class _Scan:
    """One set of known values, ready to be looked for."""

    def __init__(self, values: tuple[str, ...]) -> None:
        self._forms = _forms(v for text in values for v in classify(text))
        vocabulary = {w for entries in self._forms.sequences.values() for words, _ in entries for w in words}
        self._exact = frozenset(vocabulary)
        self._near = Near(w for w in vocabulary if len(w) >= MIN_TYPO_BESIDE and not w.isdigit())
        long_numbers = {n for n in self._forms.numbers if sum(c.isdigit() for c in n) >= MIN_TYPO_DIGITS}
        self._near_numbers = Near(long_numbers)
        self._lengths = frozenset(len(n) + d for n in self._forms.numbers for d in (-1, 0, 1))
        self._memo: dict[str, tuple[str, ...]] = {}
        self._disguises = Disguises(_rows(self._forms))

    def find(self, text: str) -> Iterator[Mention]:
        """Yield mentions of all known values; they may overlap."""
        folded, offsets = fold_with_offsets(text)
        self._memo.clear()

        def mention(start: int, end: int, value: Value) -> Mention:
            first, last = int(offsets[start]), int(offsets[end - 1]) + 1
            return Mention(first, last, text[first:last], value.label, "known", Known.name, role="direct")

        if self._forms.sequences:
            for start, end, value in self._words(text, folded, offsets):
                yield mention(start, end, value)
        if self._forms.numbers:
            for start, end, value in self._numbers(folded):
                yield mention(start, end, value)
        if self._forms.initials:
            yield from self._initials(text)
        if self._forms.days:
            yield from self._days(text)
        for hit in self._disguises.find(text):
            written = text[hit.start : hit.end]
            yield Mention(hit.start, hit.end, written, hit.sought.what.label, "known", Known.name, role="direct")

    def _candidates(self, word: str) -> tuple[str, ...]:
        found = self._memo.get(word)
        if found is None:
            found = self._memo[word] = self._near.find(word) if len(word) >= 2 else ()
            if word in self._exact and word not in found:
                found = self._memo[word] = (word, *found)
        return found

    def _words(self, text: str, folded: str, offsets: Offsets) -> Iterator[tuple[int, int, Value]]:
        sequences = self._forms.sequences
        for word in WORD.finditer(folded):
            for first in self._candidates(word.group()):
                for parts, value in sequences.get(first, ()):
                    end = self._sequence_end(folded, word, parts)
                    if end < 0:
                        continue
                    written = text[int(offsets[word.start()]) : int(offsets[end - 1]) + 1]
                    if self._counts(word.group(), parts, written, value):
                        yield self._with_title(folded, word.start()), end, value
                        break

    def _sequence_end(self, folded: str, word: re.Match[str], parts: tuple[str, ...]) -> int:
        """End of a sequence that begins at `word`, with one typo in all; -1 where it does not stand."""
        typos = 0
        position = word.start()
        for number, part in enumerate(parts):
            if number:
                gap = GAP.match(folded, position)
                following = WORD.match(folded, gap.end()) if gap else None
                if following is None:
                    return -1
                word = following
            if word.group() != part:
                typos += 1
                long_enough = MIN_TYPO_BESIDE if len(parts) > 1 else MIN_TYPO_LETTERS
                if typos > 1 or len(part) < long_enough or not one_edit(word.group(), part):
                    return -1
            position = word.end()
        return position

    @staticmethod
    def _counts(word: str, parts: tuple[str, ...], written: str, value: Value) -> bool:
        """Whether a match counts: initials are capitals, a lone everyday word needs a capital."""
        if len(parts) > 1:
            # "a Brown" is no "A. Brown".
            return 1 not in map(len, parts) or not _LOWER_LETTER.search(written)
        if value.kind != "name" or written[0].isupper():
            return True
        return not everyday(word) if word == parts[0] else word not in EVERYDAY_WORDS

    @staticmethod
    def _with_title(folded: str, start: int) -> int:
        """Start of a title right before a name, if there is one."""
        title = re.search(r"(\w{2,12}+)\.?\s{1,2}$", folded[max(0, start - 16) : start])
        if title is None or title.group(1) not in TITLES:
            return start
        return max(0, start - 16) + title.start()

    def _numbers(self, folded: str) -> Iterator[tuple[int, int, Value]]:
        tokens = [(m.start(), m.end(), m.group()) for m in WORD.finditer(folded)]
        longest = max(self._lengths)
        for i, (start, _, first) in enumerate(tokens):
            if not (first[0].isdigit() or first[-1].isdigit() or self._starts_number(tokens, i)):
                continue
            compact = ""
            for j in range(i, min(i + _MAX_GROUPS, len(tokens))):
                if j > i and not _JOIN.fullmatch(folded, tokens[j - 1][1], tokens[j][0]):
                    break
                compact += tokens[j][2]
                if len(compact) > longest:
                    break
                value = self._number(compact) if len(compact) in self._lengths else None
                if value is not None:
                    yield start, tokens[j][1], value

    @staticmethod
    def _starts_number(tokens: list[tuple[int, int, str]], i: int) -> bool:
        """Tell whether a word of letters stands right before a number ("RC-789654")."""
        return len(tokens[i][2]) <= 6 and i + 1 < len(tokens) and tokens[i + 1][2][0].isdigit()

    def _number(self, compact: str) -> Value | None:
        value = self._forms.numbers.get(compact)
        if value is None:
            found = self._near_numbers.find(compact)
            value = self._forms.numbers[found[0]] if found else None
        return value

    def _initials(self, text: str) -> Iterator[Mention]:
        plain, offsets = plain_with_offsets(text)
        for match in _INITIALS.finditer(plain):
            value = self._forms.initials.get(fold(re.sub(r"[^A-Z]", "", match.group())))
            if value is not None:
                start, end = match.span()
                if offsets is not None:
                    start, end = int(offsets[start]), int(offsets[end - 1]) + 1
                yield Mention(start, end, text[start:end], "PERSON", "known", Known.name, role="direct")

    def _days(self, text: str) -> Iterator[Mention]:
        plain, offsets = plain_with_offsets(text)
        for date in find_dates(plain):
            if self._same_day(plain, date):
                start, end = date.start, date.end
                if offsets is not None:
                    start, end = int(offsets[start]), int(offsets[end - 1]) + 1
                yield Mention(start, end, text[start:end], "DATETIME", "known", Known.name, role="direct")

    def _same_day(self, text: str, date: WrittenDate) -> bool:
        born = BIRTH_CUE.search(text, max(0, date.start - 24), date.start) is not None
        said = (*date.readings, date.until) if date.until else date.readings
        return any(_agree(one, day, born) for one in said for day in self._forms.days)


def _agree(said: Day, known: Day, born: bool) -> bool:
    """Tell whether a written date can mean the known one; a year alone only where a birth is spoken of."""
    if said.year and known.year and said.year != known.year:
        return False
    if said.month == 0:
        return born and said.year == known.year
    if said.month != known.month:
        return False
    if said.day == 0:
        return bool(said.year)
    return said.day == known.day
