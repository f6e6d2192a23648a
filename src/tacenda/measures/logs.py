"""Releases of a log, and how private each is: the experiments of paper 002, sections 3.2 and 3.3."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import numpy.typing as npt

from tacenda import term
from tacenda.errors import UsageError
from tacenda.measures.collection import Log, compare
from tacenda.measures.spi import Privacy

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def distinct_users(log: Log) -> Ints:
    """For each distinct text, how many users wrote it."""
    pairs = np.unique(log.text * len(log.users) + log.user)
    return np.bincount(pairs // len(log.users), minlength=len(log.texts))


def k_anonymous(log: Log, k: int) -> Log:
    """Release a document only if at least k distinct users wrote it."""
    if k < 1:
        raise UsageError(f"k is {k}; it must be at least 1 (1 releases everything)")
    return log.keep(distinct_users(log)[log.text] >= k)


def contains_word(texts: Sequence[str], words: Collection[str]) -> Bools:
    """Tell which texts hold a word of a list (names, places, private matters: the paper's PPP queries)."""
    wanted = {word for entry in words for word in term.words(entry)}
    return np.fromiter((not wanted.isdisjoint(term.words(text)) for text in texts), dtype=np.bool_, count=len(texts))


def nested_releases(log: Log, allowed: Bools, shares: Sequence[float], *, seed: int = 0) -> list[Log]:
    """Release growing supersets of the rows whose text is allowed, up to each share of the whole log.

    A share that the allowed rows cannot fill releases all of them.
    """
    order = np.random.default_rng(seed).permutation(np.flatnonzero(allowed[log.text]))
    releases = []
    for share in shares:
        rows = np.zeros(len(log), dtype=np.bool_)
        rows[order[: round(share * len(log))]] = True
        releases.append(log.keep(rows))
    return releases


def k_for_share(log: Log, share: float) -> int:
    """The least k whose k-anonymous release shows at most this share of the log."""
    support = distinct_users(log)[log.text]
    for k in np.unique(support).tolist():
        if (support >= k).mean() <= share:
            return int(k)
    return int(support.max()) + 1


def ks_for(log: Log) -> list[int]:
    """Values of k that are worth trying: 1, 2, 3, 5, 10, 20, 30, 50, ... up to the most users that share a text."""
    most = int(distinct_users(log).max())
    return [k for e in range(4) for k in (10**e, 2 * 10**e, 3 * 10**e, 5 * 10**e) if k <= max(most, 1)]


Sweep = dict[str, list[float]]


def sweep_k(
    log: Log, sigma: Floats, ks: Sequence[int], *, measure: Callable[[Log, Log, Floats], Privacy] = compare
) -> Sweep:
    """Figure 1: SPI, JSD, PEL and impressions as functions of k."""
    found = [measure(log, k_anonymous(log, k), sigma) for k in ks]
    return {
        "k": [float(k) for k in ks],
        "SPI as printed": [one.spi_printed for one in found],
        "SPI withheld": [one.spi_withheld for one in found],
        "JSD": [one.jsd for one in found],
        "PEL / 100": [one.pel / 100 for one in found],
        "impressions / 100": [one.impressions / 100 for one in found],
    }


def sweep_strategies(
    log: Log, sigma: Floats, private: Bools, shares: Sequence[float], *, withheld: bool = False, seed: int = 0
) -> dict[str, list[tuple[float, float]]]:
    """Figure 2: the index against the percentage released, for three ways to choose what to release.

    private     for each distinct text whether it holds a name, a place or a private matter (PPP)

    A share so small that nothing would be released (no k fits) is left out.
    """
    strategies = {
        "no PPP": nested_releases(log, ~private, shares, seed=seed),
        "only PPP": nested_releases(log, private, shares, seed=seed),
        "k-anonymous": [k_anonymous(log, k_for_share(log, share)) for share in shares],
    }
    curves: dict[str, list[tuple[float, float]]] = {}
    for name, releases in strategies.items():
        found = [compare(log, release, sigma) for release in releases if len(release)]
        curves[name] = [(one.impressions, one.spi_withheld if withheld else one.spi_printed) for one in found]
    return curves
