"""One case under review: decisions, steps, versions. Steps are data, so that replaying them gives the same case.

Every step raises the version by one. A step names for each decision what it was and what it became; undoing is a step
of its own. A decision is known by where it stands ("120-134"), so that hiding something more changes no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tacenda.model import Action, Kind

State = Literal["open", "accepted", "kept", "changed", "added"]
CaseState = Literal["to do", "reviewed", "second look", "released"]
CASE_STATES: tuple[CaseState, ...] = ("to do", "reviewed", "second look", "released")
FORCED = ("known", "protected")


@dataclass(frozen=True, slots=True)
class Item:
    """A decision of the plan, and what reviewers made of it.

    risk        how far its worst risk passes the limit: score over limit, 1 at the limit
    state       open until a person has looked at it
    version     of the step that changed it last
    """

    start: int
    end: int
    label: str
    kind: Kind
    action: Action
    replacement: str = ""
    fixes: tuple[tuple[int, int, str], ...] = ()
    group: int = -1
    why: str = "risk"
    by: str = "policy"
    concept: str = ""
    risk: float = 0.0
    inferred: bool = False
    state: State = "open"
    code: str = ""
    version: int = 0

    @property
    def id(self) -> str:
        """The name of the decision."""
        return f"{self.start}-{self.end}"

    @property
    def changes(self) -> bool:
        """Whether the text changes here."""
        return self.action != "keep"

    def to_json(self) -> dict[str, Any]:
        """Return all fields, by name."""
        return {
            "start": self.start,
            "end": self.end,
            "label": self.label,
            "kind": self.kind,
            "action": self.action,
            "replacement": self.replacement,
            "fixes": [list(fix) for fix in self.fixes],
            "group": self.group,
            "why": self.why,
            "by": self.by,
            "concept": self.concept,
            "risk": round(self.risk, 4),
            "inferred": self.inferred,
            "state": self.state,
            "code": self.code,
            "version": self.version,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Item:
        """Read an item."""
        fixes = tuple((int(a), int(b), str(t)) for a, b, t in data.get("fixes", ()))
        return cls(**{**data, "fixes": fixes})


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a person did: decisions before and after (None: not there), or a new state or owner of the case.

    undoes     version of the step that this one takes back; redoes: of the undoing that it takes back
    """

    version: int
    who: str
    at: str
    what: str
    changes: tuple[tuple[Item | None, Item | None], ...] = ()
    case: Mapping[str, str] = field(default_factory=dict)
    undoes: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the step for its log."""
        return {
            "v": self.version,
            "who": self.who,
            "at": self.at,
            "what": self.what,
            "changes": [[a and a.to_json(), b and b.to_json()] for a, b in self.changes],
            "case": dict(self.case),
            "undoes": self.undoes,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Step:
        """Read a step of a log."""
        pairs = tuple((a and Item.from_json(a), b and Item.from_json(b)) for a, b in data["changes"])
        return cls(data["v"], data["who"], data["at"], data["what"], pairs, data["case"], data["undoes"])


class Stale(Exception):
    """Someone else changed what this step rests on; nothing was done."""


@dataclass
class Record:
    """A case: what it is made of, its decisions by name, and all steps so far."""

    id: str
    title: str
    policies: tuple[str, ...]
    items: dict[str, Item] = field(default_factory=dict, repr=False)
    steps: list[Step] = field(default_factory=list, repr=False)
    state: str = "to do"
    owner: str = ""
    approved: str = ""
    remaining: int | None = 0
    remaining_ids: tuple[str, ...] = ()

    @property
    def version(self) -> int:
        """The number of steps so far."""
        return len(self.steps)

    def targets(self, ids: Iterable[str], scope: str) -> list[Item]:
        """Return the decisions meant: those named, or with scope "like" all that are taken alike with them."""
        named = [self.items[i] for i in ids if i in self.items]
        if scope == "this":
            return named
        groups = {item.group for item in named if item.group != -1}
        alike = [item for item in self.items.values() if item.group in groups]
        return list({item.id: item for item in [*named, *alike]}.values())

    def check(self, targets: Sequence[Item], seen: int) -> None:
        """Refuse a step of someone who has not seen what others did to the same decisions."""
        if any(item.version > seen for item in targets):
            raise Stale

    def step(
        self,
        who: str,
        at: str,
        what: str,
        changes: Iterable[tuple[Item | None, Item | None]] = (),
        *,
        case: Mapping[str, str] | None = None,
        undoes: int = 0,
    ) -> Step:
        """Make the next step, without taking it yet."""
        version = self.version + 1
        pairs = tuple((a, replace(b, version=version) if b else None) for a, b in changes)
        return Step(version, who, at, what, pairs, case or {}, undoes)

    def take(self, step: Step) -> None:
        """Take a step: now, or when a log is read again."""
        for before, after in step.changes:
            if after is not None:
                self.items[after.id] = after
            elif before is not None:
                self.items.pop(before.id, None)
        self.state = step.case.get("state", self.state)
        self.owner = step.case.get("owner", self.owner)
        self.approved = step.case.get("approved", self.approved)
        if step.changes and "approved" not in step.case:
            self.approved = ""  # what was approved has changed since
        self.steps.append(step)

    def undone(self, who: str, at: str) -> Step:
        """Make the step that takes back this person's last one; refuse if others went on from it."""
        last = self._last(who, undoing=False)
        return self._reverse(last, who, at, "undone")

    def redone(self, who: str, at: str) -> Step:
        """Make the step that takes back this person's last undoing."""
        last = self._last(who, undoing=True)
        return self._reverse(last, who, at, "redone")

    def _reverse(self, last: Step, who: str, at: str, what: str) -> Step:
        for _, after in last.changes:
            now = self.items.get(after.id) if after else None
            if after and (now is None or replace(now, version=0) != replace(after, version=0)):
                raise Stale
        changes = [(after, before) for before, after in last.changes]
        return self.step(who, at, what, changes, undoes=last.version)

    def _last(self, who: str, *, undoing: bool) -> Step:
        """Return the last step of a person that can be taken back: a choice, or an undoing not followed by a choice."""
        taken_back = {step.undoes for step in self.steps if step.undoes}
        for step in reversed(self.steps):
            if step.who != who or not step.changes or step.version in taken_back:
                continue
            if undoing:
                if step.what == "undone":
                    return step
                if step.what != "redone":
                    break  # a new choice: what was undone before it stays undone
                continue
            if step.what != "undone":
                return step
        raise LookupError

    def can(self, who: str) -> dict[str, bool]:
        """Tell whether a person has something to undo or redo."""
        found = {}
        for name, undoing in (("undo", False), ("redo", True)):
            try:
                self._last(who, undoing=undoing)
                found[name] = True
            except LookupError:
                found[name] = False
        return found

    def since(self, version: int) -> dict[str, dict[str, Any] | None]:
        """Return the decisions changed since a version, as they are now; None for those that are gone."""
        touched: dict[str, dict[str, Any] | None] = {}
        for step in self.steps[max(0, version) :]:
            for before, after in step.changes:
                if after is not None:
                    touched[after.id] = after.to_json()
                elif before is not None:
                    touched[before.id] = None
        return touched

    def counts(self) -> dict[str, int]:
        """How many decisions there are, how many still open, changed by people, kept though risky."""
        items = self.items.values()
        return {
            "decisions": len(self.items),
            "open": sum(item.state == "open" for item in items),
            "by_people": sum(item.state in ("changed", "added", "kept") for item in items),
            "kept": sum(item.state == "kept" for item in items),
            "hidden": sum(item.changes for item in items),
        }

    def reviewers(self) -> set[str]:
        """Return everyone who decided something."""
        return {step.who for step in self.steps if step.changes}

    def summary(self) -> dict[str, Any]:
        """The case as a line of the queue."""
        return {
            "id": self.id,
            "title": self.title,
            "policies": list(self.policies),
            "state": self.state,
            "owner": self.owner,
            "approved": self.approved,
            "version": self.version,
            "remaining": self.remaining,
            **self.counts(),
        }
