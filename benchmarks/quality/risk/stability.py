"""Are risky groups found on one half of the collection found again on the other?

    python benchmarks/quality/risk/stability.py DATA INDEX ENCODER

Halves are every other article. Groups of the six articles of paper 001 (first 3,000 characters, their own entity).
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import reduce
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Half, annotate, articles, write

from papers.paper001 import ENTITIES
from tacenda.annotate.encoder import Encoder
from tacenda.arrays.window_sets import meet
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Protected
from tacenda.risk.counts import Counts
from tacenda.risk.groups import TermSets, minimal_groups
from tacenda.risk.protected import expand
from tacenda.risk.rules import Evidence, Rule
from tacenda.risk.terms import single_words, whole_phrases


def main() -> None:
    """Count groups and how many of them come again."""
    data, encoder, taxonomy = Path(sys.argv[1]), Encoder(sys.argv[3]), open_taxonomy()
    halves = [Counts(Half(Path(sys.argv[2]), parity), "half") for parity in (0, 1)]
    documents = [(name, annotate(encoder, name, text, ())[0]) for name, text in articles(data, 3000)]
    result = {}
    for unit, gather in (("words", single_words), ("terms", whole_phrases)):
        for alpha in ("3/2", "2"):
            for mode in ("evidence", "paper"):
                found = above = risky = 0
                for name, mentions in documents:
                    forms = expand(Protected(name, ENTITIES[name]), Counts(halves[0].whole.whole, "all"), taxonomy)
                    terms = [t for t in gather(mentions, range(len(mentions))) if len(t.words)]
                    for one, other in ((0, 1), (1, 0)):
                        a, b, c = again(halves[one], halves[other], forms.counted, terms, Fraction(alpha), mode)
                        found, above, risky = found + a, above + b, risky + c
                key = f"{unit}, alpha {alpha}, {mode}"
                result[key] = {
                    "groups": found,
                    "above the limit again": round(above / max(1, found), 3),
                    "risky again, all evidence asked anew": round(risky / max(1, found), 3),
                }
                print(key, result[key], flush=True)
    write("stability", result)


def again(here, there, forms, terms, alpha, mode):
    """Return the groups found here, those above the limit there, and those risky there."""
    evidence = Evidence.of(mode)
    secret, secret_there = here.union(forms), there.union(forms)
    rule = Rule(len(secret), here.total, alpha=alpha, evidence=evidence)
    rule_there = Rule(len(secret_there), there.total, alpha=alpha, evidence=evidence)
    windows = [here.windows(term.key) for term in terms]
    single = {i for i, own in enumerate(windows) if rule.single(len(meet(own, secret)), len(own)) or not len(own)}
    sets = TermSets(windows, here.articles)
    found = minimal_groups(sets, secret, rule, skip=frozenset(single), most=100_000)
    above = risky = 0
    groups = [group for group in found.groups if len(group.terms) > 1]
    for group in groups:
        own = reduce(meet, (there.windows(terms[i].key) for i in group.terms))
        both = meet(own, secret_there)
        if rule_there.exceeds(len(both), len(own)):
            above += 1
            articles_there = len(set(there.articles(both).tolist()))
            risky += rule_there.group(len(both), len(own)) and articles_there >= evidence.articles
    return len(groups), above, risky


main()
