"""The experiments of paper 002 on a simulated log: users put together from public medical text.

No query log may be redistributed, so users are simulated: each searches for popular topics (the subjects of
`k_medquad`) and a few favorites, and some type clinical queries (`asq_phi`), many of which name patients and places.

Three things must not come from one list, or the index agrees with itself by construction:
    profiles      who types what: drawn by popularity alone, no list is looked at
    labels        what the classifier learns: people's marks in the clinical queries, and for topics what the
                  taxonomy of diseases says they are (other queries and topics than those of the log)
    releases      PPP: a list of private words, of given and family names, and of places
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papers.source import Given, file_of
from tacenda import term
from tacenda.knowledge import open_taxonomy
from tacenda.language.en.cultures import COUNTRIES, CULTURES, EITHER, STATES
from tacenda.measures import plots
from tacenda.measures.agreement import fleiss_kappa
from tacenda.measures.collection import Log, compare, logs_of
from tacenda.measures.gold import GoldDocument, read_gold
from tacenda.measures.logs import contains_word, k_anonymous, k_for_share, ks_for, nested_releases, sweep_k
from tacenda.measures.report import Cell, Section, Table
from tacenda.measures.sections import k_section, sensitivity_section
from tacenda.measures.sensitivity import cross_validate, train

USERS, QUERIES = 2_000, 60
FLAT = 10  # popularity of a topic is 1 / (rank + FLAT): without it one topic would be a fifth of the log
SHARES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
# Releases: health topics that a person would not want to be known by; the paper took such words from advertising
# categories.
PRIVATE = """hiv aids herpes syphilis gonorrhea chlamydia abortion pregnancy infertility erectile depression bipolar
schizophrenia suicide anxiety psychosis autism alcohol alcoholism heroin opioid cocaine addiction abuse rape obesity
incontinence dementia alzheimer cancer tumor leukemia hepatitis tuberculosis""".split()
# Labels: concepts of the taxonomies; what lies below one of them is sensitive.
SENSITIVE = ("sexually transmitted disease", "mental disorder", "neoplasm", "substance abuse", "infertility disorder")

ERRATA = (
    "As printed, SPI rewards the wrong release: it weighs an item by 1 − sensitivity also where the release withholds "
    "it. Two documents with sensitivities .9 and .1, each half of a user's log: releasing only the harmless one gives "
    "0.0802, only the sensitive one 0.2311. The index of what is withheld gives 0.7583 and 0.0519.",
    "The base of the logarithm is not stated; base 2 makes JSD and SPI bounded by 1, as the paper says they are.",
    "A user of whom nothing is released has no distribution; the value is 1 by convention, which is the limit of JSD.",
    "How PEL's probabilities were estimated is left to a reference; here a released query tells exactly itself, which "
    "makes PEL the cross entropy of release and log over the entropy of the log: it can pass 1.",
)

# Choices that were made after results had been seen; they belong beside the figures.
REACHED = (
    "Before this form the words that made labels also made the users' profiles and the releases, so that classifier "
    "and PPP agreed by construction. Labels, profiles and releases now come from three sources.",
    "Popularity was made flatter once: drawn from numpy's Zipf distribution and cut at the number of topics, two "
    "topics were a third of the log, and their labels decided every figure.",
    "Strategies are compared at equal shares of what is released, as far as all three can fill them; small shares "
    "were added because PPP is less than half of this log.",
)


def run(given: Given) -> tuple[list[Section], dict[str, object]]:
    """Repeat every experiment of the paper; return the sections of a report and the numbers."""
    queries = read_gold(file_of(given.data, "asq_phi/asq_dev300.jsonl", "002"))
    topics = _topics(file_of(given.data, "k_medquad/medquad.jsonl.gz", "002"))
    # the classifier learns from one half of queries and topics, the log is made of the other
    log = assemble(queries[1::2], topics[1::2])
    texts, labels = _labelled(queries[::2], topics[::2])
    folds = cross_validate(texts, labels, absent=False)
    sigma = train(texts, labels, absent=False)(log.texts)
    private = contains_word(log.texts, [*PRIVATE, *_names()])
    curve = sweep_k(log, sigma, ks_for(log))
    strategies = by_strategy(log, sigma, private)
    levels = {name: compare(log, k_anonymous(log, 10), sigma, level=name) for name in ("document", "word", "partial")}
    votes = (sigma >= 0.5)[log.text].astype(int) + private[log.text].astype(int)
    agreement = fleiss_kappa(np.stack([votes, 2 - votes], axis=1))
    numbers: dict[str, Any] = {
        "users": len(log.users),
        "queries": len(log),
        "distinct": len(log.texts),
        "ppp": float(private[log.text].mean()),
        "kappa of classifier and PPP": agreement,
        "classifier": folds.to_json(),
        "sensitive": float((sigma >= 0.5)[log.text].mean()),
        "by_k": curve,
        "correlations": correlations(curve),
        "by_strategy": strategies,
        "k_10_by_level": {name: one.to_json() for name, one in levels.items()},
    }
    sections = [
        _setting(numbers),
        _claims(numbers),
        Section("Errata", ERRATA),
        Section("How the setting was reached", REACHED),
        sensitivity_section(folds),
        k_section(curve),
        *_strategies(strategies),
    ]
    return sections, numbers


def _topics(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return sorted({" ".join(term.words(json.loads(line)["focus"])) for line in file} - {""})


def _labelled(queries: list[GoldDocument], topics: list[str]) -> tuple[list[str], list[bool]]:
    """Training texts: queries with and without personal data, and as many sensitive topics as others."""
    taxonomy = open_taxonomy()
    marked = [any(taxonomy.is_generalization(concept, topic) for concept in SENSITIVE) for topic in topics]
    sensitive = [topic for topic, mark in zip(topics, marked, strict=True) if mark]
    others = [topic for topic, mark in zip(topics, marked, strict=True) if not mark]
    others = others[:: max(len(others) // max(len(sensitive), 1), 1)][: len(sensitive)]
    texts = [query.text for query in queries] + sensitive + others
    return texts, [bool(q.annotators["gold"]) for q in queries] + [True] * len(sensitive) + [False] * len(others)


def _names() -> list[str]:
    """Given names, family names, countries and states: lists that know nothing of the queries."""
    people = [name for c in CULTURES for name in (*c.men, *c.women, *c.family)]
    return sorted({*people, *EITHER, *COUNTRIES, *STATES})


def assemble(queries: list[GoldDocument], topics: list[str], *, users: int = USERS, seed: int = 2018) -> Log:
    """Put users together: popular topics (Zipf and Mandelbrot), favorites typed again, and a few clinical queries.

    Nothing but popularity decides who types what.
    """
    random = np.random.default_rng(seed)
    order = [topics[i] for i in random.permutation(len(topics)).tolist()]
    popular = 1 / (np.arange(len(order)) + FLAT)
    popular /= popular.sum()
    collection: dict[str, list[str]] = {}
    for number in range(users):
        ranks = random.choice(len(order), QUERIES, p=popular)
        favorites = random.integers(0, len(order), 4)
        typed = [order[rank] for rank in ranks.tolist()]
        typed += [order[i] for i in favorites[random.integers(0, 4, QUERIES // 6)].tolist()]
        typed += [queries[i].text for i in random.integers(0, len(queries), int(random.integers(0, 6))).tolist()]
        collection[f"user{number}"] = typed
    return logs_of(collection)[0]


Point = dict[str, float]


def by_strategy(log: Log, sigma: Any, private: Any) -> dict[str, list[Point]]:
    """Figure 2, with every index: what three ways to choose release, up to each share of the log."""
    releases = {
        "no PPP": nested_releases(log, ~private, SHARES),
        "only PPP": nested_releases(log, private, SHARES),
        "k-anonymous": [k_anonymous(log, k_for_share(log, share)) for share in SHARES],
    }
    result: dict[str, list[Point]] = {}
    for name, held in releases.items():
        for share, release in zip(SHARES, held, strict=True):
            if len(release):
                one = compare(log, release, sigma)
                result.setdefault(name, []).append(
                    {
                        "asked": share,
                        "impressions": one.impressions / 100,
                        "SPI as printed": one.spi_printed,
                        "SPI withheld": one.spi_withheld,
                        "JSD": one.jsd,
                        "PEL": one.pel / 100,
                    }
                )
    return result


def correlations(curve: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Pearson's correlations over k of the indexes with JSD, and of k, impressions and JSD with each other."""
    jsd = curve["JSD"]
    pairs = {
        "log k and impressions": (np.log(curve["k"]), curve["impressions / 100"]),
        "log k and JSD": (np.log(curve["k"]), jsd),
        "impressions and JSD": (curve["impressions / 100"], jsd),
        "SPI as printed and JSD": (curve["SPI as printed"], jsd),
        "SPI withheld and JSD": (curve["SPI withheld"], jsd),
        "PEL and JSD": (curve["PEL / 100"], jsd),
    }
    return {name: round(float(np.corrcoef(np.array([a, b]))[0, 1]), 3) for name, (a, b) in pairs.items()}


def _setting(numbers: Mapping[str, Any]) -> Section:
    return Section(
        "Setting: a simulated log",
        (
            "**The log is simulated.** No user of it exists: topics and queries are real, who typed them was drawn at "
            "random. The paper used the queries of 10,000 heavy AOL users, which may not be redistributed; a log or "
            "forum with users that may be was not searched for. So its figures cannot be repeated, only what it "
            "reports of behavior, as far as a simulation can show it.",
            f"{numbers['users']} users with {numbers['queries']} queries, of which {numbers['distinct']} are distinct. "
            f"{numbers['ppp']:.0%} of the queries hold a listed name, place or private word (PPP; paper: about half).",
            "Profiles are drawn by popularity alone. The classifier learns from people's marks in other clinical "
            "queries and from what the taxonomy of diseases says of other topics; PPP comes from lists of words, "
            "names and places. The two speak of the same matters but do not share a source: their agreement on the "
            f"log is kappa {numbers['kappa of classifier and PPP']:.2f} (0 is chance). A classifier "
            "that learned from a few hundred short texts carries little over to topics it has not seen.",
        ),
    )


def _claims(numbers: Mapping[str, Any]) -> Section:
    curve, together, strategies = numbers["by_k"], numbers["correlations"], numbers["by_strategy"]
    jsd, spi, pel = (np.array(curve[name]) for name in ("JSD", "SPI as printed", "PEL / 100"))
    least = min(abs(together[name]) for name in ("log k and impressions", "log k and JSD", "impressions and JSD"))
    rows = (
        ("accuracy of the classifier, 10 folds", "78 %", f"{numbers['classifier']['accuracy']:.0%}"),
        ("queries labeled sensitive", "about half", f"{numbers['sensitive']:.0%}"),
        ("JSD grows with k", "always", "always" if (np.diff(jsd) >= -1e-12).all() else "not always"),
        ("least absolute correlation of k, impressions, JSD", "> .85", f"{least:.2f} (log k)"),
        ("SPI at most JSD", "always", "always" if (spi <= jsd + 1e-12).all() else "not always"),
        ("correlation of SPI as printed with JSD over k", "weak", f"{together['SPI as printed and JSD']:.3f}"),
        (
            "correlation of SPI withheld with JSD over k",
            "(not in the paper)",
            f"{together['SPI withheld and JSD']:.3f}",
        ),
        ("SPI falls at some k", "yes", f"{int((np.diff(spi) < 0).sum())} of {len(spi) - 1} steps"),
        ("PEL while k grows", "nearly stable", f"{pel.min():.2f} to {pel.max():.2f}"),
        ("SPI as printed by strategy", "no PPP > k-anonymous > only PPP", _order(strategies, "SPI as printed")),
        ("SPI withheld by strategy", "(not in the paper)", _order(strategies, "SPI withheld")),
        ("PEL by strategy", "the same for all", _order(strategies, "PEL")),
    )
    text = (
        "SPI as printed follows JSD here: what k-anonymity takes away first is rare, and rare queries are no more "
        "sensitive than others in a simulated log, so that the weights hardly matter. The paper's weak correlation "
        "and its oscillations come from popular sensitive queries, which a simulation by popularity alone does not "
        "have. That difference is one of the log, not of the index, and cannot be settled without a real log. "
        "Strategies are compared at the largest share that all of them fill."
    )
    return Section("Claims", (text,), tables=(Table(("claim of the paper", "paper", "here"), rows),))


def _order(strategies: Mapping[str, Sequence[Point]], index: str) -> str:
    filled = {
        name: {p["asked"] for p in points if p["impressions"] >= p["asked"] - 0.01}
        for name, points in strategies.items()
    }
    common = set.intersection(*filled.values())
    if not common:
        return "no share that all fill"
    at = max(common)
    value = {name: next(p[index] for p in points if p["asked"] == at) for name, points in strategies.items()}
    shown = " > ".join(f"{name} {value[name]:.3f}" for name in sorted(value, key=lambda one: -value[one]))
    return f"{shown} (at {at:.0%})"


def _strategies(strategies: Mapping[str, Sequence[Point]]) -> list[Section]:
    names = ("SPI as printed", "SPI withheld", "JSD", "PEL")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (strategy, point["asked"], point["impressions"], *(point[name] for name in names))
        for strategy, points in strategies.items()
        for point in points
    )
    drawn = [
        plots.line_plot(
            {s: [(100 * p["impressions"], p[name]) for p in points] for s, points in strategies.items()},
            title=f"{name} by strategy",
            x_label="released impressions, %",
            y_label=name,
            y_range=(0.0, 1.0),
        )
        for name in ("SPI as printed", "SPI withheld", "PEL")
    ]
    text = (
        "A k-anonymous release shows at most the share asked, and often less, since many texts leave at one k: compare "
        "strategies at equal impressions. A strategy that cannot fill a share releases all it has."
    )
    columns = ("strategy", "share asked", "released", *names)
    return [Section("Figure 2: by what is released", (text,), tables=(Table(columns, rows),), plots=tuple(drawn))]
