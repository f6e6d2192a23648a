"""Listed forms in every dress; expressions of a policy kept safe."""

from __future__ import annotations

import time

import pytest

from tacenda.annotate.gazetteer import AllowList, Expressions, Gazetteer, check_words
from tacenda.annotate.safe_regex import compile_safe
from tacenda.errors import PolicyError
from tacenda.language import inflections
from tacenda.model import Document, Mention, Protected


def texts(finder: Gazetteer, text: str) -> list[str]:
    return [m.text for m in finder.annotate(Document(text)).mentions]


HIV = Gazetteer.of_protected([Protected("HIV", ("post-traumatic stress disorder", "drug abuse", "AIDS"))])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("an hiv-positive man", "hiv"),
        ("H.I.V. test", "H.I.V."),
        ("НІV in Cyrillic letters", "НІV"),
        ("H\u200bI\u00adV hidden", "H\u200bI\u00adV"),
        ("ＨＩＶ wide", "ＨＩＶ"),
        ("Post Traumatic\nStress-Disorders", "Post Traumatic\nStress-Disorders"),
        ("posttraumaticstressdisorder", "posttraumaticstressdisorder"),
        ("DRUG ABUSE's toll", "DRUG ABUSE"),
        ("with aids since", "aids"),
        ("**drug** _abuse_", "drug** _abuse"),
    ],
)
def test_protected_form_is_found_in_every_dress(text: str, form: str) -> None:
    assert texts(HIV, text) == [form]


def test_words_inside_other_words_are_left() -> None:
    assert texts(HIV, "archive, hives, drug. Some abuse") == []


def test_function_words_match_as_capitals_only() -> None:
    who = Gazetteer.of_protected([Protected("WHO")])
    assert texts(who, "those who met the WHO") == ["WHO"]


def test_longest_form_wins_at_a_word() -> None:
    finder = Gazetteer.of_words(["New York", "New York Times"])
    assert texts(finder, "the New York Times") == ["New York Times"]


def test_inflections() -> None:
    assert {"therapy", "therapies"} <= inflections("therapies")


def test_words_without_letters_are_refused() -> None:
    with pytest.raises(PolicyError, match="entry 2"):
        check_words(["ok", "--"], "policy 'x'")


def test_matching_does_not_depend_on_the_length_of_the_list() -> None:
    text = "plain words without any listed form " * 300

    def seconds(count: int) -> float:
        finder = Gazetteer.of_words([f"word{i} tail{i}" for i in range(count)])
        assert texts(finder, "word3 tail3") == ["word3 tail3"]
        begun = time.process_time()
        assert texts(finder, text) == []
        return time.process_time() - begun

    assert min(seconds(5000) for _ in range(3)) < 10 * max(0.01, min(seconds(50) for _ in range(3)))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(a|a)*b",
        r"(a|ab)*c",
        r"(\w+)\s\1",
        r"x*x*x*x*y",
        r"(?:\d+\s?)+x",
        r"(?:a?a?)*b",
        r"((a|b)*a)*c",
        "(",
    ],
)
def test_unsafe_expressions_are_refused(pattern: str) -> None:
    with pytest.raises(PolicyError, match="ticket"):
        compile_safe(pattern, "ticket")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"[A-Z]{2}-\d+", "AB-12"),
        (r"(?:foo|bar)+", "foobar"),
        (r"(?i)case no\. ?\d+", "Case no. 7"),
        (r"(?:a+)++b", "aab"),
        (r"[A-Z]\w+(?:\s[A-Z]\w+)*", "Al Bo"),
    ],
)
def test_safe_expressions_match(pattern: str, text: str) -> None:
    assert compile_safe(pattern, "x").fullmatch(text)


@pytest.mark.parametrize("pattern", [r"\w+@\w+\.\w+", r"\d+\d+x", r".*foo.*bar", r"(?:foo|bar)+x"])
def test_accepted_expressions_stay_quick_on_hostile_text(pattern: str) -> None:
    expression = compile_safe(pattern, "x")
    for unit in ("a", "1", "foo"):
        begun = time.process_time()
        expression.findall(unit * 20_000)
        assert time.process_time() - begun < 5


def test_expressions_annotate() -> None:
    (mention,) = Expressions([("TICKET", r"TK-\d{4}")]).annotate(Document("see TK-1234")).mentions
    assert (mention.label, mention.text, mention.kind) == ("TICKET", "TK-1234", "identifier")


def test_allow_list_never_frees_known_or_protected() -> None:
    may_stay = AllowList(["Leeds", "--"])
    kinds = ("entity", "term", "identifier", "known", "protected")
    # Up to six capitals read as an acronym, which is another word.
    assert [may_stay.allows(Mention(0, 5, "LEEDS", "LOC", kind)) for kind in kinds] == [False] * 5
    assert [may_stay.allows(Mention(0, 5, "Leeds", "LOC", kind)) for kind in kinds] == [True] * 3 + [False] * 2
