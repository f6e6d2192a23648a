"""Find every surface form again: what is found anywhere in a document is found everywhere in it.

Each form of an entity (and of a person: each part of the name that is long enough) is looked for in the
whole document, in any case and any Unicode variant, in headings and tables alike. One exception keeps everyday
words alone: a single word that is short (under three letters) or an everyday English word ("Will", "May",
"Brown", "Reading") is taken only where it is written with a capital. A capital everyday word at the start of a
sentence is then masked too much; that is the safe side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tacenda.annotate.entities import PERSON_LABELS, parse_name
from tacenda.annotate.gazetteer import WORD, Form, Matcher, everyday
from tacenda.annotate.merge import settle
from tacenda.language import KINDS_OF_BODIES, STOP_WORDS
from tacenda.model import Mention
from tacenda.term import fold, words

# Amounts and ages recur by chance; a number of days in one place says nothing about another.
NOT_SPREAD = frozenset({"QUANTITY", "AGE", "DEM", "TERM"})
_WEAK_ALONE = frozenset({"DATETIME", "ZIP", "MISC"})
MIN_CONFIDENCE = 0.5


def spread(text: str, mentions: Iterable[Mention]) -> list[Mention]:
    """Add further occurrences of all surface forms; the result is settled, without overlaps.

    A new mention carries kind, label, entity and role of the one it repeats, and source "spread".

    >>> said = Mention(0, 10, "Jane Smyth", "PERSON", "entity", entity=3)
    >>> [(m.text, m.entity) for m in spread("Jane Smyth came. SMYTH, jane: see smyth's file", [said])]
    [('Jane Smyth', 3), ('SMYTH, jane', 3), ('smyth', 3)]
    """
    found = list(mentions)
    models: dict[tuple[str, int, str], Mention] = {}
    forms: list[Form] = []
    lower = text.islower()
    for mention in found:
        for words_of in surface_forms(mention, lower=lower):
            key = " ".join(words_of), mention.entity, mention.label
            if key not in models:
                models[key] = mention
                capital = len(words_of) == 1 and everyday(words_of[0]) and not (lower and len(words_of[0]) > 2)
                forms.append(Form(words_of, mention.label, mention.entity, capital))
    taken = {m.span for m in found if m.kind != "term"}
    phrases = {m.span for m in found}
    for match in Matcher(forms).find(text):
        span = match.start, match.end
        model = models[" ".join(match.form.words), match.form.entity, match.form.label]
        # Names win over phrases; what a list says has been looked for everywhere by the rules of that list.
        if span not in (taken if model.kind == "entity" else phrases):
            found.append(_repeat(model, text, *span))
    return settle(found)


def surface_forms(mention: Mention, *, lower: bool = False) -> Iterator[tuple[str, ...]]:
    """Word sequences to look for: the mention itself, for persons also the name without title, its parts, reversed.

    lower       the whole document is written without capitals
    """
    if mention.kind == "term" or mention.label in NOT_SPREAD or mention.confidence < MIN_CONFIDENCE:
        return
    whole = tuple(words(mention.text))
    while whole and whole[0] in STOP_WORDS:
        whole = whole[1:]
    if not whole or (mention.label in _WEAK_ALONE and len(whole) == 1):
        return
    if mention.label not in PERSON_LABELS:
        if mention.label == "ORG" and len(whole) == 1 and whole[0] in KINDS_OF_BODIES:
            return
        if len(whole) > 1 or len(whole[0]) > 1:
            yield whole
        return
    if len(whole) > 1:
        yield whole
    parts = parse_name(mention.text).parts
    if len(parts) > 1:
        yield parts
        yield (parts[-1], *parts[:-1])
    # In "the applicant Jane Smyth" only the words with a capital are her name, unless all is written without.
    named = {fold(w) for w in WORD.findall(mention.text) if w[0].isupper() or lower or len(whole) == 1}
    for part in parts:
        if part in named and (len(part) > 2 or len(parts) == 1):
            yield (part,)


def _repeat(model: Mention, text: str, start: int, end: int) -> Mention:
    own = text[start:end]
    return replace(model, start=start, end=end, text=own, source="spread", head=-1, vector=None, reading=None)
