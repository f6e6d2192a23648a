"""What reviewers decide: accept, keep, replace, hide, undo, exemption codes, and the state of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tacenda import codes
from tacenda.service.problems import Problem
from tacenda.service.review.handling import Office, now
from tacenda.service.review.record import CASE_STATES, FORCED, Item, Record, Stale
from tacenda.service.review.store import Kept


async def decide(office: Office, id_: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
    """Take a choice for decisions: accept, keep, or put something else in their place."""
    kept = office.kept(id_)
    choice, scope, code = str(body["choice"]), str(body.get("scope", "like")), body.get("code")
    async with office.locks[id_]:
        targets = _targets(office, kept, body, scope)
        after = await _after(office, kept, targets, choice, body, who)
        if code is not None:
            after = [replace(item, code=_code(office, code)) for item in after]
        what = {"accept": "accepted", "keep": "kept"}.get(choice, "changed")
        step = office.take(kept, who, what, list(zip(targets, after, strict=True)))
    if scope == "all":
        await _elsewhere(office, kept, targets, who, body)
    if choice != "accept":
        office.background(office.assess(id_))
    return office.changes(id_, step.version - 1, who)


def _targets(office: Office, kept: Kept, body: dict[str, Any], scope: str) -> list[Item]:
    _must_be_open(office, kept)
    ids = [str(i) for i in body["ids"]]
    targets = kept.record.targets(ids, "this" if scope == "this" else "like")
    if not targets:
        raise Problem("NotFound", "there is no such decision")
    try:
        kept.record.check(targets, int(body["version"]))
    except Stale:
        raise Problem("Conflict", "someone else changed this in the meantime; look at it again") from None
    return targets


def _must_be_open(office: Office, kept: Kept) -> None:
    if kept.record.state == "released":
        raise Problem("Conflict", "this case has been released; reopen it for review before changing it")


async def _after(
    office: Office, kept: Kept, targets: list[Item], choice: str, body: dict[str, Any], who: str
) -> list[Item]:
    if choice == "accept":
        return [replace(item, state="accepted" if item.state == "open" else item.state) for item in targets]
    if choice not in ("keep", "own", "label", "generalize", "suppress", "pseudonym", "date"):
        raise Problem("UsageError", "choice must be accept, keep, own, or the action of a candidate")
    arguments = {
        "ids": [item.id for item in targets],
        "action": choice,
        "replacement": str(body.get("replacement", "")),
    }
    header, _ = await office.ask(kept.record.id, "fit", arguments)
    fitted = [Item.from_json(item) for item in header["items"]]
    return [replace(item, state="kept" if choice == "keep" else "changed", by=who) for item in fitted]


def _code(office: Office, code: Any) -> str:
    if code and codes.find(str(code), office.packs) is None:
        raise Problem("UsageError", "there is no such exemption code")
    return str(code or "")


async def _elsewhere(office: Office, kept: Kept, targets: Sequence[Item], who: str, body: dict[str, Any]) -> None:
    """Take the same choice in all other cases, wherever the same words stand under the same label."""
    text = kept.view["text"]
    meant = {(text[item.start : item.end].casefold(), item.label) for item in targets}
    for other in list(office.store.cases.values()):
        if other is kept or other.record.state == "released":
            continue
        words = other.view["text"]
        found = [i for i in other.record.items.values() if (words[i.start : i.end].casefold(), i.label) in meant]
        if found:
            again = {**body, "ids": [i.id for i in found], "scope": "like", "version": other.record.version}
            await decide(office, other.record.id, who, again)


async def hide(office: Office, id_: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
    """Hide what a reviewer selected."""
    kept = office.kept(id_)
    async with office.locks[id_]:
        _must_be_open(office, kept)
        items = kept.record.items
        arguments = {
            "start": int(body["start"]),
            "end": int(body["end"]),
            "label": str(body.get("label", "")),
            "alike": str(body.get("scope", "like")) != "this",
        }
        header, _ = await office.ask(id_, "hide", arguments)
        made = [replace(Item.from_json(item), by=who) for item in header["made"]]
        gone = [items[i] for i in header["gone"] if i in items]
        if any(item.kind in FORCED for item in gone):
            raise Problem("PlanError", "the selection cuts through something that must be hidden as a whole")
        replaced = {item.id for item in made}
        changes: list[tuple[Item | None, Item | None]] = [(i, None) for i in gone if i.id not in replaced]
        changes += [(items.get(item.id), item) for item in made]
        step = office.take(kept, who, "hidden", changes)
    return office.changes(id_, step.version - 1, who)


async def back(office: Office, id_: str, who: str, *, redo: bool) -> dict[str, Any]:
    """Undo or redo a person's last step."""
    kept = office.kept(id_)
    async with office.locks[id_]:
        _must_be_open(office, kept)
        try:
            step = kept.record.redone(who, now()) if redo else kept.record.undone(who, now())
        except LookupError:
            raise Problem("Conflict", f"there is nothing to {'redo' if redo else 'undo'}") from None
        except Stale:
            raise Problem("Conflict", "someone else has changed this since; it cannot be undone") from None
        office.record(kept, step)
    office.background(office.assess(id_))
    return office.changes(id_, step.version - 1, who)


async def set_code(office: Office, id_: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
    """Set the exemption code of decisions."""
    kept = office.kept(id_)
    async with office.locks[id_]:
        targets = _targets(office, kept, body, str(body.get("scope", "like")))
        code = _code(office, body.get("code"))
        step = office.take(kept, who, "coded", [(item, replace(item, code=code)) for item in targets])
    return office.changes(id_, step.version - 1, who)


async def set_state(office: Office, id_: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
    """Move a case on: taken by someone, reviewed, approved by a second person, back to do."""
    kept, record = office.kept(id_), office.kept(id_).record
    async with office.locks[id_]:
        if int(body.get("version", record.version)) != record.version:
            raise Problem("Conflict", "someone else changed this case in the meantime; look at it again")
        case = _moved(office, record, who, body)
        step = office.take(kept, who, str(body.get("state") or "taken"), [], case=case)
    return office.changes(id_, step.version - 1, who)


def _moved(office: Office, record: Record, who: str, body: dict[str, Any]) -> dict[str, str]:
    if "owner" in body:
        return {"owner": who if body["owner"] else ""}
    state = str(body.get("state", ""))
    if state == "approved":
        if who in record.reviewers():
            raise Problem("Forbidden", "the second review must be done by someone who made no decision in this case")
        return {"state": "reviewed", "approved": who}
    if state not in CASE_STATES or state == "released":
        raise Problem("UsageError", "state must be to do, reviewed, second look or approved")
    if state == "reviewed" and record.counts()["open"]:
        raise Problem("Conflict", f"{record.counts()['open']} decisions have not been reviewed yet")
    needs_second = office.rules_for(record.policies).get("second") and state == "reviewed" and not record.approved
    return {"state": "second look" if needs_second else state, "owner": record.owner or who}
