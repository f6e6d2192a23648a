"""The one normalizer of terms: what counts as the same word, everywhere.

Annotators, index, taxonomies, rewriting and verifier all ask this module, so a term means the same
in each of them. Any change that alters a result must raise `VERSION`: indexes and certificates carry
it, and refuse to mix.

Folding is done character by character (compatibility form, no accents, no invisible characters,
look-alike letters as the Latin ones they imitate, lower case). Because it looks at one character at a
time it runs at C speed through `str.translate`, and every folded character knows where it came from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

VERSION = 1

# Letters of other scripts that are drawn like Latin ones; a masked name must not survive in their dress.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝвкмнтгіαβεικνορτυχγηωɡıƖℓАВЕЗКМНОРСТУХІЈЅԀԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshdqwbkmhtriabeiknoptuxynwgillabe3kmhopctyxijsdqwabezhikmnoptyx",
)
_APOSTROPHES = "’‘ʼ＇`´′"
_HYPHENS = "‐‑‒–—−﹘﹣－"


class _FoldTable(dict[int, str]):
    """Folded form of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    if character in _HYPHENS:
        return "-"
    plain = unicodedata.normalize("NFKD", character).translate(_LOOKALIKES).casefold()
    kept = (c for c in unicodedata.normalize("NFKD", plain) if unicodedata.category(c) not in ("Mn", "Me", "Cf"))
    return "".join(kept).translate(_LOOKALIKES)


_TABLE = _FoldTable()
_TABLE.update((code, chr(code).lower()) for code in range(128))
_NON_ASCII = re.compile(r"[^\x00-\x7f]+")


def _fold_match(match: re.Match[str]) -> str:
    return match.group().translate(_TABLE)


def fold(text: str) -> str:
    """Fold case, accents, compatibility forms, invisible characters and look-alike letters.

    >>> fold("Ｓｍíth\\u00adson’s")
    "smithson's"
    """
    if text.isascii():
        return text.lower()
    # Only the few other characters take the slow road through the table.
    return _NON_ASCII.sub(_fold_match, text).lower()


def fold_with_offsets(text: str) -> tuple[str, npt.NDArray[np.int64]]:
    """Fold, and give for each folded character (and the end) its offset in `text`.

    >>> folded, at = fold_with_offsets("ﬁx")
    >>> folded, at.tolist()
    ('fix', [0, 0, 1, 2])
    """
    folded = fold(text)
    if text.isascii():
        return folded, np.arange(len(text) + 1)
    lengths = np.fromiter((len(_TABLE[ord(c)]) for c in text), dtype=np.int64, count=len(text))
    return folded, np.append(np.repeat(np.arange(len(text)), lengths), len(text))


class _PlainTable(dict[int, str]):
    """Form of each character without its dress but with its case, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = _TABLE[code]
        plain = folded.upper() if chr(code).isupper() else folded
        self[code] = plain
        return plain


_PLAIN_TABLE = _PlainTable()


def plain_with_offsets(text: str) -> tuple[str, npt.NDArray[np.int64] | None]:
    """Undo Unicode dress as `fold` does, but keep the case; offsets are None where nothing moved.

    >>> plain_with_offsets("Tel：１２３–４")[0]
    'Tel:123-4'
    """
    if text.isascii():
        return text, None
    pieces: list[str] = []
    lengths = np.ones(len(text), dtype=np.int64)
    done, moved = 0, False
    for match in _NON_ASCII.finditer(text):
        plain = match.group().translate(_PLAIN_TABLE)
        pieces += (text[done : match.start()], plain)
        done = match.end()
        folds = [len(_PLAIN_TABLE[ord(c)]) for c in match.group()]
        if folds != [1] * len(folds):
            lengths[match.start() : done] = folds
            moved = True
    plain = "".join((*pieces, text[done:]))
    return plain, np.append(np.repeat(np.arange(len(text)), lengths), len(text)) if moved else None


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
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
_ACRONYM_LENGTH = range(2, 7)


def words(text: str) -> list[str]:
    """Folded words of a text, without possessive endings.

    >>> words("The HIV-positive patient's CD4 count")
    ['the', 'hiv', 'positive', 'patient', 'cd4', 'count']
    """
    folded = fold(text)
    if "'s" in folded:
        folded = _POSSESSIVE.sub("  ", folded)
    return _WORD.findall(folded)


def tokens(text: str) -> Iterator[Token]:
    """Words of a text with their offsets; the same words as `words`."""
    folded, offsets = fold_with_offsets(text)
    plain = _POSSESSIVE.sub("  ", folded)
    for match in _WORD.finditer(plain):
        start = int(offsets[match.start()])
        end = int(offsets[match.end() - 1]) + 1
        yield Token(start, end, match.group(), is_acronym(text[start:end]))


def is_acronym(word: str) -> bool:
    """Tell whether a word is written as an acronym: two to six letters, all capital.

    >>> is_acronym("HIV"), is_acronym("Hiv"), is_acronym("CD4")
    (True, False, False)
    """
    return len(word) in _ACRONYM_LENGTH and word.isalpha() and word.isupper()


STOP_WORDS = frozenset(
    "a an the this that these those some any each every no its his her their our your my "
    "of in on at by for to from with and or as is are was were be been being s".split()
)

_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth", "geese": "goose",
    "mice": "mouse", "lice": "louse", "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf",
    "wolves": "wolf", "selves": "self", "halves": "half", "loaves": "loaf", "thieves": "thief", "calves": "calf",
    "shelves": "shelf", "diagnoses": "diagnosis", "crises": "crisis", "theses": "thesis", "analyses": "analysis",
    "bases": "base", "metastases": "metastasis", "prognoses": "prognosis", "bacteria": "bacterium",
    "viruses": "virus", "criteria": "criterion", "phenomena": "phenomenon", "vertebrae": "vertebra",
    "offspring": "offspring", "sheep": "sheep", "deer": "deer", "aircraft": "aircraft",
    "people": "people", "news": "news", "series": "series", "species": "species", "diabetes": "diabetes",
    "aids": "aids", "rabies": "rabies", "herpes": "herpes", "measles": "measles", "mumps": "mumps",
    "buses": "bus", "gases": "gas", "movies": "movie", "cookies": "cookie", "calories": "calorie", "ties": "tie",
    "junkies": "junkie", "brownies": "brownie", "hippies": "hippie", "zombies": "zombie", "rookies": "rookie",
    "prairies": "prairie", "genies": "genie", "hoodies": "hoodie", "selfies": "selfie", "collies": "collie",
    "lies": "lie", "pies": "pie", "dies": "die", "shoes": "shoe", "toes": "toe", "houses": "house",
    "nurses": "nurse", "diseases": "disease", "cases": "case", "doses": "dose", "causes": "cause", "uses": "use",
    "courses": "course", "purposes": "purpose", "databases": "database", "releases": "release",
    "spouses": "spouse", "licenses": "license", "axes": "axis", "politics": "politics", "physics": "physics",
    "mathematics": "mathematics", "economics": "economics", "athletics": "athletics",
}  # fmt: skip
_KEEP_S = ("ss", "us", "is", "as", "os")


def singular(word: str) -> str:
    """Singular of a folded English word; a word that is no plural comes back as it is.

    >>> [singular(w) for w in ("cities", "boxes", "illnesses", "drugs", "virus", "children")]
    ['city', 'box', 'illness', 'drug', 'virus', 'child']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word[-1] != "s" or word.endswith(_KEEP_S):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


_PLURAL_OF = {one: many for many, one in _IRREGULAR.items() if one != many}


def plural(word: str) -> str:
    """Plural of a singular English word, in lower case.

    >>> [plural(w) for w in ("city", "box", "drug", "child", "diagnosis")]
    ['cities', 'boxes', 'drugs', 'children', 'diagnoses']
    """
    if word in _PLURAL_OF:
        return _PLURAL_OF[word]
    if _IRREGULAR.get(word) == word:
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def content_words(phrase: str) -> tuple[str, ...]:
    """Singular words of a phrase, stop words removed; acronyms stay in upper case.

    >>> content_words("The patients of Dr. House"), content_words("HIV infections"), content_words("hepatitis A")
    (('patient', 'dr', 'house'), ('HIV', 'infection'), ('hepatitis', 'a'))
    """
    found = list(tokens(phrase))
    # A capital letter at the end names a kind: "hepatitis A", "vitamin A".
    kind = phrase[found[-1].start : found[-1].end] == "A" if len(found) > 1 else False
    kept = [t for t in found if t.word not in STOP_WORDS or t.acronym or (kind and t is found[-1])] or found
    return tuple(t.key if t.acronym else singular(t.word) for t in kept)


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
    folded = _TABLE[ord(character)]
    if folded and not _WORD.search(folded) and not _WORD.match(character) and not {"'", "_"} & {*folded, character}:
        return " "
    kept = folded.upper() if character.isupper() else folded
    same = (str.isupper, str.islower, str.isalpha, str.istitle)
    simple = len(kept) == len(folded) == 1 and fold(kept) == folded
    return kept if simple and all(test(kept) == test(character) for test in same) else "\0"


_CASE_KEEPING = _CaseKeepingTable()
# The apostrophe comes first so that the search can leap from one to the next.
_CASED_POSSESSIVE = re.compile(r"'(?<=\w')[sS](?!\w)")
_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}


def written_words(text: str) -> tuple[list[str], bool]:
    """Words of a text for bulk work: as written (True; `written_key` gives their keys), or as keys already (False).

    The same words as `tokens`, several times as fast: no offsets, no object for each word.
    """
    plain = _kept_case(text)
    if "\0" in plain:
        # No word reaches over white space, so only the stretches with odd characters take the slow road.
        return [key for part in text.split() for key in _part_keys(part)], False
    return _split_words(plain), True


def _kept_case(text: str) -> str:
    return text if text.isascii() else _NON_ASCII.sub(lambda match: match.group().translate(_CASE_KEEPING), text)


def written_text(text: str) -> str | None:
    """Text in which every run of letters and digits is one of `written_words`; None where those are keys already.

    >>> written_text("Ann’s café"), written_text("plain text")
    ('Ann cafe', 'plain text')
    """
    plain = _kept_case(text)
    if "\0" in plain:
        return None
    plain = _without_possessives(plain)
    return plain if plain.isascii() else " ".join(_WORD.findall(plain))


def _without_possessives(plain: str) -> str:
    return _CASED_POSSESSIVE.sub("  ", plain) if "'" in plain else plain


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
