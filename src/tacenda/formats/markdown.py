"""Tables in plain text, as Markdown writes them: their cells know their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tacenda.model import Part

_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?[ \t]*")
_BAR = re.compile(r"(?<!\\)\|")


def parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a text that holds tables; nothing if it holds none, so that it is one part of prose.

    >>> [(p.kind, p.column) for p in parts("| Name | Age |\\n|---|---|\\n| Fox | 40 |\\n")]
    [('label', ''), ('label', ''), ('cell', 'Name'), ('cell', 'Age')]
    """
    if "|" not in text or "-" not in text:
        return ()
    lines = _lines(text)
    found: list[Part] = []
    at, done, tables = 0, 0, 0
    while at + 1 < len(lines):
        end = _table_end(text, lines, at)
        if end is None:
            at += 1
            continue
        tables += 1
        found += [*_prose(text, done, lines[at][0]), *_table(text, lines[at:end], tables)]
        at, done = end, lines[end - 1][1]
    return (*found, *_prose(text, done, len(text))) if found else ()


def _lines(text: str) -> list[tuple[int, int]]:
    lines, start = [], 0
    for line in text.splitlines(keepends=True):
        lines.append((start, start + len(line.rstrip("\r\n"))))
        start += len(line)
    return lines


def _table_end(text: str, lines: list[tuple[int, int]], at: int) -> int | None:
    """Return the line after the table that begins here: heads, a rule, rows."""
    head, rule = (text[slice(*lines[n])] for n in (at, at + 1))
    if "|" not in head or not _RULE.fullmatch(rule) or len(_BAR.findall(head.strip().strip("|"))) < 1:
        return None
    end = at + 2
    while end < len(lines) and _BAR.search(text[slice(*lines[end])]):
        end += 1
    return end


def _table(text: str, lines: list[tuple[int, int]], number: int) -> Iterator[Part]:
    heads = [text[a:b] for a, b in _cells(text, *lines[0])]
    for row, line in enumerate((lines[0], *lines[2:])):
        for column, (start, end) in enumerate(_cells(text, *line)):
            if start < end:
                head = heads[column] if row and column < len(heads) else ""
                where = f"table {number}, row {row + 1}, cell {column + 1}"
                yield Part(start, end, "cell" if row else "label", where, head)


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the cells of a row begin and end, without the spaces around them."""
    edges = [start - 1, *(m.start() for m in _BAR.finditer(text, start, end)), end]
    cells = [(a + 1, b) for a, b in pairwise(edges)]
    if cells and not text[slice(*cells[0])].strip():
        cells = cells[1:]
    if cells and not text[slice(*cells[-1])].strip():
        cells = cells[:-1]
    return [_trimmed(text, a, b) for a, b in cells]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    left = len(inner) - len(inner.lstrip())
    return start + left, start + max(left, len(inner.rstrip()))


def _prose(text: str, start: int, end: int) -> Iterator[Part]:
    start, end = _trimmed(text, start, end)
    if start < end:
        yield Part(start, end)
