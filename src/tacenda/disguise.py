"""Find words in disguise: one search over letters, whatever parts them and however they are encoded.

"H.I.V.", "HI-V", "c o c a i n e", "anti-retro-virals", "#PrayForMargaretThornbury", "Margaret%20Thornbury",
"**Thorn**bury", enclosed and regional letters, numbers in words, "m.thornbury (at) example (dot) org": a reader sees
the word, so the search must. The text is cut into pieces (runs of letters or digits, cut again where the case changes),
what lies between two pieces is a gap of some width, and what is sought is a row of letters that begins and ends where
a piece does. Which gaps it may cross depends on where its own words join: "the dough rose" holds no "Rose".

The same search serves the sanitizer, the check of what was written, and the verifier.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Generic, TypeVar

from tacenda.folding import fold_character

What = TypeVar("What")

# What lies between two pieces, from nothing to a full stop.
JOINED, CASE, TIGHT, SPACE, APART = range(5)
_SHORTEST = 3
# Digits that stand for the letter they look like: a word that begins with a letter, with few digits, none at the end of
# a short one.
_ALIKE = re.compile(
    r"(?<![^\W_])[A-Za-z]+[013457](?:[A-Za-z]|[013457](?=[A-Za-z]))[A-Za-z013457]*(?![^\W_])|"
    r"(?<![^\W_])[A-Za-z]{3,}[013457](?![^\W_])"
)
# And a small L for a capital I, or the other way round: "HlV", "aIcohol".
_SWAPPED = re.compile(r"(?<![^\W_])(?:[A-Z]+l[A-Zl]*|[a-z]+I[a-zI]*)(?![^\W_])")
_LETTERS = {ord(digit): letter for digit, letter in zip("03457", "oeast", strict=True)}
_LONG, _LONGER = 8, 10
_CODE = 4  # letters and digits up to which a name is a code, found as a whole only
_MOST_TIGHT = 3
_SIBILANTS = ("s", "x", "z", "ch", "sh")

_PIECE = re.compile(r"[^\W_]+")
_CASES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_MARKUP = re.compile(r"[*_`~]{1,6}")
_HARD = frozenset(';:!?"“”„«»|<>')
_BRACKETS = frozenset("()[]{}")
_HYPHENS = frozenset("-‐‑–—·")
_WIDEST = 5
_ENCODED = re.compile(
    r"%[0-7][0-9A-Fa-f]|%[C-Dc-d][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2}|"
    r"%[Ff][0-7](?:%[89ABab][0-9A-Fa-f]){3}|&#(?:[0-9]{1,6}|[xX][0-9A-Fa-f]{1,5});"
)
# A tag or a change from capitals to small letters inside a word: "<b>Thorn</b>bury", "HIVpositive".
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,9}\s?/?>")
_SMALL = re.compile(r"(?<=[A-Z]{3})(?=[a-z]{3})")
_SAID = re.compile(r"\s{0,2}[\[({<]\s?(at|dot)\s?[\])}>]\s{0,2}", re.I)
_DIGIT_WORDS = {
    "zero": "0", "oh": "0", "nought": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
_DIGIT = "|".join(_DIGIT_WORDS)
_SPELLED = re.compile(
    rf"\b(?:(?:double|triple)[ -])?(?:{_DIGIT}|\d)(?:[ ,.-]{{1,3}}(?:(?:double|triple)[ -])?(?:{_DIGIT}|\d)\b){{3,40}}",
    re.I,
)
_SPELLED_PART = re.compile(rf"\b(?:(double|triple)[ -])?({_DIGIT}|\d)\b", re.I)


def _unenclosed(character: str) -> str:
    """Letter inside a negative circle or square, or a regional indicator; other characters as folded."""
    code = ord(character)
    for first in (0x1F150, 0x1F170, 0x1F1E6):
        if first <= code < first + 26:
            return chr(ord("a") + code - first)
    folded = fold_character(character)
    return "".join(c for c in folded if c.isalnum()) if len(folded) > 1 else folded


@dataclass(frozen=True, slots=True)
class Sought(Generic[What]):
    """A row of letters to look for.

    letters   folded letters and digits, nothing between them
    joints    places in it where one of its own words ends and the next begins
    what      what a hit means, passed on
    capitals  found only where it is written in capitals
    name      a name: a hit in one piece, or cut by spaces, is left to those who know names
    """

    letters: str
    joints: frozenset[int]
    what: What
    capitals: bool = False
    name: bool = False


def sought(words: Sequence[str], what: What, *, capitals: bool = False, name: bool = False) -> Sought[What] | None:
    """Make what to look for of folded words; None if they hold too few letters to be told from chance."""
    parts = [part for word in words if (part := word if word.isalnum() else "".join(filter(str.isalnum, word)))]
    letters = "".join(parts)
    if len(letters) < _SHORTEST:
        return None
    return Sought(letters, frozenset(list(accumulate(map(len, parts)))[:-1]), what, capitals, name)


@dataclass(frozen=True, slots=True)
class Hit(Generic[What]):
    """Where something sought stands in a text."""

    start: int
    end: int
    sought: Sought[What]


class Disguises(Generic[What]):
    """Finds any of many rows of letters in a text; built once, used for many texts."""

    def __init__(self, rows: Iterable[Sought[What] | None]) -> None:
        by_start: dict[str, dict[int, dict[str, list[Sought[What]]]]] = {}
        for row in dict.fromkeys(row for row in rows if row is not None):
            lengths = by_start.setdefault(row.letters[:_SHORTEST], {})
            lengths.setdefault(len(row.letters), {}).setdefault(row.letters, []).append(row)
        self._by_start = {start: sorted(lengths.items(), reverse=True) for start, lengths in by_start.items()}
        self._longest = max((lengths[0][0] for lengths in self._by_start.values()), default=0)
        # A whole name, or a long part of one, is found inside a longer run too ("margaretthornburyscan.pdf").
        ordered = (alike[one] for lengths in self._by_start.values() for _, alike in lengths for one in sorted(alike))
        every = (row for found in ordered for row in found)
        least = {True: _LONG, False: _LONGER}
        self._inside = [row for row in every if row.name and len(row.letters) >= least[bool(row.joints)]]

    def __bool__(self) -> bool:
        return bool(self._by_start)

    def find(self, text: str) -> Iterator[Hit[What]]:
        """Yield the longest hit that begins at each piece, in reading order."""
        if not self._by_start:
            return
        yield from self._in(_pieces(text))
        for plain, origin in _decoded(text, 3 * self._longest):
            for hit in self._in(_Pieces(plain, decoded=True)):
                yield Hit(origin[hit.start][0], origin[hit.end - 1][1], hit.sought)
        yield from self._alike(text)

    def _alike(self, text: str) -> Iterator[Hit[What]]:
        """Hits in words with digits in place of letters: "H1V", "c0caine"."""
        for match in _ALIKE.finditer(text):
            word = match.group()
            digits = sum(map(str.isdigit, word))
            # Codes have more digits than look-alikes: "15D", "B12", "H1N1".
            if 3 * digits > len(word) or (len(word) == _SHORTEST and not set(word) & {"0", "1"}):
                continue
            for one in ("i", "l") if "1" in word and len(word) > _SHORTEST else ("i",):  # T1D is no TLD
                plain = word.translate({**_LETTERS, ord("1"): one})
                if word.isupper():  # or a small letter would cut it: "CMT1E" into "CM" and "Tle"
                    plain = plain.upper()
                for hit in self._in(_Pieces(plain)):
                    if any(c.isdigit() for c in word[hit.start : hit.end]):
                        yield Hit(match.start() + hit.start, match.start() + hit.end, hit.sought)
        for match in _SWAPPED.finditer(text):
            word = match.group()
            plain = word.replace("l", "I") if word[0].isupper() else word.replace("I", "l")
            for hit in self._in(_Pieces(plain)):
                yield Hit(match.start() + hit.start, match.start() + hit.end, hit.sought)

    def _in(self, pieces: _Pieces) -> Iterator[Hit[What]]:
        letters, by_start = pieces.letters, self._by_start
        for number, at in enumerate(pieces.starts[:-1]):
            lengths = by_start.get(letters[at : at + _SHORTEST])
            if lengths is None:
                continue
            # The longest first; hundreds of rows begin with the same letters, but they have few lengths.
            rows = (row for size, alike in lengths for row in alike.get(letters[at : at + size], ()))
            for row in rows:
                end = pieces.end_of(number, row)
                if end >= 0:
                    yield Hit(pieces.source[number][0], pieces.source[end][1], row)
                    break
        for row in self._inside:
            at = letters.find(row.letters)
            while at >= 0:
                if pieces.is_one_run(at, row):
                    yield Hit(pieces.place(at)[0], pieces.place(at + len(row.letters) - 1)[1], row)
                at = letters.find(row.letters, at + 1)


class _Pieces:
    """The pieces of a text: their letters in one string, where each begins, and the gap before each."""

    def __init__(self, text: str, *, decoded: bool = False) -> None:
        self.text, self.decoded = text, decoded
        self.source: list[tuple[int, int]] = []
        self.gaps: list[int] = []
        folded: list[str] = []
        last = 0
        for start, end in _spans(text):
            letters = _folded(text[start:end])
            if not letters:
                continue
            self.gaps.append(_gap(text, last, start) if self.source else APART)
            self.source.append((start, end))
            folded.append(letters)
            last = end
        self.letters = "".join(folded)
        self.starts = [0, *accumulate(map(len, folded))]
        self.gaps.append(APART)

    def end_of(self, number: int, row: Sought[Any]) -> int:
        """Number of the last piece of a row that begins with this piece and may be read so; -1 if it does not."""
        at = self.starts[number]
        if not self.letters.startswith(row.letters, at) or not self._begins(number):
            return -1
        stop = at + len(row.letters)
        last = bisect_right(self.starts, stop - 1) - 1
        ending = self.letters[stop : self.starts[last + 1]]
        if ending and ending != "s" and not (ending == "es" and row.letters.endswith(_SIBILANTS)):
            return -1
        if not self._ends(last):
            return -1
        return last if self._readable(number, last, row) else -1

    def is_one_run(self, start: int, row: Sought[Any]) -> bool:
        """Tell whether letters stand together: in one word, with signs between them, or, of a long name, its spaces."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, start + len(row.letters) - 1) - 1
        widest = max((self.gaps[n] for n in range(first + 1, last + 1)), default=JOINED)
        if widest <= TIGHT or len(row.letters) < _LONGER or self.starts[first] != start:
            return widest <= TIGHT
        own = all(self.starts[n] - start in row.joints for n in range(first + 1, last + 1) if self.gaps[n] > TIGHT)
        return widest == SPACE and own

    def place(self, at: int) -> tuple[int, int]:
        """Where a letter stands in the text; the whole piece where its letters are not one to one."""
        number = bisect_right(self.starts, at) - 1
        start, end = self.source[number]
        if end - start != self.starts[number + 1] - self.starts[number]:
            return start, end
        return start + at - self.starts[number], start + at - self.starts[number] + 1

    def _begins(self, number: int) -> bool:
        return self.gaps[number] > JOINED

    def _ends(self, last: int) -> bool:
        return self.gaps[last + 1] > JOINED

    def _readable(self, first: int, last: int, row: Sought[Any]) -> bool:
        """Tell whether a reader would take these pieces for the row: the gaps inside it, and how it is written."""
        start, end = self.source[first][0], self.source[last][1]
        if row.capitals and not in_capitals(self.text[start:end]):
            return False
        inside = [(self.starts[n] - self.starts[first], self.gaps[n], n) for n in range(first + 1, last + 1)]
        if len(row.letters) <= _CODE and not row.letters.isalpha() and CASE in (self.gaps[first], self.gaps[last + 1]):
            return False  # the "3TC" of the gene SH3TC2
        if not inside:
            # One piece: plain, or inside a longer word written in cases.
            return not row.name or self.decoded or CASE in (self.gaps[first], self.gaps[last + 1])
        if any(gap >= APART for _, gap, _ in inside):
            return False
        strange = [(gap, n) for place, gap, n in inside if place not in row.joints]
        if not strange:
            return True
        lengths = [self.starts[n + 1] - self.starts[n] for n in range(first, last + 1)]
        if all(length == 1 for length in lengths[: len(lengths) - 1]) and len(lengths) >= _SHORTEST:
            return True  # spelled letter by letter
        if any(gap == SPACE for gap, _ in strange):
            return self._cut_by_spaces(first, last, row, lengths)
        return sum(gap == TIGHT for gap, _ in strange) <= _MOST_TIGHT

    def _cut_by_spaces(self, first: int, last: int, row: Sought[Any], lengths: Sequence[int]) -> bool:
        """Tell whether spaces cut a word ("HI V", "CD 4 count") or just stand between words ("he roin")."""
        text = self.text[self.source[first][0] : self.source[last][1]]
        if row.name or row.capitals:
            return False
        digits = any(c.isdigit() for c in row.letters)
        return min(lengths) <= 2 and (digits or text.isupper())


# Each protected entity searches the same text: what the last one asked about is kept, and let go with the next. Only
# whole texts: the many small words that are tried beside them would push it out.
@lru_cache(maxsize=1)
def _pieces(text: str) -> _Pieces:
    return _Pieces(text)


def in_capitals(written: str) -> bool:
    """Tell whether at least half of the letters are capitals: "CAGE", "PrEP"; not "Prep"."""
    return 2 * sum(map(str.isupper, written)) >= max(2, sum(map(str.isalpha, written)))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Runs of letters and digits, cut where the case changes; letters in circles and squares are letters too."""
    done = 0
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if start > done:
            yield from _signs(text, done, start)
        word = match.group()
        plain = word.isalpha() and (word.islower() or word.isupper() or (word[0].isupper() and word[1:].islower()))
        if plain or word.isdigit():
            yield start, end
        else:
            yield from ((start + part.start(), start + part.end()) for part in _CASES.finditer(word))
        done = end
    yield from _signs(text, done, len(text))


def _signs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Characters between words that are letters in disguise."""
    if not text[start:end].isascii():
        for place in range(start, end):
            if ord(text[place]) > 127 and _unenclosed(text[place]).isalnum():
                yield place, place + 1


def _folded(piece: str) -> str:
    if piece.isascii():
        return piece.lower()
    return "".join(_unenclosed(c) for c in piece).lower()


def _gap(text: str, start: int, end: int) -> int:
    """Width of the gap between two pieces."""
    if start == end:
        return CASE
    between = text[start:end]
    if _MARKUP.fullmatch(between) or all(_is_invisible(c) for c in between):
        return CASE
    if len(between) > _WIDEST or not _HARD.isdisjoint(between) or between.count("\n") > 1:
        return APART
    signs = between.split()
    if between.strip() == between or (len(signs) == 1 and signs[0] in _HYPHENS):
        return TIGHT
    return APART if not _BRACKETS.isdisjoint(between) else SPACE


def _is_invisible(character: str) -> bool:
    return character not in " \t\n\r" and not fold_character(character).strip() and ord(character) > 127


@lru_cache(maxsize=1)
def _decoded(text: str, around: int) -> tuple[tuple[str, list[tuple[int, int]]], ...]:
    """Stretches of a text with encodings undone, and where each of their characters comes from.

    A tuple, not an iterator: what is kept for the next search must not be used up by the first.
    """
    edits = _edits(text)
    found = []
    at = 0
    while at < len(edits):
        first, last = at, at
        while last + 1 < len(edits) and edits[last + 1][0] - edits[last][1] <= 2 * around:
            last += 1
        low, high = max(0, edits[first][0] - around), min(len(text), edits[last][1] + around)
        found.append(_undone(text, edits[first : last + 1], low, high))
        at = last + 1
    return tuple(found)


def _undone(text: str, edits: Sequence[tuple[int, int, str]], low: int, high: int) -> tuple[str, list[tuple[int, int]]]:
    pieces, origin, done = list[str](), list[tuple[int, int]](), low
    for start, end, new in edits:
        if start >= done:
            pieces += [text[done:start], new]
            origin += [(at, at + 1) for at in range(done, start)] + [(start, end)] * len(new)
            done = end
    origin += [(at, at + 1) for at in range(done, high)]
    return "".join((*pieces, text[done:high])), origin


def _edits(text: str) -> list[tuple[int, int, str]]:
    """Every encoding in a text, and what it stands for."""
    edits: list[tuple[int, int, str]] = []
    if "%" in text or "&#" in text:
        edits += [(m.start(), m.end(), _decode(m.group())) for m in _ENCODED.finditer(text)]
    if "<" in text:
        edits += [(m.start(), m.end(), "") for m in _TAG.finditer(text)]
    edits += [(m.start(), m.start(), "-") for m in _SMALL.finditer(text)]
    edits += [(m.start(), m.end(), "@" if m.group(1).lower() == "at" else ".") for m in _SAID.finditer(text)]
    for run in _SPELLED.finditer(text):
        edits += [(m.start(), m.end(), _digits(m)) for m in _SPELLED_PART.finditer(text, run.start(), run.end())]
    return sorted(edits)


def _decode(code: str) -> str:
    if code[0] == "%":
        return bytes.fromhex(code.replace("%", "")).decode("utf-8", "replace")
    number = int(code[3:-1], 16) if code[2] in "xX" else int(code[2:-1])
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else " "


def _digits(match: re.Match[str]) -> str:
    digit = match[2].lower()
    times = {"double": 2, "triple": 3}.get((match[1] or "").lower(), 1)
    return _DIGIT_WORDS.get(digit, digit) * times
