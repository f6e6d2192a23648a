"""Tables of a page: which pieces of lines are cells, and under which head each stands.

A PDF says nothing of tables. What stands in rows of two or more pieces, one row below the other, each piece under a
piece of the first row, and with a first row that reads like heads, is taken for one. Tables painted column by column,
without heads, or with heads over several columns stay what they are: lines that no mention crosses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tacenda.formats.office.table_heads import Heads

if TYPE_CHECKING:
    from tacenda.formats.pdf.lines import Line

FEWEST_ROWS = 3  # two, if rules part the cells
FARTHEST = 4.0  # em between two rows
SLACK = 3.0  # points by which edges of one column differ
Rows = list[list[int]]


def cells(lines: Sequence[Line]) -> dict[int, str]:
    """Return the lines that are cells, by number, each with the head of its column; heads are no cells."""
    found: dict[int, str] = {}
    block: Rows = []
    for row in [*_rows(lines), []]:
        if row and block and _below(lines, block[-1], row) and (len(row) > 1 or _under(lines, block[0], row[0]) >= 0):
            block.append(row)
            continue
        found |= _table(lines, block)
        block = [row] if len(row) > 1 else []
    return found


def _rows(lines: Sequence[Line]) -> Rows:
    """Group pieces that follow each other from left to right on one baseline."""
    rows: Rows = []
    for n, line in enumerate(lines):
        before = lines[rows[-1][-1]] if rows else None
        if before is not None and _level(before, line) and line.box[0] > before.box[2] - 1:
            rows[-1].append(n)
        else:
            rows.append([n])
    return rows


def _level(a: Line, b: Line) -> bool:
    if a.start.show.direction[0] < 0.99 or b.start.show.direction[0] < 0.99:
        return False
    return abs(a.start.origin[1] - b.start.origin[1]) < 0.3 * max(a.start.show.size, b.start.show.size)


def _below(lines: Sequence[Line], above: list[int], row: list[int]) -> bool:
    a, b = lines[above[0]].start, lines[row[0]].start
    em = max(a.show.size, b.show.size)
    return 0.6 * em < a.origin[1] - b.origin[1] < FARTHEST * em and b.show.direction[0] > 0.99


def _under(lines: Sequence[Line], heads: list[int], cell: int) -> int:
    """Return the number of the head that a piece stands under; -1 if it stands under none or several."""
    left, _, right, _ = lines[cell].box
    over = [lines[n].box for n in heads]
    meet = [n for n, box in enumerate(over) if min(right, box[2]) > max(left, box[0])]
    if meet:
        return meet[0] if len(meet) == 1 else -1
    begun = [n for n, box in enumerate(over) if abs(box[0] - left) < SLACK or abs(box[2] - right) < SLACK]
    return begun[0] if len(begun) == 1 else -1


def _table(lines: Sequence[Line], block: Rows) -> dict[int, str]:
    walled = any(lines[n].walled for row in block for n in row)
    if len(block) < (2 if walled else FEWEST_ROWS):
        return {}
    texts = [[lines[n].text.strip() for n in row] for row in block]
    heads = Heads.of([row for row in texts if len(row) > 1])
    if not heads.texts:
        return {}
    found: dict[int, str] = {}
    for row in block[1:]:
        under = [_under(lines, block[0], n) for n in row]
        if -1 in under or len(set(under)) < len(under):
            return {}  # one cell that stands under no head, and nobody knows what the others mean
        found |= {n: heads.column(at) for n, at in zip(row, under, strict=True)}
    return found
