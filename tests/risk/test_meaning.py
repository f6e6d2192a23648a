"""The risk model: what it finds, what carries it, what it leaves, and that it ends."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacenda import Document, KnowledgeError, Policy, Sanitizer, knowledge
from tacenda.annotate.encoder import Encoder
from tacenda.model import Context, Mention, Protected, Risk
from tacenda.risk.meaning.model import Meaning
from tacenda.risk.meaning.reader import Reader
from tacenda.risk.meaning.signs import Category
from tacenda.risk.terms import remaining_words
from tacenda.wording import explanations

ENTITY = Protected("substance abuse")


class FakeReader:
    """Reads .9 as long as two of three words stand in a text, .1 otherwise; within a document the same."""

    def __init__(self, telling: tuple[str, ...] = ("sober", "sponsor", "meetings")) -> None:
        self.protected = (ENTITY,)
        self.telling = telling
        self.categories = (Category("substance abuse", "", everyday=frozenset({"sober"})),)

    def alike(self, text: str, entity: int) -> list[tuple[int, int]]:
        return []

    def probabilities(self, text: str) -> np.ndarray:
        return np.array([0.9 if sum(word in text for word in self.telling) >= 2 else 0.1])

    def strong(self, text: str, entity: int) -> list[tuple[int, int]]:
        return []

    def look(self, text: str, spans: list[tuple[int, int]], *, least: float) -> np.ndarray:
        return np.array([self.probabilities(text[a:b]) for a, b in spans])

    def without(self, text: str, left_out: list[tuple[int, int]]) -> np.ndarray:
        return np.array([self.probabilities(text[:a] + text[b:]) for a, b in left_out])


class FakeEncoder:
    def is_common(self, word: str) -> bool:
        return len(word) <= 10


def model(**settings: object) -> Meaning:
    made = Meaning(encoder=FakeEncoder(), embeddings=object(), **settings)  # type: ignore[arg-type]
    made._readers[(ENTITY,)] = FakeReader()  # type: ignore[assignment]
    return made


def context(text: str, sentences: tuple[tuple[int, int], ...] = ()) -> tuple[list[Mention], Context]:
    mentions = remaining_words(text, [])
    return mentions, Context(Document(text), sentences, protected=(ENTITY,), mentions=tuple(mentions))


def words_of(risk: Risk, mentions: list[Mention]) -> list[str]:
    return [mentions[n].text for n in risk.mentions]


def test_names_the_words_that_carry_it() -> None:
    mentions, around = context("The sober man called his sponsor yesterday.")
    (risk,) = model().assess(mentions, around)
    assert words_of(risk, mentions) == ["sober"]  # without one of the two nothing is left
    assert (risk.score, risk.reason.kind) == (0.9, "meaning")
    assert risk.reason.numbers == {"before": 0.9, "after": 0.1}


def test_two_sentences_tell_together() -> None:
    text = "He goes to meetings. He is sober."
    mentions, around = context(text, ((0, 20), (21, len(text))))
    (risk,) = model().assess(mentions, around)
    assert len(risk.mentions) == 1
    assert not list(model(neighbors=False).assess(mentions, around))


def test_what_was_replaced_is_read_again() -> None:
    from dataclasses import replace

    mentions, around = context("The sober man called his sponsor yesterday.")
    gone = [replace(m, text="" if m.text == "sober" else m.text) for m in mentions]
    assert not list(model().assess(gone, around))
    back = [replace(m, text="sponsor" if m.text == "man" else m.text) for m in mentions]
    assert list(model().assess(back, around))


def test_nothing_is_named_that_is_gone() -> None:
    """A risk that names nothing more to change would keep a plan from ending."""
    from dataclasses import replace

    mentions, around = context("sober sponsor")
    always = model()
    always._readers[(ENTITY,)].telling = ("", "")  # type: ignore[attr-defined]
    empty = [replace(m, text="") for m in mentions]
    assert not list(always.assess(empty, around))


def test_clear_sentences_overrule_counts_but_not_names() -> None:
    mentions, around = context("The sober assessment.")
    counted = Risk("alpha_c", (0,), ENTITY.entity, 6.0, 3.0, "bits")
    named = Risk("alpha_c", (1,), ENTITY.entity, 6.0, 3.0, "bits", reason=_reason("name"))
    everyday = Risk("alpha_c", (0,), ENTITY.entity, 6.0, 3.0, "bits", reason=_reason("name"))
    other = Risk("alpha_c", (0,), "HIV", 6.0, 3.0, "bits")
    assert model(overrule=0.2).left([counted, named, everyday, other], mentions, around) == [named, other]
    assert model(overrule=0.05).left([counted], mentions, around) == [counted]
    assert model().left([counted], mentions, around) == [counted]
    rare = Risk("alpha_c", (1,), ENTITY.entity, 6.0, 3.0, "bits")
    long, near = context("The sober pneumocystis.")
    assert model(overrule=0.2).left([rare], long, near) == [rare]


def _reason(kind: str):  # type: ignore[no-untyped-def]
    from tacenda.model import Reason

    return Reason(kind)


def test_limit_one_switches_it_off() -> None:
    mentions, around = context("sober sponsor")
    assert not list(model(limit=1.0).assess(mentions, around))


@pytest.mark.parametrize("settings", [{"limit": 0.0}, {"limit": 1.5}, {"overrule": 0.6}])
def test_impossible_settings_are_errors(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must|needed"):
        model(**settings)


POLICY = Policy.from_text("""
name = "plain"
annotate = ["encoder"]
replace = ["label"]
[[protect]]
entity = "substance abuse"
[risk.meaning]
""")


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer(POLICY)


@pytest.mark.parametrize(
    "text",
    [
        "He has been sober for four years and still sees his sponsor.",
        "She goes to AA on Tuesdays.",
        "Dad hides vodka bottles behind the washing machine and shakes until the first one.",
        "His brother is addicted to heroin.",  # somebody else's secret is one too
    ],
)
def test_plain_language_is_cleared(sanitizer: Sanitizer, text: str) -> None:
    plan = sanitizer.plan(Document(text))
    assert any(risk.discloses == "substance abuse" for risk in plan.risks)
    assert plan.changes


@pytest.mark.parametrize(
    "text",
    [
        "The crack in the wall needs repair.",
        "Rehab after the knee operation starts on Monday.",
        "Please keep the kitchen clean for the inspection.",
        "Denies alcohol or drug use.",
    ],
)
def test_look_alikes_and_denials_tell_nothing(sanitizer: Sanitizer, text: str) -> None:
    assert not [risk for risk in sanitizer.plan(Document(text)).risks if risk.model == "meaning"]


def test_explains_itself_and_is_deterministic(sanitizer: Sanitizer) -> None:
    document = Document("He has been sober for four years and still sees his sponsor.")
    plan = sanitizer.plan(document)
    assert plan == sanitizer.plan(document)
    said = " ".join(e.why for e in explanations(plan, document))
    assert "the sentence reads as *substance abuse* (" in said
    assert "→" in said


def test_a_long_text_is_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader.__new__(Reader)
    reader.categories = (Category("substance abuse", ""),)
    asked: list[int] = []

    def stretches(text: str, spans: list[tuple[int, int]], **_how: object) -> np.ndarray:
        asked.append(len(text))
        return np.array([[float("sober" in text[a:b])] for a, b in spans])

    monkeypatch.setattr(reader, "stretches", stretches)
    monkeypatch.setattr("tacenda.risk.meaning.reader._LONG", 200)
    text = "".join("one is sober now. " if n % 7 == 3 else "nothing is told. " for n in range(60))
    ends = [at + 2 for at in range(len(text)) if text.startswith(". ", at)]
    spans = list(zip([0, *ends[:-1]], ends, strict=True))
    pairs = [(a[0], b[1]) for a, b in itertools.pairwise(spans)]
    found = reader.look(text, [*spans, *pairs], least=0.3)
    assert found[:, 0].tolist() == [float("sober" in text[a:b]) for a, b in [*spans, *pairs]]
    assert max(asked) <= 200


def test_a_reading_that_is_not_a_number_stops_the_run() -> None:
    reader = Reader((Protected("HIV"),), Encoder(), knowledge.open_vectors())
    with pytest.raises(KnowledgeError, match="not a number"):
        reader._calibrated(np.full((1, len(reader.asked)), np.nan))
