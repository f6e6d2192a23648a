"""Tables in plain text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.formats.markdown import parts
from tacenda.formats.text import Text
from tacenda.model import Reading

TABLE = """Visits of May.

| Name | Date of birth | Note |
|:-----|:-------------:|-----:|
| Fox  | 3 May 1970    | a \\| b |
| Zoe Kern | 1981 |

Name | Phone
--- | ---
Ash | 555-0142

Nothing | here.
"""


def test_cells_know_their_columns() -> None:
    document = Text().open(TABLE.encode(), Reading()).read()
    cells = [(document.text[p.start : p.end], p.column) for p in document.parts if p.kind == "cell"]
    assert cells == [
        ("Fox", "Name"), ("3 May 1970", "Date of birth"), ("a \\| b", "Note"), ("Zoe Kern", "Name"),
        ("1981", "Date of birth"), ("Ash", "Name"), ("555-0142", "Phone"),
    ]  # fmt: skip
    prose = [document.text[p.start : p.end] for p in document.parts if p.kind == "prose"]
    assert prose == ["Visits of May.", "Nothing | here."]


def test_text_without_tables_is_one_part() -> None:
    for text in ("plain", "a | b", "---\n|", "| a |\nb\n|---|", "a-b | c\n\n--- | ---"):
        assert parts(text) == ()


@given(st.text(st.sampled_from("|-: ab\n\r\\"), max_size=80))
def test_parts_lie_in_order_and_leave_only_rules_out(text: str) -> None:
    at = 0
    found = parts(text)
    for part in found:
        assert at <= part.start < part.end
        assert set(text[at : part.start]) <= set("|-: \n\r\t\\")
        at = part.end
    assert not found or set(text[at:]) <= set("|-: \n\r\t\\")
