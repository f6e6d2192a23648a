"""Checks of annotators, risk models, replacers and choosers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from tacenda import term
from tacenda.model import Annotation, Candidate, Context, Document, Kind, Mention, Protected, Risk
from tacenda.protocols import (
    Annotator,
    Chooser,
    Digested,
    EveryWord,
    Noting,
    Overruling,
    Proving,
    Replacer,
    RiskModel,
    Settling,
    TextStates,
)

CANARY = "Zyxwolf"
TEXTS = (
    "",
    " ",
    "No news.",
    f"Mr {CANARY} was born on 3 July 1979 in Leeds. {CANARY} takes methadone; his e-mail is z@example.org.",
    "Größe: ｆｕｌｌ ｗｉｄｔｈ, zero\u200bwidth, soft\u00adhyphen, 中文, emoji 🙂, tab\tand\r\nline ends.",
    "x" * 20_000,
)


def sample_mentions() -> tuple[tuple[Mention, ...], Context]:
    """Return a few mentions of a made-up text with their context, for checks of parts."""
    text = f"John {CANARY} of Leeds has HIV and takes methadone. {CANARY} was born on 3 July 1979."
    wanted: tuple[tuple[str, str, Kind, int], ...] = (
        (f"John {CANARY}", "PERSON", "entity", 0),
        ("Leeds", "LOC", "entity", 1),
        ("HIV", "PROTECTED", "protected", -1),
        ("methadone", "TERM", "term", -1),
        (CANARY, "PERSON", "entity", 0),
        ("3 July 1979", "DATETIME", "identifier", -1),
    )
    mentions, at = [], 0
    for words, label, kind, entity in wanted:
        start = text.index(words, at)
        at = start + len(words)
        mentions.append(Mention(start, at, words, label, kind, "sample", entity=entity))
    end = text.index(".") + 1
    context = Context(
        Document(text, "sample"),
        sentences=((0, end), (end + 1, len(text))),
        paragraphs=((0, len(text)),),
        protected=(Protected("HIV", ("HIV", "AIDS")),),
    )
    return tuple(mentions), context


def check_annotator(annotator: Annotator, texts: Sequence[str] = TEXTS) -> None:
    """Check offsets, order, determinism, and that nothing printable holds the text."""
    assert annotator.name, "an annotator needs a name"
    check_digest(annotator)
    if isinstance(annotator, TextStates):
        _check_states(annotator)
    for text in texts:
        found = annotator.annotate(Document(text, "check"))
        assert isinstance(found, Annotation), "annotate must return an Annotation"
        assert found == annotator.annotate(Document(text, "check")), "the same text must give the same mentions"
        for m in found.mentions:
            assert 0 <= m.start < m.end <= len(text), f"mention {m.span} lies outside the text"
            assert text[m.start : m.end] == m.text, f"mention {m.span} must carry the text at its offsets"
            assert 0.0 <= m.confidence <= 1.0, "confidence must lie between 0 and 1"
            assert CANARY not in repr(m), "repr must not show the text"
        starts = [s for s, _ in found.sentences]
        assert starts == sorted(starts), "sentences must stand in reading order"
        for (_, end), (start, _) in itertools.pairwise(found.sentences):
            assert end <= start, "sentences must not overlap"


def _check_states(annotator: TextStates) -> None:
    """Check the states of word pieces, asked for before and after a text was annotated."""
    assert isinstance(annotator.keeps_states, bool), "keeps_states is True or False"
    for text in TEXTS[2:5]:
        pieces, rows = annotator.states(text)
        assert len(pieces.start) == len(pieces.end) == len(rows), "one row of numbers for each word piece"
        assert (pieces.start < pieces.end).all(), "a word piece has a beginning and an end"
        assert (pieces.end <= len(text)).all(), "a word piece lies in the text"
        assert (pieces.start[1:] >= pieces.start[:-1]).all(), "word pieces stand in reading order"
    assert annotator.is_common("the"), "the most usual word is common"
    assert not annotator.is_common(CANARY), "a word nobody uses is not common"


def check_digest(part: object) -> None:
    """Check the digest of a part that has one."""
    if isinstance(part, Digested):
        assert isinstance(part.digest, str), "a digest is text"
        assert part.digest, "a digest says something"
        assert part.digest == part.digest, "the digest of a part must not change"


def check_risk_model(model: RiskModel, sample: tuple[Sequence[Mention], Context] | None = None) -> None:
    """Check a risk model's declarations, indices, determinism, notes and its treatment of suppressed mentions."""
    mentions, context = sample or sample_mentions()
    assert all((model.name, model.unit, model.guarantee)), "a risk model states name, unit and guarantee"
    assert isinstance(model.monotone, bool), "a risk model says whether it is monotone"
    if isinstance(model, EveryWord):
        assert isinstance(model.every_word, bool), "every_word is True or False"
    risks = list(model.assess(mentions, context))
    assert risks == list(model.assess(mentions, context)), "the same mentions must give the same risks"
    for risk in risks:
        _check_risk(risk, model, len(mentions))
    assert not list(model.assess([], context)), "without mentions there is no risk"
    gone = [replace(m, text="", kind="term", vector=None) for m in mentions]
    assert not list(model.assess(gone, context)), "a suppressed mention (empty text) tells nothing"
    if isinstance(model, Overruling):
        stand = list(model.left(risks, mentions, context))
        assert [risk for risk in risks if risk in stand] == stand, "left gives some of the risks, in order, unchanged"
        assert stand == list(model.left(risks, mentions, context)), "the same risks must be left each time"
        assert not list(model.left([], mentions, context)), "where there is no risk, none is left"
    if isinstance(model, Noting):
        for asked in (mentions, gone, []):
            notes = list(model.notes(asked, context))
            assert notes == list(model.notes(asked, context)), "the same output must give the same notes"
            assert CANARY not in repr(notes) + "".join(map(str, notes)), "a note must not hold a word of the text"


def _check_risk(risk: Risk, model: RiskModel, mentions: int) -> None:
    assert isinstance(risk, Risk), "assess must yield Risk"
    assert risk.mentions, "a risk names at least one mention"
    assert all(0 <= i < mentions for i in risk.mentions), "a risk names mentions by their index"
    assert risk.model == model.name, "a risk carries the name of its model"
    assert not math.isnan(risk.score), "a score is a number"
    assert all(isinstance(n, int) for n in risk.counts.values()), "counts are integers"
    assert CANARY not in repr(risk), "a risk must not hold a word of the text"


def check_replacer(replacer: Replacer, sample: tuple[Sequence[Mention], Context] | None = None) -> None:
    """Check that candidates are deterministic, say something, and do not repeat the original."""
    mentions, context = sample or sample_mentions()
    assert replacer.name, "a replacer needs a name"
    for mention in mentions:
        found = list(replacer.candidates(mention, context))
        assert found == list(replacer.candidates(mention, context)), "the same mention must give the same candidates"
        for candidate in found:
            assert isinstance(candidate, Candidate), "candidates must yield Candidate"
            assert candidate.text.strip(), "a candidate has a text"
            assert term.normalize(candidate.text) != term.normalize(mention.text), "a candidate is not the original"
            assert candidate.action != "keep", "a candidate changes the text"
            assert candidate.bits >= 0, "bits are not negative"


def check_chooser(chooser: Chooser) -> None:
    """Check that a chooser removes every risk, touches nothing else, and proves what it says it proves."""
    assert chooser.name, "a chooser needs a name"
    if isinstance(chooser, Settling):
        assert isinstance(chooser.settles, bool), "settles is True or False"
    mentions, context = sample_mentions()
    options = [(Candidate("[x]", "label", 1.0), Candidate("[...]", "suppress")) for _ in mentions]

    def assess(current: Sequence[Mention]) -> list[Risk]:
        return [_risk(i) for i, m in enumerate(current) if m.text in ("HIV", "methadone", "[x]")]

    risks = assess(mentions)
    answers = [
        chooser.choose(mentions, options, risks, assess),
        chooser.choose(mentions, options, risks, assess, context),
    ]
    if isinstance(chooser, Proving):
        proof = chooser.solve(mentions, options, risks, assess, context)
        note = proof.note
        assert note is not None, "a choice that changes something has a note"
        if note.kind == "loss":
            assert note.numbers["bound"] <= note.numbers["bits"] + 1e-9, "no choice loses less than what must be lost"
        answers.append(proof.chosen)
    for chosen in map(list, answers):
        assert len(chosen) == len(mentions), "one choice for each mention"
        after = [
            m if c is None else replace(m, text="" if c.action == "suppress" else c.text)
            for m, c in zip(mentions, chosen, strict=True)
        ]
        assert not assess(after), "no risk may be left where a candidate removes it"
        assert chosen[0] is None, "a mention that no risk names is kept"
    nothing = list(chooser.choose(mentions, options, [], lambda _: []))
    assert nothing == [None] * len(mentions), "without risks nothing is changed"


def _risk(index: int) -> Risk:
    return Risk("check", (index,), "HIV", 2.0, 1.0, "bits")
