"""Columns of pandas, polars, Arrow and DuckDB: the text of the library, nulls kept, failures never the original."""

from __future__ import annotations

from typing import Any

import pytest

from tacenda import InputError, Sanitizer, UsageError
from tacenda.frames import sanitize_column, sanitize_values

GREEK = "Ο ασθενής μένει στην οδό Σταδίου και τηλεφωνεί συχνά στο νοσοκομείο."
NOTES = ["Ann Porter called (212) 555-0123.", None, GREEK, "Ms Porter was late; Bob Hill was not."]
CASES = ["a", "b", "c", "a"]


def made(kind: str) -> Any:
    module = pytest.importorskip(kind)
    if kind == "pandas":
        return module.DataFrame({"note": NOTES, "case": CASES, "n": range(4)}, index=[5, 6, 7, 8])
    if kind == "polars":
        return module.DataFrame({"note": NOTES, "case": CASES, "n": range(4)})
    if kind == "pyarrow":
        return module.table({"note": NOTES, "case": CASES, "n": range(4)})
    pytest.importorskip("pyarrow")
    rows = ", ".join("(NULL)" if n is None else "('" + n.replace("'", "''") + "')" for n in NOTES)
    return module.sql(f"select * from (values {rows}) as given(note)")


def values(table: Any, name: str) -> list[Any]:
    column = table[name] if hasattr(table, "__getitem__") else table.column(name)
    found = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    return [None if v is None or v != v else v for v in found]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "duckdb"])
def test_every_kind_of_table(kind: str) -> None:
    table = made(kind)
    result = sanitize_column(table, "note", policy="identifiers", plans=True)
    expected = Sanitizer("identifiers").sanitize(NOTES[0]).text
    assert values(result, "note")[:3] == [expected, None, None]
    assert values(result, "note_error") == [None, None, "InputError", None]
    assert values(result, "note_plan")[0].startswith("{")
    assert not any("Σταδίου" in str(values(result, name)) for name in ("note", "note_error", "note_plan"))
    if kind != "duckdb":
        assert values(result, "n") == [0, 1, 2, 3]


def test_rows_of_one_case_number_a_person_alike() -> None:
    rows = list(sanitize_values(NOTES, Sanitizer("identifiers"), cases=CASES))
    assert "[person 1]" in str(rows[0].text)
    assert "[person 1]" in str(rows[3].text)
    assert "[person 2]" in str(rows[3].text)
    alone = list(sanitize_values([None, *NOTES[:1], None], Sanitizer("identifiers")))
    assert [row.text is None for row in alone] == [True, False, True]


def test_known_values_of_each_row() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"note": ["The patient Quill came by.", "The pen is a quill."], "who": ["Quill", None]})
    result = sanitize_column(frame, "note", policy="court", known="who")["note"].tolist()
    assert "Quill" not in result[0]
    assert result[1] == "The pen is a quill."


def test_mistakes_are_told() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"note": [1]})
    with pytest.raises(InputError, match="no column 'text'"):
        sanitize_column(frame, "text", policy="identifiers")
    with pytest.raises(InputError, match="not text"):
        sanitize_column(frame, "note", policy="identifiers")
    with pytest.raises(UsageError, match="pandas or polars"):
        sanitize_column({"note": []}, "note", policy="identifiers")
