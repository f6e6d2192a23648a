"""What is never climbed: shorthand, headings, names of fields, units, codes, and whatever is no noun.

A taxonomy knows "PLAN" as a brain disease, "Pt" as a metal and "bid" as a speech act. Before any sense is asked, a
mention must be a noun that says what it says: the annotator's part of speech and the way it is written decide.
"""

from __future__ import annotations

import re

from tacenda.language import is_heading, is_shorthand, is_unit, role_of
from tacenda.model import Mention

# "HIV positive" is said of a person: no noun can stand for it.
RESULT = re.compile(r"\w[ -](?:positive|negative|reactive|dependent|addicted|infected)$", re.I)
_ADJECTIVE = re.compile(r"^[a-z]+(?:ic|ous|al|ive|ful|less|ish)$")
_NOUNS = frozenset(("NOUN", "PROPN", ""))


def may_climb(mention: Mention, text: str) -> bool:
    """Tell whether a sense of the mention may be asked for at all.

    >>> text = "Cc: chest pain. Pt takes metoprolol 50 mg BID."
    >>> found = [Mention(text.index(t), text.index(t) + len(t), t, "TERM") for t in ("Cc", "pain", "Pt", "mg", "BID")]
    >>> [may_climb(m, text) for m in found]
    [False, True, False, False, False]
    """
    if RESULT.search(mention.text) or mention.label == "WORD" or mention.tag not in _NOUNS or not mention.closes:
        return False
    if not mention.tag and _ADJECTIVE.search(mention.text) and role_of(text, *mention.span) != "noun":
        return False  # "he was syphilitic"
    return not (is_shorthand(mention.text) or is_unit(text, *mention.span) or is_heading(text, *mention.span))
