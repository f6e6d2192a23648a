"""Verbs and adjectives that must go: no noun stands for them, so their clause is shortened, or they are left out.

"She [...] a [...] on Thursdays and works": what a masked verb governs tells nothing without it, and a sentence with a
hole in place of its verb is none. Of predicates that stand side by side one can go ("She works"); a relative clause
can; a predicate that stands alone becomes one mark. An adjective or adverb is just left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tacenda.language import ARTICLE_BEFORE, UNDOING, Role, article
from tacenda.model import Decision, Span
from tacenda.serialize import FIX_REACH
from tacenda.term import fold

MASK = "[...]"
# What stands for a predicate of which nothing can stay.
STATEMENT = "[statement withheld]"
_LONGEST = 200
_HELPING = (
    r"(?:\b(?:is|was|were|are|am|been|being|be|has|have|had|will|would|can|could|may|might|must|shall|should|did|does|"
    r"do|not|never|also|often|then|later|now|still|always|once|recently|already|\w+ly)[ \u00a0\n]+)+"
)
_HELPERS = re.compile(_HELPING + "$", re.I)
_HELPERS_AT = re.compile(_HELPING, re.I)
_AND_BEFORE = re.compile(r",?[ \u00a0\n](?:and|but|or|then)[ \u00a0\n]+$")
_WHO_BEFORE = re.compile(r"(?P<comma>,)?[ \u00a0\n](?:and[ \u00a0\n])?(?:who|which|that)[ \u00a0\n]+$")
_COMMA_BEFORE = re.compile(r"\w, $")
_AND_AFTER = re.compile(r", and ")
_TO_BEFORE = re.compile(r"\bto[ \u00a0\n]+$")
# Where what a verb governs ends; a conjunction only before another verb or subject. A line that goes on in lower case
# was only wrapped.
_END = re.compile(
    r"[,;:!?)]|\n(?![a-z])|\.(?!\d)"
    r"|[ \u00a0\n](?:but|while|because|although|which|who|whom|when|where|since|after|before)[ \u00a0\n]"
    r"|[ \u00a0\n](?:and|or)[ \u00a0\n](?=(?:\w+ed|is|was|were|are|has|have|had|does|did|will|would|can|could|may|he|"
    r"she|they|it|we|i|took|went|got|won|made|began|became|left|told|said|felt|kept|lost|met|ran|saw|wrote|gave|found|sang|ran|taught|uses|"
    r"takes|has|works|lives|plays|says|knows)\b)"
)
# The verb of the sentence behind a relative clause without commas: "a man who drank [was found]".
_MAIN_VERB = re.compile(r"[ \u00a0\n](?:is|was|were|are|has|have|had|will|would|can|could|did|does)\b")
_ANOTHER_WHO = re.compile(r"[ \u00a0\n](?:who|which|that)\b")
# The next predicate: an adverb may stand first; a form that needs the helping verbs of the one before keeps them.
_ADVERBS_AT = re.compile(r"(?:\w+ly[ \u00a0\n]+)+")
_VERB_AT = re.compile(
    r"(?:is|was|were|are|has|have|had|will|would|can|could|may|might|must|should|did|does|do|took|went|got|won|made|began|"
    r"became|left|told|said|felt|kept|lost|met|ran|saw|wrote|gave|found|sang|taught)\b|\w{2,}(?:ed|ing|[^su'’]s)\b"
)
# What an annotator takes for a noun phrase, and is none: "bred alpacas".
_PREDICATE = re.compile(r"[a-z]+ed [a-z ]+")
_DEPENDENT_AT = re.compile(r"\w{2,}(?:ing|ed|en)\b")
_JOINED_AFTER = re.compile(
    r",?[ \u00a0\n](?:and|but|or)[ \u00a0\n](?!(?:he|she|they|it|we|i|the|his|her|their)\b)", re.I
)


def without_predicates(text: str, decisions: Sequence[Decision], roles: Sequence[Role]) -> list[Decision]:
    """Rewrite what masked verbs, adjectives and adverbs leave; `roles` has what each decision's words do."""
    made = list(decisions)
    verbs = [
        d.start
        for d, role in zip(made, roles, strict=False)
        if d.changes and ((role == "verb" and d.replacement == MASK) or _PREDICATE.fullmatch(text[d.start : d.end]))
    ]
    for i, role in enumerate(roles):
        if made[i].action != "suppress" or made[i].replacement != MASK:
            continue
        if role == "verb":
            made = _without_clause(text, made, i, verbs)
        elif role in ("modifier", "adverb") and not _is_between(text, made, i) and _can_go(text, made, i):
            made[i] = _left_out(text, made, i)
    return made


def _is_between(text: str, made: Sequence[Decision], i: int) -> bool:
    """Tell whether masks stand on both sides of a word: the three become one."""
    if not 0 < i < len(made) - 1:
        return False
    one, other = made[i - 1], made[i + 1]
    near = one.end + 1 == made[i].start and made[i].end + 1 == other.start
    return near and all(d.action in ("label", "suppress") and d.replacement for d in (one, other))


def _can_go(text: str, made: Sequence[Decision], i: int) -> bool:
    """Tell whether leaving a word out leaves what is said true, and a space to close: "no longer fit" is not "fit"."""
    source = text[made[i].start : made[i].end]
    apart = text[made[i].end : made[i].end + 1] in (" ", "\u00a0") or text[made[i].start - 1 : made[i].start] == " "
    verbal = source.islower() and source.endswith("s") and not source.endswith(("ss", "us", "is"))
    return apart and not verbal and UNDOING.isdisjoint(map(fold, source.split()))


def _left_out(text: str, made: Sequence[Decision], i: int) -> Decision:
    """A decision with nothing in its place, one space less, and the article before it right for what follows."""
    one = made[i]
    if text[one.end : one.end + 1] not in (" ", "\u00a0"):
        return replace(one, replacement="", fixes=((one.start - 1, one.start, ""),))
    fixes = [(one.end, one.end + 1, "")]
    near = text[max(0, one.start - 4) : one.start]
    following = next((d.replacement for d in made[i + 1 : i + 2] if d.changes and d.start == one.end + 1), "")
    found = ARTICLE_BEFORE.search(near)
    if found:
        right = article(following or text[one.end + 1 : one.end + 30])
        right = right.capitalize() if found[1][0].isupper() else right
        at = one.start - (len(near) - found.start())
        if right != found[1]:
            fixes.insert(0, (at, at + len(found[1]), right))
    return replace(one, replacement="", fixes=tuple(fixes))


def _without_clause(text: str, made: list[Decision], i: int, verbs: Sequence[int]) -> list[Decision]:
    """Drop the predicate of a masked verb where another is left, else put one mark in its place."""
    verb = made[i]
    low = max(0, verb.start - _LONGEST)
    helped = _HELPERS.search(text[low : verb.start])
    start = low + helped.start() if helped else verb.start
    ended = _END.search(text, verb.end, verb.end + _LONGEST)
    end = ended.start() if ended else _line_end(text, verb.end)
    if _TO_BEFORE.search(text[low:start]):
        return _emptied(text, made, (start, end), "[activity]") or made
    other = _JOINED_AFTER.match(text, end)
    joined, related = _AND_BEFORE.search(text[low:start]), _WHO_BEFORE.search(text[low:start])
    mark = ""
    if joined:
        start = low + joined.start()
    elif related:
        start = low + related.start() + bool(related["comma"] and _ANOTHER_WHO.match(text, end))
        main = None if related["comma"] else _MAIN_VERB.search(text, verb.end, end)
        end = main.start() if main else end
        end += bool(related["comma"] and text[end : end + 1] == ",")
    elif _COMMA_BEFORE.search(text[low:start]) and _AND_AFTER.match(text, end):
        start -= 2  # the second of three
    elif other and _stays(text, other.end(), verbs):
        start = verb.start if _DEPENDENT_AT.match(text, other.end()) else start
        end = other.end()
    else:
        mark = STATEMENT
        if other and _goes_too(text, other.end(), verbs):
            ended = _END.search(text, other.end(), other.end() + _LONGEST)
            end = ended.start() if ended else _line_end(text, other.end())
    return _emptied(text, made, (start, end), mark) or made


def _stays(text: str, start: int, verbs: Sequence[int]) -> bool:
    """Tell whether a predicate begins at `start` whose verb is not masked."""
    first = _ADVERBS_AT.match(text, start)
    verb = _VERB_AT.match(text, first.end() if first else start)
    return verb is not None and not _goes_too(text, start, verbs)


def _goes_too(text: str, start: int, verbs: Sequence[int]) -> bool:
    """Tell whether the predicate that begins at `start` has a masked verb, too."""
    helped = _HELPERS_AT.match(text, start)
    return (helped.end() if helped else start) in verbs


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _emptied(text: str, made: Sequence[Decision], span: Span, mark: str) -> list[Decision] | None:
    """Take a span out, with a mark for it; None where a fix would be too far from every decision."""
    inside = [i for i, d in enumerate(made) if span[0] <= d.start and d.end <= span[1]]
    changed = [i for i in inside if made[i].changes]
    if not changed or any(made[i].kind in ("known", "identifier") and made[i].action != "date" for i in changed):
        return None
    result, done = list(made), span[0]
    for i in changed:
        if made[i].start - done > FIX_REACH:
            return None
        fixes = [(done, made[i].start, "")] if done < made[i].start else []
        done = made[i].end
        if i == changed[-1] and done < span[1]:
            if span[1] - done > FIX_REACH:
                return None
            fixes.append((done, span[1], ""))
        result[i] = replace(made[i], replacement=mark if i == changed[0] else "", fixes=tuple(fixes))
    return result
