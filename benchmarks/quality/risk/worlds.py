"""Random small worlds (up to 12 terms): after the search and the hitting set, no risky group may survive.

    python benchmarks/quality/risk/worlds.py [WORLDS] [SEED]

Every subset of the terms that are kept is judged by brute force.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from common import write

from tacenda.choose.cover import cover
from tacenda.risk.groups import TermSets, minimal_groups
from tacenda.risk.rules import Evidence, Rule

ALPHAS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2))


def world(rng):
    """Return which windows hold which terms, which hold the entity, and the article of each."""
    terms, windows = int(rng.integers(2, 13)), int(rng.integers(15, 60))
    secret = rng.random(windows) < rng.uniform(0.05, 0.5)
    secret[0] = True
    base, lift = rng.uniform(0.02, 0.4, terms), rng.uniform(0, 0.8, terms)
    holds = rng.random((windows, terms)) < np.where(secret[:, None], np.maximum(base, lift), base)
    return holds, secret, np.sort(rng.integers(0, max(2, windows // 4), windows))


def supersets(keys, terms):
    """Count, for each subset of terms, the windows whose terms include it."""
    counts = np.bincount(keys, minlength=1 << terms)
    for bit in range(terms):
        shaped = counts.reshape(-1, 2, 1 << bit)
        shaped[:, 0] += shaped[:, 1]
    return counts


def survivors(holds, secret, articles, rule, kept):
    """Return the number of risky subsets of the kept terms, by brute force."""
    if not kept:
        return 0
    keys = holds[:, kept] @ (1 << np.arange(len(kept)))
    count, joint = supersets(keys, len(kept)), supersets(keys[secret], len(kept))
    open_ = [s for s in np.flatnonzero(joint >= rule.evidence.support).tolist() if s]
    found = 0
    for subset in open_:
        if rule.group(int(joint[subset]), int(count[subset])):
            inside = secret & (keys & subset == subset)
            found += len(np.unique(articles[inside])) >= rule.evidence.articles
    return found


def main() -> None:
    """Run all worlds."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = np.random.default_rng(seed)
    started = time.perf_counter()
    bad = groups = inexact = 0
    for n in range(number):
        holds, secret, articles = world(rng)
        evidence = Evidence.of(("evidence", "paper")[n % 2], None if n % 3 else 2, ("1/20", "1/1000")[n % 5 == 0])
        rule = Rule(int(secret.sum()), len(secret), alpha=ALPHAS[n // 2 % 4], evidence=evidence)
        terms = range(holds.shape[1])
        windows = [np.flatnonzero(holds[:, t]) for t in terms]
        seen = TermSets(windows, lambda w, articles=articles: articles[w])
        found = minimal_groups(seen, np.flatnonzero(secret), rule).groups
        changed: set[int] = set()
        if found:
            solved = cover([g.terms for g in found], [[t] for t in terms], rng.uniform(1, 15, len(terms)).tolist())
            changed, inexact = set(solved.items), inexact + (not solved.exact)
        groups += len(found)
        bad += survivors(holds, secret, articles, rule, [t for t in terms if t not in changed]) > 0
    write(
        "worlds",
        {
            "worlds": number,
            "seed": seed,
            "minimal risky groups": groups,
            "worlds with a surviving risky group": bad,
            "hitting sets not proven optimal": inexact,
            "seconds": round(time.perf_counter() - started, 1),
        },
    )


main()
