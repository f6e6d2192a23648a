"""A worker's desk: one case laid out, with its mentions found once, so that every question about it is quick."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from tacenda import formats
from tacenda.errors import GuaranteeError, PlanError, UsageError
from tacenda.formats import File
from tacenda.language import LABEL_WORDS
from tacenda.language.detect import check_language
from tacenda.model import Action, Candidate, Case, Decision, Document, Edit, Mention, Note, Plan, Reading, Risk
from tacenda.plan import assess, leaks
from tacenda.plan.planner import Work
from tacenda.plan.rewrite import fit_mention, splice
from tacenda.sanitizer import Sanitizer
from tacenda.service.review.limits import Ahead, limits_of
from tacenda.service.review.pages import Draft
from tacenda.service.review.record import FORCED, Item
from tacenda.service.review.stretches import stretches_around, to_words
from tacenda.wording import explain, is_inferred, note_in_words, why_decided

Choice = Action | Literal["own"]
_PAGE = re.compile(r"page (\d+)")
_KINDS = frozenset(f"[{word}]" for word in LABEL_WORDS.values())
_MOST = 10.0  # what is this many times its limit, or without bound, looks the same to a reviewer


@dataclass
class Desk:
    """One case: its files, its flat document, the plan as it was made, and the means to ask about it."""

    sanitizer: Sanitizer
    files: tuple[File, ...] = field(repr=False)
    case: Case = field(repr=False)
    given: Plan | None = field(default=None, repr=False)
    version: int = -1
    current: dict[str, Item] = field(default_factory=dict, repr=False)
    ahead: dict[tuple[str, str], Ahead] = field(default_factory=dict, repr=False)
    drafts: dict[int, Draft] = field(default_factory=dict, repr=False)
    _left: tuple[int, list[tuple[Risk, list[str]]]] = field(default=(-2, []), repr=False)

    @cached_property
    def document(self) -> Document:
        """All documents of the case as one."""
        return self.case.flat

    @cached_property
    def work(self) -> Work:
        """The mentions with their context and groups."""
        return Work(self.sanitizer.parts, self.document)

    @cached_property
    def plan(self) -> Plan:
        """The plan as the sanitizer made it."""
        if self.given is not None:
            return self.given
        if not self.sanitizer.force_language:
            check_language(self.document.text, "document")
        return self.work.plan()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each decision by its name."""
        return {f"{d.start}-{d.end}": n for n, d in enumerate(self.plan.decisions)}

    @cached_property
    def mentions(self) -> dict[tuple[int, int], int]:
        """The number of each mention by its span."""
        return {m.span: n for n, m in enumerate(self.work.mentions)}

    # ---- what the page shows -----------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The document as the page shows it: text, parts with their places, notes, limits that can be moved."""
        document = self.document
        notes = [note_in_words(note) for note in self.plan.notes]
        return {
            "text": document.text,
            "parts": [[p.start, p.end, p.kind, p.where] for p in document.parts],
            "documents": [[start, len(d.text)] for start, d in zip(self.case.starts, self.case.documents, strict=True)],
            "pages": max([0, *(int(m[1]) for p in document.parts if (m := _PAGE.search(p.where)))])
            if len(self.files) == 1 and self.files[0].format.name == "pdf"
            else 0,
            "notes": notes,
            "limits": limits_of(self.sanitizer),
            "protected": list(self.plan.protected),
        }

    def items(self) -> list[Item]:
        """The decisions of the plan, none looked at yet."""
        return [self._item(number, decision) for number, decision in enumerate(self.plan.decisions)]

    def _item(self, number: int, d: Decision) -> Item:
        risk = max((_passed(self.plan.risks[r]) for r in d.risks), default=0.0)
        return Item(
            start=d.start,
            end=d.end,
            label=d.label,
            kind=d.kind,
            action=d.action,
            replacement=d.replacement,
            fixes=d.fixes,
            group=d.group,
            why=d.why,
            by=d.by,
            concept=d.concept,
            risk=risk,
            inferred=is_inferred(self.plan, number),
        )

    # ---- why, and what else could stand there --------------------------------------------------------

    def why(self, id_: str) -> dict[str, Any]:
        """Say why a decision was taken, with the evidence, and what else could stand in its place."""
        number = self.numbers.get(id_)
        start, end = map(int, id_.split("-"))
        answer: dict[str, Any] = {"sentence": self._sentence(start, end), "risks": [], "words": "", "candidates": []}
        if number is not None:
            decision = self.plan.decisions[number]
            answer["words"] = why_decided(self.plan, number, self.document)
            answer["risks"] = [self._risk(self.plan.risks[r]) for r in decision.risks]
        at = self.mentions.get((start, end))
        if at is not None:
            answer["candidates"] = self._candidates(self.work.mentions[at])
        return answer

    def _risk(self, risk: Risk) -> dict[str, Any]:
        spans = [d.span for d in self.plan.decisions]
        return {
            "model": risk.model,
            "discloses": risk.discloses,
            "score": round(min(risk.score, 1e9), 3),
            "limit": round(min(risk.limit, 1e9), 3),
            "unit": risk.unit,
            "counts": dict(risk.counts),
            "words": explain(risk, self.document, spans),
            "with": [f"{s[0]}-{s[1]}" for s in (spans[i] for i in risk.mentions[:12])],
        }

    def _candidates(self, mention: Mention) -> list[dict[str, Any]]:
        whole = max(self._information(mention.text), 1e-9)
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for candidate in self.work.candidates_of(mention):
            fit = fit_mention(self.document, mention, candidate)
            keeps = 0.0 if candidate.action == "suppress" else max(0.0, min(1.0, candidate.bits / whole))
            found.setdefault(
                (fit.text, candidate.action),
                {"text": fit.text, "action": candidate.action, "keeps": round(keeps, 3), "concept": candidate.concept},
            )
        return list(found.values())[:12]

    def _information(self, text: str) -> float:
        return float(self.sanitizer.parts.index.information(text))

    def _sentence(self, start: int, end: int) -> list[int]:
        for first, last in self.work.context.sentences:
            if first <= start < last:
                return [first, max(last, end)]
        return [max(0, start - 120), min(len(self.document.text), end + 120)]

    # ---- a reviewer's choice -------------------------------------------------------------------------

    def fitted(self, ids: Sequence[str], action: Choice, replacement: str) -> list[Item]:
        """Fit a choice to each of its places; refuse what would bring back what must not appear."""
        changed = [self._fit(self.current[id_], action, replacement) for id_ in ids]
        self._search(changed)
        return changed

    def _fit(self, item: Item, action: Choice, replacement: str) -> Item:
        if action == "keep":
            if item.kind in FORCED:
                raise PlanError(
                    "this is a known identifier or a form of a protected entity: it can be replaced in another way"
                    " but not kept"
                )
            return replace(item, action="keep", replacement="", fixes=(), concept="")
        at = self.mentions.get((item.start, item.end))
        text = self.document.text[item.start : item.end]
        mention = self.work.mentions[at] if at is not None else Mention(item.start, item.end, text, item.label)
        offered = [c for c in self.work.candidates_of(mention) if c.action == action] if action != "own" else []
        chosen = next((c for c in offered if fit_mention(self.document, mention, c).text == replacement), None)
        bare = Candidate(replacement or "[...]", "label" if action == "own" else action)
        fit = fit_mention(self.document, mention, chosen or bare)
        concept = chosen.concept if chosen else ""
        return replace(item, action=bare.action, replacement=fit.text, fixes=fit.fixes, concept=concept)

    def _search(self, changed: Sequence[Item]) -> None:
        """Search the new text around each change for known and protected forms."""
        current = {**self.current, **{item.id: item for item in changed}}
        windows = stretches_around(changed, self.document.text)
        starts = [start for start, _ in windows]
        near = [i for i in current.values() if (n := bisect_right(starts, i.end)) and i.start <= windows[n - 1][1]]
        edits = _edits(near)
        for start, end in windows:
            inside = [(a - start, b - start, t) for a, b, t in edits if start <= a and b <= end]
            text = splice(self.document.text[start:end], inside)[0]
            found = leaks(self.sanitizer.parts, text, self.document)
            if found:
                labels = ", ".join(sorted({m.label for m in found}))
                raise PlanError(
                    f"with this choice the output would contain a known or protected form ({labels})."
                    " Choose other words"
                )

    def hidden(self, start: int, end: int, label: str, *, alike: bool) -> dict[str, Any]:
        """Make decisions that hide what a reviewer selected, and where asked everything written alike."""
        taken = list(self.current.values())
        text = self.document.text
        start, end = to_words(text, start, end)
        if start >= end:
            raise UsageError("select some text to hide")
        spans = [(start, end)]
        if alike:
            pattern = re.compile(rf"(?<!\w){re.escape(text[start:end])}(?!\w)", re.IGNORECASE)
            spans = sorted({(start, end), *(m.span() for m in pattern.finditer(text))})
        made, gone = [], []
        group = max([-1, *(item.group for item in taken)]) + 1
        for first, last in spans:
            over = [item for item in taken if item.start < last and first < item.end]
            if (
                any(item.changes and (item.start, item.end) != (first, last) for item in over)
                and (first, last) != spans[0]
            ):
                continue  # something else is hidden there already
            first, last = min([first, *(i.start for i in over)]), max([last, *(i.end for i in over)])
            gone += [item.id for item in over]
            made.append(self._hide(first, last, label, group))
        return {"made": [item.to_json() for item in made], "gone": sorted(set(gone))}

    def _hide(self, start: int, end: int, label: str, group: int) -> Item:
        word = LABEL_WORDS.get(label, "")
        candidate = Candidate(f"[{word}]" if word else "[...]", "label" if word else "suppress")
        mention = Mention(start, end, self.document.text[start:end], label or "TERM")
        fit = fit_mention(self.document, mention, candidate)
        return Item(
            start, end, label or "TERM", "term", candidate.action, fit.text, fit.fixes, group, "reviewer", state="added"
        )

    # ---- assessing again -----------------------------------------------------------------------------

    def remaining(self, items: Sequence[Item]) -> list[tuple[Risk, list[str]]]:
        """Return the risks left in the text as these decisions rewrite it, each with the decisions it names."""
        at = {(item.start, item.end): item for item in items}
        mentions = self.work.mentions
        current = [_as_written(m, at.get(m.span)) for m in mentions]
        found = []
        for risk in assess(self.sanitizer.parts, current, self.work.context):
            names = [f"{mentions[n].start}-{mentions[n].end}" for n in risk.mentions]
            found.append((risk, names))
        return found

    def as_planned(self) -> list[Mention]:
        """Return the mentions as the plan rewrites them."""
        at = {(item.start, item.end): item for item in self.items()}
        return [_as_written(mention, at.get(mention.span)) for mention in self.work.mentions]

    def left(self) -> list[tuple[Risk, list[str]]]:
        """Return the risks left as the case stands now; worked out once for each version."""
        if self._left[0] != self.version:
            self._left = (self.version, self.remaining(list(self.current.values())))
        return self._left[1]

    def effect(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Say what would be told if these were kept: every risk that comes back, and what it tells with what."""
        named = set(ids)
        items = self.current.values()
        kept = [replace(i, action="keep", replacement="", fixes=()) if i.id in named else i for i in items]
        before = {(risk.model, risk.discloses, tuple(names)) for risk, names in self.left()}
        told = []
        for risk, names in self.remaining(kept):
            if (risk.model, risk.discloses, tuple(names)) in before:
                continue
            others = [name for name in dict.fromkeys(names) if name not in named]
            told.append(
                {
                    "model": risk.model,
                    "discloses": risk.discloses,
                    "score": round(min(risk.score, 1e9), 3),
                    "limit": round(min(risk.limit, 1e9), 3),
                    "unit": risk.unit,
                    "with": others[:12],
                }
            )
        return told[:12]

    # ---- release ---------------------------------------------------------------------------------------

    def final_plan(self, items: Sequence[Item]) -> Plan:
        """Return the plan that the reviewers' decisions make."""
        ordered = sorted(items, key=lambda item: (item.start, item.end))
        place = {item.id: n for n, item in enumerate(ordered)}
        moved = {old: place[id_] for id_, old in self.numbers.items() if id_ in place}
        risks = [_renumbered(risk, moved) for risk in self.plan.risks]
        decisions = []
        for item in ordered:
            old = self.numbers.get(item.id)
            named = self.plan.decisions[old].risks if old is not None else ()
            decisions.append(_decision(item, named))
        kept = [item for item in ordered if item.state == "kept" and item.risk > 0]
        notes = tuple(Note("reviewed", {"count": 1, "decision": place[item.id]}, item.by) for item in kept)
        return replace(self.plan, decisions=tuple(decisions), risks=tuple(risks), notes=self.plan.notes + notes)

    def written(self, plan: Plan) -> list[bytes]:
        """Return the files with a plan applied, read again and checked."""
        return self.sanitizer.write(list(self.files), plan, case=self.case)

    def edits(self) -> list[Edit]:
        """Return the edits that the decisions make as they stand now."""
        return _edits(self.current.values())

    def boxes(self, spans: Sequence[tuple[int, int]]) -> list[list[list[float]]]:
        """Return where stretches of the text stand on pages."""
        opened = self.files[0].opened
        return [[[b.page, b.left, b.top, b.right, b.bottom] for b in opened.boxes(*span)] for span in spans]


def lay_out(sanitizer: Sanitizer, named: Sequence[tuple[str, bytes]], plan: Plan | None = None) -> Desk:
    """Open files and lay them out as one case. Their names are not released: a release numbers its files."""
    opened = []
    for number, (name, data) in enumerate(named, 1):
        suffix = re.search(r"\.[A-Za-z0-9]+$", name)
        safe = f"document-{number}{suffix.group().lower() if suffix else ''}"
        opened.append(formats.open_bytes(data, name=safe, reading=Reading(name=safe)))
    case = Case(tuple(file.document for file in opened))
    if not case.flat.text.strip():
        raise GuaranteeError("there is no text in this case that could be reviewed")
    return Desk(sanitizer, tuple(opened), case, plan)


def _passed(risk: Risk) -> float:
    """How far a risk passes its limit; 1 at the limit. Of people and ranks fewer are worse."""
    if risk.unit in ("people", "rank"):
        return min(_MOST, risk.limit / max(risk.score, 1e-9))
    return min(_MOST, risk.score / risk.limit) if risk.limit > 0 else _MOST


def _edits(items: Iterable[Item]) -> list[Edit]:
    changes = [item for item in items if item.changes]
    decisions = tuple(_decision(item, ()) for item in sorted(changes, key=lambda item: item.start))
    return list(Plan(digest="", policy="", decisions=decisions).edits)


def _decision(item: Item, risks: tuple[int, ...]) -> Decision:
    why = item.why if item.state in ("open", "accepted") else "reviewer"
    return Decision(
        item.start,
        item.end,
        item.label,
        item.action,
        item.replacement,
        item.kind,
        item.group,
        why,
        risks,
        item.by,
        item.concept,
        item.fixes,
    )


def _renumbered(risk: Risk, moved: dict[int, int]) -> Risk:
    members = tuple(tuple(moved[i] for i in member if i in moved) for member in risk.members)
    return replace(risk, mentions=tuple(moved[i] for i in risk.mentions if i in moved), members=members)


def _as_written(mention: Mention, item: Item | None) -> Mention:
    if item is None or not item.changes:
        return mention
    # The word for a kind of thing, put there by a reviewer, tells that kind only; it is no concept of its own.
    bare = item.action == "suppress" or (item.state == "added" and item.replacement in _KINDS)
    return replace(mention, text="" if bare else item.replacement, kind="term", vector=None)
