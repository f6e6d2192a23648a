"""K-safety, a baseline: what is left in the text about an entity fits at least K other entities as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tacenda.errors import PolicyError
from tacenda.model import Context, Mention, Risk
from tacenda.protocols import CorpusIndex
from tacenda.risk.counts import Counts
from tacenda.risk.protected import look_up
from tacenda.risk.rules import Evidence
from tacenda.risk.terms import phrase_words, whole_phrases


class KSafety:
    """Risky iff fewer than K other articles hold a term together with the other kept terms of the entity's context.

    An article of the collection stands for one entity, its words for that entity's context (Chakaravarthy and
    others, 2008, with articles for entities). Terms of the document that occur with the protected entity are kept
    from the most to the least widespread, as long as K articles without the entity hold all that is kept.

    k   least number of other articles
    """

    name = "k_safety"
    unit = "articles"
    monotone = False
    guarantee = "The kept terms that belong to a protected entity's context all occur in K other articles."

    def __init__(self, *, index: CorpusIndex, taxonomy: Any = None, k: int = 5) -> None:
        if k < 1:
            raise PolicyError(f"risk model 'k_safety': k is {k}; it must be 1 or more.")
        self.counts, self.taxonomy, self.k = Counts(index, self.name), taxonomy, k

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return the terms that would leave fewer than K other articles."""
        terms = whole_phrases(mentions, range(len(mentions)))
        windows = [self.counts.windows(term.key) for term in terms]
        articles = [np.unique(self.counts.articles(one)) for one in windows]
        risks = []
        for entry in context.protected:
            secret = look_up(entry, self.counts, self.taxonomy, Evidence())
            others = np.unique(self.counts.articles(secret.windows))
            related = [
                i
                for i in range(len(terms))
                if len(np.intersect1d(windows[i], secret.windows, assume_unique=True)) or secret.names(terms[i].words)
            ]
            left = None
            for i in sorted(related, key=lambda i: (-len(articles[i]), i)):
                without = np.setdiff1d(articles[i], others, assume_unique=True)
                both = without if left is None else np.intersect1d(left, without, assume_unique=True)
                if len(both) >= self.k and not secret.names(phrase_words(mentions[terms[i].mentions[0]])):
                    left = both
                    continue
                risks.append(
                    Risk(self.name, terms[i].mentions, entry.entity, float(len(both)), float(self.k), self.unit)
                )
        return risks
