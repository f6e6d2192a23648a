"""What a word does in its sentence: told by its tag where an annotator gave one, else by its ending and its neighbors.

Asked where a word must go and nothing can stand for it: a verb takes its clause along, an adjective before a noun is
left out, one that is said of somebody is a status, a verb used as a noun is an activity.
"""

from __future__ import annotations

import re
from typing import Literal

from tacenda.folding import fold
from tacenda.language.en.words import DETERMINERS, NO_NOUN_AFTER, PREPOSITIONS, UNDOING

Role = Literal["verb", "gerund", "status", "modifier", "adverb", "noun"]

BE = frozenset(
    "is am are was were be been being isn't wasn't seem seems seemed become became becomes feel feels felt look looks "
    "looked remain remains remained stay stayed stays get gets got appear appears appeared".split()
)
_HELPING = frozenset("has have had having will would can could may might must shall should did does do to".split())
_SUBJECTS = frozenset("i he she they we you who it".split())
_OBJECTS = frozenset("him her them it me us you himself herself themselves".split())
_ADVERBS = frozenset("often still never not now very so too also always already once quite just again".split())
_PAST = frozenset(
    "lost won met left went took ran began became came got made kept saw wrote gave told fell grew knew spoke sang "
    "drove bought brought taught fought sold paid chose broke threw stole swore bore bred fled hid".split()
)
_SAME_PAST = frozenset("sung drunk run come become put cut hit let set read done gone begun swum rung".split())
_HAVE = frozenset("has have had having".split())
_SINCE = frozenset("now still already always currently".split())
# Nouns and adjectives: "a drunk", "he came home drunk".
_EITHER = frozenset("drunk sober gay lesbian homosexual transsexual addicted high clean".split())
_LINKS = frozenset("and or but since when because who which until while".split())
_NO_SUBJECTS = DETERMINERS | PREPOSITIONS | BE | _HELPING
_SMALL = (
    _SUBJECTS
    | _OBJECTS
    | _ADVERBS
    | _LINKS
    | frozenset(
        "as at if twice once again out up off away ago positive negative reactive present absent seen heard today "
        "tomorrow yesterday daily weekly likely".split()
    )
)
_BEFORE = re.compile(r"([^\W\d_][\w'’‑-]*)[ \u00a0]+$")
_AFTER = re.compile(r"[ \u00a0]+([^\W\d_][\w'’‑-]*)")
_TAGS: dict[str, Role] = {"ADV": "adverb", "NOUN": "noun", "PROPN": "noun", "NUM": "noun", "PRON": "noun"}
_VERBS = frozenset(("VERB", "AUX"))
_ADJECTIVE = re.compile(r"(?:able|ible|ous|ful|ive|less|ish|ical|ic|ary|ent|ant|al|y)$")
_PARTICIPLE = re.compile(r"(?:ed|en|wn|ung|ught|orn)$")


def role_of(text: str, start: int, end: int, *, tag: str = "", closes: bool = True) -> Role:
    """Return what the phrase `text[start:end]` does in its sentence.

    tag     part of speech of its last word, where an annotator told it
    closes  whether its noun phrase ends with it

    >>> text = "She smelled of gin but denied drinking; he was often drunk."
    >>> [role_of(text, text.index(w), text.index(w) + len(w)) for w in ("smelled", "denied", "drinking", "drunk")]
    ['verb', 'verb', 'gerund', 'status']
    """
    word = fold(text[start:end].split()[-1]) if text[start:end].split() else ""
    near = text[max(0, start - 60) : start]
    before, after = _word_before(near), _word_after(text, end)
    if text[start : start + 1].isupper() and before and not text[start:end].isupper():
        return "noun" if closes and not _is_content(after) else "modifier"  # a name, whatever word it is
    if tag in _VERBS:
        return _verbal(word, before, after, text[end : end + 30])
    if tag == "ADJ":
        return "modifier" if _is_content(after) or not closes else "status"
    if tag:
        known = _TAGS.get(tag, "noun")
        return "modifier" if known == "noun" and not closes and _is_content(after) else known
    if len(text[start:end].split()) > 1:
        return "noun" if closes else "modifier"  # no verb or adjective by itself
    return _guessed(word, near, before, after, text[end : end + 30])


def _guessed(word: str, near: str, before: str, after: str, behind: str) -> Role:
    if word.endswith("ly") and len(word) > 4:
        return "adverb"
    if before.endswith("ly") or before in _ADVERBS:
        earlier = _word_before(near[: near.rfind(before)])
        if not earlier and before in _SINCE and not _is_content(after):
            return "status"  # "Now sober six years."
        before = earlier or before
    if before in BE:
        return _verbal(word, before, after, behind) if word.endswith("ing") or _PARTICIPLE.search(word) else "status"
    if word.endswith("ing"):
        return "modifier" if before in DETERMINERS and _is_content(after) else "gerund"
    if word in UNDOING:
        return "modifier"
    if word in _PAST and before not in DETERMINERS and before not in BE:
        return "verb"
    if word.endswith("ed") and before.endswith("ed") and _is_content(after):
        return "modifier"  # "experienced increased anxiety"
    if word in _EITHER and before not in DETERMINERS:
        return "modifier" if _is_content(after) else "status"
    if before in _HAVE and not (_PARTICIPLE.search(word) or word in _PAST or word in _SAME_PAST):
        return "modifier" if _is_content(after) else "noun"  # "she has gonorrhea"
    if before in _HELPING or before in _SUBJECTS:
        return "verb"
    if before in DETERMINERS or before.endswith(("'s", "’s")):
        return "modifier" if _is_content(after) else "noun"
    if word.endswith("ed") or (after in DETERMINERS | _OBJECTS and not _ADJECTIVE.search(word)):
        return "verb"
    if _ADJECTIVE.search(word):
        return "modifier" if _is_content(after) else "status"
    if word.endswith("s") and before and before not in _NO_SUBJECTS and (after in PREPOSITIONS or _is_content(after)):
        return "verb"
    return "modifier" if _is_content(after) else "noun"


def _verbal(word: str, before: str, after: str, behind: str) -> Role:
    """A form of a verb: after "be" a participle with nothing behind it tells a state ("is divorced")."""
    if word.endswith("ing") and before not in BE:
        return "gerund"
    alone = not after or after in _LINKS or behind[:1] in ".,;:)"
    return "status" if before in BE and _PARTICIPLE.search(word) and alone else "verb"


def _word_before(near: str) -> str:
    found = _BEFORE.search(near)
    return fold(found[1]) if found else ""


def _word_after(text: str, end: int) -> str:
    found = _AFTER.match(text, end)
    return fold(found[1]) if found and found[1][0].islower() else ""


def _is_content(word: str) -> bool:
    """Tell whether the next word belongs to the phrase: a word that says something and looks like no verb."""
    if not word or word.endswith("ed"):
        return False  # "erythema noted", "crackles heard"
    return word not in _NO_SUBJECTS and word not in NO_NOUN_AFTER and word not in _SMALL
