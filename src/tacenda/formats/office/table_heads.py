"""Heads of tables: which column a cell stands in, told by the first row or by the cell on its left. Names of sheets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tacenda.formats.flow import Flow
from tacenda.model import Edit, Part

_LONGEST_HEAD = 40
# Words by which a form names its fields; where they stand in the first column, rows are fields.
_FIELD = re.compile(
    r"\b(name|surname|born|birth|dob|date|address|street|city|town|zip|phone|tel|telephone|mobile|e-?mail|id|no|number|mrn|"
    r"ssn|sex|gender|age|patient|client|doctor|physician|employer|occupation|nationality|policy|account|case|file)\b",
    re.I,
)
_VALUE = re.compile(r"\d|@|[.!?]\s*$")


def is_head(row: Sequence[str]) -> bool:
    """Tell whether a row reads like the heads of columns: short words, no figures, no gaps in the middle.

    >>> is_head(["Name", "Date of birth"]), is_head(["Zoe Kern", "3 May 1970"])
    (True, False)
    """
    filled = [text for text in row if text.strip()]
    return bool(filled) and all(len(text) <= _LONGEST_HEAD and not _VALUE.search(text) for text in filled)


def _is_form(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a table of two columns is a form: at least half of its left cells name fields, the first too."""
    left = [row[0] for row in rows if len(row) == 2]
    fields = [text for text in left if is_head([text]) and _FIELD.search(text)]
    if not left or len(left) < len(rows) or left[0] not in fields or (is_head(rows[0]) and _FIELD.search(rows[0][1])):
        return False
    return 2 * len(fields) >= len(left) and (len(fields) > 1 or len(rows) == 1)


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one table by column; empty if its first row is no head."""

    texts: tuple[str, ...] = ()
    form: bool = False  # two columns: names of fields on the left, values on the right

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]], *, marked: bool = False) -> Heads:
        """Take the first row as heads if it is marked as such, or if it reads like heads of other rows."""
        if not marked and _is_form(rows):
            return cls(form=True)
        if not rows or not (marked or (len(rows) > 1 and len(rows[0]) > 1 and is_head(rows[0]))):
            return cls()
        return cls(tuple(" ".join(text.split()) for text in rows[0]))

    def column(self, index: int, left: str = "") -> str:
        """Return the head of a column; a cell on the left that ends in a colon says more.

        >>> Heads(("Field", "Value")).column(1, "Surname:")
        'Surname'
        """
        if left.rstrip().endswith(":") or (self.form and index == 1):
            return " ".join(left.split()).rstrip(": ")
        return self.texts[index] if index < len(self.texts) else ""


# Characters that the name of a sheet may not hold are written as their wide forms, and read back.
FORBIDDEN = str.maketrans("[]:*?/\\'", "［］：＊？／＼’")
ALLOWED = str.maketrans("［］：＊？／＼’", "[]:*?/\\'")


def fitted_names(flow: Flow, parts: Sequence[Part], edits: Sequence[Edit], *, longest: int = 250) -> list[Edit]:
    """Turn the edits of the names of sheets into whole names that are short enough and differ from each other."""
    text = flow.text
    inside = {at for at, (start, end, _) in enumerate(edits) if any(p.start <= start and end <= p.end for p in parts)}
    fitted = [edit for at, edit in enumerate(edits) if at not in inside]
    used: set[str] = set()
    for part in parts:
        title, done = "", part.start
        for start, end, new in sorted(edits[at] for at in inside):
            if part.start <= start and end <= part.end:
                title, done = title + text[done:start] + new, end
        title = _distinct((title + text[done : part.end]).strip()[:longest].strip() or "Sheet", used, longest)
        used.add(title.lower())
        if title != text[part.start : part.end]:
            fitted.append((part.start, part.end, title))
    return sorted(fitted)


def _distinct(title: str, used: set[str], longest: int) -> str:
    number, new = 1, title
    while new.lower() in used:
        number += 1
        new = f"{title[: longest - 6]} ({number})"
    return new
