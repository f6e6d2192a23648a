"""What kind of thing a mention is, in one word of the label vocabulary: "medicine", "film", "employer", "duration".

Asked in this order: what the annotator calls it, what its own words say, what stands beside it, what a taxonomy says
of it in its sentence, the broadest class its use tells. Where nothing tells, there is no word, and a mask stands
instead of a label that says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tacenda.language import (
    BE,
    COUNTRIES_IN_SHORT,
    DETERMINED_NEAR,
    FUNCTION_WORDS,
    GENRES,
    HEAD_NOUNS,
    IDENTIFIES_AS,
    KIND_ENDINGS,
    LABEL_WORDS,
    LANGUAGES,
    MONTHS,
    PEOPLE,
    POLITICAL_WORDS,
    PREPOSITIONS,
    RUNG_LABELS,
    SHORTHAND,
    STUDIED_IN,
    UNIT_LABELS,
    WORK_CUES,
    is_heading,
    is_shorthand,
    is_unit,
    singular,
    spoken_number,
)
from tacenda.model import Concept, Context, Mention
from tacenda.replace.gate import RESULT
from tacenda.replace.ladders import Ladders, around
from tacenda.replace.name_kinds import cue_before, head_kinds, work_kinds
from tacenda.term import fold, words

# Kinds of place and body that say more than "place", yet name nothing. Only the rungs of a taxonomy may tell them.
_PLACES = (
    "state capital", "capital", "city", "town", "village", "country", "state", "county", "province", "island",
    "river", "lake", "mountain", "continent", "region",
)  # fmt: skip
_NO_DWELLING = frozenset(("river", "lake", "mountain"))
_ACTING = re.compile(r"\b(?:for|by|against|with|and)\s+(?:the\s+)?$")
_IN = re.compile(r"\b(?:in|from|to|near)\s+$")
_KNOWN_PLACES = frozenset(("state capital", "national capital", "capital", "city", "country", "state"))
_CITIES = frozenset(("state capital", "national capital", "capital"))
_BODIES = frozenset(
    "university college school academy hospital clinic bank court company party army church team club museum "
    "government municipality newspaper magazine orchestra band police prison studio airline union charity agency "
    "ministry".split()
)
_DESCRIPTIONS = frozenset(
    ("occupation", "religion", "nationality", "political view", "condition", "family member", "language")
)
# The words right before the name of a body that tell what it is to the person.
_EMPLOYER = re.compile(
    r"\b(?:work(?:s|ed|ing)?|employ(?:ed|ee|ment)|job|hired|position|career|colleagues?|shifts?)\b[^.;:]{0,30}"
    r"\b(?:at|for|by|with|in)\s+(?:the\s+)?$",
    re.I,
)
_STUDIED = re.compile(
    r"\b(?:stud(?:y|ied|ies|ying)|graduat\w+|degree|enrolled|educated|attend(?:s|ed)|diploma|student|alum\w+|bachelor\w*"
    r"|master\w*|doctorate|ph\.?d\.?)\b[^.;:,]{0,25}\b(?:at|from)\s+(?:the\s+)?$",
    re.I,
)
_TREATED = re.compile(
    r"\b(?:admitted|treated|seen|operated|surgery|hospitali[sz]ed|referred|transferred|discharged)\b[^.;:]{0,30}"
    r"\b(?:at|to|from|in)\s+(?:the\s+)?$",
    re.I,
)
_LEARNED = frozenset(("ORG", "MISC", "DEM", "TERM"))
_MONEY = re.compile(r"[$€£¥]\s?\d|\d\s?[$€£]")
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d\b|\d\s?[ap]\.?m\b|o['’]clock", re.I)
_POUNDS = re.compile(r"\d[.,]\d{3}\b.*\bpounds?\b", re.I)  # nobody weighs that much
_DATED = re.compile(
    r"\d{1,2}\b.*\b(?:" + "|".join(month[:3] for month in MONTHS) + r")|\b(?:" + "|".join(MONTHS) + ")", re.I
)
_SCHOOL_YEAR = re.compile(r"(?:year|grade) \d{1,2}", re.I)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_PERCENT = re.compile(r"\d\s?%")
_SPOKEN = re.compile(
    r"\b(?:speak(?:s|ing)?|spoke|fluent in|learn(?:ed|s|ing)?|teach(?:es|ing)?|taught|in both|"
    r"translat\w+ (?:from|into))"
    r"\s+(?:\w+\s+){0,2}$",
    re.I,
)
_WRITTEN = re.compile(r"\b(?:in|into|from|to)\s+$", re.I)
_ONLY_LANGUAGES = frozenset("Urdu Hindi Farsi Tagalog Mandarin Cantonese Yiddish Latin Hebrew Gaelic Swahili".split())
_NOUN_AFTER = re.compile(r"\s+(?!and\b|or\b|but\b|at\b|for\b|with\b|by\b|as\b)[a-z]{3,}")
_OPENING = " \t\n\"'“‘(-•*"
# What a name of one word can be, as the taxonomies have it.
_OF_NAMES = frozenset(
    ("medicine", "condition", "test", "time", "religion", "nationality", "language", "political view", "country",
     "city", "town", "state", "place", "organization", "company", "computer program", "award")
)  # fmt: skip
_FILE = re.compile(r"\.(?:docx?|xlsx?|pptx?|pdf|txt|csv|jpe?g|png|gif|zip|html?|rtf|msg|eml)$", re.I)
# Kinds that the last word of a phrase tells better than a taxonomy does: a clinic is more than a building.
_SURER = frozenset(("facility", "task", "symptom"))
_DEMONYM = re.compile(r"(?:ian|ese|ish|ean|can|ic|i)$")


def kind_of(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    """Return the word of the label vocabulary for a mention; empty where nothing tells its kind."""
    text = context.document.text
    if mention.label in _LEARNED and STUDIED_IN.search(text[max(0, mention.start - 60) : mention.start]):
        return "field of study"
    if mention.label in (*_LEARNED, "PROTECTED") and IDENTIFIES_AS.search(
        text[max(0, mention.start - 40) : mention.start]
    ):
        return "affiliation"
    if mention.label == "DEM" and " " not in mention.text and spoken_number(mention.text):
        return "age"
    if mention.label == "QUANTITY":
        return _measured(mention.text)
    if mention.label == "DATETIME":
        return _timed(mention.text)
    if mention.label == "ORG":
        return _body(mention, context, ladders)
    if mention.label == "LOC":
        return _place(mention, context, ladders)
    if mention.label == "MISC" and mention.text in LANGUAGES:
        return _of_people(mention, context)
    if mention.label == "MISC":
        if found := _titled(mention, context):
            return found
        # The words of a title say nothing of it.
        if _is_title(mention.text):
            shown = any(word in WORK_CUES for word in around(mention, context).words)
            return "title" if shown or mention.text[:1].isdigit() else ""
        return _capitalized(mention, context, ladders)
    if mention.label == "DEM":
        return _described(mention, context, ladders)
    if mention.label == "PERSON" and ladders and " " not in mention.text and _is_medicine(mention, ladders):
        return "medicine"  # "continue with Bumex"
    if mention.label == "CODE" and (named := _coded(mention.text)):
        return named
    if mention.label in LABEL_WORDS:
        return LABEL_WORDS[mention.label]
    if mention.label == "WORD" and fold(mention.text) not in SHORTHAND:
        return ""  # a verb or an adjective, most likely: no noun stands for it
    if RESULT.search(mention.text):
        said = text[max(0, mention.start - 30) : mention.start].split()
        return "status" if said and fold(said[-1]) in BE else "test result"  # "is [status]", not "is [test result]"
    if mention.text[:1].isdigit() and mention.label in ("TERM", "PROTECTED"):
        return _measured(mention.text)
    if mention.label in ("TERM", "WORD", "PROTECTED"):
        if is_unit(text, *mention.span):
            return "unit"
        return (
            "heading"
            if is_heading(text, *mention.span) and mention.text.isupper() and fold(mention.text) not in SHORTHAND
            else _told(mention, context, ladders)
        )
    return mention.label.lower().replace("_", " ")


def _is_medicine(mention: Mention, ladders: Ladders) -> bool:
    return any(rung.taxonomy == "medicines" for rung in ladders.above(mention.text, mention, ()))


def _coded(code: str) -> str:
    """The name of a file, or a code of letters; nothing for what is a number."""
    if _FILE.search(code):
        return "file name"
    return "code" if sum(map(str.isalpha, code)) > 2 * sum(map(str.isdigit, code)) else ""


def _measured(quantity: str) -> str:
    if _MONEY.search(quantity) or _POUNDS.search(quantity):
        return "amount of money"
    if _PERCENT.search(quantity):
        return "percentage"
    said = words(quantity)
    found = [UNIT_LABELS[word] for word in reversed(said) if word in UNIT_LABELS]
    if found:
        return found[0]
    counts = any(c.isdigit() for c in quantity) or any(spoken_number(word) for word in said)
    if counts and len(said) > 1 and said[-1].isalpha() and not spoken_number(said[-1]):
        return "quantity"  # "two vertebrae" are more than a number
    return LABEL_WORDS["QUANTITY"] if counts or not FUNCTION_WORDS.isdisjoint(said) else ""


def _timed(moment: str) -> str:
    """A date, a time of day or a span of time."""
    if _CLOCK.search(moment):
        return "time"
    if moment.isdigit() and len(moment) < 3:
        return "number"
    if _SCHOOL_YEAR.fullmatch(moment):
        return "school year"
    said = words(moment)
    spans = not _DATED.search(moment) and any(UNIT_LABELS.get(word) == "duration" for word in said)
    if not spans or _YEAR.search(moment):
        return LABEL_WORDS["DATETIME"]
    return "time" if {"ago", "earlier", "later", "last", "next", "prior"} & set(said) else "duration"


def _body(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    said = around(mention, context)
    if work := cue_before(said.before):
        return work
    own = next((kind for kind in head_kinds(mention.text) if kind.split()[-1] in _BODIES), "")
    if own:
        return own
    if _STUDIED.search(said.before):
        return "school"
    if _TREATED.search(said.before):
        return "hospital"
    if _EMPLOYER.search(said.before):
        return "employer"
    if mention.text in COUNTRIES_IN_SHORT:
        return "country"
    rungs = ladders.above(mention.text, mention, said.words) if ladders else ()
    body = next((rung.name for rung in rungs if rung.name in _BODIES), "")
    # "9 am Houston time": of a name that is known as a city's, the city is true; small towns share theirs with firms.
    place = next((rung.name for rung in rungs if rung.taxonomy == "places" and rung.name in _KNOWN_PLACES), "")
    if _ACTING.search(said.before):
        place = ""  # who plays for Southampton plays for a club
    return body or ("city" if place in _CITIES else place) or LABEL_WORDS["ORG"]


def _place(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    if mention.text[:1].isdigit():
        return "address"
    known = ladders if not is_shorthand(mention.text) and len(mention.text) > 2 else None
    rungs = known.above(mention.text, mention, around(mention, context).words) if known else ()
    found = next((rung.name for rung in rungs if rung.name in _PLACES), "")
    if found in _NO_DWELLING and _IN.search(around(mention, context).before):
        found = ""  # nobody lives in a river: a town of that name is meant
    return "city" if found in _CITIES else found or LABEL_WORDS["LOC"]


def _titled(mention: Mention, context: Context) -> str:
    """Kind of a title, an award or an event, by its own words or those beside it."""
    said = around(mention, context)
    kinds = head_kinds(mention.text) or work_kinds(mention.text, said.before, said.after)
    found = kinds[0] if kinds else cue_before(said.before)
    return {"creative work": "work", "production": "work"}.get(found, found)


def _is_title(name: str) -> bool:
    """Tell whether a name is written like a title: several words, all that say something with capitals."""
    parts = [part for part in name.split() if fold(part) not in FUNCTION_WORDS]
    return len(name.split()) > 1 and bool(parts) and all(part[:1].isupper() or part[:1].isdigit() for part in parts)


def _described(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    """Kind of a description of a person: what a people, a creed or a trade is called, else just that."""
    last = fold(mention.text.split()[-1]) if mention.text.split() else ""
    if singular(last) in POLITICAL_WORDS and mention.text.split()[-1][:1].isupper():
        before = context.document.text[max(0, mention.start - 40) : mention.start]
        return "party supporter" if DETERMINED_NEAR.search(before) else "political view"
    if singular(last) in ("national", "citizen"):
        return "nationality"
    found = _told(mention, context, ladders)
    if found == "nationality" and not any(c.isupper() for c in mention.text):
        return ""  # "the deaf" are a people for a taxonomy
    if found in _DESCRIPTIONS:
        return found
    if not (mention.text[:1].isupper() and _DEMONYM.search(mention.text)):
        return "" if found == "person" else found
    return _of_people(mention, context)


def _of_people(mention: Mention, context: Context) -> str:
    """A people or its language: "Hebrew:", "speaks Polish" and "writes in English" are languages."""
    said = around(mention, context)
    if mention.text in _ONLY_LANGUAGES:
        return "language"
    written = _WRITTEN.search(said.before) and not _NOUN_AFTER.match(said.after)
    return "language" if _SPOKEN.search(said.before) or written or said.after[:1] == ":" else "nationality"


def _capitalized(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    """Kind of a name of one word: what its word says as a common noun is mostly not what it names ("Rent", "Hot")."""
    found = _told(mention, context, ladders)
    if " " in mention.text or not mention.text[:1].isupper() or not around(mention, context).before.strip(_OPENING):
        return found
    own = singular(fold(mention.text))
    return own if own in HEAD_NOUNS else found if found in _OF_NAMES else ""


def _told(mention: Mention, context: Context, ladders: Ladders | None) -> str:
    """Kind of a phrase by the taxonomy: of what it abbreviates, of the whole, of its ends, down to the last word."""
    if ladders is None:
        return ""
    said = around(mention, context).words
    if not _is_spelled_out(mention.text):
        return ""  # letters mean what the field makes them mean
    last = singular(fold(mention.text.split()[-1])) if mention.text.split() else ""
    if last in GENRES and last in WORK_CUES:
        return WORK_CUES[last]
    if last in PEOPLE:
        return "person"
    if KIND_ENDINGS.get(last) in _SURER:
        return KIND_ENDINGS[last]
    for form in _forms(mention.text):
        if form != mention.text and form in SHORTHAND.values() and (found := _spelled(form)):
            return found
        if found := _label(ladders.above(form, mention, said)):
            return found
    return ladders.class_of(mention)


def _is_spelled_out(phrase: str) -> bool:
    last = phrase.split()[-1] if phrase.split() else ""
    return not is_shorthand(phrase) or fold(last).strip(".") in SHORTHAND


def _forms(phrase: str) -> list[str]:
    """What a phrase may be looked up by: spelled out, whole, without its first words."""
    plain = phrase.lower() if phrase.isupper() else phrase
    parts = plain.split()
    # The head of "a miner with a glass eye" stands before the preposition.
    cut = next((i for i, part in enumerate(parts) if i and fold(part) in PREPOSITIONS), len(parts))
    parts = parts[:cut]
    short = SHORTHAND.get(fold(parts[-1]).strip(".")) if parts else None
    return [short] if short else [" ".join(parts[i:]) for i in range(len(parts))]


def _spelled(form: str) -> str:
    """The label of what shorthand stands for, where its words say it: a "blood test" is a test."""
    parts = form.split()
    return next((RUNG_LABELS[end] for i in range(len(parts)) if (end := " ".join(parts[i:])) in RUNG_LABELS), "")


def _label(ladder: Sequence[Concept]) -> str:
    return next((RUNG_LABELS[rung.name] for rung in ladder if rung.name in RUNG_LABELS), "")
