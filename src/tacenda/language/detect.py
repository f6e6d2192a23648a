"""Tell whether a text is English, so that nobody trusts an English sanitizer with another language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from tacenda import term
from tacenda.errors import InputError
from tacenda.language import EVERYDAY_WORDS

# The most frequent function words of languages that are often mixed up; facts of the languages, no model.
_FUNCTION_WORDS = {
    "English": "the of and to in a is was for on that with he as by at his it from be had she her are were this an not "
    "or which has have but they who been their no patient denies states i you we",
    "French": "le la les des et en un une du est dans que qui pour sur au par pas il elle avec sont ce ne aux plus",
    "German": "der die und das den von zu mit ist im des auf für nicht eine ein dem sich als er es auch wurde bei sie",
    "Spanish": "el la los las de y en que un una del es por con se para su al lo como más fue este ha sus era",
    "Italian": "il lo gli di che e la per un una del è con non si da al sono della nel le dei più ha alla",
    "Portuguese": "o os as de e que do da em um uma para com não se na no por mais dos foi ao das pelo como",
    "Dutch": "de het een van en in is op te dat die voor met zijn niet aan er om door ook als werd bij naar",
    "Catalan": "el la els les de i en que un una del és per amb se al no va seu dels més com ha també",
    "Polish": "i w na z się do nie jest to że przez po od za oraz dla był jak jego a są przy tym",
    "Swedish": "och i att en som det av för på är med den till ett har de inte om var han sig från",
    "Turkish": "ve bir bu için ile de da olarak en daha olan çok gibi ancak kadar sonra ise mi ne",
}
_WORDS = {name: frozenset(term.fold(w) for w in words.split()) for name, words in _FUNCTION_WORDS.items()}
_SAMPLE = 20_000
_BEYOND_LATIN = re.compile("[\u0250-\U0010ffff]")
_TOO_FEW_WORDS = 12
_LEAST_TOLD = 3  # "Ann met Bob in Leeds": two words that Dutch has too are no Dutch


def other_language(text: str) -> str:
    """Return the language a text seems to be in if it is not English, else "".

    >>> other_language("Le patient est suivi dans le service pour une infection et il ne prend pas de traitement.")
    'French'
    >>> other_language("The patient was seen in clinic for a cough.")
    ''
    """
    sample = text[:_SAMPLE]
    foreign = [c for c in _BEYOND_LATIN.findall(sample) if c.isalpha()]
    if foreign and len(foreign) * 3 > sum(map(str.isalpha, sample)):
        return unicodedata.name(foreign[0], "unknown").split()[0].capitalize()
    words = term.words(sample)
    if len(words) < _TOO_FEW_WORDS:
        return _short(words)
    counts = Counter(words)
    share = {name: sum(counts[w] for w in known if w in counts) / len(words) for name, known in _WORDS.items()}
    best = max(share, key=lambda name: (share[name], name == "English"))
    told = len(_WORDS[best].intersection(words)) >= _LEAST_TOLD
    return best if best != "English" and told and share[best] > max(0.12, 1.5 * share["English"]) else ""


def _short(words: list[str]) -> str:
    """Tell the language of a few words by function words that no English text has; two of them, or it stays open."""
    if sum(w in EVERYDAY_WORDS or w in _WORDS["English"] for w in words) * 2 > len(words):
        return ""
    found = {
        name: len({w for w in words if w in known and w not in EVERYDAY_WORDS and w not in _WORDS["English"]})
        for name, known in _WORDS.items()
        if name != "English"
    }
    best = max(found, key=lambda name: found[name])
    return best if found[best] >= 2 else ""


def check_language(text: str, where: str) -> None:
    """Refuse a text that is not English."""
    other = other_language(text)
    if other:
        raise InputError(
            f"{where or 'document'}: does not look like English (more like {other}). Tacenda supports English only and"
            " would miss much of it. If the text is English after all, or you accept that, force the language"
        )
