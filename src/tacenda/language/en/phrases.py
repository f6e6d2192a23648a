"""What stands before or after a phrase: determiners, possessives, negation, prepositions of dates."""

from __future__ import annotations

import re

# Without its case: what `folding.fold` leaves. Two characters, which two spaces replace.
POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)")
# The apostrophe comes first so that the search can leap from one to the next.
CASED_POSSESSIVE = re.compile(r"'(?<=\w')[sS](?!\w)")
LEADING_DETERMINER = re.compile(
    r"(the|an?|his|her|their|its|my|our|your|this|that|these|those|some|any|no|each|every)\s+", re.I
)
ARTICLE_BEFORE = re.compile(r"\b(an?)(\s+[\"'“‘(\[]?)$", re.I)
# "No fever, rash, or cough": one "no" governs the list.
NEGATED_LIST = re.compile(r"\b(?:no|without|denies)\b[^.;:\n]*(?:,|\bor|\band)\s+(?:or\s+|and\s+)?$", re.I)
DAY_PREPOSITION = re.compile(r"\b(on or about|on or|on|between)\s+(?:the\s+)?$", re.I)
DATE_VERB_BEFORE = re.compile(r"\b(?:born|died|married|divorced|arrested|both|all)\s+$", re.I)
COARSE_DATE = re.compile(r"(?:the )?(?:1\d|20)\d\ds?|[A-Z][a-z]{2,8}\.? (?:1\d|20)\d\d|[A-Z][a-z]{2,8}")
OWNER_BEFORE = re.compile(r"(?:\b(?:the|an?|his|her|their|its|my|our|your|this|that)|['’]s?)\s+$", re.I)
POSSESSIVE_ENDING = re.compile(r"(?:['’]s|(?<=s)['’])$")
BARE_POSSESSIVE = re.compile(r"['’](?= [a-z])")
DETERMINER_AFTER = re.compile(r" (?:the|an?|his|her|their|its|him|them|it|me|us)\b")
DETERMINED = re.compile(
    r"(?:^|[^\w])(?:the|an?|his|her|their|its|my|our|your|this|that|of|with|for|to|from|by|no|any|some)\s+$", re.I
)
DETERMINED_NEAR = re.compile(r"\b(?:the|an?|his|her|their|its|my|our|your|this|that)\s+(?:[\w‑-]+\s+)?$", re.I)
ALSO_KNOWN_AS = re.compile(
    r"[\s,;(\"“]*(?:[\w'-]+[;,)]{0,2} ){0,8}(?:born|n[ée]e?|aka|a\.k\.a\.|known(?: \w+)? as|stage name|"
    r"credited(?: \w+)? as|nicknamed|birth name|formerly|real name)[\s:,\"“]*",
    re.IGNORECASE,
)
# What is denied: "no", "denies", "negative for" and what follows up to the end of the clause. Less than the whole of it
# would be false: who has "no enlarged lymph nodes" does not have "no nodes".
_DENYING = (
    r"no(?! longer\b| doubt\b)|nor|without|den(?:y|ies|ied|ying)|negative for|free of|absence of|rule[sd]? out|never|"
    r"(?:not|n['’]t) (?:have|had|been|be|taking|take|using|use|on|report|endorse|show|reveal|demonstrate|an?|any)"
)
DENIED = re.compile(
    rf"\b(?:{_DENYING})\b(?:(?!\b(?:but|however|although|though|except|because|due|who|which|he|she|they)\b)[^.;:!?\n])*$",
    re.I,
)
# Words that make an age one end of a span: "over age ", "younger than ".
AGE_BOUND = re.compile(
    r"\b(?:(?P<least>over|above|older than|more than|at least|past|beyond)|under|below|younger than|less than|up to)"
    r"(?: the)?(?: ages?(?: of)?)? $",
    re.I,
)
IDENTIFIES_AS = re.compile(r"\bidentif(?:y|ies|ied|ying)(?: \w+){0,2} as (?:an? )?$", re.I)
# What stands before the name of a subject: "a bachelor's degree in", "majored in".
STUDIED_IN = re.compile(
    r"\b(?:degree|master[’']?s|bachelor[’']?s|doctorate|ph\.?d\.?|m\.?s\.?c?|b\.?s\.?c?|m\.?f?\.?a\.?|b\.?f?\.?a\.?|diploma|major(?:ed|ing)?|"
    r"minor(?:ed)?|graduated|certificate)\s+in\s+(?:\w+\s+and\s+)?$",
    re.I,
)
