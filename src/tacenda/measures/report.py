"""One self-contained page of a measurement: tables, plots, and how it was made. Numbers only, never source text."""

from __future__ import annotations

import math
import platform
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import numpy as np

from tacenda import __version__, term

Cell = str | float | int | None


@dataclass(frozen=True)
class Table:
    """A table: names of the columns, and rows of numbers and names."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, some sentences, figures to stand out, tables and plots (SVG)."""

    title: str
    text: tuple[str, ...] = ()
    figures: tuple[tuple[str, Cell], ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[str, ...] = field(default=(), repr=False)


def versions() -> dict[str, str]:
    """What the numbers depend on."""
    return {
        "tacenda": __version__,
        "terms": str(term.VERSION),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def shown(value: Cell) -> str:
    """A cell as text: integers whole, other numbers with three digits, a dash for what is unknown.

    >>> shown(0.12345), shown(3), shown(None), shown(float("nan"))
    ('0.123', '3', '–', '–')
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.0f}" if value == int(value) and abs(value) >= 10 else f"{value:.3f}"
    return str(value)


def command_line(arguments: Sequence[str]) -> str:
    """The command as it can be typed again; of a full path only the name, since reports are passed on.

    >>> command_line(["reproduce", "004", "--data", "/home/ann/notes"])
    'tacenda reproduce 004 --data notes'
    """
    return shlex.join(["tacenda", *(Path(one).name if Path(one).is_absolute() else one for one in arguments)])


STYLE = """
:root{color-scheme:light dark;--ground:#fbfbf9;--card:#fff;--ink:#1d2733;--soft:#5b6774;--rule:#e2e5e9;--accent:#1f5fae}
@media (prefers-color-scheme:dark){:root{--ground:#12171d;--card:#1a2129;--ink:#e6eaf0;--soft:#9aa7b5;--rule:#2c3642;
--accent:#7db4f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:880px;margin:0 auto;padding:40px 20px 60px}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:0 0 10px}
.lead{color:var(--soft);margin:0 0 28px}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:22px 24px;margin:0 0 20px}
p{margin:0 0 12px;max-width:68ch}
.figures{display:flex;flex-wrap:wrap;gap:12px;margin:4px 0 16px;padding:0;list-style:none}
.figures li{border:1px solid var(--rule);border-radius:8px;padding:10px 16px;min-width:130px}
.figures b{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums;color:var(--accent);line-height:1.2}
.figures span{color:var(--soft);font-size:.85rem}
.wide{overflow-x:auto;margin:0 0 16px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
caption{text-align:left;color:var(--soft);padding:0 0 6px;font-size:.88rem}
th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th{color:var(--soft);font-weight:600}
th.name,td.name,th:first-child,td:first-child{text-align:left}
td.name{white-space:normal}
tbody tr:last-child td{border-bottom:0}
svg.plot{width:100%;height:auto;margin:6px 0 14px;display:block}
pre{background:var(--ground);border:1px solid var(--rule);border-radius:8px;padding:12px 14px;overflow-x:auto;
font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:0 0 12px;white-space:pre-wrap;
overflow-wrap:anywhere}
@media print{section{break-inside:avoid}}
"""


def page(title: str, sections: Sequence[Section], *, command: str, lead: str = "") -> str:
    """Write the page as HTML that needs no other file."""
    body = "".join(_section(one) for one in sections)
    made = "".join(f"<tr><td>{escape(k)}</td><td>{escape(v)}</td></tr>" for k, v in versions().items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main><h1>{escape(title)}</h1>"
        f'<p class="lead">{escape(lead)}</p>{body}'
        f"<section><h2>How this was made</h2><pre>{escape(command)}</pre>"
        f'<div class="wide"><table><tbody>{made}</tbody></table></div>'
        "<p>This page holds numbers only, no text of the documents measured. What it says holds for these documents, "
        "these attackers and this background, and for no others.</p></section></main></body></html>\n"
    )


def _section(section: Section) -> str:
    figures = "".join(f"<li><b>{escape(shown(v))}</b><span>{escape(k)}</span></li>" for k, v in section.figures)
    return (
        f"<section><h2>{escape(section.title)}</h2>"
        + "".join(f"<p>{escape(text)}</p>" for text in section.text)
        + (f'<ul class="figures">{figures}</ul>' if figures else "")
        + "".join(section.plots)
        + "".join(_table(table) for table in section.tables)
        + "</section>"
    )


_CLASS = ' class="name"'


def _table(table: Table) -> str:
    named = [any(isinstance(row[i], str) for row in table.rows) for i in range(len(table.columns))]
    head = "".join(
        f"<th{_CLASS if name else ''}>{escape(column)}</th>" for column, name in zip(table.columns, named, strict=True)
    )
    rows = "".join("<tr>" + "".join(_cell(c) for c in row) + "</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(value: Cell) -> str:
    return f"<td{_CLASS if isinstance(value, str) else ''}>{escape(shown(value))}</td>"


def markdown(table: Table) -> str:
    """The same table for a documentation page."""
    rows = [[cell.replace("|", "\\|") for cell in map(shown, row)] for row in (table.columns, *table.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(table.columns), *lines[1:]])


def envelope(kind: str, result: Mapping[str, object], *, command: str) -> dict[str, object]:
    """A result as JSON: what was measured, with the command and versions."""
    return {"format": f"tacenda-measure-{kind}/1", "command": command, "versions": versions(), "result": dict(result)}


def markdown_page(title: str, sections: Sequence[Section], *, figures: Callable[[int], str]) -> str:
    """The same report for the documentation; `figures` names the file of each plot."""
    lines, number = [f"# {title}", ""], 0
    for section in sections:
        lines += [f"## {section.title}", ""]
        lines += [f"- {text}" if len(section.text) > 2 else f"{text}\n" for text in section.text]
        lines += [f"- {name}: {shown(value)}" for name, value in section.figures]
        for _ in section.plots:
            lines += ["", f"![{section.title}]({figures(number)})"]
            number += 1
        for table in section.tables:
            lines += ["", *([f"*{table.caption}*", ""] if table.caption else []), markdown(table)]
        lines.append("")
    return "\n".join(lines)
