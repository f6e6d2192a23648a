"""What was done to a trail: changed, dropped, swapped, repeated, replaced and cut-off lines, each by its number."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tacenda.audit.trail import START, Entry, head_path, mac, parse
from tacenda.errors import InputError
from tacenda.replace.keys import Key

Kind = Literal[
    "changed", "unreadable", "torn", "dropped", "swapped", "repeated", "replaced", "forged", "truncated", "head"
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `line` counts from 1 in the file as it is; 0 where no line is left to name."""

    kind: Kind
    line: int
    text: str


@dataclass(frozen=True)
class Verdict:
    """What was found: the faults, how many entries there are, the head, and whether the key was used."""

    faults: tuple[Fault, ...]
    entries: int
    head: str
    keyed: bool

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check(path: Path, key: Key | None = None, *, heads: Iterable[str] = ()) -> Verdict:
    """Check a trail; `heads` are hashes that reports or certificates kept of it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name}: the audit trail cannot be read ({error.strerror})") from None
    lines = data.decode("ascii", "replace").split("\n")
    torn = lines.pop() != ""
    if torn:
        lines = data.decode("ascii", "replace").split("\n")
    entries = [parse(line) for line in lines]
    faults = list(_content(lines, entries, key, torn=torn))
    changed = {fault.line for fault in faults}
    sound = [(i, e) for i, e in enumerate(entries, 1) if e is not None and i not in changed]
    hidden = sum(1 for i in range(1, len(entries) + 1) if i in changed)
    faults += _order(entries, changed)
    faults += _links([e for _, e in sound])
    last = max(sound, key=lambda one: one[1].number, default=(0, Entry(-1, "", "", "", hash=START)))[1]
    faults += _head(path, last, hidden, key)
    known = {e.hash for _, e in sound}
    faults += [
        Fault("head", 0, f"the hash {head[:16]}…, kept elsewhere, is not in this trail")
        for head in heads
        if head not in known
    ]
    return Verdict(tuple(faults), len(sound), last.hash, key is not None)


def _content(lines: Sequence[str], entries: Sequence[Entry | None], key: Key | None, *, torn: bool) -> Iterable[Fault]:
    for line, entry in enumerate(entries, 1):
        if torn and line == len(entries) and entry is None:
            yield Fault("torn", line, f"line {line}: writing broke off in the middle of it")
        elif entry is None:
            yield Fault("unreadable", line, f"line {line}: is not an entry any more")
        elif entry.hash != entry.computed_hash() or entry.line() != f"{lines[line - 1]}\n":
            yield Fault("changed", line, f"line {line} (entry {entry.number}): was changed after it was written")
        elif key is not None and not hmac.compare_digest(entry.mac, mac(key, "line", entry.hash)):
            yield Fault("forged", line, f"line {line} (entry {entry.number}): was not written with this key")


def _order(entries: Sequence[Entry | None], changed: set[int]) -> Iterable[Fault]:
    """Name entries that are missing between others, that stand in the wrong order, or that stand twice.

    A line that was changed still stands where its entry stood: only what has no line left was dropped.
    """
    seen: dict[int, int] = {}
    highest, unsure = -1, 0
    for line, entry in enumerate(entries, 1):
        if entry is None or line in changed:
            unsure += 1
        elif entry.number in seen:
            text = f"line {line}: entry {entry.number} stands in line {seen[entry.number]} already"
            yield Fault("repeated", line, text)
        else:
            seen[entry.number] = line
            if entry.number < highest:
                yield Fault("swapped", line, f"line {line}: entry {entry.number} stands after entry {highest}")
                continue
            yield from _gap(highest + 1, entry.number, unsure, {e.number for e in entries if e})
            highest, unsure = entry.number, 0


def _gap(first: int, end: int, unsure: int, present: set[int]) -> Iterable[Fault]:
    """Name what is missing from entry `first` up to `end`, where `unsure` lines stand that cannot be told apart."""
    missing = [number for number in range(first, end) if number not in present]
    lost = len(range(first, end)) - unsure if unsure else len(missing)
    if unsure and lost > 0:
        yield Fault("dropped", 0, f"{lost} of the entries {first} to {end - 1} are missing")
    elif not unsure:
        yield from (Fault("dropped", 0, f"entry {number} is missing") for number in missing)


def _links(sound: Sequence[Entry]) -> Iterable[Fault]:
    by_number = {entry.number: entry for entry in sound}
    for entry in sound:
        before = by_number.get(entry.number - 1)
        expected = START if entry.number == 0 else before.hash if before else None
        if expected is not None and entry.previous != expected:
            text = (
                f"entry {entry.number} was written after another entry {entry.number - 1} than the one that stands here"
            )
            yield Fault("replaced", 0, text)


def _head(path: Path, last: Entry, hidden: int, key: Key | None) -> Iterable[Fault]:
    try:
        head: dict[str, Any] = json.loads(head_path(path).read_text("ascii"))
        count, own, seal = int(head["entries"]), str(head["hash"]), str(head["mac"])
    except (OSError, ValueError, KeyError, TypeError):
        name = head_path(path).name
        yield Fault("head", 0, f"{name} is missing or damaged: entries cut off at the end would not be noticed")
        return
    if key is not None and not hmac.compare_digest(seal, mac(key, "head", f"{count} {own}")):
        yield Fault("head", 0, f"{head_path(path).name} was not written with this key")
    missing = count - 1 - last.number
    if missing > hidden:
        first = last.number + 1 + hidden
        span = f"entry {first} is" if count - 1 == first else f"entries {first} to {count - 1} are"
        yield Fault("truncated", 0, f"{span} missing at the end")
    elif missing == 0 and own != last.hash and last.hash != START:
        yield Fault("replaced", 0, f"the last entry ({last.number}) is not the one the head names")
