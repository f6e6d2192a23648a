"""What a name is, told by its own words and by those beside it: "Boston University" is a university.

Names are no phrases, and most stand in no taxonomy. Three things still tell their kind without telling the name:
the head noun ("X University", "Academy of Y"), a year in brackets or a word right before ("the comedy X (1994)"),
and what the annotator called it. Only nouns of the tables below are believed: the head of a title tells
nothing ("Crimson Tide" is no tide).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacenda.language import HEAD_NOUNS, PAIRED_HEADS, WORK_CUES
from tacenda.term import fold, singular, words

_PREPOSITION = re.compile(r"\s(?:of|for|in|at|on|against|from|to)\s.*", re.IGNORECASE)
_BRACKETED_YEAR = re.compile(r"\((?:[^()]*\D)?(?:1[89]|20)\d\d(?:\D[^()]*)?\)\s*$")
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_YEAR_AFTER = re.compile(r"[’'”\"]?\s*\((?:1[89]|20)\d\d")
_WORD = re.compile(r"\w+")
# The last word before a title, or the one before that: "in the comedy", "the television series,".
_LAST_WORDS = re.compile(r"\w+\W+\w*\W*$")
_LAST_WORD = re.compile(r"(\w+)[\s,:\"“‘']*$")
_LATER = 32  # characters by which a cue after a title is taken to stand farther off than one before


def head_kinds(name: str) -> tuple[str, ...]:
    """Return what the head noun of a name says it is, and one word more general; nothing if no noun says.

    >>> head_kinds("Boston University"), head_kinds("Academy of Arts"), head_kinds("New York Film Festival")
    (('university', 'organization'), ('academy', 'organization'), ('film festival', 'festival', 'event'))
    >>> head_kinds("Crimson Tide"), head_kinds("Best Supporting Actress")
    ((), ('award',))
    """
    if name.startswith("Best ") and len(name.split()) < 8:
        return ("award",)
    if _BRACKETED_YEAR.search(name) or ":" in name:
        return ()  # a title
    name = _BRACKETED.sub("", name)  # "District Court (Sąd Rejonowy)"
    whole = words(name)
    heads = [
        found for found in (words(_PREPOSITION.sub("", name)), whole) if found and singular(found[-1]) in HEAD_NOUNS
    ]
    if len(whole) < 2 or not heads:
        return ()
    found, last = heads[0], singular(heads[0][-1])
    pair = " ".join([*found[-2:-1], last])
    kinds = [pair] if pair in PAIRED_HEADS and len(found) > 2 else []
    return tuple(dict.fromkeys([*kinds, last, HEAD_NOUNS[last]]))


def work_kinds(name: str, before: str, after: str) -> tuple[str, ...]:
    """Return what kind of work a title is, by the words of its sentence; nothing if it does not look like a title.

    A year in brackets, in the title or right after it, marks a title: then the nearest cue of the sentence
    tells the kind. Without it, only a cue right before the title does.

    >>> work_kinds("The Mask (1994)", "in the comedy ", ""), work_kinds("The Mask", "met ", " and left")
    (('film', 'creative work'), ())
    """
    dated = bool(_BRACKETED_YEAR.search(name) or _YEAR_AFTER.match(after))
    close = _LAST_WORDS.search(before)
    near = before if dated else close.group() if close else ""
    cues = [(len(near) - at, kind) for at, kind in _cues(near)]
    if dated:
        cues += [(at + _LATER, kind) for at, kind in _cues(after)]
    cues = [cue for cue in cues if dated or cue[1] != "production"]
    if not cues:
        return ("creative work",) if dated else ()
    return (min(cues)[1], "creative work")


def cue_before(before: str) -> str:
    """Return the kind of work that the word right before a title says it is: "the film X".

    >>> cue_before("in the comedy "), cue_before("she met ")
    ('film', '')
    """
    said = _LAST_WORD.search(before)
    kind = WORK_CUES.get(fold(said[1]), "") if said else ""
    return "" if kind == "production" else kind


def _cues(part: str) -> Iterator[tuple[int, str]]:
    """Places and kinds of the cues in a text."""
    for match in _WORD.finditer(part):
        kind = WORK_CUES.get(fold(match.group()))
        if kind:
            yield match.end(), kind
