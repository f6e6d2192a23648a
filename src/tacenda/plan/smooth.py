"""Make a sentence of what replacements left: masks in a row, lists of the same label, doubled words, clauses of masks.

`rewrite.fit` shapes each replacement to its place; here decisions that stand side by side are looked at together.
Only replacements and fixes change, never what is decided: a decision may end up with nothing in its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tacenda import language
from tacenda.language import MASS_NOUNS, Role, article, number_word, plural, singular
from tacenda.model import Decision, Span
from tacenda.plan.apart import ARTICLE, bare, changed, told_apart
from tacenda.plan.clauses import without_clauses
from tacenda.plan.predicates import without_predicates

Decisions = list[Decision]

MASK = "[...]"
_BESIDE = re.compile(r"[ \u00a0]?[-‐‑–/=]?[ \u00a0]?")
_RESULT_AFTER = re.compile(r"[ -](?:positive|negative|reactive|nonreactive)\b", re.I)
_RESULT = re.compile(r"positive|negative|reactive|nonreactive", re.I)
_TESTED = re.compile(r"\b(tested|tests) $")
_FOR = re.compile(r" for ")
_RESPECTIVELY = re.compile(r",? respectively\b")
_SPACE = re.compile(r"[ \u00a0]")
_LISTED = re.compile(r",? (?:and|or|&) (?:the )?|, (?:the )?")
_TO = re.compile(r" ?(?:to|and|until|till|through|-|–|—) ?")
_BOUND = re.compile(r"\b(between|from)( the ages of| ages| age)? (?:the )?$", re.I)
_YEARS = re.compile(r"(\d{1,3}) to (\d{1,3})")
_NUMBERED = re.compile(r" \d+$")
_LAST_WORD = re.compile(r"([^\W\d_]+) $")
_APPOSED_TO = re.compile(r"([^\W\d_]+), $")
_NEGATED = re.compile(r"\b(?:no|not|nor|without|denie[sd]|denying|negative for|free of|never)\b[^.;:\n]*$", re.I)
_COUNTED = re.compile(r"\b(?:the|his|her|their|its|my|our|your|these|those|two|three|four|five|many|several)\s+$", re.I)
_COMMON = frozenset(("TERM", "WORD", "PROTECTED", "DEM"))
_NAMED = frozenset(("LOC", "ORG", "MISC", "DEM"))
_BLANKS = re.compile(r" of (?:the |an? |his |her |their )?|,? (?:and|or) |, |/")
_INSIDE = re.compile(r", ")
_APPOSED = re.compile(r"[a-z], $")
_SETTLED = re.compile(r"\b(?:town|city|village|hamlet|suburb|county|state)( of (?:the )?)$", re.I)
# Besides names, what may stand on a line before a signature: no verb.
_CLOSING = frozenset("kind best warm regards wishes of and the for sincerely yours".split())
_WORD = re.compile(r"[^\W\d_]+")
_CLOSE = frozenset(".,;)")
_MOST = 12  # how many things a number word counts
_OLDEST = 90
# Of the nouns without a plural, those that are counted as kinds all the same: "two medicines".
_NEVER_COUNTED = MASS_NOUNS - frozenset(
    "medicine treatment therapy drug cancer crime religion language infection tumor surgery feeling belief".split()
)
_WORKS = frozenset((*language.WORK_CUES.values(), "creative work", "work", "title"))
_GENERIC = frozenset(("organization", "employer", "company"))


def smooth(
    text: str,
    decisions: Sequence[Decision],
    *,
    clauses: str = "drop",
    roles: Sequence[Role] = (),
    within: Sequence[Span] | None = None,
) -> tuple[Decision, ...]:
    """Return the decisions with replacements that read together.

    clauses     what becomes of a clause of which little but masks is left: "drop", "mark" or "keep"
    roles       what the words of each decision do in their sentence; without them no verb is told from a noun
    within      the stretches of prose: no sentence runs from one into another; all of the text if not given
    """
    made = list(decisions)
    starts = [decision.start for decision in made]
    for start, end in ((0, len(text)),) if within is None else within:
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        if any(decision.changes for decision in made[low:high]):
            piece = [_moved(decision, -start) for decision in made[low:high]]
            smoothed = _smoothed(text[start:end], piece, clauses, roles[low:high])
            made[low:high] = [_moved(decision, start) for decision in smoothed]
    return tuple(told_apart(text, made))


def _smoothed(text: str, made: Decisions, clauses: str, roles: Sequence[Role]) -> Decisions:
    if clauses != "keep":
        made = without_predicates(text, made, roles)
    for step in (_spans, _results, _runs, _places, _lists, _doubles, _signed):
        made = step(text, made)
    return made if clauses == "keep" else without_clauses(text, made, mark=clauses == "mark")


def _moved(decision: Decision, by: int) -> Decision:
    if not by:
        return decision
    fixes = tuple((start + by, end + by, new) for start, end, new in decision.fixes)
    return replace(decision, start=decision.start + by, end=decision.end + by, fixes=fixes)


def _is_mask(decision: Decision) -> bool:
    return decision.action in ("label", "suppress")


def _chains(
    text: str, decisions: Sequence[Decision], between: re.Pattern[str], alike: Callable[[Decision, Decision], bool]
) -> Iterator[list[int]]:
    """Runs of neighbors with nothing but `between` among them that are `alike`, two or more each."""
    run: list[int] = []
    for i in changed(decisions):
        before = decisions[run[-1]] if run else None
        joined = before is not None and between.fullmatch(text, before.end, decisions[i].start) is not None
        if before is not None and joined and alike(before, decisions[i]):
            run.append(i)
            continue
        if len(run) > 1:
            yield run
        run = [i]
    if len(run) > 1:
        yield run


def _dropped(decision: Decision, gap: Span) -> Decision:
    """A decision with nothing in its place, and what stood beside it gone, too."""
    return replace(decision, replacement="", fixes=((*gap, ""),) if gap[0] < gap[1] else ())


# Masks in a row


def _runs(text: str, made: Decisions) -> Decisions:
    """One mask for a row of them: the last that says something, for it stands for the head of the phrase."""
    for run in list(_chains(text, made, _BESIDE, _one_phrase)):
        kept = next((i for i in reversed(run) if made[i].replacement != MASK), run[-1])
        for place, i in enumerate(run):
            if i < kept:
                made[i] = _dropped(made[i], (made[i].end, made[run[place + 1]].start))
            elif i > kept:
                made[i] = _dropped(made[i], (made[run[place - 1]].end, made[i].start))
        made[kept] = _agreeing(text, made[kept], made[run[0]].start)
    for run in list(_chains(text, made, _SPACE, _says_again)):
        for place, i in enumerate(run[1:]):
            made[i] = _dropped(made[i], (made[run[place]].end, made[i].start))
    for run in list(_chains(text, made, _BLANKS, lambda one, other: one.replacement == other.replacement == MASK)):
        for place, i in enumerate(run[1:]):
            made[i] = _dropped(made[i], (made[run[place]].end, made[i].start))
    return made


def _says_again(one: Decision, other: Decision) -> bool:
    """Tell whether a noun says what the label before it says: "the [organization 1] organization"."""
    told = _is_mask(one) and other.action == "generalize"
    return told and _NUMBERED.sub("", bare(one.replacement)) == bare(other.replacement)


def _places(text: str, made: Decisions) -> Decisions:
    """ "Wellington, New Zealand" is one place: of "a capital, a country" the first says it; so does "a firm" of one."""
    for run in list(_chains(text, made, _INSIDE, lambda one, other: one.label == other.label == "LOC")):
        for place, i in enumerate(run[1:]):
            made[i] = _dropped(made[i], (made[run[place]].end, made[i].start))
    for first, second in (run[:2] for run in list(_chains(text, made, _INSIDE, _seated))):
        made[second] = replace(made[second], fixes=((made[first].end, made[second].start, " in "),))
    for i in changed(made):
        one = made[i]
        settled = _SETTLED.search(text[max(0, one.start - 12) : one.start]) if one.label == "LOC" else None
        if settled and _is_generic(one):
            made[i] = _dropped(one, (one.start - len(settled[1]), one.start))
            continue
        named = one.action == "generalize" and one.label == "ORG" and bare(one.replacement) in _GENERIC
        apposed = _APPOSED.search(text[max(0, one.start - 3) : one.start]) and text[one.end : one.end + 1] in _CLOSE
        if named and apposed:
            made[i] = _dropped(one, (one.start - 2, one.start))
    return made


def _seated(one: Decision, other: Decision) -> bool:
    """Tell whether a body and where it sits stand side by side: "the office, the capital" is the office in it."""
    both = one.action == other.action == "generalize" and not other.fixes
    return both and one.label == "ORG" and other.label == "LOC"


def _is_generic(decision: Decision) -> bool:
    return decision.action == "generalize" or decision.replacement.startswith(("[place", "[town", "[city"))


def _signed(text: str, made: Decisions) -> Decisions:
    """A body that signs, or stands alone on its line, is labeled: "Kind regards, a school" signs nothing."""
    for i in changed(made):
        one = made[i]
        last = one.end == len(text.rstrip()) or text[one.end : one.end + 1] == "\n"
        line = text[text.rfind("\n", 0, one.start) + 1 : one.start]
        if one.action == "generalize" and one.label in ("ORG", "LOC") and last and _is_signature(line):
            made[i] = replace(one, replacement=f"[{_NUMBERED.sub('', bare(one.replacement))}]", fixes=())
    return made


def _is_signature(line: str) -> bool:
    """Tell whether a line says nothing before its end: only names and regards."""
    return all(word[0].isupper() or word in _CLOSING for word in _WORD.findall(line))


def _one_phrase(one: Decision, other: Decision) -> bool:
    if one.kind in ("known", "identifier") or other.kind in ("known", "identifier"):
        return False
    if _is_mask(one) and _is_mask(other):
        blank = MASK in (one.replacement, other.replacement)
        return blank or (one.label in _NAMED and other.label in _NAMED) or {one.label, other.label} <= _COMMON
    # "12 Years" and "a Slave" are one title; of a mask before a noun nothing needs to stay.
    titled = one.action == "date" and other.label == "MISC"
    return titled or (one.replacement == MASK and other.action == "generalize")


def _agreeing(text: str, decision: Decision, start: int) -> Decision:
    """A decision that now begins at `start`: the article before it must suit it."""
    near = text[max(0, start - 4) : start]
    found = language.ARTICLE_BEFORE.search(near)
    if not found:
        return decision
    own = ARTICLE.match(decision.replacement)
    body = decision.replacement[own.end() :] if own else decision.replacement
    right = article(body)
    right = right.capitalize() if found[1][0].isupper() else right
    at = start - (len(near) - found.start())
    fix = ((at, at + len(found[1]), right),) if right != found[1] else ()
    return replace(decision, replacement=body, fixes=fix)


def _results(text: str, made: Decisions) -> Decisions:
    """ "Is hepatitis C positive" tells one thing, a status; "tested positive for hepatitis C" a test result."""
    for i in changed(made):
        one = made[i]
        behind = _RESULT_AFTER.match(text, one.end)
        if behind and _is_mask(one) and not any(d.changes for d in made[i + 1 : i + 2] if d.start < behind.end()):
            before = text[max(0, one.start - 24) : one.start]
            said = _LAST_WORD.search(before)
            word = "[status]" if said and said[1].casefold() in language.BE else "[test result]"
            made[i] = replace(one, replacement=word, fixes=((one.end, behind.end(), ""),))
    for first, second in (run[:2] for run in list(_chains(text, made, _FOR, _both_masks))):
        tested = _TESTED.search(text[max(0, made[first].start - 8) : made[first].start])
        if tested and _RESULT.fullmatch(text, made[first].start, made[first].end):
            at = made[first].start - len(tested[0])
            verb = "had a " if tested[1] == "tested" else "has a "
            made[first] = replace(made[first], replacement="[test result]", fixes=((at, made[first].start, verb),))
            made[second] = _dropped(made[second], (made[first].end, made[second].start))
    return made


def _both_masks(one: Decision, other: Decision) -> bool:
    return _is_mask(one) and _is_mask(other)


# Lists


def _lists(text: str, made: Decisions) -> Decisions:
    """ "[condition], [condition] and [condition]" are three conditions; "no symptom or symptom" is no symptoms."""
    for run in list(_chains(text, made, _LISTED, _same_words)):
        first = made[run[0]]
        before = text[max(0, first.start - 60) : first.start]
        if first.action == "date" and (_RESPECTIVELY.match(text, made[run[-1]].end) or _goes_on(text, made, run[0])):
            continue  # "in the 1940s, the 1960s and the 1960s" tells who is of which
        # Somebody who was minister of this and of that is one minister, not two.
        if first.label != "DEM" or first.action != "generalize":
            made[run[0]] = replace(first, replacement=_counted(first.replacement, len(run), before))
        for place, i in enumerate(run[1:]):
            made[i] = _dropped(made[i], (made[run[place]].end, made[i].start))
    return made


def _goes_on(text: str, made: Decisions, i: int) -> bool:
    """Tell whether the list began with something else: its last "and" must stay."""
    return i > 0 and made[i - 1].changes and _LISTED.fullmatch(text, made[i - 1].end, made[i].start) is not None


def _same_words(one: Decision, other: Decision) -> bool:
    if one.kind in ("known", "identifier") or one.replacement == MASK:
        return False
    if one.label == "TERM" and other.label == "MISC":
        return False  # "her memoir, Cold Water, won"
    return bare(one.replacement) == bare(other.replacement) and not _NUMBERED.search(bare(one.replacement))


def _counted(replacement: str, count: int, before: str) -> str:
    """The words for several of one kind: a number where none of it is denied and no word counts it already."""
    body = bare(replacement)
    if any(c.isdigit() for c in body):
        return replacement  # the same decade, named once
    *rest, last = body.split()
    if last in _NEVER_COUNTED:
        return replacement  # "two softwares" are software
    many = " ".join([*rest, "people" if last == "person" else plural(last) if singular(last) == last else last])
    if not (_NEGATED.search(before) or _COUNTED.search(before) or count > _MOST):
        many = f"{number_word(count)} {many}"
    many = many[0].upper() + many[1:] if replacement[:1].isupper() else many
    return f"[{many}]" if replacement.startswith("[") else many


# Spans of time and of age


def _spans(text: str, made: Decisions) -> Decisions:
    """ "From the 1990s to the 1990s" is in the 1990s; "from age 0 to 9 to 10 to 19" is from age 0 to 19."""
    for run in list(_chains(text, made, _TO, _two_times)):
        if len(run) != 2:
            continue
        one, other = made[run[0]], _aged(text, made[run[1]])
        low, high = _YEARS.search(one.replacement), _YEARS.search(other.replacement)
        bound = _BOUND.search(text[max(0, one.start - 24) : one.start])
        if low and high:
            made[run[0]] = replace(one, replacement=one.replacement[: low.end(1)] + one.replacement[low.end() :])
            made[run[1]] = replace(
                other, replacement=other.replacement[: high.start()] + other.replacement[high.start(2) :]
            )
        elif one.replacement == other.replacement and bound and not bound[2]:
            at = one.start - len(bound[0])
            word = "In" if bound[1][0].isupper() else "in"
            made[run[0]] = replace(one, fixes=((at, at + len(bound[1]), word),))
            made[run[1]] = _dropped(other, (one.end, other.start))
    return made


def _two_times(one: Decision, other: Decision) -> bool:
    return one.action == "date" and (other.action == "date" or (one.label == "AGE" and _is_mask(other)))


def _aged(text: str, decision: Decision) -> Decision:
    """The second age of a span, which few annotators call one: "from age 8 to 11"."""
    source = text[decision.start : decision.end]
    if decision.action == "date" or not source.isdigit() or not 0 < int(source) < _OLDEST:
        return decision
    low = int(source) // 10 * 10
    return replace(decision, action="date", replacement=f"{low} to {low + 9}")


# Words twice


def _doubles(text: str, made: Decisions) -> Decisions:
    """A word that would stand twice stands once: "the the 2020s", "the film film"."""
    for i in changed(made):
        decision = made[i]
        said = _LAST_WORD.search(text[max(0, decision.start - 24) : decision.start])
        covered = i and made[i - 1].changes and made[i - 1].end >= decision.start - 1
        if not said or covered or decision.fixes:
            continue
        word, own = said[1].casefold(), decision.replacement.split(" ", 1)
        if own[0].casefold() == word and len(own) > 1 and word in language.FUNCTION_WORDS:
            made[i] = replace(decision, replacement=own[1])
        elif decision.action in ("generalize", "label") and _says(word, bare(decision.replacement)):
            made[i] = _dropped(decision, (decision.start - 1, decision.start))
    return _appositions(text, made)


def _appositions(text: str, made: Decisions) -> Decisions:
    """ "Her novel, a book, won": what the noun before says already goes, and one comma with it."""
    for i in changed(made):
        one = made[i]
        said = _APPOSED_TO.search(text[max(0, one.start - 24) : one.start])
        close = text[one.end : one.end + 1]
        named = one.action in ("generalize", "label") and close in (",", ".")
        if said and named and _says(said[1].casefold(), bare(one.replacement)):
            comma = ((one.end, one.end + 1, ""),) if close == "," else ()
            made[i] = replace(one, replacement="", fixes=((one.start - 2, one.start, ""), *comma))
    return made


def _says(word: str, body: str) -> bool:
    """Tell whether the word before a replacement says already what it says: "the comedy [film]"."""
    kind = _NUMBERED.sub("", body)
    if word in language.GENRES and kind in _WORKS:
        return True
    return kind in (word, language.WORK_CUES.get(word)) and word not in language.FUNCTION_WORDS
