"""Number words."""

from __future__ import annotations

import re

_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_UNITS, 1)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
# What decades of a life are called.
DECADES = ("", "", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties")
NUMBER_WORDS = (
    rf"(?:(?:a|one)[\s-]hundred(?:\sand)?(?:[\s-](?:{'|'.join(_UNITS)}))?|(?:{'|'.join(_TENS)})"
    rf"(?:[\s-](?:{'|'.join(_UNITS[:9])}))?|{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
)
_WORD = re.compile(r"[a-z]+")


def spoken_number(words: str) -> int:
    """Value of number words up to 119; 0 if they are none.

    >>> spoken_number("ninety-two"), spoken_number("One hundred and four"), spoken_number("many")
    (92, 104, 0)
    """
    found = [100 if word == "hundred" else _VALUES.get(word, 0) for word in _WORD.findall(words.lower())]
    return sum(found) - (found[0] if found[:2] == [1, 100] else 0)


def number_word(number: int) -> str:
    """Word of a small number.

    >>> number_word(4), number_word(12)
    ('four', 'twelve')
    """
    return _UNITS[number - 1]
