"""Examine an output: every word alone, every group of words, against what must hold. A program of its own, on integers.

It takes every word of the output, counts windows with its own reader of index files, and searches all groups. With
the programs that made the output it shares the normalizer of words (`term`) and the search for words in disguise
(`disguise`), no other code. Closed groups suffice: adding to a group T all words found in every window of the entity
with T leaves n(cT) and cannot raise n(T), so if any group is risky, a closed one is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.certify.index_file import Collection
from tacenda.certify.required import Entity, Evidence, Required
from tacenda.certify.rule import Rule
from tacenda.disguise import Disguises, sought

Sets = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
MOST_GROUPS = 5_000_000
USUAL = 5


@dataclass(frozen=True)
class Weak:
    """Words that pass the limit of an entity, with too little evidence to believe the counts."""

    entity: str
    words: tuple[str, ...]
    joint: int
    count: int


@dataclass(frozen=True)
class Findings:
    """What an examination found.

    status     holds, broken (words tell too much), or not covered (something could not be judged)
    words      the word or group that breaks the claim, or the words that could not be judged
    counts     joint, count and, for a group, articles of what breaks it
    entities   windows of each entity: in the known context, in the whole index, and of what may be revealed
    """

    status: str
    reason: str = ""
    entity: str = ""
    words: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    checked: int = 0
    groups: int = 0
    weak: tuple[Weak, ...] = ()
    entities: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    total: int = 0
    whole: int = 0


class _Broken(Exception):
    """The claim does not hold; carries the findings."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings.reason)
        self.findings = findings


def examine(output: str, required: Required, whole: Collection) -> Findings:
    """Check everything that must hold of an output."""
    narrow = _within(whole, required.known_context)
    words = tuple(word for word in sorted(set(term.content_words(output))) if not word.isdigit())
    least = required.evidence.single_count
    judged, elsewhere, unknown = {}, {}, []
    for word in words:
        keys = _keys(word, whole)
        (windows, common), (all_windows, _) = narrow.windows(keys), whole.windows(keys)
        if common or len(windows) >= least:
            judged[word] = windows
        elif len(all_windows) >= least:
            judged[word], elsewhere[word] = windows, all_windows
        else:
            unknown.append(word)
    looked, weak, counted = 0, list[Weak](), {}
    try:
        for entity in required.entities:
            _check_names(output, entity, whole)
            counts, groups, few = _check(entity, required.evidence, judged, elsewhere, narrow, whole)
            counted[entity.entity], looked = counts, looked + groups
            weak += few
    except _Broken as broken:
        return broken.findings
    status, reason = "holds", f"{len(words)} words and {looked} groups were checked"
    if unknown:
        status, reason = "not covered", "words of the output are unknown to the index, or too rare in it to judge"
    return Findings(
        status, reason, "", tuple(unknown), (), len(words), looked, tuple(weak), counted, narrow.total, whole.total
    )


def _within(whole: Collection, context: Sequence[str]) -> Collection:
    if not context:
        return whole
    found = [_phrase(whole, phrase) for phrase in context]
    scope = np.unique(np.concatenate(found))
    if not len(scope):
        raise ValueError("no window of the index holds a word of the known context")
    return whole.within(scope)


def _forms(word: str) -> tuple[str, ...]:
    """Keys under which a word is counted: singular, plural and both as acronyms; an acronym only as itself."""
    if term.is_acronym(word):
        return (word,)
    one = term.singular(word)
    plain = {word, one} | {form for form in (term.plural(one),) if term.singular(form) == one}
    return tuple(sorted(plain | {form.upper() for form in plain if term.is_acronym(form.upper())}))


def _keys(word: str, whole: Collection) -> tuple[str, ...]:
    """Keys of a word of the output; capitals that are no usual acronym are read as a word."""
    return _forms(word.lower() if word.isupper() and whole.count(word) < USUAL else word)


def _phrase(index: Collection, phrase: str) -> Numbers:
    """Windows that hold every word of a phrase; words too common to be stored are taken to be everywhere."""
    found = [index.windows(_forms(word)) for word in dict.fromkeys(_phrase_words(phrase))]
    held = [windows for windows, common in found if not common]
    if not held:
        return np.empty(0, dtype=np.int64)
    windows = held[0]
    for other in held[1:]:
        windows = _both(windows, other)
    return windows


def _phrase_words(phrase: str) -> list[str]:
    tokens = list(term.tokens(phrase))
    return [token.key for token in tokens if token.acronym or token.word not in term.STOP_WORDS] or [
        token.key for token in tokens
    ]


def _union(index: Collection, phrases: Sequence[str]) -> Numbers:
    found = [_phrase(index, phrase) for phrase in phrases]
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


def _check_names(output: str, entity: Entity, whole: Collection) -> None:
    """Raise if a name or a sign of the entity stands in the output."""
    words = term.content_words(output)
    exact, folded = f" {' '.join(words)} ", f" {' '.join(words).lower()} "
    for name in entity.names:
        if f" {name} " in exact or (not _is_word(name, whole) and f" {name.lower()} " in folded):
            raise _Broken(Findings("broken", "a name of the entity stands in the output", entity.entity, (name,)))
    reason = "a medicine, test or sign that is mainly for the entity stands in the output"
    for sign in entity.signs:
        if f" {sign} " in exact:
            raise _Broken(Findings("broken", reason, entity.entity, (sign,)))
    rows = [sought(name.lower().split(), name, capitals=_is_word(name, whole)) for name in entity.names]
    rows += [sought(sign.lower().split(), sign, capitals=term.is_acronym(sign)) for sign in entity.signs]
    for hit in Disguises(rows).find(output):
        reason = "a name or a sign of the entity stands in the output, in disguise"
        raise _Broken(Findings("broken", reason, entity.entity, (hit.sought.what,)))


def _is_word(name: str, whole: Collection) -> bool:
    """Tell whether a name in capitals is a word of its own in small letters: "hiv" is HIV, "aids" is not AIDS."""
    return any(word.isupper() and whole.count(word.lower()) > whole.count(word) for word in name.split())


def _check(
    entity: Entity,
    evidence: Evidence,
    words: dict[str, Numbers],
    elsewhere: dict[str, Numbers],
    narrow: Collection,
    whole: Collection,
) -> tuple[tuple[int, int, int], int, list[Weak]]:
    """Check one entity: words alone, where each can be judged, then groups. Return its counts, groups, weak ones."""
    secret, secret_whole = _union(narrow, entity.counted), _union(whole, entity.counted)
    general, general_whole = (
        len(np.union1d(_union(c, entity.general), s)) if entity.may_reveal else 0
        for c, s in ((narrow, secret), (whole, secret_whole))
    )
    if not len(secret) or not len(secret_whole):
        raise _Broken(Findings("not covered", "the index does not know the entity", entity.entity))
    rule = Rule(evidence, len(secret), narrow.total, entity.alpha, general)
    rule_whole = Rule(evidence, len(secret_whole), whole.total, entity.alpha, general_whole)
    weak = []
    for word, windows in words.items():
        asked, own, held = (rule_whole, secret_whole, elsewhere[word]) if word in elsewhere else (rule, secret, windows)
        joint, count = len(_both(own, held)), len(held)
        if asked.single(joint, count):
            found = (joint, count)
            raise _Broken(Findings("broken", "a word tells too much", entity.entity, (word,), found))
        if joint and asked.exceeds(joint, count):
            weak.append(Weak(entity.entity, (word,), joint, count))
    looked = 0
    for group, joint, count, articles in _closed(words, secret, narrow, rule.support) if evidence.groups else ():
        looked += 1
        if looked > MOST_GROUPS:
            reason = f"more than {MOST_GROUPS} groups: too many to check"
            raise _Broken(Findings("not covered", reason, entity.entity, groups=looked))
        if (articles >= evidence.articles or evidence.strict) and rule.group(joint, count):
            counts = (joint, count, articles)
            reason = "a group of words tells too much"
            raise _Broken(Findings("broken", reason, entity.entity, group, counts, groups=looked))
        if len(group) > 1 and rule.exceeds(joint, count):
            weak.append(Weak(entity.entity, group, joint, count))
    return (len(secret), len(secret_whole), general), looked, weak


def _both(some: Numbers, others: Numbers) -> Numbers:
    """Return the numbers in both ascending lists."""
    small, large = (some, others) if len(some) <= len(others) else (others, some)
    at = np.minimum(np.searchsorted(large, small), max(0, len(large) - 1))
    return small[large[at] == small] if len(large) else large


def _bits(flags: npt.NDArray[np.bool_]) -> Sets:
    return np.packbits(np.append(flags, np.zeros(-len(flags) % 64, dtype=bool))).view(np.uint64)


def _closed(
    words: dict[str, Numbers], secret: Numbers, index: Collection, support: int
) -> Iterator[tuple[tuple[str, ...], int, int, int]]:
    """Yield every closed group of words with enough support: its words, n(cT), n(T) and articles of the first."""
    by_count = sorted(words.items(), key=lambda pair: (len(pair[1]), pair[0]))
    used = [(word, windows) for word, windows in by_count if len(_both(secret, windows)) >= support]
    if not used:
        return
    inside = np.zeros((len(used), len(secret)), dtype=bool)
    for row, (_, windows) in zip(inside, used, strict=True):
        row[np.searchsorted(secret, _both(secret, windows))] = True
    matrix = np.array([_bits(row) for row in inside])
    articles = np.searchsorted(index.article_starts, secret, side="right")

    def grown(held: Numbers | None, group: tuple[int, ...], closure: tuple[int, ...]) -> Numbers | None:
        for j in closure:
            if j not in group:
                held = used[j][1] if held is None else _both(held, used[j][1])
        return held

    # The smallest closed group: the words found in every window of the entity.
    first = tuple(np.flatnonzero(inside.all(axis=1)).tolist())
    stack = [(_bits(np.ones(len(secret), dtype=bool)), first, -1, grown(None, (), first))]
    while stack:
        here, group, core, held = stack.pop()
        if group and held is not None:
            flags = np.unpackbits(here.view(np.uint8))[: len(secret)].astype(bool)
            yield tuple(used[i][0] for i in group), int(flags.sum()), len(held), len(np.unique(articles[flags]))
        counts = np.bitwise_count(matrix & here).sum(axis=1, dtype=np.int64)
        for i in np.flatnonzero(counts >= support).tolist():
            if i > core and i not in group:
                narrower = here & matrix[i]
                same = np.bitwise_count(matrix & narrower).sum(axis=1, dtype=np.int64) == counts[i]
                closure = tuple(np.flatnonzero(same).tolist())
                # Each closed group is made once: nothing before i may join that was not there already.
                if all(j >= i or j in group for j in closure):
                    stack.append((narrower, closure, i, grown(held, group, closure)))
