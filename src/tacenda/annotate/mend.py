"""Mend what an annotator read wrongly, by the words around: trades in a field of roles, codes cut in two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.annotate.entities import PERSON_LABELS, number_key
from tacenda.annotate.patterns import cued
from tacenda.language import (
    ACCOUNT_IN_PATH,
    CELL_ENDS,
    DETERMINED_TRADE,
    DISEASE_CODE,
    DISEASE_CODE_CUE,
    FORM_WORDS,
    LANGUAGE_CUE,
    RELATIVE_OF,
    ROLE_FIELD,
    SHORTHAND,
    TRADES,
)
from tacenda.model import Mention
from tacenda.term import fold

_NEAR = 70
_PLACED_OR_TITLED = frozenset(("LOC", "ORG", "MISC"))
_LONG = 5  # digits
_CODE_TAIL = re.compile(r"[-/#]\d[\w/-]*")
# Words of address that name nobody by themselves: "Dear Sir".
_NOBODY = frozenset(("sir", "sirs", "madam", "ma'am", "sir or madam", "sir/madam", "sir madam"))
# After a trade that is a family's name all the same: "the Cooper family", "the Baker Report".
_OF_A_FAMILY = re.compile(
    r"['’]?s?\s(?:[A-Z]|famil|house|estate|case|residence|home|widow|brothers|sisters|boy|girl|twin|child)"
)
_ORIGIN = re.compile(r"\w*(?:ish|[ai]an|ese|[a-z]{3}i|ch|ic|ek|ttish)|Arabs?|Roma|Black|White|Tamil|Sikh|Thai|Zulu")
_LIFE = re.compile(r"(?:c\.\s?)?(?:1\d|20)\d\d\s?[–—-]\s?(?:c\.\s?)?(?:1\d|20)\d\d")
_PLACED = re.compile(r",?\s(?:of|in|at|from|for)\s(?:the\s)?(?=\S)")


def mended(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions without trades and codes of diseases; what the words beside it make a person is one."""
    codes = [match.span() for match in DISEASE_CODE.finditer(text)]
    persons = {(hit.start, hit.end) for hit in cued.find(text) if hit.label == "PERSON"}
    for mention in mentions:
        if mention.kind == "entity" and mention.span in persons and not _is_origin(mention):
            mention = replace(mention, label="PERSON", role="direct")
        if mention.kind != "entity":
            yield mention
        elif mention.label in PERSON_LABELS:
            tail = _CODE_TAIL.match(text, mention.end) if mention.text.isupper() and mention.text.isalpha() else None
            if tail is not None:  # "ORD" of "ORD-2232": capitals before digits are the prefix of a number
                whole = text[mention.start : tail.end()]
                yield replace(mention, end=tail.end(), text=whole, label="CODE", role="quasi")
            elif not _is_trade(text, mention) and fold(mention.text) not in _NOBODY and not _is_shorthand(mention):
                yield mention
        elif mention.label == "DATETIME" and mention.role == "none" and _LIFE.fullmatch(mention.text):
            yield replace(mention, role="quasi")  # "(1950–2006)" beside a name is a life, whatever was read
        elif mention.label == "DEM" and (related := RELATIVE_OF.match(mention.text)):
            # What stands for "daughter of the governor" must not say that she is one.
            start = mention.start + related.end()
            yield replace(mention, start=start, text=text[start : mention.end], head=-1, vector=None)
        elif mention.label == "ORG" and _is_trade(text, mention):
            continue
        elif mention.label in _PLACED_OR_TITLED and _is_language(text, mention):
            yield replace(mention, label="DEM")
        elif mention.label == "CODE":
            yield from _whole_code(text, mention, codes)
        elif mention.label != "MISC" or not ACCOUNT_IN_PATH.search(text, max(0, mention.start - 1), mention.end):
            yield mention  # a path is no name; the account in it is found by its form


def _is_trade(text: str, mention: Mention) -> bool:
    """Tell whether a lone "Porter" says what somebody does: in a field or column of roles, or after an article."""
    if fold(mention.text) not in TRADES:
        return False
    before = text[max(0, mention.start - _NEAR) : mention.start]
    if DETERMINED_TRADE.search(before):
        return not _OF_A_FAMILY.match(text, mention.end)
    return bool(CELL_ENDS.match(text, mention.end) and ROLE_FIELD.search(before))


def _is_shorthand(mention: Mention) -> bool:
    """Tell whether a lone word in lower case is shorthand of a form: "abd" after "CC:" is no recipient."""
    return (
        mention.text.islower() and mention.text.isalpha() and (mention.text in SHORTHAND or mention.text in FORM_WORDS)
    )


def _is_language(text: str, mention: Mention) -> bool:
    """Tell whether the words before say that a language follows: "fluent in Yoruba" names no place."""
    return LANGUAGE_CUE.search(text, max(0, mention.start - _NEAR), mention.start) is not None


def _is_origin(mention: Mention) -> bool:
    """Tell whether a word says where somebody is from: "the youngest Polish boy" has no such family."""
    return mention.label == "DEM" and bool(_ORIGIN.fullmatch(mention.text))


def _whole_code(text: str, mention: Mention, codes: Iterable[tuple[int, int]]) -> Iterator[Mention]:
    """Yield a code as it is; one of a disease whole, or not at all where the text says that it is one."""
    around = next(((a, b) for a, b in codes if a <= mention.start and mention.end <= b), None)
    if around is None:
        yield mention
    elif not DISEASE_CODE_CUE.search(text[max(0, around[0] - _NEAR) : around[0]]):
        yield replace(mention, start=around[0], end=around[1], text=text[around[0] : around[1]])


def one_label(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Let what is a person's name in one place be one in all: "T-Bone", then "T-Bone" in quotes."""
    held = tuple(mentions)
    names = {m.text for m in held if m.label == "PERSON" and m.kind != "term" and m.text[:1].isupper()}
    return tuple(
        replace(m, label="PERSON", role="direct")
        if m.kind == "entity" and m.label in ("MISC", "CODE") and m.text in names
        else m
        for m in held
    )


def without_known_names(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Cut from an office the name that stands elsewhere by itself: "the mayor of Pécs", where somebody lives in Pécs.

    The office may stay in clear where the name may not, and a form that goes in one place goes in all.
    """
    held = tuple(mentions)
    names = {fold(m.text) for m in held if m.kind == "entity" and m.label in ("LOC", "ORG", "PERSON")}
    return tuple(_office(m, names) if m.kind == "entity" and m.label == "DEM" else m for m in held)


def _office(mention: Mention, names: set[str]) -> Mention:
    for found in _PLACED.finditer(mention.text):
        if found.start() and fold(mention.text[found.end() :]) in names:
            end = mention.start + found.start()
            return replace(mention, end=end, text=mention.text[: found.start()], head=-1, vector=None)
    return mention


def one_number(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Give one label to all places of one number: an order number in a letter, in a note and in a cell beside it.

    What a pattern found tells the kind better than what the encoder took for some code.
    """
    held = tuple(mentions)
    best: dict[str, Mention] = {}
    for mention in held:
        key = _long_number(mention)
        if key and (key not in best or _rank(mention) < _rank(best[key])):
            best[key] = mention
    return tuple(
        replace(m, label=best[key].label, role=best[key].role) if (key := _long_number(m)) else m for m in held
    )


def _long_number(mention: Mention) -> str:
    """The letters and digits of a number that is long enough to be the same in two places by no chance; else ""."""
    numbered = mention.kind == "identifier" and mention.label not in ("DATETIME", "ZIP", "AGE")
    if not numbered and not (mention.kind == "entity" and mention.label == "CODE"):
        return ""
    key = number_key(mention.text)
    return key if sum(map(str.isdigit, key)) >= _LONG else ""


def _rank(mention: Mention) -> tuple[bool, bool, float]:
    return mention.kind != "identifier", mention.label in ("CODE", "OTHER_ID"), -mention.confidence
