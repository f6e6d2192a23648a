"""The one normalizer of terms: what counts as the same word, everywhere.

Annotators, index, taxonomies, rewriting and verifier all ask this module, so a term means the same
in each of them. Any change that alters a result must raise `VERSION`: indexes and certificates carry
it, and refuse to mix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tacenda.folding import NON_ASCII, fold, fold_character, fold_with_offsets, plain_with_offsets
from tacenda.language import CASED_POSSESSIVE, POSSESSIVE, STOP_WORDS, plural, singular

__all__ = [
    "STOP_WORDS", "VERSION", "Token", "content_words", "fold", "fold_with_offsets", "is_abbreviation", "is_acronym",
    "is_name",
    "normalize", "plain_with_offsets", "plural", "singular", "tokens", "words", "written_key", "written_text",
    "written_words",
]  # fmt: skip
VERSION = 2


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: where it stands, its folded form, and whether it is an acronym.

    An acronym (two to six letters, all capital) is kept apart from the same letters in lower case:
    "AIDS" is not "aids", "LA" is not "la".
    """

    start: int
    end: int
    word: str
    acronym: bool

    @property
    def key(self) -> str:
        """The form an index counts: upper case for an acronym, folded otherwise."""
        return self.word.upper() if self.acronym else self.word


# Letters and digits together ("cd4" is one word); hyphens and apostrophes part words.
_WORD = re.compile(r"[^\W_]+")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+")
_ACRONYM_LENGTH = range(2, 7)
# "U.S.", "J.R.R.": letters parted by dots alone are one acronym.
_DOTTED = re.compile(r"(?<![^\W_])(?:[A-Z]\.){2,6}(?:[A-Z](?![^\W_]))?(?![A-Za-z0-9])")
_SOFT_HYPHEN = "\u00ad"


def _undotted(text: str) -> str:
    """Text of the same length in which the dots of dotted acronyms are characters that folding drops."""
    if "." not in text:
        return text
    return _DOTTED.sub(lambda match: match.group().replace(".", _SOFT_HYPHEN), text)


def words(text: str) -> list[str]:
    """Folded words of a text, without possessive endings.

    >>> words("The HIV-positive patient's CD4 count in the U.S.")
    ['the', 'hiv', 'positive', 'patient', 'cd4', 'count', 'in', 'the', 'us']
    """
    folded = fold(_undotted(text))
    if "'s" in folded:
        folded = POSSESSIVE.sub("  ", folded)
    return _WORD.findall(folded)


def tokens(text: str) -> Iterator[Token]:
    """Words of a text with their offsets; the same words as `words`."""
    text = _undotted(text)
    if text.isascii():
        # Nothing moves when ASCII is folded, so no offsets are kept.
        plain = POSSESSIVE.sub("  ", text.lower()) if "'" in text else text.lower()
        for match in _WORD.finditer(plain):
            start, end = match.span()
            yield Token(start, end, match.group(), is_acronym(text[start:end]))
        return
    folded, offsets = fold_with_offsets(text)
    plain = POSSESSIVE.sub("  ", folded)
    for match in _WORD.finditer(plain):
        start = int(offsets[match.start()])
        end = int(offsets[match.end() - 1]) + 1
        yield Token(start, end, match.group(), is_acronym(text[start:end].replace(_SOFT_HYPHEN, "")))


def is_acronym(word: str) -> bool:
    """Tell whether a word is written as an acronym: two to six letters, all capital.

    >>> is_acronym("HIV"), is_acronym("Hiv"), is_acronym("CD4")
    (True, False, False)
    """
    return len(word) in _ACRONYM_LENGTH and word.isalpha() and word.isupper()


def is_abbreviation(word: str) -> bool:
    """Tell whether a word is short and written with capitals inside.

    >>> is_abbreviation("CAGE"), is_abbreviation("PrEP"), is_abbreviation("Prep")
    (True, True, False)
    """
    return len(word) in _ACRONYM_LENGTH and word.isalpha() and sum(map(str.isupper, word)) > 1


def content_words(phrase: str, *, name: bool = False) -> tuple[str, ...]:
    """Singular words of a phrase, stop words removed; acronyms stay in upper case.

    name    the phrase is a name: a word that looks like a plural is none, and keeps its capital to say so

    >>> content_words("The patients of Dr. House"), content_words("HIV infections"), content_words("hepatitis A")
    (('patient', 'dr', 'house'), ('HIV', 'infection'), ('hepatitis', 'a'))
    >>> content_words("Steve Jobs", name=True), content_words("the U.S.")
    (('steve', 'Jobs'), ('US',))
    """
    # The names of 45,000 diseases are asked for by several parts, and words of a text again and again.
    return _remembered(phrase, name) if len(phrase) <= _SHORT else _content_words(phrase, name)


def _content_words(phrase: str, name: bool) -> tuple[str, ...]:
    if phrase.isascii() and "." not in phrase and "'" not in phrase:
        return _plain_content_words(phrase, name)
    found = list(tokens(phrase))
    # A capital letter at the end names a kind: "hepatitis A", "vitamin A".
    kind = phrase[found[-1].start : found[-1].end] == "A" if len(found) > 1 else False
    kept = [t for t in found if t.word not in STOP_WORDS or t.acronym or (kind and t is found[-1])] or found
    return tuple(t.key if t.acronym else _name(t.word) if name else singular(t.word) for t in kept)


def _plain_content_words(phrase: str, name: bool) -> tuple[str, ...]:
    """Content words of ASCII without dots and apostrophes, where words are just runs of letters and digits."""
    found = _PLAIN_WORD.findall(phrase)
    kind = len(found) > 1 and found[-1] == "A"
    kept = [word for word in found if word.lower() not in STOP_WORDS or is_acronym(word)]
    if kind and "a" in STOP_WORDS:
        kept.append(found[-1])
    spell = _name if name else singular
    return tuple(word if is_acronym(word) else spell(word.lower()) for word in kept or found)


_SHORT = 60
_remembered = lru_cache(maxsize=1 << 16)(_content_words)


def _name(word: str) -> str:
    return word if singular(word) == word else word.capitalize()


def is_name(word: str) -> bool:
    """Tell whether a content word is one that keeps its capital: it is not the plural of anything.

    >>> is_name("Jobs"), is_name("jobs"), is_name("HIV")
    (True, False, False)
    """
    return word[:1].isupper() and word[1:].islower() and singular(word.lower()) != word.lower()


def normalize(phrase: str) -> str:
    """The key under which a term is known everywhere: its content words, in order.

    >>> normalize("the Blood-Transfusions") == normalize("blood transfusion")
    True
    """
    return " ".join(content_words(phrase))


class _CaseKeepingTable(dict[int, str]):
    """Folded form of each character with its case kept; NUL where only `tokens` can tell what it does to a word."""

    def __missing__(self, code: int) -> str:
        kept = _keep_case(chr(code))
        self[code] = kept
        return kept


def _keep_case(character: str) -> str:
    folded = fold_character(character)
    if folded and not _WORD.search(folded) and not _WORD.match(character) and not {"'", "_"} & {*folded, character}:
        return " "
    kept = folded.upper() if character.isupper() else folded
    same = (str.isupper, str.islower, str.isalpha, str.istitle)
    simple = len(kept) == len(folded) == 1 and fold(kept) == folded
    return kept if simple and all(test(kept) == test(character) for test in same) else "\0"


_CASE_KEEPING = _CaseKeepingTable()
_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}


def written_words(text: str) -> tuple[list[str], bool]:
    """Words of a text for bulk work: as written (True; `written_key` gives their keys), or as keys already (False).

    The same words as `tokens`, several times as fast: no offsets, no object for each word.
    """
    text = _joined(text)
    plain = _kept_case(text)
    if "\0" in plain:
        # No word reaches over white space, so only the stretches with odd characters take the slow road.
        return [key for part in text.split() for key in _part_keys(part)], False
    return _split_words(plain), True


def _kept_case(text: str) -> str:
    return text if text.isascii() else NON_ASCII.sub(lambda match: match.group().translate(_CASE_KEEPING), text)


def _joined(text: str) -> str:
    """Text with dotted acronyms written in one word, where offsets do not matter."""
    if "." not in text:
        return text
    return _DOTTED.sub(lambda match: match.group().replace(".", "") + " ", text)


def written_text(text: str) -> str | None:
    """Text in which every run of letters and digits is one of `written_words`; None where those are keys already.

    >>> written_text("Ann’s café"), written_text("plain text")
    ('Ann cafe', 'plain text')
    """
    plain = _kept_case(_joined(text))
    if "\0" in plain:
        return None
    plain = _without_possessives(plain)
    return plain if plain.isascii() else " ".join(_WORD.findall(plain))


def _without_possessives(plain: str) -> str:
    return CASED_POSSESSIVE.sub("  ", plain) if "'" in plain else plain


def _split_words(plain: str) -> list[str]:
    plain = _without_possessives(plain)
    return plain.translate(_SEPARATORS).split() if plain.isascii() else _WORD.findall(plain)


def _part_keys(part: str) -> Iterator[str]:
    plain = _kept_case(part)
    if "\0" in plain:
        return (token.key for token in tokens(part))
    return map(written_key, _split_words(plain))


def written_key(word: str) -> str:
    """Key of a word of `written_words`: as it is for an acronym, folded otherwise."""
    return word if is_acronym(word) else fold(word)
