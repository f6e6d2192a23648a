"""Check a certificate against the output itself: a program of its own, on integers, that trusts nothing it is told.

It takes every word of the output, counts windows in the index anew, and searches all groups. It shares no code with
the programs that made the output, only the normalizer of terms and the index file. Closed groups suffice: adding to a
group T all words found in every window of the entity with T leaves n(cT) and cannot raise n(T), so if any group is
risky, a closed one is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda import term

Sets = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
MOST_GROUPS = 5_000_000
USUAL = 5


@dataclass(frozen=True)
class Verdict:
    """The answer: holds, or refused (it does not fit), broken (a term or group breaks it), not covered.

    words    the word or group of the output that breaks the claim
    counts   joint, count, articles of it
    """

    status: str
    reason: str
    entity: str = ""
    words: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    groups: int = 0

    @property
    def holds(self) -> bool:
        """True only if everything was checked and nothing breaks the claim."""
        return self.status == "holds"


def verify(output: str, certificate: dict[str, Any], index: Any) -> Verdict:
    """Check every claim of a certificate for an output.

    index   answers `find(word)` with `.windows` and `.count.number`, and has `total`, `digest`, `article_starts`
    """
    try:
        refused = _fits(output, certificate, index)
        if refused:
            return Verdict("refused", refused)
        unknown = _unknown(output, index, int(certificate["rule"]["single_count"]))
        whole, known = index, tuple(map(str, certificate["rule"].get("known_context", ())))
        if known:
            index = index.within(known)
        if certificate["total"] != index.total:
            said = certificate["total"]
            return Verdict("refused", f"the certificate counts {said} windows, the index has {index.total}")
        words = _words(output, index, whole)
        looked = 0
        for claim in certificate["claims"]:
            verdict = _check(claim, certificate, words, output, index)
            looked += verdict.groups
            if not verdict.holds:
                return verdict
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        return Verdict("refused", f"the certificate is damaged ({type(error).__name__})")
    left_out = [str(line) for line in certificate["not_covered"]]
    if unknown:
        left_out.append(f"{len(unknown)} word(s) of the output are unknown to the index, or too rare in it to judge")
    if left_out:
        return Verdict("not covered", "; ".join(left_out), words=tuple(unknown), groups=looked)
    return Verdict("holds", f"{len(words)} words and {looked} groups were checked", groups=looked)


def _fits(output: str, certificate: dict[str, Any], index: Any) -> str:
    """Say why the certificate does not belong to this output, index or normalizer; empty if it does."""
    digests = certificate["digests"]
    if sha256(output.encode("utf-8", "surrogatepass")).hexdigest() != digests["output"]:
        return "the output is not the one certified: its digest differs"
    if index.digest != digests["index"]:
        return f"the certificate was made with another index (digest {str(digests['index'])[:12]}...)"
    if digests["normalizer"] != f"term {term.VERSION}":
        return f"the certificate was made with another normalizer ({digests['normalizer']})"
    if not certificate["claims"]:
        return "the certificate claims nothing"
    return ""


def _count(index: Any, word: str) -> int:
    return int(index.find(word).count.number or 0)


def _unknown(output: str, index: Any, least: int) -> list[str]:
    """Return the words of the output that the index knows too little of to judge."""
    words = sorted(set(term.content_words(output)))
    return [word for word in words if max(_count(index, word), _count(index, word.lower())) < least]


def _words(output: str, index: Any, whole: Any) -> dict[str, Numbers]:
    """Return the windows of every word of the output.

    Capitals that are no usual acronym are read as a word. A word too common to be stored has no windows: it is in
    nearly all, and tells nothing.
    """
    found = {}
    for word in sorted(set(term.content_words(output))):
        asked = word.lower() if word.isupper() and _count(whole, word) < USUAL else word
        found[word] = np.asarray(index.find(asked).windows, dtype=np.int64)
    return found


def _check(
    claim: dict[str, Any], certificate: dict[str, Any], words: dict[str, Numbers], output: str, index: Any
) -> Verdict:
    """Check one claim: the counts it names, the entity's names, single words, then groups."""
    entity = str(claim["entity"])
    named = _named(output, claim["forms"])
    if named:
        return Verdict("broken", "a name of the entity stands in the output", entity, named)
    secret = _union(index, claim["counted"])
    if len(secret) != claim["count"]:
        return Verdict(
            "refused", f"the entity is in {len(secret)} windows, the certificate says {claim['count']}", entity
        )
    general = 0
    if claim.get("may_reveal"):
        general = len(np.union1d(_union(index, claim["general"]), secret))
        if general != claim["general_count"]:
            return Verdict("refused", f"what may be revealed is in {general} windows, not as certified", entity)
    if not len(secret):
        return Verdict("not covered", "the index does not know the entity", entity)
    rule = _Rule(certificate["rule"], len(secret), index.total, str(claim.get("alpha", "")), general)
    for word, windows in words.items():
        joint = len(_both(secret, windows))
        if rule.single(joint, len(windows)):
            return Verdict("broken", "a word tells too much", entity, (word,), (joint, len(windows)))
    looked = 0
    for group, joint, count, articles in _closed(words, secret, index, rule.support):
        looked += 1
        if looked > MOST_GROUPS:
            return Verdict("not covered", f"more than {MOST_GROUPS} groups: too many to check", entity, groups=looked)
        if articles >= rule.articles and rule.group(joint, count):
            return Verdict("broken", "a group of words tells too much", entity, group, (joint, count, articles), looked)
    return Verdict("holds", "", entity, groups=looked)


def _named(output: str, forms: Sequence[str]) -> tuple[str, ...]:
    """Return the first form whose words stand in a row in the output."""
    text = f" {' '.join(term.content_words(output))} "
    return next((tuple(form.split()) for form in map(str, forms) if f" {form} " in text), ())


def _union(index: Any, forms: Sequence[str]) -> Numbers:
    found = [np.asarray(index.find(str(form)).windows, dtype=np.int64) for form in forms]
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


class _Rule:
    """The test for one entity, on integers. The share θ is `part` of `whole`."""

    def __init__(self, rule: dict[str, Any], secret: int, total: int, alpha: str, general: int) -> None:
        self.secret, self.total, self.general = secret, total, general
        self.paper = rule["mode"] == "paper"
        self.support, self.articles = int(rule["support"]), int(rule["articles"])
        self.single_support, self.single_count = int(rule["single_support"]), int(rule["single_count"])
        self.level = Fraction(rule["level"])
        if self.support < 1 or not 0 < self.level < 1:
            raise ValueError
        if general:
            self.part, self.whole = secret, general
        else:
            fraction = Fraction(alpha)
            self.p, self.q = fraction.numerator, fraction.denominator
            if self.p < self.q:
                raise ValueError
            self.whole = 1 << 64
            self.part = _root(secret ** (self.p - self.q) * self.whole**self.p // total ** (self.p - self.q), self.p)
        # For each joint count: the greatest count known to be beyond chance, the least known not to be.
        self.known: dict[int, tuple[int, int]] = {}

    def exceeds(self, joint: int, count: int) -> bool:
        if self.general:
            return joint * self.general > self.secret * count
        p, more = self.p, self.p - self.q
        return bool(joint**p * self.total**more >= self.secret**more * count**p)

    def single(self, joint: int, count: int) -> bool:
        if joint < max(1, self.single_support) or count < self.single_count or not self.exceeds(joint, count):
            return False
        return self.paper or _tail_below(count, joint, self.secret, self.total, self.level, strict=True)

    def group(self, joint: int, count: int) -> bool:
        if joint < self.support or not self.exceeds(joint, count):
            return False
        if self.paper or self.part >= self.whole:
            return self.paper or joint == count
        low, high = self.known.get(joint, (0, 1 << 62))
        if low < count < high:
            if _tail_below(count, joint, self.part, self.whole, self.level, strict=False):
                low = count
            else:
                high = count
            self.known[joint] = (low, high)
        return count <= low


def _tail_below(trials: int, least: int, part: int, whole: int, level: Fraction, *, strict: bool) -> bool:
    """Tell exactly whether P(Bin(trials, part/whole) >= least) <= level (< if strict), through the other tail."""
    other = whole - part
    term_, total = other ** (least - 1), 0
    for hits in range(least):
        total += term_
        # The next term: C(n, j+1) part^(j+1) other^(least-2-j); the division is exact but for the last, unused one.
        term_ = term_ * (trials - hits) * part // ((hits + 1) * max(other, 1))
    everything = whole**trials
    tail = everything - total * other ** (trials - least + 1)
    left, right = tail * level.denominator, everything * level.numerator
    return bool(left < right if strict else left <= right)


def _root(value: int, degree: int) -> int:
    """Return the integer part of a root, by Newton's method from above."""
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def _both(some: Numbers, others: Numbers) -> Numbers:
    """Return the numbers in both ascending lists."""
    small, large = (some, others) if len(some) <= len(others) else (others, some)
    at = np.minimum(np.searchsorted(large, small), max(0, len(large) - 1))
    return small[large[at] == small] if len(large) else large


def _bits(flags: npt.NDArray[np.bool_]) -> Sets:
    return np.packbits(np.append(flags, np.zeros(-len(flags) % 64, dtype=bool))).view(np.uint64)


def _closed(
    words: dict[str, Numbers], secret: Numbers, index: Any, support: int
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
