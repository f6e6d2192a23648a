"""Where a common noun can stand in for a mention, told by the words around it.

"Polish" of "a Polish national" and "Acme" of "Acme shares" are no places for a noun, nor is a piece of a longer
name; there a label reads better. No parser is asked: a few words to the left and right decide, in doubt against
the noun.
"""

from __future__ import annotations

import re

from tacenda.language import (
    DETERMINED,
    DETERMINED_NEAR,
    DETERMINER_AFTER,
    IDENTIFIES_AS,
    LANGUAGES,
    NO_NOUN_AFTER,
    NO_NOUNS,
    PREPOSITIONS,
    STUDIED_IN,
)
from tacenda.model import Context, Mention
from tacenda.term import STOP_WORDS, content_words, fold, singular, words

FIGURES = frozenset(("DATETIME", "QUANTITY", "AGE"))
_NAMES = frozenset(("PERSON", "LOC", "ORG", "MISC", "CODE", "ADDRESS"))
_APPOSED = frozenset(("TERM", "MISC", "DEM", "ORG", "LOC", "PERSON", "QUANTITY", "CODE"))
_NEAR = 50_000  # characters to each side in which a word is looked for: all of most documents
_SHOUTED = 5  # letters from which a word in capitals is no acronym
_NEXT_WORD = re.compile(r"[ \u00a0]([a-z]{3,})")
_JOINED = re.compile(r"[-‐‑'’.](?=\w)")
_HYPHEN = re.compile(r"[-‐‑](?=\w)")
_NOTED = re.compile(r":|\) [A-Z]")  # "(Hangul: x)", "the Fair Employment (Ulster) Act"
_RESULT_AFTER = re.compile(r" (?:positive|negative|reactive|nonreactive|detected|undetectable)\b", re.I)
_ADVERB = re.compile(r"\w{3,}ly $")
_NAME_AFTER = re.compile(r"[ \u00a0](?:[A-Z][a-z]|[A-Z]{2}|\d|(?:de|del|di|da|du|la|von|van)\b)")
# The end of a sentence with no space behind it: "of all actors.Cruise has been".
_GLUED = re.compile(r"[a-z)\]]{3}\.$")
_NAME_BEFORE = re.compile(r"[\w,][ \u00a0](?!Mr|Mrs|Ms|Dr)[A-Z]\w*[ \u00a0]$")


def holds_noun(mention: Mention, text: str) -> bool:
    """Tell whether a noun can stand in the place of a mention (figures keep their own forms and always can).

    >>> text = "a Polish national of Warsaw"
    >>> [holds_noun(Mention(s, e, text[s:e], n), text) for s, e, n in ((2, 8, "DEM"), (21, 27, "LOC"))]
    [False, True]
    """
    found = words(mention.text)
    if not found or all(word in STOP_WORDS or word in NO_NOUNS for word in found):
        return False
    if mention.label in FIGURES:
        return True
    noted = text[max(0, mention.start - 1) : mention.start] == "(" and _NOTED.match(text, mention.end)
    joined = _HYPHEN.match(text, mention.end) or _is_joined(mention, text)
    if joined or noted or found[0] in PREPOSITIONS:
        return False
    before, after = text[max(0, mention.start - 40) : mention.start], text[mention.end : mention.end + 30]
    said = text[max(0, mention.start - 60) : mention.start]
    if STUDIED_IN.search(said) or IDENTIFIES_AS.search(said):
        return False
    if _RESULT_AFTER.match(after) or (mention.label in ("MISC", "DEM") and mention.text in LANGUAGES):
        return False
    if mention.label == "LOC" and mention.text[:1].isdigit():
        return False  # "248 Beach Lane" is an address, not "a lane"
    if mention.label == "DEM" and all(part[0].isupper() for part in mention.text.split()):
        return bool(DETERMINED.search(before)) and not _is_before_noun(after)
    if is_capital_name(mention):
        piece = _NAME_BEFORE.search(before) or _NAME_AFTER.match(after)
        listed = before.endswith((" and ", " or "))
        modified = not (mention.opens or listed or DETERMINED.search(before) or DETERMINED_NEAR.search(before))
        return not (piece or modified or _is_before_noun(after))
    if len(found) == 1 and mention.text[:1].islower() and (DETERMINER_AFTER.match(after) or _ADVERB.search(before)):
        return False  # "launch the campaign", "politically moderate"
    if not mention.opens and not mention.text[:1].isupper() and singular(found[-1]) == found[-1]:
        start = mention.phrase[0]  # an article would have to go before the phrase, not before the mention
        listed = before.endswith((" and ", " or ", ", "))
        if not listed and not DETERMINED_NEAR.search(text[max(0, start - 40) : start]):
            return False
    if len(found) == 1 and found[0].endswith("ing") and _is_before_noun(after):
        return False  # "drinking wine"
    return mention.label != "WORD" or bool(DETERMINED.search(before))


def _is_joined(mention: Mention, text: str) -> bool:
    """Tell whether a mention hangs on what stands before it: the second half of "St.John" or "Smith-Magenis"."""
    if not mention.start or not _JOINED.match(text, mention.start - 1):
        return False
    return not (mention.text[:1].isupper() and _GLUED.search(text, max(0, mention.start - 5), mention.start))


def reads_everywhere(mention: Mention, context: Context, *, titled: bool = False) -> bool:
    """Tell whether a noun can stand wherever a document has this mention: all get the same replacement.

    titled  the mention is the title of a work: "the comedy X" is "the comedy" when the rest goes
    """
    alike = (mention, *context.alike(mention))
    if is_capital_name(mention) and not titled and any(is_apposed(m, context) for m in alike):
        return False
    return all(holds_noun(m, context.document.text) for m in alike)


def always_apposed(mention: Mention, context: Context) -> bool:
    """Tell whether a mention stands right behind another wherever the document has it."""
    return all(is_apposed(m, context) for m in (mention, *context.alike(mention)))


def is_name(mention: Mention, *, opens: bool, text: str) -> bool:
    """Tell whether a mention is a name: by its label, or because all its words have capitals.

    opens   the mention begins a sentence, where a capital tells nothing unless the word has it elsewhere too
    """
    found = [word for word in content_words(mention.text) if word[0].isalpha()]
    capitals = [part for part in mention.text.split() if part[0].isupper()]
    if mention.label in ("PERSON", "LOC", "ORG", "ADDRESS"):
        return True
    if mention.text.isupper() and len(mention.text) > _SHOUTED:
        return False  # a heading, or a term that is shouted
    # A listed word carries no label that an annotator gave: "Sacramento" is a name by its capital.
    if mention.label in ("MISC", "CUSTOM") and len(found) < 2:
        near = text[max(0, mention.start - _NEAR) : mention.end + _NEAR]
        return bool(capitals) and (not opens or re.search(rf"[a-z,] {re.escape(mention.text)}\b", near) is not None)
    return len(capitals) >= max(2, len(found)) or bool(capitals and mention.text.rstrip().endswith(")"))


def is_capital_name(mention: Mention) -> bool:
    """Tell whether a mention has the label of a name and is written as one."""
    return mention.label in _NAMES and mention.text[:1].isupper()


def is_apposed(mention: Mention, context: Context) -> bool:
    """Tell whether a mention stands right behind another: no article goes there, and no noun for a name ("film X")."""
    if not context.document.text[max(0, mention.start - 1) : mention.start].isspace():
        return False  # the end of a sentence with no space behind it
    return any(m.label in _APPOSED for m in context.ending_at(mention.start - 1))


def is_predicate(mention: Mention, text: str) -> bool:
    """Tell whether a description may be an adjective: before a noun, or without a determiner ("votes liberal")."""
    if mention.label == "DEM" and _is_before_noun(text[mention.end : mention.end + 30]):
        return True
    return mention.label == "DEM" and not DETERMINED_NEAR.search(text[max(0, mention.start - 40) : mention.start])


def is_before_name(mention: Mention, text: str) -> bool:
    """Tell whether a name follows right behind a mention."""
    return _NAME_AFTER.match(text, mention.end) is not None


def _is_before_noun(after: str) -> bool:
    """Tell whether the next word belongs to the mention's phrase: a word in lower case that looks like no verb."""
    word = _NEXT_WORD.match(after)
    return bool(word and word[1] not in NO_NOUN_AFTER and not word[1].endswith(("ed", "ly")))


def opens_in_plural(mention: Mention) -> bool:
    """Tell whether a mention is a common noun in the plural with a capital at the start of a sentence ("Colleagues").

    The rewriting, which sees only the text, cannot tell it from a name that ends in s.
    """
    text = mention.text
    if mention.label not in ("TERM", "DEM", "WORD") or not text[:1].isupper() or text[1:] != text[1:].lower():
        return False
    last = fold(text.split()[-1])
    return last.isalpha() and singular(last) != last
