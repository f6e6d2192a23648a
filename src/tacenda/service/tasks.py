"""What workers do. Each task takes JSON and bytes and gives JSON and bytes; sanitizers are made once and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tacenda import policy as policies
from tacenda.errors import PolicyError, UsageError
from tacenda.model import Document
from tacenda.replace.keys import Key
from tacenda.sanitizer import Sanitizer

Answer = tuple[dict[str, Any], bytes]


@dataclass
class Bench:
    """A worker's place: what it was told, and the sanitizers it has made."""

    policies: tuple[str, ...]
    key: Key | None = field(default=None, repr=False)
    force_language: bool = False
    _sanitizers: dict[tuple[str, ...], Sanitizer] = field(default_factory=dict, repr=False)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Bench:
        """Make one from the first message of the server."""
        key = Key(bytes.fromhex(config["key"])) if config.get("key") else None
        return cls(tuple(config["policies"]), key, bool(config.get("force_language")))

    def do(self, task: str, arguments: dict[str, Any], data: bytes) -> Answer:
        """Do one task."""
        if task not in TASKS:
            raise UsageError(f"there is no task '{task}'")
        return TASKS[task](self, arguments, data)

    def sanitizer(self, names: list[str] | None = None) -> Sanitizer:
        """Return the sanitizer for policies named by a caller, or for the server's own."""
        wanted = tuple(names or self.policies)
        for name in wanted:
            if name not in self.policies and name not in policies.shipped():
                known = ", ".join(sorted({*policies.shipped(), *self.policies}))
                raise PolicyError(f"there is no policy of this name here. Available: {known}")
        if wanted not in self._sanitizers:
            policy = policies.combine([policies.load(name) for name in wanted])
            self._sanitizers[wanted] = Sanitizer(policy, key=self.key, force_language=self.force_language)
        return self._sanitizers[wanted]


def warm(bench: Bench, arguments: dict[str, Any], data: bytes) -> Answer:
    """Open models and indexes, so that the first caller does not wait for them."""
    bench.sanitizer().plan(Document("Daniel Okafor of Sacramento called (916) 555-0142 on 3 July.", "warm-up"))
    return {}, b""


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
    "analyze": analyze,
    "recognizers": recognizers,
}
