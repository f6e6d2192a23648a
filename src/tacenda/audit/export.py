"""A trail as a table for a spreadsheet, as a page to read, or as the index of withheld passages a court asks for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from html import escape

from tacenda.audit.trail import Entry

COLUMNS = ("number", "at", "who", "what", "case", "place", "label", "action", "code", "version", "plan", "hash")
_DETAILS = ("place", "label", "action", "code", "version", "plan")
_HIDDEN = ("sealed",)
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
    "border-bottom:1px solid #8885}th{position:sticky;top:0;background:Canvas}code{font-size:.8em}"
)


def export(entries: Sequence[Entry], form: str, *, explain: Callable[[str], str] = str) -> str:
    """Return the entries as `form`; `explain` gives the words of an exemption code."""
    return FORMS[form](entries, explain)


def _row(entry: Entry) -> list[str]:
    head = [str(entry.number), entry.at, entry.who, entry.what, entry.case]
    return [*head, *(str(entry.details.get(name, "")) for name in _DETAILS), entry.hash]


def _as_csv(entries: Sequence[Entry], explain: Callable[[str], str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, "more"])
    for entry in entries:
        more = {k: v for k, v in entry.details.items() if k not in (*_DETAILS, *_HIDDEN)}
        cells = [*_row(entry), "; ".join(f"{k}={v}" for k, v in sorted(more.items()))]
        writer.writerow([_inert(cell) for cell in cells])
    return out.getvalue()


def _inert(cell: str) -> str:
    # A spreadsheet takes these as the beginning of a formula.
    return "'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _as_html(entries: Sequence[Entry], explain: Callable[[str], str]) -> str:
    rows = [[*_row(entry)[:-1], entry.hash[:16]] for entry in entries]
    head = entries[-1].hash if entries else ""
    note = f"<p>{len(entries)} entries; head <code>{escape(head)}</code>.</p>"
    return _page("Audit trail", note + _table([*COLUMNS[:-1], "hash"], rows))


def _as_vaughn(entries: Sequence[Entry], explain: Callable[[str], str]) -> str:
    """List what the last release of each case withheld: item, place, kind, exemption with its explanation, by whom."""
    parts = []
    for case, withheld in _last_releases(entries).items():
        rows = []
        for number, entry in enumerate(withheld, 1):
            code = str(entry.details.get("code", ""))
            by = str(entry.details.get("by", entry.who))
            kind = str(entry.details.get("label", ""))
            place, action = str(entry.details.get("place", "")), str(entry.details.get("action", ""))
            rows.append([str(number), place, kind, action, code or "none given", explain(code) if code else "", by])
        columns = ["item", "place", "what was withheld", "how", "exemption", "explanation", "decided by"]
        released = f"<p>Released {escape(withheld[0].at)} by {escape(withheld[0].who)}.</p>" if withheld else ""
        parts.append(f"<h2>Case {escape(case)}</h2>{released}{_table(columns, rows)}")
    return _page("Vaughn index", "".join(parts) or "<p>Nothing was released.</p>")


def _last_releases(entries: Sequence[Entry]) -> Mapping[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.what == "released":
            found[entry.case] = []
        elif entry.what == "withheld":
            found.setdefault(entry.case, []).append(entry)
    return found


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th scope=col>{escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _page(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = f"<body><h1>{escape(title)}</h1>{body}</body>"
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head>{body}</html>\n'


FORMS: dict[str, Callable[[Sequence[Entry], Callable[[str], str]], str]] = {
    "csv": _as_csv,
    "html": _as_html,
    "vaughn": _as_vaughn,
}
