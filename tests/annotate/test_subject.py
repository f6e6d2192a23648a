"""Who a document is about, other names, and what belongs to others."""

from __future__ import annotations

import pytest

from tacenda.annotate import combine
from tacenda.annotate.subject import describe, find_subject, same_person
from tacenda.errors import InputError
from tacenda.model import Annotation, Document, Mention, Subject


def marked(
    text: str, *, subject: str = "", persons: tuple[str, ...] = (), others: tuple[str, ...] = ()
) -> tuple[Document, Annotation]:
    """A document in which every occurrence of the given persons and terms is a mention."""
    found = []
    for names, label, kind in ((persons, "PERSON", "entity"), (others, "LOC", "entity")):
        for name in names:
            at = text.find(name)
            while at >= 0:
                found.append(Mention(at, at + len(name), name, label, kind))  # type: ignore[arg-type]
                at = text.find(name, at + 1)
    document = Document(text, "bio", subject=subject)
    return document, combine(document, [Annotation(tuple(sorted(found, key=lambda m: (m.start, -m.end))))])


def find(document: Document, annotation: Annotation) -> Subject:
    subject = find_subject(document, annotation)
    assert subject is not None
    return subject


TWO = (
    "Ann Lee was born in Leeds. She studied in York. Lee lives in Bath.\n"
    "Bob Ray was born in Derby. He works in Hull. Ray met Ann Lee in Paris. He owns a house in Bath."
)
TWO_PARTS = {
    "persons": ("Ann Lee", "Lee", "Bob Ray", "Ray"),
    "others": ("Leeds", "York", "Bath", "Derby", "Hull", "Paris"),
}


def test_the_most_central_person_is_proposed() -> None:
    document, annotation = marked(TWO, **TWO_PARTS)
    subject = find(document, annotation)
    assert not subject.given
    assert set(subject.names) == {"Ann Lee", "Lee"}
    note = describe(subject, annotation.mentions)
    assert note.kind == "subject"
    assert [note.numbers[key] for key in ("start", "end", "mentions", "given")] == [0, 7, 3, 0]
    assert "Lee" not in repr(note)


@pytest.mark.parametrize(
    ("name", "stay"),
    [("Ann Lee", {"Bob Ray", "Ray", "Derby", "Hull"}), ("Bob Ray", {"Ann Lee", "Lee", "Leeds", "York"})],
)
def test_what_belongs_to_others_stays_and_what_is_shared_goes(name: str, stay: set[str]) -> None:
    document, annotation = marked(TWO, subject=name, **TWO_PARTS)
    subject = find(document, annotation)
    assert subject.given
    assert {annotation.mentions[i].text for i in subject.others} == stay


def test_a_subject_that_does_not_occur_is_an_error_without_names() -> None:
    document, annotation = marked(TWO, subject="Carl Zyx", **TWO_PARTS)
    with pytest.raises(InputError, match=r"bio: the subject does not occur in the text; 2 other person") as caught:
        find_subject(document, annotation)
    assert "Zyx" not in str(caught.value)


def test_a_stage_name_after_the_dates_is_the_same_person() -> None:
    text = "Theodore Kinnaird (born 16 May 1984), better known as Theo Jay, is an actor. Kinnaird met Bob Ray."
    document, annotation = marked(text, persons=("Theodore Kinnaird", "Theo Jay", "Bob Ray"))
    assert {"Theodore Kinnaird", "Theo Jay"} <= set(find(document, annotation).names)


def test_nobody_is_found_where_nobody_is_named() -> None:
    document, annotation = marked("It rains in Leeds.", others=("Leeds",))
    assert find_subject(document, annotation) is None


def test_another_name_is_found_by_its_parts_and_by_what_the_text_says() -> None:
    text = "Thomas Cruise Mapother IV is an actor. Tom Cruise acts. Jane Doe (born Joan Smith) knows Cruise."
    document, annotation = marked(
        text,
        subject="Tom Cruise",
        persons=("Thomas Cruise Mapother IV", "Tom Cruise", "Jane Doe", "Joan Smith", "Cruise"),
    )
    assert "Thomas Cruise Mapother IV" in find(document, annotation).names
    document, annotation = marked(text, subject="Jane Doe", persons=("Tom Cruise", "Jane Doe", "Joan Smith"))
    assert set(find(document, annotation).names) == {"Jane Doe", "Joan Smith"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("tom cruise", "thomas cruise mapother", True),
        ("angelina jolie", "angelina jolie voight", True),
        ("jon voight", "angelina jolie voight", False),
        ("diaz", "cameron diaz", True),
        ("j smith", "john smith", True),
        ("jane smith", "john smith", False),
        ("ann lee", "bob ray", False),
    ],
)
def test_same_person(one: str, other: str, same: bool) -> None:
    assert same_person(one.split(), other.split()) is same
    assert same_person(other.split(), one.split()) is same
