"""Draw 50 risky groups to read: six articles of paper 001, their own entity, groups of words.

python benchmarks/quality/risk/sample_groups.py DATA INDEX ENCODER [ALPHA]
"""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import annotate, articles

from papers.paper001 import ENTITIES
from tacenda.annotate.encoder import Encoder
from tacenda.arrays.window_sets import meet
from tacenda.knowledge.index import open_index
from tacenda.knowledge.taxonomy import open_taxonomy
from tacenda.model import Protected
from tacenda.risk.counts import Counts
from tacenda.risk.groups import TermSets, minimal_groups
from tacenda.risk.protected import look_up
from tacenda.risk.rules import Evidence
from tacenda.risk.terms import single_words


def main() -> None:
    """Print the sample."""
    data, index, encoder = Path(sys.argv[1]), open_index(sys.argv[2]), Encoder(sys.argv[3])
    alpha = Fraction(sys.argv[4] if len(sys.argv) > 4 else "2")
    counts, taxonomy, found = Counts(index, "sample"), open_taxonomy(), []
    for name, text in articles(data, 3000):
        secret = look_up(Protected(name, ENTITIES[name], alpha), counts, taxonomy, Evidence.of("evidence"))
        mentions, _ = annotate(encoder, name, text, ())
        terms = single_words(mentions, range(len(mentions)))
        windows = [counts.windows(term.key) for term in terms]
        single = {i for i, own in enumerate(windows) if secret.rule.single(len(meet(own, secret.windows)), len(own))}
        sets = TermSets(windows, counts.articles)
        groups = minimal_groups(sets, secret.windows, secret.rule, skip=frozenset(single)).groups
        found += [(name, [terms[i].key for i in g.terms], g.joint, g.count) for g in groups if len(g.terms) > 1]
    random.Random(7).shuffle(found)
    print(len(found), "groups")
    for name, words, joint, count in found[:50]:
        print(f"{' + '.join(words)} -> {name} ({joint} of {count})")


main()
