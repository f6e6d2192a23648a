"""Known identifiers: variants, typos, dates in all forms, numbers with any separators, reading the file."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotate.known import Known, Near, one_edit
from tacenda.annotate.known_values import classify, parse_known
from tacenda.errors import InputError
from tacenda.model import Document

SUBJECT = (
    "name: Dr Katherine Anne Holloway",
    "birth date: 1980-03-12",
    "MRN: 4471-9823",
    "address: 14 Birch Lane, Leeds LS1 4DY",
)


def masked(text: str, values: tuple[str, ...] = SUBJECT) -> str:
    mentions = Known(values).annotate(Document(text)).mentions
    for m in reversed(mentions):
        assert m.kind == "known"
        text = text[: m.start] + "#" + text[m.end :]
    return text


@pytest.mark.parametrize(
    "written",
    [
        "Katherine Anne Holloway", "HOLLOWAY, Katherine", "holloway katherine", "K. Holloway", "Holloway, K.",
        "K. A. Holloway", "Katherine A. Holloway", "katherineholloway", "Mrs Holloway", "Katherine", "K.A.H.", "KH",
        "Hol\u00adlo\u200bway", "Ｈｏｌｌｏｗａｙ", "Нolloway", "Hollowäy", "Holoway", "Hollowayy", "Hollwoay",
        "Hollovay", "Catherine", "Kahterine Holloway", "Kathrine Holloway",
        "12 March 1980", "March 12th, 1980", "12/03/1980", "3/12/80", "12.3.1980", "1980-03-12", "19800312",
        "the 12th of March 1980", "12-Mar-80", "March 12", "12 march 1980", "March 1980",
        "44719823", "4471 9823", "4471-9832", "447-19823", "4471982",
        "14 Birch Lane", "14, birch-lane", "LS1 4DY",
    ],
)  # fmt: skip
def test_every_variant_is_masked(written: str) -> None:
    assert masked(f"so {written} it").replace("the #", "#").replace("#.", "#") == "so # it"


@pytest.mark.parametrize(
    "text",
    ["a hollow way", "13 March 1981", "in 1980 rain", "4471 people", "the city of York", "catering here", "it kept on"],
)
def test_other_things_are_left(text: str) -> None:
    assert masked(text) == text


def test_year_alone_is_masked_after_born() -> None:
    assert masked("born in 1980") == "born in #"


def test_everyday_word_near_a_name_is_left_in_lower_case_only() -> None:
    brown = ("Ann Brown",)
    assert masked("the crown, brown bread, a Crown by Brown", brown) == "the crown, brown bread, a # by #"


def test_possessive_and_title_belong_to_the_span_or_stay() -> None:
    assert masked("Dr Holloway's file, Mr. Holloway") == "#'s file, #"


def test_values_of_the_document_count_too() -> None:
    (mention,) = Known().annotate(Document("Ann Lee-Zhang came", known=("Lee-Zhang",))).mentions
    assert mention.text == "Lee-Zhang"
    assert Known().annotate(Document("Ann came")).mentions == ()


words = st.text(alphabet="abcd", min_size=1, max_size=7)


def distance(a: str, b: str) -> int:
    """Optimal string alignment, by the textbook recurrence."""
    rows = [[max(i, j) if 0 in (i, j) else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = a[i - 1] != b[j - 1]
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@given(words, words)
def test_one_edit_is_distance_at_most_one(a: str, b: str) -> None:
    assert one_edit(a, b) == (distance(a, b) <= 1)


@given(st.lists(words, min_size=1, max_size=8), words)
def test_neighborhood_misses_no_near_word(targets: list[str], word: str) -> None:
    near = set(Near(targets).find(word))
    wanted = {t for t in targets if distance(word, t) <= 1}
    assert near == ({word} if word in wanted else wanted)


def test_kinds_are_told_apart() -> None:
    kinds = {text: [(v.kind, v.label) for v in classify(text)] for text in SUBJECT}
    assert kinds[SUBJECT[0]] == [("name", "PERSON")]
    assert ("date", "DATETIME") in kinds[SUBJECT[1]]
    assert kinds[SUBJECT[2]] == [("number", "RECORD")]
    assert kinds[SUBJECT[3]] == [("other", "ADDRESS")]


def test_reading_toml_and_broken_json() -> None:
    assert parse_known('name = "Jo Reed"\n[ids]\nmrn = 12345\n', "k.toml") == ("name: Jo Reed", "mrn: 12345")
    with pytest.raises(InputError, match=r"k\.json: not valid JSON \(line 1"):
        parse_known('{"name": Jo Reed}', "k.json")
    with pytest.raises(InputError, match=r"k\.toml"):
        parse_known("name = Jo Reed", "k.toml")


def test_error_and_repr_hide_the_values() -> None:
    with pytest.raises(InputError) as caught:
        parse_known('{"name": Xyzzyx}', "k.json")
    assert "Xyzzyx" not in str(caught.value)
    assert "Xyzzyx" not in repr(next(iter(classify("Xyzzyx Canary"))))


def test_linear_on_long_text() -> None:
    known = Known(SUBJECT)
    text = "Plain words about nothing, 12 of 345 and 4471 more; " * 2000
    begun = time.process_time()
    known.annotate(Document(text))
    assert time.process_time() - begun < 5
