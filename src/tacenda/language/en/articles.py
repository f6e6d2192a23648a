"""Articles: a or an, and which nouns want one."""

from __future__ import annotations

import re

from tacenda.folding import fold
from tacenda.language.en.plurals import singular
from tacenda.language.en.words import DETERMINERS

# Sounds like a consonant although written with a vowel, and the other way round.
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ew|one\b|once\b|ubiq|uni(?:[cfloqstv]|on(?!ion))|u[cfgkrst][aeiou]|us[aeiu]|ut[aei]|u\W|u$)"
)
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")
_SPELLED_VOWELS = "AEFHILMNORSX"

MASS_NOUNS = frozenset(
    "pain cancer carcinoma alcohol money water blood food information evidence research advice equipment furniture "
    "work music art literature knowledge health care medicine surgery therapy treatment chemotherapy counselling "
    "counseling abuse addiction alcoholism depression anxiety diabetes asthma arthritis obesity poverty religion "
    "faith belief politics education sex love death birth marriage divorce homosexuality bisexuality ethnicity "
    "fever flu influenza pneumonia tuberculosis malaria hypertension leukemia dementia schizophrenia tobacco "
    "cocaine heroin marijuana cannabis methadone morphine insulin oxygen protein software hardware weather traffic "
    "tissue skin bone meat fruit wine beer coffee tea sugar salt oil gas air smoke fire ice sand gold silver iron "
    "feeling behavior behaviour time space matter force energy power law order peace war violence treason "
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
    word = fold(bare)
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
    last = fold(words[-1].rsplit("-", 1)[-1])
    if last in _COUNT or noun == "creative work":
        return noun == noun.lower() and words[0] not in DETERMINERS
    if noun != noun.lower() or last in MASS_NOUNS or last.endswith(_MASS_SUFFIXES) or words[0] in DETERMINERS:
        return False
    return singular(last) == last and last not in ("ads", "men", "women", "people")
