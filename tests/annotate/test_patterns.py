"""Identifiers: each family's forms, what must not misfire, Unicode dress, hostile texts."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.annotate.patterns import LABELS, Patterns
from tacenda.model import Document, Mention


def found(text: str, floor: float = 0.5) -> list[tuple[str, str]]:
    return [(m.label, m.text) for m in Patterns(floor=floor).annotate(Document(text)).mentions]


def only(text: str) -> Mention:
    (mention,) = Patterns(floor=0.5).annotate(Document(text)).mentions
    return mention


SURE = [
    ("Write to jane.doe+x@mail.example.co.uk today", "EMAIL", "jane.doe+x@mail.example.co.uk"),
    ("see https://example.org/a_(b)?q=1.", "URL", "https://example.org/a_(b)?q=1"),
    ("at www.example.com, or", "URL", "www.example.com"),
    ("login from 192.168.1.77 failed", "IP", "192.168.1.77"),
    ("host 2001:db8::ff00:42:8329 answered", "IP", "2001:db8::ff00:42:8329"),
    ("adapter 00:1B:44:11:3A:B7 replaced", "MAC", "00:1B:44:11:3A:B7"),
    ("pay to GB82 WEST 1234 5698 7654 32 now", "IBAN", "GB82 WEST 1234 5698 7654 32"),
    ("my card 4539148803436467 expired", "CARD", "4539148803436467"),
    ("paid with 4539 1488 0343 6467", "CARD", "4539 1488 0343 6467"),
    ("SSN: 219-09-1234", "SSN", "219-09-1234"),
    ("NHS number 943 476 5919", "NHS", "943 476 5919"),
    ("National Insurance AB 12 34 56 C", "NATIONAL_ID", "AB 12 34 56 C"),
    ("con DNI 54362315K", "NATIONAL_ID", "54362315K"),
    ("codice RCCMNL83S18D969H", "NATIONAL_ID", "RCCMNL83S18D969H"),
    ("Aadhaar 2341 2341 2346", "NATIONAL_ID", "2341 2341 2346"),
    ("VIN 1M8GDM9AXKP042788", "VIN", "1M8GDM9AXKP042788"),
    ("passport no. 533380006", "PASSPORT", "533380006"),
    ("driver's license number D1234567", "LICENSE", "D1234567"),
    ("plate number KA-4821", "PLATE", "KA-4821"),
    ("(MRN: RC-789654)", "RECORD", "RC-789654"),
    ("mrn#MP98765.", "RECORD", "MP98765"),
    ("policy number HPN-456789", "ACCOUNT", "HPN-456789"),
    ("account no. 12345678", "ACCOUNT", "12345678"),
    ("application (no. 36244/06)", "CASE", "36244/06"),
    ("docket 2:21-cv-01234-ABC", "CASE", "2:21-cv-01234-ABC"),
    ("pacemaker serial number PJN-88123", "DEVICE", "PJN-88123"),
    ("call me at 202-456-1111 tonight", "PHONE", "202-456-1111"),
    ("ring +44 20 7946 0958 or", "PHONE", "+44 20 7946 0958"),
    ("Fax: (555) 123-4567", "FAX", "(555) 123-4567"),
    ("born on 12 March 1980 in", "DATETIME", "12 March 1980"),
    ("born March 12th, 1980.", "DATETIME", "March 12th, 1980"),
    ("on 12/03/2019", "DATETIME", "12/03/2019"),
    ("stamp 2019-03-12T10:20:30Z ok", "DATETIME", "2019-03-12T10:20:30Z"),
    ("When: 1978-07-13 07:00:28", "DATETIME", "1978-07-13 07:00:28"),
    ("in the 1990s he", "DATETIME", "1990s"),
    ("in autumn of 1996 he", "DATETIME", "autumn of 1996"),
    ("see you Thursday then", "DATETIME", "Thursday"),
    ("a 92-year-old widow", "AGE", "92-year-old"),
    ("a man aged 91 fell", "AGE", "aged 91"),
    ("my son turned 42", "AGE", "42"),
    ("lives at 1234 Elm St, Chicago, IL 60601", "ADDRESS", "1234 Elm St, Chicago, IL 60601"),
    ("write to P.O. Box 4521", "ADDRESS", "P.O. Box 4521"),
    ("London SW1A 1AA", "ZIP", "SW1A 1AA"),
    ("Ottawa K1A 0B1", "ZIP", "K1A 0B1"),
    ("ZIP: 75534-030", "ZIP", "75534-030"),
    ("Reno, NV 89501", "ZIP", "89501"),
]


@pytest.mark.parametrize(("text", "label", "form"), SURE)
def test_found_with_full_confidence(text: str, label: str, form: str) -> None:
    mention = only(text)
    assert (mention.label, mention.text, mention.confidence) == (label, form, 1.0)
    assert mention.kind == "identifier"
    assert label in LABELS


VALID = [
    ("It ended on 12 March 2019.", "DATETIME", "12 March 2019"),
    ("the 12th of March came", "DATETIME", "12th of March"),
    ("on 12-Mar-80 it", "DATETIME", "12-Mar-80"),
    ("between 3 and 5 May 2000", "DATETIME", "3 and 5 May 2000"),
    ("seen 4/12/22", "DATETIME", "4/12/22"),
    ("signed 12.3.19", "DATETIME", ""),
    ("at 10.30 a.m. it", "DATETIME", "10.30 a.m."),
    ("ninety-two years old", "AGE", "ninety-two years old"),
    ("Hauptstrasse 12", "ADDRESS", "Hauptstrasse 12"),
    ("in Bjert 6091 now", "ZIP", "6091"),
    ("the code 219-09-1234", "SSN", "219-09-1234"),
]


@pytest.mark.parametrize(("text", "label", "form"), VALID)
def test_found_with_less_confidence(text: str, label: str, form: str) -> None:
    assert found(text) == ([(label, form)] if form else [])


NOTHING = [
    "Article 5 may be amended; 3 mar.",
    "section 12.3.4 of version 1.2.3",
    "about 4,000 people and 35% of 12.5 kg",
    "attempts at suicide",
    "std::vector and a::b",
    "costs of 1,234.56 euros",
    "4539148803436468 is no card",
    "the number 8001234567 of parts",
    "room 12, floor 3",
    "rule 26 § 1 and Article 38 § 1",
]


@pytest.mark.parametrize("text", NOTHING)
def test_no_misfire(text: str) -> None:
    assert found(text) == []


def test_year_of_a_law_is_no_date() -> None:
    assert found("the Fair Employment Act 1976 and the Act of 1989, since 1990", floor=0.0) == [("DATETIME", "1990")]


def test_age_over_89_is_direct_and_bare_year_is_not() -> None:
    assert only("a 92-year-old").role == "direct"
    assert only("a 54-year-old").role == "quasi"
    assert only("since 1987 it").role == "none"


def test_listed_case_numbers_share_the_name() -> None:
    assert [t for _, t in found("applications nos. 63464/00, 63465/00 and 63466/00")] == [
        "63464/00",
        "63465/00",
        "63466/00",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "mail jo\u200bhn@exam\u00adple.org",
        "mail ｊｏｈｎ＠ｅｘａｍｐｌｅ．ｏｒｇ",
        "SSN: ２１９-０９-１２３４",
        "SSN: 219‑09–1234",
        "born 12\u00a0March\u00a01980",
    ],
)
def test_unicode_dress_hides_nothing(text: str) -> None:
    mention = only(text)
    assert mention.end == len(text)
    assert text[mention.start : mention.end] == mention.text


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789 .-/:@+()ABab\u200b１MayNo#,\n", max_size=80))
def test_offsets_hold_and_nothing_overlaps(text: str) -> None:
    mentions = Patterns().annotate(Document(text)).mentions
    assert all(text[m.start : m.end] == m.text and m.text for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


HOSTILE = ["1", "@", ".", "1 ", "12.", "a@", "A1", "+1", "(1)-", "1/", "::f", "12 Aa Bb Cc ", "no. ", "May 1", "GB82 "]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_linearly(unit: str) -> None:
    patterns = Patterns()

    def cost(size: int) -> float:
        text = (unit * size)[:size]
        begun = time.process_time()
        patterns.annotate(Document(text))
        return time.process_time() - begun

    cost(2_000)
    # A quadratic cost would grow 64 times and more.
    assert cost(32_000) < 24 * cost(4_000) + 0.2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We met at the corner of Elm and Third.", ["corner of Elm and Third"]),
        ("at the junction of Mill Lane & the Old Stover Rd, he fell", ["junction of Mill Lane & the Old Stover Rd"]),
        ("the intersection of 5th Avenue and 42nd Street", ["intersection of 5th Avenue and 42nd Street"]),
        ("the corner of the room and a lamp", []),
    ],
)
def test_where_two_streets_meet_is_an_address(text: str, found: list[str]) -> None:
    assert [m.text for m in Patterns().annotate(Document(text)).mentions if m.label == "ADDRESS"] == found


def test_a_flat_belongs_to_its_address() -> None:
    found = Patterns().annotate(Document("Address: Flat 3, 118 Marlborough Rd, Cardiff CF23 5BT")).mentions
    assert found[0].text.startswith("Flat 3, 118 Marlborough Rd")
