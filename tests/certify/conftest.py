"""Collections of windows made of texts, for the verifier."""

from __future__ import annotations

import numpy as np

from tacenda import term


class TextCollection:
    """What `certify.index_file.Collection` answers, from texts held in memory."""

    def __init__(self, texts, articles=None, scope=None):
        self.texts, self.articles, self.scope = texts, articles or list(range(len(texts))), scope
        self.total = len(texts) if scope is None else len(scope)
        self.digests = ["d" * 64]
        self._held = [{token.key for token in term.tokens(text)} for text in texts]

    @property
    def article_starts(self):
        return np.array([i for i, a in enumerate(self.articles) if not i or a != self.articles[i - 1]], dtype=np.int64)

    def within(self, scope):
        return TextCollection(self.texts, self.articles, scope)

    def count(self, key):
        return sum(key in held for held in self._held)

    def windows(self, keys):
        found = np.array([i for i, held in enumerate(self._held) if held & set(keys)], dtype=np.int64)
        return (found if self.scope is None else np.intersect1d(found, self.scope)), False
