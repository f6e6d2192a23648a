"""What requests do to cases: checks, records, audit. All state lives here; workers only compute."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacenda import codes
from tacenda import policy as policies
from tacenda.audit import Trail
from tacenda.audit.trail import Details, mac
from tacenda.codes import Pack
from tacenda.errors import TacendaError
from tacenda.policy import Policy
from tacenda.replace.keys import Key, load_key, new_key, write_key
from tacenda.service.pool import Answer, Pool
from tacenda.service.problems import Problem, from_error
from tacenda.service.review.record import Item, Record, Step
from tacenda.service.review.store import Files, Kept, Store
from tacenda.service.settings import Settings

_PAUSE = 0.4  # seconds without another choice before a case is assessed again
_OPENING = 5  # how many times longer than other work the reading and planning of a case may take


def now() -> str:
    """The time, for records."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


@dataclass
class Office:
    """The cases of a server and everything that may be done to them."""

    settings: Settings
    pool: Pool
    store: Store = field(init=False)
    trail: Trail = field(init=False)
    packs: tuple[Pack, ...] = field(init=False)
    opening: dict[str, dict[str, Any]] = field(default_factory=dict)
    plans: dict[str, str] = field(default_factory=dict, repr=False)
    told: dict[str, int] = field(default_factory=dict, repr=False)
    locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock), repr=False)
    tasks: set[asyncio.Task[None]] = field(default_factory=set, repr=False)
    run: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        work = self.settings.work
        self.store = Store(work)
        self.packs = tuple(codes.load(name) for name in self.settings.codes)
        self.trail = Trail(work / "audit.jsonl" if work else None, audit_key(self.settings))
        self.store.load()

    # ---- opening -----------------------------------------------------------------------------------

    def begin(self, who: str, title: str, files: Files, names: Sequence[str]) -> str:
        """Start reading and planning a case; it joins the queue when that is done."""
        chosen = tuple(names) or self.settings.policies
        id_ = self.store.next_id()
        self.opening[id_] = {"id": id_, "title": title, "state": "opening", "message": ""}
        self.background(self._open(id_, who, title, files, chosen))
        return id_

    async def _open(self, id_: str, who: str, title: str, files: Files, names: tuple[str, ...]) -> None:
        try:
            header, plan = await self._laid_out(id_, files, names)
            self.told[id_] = -1
            items = [Item.from_json(item) for item in header["items"]]
            proposed = [
                replace(item, code=self._proposed(item, header["about"].get(item.id, []), names)) for item in items
            ]
            record = Record(id_, title, names, {item.id: item for item in proposed})
            self.store.add(Kept(record, files, plan.decode("utf-8", "surrogatepass"), header["view"]))
            self.plans[id_] = mac(self.trail.key, "plan", plan.decode("utf-8", "surrogatepass"))
            details: Details = {"files": len(files), "decisions": len(items), "plan": self.plans[id_]}
            self.trail.append(who=who, what="opened", case=id_, details=details)
            del self.opening[id_]
        except Exception as error:
            problem = from_error(error)
            self.opening[id_] = {"id": id_, "title": title, "state": "failed", "message": problem.message}

    async def _laid_out(self, id_: str, files: Files, names: tuple[str, ...], plan: str = "") -> tuple[Any, bytes]:
        sizes = [[name, len(data)] for name, data in files]
        arguments = {"case": self._key(id_), "files": sizes, "policies": list(names), "plan": plan}
        data = b"".join(data for _, data in files)
        return await self.pool.call("lay_out", arguments, data, near=id_, seconds=self.settings.seconds * _OPENING)

    def _key(self, id_: str) -> str:
        return f"{self.run}/{id_}"

    def _proposed(self, item: Item, about: Iterable[str], names: Sequence[str]) -> str:
        """Propose an exemption code, where the policy of the case asks for codes."""
        wanted = self.rules_for(names).get("codes")
        packs = [pack for pack in self.packs if not wanted or pack.name in wanted]
        found = codes.propose(item.label, about, packs)
        return found[0].id if found and item.changes and wanted else ""

    def open_folder(self, folder: Path) -> None:
        """Make cases of what lies in a folder: each file, and each folder with all its files."""
        known = {kept.record.title for kept in self.store.cases.values()}
        for path in sorted(folder.iterdir()):
            if path.name.startswith(".") or path.name in known:
                continue
            inside = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            files = [path] if path.is_file() else inside
            if files:
                self.begin("tacenda", path.name, [(file.name, file.read_bytes()) for file in files], ())

    def background(self, work: Any) -> None:
        """Do something while answering others."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        """Stop what is under way."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    # ---- asking ------------------------------------------------------------------------------------

    def kept(self, id_: str) -> Kept:
        """Return a case."""
        if id_ not in self.store.cases:
            raise Problem("NotFound", "there is no such case")
        return self.store.cases[id_]

    def rules_for(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what policies say of the review."""
        return dict(_policy(tuple(names)).review)

    async def ask(self, id_: str, task: str, arguments: dict[str, Any], **how: Any) -> tuple[dict[str, Any], bytes]:
        """Ask the worker of a case; if it has forgotten the case (a restart, a crash), lay it out again first."""
        kept = self.kept(id_)
        try:
            return await self._told(kept, task, arguments, how)
        except Problem as problem:
            if problem.kind != "Unloaded":
                raise
        await self._laid_out(id_, kept.files, kept.record.policies, kept.plan)
        self.told[id_] = -1
        return await self._told(kept, task, arguments, how)

    async def _told(self, kept: Kept, task: str, arguments: dict[str, Any], how: dict[str, Any]) -> Answer:
        """Ask, and tell with the question what the worker does not know yet of the case."""
        record = kept.record
        since, version = self.told.get(record.id, -1), record.version
        items = record.since(since) if since >= 0 else {name: item.to_json() for name, item in record.items.items()}
        news = {"since": since, "version": version, "items": items}
        # Calls of one case reach its worker in the order they are made, so the next may rest on this one.
        self.told[record.id] = version
        arguments = {**arguments, "case": self._key(record.id), "news": news}
        try:
            return await self.pool.call(task, arguments, near=record.id, **how)
        except Problem:
            self.told[record.id] = -1  # it may not have been heard: tell all the next time
            raise

    async def why(self, id_: str, item_id: str) -> dict[str, Any]:
        """Why a decision was taken, and what else could stand there."""
        item = self._item(id_, item_id)
        header, _ = await self.ask(id_, "why", {"id": item_id})
        packs = self.packs
        found = codes.propose(item.label, {risk["discloses"] for risk in header["risks"]}, packs)
        return {**header, "codes": [code.id for code in found]}

    async def effect(self, id_: str, item_id: str, scope: str) -> dict[str, Any]:
        """What would be told if a decision were kept."""
        record = self.kept(id_).record
        ids = [item.id for item in record.targets([self._item(id_, item_id).id], scope)]
        header, _ = await self.ask(id_, "effect", {"ids": ids})
        return header

    def _item(self, id_: str, item_id: str) -> Item:
        items = self.kept(id_).record.items
        if item_id not in items:
            raise Problem("NotFound", "there is no such decision")
        return items[item_id]

    # ---- recording ---------------------------------------------------------------------------------

    def take(
        self,
        kept: Kept,
        who: str,
        what: str,
        changes: Iterable[tuple[Item | None, Item | None]],
        *,
        case: dict[str, str] | None = None,
    ) -> Step:
        """Make a step, write it down and take it."""
        step = kept.record.step(who, now(), what, changes, case=case)
        self.record(kept, step)
        return step

    def record(self, kept: Kept, step: Step) -> None:
        """Write a step down, then take it, then tell the audit trail."""
        self.store.log(kept.record, step)
        kept.record.take(step)
        id_ = kept.record.id
        before = self.plans.get(id_, "")
        self.plans[id_] = mac(self.trail.key, "plan", f"{before} {step.to_json()}")
        if any(
            a is None or b is None or a.action != b.action or a.replacement != b.replacement for a, b in step.changes
        ):
            kept.record.remaining = None
        details: dict[str, str | int] = {"version": step.version, "count": len(step.changes), "plan": self.plans[id_]}
        first = next((b or a for a, b in step.changes), None)
        if first is not None:
            details |= {
                "place": place_of(kept, first),
                "label": first.label,
                "action": first.action,
                "code": first.code,
            }
            if self.rules_for(kept.record.policies).get("record_text"):
                details["sealed"] = self.trail.sealed(kept.view["text"][first.start : first.end])
        self.trail.append(who=step.who, what=step.what, case=id_, details=details)

    async def assess(self, id_: str) -> None:
        """Assess the text as it is now; the page asks for the result."""
        record = self.kept(id_).record
        version = record.version
        await asyncio.sleep(_PAUSE)
        if record.version != version:
            return  # the next choice is assessed; whoever decides quickly waits for none of it
        try:
            header, _ = await self.ask(id_, "assess", {})
        except Problem:
            return  # the release assesses again, and refuses
        if record.version == version:
            record.remaining, record.remaining_ids = header["count"], tuple(header["ids"])

    # ---- showing -----------------------------------------------------------------------------------

    def queue(self) -> list[dict[str, Any]]:
        """All cases: those under way, and those still being opened."""
        cases = [kept.record.summary() for kept in self.store.cases.values()]
        return [*cases, *self.opening.values()]

    def whole(self, id_: str, who: str) -> dict[str, Any]:
        """All that the page needs to show a case."""
        kept = self.kept(id_)
        record = kept.record
        if record.remaining is None:
            self.background(self.assess(id_))
        rules = self.rules_for(record.policies)
        return {
            **self._standing(kept, who),
            "view": kept.view,
            "items": [item.to_json() for item in sorted(record.items.values(), key=lambda i: (i.start, i.end))],
            "second": bool(rules.get("second")),
            "files": [name for name, _ in kept.files],
        }

    def changes(self, id_: str, since: int, who: str) -> dict[str, Any]:
        """What happened to a case since a version."""
        kept = self.kept(id_)
        return {**self._standing(kept, who), "changed": kept.record.since(since)}

    def _standing(self, kept: Kept, who: str) -> dict[str, Any]:
        record = kept.record
        return {
            **record.summary(),
            "remaining_ids": list(record.remaining_ids) if record.remaining else [],
            "can": record.can(who),
            "you": who,
            "released": sorted(kept.released),
        }

    # ---- release -----------------------------------------------------------------------------------

    async def release(self, id_: str, who: str, body: dict[str, Any]) -> dict[str, Any]:
        """Apply, read again, certify, report: all in one folder. Nothing leaves if any of it fails."""
        kept, record = self.kept(id_), self.kept(id_).record
        async with self.locks[id_]:
            if int(body["version"]) != record.version:
                raise Problem("Conflict", "someone else changed this case in the meantime; look at it again")
            if record.state != "reviewed":
                raise Problem("Conflict", f"this case is '{record.state}'; only a reviewed case can be released")
            rules = self.rules_for(record.policies)
            if rules.get("second") and not record.approved:
                raise Problem("Conflict", "this policy requires a second reviewer before release")
            arguments = {
                "head": self.trail.head,
                "who": who,
                "approved": record.approved,
                "codes": {code.id: [code.shown, code.title, code.text] for pack in self.packs for code in pack.codes},
                "show_codes": bool(rules.get("show_codes") or body.get("show_codes")),
                "allow_remaining": bool(body.get("accept_remaining")),
            }
            header, data = await self.ask(id_, "release", arguments, seconds=self.settings.seconds * _OPENING)
            files = _unpacked(header["files"], data)
            self.store.release(kept, files)
            step = self.take(kept, who, "released", [], case={"state": "released"})
            self._withheld(kept, who, files)
        return {**self.changes(id_, step.version - 1, who), "summary": header["summary"]}

    def _withheld(self, kept: Kept, who: str, files: dict[str, bytes]) -> None:
        """Record what the release withheld, item by item, and what exactly left."""
        digests = {f"sha256 {name}": hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
        self.trail.append(who=who, what="left", case=kept.record.id, details=digests)
        events = []
        for item in sorted(kept.record.items.values(), key=lambda one: one.start):
            if item.changes:
                details = {"place": place_of(kept, item), "label": item.label, "action": item.action}
                events.append(("withheld", {**details, "code": item.code, "by": item.by}))
        if events:
            self.trail.extend(events, who=who, case=kept.record.id)

    async def preview(self, id_: str, body: dict[str, Any]) -> dict[str, Any]:
        """What another limit would change."""
        arguments = {"name": str(body["name"]), "model": str(body.get("model", "")), "value": float(body["value"])}
        header, _ = await self.ask(id_, "preview", arguments)
        return header


def audit_key(settings: Settings) -> Key:
    """Return the key of the audit trail: the server's, or one kept in the work folder, or one for this run."""
    if settings.key is not None:
        return settings.key
    if settings.work is None:
        return new_key()
    file = settings.work / "audit.key"
    if not file.exists():
        os.makedirs(settings.work, exist_ok=True)
        write_key(new_key(), file)
    return load_key(file)


_POLICIES: dict[tuple[str, ...], Policy] = {}


def _policy(names: tuple[str, ...]) -> Policy:
    if names not in _POLICIES:
        try:
            _POLICIES[names] = policies.combine([policies.load(name) for name in names])
        except TacendaError as error:
            raise Problem("PolicyError", str(error)) from None
    return _POLICIES[names]


def place_of(kept: Kept, item: Item) -> str:
    """Return where a decision stands, in words, never quoting."""
    for start, end, _kind, where in kept.view["parts"]:
        if start <= item.start < end and where:
            return str(where)
    return f"characters {item.start}-{item.end}"


def _unpacked(sizes: Sequence[Sequence[Any]], data: bytes) -> dict[str, bytes]:
    files, at = {}, 0
    for name, size in sizes:
        files[str(name)] = data[at : at + size]
        at += size
    return files
