"""Tables and records written in running text: which cells they have, and under which head each stands.

A table is a line of heads and the lines below it that are divided alike, by commas, semicolons, bars or tabs; a cell
may be quoted and hold the divider. A record is a pair of a quoted name and a quoted value, as JSON writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tacenda.model import Document, Part, Span

_DIVIDERS = ("\t", "|", ";", ",")
_LINE = re.compile(r"[^\n]+")
_HEAD = re.compile(r"[^\W\d_][\w '’./()#-]{0,30}")
_RULE = re.compile(r"[\s|:+=-]*")
_PAIR = re.compile(r'"([A-Za-z][\w .-]{0,30}+)"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\[^\n]){1,200}+)"')
_CELLS = {
    one: re.compile(rf'[ ]*(?:"((?:[^"\n]|"")*+)"[ ]*(?=\{one}|$)|([^\{one}\n]*+))(?:\{one}|$)') for one in _DIVIDERS
}
_MOST_LINES = 20_000
# What a record calls a name where a column would say "first name".
_SHORT_HEADS = {"first": "first name", "last": "last name", "middle": "middle name", "given": "given name"}


def fields(document: Document, explains: Callable[[str], object]) -> Iterator[Part]:
    """Yield the cells of tables and records in the prose of a document, each with its head as the column.

    `explains` tells whether a head says what stands under it; a table needs at least one such head.
    """
    prose = [(p.start, p.end) for p in document.parts if p.kind == "prose"] if document.parts else []
    for start, end in prose if document.parts else [(0, len(document.text))]:
        text = document.text[start:end]
        taken = sorted((*_tables(text, explains), *_records(text, explains)), key=lambda one: one[0])
        reach = 0
        for (first, last), head in taken:
            if first >= reach:
                reach = last
                yield Part(start + first, start + last, "cell", column=head)


def _tables(text: str, explains: Callable[[str], object]) -> Iterator[tuple[Span, str]]:
    heads: list[str] = []
    divider = ""
    for count, line in enumerate(_LINE.finditer(text)):
        if count > _MOST_LINES:
            return
        if heads and _RULE.fullmatch(line[0]):
            continue
        cells = _cells(line, divider) if heads else []
        if heads and len(cells) == len(heads):
            yield from ((cell, head) for cell, head in zip(cells, heads, strict=True) if cell[0] < cell[1])
            continue
        divider, heads = _heads(line, explains)


def _heads(line: re.Match[str], explains: Callable[[str], object]) -> tuple[str, list[str]]:
    """The divider and the heads of a line; none if it is no line of heads."""
    for divider in _DIVIDERS:
        if divider in line[0]:
            heads = [line.string[start:end] for start, end in _cells(line, divider)]
            named = all(_HEAD.fullmatch(head) and len(head.split()) <= 3 for head in heads)
            if len(heads) > 1 and named and any(map(explains, heads)):
                return divider, heads
    return "", []


def _cells(line: re.Match[str], divider: str) -> list[Span]:
    """The cells of a line, without quotes and spaces around them; the bars at the edges of a table hold none."""
    start, end = line.span()
    if divider == "|":
        start, end = start + (line[0][0] == "|"), end - (line[0][-1] == "|" and len(line[0]) > 1)
    found: list[Span] = []
    while start <= end:
        cell = _CELLS[divider].match(line.string, start, end)
        if cell is None:
            return []
        first, last = cell.span(1) if cell.start(1) >= 0 else cell.span(2)
        content = line.string[first:last]
        found.append((first + len(content) - len(content.lstrip()), last - len(content) + len(content.rstrip())))
        if cell.end() == end and not cell[0].endswith(divider):
            break
        start = cell.end()
    return [(first, max(first, last)) for first, last in found]


def _records(text: str, explains: Callable[[str], object]) -> Iterator[tuple[Span, str]]:
    for pair in _PAIR.finditer(text):
        head = _SHORT_HEADS.get(pair[1].lower(), pair[1])
        if explains(head):
            yield pair.span(2), head
