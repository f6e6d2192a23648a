"""One search over letters: words in whatever disguise, and nothing in ordinary text."""

from __future__ import annotations

import random
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda import Document
from tacenda.annotate.gazetteer import Gazetteer
from tacenda.annotate.known import Known
from tacenda.disguise import Disguises, sought
from tacenda.model import Protected

FORMS = ("hiv", "std", "cocaine", "heroin", "antiretroviral", "cd4 count", "gp120", "methadone")
PROTECTED = Disguises([*(sought(form.split(), form) for form in FORMS), sought(["azt"], "azt", capitals=True)])
KNOWN = ("Margaret Thornbury", "00482913", "m.thornbury@example.org", "Rose Baker")


def found(text):
    return [hit.sought.what for hit in PROTECTED.find(text)]


def masked(text):
    left = text
    for mention in sorted(Known(KNOWN).annotate(Document(text)).mentions, key=lambda m: -m.start):
        left = left[: mention.start] + "#" * (mention.end - mention.start) + left[mention.end :]
    return left


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("HI-V", "hiv"),
        ("HI V", "hiv"),
        ("H.I.V.", "hiv"),
        ("H. I. V.", "hiv"),
        ("h-i-v", "hiv"),
        ("H_I_V", "hiv"),
        ("H(I)V", "hiv"),
        ("🅷🅸🆅", "hiv"),
        ("🇭🇮🇻", "hiv"),
        ("ⒽⒾⓋ", "hiv"),
        ("🄷🄸🅅", "hiv"),
        ("⒣⒤⒱", "hiv"),
        ("ＨＩＶ", "hiv"),
        ("H\u200bI\u00adV", "hiv"),
        ("#LivingWithHIV", "hiv"),
        ("HIVpositive", "hiv"),
        ("H%49V", "hiv"),
        ("&#72;IV", "hiv"),
        ("<i>H</i>IV", "hiv"),
        ("s.t.d.", "std"),
        ("c o c a i n e", "cocaine"),
        ("co-caine", "cocaine"),
        ("**co**caine", "cocaine"),
        ("hero-\nin", "heroin"),
        ("anti-retro-virals", "antiretroviral"),
        ("CD 4 count", "cd4 count"),
        ("CD-4-count", "cd4 count"),
        ("gp 120", "gp120"),
        ("A.Z.T.", "azt"),
        ("MethadoneClinic.pdf", "methadone"),
        ("m/e/t/h/a/d/o/n/e", "methadone"),
    ],
)
def test_a_word_in_disguise_is_found(text, form):
    assert form in found(f"He said {text} again.")


@pytest.mark.parametrize(
    "text",
    [
        "Hi V, all is well.",
        "he roin",
        "She has hives; the cart is full; an azt ec pattern",
        "methadones, but not themethadone",
        "The heroine and her oin",
        "At 8 pm: 1, 2, 3 or 4.",
    ],
)
def test_what_is_no_disguise_is_left_alone(text):
    assert [f for f in found(text) if f != "methadone"] == []


@pytest.mark.parametrize(
    "text",
    [
        "MargaretThornburyScan.pdf",
        "#PrayForMargaretThornbury",
        "margaretthornburyscan.pdf",
        "scan-of-thornburymargaret-2.pdf",
        "https://site.net/people/margaret_thornbury/",
        "Margaret%20Thornbury",
        "%4D%61rgaret%20Thornbury",
        "M&#97;rgaret Thornbury",
        "**Thorn**bury",
        "Margaret *Thorn*bury",
        "Thorn-bury",
        "<b>Thorn</b>bury",
        "T h o r n b u r y",
        "𝓣hornbury",
        "mthornbury_notes.doc",
        "zero zero four eight two nine one three",
        "double zero four, eight two nine one three",
        "0 0 4 8 2 9 1 3",
        "0-0-4-8-2-9-1-3",
        "m.thornbury (at) example (dot) org",
        "m.thornbury[at]example[dot]org",
        "m dot thornbury at example dot org",
        "RoseBaker.doc",
    ],
)
def test_a_known_value_in_disguise_is_found(text):
    left = masked(f"see {text} now").removeprefix("see ").removesuffix(" now")
    assert "horn" not in left.lower()
    assert "bury" not in left
    assert not any(word in left for word in ("four", "eight", "4", "Rose", "Baker", "example"))


@pytest.mark.parametrize("text", ["the dough rose", "He rose. A baker came.", "a rose bush", "margarine, thorn, bury"])
def test_everyday_words_of_a_name_stay(text):
    assert masked(text) == text


SEPARATORS = ["-", ".", "_", "*", "·", "/", "\u200b", "\u00ad", " "]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FORMS), st.integers(0, 2**32), st.sampled_from(["spell", "cut", "encode", "circle", "case"]))
def test_any_disguise_of_a_form_is_found(form, seed, how):
    draw = random.Random(seed)
    if how == "spell":
        text = draw.choice(SEPARATORS).join(form.replace(" ", ""))
    elif how == "cut":
        at = draw.randrange(1, len(form))
        text = form[:at] + draw.choice([s for s in SEPARATORS if s != " "]) + form[at:]
    elif how == "encode":
        text = "".join(f"%{ord(c):02X}" if draw.random() < 0.5 else quote(c) for c in form)
    elif how == "circle":
        text = "".join(chr(0x1F150 + ord(c) - 97) if c.isalpha() else c for c in form)
    else:
        text = "".join(draw.choice([c.upper(), c]) for c in form)
    assert form in found(f"It was {text}, he said."), (how, text)


@pytest.mark.xdist_group("health")
def test_the_policy_hides_what_was_kept_once(ready):
    sanitizer = ready("health")
    text = (
        "He is HI-V positive, takes anti-retro-virals and A.Z.T.; his CD 4 count fell. 🅷🅸🆅! A s.t.d. and c o c a i n e."
    )
    output = sanitizer.sanitize(text).text
    for left in ("HI-V", "retro", "A.Z.T", "CD 4", "🅷", "s.t.d", "c o c"):
        assert left not in output


def test_a_known_number_in_words_becomes_a_label_not_fewer_words(ready):
    text = "It is zero zero four eight two nine one three."
    output = ready("identifiers").sanitize(Document(text, known=KNOWN)).text
    assert "four" not in output


@pytest.mark.parametrize("text", ["H1V", "c0caine", "her0in", "meth4done", "AID5", "a1coho1ism", "HIV1", "hiv2"])
def test_digits_that_look_like_letters_are_letters(text: str) -> None:
    finder = Gazetteer.of_protected([Protected("HIV", ("AIDS", "cocaine", "heroin", "methadone", "alcoholism"))])
    assert [m.text for m in finder.annotate(Document(f"The file says {text} there.")).mentions][:1]


def test_codes_stay_codes() -> None:
    forms = ("AIDS", "LSD", "TLD", "TLE", "STD", "cocaine", "meth", "GHB")
    codes = "B12, H1N1, 15D, L5 disc, COVID19, T4N1M0, 5TD, L5D, P450, A1C, room 1IV, mp3, md5, C0, T1D, T1E"
    assert Gazetteer.of_protected([Protected("HIV", forms)]).annotate(Document(codes)).mentions == ()


def test_a_second_search_of_the_same_text_finds_what_the_first_did() -> None:
    text = "He used her&#111;in and c%6fcaine."
    searches = [Disguises([sought(["heroin"], 1), sought(["cocaine"], 2)]) for _ in range(3)]
    assert [[hit.sought.what for hit in search.find(text)] for search in searches] == [[1, 2]] * 3


@pytest.mark.parametrize(
    ("text", "what"), [("an HlV test", ["hiv"]), ("aIcohol", ["alcohol"]), ("All", []), ("USAlD", [])]
)
def test_a_small_l_for_a_capital_i_and_the_other_way_round(text: str, what: list[str]) -> None:
    search = Disguises([sought(["hiv"], "hiv"), sought(["alcohol"], "alcohol")])
    assert [hit.sought.what for hit in search.find(text)] == what


@pytest.mark.parametrize("text", ["CMT1E", "SH3TC2", "CMT3TC"])
def test_a_code_inside_the_name_of_a_gene_is_none(text: str) -> None:
    assert not list(Disguises([sought(["tle"], 1, capitals=True), sought(["3tc"], 2, capitals=True)]).find(text))
