"""Semantic correlations: what is left in a text must not tell what a first sanitizer ζ takes out (paper 000)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tacenda.arrays.window_sets import Windows
from tacenda.errors import InputError
from tacenda.model import Context, Mention, Protected, Reason, Risk, Span
from tacenda.protocols import CorpusIndex
from tacenda.risk.against import Asking, Terms
from tacenda.risk.concepts import concept_windows
from tacenda.risk.counts import Counts
from tacenda.risk.formulas import information
from tacenda.risk.protected import Secret
from tacenda.risk.rules import Evidence, Rule, check_choice
from tacenda.risk.terms import contexts, phrase_words
from tacenda.term import content_words

ZETA = Reason("first")


def read_spans(path: str | Path) -> dict[str, list[Span]]:
    """Read somebody else's spans: JSON, document id -> [[start, end, ...], ...]."""
    try:
        table = json.loads(Path(path).read_text("utf-8"))
        return {str(key): [(int(row[0]), int(row[1])) for row in rows] for key, rows in table.items()}
    except FileNotFoundError:
        raise InputError(f"{path}: no such file of spans.") from None
    except (OSError, ValueError, AttributeError, TypeError, IndexError, KeyError):
        raise InputError(f"{path}: not a file of spans. Expected JSON: {{id: [[start, end, label], ...]}}.") from None


class Correlation:
    """Risky iff PMI(s; T) >= t_DR for a term s that ζ takes out and a group T of terms that stay (eqs 7 to 10).

    A term taken out tells nothing, but what stands in its place does: a generalization of it is a term of T, counted
    as a concept with all its kinds, the secret among them (the paper's future work). With it every group tells at
    least as much, so that more may have to go.

    What ζ takes out: mentions with one of `labels`, terms of a list, somebody else's `spans`, and terms more
    informative than `limit` bits; a phrase is taken out if any part of it is. t_DR is the information of the
    least informative of them in the document.

    context   document (default), paragraph or sentence
    mode      evidence (default) or paper
    """

    name = "correlation"
    unit = "bits"
    monotone = False
    guarantee = (
        "Relative to this index, nothing left in a context tells as much about a term taken out of it as the least "
        "informative term taken out of the document."
    )

    def __init__(
        self,
        *,
        index: CorpusIndex,
        taxonomy: Any = None,
        labels: Sequence[str] = ("PERSON", "LOC", "ORG", "PROTECTED"),
        listed: Sequence[str] = (),
        spans: str = "",
        limit: float | None = None,
        context: str = "document",
        mode: str = "evidence",
        support: int | None = None,
        level: str | float = "1/1000",
        groups: bool = True,
        terms: str = "term",
        most: int = 2_000_000,
    ) -> None:
        check_choice("context", context, ("document", "paragraph", "sentence"))
        check_choice("terms", terms, ("word", "term"))
        self.counts, self.labels, self.limit, self.context = Counts(index, self.name), frozenset(labels), limit, context
        self.taxonomy = taxonomy
        self.listed = [words for one in listed if (words := content_words(one))]
        self.spans: Mapping[str, list[Span]] = read_spans(spans) if spans else {}
        self.evidence = Evidence.of(mode, support, level)
        self._asking = Asking(self.name, self.counts, terms, groups, most, self.evidence.single_count)

    def assess(self, mentions: Sequence[Mention], context: Context) -> Iterable[Risk]:
        """Return the terms ζ takes out, then what gives them away: QS of every context (eq. 8)."""
        taken = [number for number, mention in enumerate(mentions) if self._is_taken(mention, context)]
        windows = {number: self._windows(mentions[number], context) for number in taken}
        known = [
            len(one) for number, one in windows.items() if len(one) and not self._is_fragment(number, mentions, context)
        ]
        if not known:
            return [self._first(mentions, number, 0.0, 0.0) for number in taken if mentions[number].text.strip()]
        least = max(known)
        limit = information(least, self.counts.total)
        risks = [
            self._first(mentions, number, information(len(windows[number]), self.counts.total), limit)
            for number in taken
            if mentions[number].text.strip() and not _is_changed(mentions[number], context)
        ]
        for chosen in contexts(mentions, context, self.context):
            inside = [number for number in chosen if number in windows and len(windows[number])]
            # A term taken out tells nothing; what stands in its place does.
            left = [n for n in chosen if n not in windows or _is_changed(mentions[n], context)]
            if inside and left:
                risks += self._context(mentions, context, inside, left, windows, least)
        return risks

    def _context(
        self,
        mentions: Sequence[Mention],
        context: Context,
        inside: list[int],
        left: list[int],
        windows: Mapping[int, Windows],
        least: int,
    ) -> Iterable[Risk]:
        secrets = {_original(mentions[number], context): windows[number] for number in inside}
        terms = Terms(self._asked_with(secrets), mentions, context, left)
        asked: set[str] = set()
        for number in inside:
            key = _original(mentions[number], context)
            if key in asked:
                continue
            asked.add(key)
            rule = Rule(len(windows[number]), self.counts.total, least=least, evidence=self.evidence)
            # The name of the secret is source text: the risk carries its label only.
            secret = Secret(Protected(mentions[number].label), (key,), windows[number], rule)
            yield from terms.ask(secret).risks

    def _asked_with(self, secrets: Mapping[str, Windows]) -> Asking:
        """How terms are asked where these secrets are hidden: a generalization of one holds all its windows."""
        if self.taxonomy is None:
            return self._asking
        found: dict[str, Windows] = {}

        def concept(name: str) -> Windows:
            if name not in found:
                found[name] = concept_windows(name, self.counts, self.taxonomy, secrets.items())
            return found[name]

        return replace(self._asking, concept=concept)

    def _first(self, mentions: Sequence[Mention], number: int, bits: float, limit: float) -> Risk:
        return Risk(self.name, (number,), mentions[number].label, bits, limit, self.unit, {}, ZETA)

    def _windows(self, mention: Mention, context: Context) -> Windows:
        return self.counts.windows(_original(mention, context))

    @staticmethod
    def _is_fragment(number: int, mentions: Sequence[Mention], context: Context) -> bool:
        """Tell whether a term is single letters only: "s" is in every window, and would set a limit of no bits."""
        return all(len(word) == 1 for word in _original(mentions[number], context).split())

    def _is_taken(self, mention: Mention, context: Context) -> bool:
        """Tell whether ζ takes a mention out, judged by what the document says, not by a replacement."""
        if mention.label in self.labels or mention.kind in ("protected", "known"):
            return True
        spans = self.spans.get(context.document.id, ())
        if any(start < mention.end and mention.start < end for start, end in spans):
            return True
        words = content_words(context.document.text[mention.start : mention.end])
        if any(_holds(words, part) for part in self.listed):
            return True
        return self.limit is not None and self.counts.information(" ".join(words)) > self.limit


def _original(mention: Mention, context: Context) -> str:
    """Content words of what the document says at a mention's place."""
    return " ".join(content_words(context.document.text[mention.start : mention.end]))


def _is_changed(mention: Mention, context: Context) -> bool:
    return bool(phrase_words(mention)) and context.document.text[mention.start : mention.end] != mention.text


def _holds(words: Any, part: tuple[str, ...]) -> bool:
    return any(tuple(words[i : i + len(part)]) == part for i in range(len(words) - len(part) + 1))
