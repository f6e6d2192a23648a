"""The formulas of papers 000 and 001 as pure functions of counts.

Every function names its equation. Counts are integers; `total` is the number of windows (pages) of the
collection; bits are base-2 logarithms. Tests that decide something are also given on integers, because a
certificate must not depend on rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, inf, log2

Count = Callable[[frozenset[str]], int]


def probability(count: int, total: int) -> float:
    """Return count / total (000, eqs 11 and 12; the total is configurable).

    >>> probability(50, 1000)
    0.05
    """
    if total <= 0:
        raise ValueError(f"total is {total}; a collection has at least one window")
    return count / total


def information(count: int, total: int) -> float:
    """Return IC = -log2 p in bits (000, eq. 1; 001, eq. 1); an absent term is infinitely informative.

    >>> round(information(3_500_000, 11_000_000_000), 4)
    11.6179
    """
    p = probability(count, total)
    return inf if p == 0 else log2(total / count)


def pmi(joint: int, first: int, second: int, total: int) -> float:
    """Return PMI = log2 p(s,q) / (p(s) p(q)) in bits (000, eqs 2 and 9; 001, eqs 2 and 3).

    `second` is the count of one term or of a whole group taken together.

    >>> pmi(8, 50, 20, 1000)
    3.0
    """
    if not 0 <= joint <= min(first, second):
        raise ValueError(f"joint count {joint} does not match the counts {first} and {second}")
    if joint == 0:
        return -inf
    return log2(joint * total / (first * second))


def conditional_information(joint: int, given: int) -> float:
    """Return IC(s|q) = -log2 p(s,q)/p(q) in bits (000, eq. 5).

    >>> conditional_information(5, 20)
    2.0
    """
    return inf if joint == 0 else log2(given / joint)


def pmi_limits(first: int, second: int, total: int) -> tuple[float, float]:
    """Return PMI where the first, then the second term is never met without the other (000, eq. 3).

    >>> [round(bits, 3) for bits in pmi_limits(50, 20, 1000)]
    [4.322, 5.644]
    """
    return information(first, total), information(second, total)


def disclosure(joint: int, secret: int, group: int, total: int) -> float:
    """Return DR(s; q) = PMI(s; q), for one term or a group (000, eqs 6 and 10)."""
    return pmi(joint, secret, group, total)


def disclosure_limit(sanitized_bits: Iterable[float]) -> float:
    """Return t_DR, the least information among all sanitized terms of the document (000, eq. 7).

    >>> disclosure_limit([14.03, 9.86])
    9.86
    """
    return min(sanitized_bits, default=inf)


def quasi_identifiers(risks: Mapping[str, float], limit: float) -> set[str]:
    """Return the terms whose disclosure reaches the limit, `>=` (000, eq. 8).

    >>> quasi_identifiers({"influenza": 7.63, "blood transfusion": 8.75}, 8.75)
    {'blood transfusion'}
    """
    return {term for term, bits in risks.items() if bits >= limit}


def reaches_disclosure_limit(joint: int, secret: int, group: int, least_sanitized: int) -> bool:
    """Tell on integers whether PMI(s; T) >= t_DR: n(sT) n(s_min) >= n(s) n(T) (000, eqs 7, 8 and 10).

    `least_sanitized` is the greatest count among the sanitized terms, that of s_min.
    """
    return joint >= 1 and joint * least_sanitized >= secret * group


def correlated(
    sanitized: Sequence[str], others: Sequence[str], disclosed: Callable[[str, frozenset[str]], float], limit: float
) -> list[frozenset[str]]:
    """Detect the quasi-identifiers of one context: Algorithm 1 of paper 000, with its errata mended.

    Groups by growing size; the members of a group that reaches the limit (`>=`, eq. 8, where line 13 prints
    `>`) leave Q for all sanitized terms of the context (intended, line 15). The result is kept across the
    sanitized terms, where line 6 would reset it.

    disclosed   DR of a sanitized term from a group, eq. 10
    """
    remaining = list(others)
    found: list[frozenset[str]] = []
    for secret in sanitized:
        size = 1
        while size <= len(remaining):
            for group in map(frozenset, combinations(list(remaining), size)):
                if group <= set(remaining) and disclosed(secret, group) >= limit:
                    found.append(group)
                    remaining = [term for term in remaining if term not in group]
            size += 1
    return found


def precision(found: set[str], gold: set[str]) -> float:
    """Return |found ∩ gold| / |found| as a ratio (000, eq. 13; 001, eq. 4); 1 where nothing was found."""
    return len(found & gold) / len(found) if found else 1.0


def recall(found: set[str], gold: set[str]) -> float:
    """Return |found ∩ gold| / |gold| as a ratio (000, eq. 14; 001, eq. 5); 1 where there is nothing to find."""
    return len(found & gold) / len(gold) if gold else 1.0


def f_measure(precision_ratio: float, recall_ratio: float) -> float:
    """Return the harmonic mean of precision and recall (000, eq. 15; 001, eq. 6).

    >>> round(f_measure(0.96, 0.889), 3)
    0.923
    """
    both = precision_ratio + recall_ratio
    return 2 * precision_ratio * recall_ratio / both if both else 0.0


# --- paper 001 ---


def as_alpha(value: Fraction | int | float | str) -> Fraction:
    """Read α, a rational number of at least 1 (001, Definition 5).

    >>> as_alpha("1.5"), as_alpha(2)
    (Fraction(3, 2), Fraction(2, 1))
    """
    # str() first: a float 1.1 means 11/10, not the nearest binary fraction.
    alpha = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if alpha < 1:
        raise ValueError(f"alpha is {alpha}; it must be 1 or more (1: only full disclosure counts; 2: half of it)")
    return alpha


def alpha_limit(secret_bits: float, alpha: Fraction) -> float:
    """Return IC(c)/α, the bits from which a term or group is risky (001, Definition 6).

    >>> round(alpha_limit(14.03, Fraction(3, 2)), 3), alpha_limit(14.03, Fraction(2))
    (9.353, 7.015)
    """
    return secret_bits / float(alpha)


def theta(secret: int, total: int, alpha: Fraction) -> float:
    """Return θ = p(c)^(1-1/α), the share p(c|T) from which T is risky (001, Definition 6 rewritten)."""
    return float((secret / total) ** (1 - 1 / float(alpha)))


# Alphas that follow from a posterior: whole powers are compared, so small denominators keep the numbers small.
_ALPHA_STEP = Fraction(1, 20)
_MOST_ALPHA = 20


def alpha_for_posterior(secret: int, total: int, posterior: Fraction, prior: Fraction | None = None) -> Fraction:
    """Return the α at which a reader's belief in c stays below a tolerated posterior (001 leaves α to the user).

    A term is risky from p(c|T) = θ = p(c)^(1-1/α) on, so α = IC(c) / (IC(c) + log2 θ). A reader with a prior of their
    own, not the share of the index, reaches the posterior τ at the likelihood ratio τ(1-π) / ((1-τ)π); that ratio on
    the index's own odds gives θ. Rounded up to a twentieth: a larger α hides more. Never above 20, where nothing may
    make c much likelier than it is: so also where not even the prior is tolerated.

    >>> alpha_for_posterior(1000, 1_000_000, Fraction(1, 10)), alpha_for_posterior(1000, 1_000_000, Fraction(1, 2))
    (Fraction(3, 2), Fraction(23, 20))
    >>> round(theta(1000, 1_000_000, alpha_for_posterior(1000, 1_000_000, Fraction(1, 10))), 3)
    0.1
    """
    base = Fraction(secret, total)
    share = posterior
    if prior is not None:
        odds = (posterior * (1 - prior)) / ((1 - posterior) * prior) * base / (1 - base)
        share = odds / (1 + odds)
    if share <= base:
        return Fraction(_MOST_ALPHA)
    exact = 1.0 / (1.0 - log2(share) / log2(base))
    steps = ceil(min(exact, _MOST_ALPHA) / float(_ALPHA_STEP) - 1e-9)
    return max(Fraction(1), steps * _ALPHA_STEP)


def is_disclosed(joint: int, secret: int, group: int) -> bool:
    """Tell whether a term or group fully discloses c: PMI = IC(c), so n(cT) = n(T) (001, Definitions 1 to 4)."""
    return joint == group and 1 <= joint <= secret


def is_risky(joint: int, secret: int, group: int, total: int, alpha: Fraction, support: int = 1) -> bool:
    """Tell on integers whether PMI(c;T) >= IC(c)/α for rational α = p/q (001, Definitions 5 and 6).

    n(cT)^p N^(p-q) >= n(c)^(p-q) n(T)^p, asked only from the minimum support on: a group that never occurs
    with c is "no evidence", and at n(T) = 0 the inequality would hold for every absent group.

    >>> is_risky(20, 50, 20, 1000, Fraction(1)), is_risky(8, 50, 20, 1000, Fraction(2))
    (True, True)
    """
    if joint < max(1, support):
        return False
    p, q = alpha.numerator, alpha.denominator
    return bool(joint**p * total ** (p - q) >= secret ** (p - q) * group**p)


def reveals_more(joint: int, secret: int, group: int, general: int, support: int = 1) -> bool:
    """Tell on integers whether PMI(c;T) > IC(g): n(cT) n(g) > n(c) n(T), for a limit g given in words.

    Strict, or g itself would be risky: PMI(c;g) = IC(g). `general` counts the windows of g, of what is below
    it, and of c, so that it is at least n(c).
    """
    return joint >= max(1, support) and joint * general > secret * group


def resnik(counts: Mapping[str, int], parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Add the occurrences of each term to all its ancestors, once each (001, after Resnik).

    With raw counts a rarely written general word looks more informative than its own specialization.

    >>> resnik({"hepatitis c": 3, "hepatitis": 2}, {"hepatitis c": ["hepatitis"]})
    {'hepatitis c': 3, 'hepatitis': 5}
    """
    total = dict.fromkeys(counts, 0)
    for term, count in counts.items():
        seen: set[str] = set()
        queue = [term]
        while queue:
            node = queue.pop()
            if node not in seen:
                seen.add(node)
                total[node] = total.get(node, 0) + count
                queue.extend(parents.get(node, ()))
    return total


def c_sanitize(
    terms: Sequence[str],
    protected: Mapping[str, float],
    disclosed: Callable[[str, str], float],
    generalizations: Callable[[str], Iterable[str]],
    alpha: Fraction,
) -> dict[str, str | None]:
    """Sanitize single terms: Algorithm 1 of paper 001, with its errata mended.

    Returns the replacement of each risky term, None where no generalization passes (the list ends, the term is
    removed: lines 15 to 17 lack that exit). A generalization must pass for every protected entity by that
    entity's own limit (line 15 prints that of another). The entities are gone through anew for each term (line 4).

    protected   entity -> IC in bits
    disclosed   (entity, term) -> PMI in bits
    """

    def passes(term: str) -> bool:
        return all(disclosed(c, term) < alpha_limit(bits, alpha) for c, bits in protected.items())

    return {
        term: next((general for general in generalizations(term) if passes(general)), None)
        for term in dict.fromkeys(terms)
        if not passes(term)
    }


def utility(bits: Iterable[float]) -> float:
    """Return the utility of a document, the sum of the information of its terms (001, eq. 7)."""
    return sum(bits)


def utility_kept(before: Iterable[float], after: Iterable[float]) -> float:
    """Return the share of the utility that is left, a ratio (001, eq. 8).

    >>> utility_kept([4.0, 4.0], [4.0, 1.0])
    0.625
    """
    whole = utility(before)
    return utility(after) / whole if whole else 1.0
