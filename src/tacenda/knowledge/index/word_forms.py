"""What an index looks up for a term: words, each with its singular, plural and capital forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tacenda import term

Term = str | Sequence[str]
How = Literal["exact", "conjunction", "subphrase", "fallback", "unknown"]
Bound = Literal["exact", "upper"]


@dataclass(frozen=True, slots=True)
class Count:
    """A number of windows and how it was got; number None means unknown, which is not zero.

    exact        windows that hold the word, or one of the synonyms
    conjunction  windows that hold all words of the phrase
    subphrase    the count of the part of the phrase named in `of`
    fallback     another source, or a bound, answered
    unknown      the index does not hold a word of the term
    """

    number: int | None
    how: How
    bound: Bound = "exact"
    of: str = ""


def word_forms(word: str) -> tuple[str, ...]:
    """Keys under which a content word is counted: singular, plural, and their acronyms; an acronym only itself.

    >>> word_forms("city"), word_forms("HIV"), word_forms("new"), word_forms("Welles")
    (('cities', 'city', 'CITIES', 'CITY'), ('HIV',), ('new', 'NEW'), ('welles', 'WELLES'))
    """
    if term.is_acronym(word):
        return (word,)
    if term.is_name(word):
        lowered = word.lower()
        return (lowered, lowered.upper()) if term.is_acronym(lowered.upper()) else (lowered,)
    one = term.singular(word)
    plain = {word, one, term.plural(one)}
    plain = {form for form in plain if form in (word, one) or term.singular(form) == one}
    capital = {form.upper() for form in plain if term.is_acronym(form.upper())}
    return (*sorted(plain), *sorted(capital))


def phrase_words(phrase: str) -> tuple[tuple[str, ...], ...]:
    """Forms of each content word of a phrase; a window holds the phrase if it holds a form of each."""
    found = list(term.tokens(phrase))
    kept = [t for t in found if t.acronym or t.word not in term.STOP_WORDS] or found
    written = [(t, phrase[t.start : t.end]) for t in kept]
    return tuple(dict.fromkeys(word_forms(w if term.is_name(w) else t.key) for t, w in written))


def forms_of(asked: Term) -> tuple[str, ...]:
    """Synonyms of a term: itself, or the members of a union."""
    return (asked,) if isinstance(asked, str) else tuple(dict.fromkeys(asked))


def subphrases(phrase: str) -> list[str]:
    """Contiguous parts of a phrase, the longest first, the phrase itself left out."""
    words = [t.key for t in term.tokens(phrase) if t.acronym or t.word not in term.STOP_WORDS]
    return [
        " ".join(words[start : start + size])
        for size in range(len(words) - 1, 0, -1)
        for start in range(len(words) - size + 1)
    ]


def with_specializations(asked: str, parents: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """A term and all its specializations, as one union (Resnik): `parents` maps a term to what is above it.

    Counting this union makes a parent never more informative than its child.

    >>> with_specializations("disease", {"flu": ["infection"], "infection": ["disease"]})
    ('disease', 'infection', 'flu')
    """
    children: dict[str, list[str]] = {}
    for child, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(child)
    found = {asked: None}
    waiting = [asked]
    while waiting:
        for child in sorted(children.get(waiting.pop(0), ())):
            if child not in found:
                found[child] = None
                waiting.append(child)
    return tuple(found)
