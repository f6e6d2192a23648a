"""What a release consists of: the files, a certificate, a report in numbers, and a log of what was withheld.

document-1.docx ...    as the plan rewrites them, opened again and checked
certificate.json       where the policy protects something; `tacenda verify` recounts it
report.html            numbers and plots, no source text, and the head of the audit trail
withheld.csv           item by item: place, kind, how, exemption code, by whom
withheld.html          the same as a Vaughn index
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from tacenda.errors import GuaranteeError, UsageError
from tacenda.measures.plots import bar_plot
from tacenda.measures.report import Section, Table
from tacenda.measures.report import page as report_page
from tacenda.model import Plan
from tacenda.service.review.desk import Desk
from tacenda.service.review.record import Item
from tacenda.wording import note_in_words

_ROW = ("item", "place", "what was withheld", "how", "exemption", "explanation", "decided by")


def released(desk: Desk, items: Sequence[Item], how: Mapping[str, Any]) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Make all files of a release, or raise: a failed check means that nothing leaves."""
    shown = [_with_code(item, how) for item in items] if how["show_codes"] else list(items)
    left = desk.remaining(shown)
    if left and not how["allow_remaining"]:
        raise GuaranteeError(
            f"{len(left)} risk(s) above the limit remain by decisions of reviewers. Change them, or release with the"
            " remaining risks accepted; the report then says so"
        )
    plan = desk.final_plan(shown)
    written = desk.written(plan)
    files = {file.reading.name: data for file, data in zip(desk.files, written, strict=True)}
    certificate, verdict = _certificate(desk, plan, str(how["head"]))
    if certificate:
        files["certificate.json"] = certificate
    rows = _rows(desk, shown, how["codes"])
    files["withheld.csv"] = _as_csv(rows)
    files["withheld.html"] = _as_index(rows)
    files["report.html"] = _report(desk, shown, plan, len(left), verdict, how).encode("utf-8")
    summary = {"hidden": len(rows), "remaining": len(left), "certificate": verdict, "head": how["head"]}
    return files, summary


def _with_code(item: Item, how: Mapping[str, Any]) -> Item:
    """Put the exemption code at the place; it says why, and nothing about how much stood there."""
    if not item.code or not item.changes:
        return item
    from dataclasses import replace

    mark = how["codes"][item.code][0]
    text = item.replacement
    new = f"{text[:-1]} {mark}]" if text.endswith("]") else f"{text} [{mark}]"
    return replace(item, replacement=new)


def _certificate(desk: Desk, plan: Plan, head: str) -> tuple[bytes, str]:
    """Return the certificate, and what the verifier says of it."""
    from tacenda.claims import verify

    result = desk.sanitizer.apply(desk.case, plan)
    try:
        claimed = json.loads(desk.sanitizer.certify(result))
    except UsageError:
        return b"", "none: the policy protects no entity"
    except GuaranteeError:
        return b"", "none: it would not hold, since words that the index cannot judge are kept (see --certified)"
    text = json.dumps({**claimed, "audit_head": head}, indent=1, ensure_ascii=False) + "\n"
    verdict = verify(result.text, text, desk.sanitizer.policy)
    return text.encode("utf-8"), verdict.status


def _place(desk: Desk, item: Item) -> str:
    part = desk.document.part_at(item.start)
    return part.where if part and part.where else f"characters {item.start}-{item.end}"


def _rows(desk: Desk, items: Sequence[Item], codes: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    changed = sorted((item for item in items if item.changes), key=lambda one: one.start)
    for number, item in enumerate(changed, 1):
        shown, title, text = codes.get(item.code, ("", "", ""))
        explanation = f"{title}. {text}".strip(". ") if title else ""
        rows.append((str(number), _place(desk, item), item.label, item.action, shown, explanation, item.by))
    return rows


def _as_csv(rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_ROW)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def _as_index(rows: Sequence[Sequence[str]]) -> bytes:
    from tacenda.audit.export import STYLE

    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in _ROW)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>What was withheld</title>'
        f"<style>{STYLE}</style></head><body><h1>What was withheld</h1><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></body></html>\n"
    )
    return page.encode("utf-8")


def _by_kind(changed: Sequence[Item]) -> str:
    """A plot of what was hidden, by kind."""
    by_label = Counter(item.label for item in changed)
    return bar_plot(
        {label: {"hidden": float(count)} for label, count in by_label.most_common(12)},
        title="What was hidden, by kind",
        x_label="decisions",
        x_range=(0.0, float(max([1, *by_label.values()]))),
    )


def _counted(head: str, values: Iterable[str]) -> Table:
    return Table((head, "decisions"), tuple(sorted(Counter(values).items())))


def _report(desk: Desk, items: Sequence[Item], plan: Plan, left: int, verdict: str, how: Mapping[str, Any]) -> str:
    changed = [item for item in items if item.changes]
    kept = sum(item.state == "kept" for item in items)
    approved = f" A second person looked at it: {how['approved']}." if how["approved"] else ""
    sections = [
        Section(
            "Release",
            (f"Released by {how['who']}.{approved}", "Every file was opened again after writing and searched."),
            (
                ("decisions", len(items)),
                ("hidden", len(changed)),
                ("kept by reviewers", kept),
                ("risks left above the limit", left),
            ),
            (),
            (_by_kind(changed),),
        ),
        Section(
            "How",
            (),
            (),
            (
                _counted("action", (item.action for item in changed)),
                _counted("decided by", ("policy" if item.by == "policy" else "reviewers" for item in changed)),
                _counted("exemption", (item.code or "none" for item in changed)),
            ),
        ),
        Section("Certificate", (f"Verdict of the verifier: {verdict}.",)),
        Section("Notes", tuple(dict.fromkeys(note_in_words(note) for note in plan.notes)) or ("none",)),
        Section("Audit trail", (f"Head of the trail at release: {how['head']}",)),
    ]
    return report_page(
        "Release report", sections, command="tacenda serve", lead=f"Policy: {desk.sanitizer.policy.name}"
    )
