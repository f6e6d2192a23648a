"""Put replacements into a text so that it still reads: articles, number, capitals, possessives.

`fit` shapes one replacement to the place it goes to; `splice` applies all edits in one pass and says
where each piece came from. Neither looks further than the sentence around the mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tacenda import term
from tacenda.model import Span

DETERMINERS = frozenset(
    "the a an this that these those his her their its my our your some any no each every another either neither "
    "both all many several few much more most such what which whose one two three four five six seven eight nine "
    "ten enough".split()
)
_LEADING = re.compile(r"(the|an?|his|her|their|its|my|our|your|this|that|these|those|some|any|no|each|every)\s+", re.I)
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_ARTICLE_BEFORE = re.compile(r"\b(an?)(\s+[\"'“‘(\[]?)$", re.I)
_WORD_BEFORE = re.compile(r"([^\W_]+)(['’]s?)?[\s\"'“‘(\[]*$")
_JOINED = re.compile(r"[\w)][-‐‑–]$")
# "No fever, rash, or cough": one "no" governs the list.
_NEGATED = re.compile(r"\b(?:no|without|denies)\b[^.;:\n]*(?:,|\bor|\band)\s+(?:or\s+|and\s+)?$", re.I)
_ON_BEFORE = re.compile(r"\b(on|between)\s+(?:the\s+)?$", re.I)
_BORN_BEFORE = re.compile(r"\b(?:born|died|married|divorced|arrested|both|all)\s+$", re.I)
_COARSE_DATE = re.compile(r"(?:the )?(?:1\d|20)\d\ds?|[A-Z][a-z]{2,8}\.? (?:1\d|20)\d\d|[A-Z][a-z]{2,8}")
_ENDS_SENTENCE = re.compile(r"\s+[A-Z]|\s*\n|\s*$")
_OWNER_BEFORE = re.compile(r"(?:\b(?:the|an?|his|her|their|its|my|our|your|this|that)|['’]s?)\s+$", re.I)
_POINT_BEFORE = re.compile(r"(?:^|\s)\.$")
_BARE_POSSESSIVE = re.compile(r"['’](?= [a-z])")
_ABBREVIATION = re.compile(r"\b[A-Z][a-z]{1,2}$")
_POINT_AFTER = re.compile(r"\.(?: [a-z]|,)")
_DECADE = re.compile(r"\d{3}0['’]s")
_SENTENCE_START = re.compile(r"(?:^|[.!?]|\n)[\s\"'“‘(\[*#>-]*$")
# Sounds like a consonant although written with a vowel, and the other way round.
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ew|one\b|once\b|ubiq|uni(?:[cfloqstv]|on(?!ion))|u[cfgkrst][aeiou]|us[aeiu]|ut[aei]|u\W|u$)"
)
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")
_SPELLED_VOWELS = "AEFHILMNORSX"

_MASS = frozenset(
    "pain cancer carcinoma alcohol money water blood food information evidence research advice equipment furniture "
    "work music art literature knowledge health care medicine surgery therapy treatment chemotherapy counselling "
    "counseling abuse addiction alcoholism depression anxiety diabetes asthma arthritis obesity poverty religion "
    "faith belief politics education sex love death birth marriage divorce homosexuality bisexuality ethnicity "
    "fever flu influenza pneumonia tuberculosis malaria hypertension leukemia dementia schizophrenia tobacco "
    "cocaine heroin marijuana cannabis methadone morphine insulin oxygen protein software hardware weather traffic "
    "tissue skin bone meat fruit wine beer coffee tea sugar salt oil gas air smoke fire ice sand gold silver iron "
    "feeling behavior behaviour time space matter force energy power law order peace war crime violence treason "
    "fraud theft robbery murder extortion growth status management access nature independence presence staff "
    "importance attention radiation resistance labor labour carbon legislation recognition transportation transport "
    "evolution safety intelligence wealth combat employment storage immigration destruction consumption baseball "
    "football basketball hockey tennis golf chess yoga commerce rehabilitation descent insurance warfare jazz worth "
    "hydrogen coal chemistry poetry cooperation copper autonomy conservation recovery involvement enforcement rice "
    "discrimination precipitation welfare cash steam artillery infantry cavalry cotton pollution calcium milk "
    "inflammation clergy inflation acceptance prominence prevention petroleum accuracy glucose atrophy nitrogen "
    "infancy propaganda wheat guidance cholesterol vegetation fatigue isolation diarrhea corn machinery absorption "
    "supervision ataxia privacy anatomy surveillance irrigation exploitation wisdom nausea segregation excellence "
    "prose aggression zinc diplomacy dependence brass leisure ammonia wool leather advocacy lightning beef "
    "paralysis hunger chaos smallpox puberty ammunition distress epilepsy fun pork relevance quartz barley "
    "constipation contamination debris enthusiasm corrosion dehydration armor malnutrition dialysis anesthesia "
    "merchandise mucus appreciation jewelry litigation obedience edema poultry iodine botany glaucoma jaundice "
    "slang luck lumber relaxation harassment weaponry incontinence guilt bribery endurance intercourse ignorance "
    "dentistry contempt spectroscopy alopecia apnea secrecy admiration warmth insulation psychiatry gossip lethargy "
    "saliva compassion innocence turbulence uptake excitement vertigo apparel shame whiskey notoriety honesty greed "
    "nonsense contraception temperance psoriasis asbestos thirst gratitude negligence baggage footwear acne semen "
    "syphilis gunfire sepsis pus pruritus hysteria eczema radiotherapy intoxication arousal nostalgia stamina "
    "discord apathy hypoxia manslaughter modesty accountancy envy dysentery gangrene prudence dyspnea firewood "
    "underwear childcare wellbeing upbringing soccer cricket rugby ballet theatre theater drama cinema dance "
    "fashion television radio palpation bleeding swelling numbness weakness personnel people police media data news "
    "progress luggage homework housework travel usage pharmacotherapy nutrition exercise physiotherapy erythema "
    "effusion tenderness rheumatism touch fame courage protection preservation ideation vomit defecation excrement "
    "academia activism renown hunting approval acclaim praise support".split()
)
# Count nouns that end like mass nouns.
_COUNT = frozenset(
    "city university community celebrity minority majority facility authority identity deity charity entity "
    "quantity quality activity disability personality utility commodity municipality nationality locality "
    "prosthesis diagnosis encyclopedia encyclopaedia hernia militia phobia building meeting painting wedding "
    "gathering ring king string thing wing spring being drawing hearing setting offering recording reading finding "
    "crossing dwelling covering opening lodging sibling ruling prognosis ship township championship organism "
    "mechanism ambassadorship witness illness business".split()
)
_MASS_SUFFIXES = (
    "ness",
    "ity",
    "ism",
    "itis",
    "osis",
    "emia",
    "aemia",
    "ics",
    "ware",
    "graphy",
    "logy",
    "ship",
    "hood",
    "ing",
    "ia",
    "plasia",
    "pathy",
    "rrhea",
    "uria",
)


@dataclass(frozen=True, slots=True)
class Fit:
    """A replacement shaped to its place, and the article before it if that must change."""

    text: str
    fix: tuple[int, int, str] | None = None


def article(phrase: str) -> str:
    """Return "a" or "an" for a phrase, by its first sound.

    >>> [article(p) for p in ("state capital", "infectious disease", "hour", "university", "[organisation 1]", "MRI")]
    ['a', 'an', 'an', 'a', 'an', 'an']
    """
    bare = phrase.lstrip("[(\"'“‘")
    first = bare.split(maxsplit=1)[0] if bare.split() else ""
    spelled = len(first) in range(2, 7) and first.isupper() and first.isalpha()
    if spelled or re.match(r"[A-Z]-", bare):
        return "an" if first[0] in _SPELLED_VOWELS else "a"
    word = term.fold(bare)
    if _VOWEL_SOUND.match(word) or ((word[:1] in tuple("aeio8")) and not _CONSONANT_SOUND.match(word)):
        return "an"
    if word[:1] == "u" and not _CONSONANT_SOUND.match(word):
        return "an"
    return "a"


def countable(noun: str) -> bool:
    """Tell whether a singular noun phrase wants an article ("drug" does, "pain" does not).

    >>> [countable(n) for n in ("soft drug", "pain", "anti-inflammatory", "homosexuality", "[city]", "drugs")]
    [True, False, True, False, False, False]
    """
    words = noun.split()
    if not words or noun.startswith("[") or not words[-1].replace("-", "").isalpha():
        return False
    last = term.fold(words[-1].rsplit("-", 1)[-1])
    if last in _COUNT or noun == "creative work":
        return noun == noun.lower() and words[0] not in DETERMINERS
    if noun != noun.lower() or last in _MASS or last.endswith(_MASS_SUFFIXES) or words[0] in DETERMINERS:
        return False
    return term.singular(last) == last and last not in ("ads", "men", "women", "people")


def fit(text: str, start: int, end: int, replacement: str, *, whole: bool = True) -> Fit:
    """Shape a replacement to the place of `text[start:end]`.

    `whole`: the mention is a noun phrase of its own, not a word inside a longer one, so that it may
    take an article.
    """
    source, opening, closing = _unwrapped(text[start:end])
    before = text[max(0, start - 60) : start]
    if source[:1].isdigit() and _POINT_BEFORE.search(before):
        return Fit(replacement, (start - 1, start, ""))  # ".225 average": the point goes with the number
    if replacement.startswith("the ") and _OWNER_BEFORE.search(before):
        replacement = replacement[4:]
    if dated := _fit_date(before, start, replacement):
        return dated
    possessive = None if _DECADE.fullmatch(source) and replacement.endswith("0s") else _POSSESSIVE.search(source)
    core, determiner = _split(source[: possessive.start()] if possessive else source, before)
    bare = source.endswith("s") and _BARE_POSSESSIVE.match(text, end)  # "Hanks' films"
    owner = bare or text[end : end + 2] in ("'s", "’s")  # "Acme's dog": the owner is a phrase of its own
    shaped, fix = _with_article(_agree(core, replacement), core, determiner, before, start, whole or bool(owner))
    if source.endswith(".") and not shaped.endswith(".") and _ENDS_SENTENCE.match(text[end : end + 3]):
        shaped += "."
    if possessive:
        shaped += "'s" if not shaped.endswith("s") else "'"
    if not fix and bare and not shaped.endswith("s"):
        fix = (end, end + 1, "'s")
    elif not fix and _ABBREVIATION.search(source) and _POINT_AFTER.match(text, end):
        fix = (end, end + 1, "")  # the point of "St." goes with it
    return Fit(opening + _capitals(shaped, source, before, text[end : end + 20]) + closing, fix)


def _fit_date(before: str, start: int, date: str) -> Fit | None:
    """Give a coarse date its preposition: a day is "on", anything longer "in"; one decade is not "between"."""
    if not _COARSE_DATE.fullmatch(date):
        return None
    if on := _ON_BEFORE.search(before):
        at = start - (len(before) - on.start())
        return Fit(date, (at, at + len(on.group(1)), _like("in", on.group(1))))
    return Fit(f"in {date}") if _BORN_BEFORE.search(before) else None


def _split(core: str, before: str) -> tuple[str, str]:
    """Take the determiner off a phrase; that of a title is a word of it ("A League of Their Own") and goes."""
    leading = _LEADING.match(core)
    determiner = leading.group() if leading and leading.end() < len(core) else ""
    rest = core[len(determiner) :]
    if determiner[:1].isupper() and core != core.upper() and not _SENTENCE_START.search(before):
        return rest, ""
    return rest, determiner


def _unwrapped(source: str) -> tuple[str, str, str]:
    """Take brackets and quotation marks off the ends: they belong to the sentence.

    >>> _unwrapped("(PRK)"), _unwrapped("Kim)"), _unwrapped("X (1994)")
    (('PRK', '(', ')'), ('Kim', '', ')'), ('X (1994)', '', ''))
    >>> _unwrapped("(916) 555-0142")
    ('(916) 555-0142', '', '')
    """
    inner = source.lstrip('([“"‘')
    opening = source[: len(source) - len(inner)]
    core = inner.rstrip(')]”"')
    closing = inner[len(core) :]
    opened_inside = closing and not opening and any(mark in core for mark in '([“"')
    closed_inside = opening and not closing and any(mark in core for mark in ')]”"')
    if not core or opened_inside or closed_inside:
        return source, "", ""
    return core, opening, closing


def _governs(before: str) -> bool:
    """Tell whether a determiner stands before: "the 1999 film", "his film", "Weir's film"."""
    previous = _WORD_BEFORE.search(before)
    return bool(previous and (previous.group(2) or term.fold(previous.group(1)) in DETERMINERS))


def _agree(core: str, replacement: str) -> str:
    """Make a lower-case noun plural where the source was."""
    words = replacement.split(" ")
    last = words[-1]
    if replacement != replacement.lower() or not last.isalpha() or not core.split():
        return replacement
    source_last = term.fold(core.split()[-1])
    plural_source = source_last.isalpha() and term.singular(source_last) != source_last
    # "Golden Globe Awards" are awards, but "James" is one person.
    if (core != core.lower()) and term.singular(source_last) != last:
        plural_source = False
    if plural_source and term.singular(last) == last and last not in _MASS:
        words[-1] = "people" if last == "person" else term.plural(last)
    return " ".join(words)


def _kept_head(core: str, noun: str) -> str | None:
    """The end of a phrase, with the determiner before it if there is one: "previously the main presenter"."""
    if core == noun or core != core.lower() or not core.endswith(f" {noun}"):
        return None
    found = [word for word in core[: -len(noun)].split() if _LEADING.match(f"{word} ")]
    if not found:
        return noun
    return f"{article(noun) if found[-1] in ('a', 'an') else found[-1]} {noun}"


def _with_article(
    noun: str, core: str, determiner: str, before: str, start: int, whole: bool
) -> tuple[str, tuple[int, int, str] | None]:
    if determiner:
        spoken = determiner.strip().casefold()
        if spoken in ("a", "an"):
            right = article(noun) if term.singular(noun.split()[-1].casefold()) == noun.split()[-1].casefold() else ""
            return (f"{_like(right, determiner)} {noun}" if right else noun), None
        return determiner + noun, None
    near = before[-12:]  # an article stands right before the mention; a short text is searched in no time
    found = _ARTICLE_BEFORE.search(near)
    if found:
        at = start - (len(near) - found.start())
        last = noun.split()[-1]
        if last.isalpha() and last.islower() and term.singular(last) != last:
            return noun, (at, start, "")  # "a dozen plays" become "plays"
        right = _like(article(noun), found.group(1))
        return noun, (at, at + len(found.group(1)), right) if right != found.group(1) else None
    previous = _WORD_BEFORE.search(before)
    governed = _governs(before) or bool(_JOINED.search(before) or _NEGATED.search(before))
    # "a practising Quaker": a word between determiner and mention belongs to the phrase.
    second = _WORD_BEFORE.search(before[: previous.start()]) if previous else None
    governed = governed or bool(second and term.fold(second.group(1)) in ("a", "an", "the"))
    kept = _kept_head(core, noun)
    if kept:
        return kept, None  # the phrase needed no article, and its head does not either
    if whole and not governed and countable(noun):
        return f"{article(noun)} {noun}", None
    return noun, None


def _like(word: str, model: str) -> str:
    return word.capitalize() if model[:1].isupper() else word


def _capitals(shaped: str, source: str, before: str, after: str) -> str:
    letters = [c for c in source if c.isalpha()]
    around = [c for c in before[-30:] + after if c.isalpha()]
    if len(letters) > 3 and source.isupper() and around and all(c.isupper() for c in around):
        return shaped.upper()
    if shaped[:1].islower() and source[:1].isupper() and _SENTENCE_START.search(before):
        return shaped[0].upper() + shaped[1:]
    return shaped


def splice(text: str, edits: Iterable[tuple[int, int, str]]) -> tuple[str, tuple[tuple[int, int, int, int], ...]]:
    """Apply edits (start, end, new text) in one pass; they must not overlap.

    >>> splice("in Paris today", [(3, 8, "a city")])
    ('in a city today', ((3, 8, 3, 9),))
    """
    pieces: list[str] = []
    offsets = []
    done = written = 0
    for start, end, new in sorted(edits):
        if start < done or end < start:
            raise ValueError("edits overlap")
        pieces += (text[done:start], new)
        written += start - done
        offsets.append((start, end, written, written + len(new)))
        written += len(new)
        done = end
    pieces.append(text[done:])
    return "".join(pieces), tuple(offsets)


def paragraphs(text: str) -> tuple[Span, ...]:
    """Return the spans of the paragraphs: runs of text between blank lines or line ends."""
    return tuple(m.span() for m in re.finditer(r"[^\n]*\S[^\n]*", text))
