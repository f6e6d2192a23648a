"""What workers do. Each task takes JSON and bytes and gives JSON and bytes; sanitizers are made once and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tacenda import formats
from tacenda import policy as policies
from tacenda.errors import PolicyError, UsageError
from tacenda.formats import File
from tacenda.model import Document, Plan, Reading
from tacenda.replace.keys import Key
from tacenda.sanitizer import Sanitizer
from tacenda.serialize import plan_from_json, plan_to_json

Answer = tuple[dict[str, Any], bytes]


@dataclass
class Bench:
    """A worker's place: what it was told, and the sanitizers it has made."""

    policies: tuple[str, ...]
    key: Key | None = field(default=None, repr=False)
    force_language: bool = False
    certified: bool = False
    desks: dict[str, Any] = field(default_factory=dict, repr=False)
    _sanitizers: dict[tuple[str, ...], Sanitizer] = field(default_factory=dict, repr=False)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Bench:
        """Make one from the first message of the server."""
        key = Key(bytes.fromhex(config["key"])) if config.get("key") else None
        flags = bool(config.get("force_language")), bool(config.get("certified"))
        return cls(tuple(config["policies"]), key, *flags)

    def do(self, task: str, arguments: dict[str, Any], data: bytes) -> Answer:
        """Do one task."""
        from tacenda.service.review import work

        known = {**work.TASKS, **TASKS}
        if task not in known:
            raise UsageError(f"there is no task '{task}'")
        return known[task](self, arguments, data)

    def sanitizer(self, names: list[str] | None = None) -> Sanitizer:
        """Return the sanitizer for policies named by a caller, or for the server's own."""
        wanted = tuple(names or self.policies)
        for name in wanted:
            if name not in self.policies and name not in policies.shipped():
                known = ", ".join(sorted({*policies.shipped(), *self.policies}))
                raise PolicyError(f"there is no policy of this name here. Available: {known}")
        if wanted not in self._sanitizers:
            policy = policies.combine([policies.load(name) for name in wanted])
            made = Sanitizer(policy, key=self.key, force_language=self.force_language)
            self._sanitizers[wanted] = made.covering() if self.certified and policy.protect else made
        return self._sanitizers[wanted]


def warm(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Open models and indexes, so that the first caller does not wait for them."""
    bench.sanitizer().plan(Document("Daniel Okafor of Sacramento called (916) 555-0142 on 3 July.", "warm-up"))
    return {}, b""


def _opened(arguments: dict[str, Any], data: bytes) -> File:
    """Open an upload; its name decides its format only."""
    suffix = re.search(r"\.[A-Za-z0-9]{1,8}$", arguments["name"])
    name = f"document{suffix.group().lower() if suffix else ''}"
    return formats.open_bytes(data, name=name, reading=Reading(name=name))


def _source(arguments: dict[str, Any], data: bytes) -> tuple[Document, File | None]:
    if "text" in arguments:
        known = arguments.get("known", [])
        return Document(arguments["text"], "text", known=tuple(map(str, known))), None
    file = _opened(arguments, data)
    return file.document, file


def plan(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Make a plan."""
    document, _ = _source(arguments, data)
    return {"plan": plan_to_json(bench.sanitizer(arguments.get("policies")).plan(document))}, b""


def apply(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Apply a plan."""
    given = arguments["plan"]
    made = plan_from_json(given if isinstance(given, str) else json.dumps(given))
    return _applied(bench.sanitizer(arguments.get("policies")), *_source(arguments, data), made)


def sanitize(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Plan and apply."""
    sanitizer = bench.sanitizer(arguments.get("policies"))
    document, file = _source(arguments, data)
    header, output = _applied(sanitizer, document, file, made := sanitizer.plan(document))
    return {**header, "plan": json.loads(plan_to_json(made)), "changes": len(made.changes)}, output


def _applied(sanitizer: Sanitizer, document: Document, file: File | None, made: Plan) -> Answer:
    if file is None:
        result = sanitizer.apply(document, made)
        return {"text": result.text, "offsets": [list(offset) for offset in result.offsets]}, b""
    return {"name": file.reading.name}, sanitizer.write(file, made)[0]


def verify(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Check a certificate."""
    from tacenda.claims import verify as verified

    given = arguments["certificate"]
    policy = bench.sanitizer(arguments.get("policies")).policy
    verdict = verified(arguments["text"], given if isinstance(given, str) else json.dumps(given), policy)
    return {"holds": verdict.holds, "status": verdict.status, "reason": verdict.reason}, b""


def measure(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Score spans that a tool found against spans that people marked."""
    from tacenda.measures.detection import detection
    from tacenda.measures.gold import GoldDocument, GoldMention, Mask

    text = arguments["text"]
    try:
        marks = tuple(GoldMention(int(g["start"]), int(g["end"]), str(g.get("label", ""))) for g in arguments["gold"])
        masks = [Mask(int(f["start"]), int(f["end"]), str(f.get("label", ""))) for f in arguments["found"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError("'gold' and 'found' are lists of objects with start, end and label") from None
    spans = [(one.start, one.end) for one in marks] + [(one.start, one.end) for one in masks]
    if any(not 0 <= start < end <= len(text) for start, end in spans):
        raise UsageError("'gold' or 'found' names a span outside the text")
    return detection([GoldDocument("text", text, {"gold": marks})], {"text": masks}).to_json(), b""


def analyze(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Find entities, in Presidio's shape."""
    from tacenda.service import presidio
    from tacenda.service.operators import BadParameter

    results = []
    sanitizer = bench.sanitizer()
    for text in arguments["texts"]:
        mentions = sanitizer.annotate(Document(text)).mentions
        try:
            found = presidio.chosen(mentions, text, arguments["request"])
            found += presidio.ad_hoc(arguments["request"], text)
        except (BadParameter, TypeError, KeyError, ValueError) as error:
            raise UsageError(f"Failed to parse /analyze request ({type(error).__name__})") from None
        results.append(presidio.without_repeats(found))
    return {"results": results}, b""


def recognizers(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Name the annotators."""
    return {"names": list(bench.sanitizer().policy.annotate)}, b""


TASKS: dict[str, Callable[[Bench, dict[str, Any], bytes], Answer]] = {
    "warm": warm,
    "plan": plan,
    "apply": apply,
    "sanitize": sanitize,
    "verify": verify,
    "measure": measure,
    "analyze": analyze,
    "recognizers": recognizers,
}
