"""Tell whether a text is English, so that nobody trusts an English sanitizer with another language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from tacenda import term
from tacenda.errors import InputError
from tacenda.language import EVERYDAY_WORDS, FUNCTION_WORDS
from tacenda.language.function_words import WORDS

_WORDS = {name: frozenset(term.fold(w) for w in words.split()) for name, words in WORDS.items()}
# What only the other language has; a single letter, or a word of English too, tells nothing.
_TELLING = {
    name: frozenset(w for w in known if len(w) > 1 and w not in EVERYDAY_WORDS and w not in _WORDS["English"])
    for name, known in _WORDS.items()
    if name != "English"
}
_ENGLISH = _WORDS["English"] | FUNCTION_WORDS
# "Maria de la Cruz", "van der Berg", "Los Angeles": what stands in names all over the world.
_PARTICLES = re.compile(
    r"\b(?i:(?:(?:de|la|las|los|el|van|von|zu|di|del|della|da|do|dos|le|du|des|al|y|ter|ten)\s+){1,3}"
    r"(?:(?:der|den|het)\s+)?)(?=[A-ZÀ-Þ])"
)
# Names, prefixes and Latin of English texts, which tell nothing alone: "Ben", "non-tender", "et al.", "en bloc".
_WEAK = frozenset("de ben ya mon plus con et non co weil im les dies para en das der al un va die don marie".split())
_SAMPLE = 20_000
_BEYOND_LATIN = re.compile("[\u0250-\U0010ffff]")
_LEAST_TOLD = 2
_SHARE = 0.12
_FEW = 4
_ADDRESS = re.compile(r"[@/\\|]|\w\.\w")
_WORD = re.compile(r"[^\W\d_]+")


def other_language(text: str) -> str:
    """Return the language a text seems to be in if it is not English, else "".

    >>> other_language("Le patient est suivi dans le service pour une infection et il ne prend pas de traitement.")
    'French'
    >>> other_language("Ich bin krank."), other_language("Maria de la Cruz"), other_language("Seen in clinic.")
    ('German', '', '')
    """
    sample = text[:_SAMPLE]
    foreign = [c for c in _BEYOND_LATIN.findall(sample) if c.isalpha()]
    if foreign and len(foreign) * 3 > sum(map(str.isalpha, sample)):
        return unicodedata.name(foreign[0], "unknown").split()[0].capitalize()
    words = _plain_words(_PARTICLES.sub("", sample))
    counts = Counter(term.fold(word) for word in words)
    told = {name: sum(counts[w] for w in known if w in counts) for name, known in _TELLING.items()}
    best = max(told, key=lambda name: told[name])
    # An accent on a small letter is a sign too: "tête", "über"; names and French loan words are few in an English text.
    accented = {term.fold(w) for w in words if w.islower() and not w.isascii()} - _TELLING[best] - EVERYDAY_WORDS
    signs = told[best] + len(accented)
    distinct = len(_TELLING[best].intersection(counts)) + len(accented)
    english = sum(counts[w] for w in _ENGLISH if w in counts)
    sure = not _TELLING[best].isdisjoint(counts.keys() - _WEAK)
    alone = sure and not english and 1 < len(words) <= _FEW
    is_other = (distinct >= _LEAST_TOLD or alone) and signs > english and signs > _SHARE * len(words)
    return best if told[best] and is_other else ""


def _plain_words(sample: str) -> list[str]:
    """Words as they are written, without addresses and abbreviations ("MI"); all of them where all are capitals."""
    found = [w for token in sample.split() if not _ADDRESS.search(token) for w in _WORD.findall(token)]
    shouted = all(map(str.isupper, found))
    return [w for w in found if shouted or len(w) == 1 or not w.isupper()]


def check_language(text: str, where: str) -> None:
    """Refuse a text that is not English."""
    other = other_language(text)
    if other:
        raise InputError(
            f"{where or 'document'}: does not look like English (more like {other}). Tacenda supports English only and"
            " would miss much of it. If the text is English after all, or you accept that, force the language"
        )
