"""Which concepts may stand in for a term, and under which name: no rung may give away what it hides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tacenda.term import content_words, fold

_STEM = 5  # letters from which a word inside a longer one counts as the same ("homosexual" in "homosexuality")


@lru_cache(maxsize=1 << 16)
def lowered(phrase: str) -> tuple[str, ...]:
    """Content words of a phrase, acronyms folded too."""
    return tuple(fold(word) for word in content_words(phrase))


def same_word(one: str, other: str) -> bool:
    """Tell whether two folded words are forms of one another.

    >>> same_word("homosexual", "homosexuality"), same_word("art", "artist")
    (True, False)
    """
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _STEM and long.startswith(short))


def leaks(name: str, term: str, lemmas: Iterable[str], *, heads: frozenset[str], names: bool) -> bool:
    """Tell whether a rung gives away the term it would stand for.

    It does if it holds a digit; a capital letter where proper names are no rungs; a word of the term; or a
    whole synonym. The last word of a phrase is no giveaway where it is a generalization itself (`heads`):
    "infection" and "viral infection" may stand for "HIV infection", "breast disorder" not for "breast cancer".
    """
    if any(c.isdigit() for c in name) or (not names and any(c.isupper() for c in name)):
        return True
    rung = lowered(name)
    own = lowered(term)
    kept = own[:-1] if len(own) > 1 and own[-1] in heads else own
    if any(same_word(word, part) for word in rung for part in kept):
        return True
    synonyms = [words for words in map(lowered, lemmas) if words and words != own[-1:]]
    # "America" is a name of the United States, and still they lie in North America.
    return rung in synonyms if names else any(_inside(words, rung) for words in synonyms)


def _inside(words: Sequence[str], rung: Sequence[str]) -> bool:
    """Tell whether `words` stand in `rung`, next to each other."""
    length = len(words)
    return any(tuple(rung[i : i + length]) == tuple(words) for i in range(len(rung) - length + 1))
