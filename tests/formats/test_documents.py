"""Office files, pages and mails: a name in every place is gone, and all else is still there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lxml")
pytest.importorskip("oxmsg")

from tests.formats import samples, samples_msg, samples_open
from tests.formats.checks import again, bare, count, sanitized
from tests.formats.samples import TWIN, ZEBULON, Person

from tacenda.errors import InputError
from tacenda.formats.html import Html
from tacenda.formats.mail import Eml, Mbox, Msg
from tacenda.formats.office import Docx, Ods, Odt, Pptx, Xlsx
from tacenda.model import Reading

Make = Callable[[Person], bytes]
OFFICE: dict[str, tuple[Any, Make]] = {
    "docx": (Docx(), samples.docx),
    "xlsx": (Xlsx(), samples.xlsx),
    "pptx": (Pptx(), samples.pptx),
    "odt": (Odt(), samples_open.odt),
    "ods": (Ods(), samples_open.ods),
}
ALL: dict[str, tuple[Any, Make]] = {
    **OFFICE,
    "html": (Html(), lambda who: samples_open.html(who).encode()),
    "eml": (Eml(), samples_open.eml),
    "mbox": (Mbox(), samples_open.mbox),
    "msg": (Msg(), lambda who: samples_msg.msg(who, page=samples_open.html(who))),
}
FORMATS = pytest.mark.parametrize("name", list(ALL))


@pytest.mark.parametrize("name", list(OFFICE))
def test_the_samples_hold_the_name_in_at_least_54_places(name: str) -> None:
    assert count(OFFICE[name][1](ZEBULON), ZEBULON.name) >= 54


@FORMATS
def test_nothing_is_left_of_a_name_that_is_hidden(name: str) -> None:
    form, make = ALL[name]
    data = make(ZEBULON)
    assert form.residue(data, [ZEBULON.name])
    _, written, _ = sanitized(form, data, ZEBULON)
    assert form.residue(written, [*ZEBULON.forms, ZEBULON.start + " " + ZEBULON.rest]) == []


@FORMATS
def test_what_is_read_again_is_what_was_promised(name: str) -> None:
    form, make = ALL[name]
    document, written, promised = sanitized(form, make(ZEBULON), ZEBULON)
    assert bare(again(form, written)) == bare(promised)
    assert len(document.parts) > 10
    for part in document.parts:
        assert ZEBULON.name not in part.where
        assert document.text[part.start : part.end]


@FORMATS
def test_two_files_that_differ_only_in_the_name_become_the_same_bytes(name: str) -> None:
    form, make = ALL[name]
    first = sanitized(form, make(ZEBULON), ZEBULON)[1]
    assert first == sanitized(form, make(ZEBULON), ZEBULON)[1]
    assert first == sanitized(form, make(TWIN), TWIN)[1]


@FORMATS
def test_a_file_in_which_all_is_kept_reads_the_same(name: str) -> None:
    form, make = ALL[name]
    opened = form.open(make(ZEBULON), Reading())
    text = opened.read().text
    written = opened.write([])
    assert again(form, written) == text
    renewed = Eml() if name == "msg" else form
    assert renewed.open(written, Reading()).write([]) == written


@FORMATS
def test_errors_and_representations_hold_no_text(name: str) -> None:
    form, make = ALL[name]
    data = make(ZEBULON)
    opened = form.open(data, Reading())
    document = opened.read()
    assert ZEBULON.name not in repr(document) + repr(opened) + repr(document.dropped) + repr(document.unread)


@pytest.mark.parametrize("name", list(OFFICE))
def test_half_a_file_is_refused_without_a_word_of_it(name: str) -> None:
    form, make = OFFICE[name]
    data = make(ZEBULON)
    with pytest.raises(InputError) as caught:
        form.open(data[: len(data) // 2], Reading(name="broken")).read()
    assert str(caught.value).startswith("broken: ")
    assert ZEBULON.name not in str(caught.value) + repr(caught.value)


def test_columns_are_known_by_their_heads() -> None:
    for name in ALL:
        form, make = ALL[name]
        document = form.open(make(ZEBULON), Reading()).read()
        cells = [p for p in document.parts if p.kind == "cell" and p.column == "Name"]
        assert any(ZEBULON.name in document.text[p.start : p.end] for p in cells), name


def test_what_is_left_out_is_said() -> None:
    said = Docx().open(samples.docx(ZEBULON), Reading()).read().dropped
    assert {"1 comment", "1 deleted passage", "1 glossary", "3 sets of properties"} <= set(said)
    said = Xlsx().open(samples.xlsx(ZEBULON), Reading()).read().dropped
    assert {"2 formulas", "1 pivot cache", "1 link to another workbook", "1 data validation"} <= set(said)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*OFFICE, "html"])
def test_libreoffice_opens_what_was_written(name: str, tmp_path: Path, convert: Callable[[Path, str], str]) -> None:
    form, make = ALL[name]
    _, written, _ = sanitized(form, make(ZEBULON), ZEBULON)
    path = tmp_path / f"written.{name}"
    path.write_bytes(written)
    text = convert(path, {"xlsx": "csv", "ods": "csv", "pptx": "pdf"}.get(name, "txt"))
    assert "[person 1]" in text or name == "pptx"
    assert ZEBULON.name not in text
