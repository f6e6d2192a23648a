"""What Presidio's anonymizer does to a text, computed here: conflicts settled, operators applied, places counted.

Same results as `presidio-anonymizer` 2.2 (tested against it): replace, redact, mask, hash, encrypt, keep; decrypt and
deanonymize_keep on the way back. The one difference: `custom` runs code of the caller and does not exist here.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Settings = Mapping[str, Any]
Item = dict[str, Any]


class BadParameter(ValueError):
    """A parameter of the caller that Presidio answers with status 422."""


@dataclass(frozen=True, slots=True)
class Result:
    """One finding, as a client sends it back."""

    start: int
    end: int
    entity_type: str
    score: float | None = None
    text: str = field(default="", repr=False)

    @classmethod
    def from_json(cls, data: Any, *, scored: bool = True) -> Result:
        """Check one finding and take it over."""
        if not isinstance(data, dict):
            raise BadParameter("Invalid input, analyzer result must be an object")
        for name in ("start", "end"):
            if data.get(name) is None:
                raise BadParameter(f"Invalid input, result must contain {name}")
            if not isinstance(data[name], int) or isinstance(data[name], bool):
                raise BadParameter(f"Invalid parameter value for '{name}'.")
        if not data.get("entity_type"):
            raise BadParameter("Invalid input, result must contain entity_type")
        start, end = data["start"], data["end"]
        if start < 0 or end < 0:
            raise BadParameter("Invalid input, result start and end must be positive")
        if start > end:
            raise BadParameter(f"Invalid input, start index '{start}' must be smaller than end index '{end}'")
        score = data.get("score")
        if scored and score is None:
            raise BadParameter("Invalid input, analyzer result must contain score")
        return cls(start, end, str(data["entity_type"]), None if score is None else float(score))


def anonymize(text: str, results: Sequence[Result], operators: Mapping[str, Settings]) -> dict[str, Any]:
    """Apply operators to all findings and say where the new pieces stand."""
    settled = _joined(text, _uncontained(_merged(sorted(results, key=lambda r: (r.start, r.end)))))
    return _operate(text, settled, {"DEFAULT": {"type": "replace"}, **operators}, ANONYMIZERS)


def deanonymize(text: str, results: Sequence[Result], operators: Mapping[str, Settings]) -> dict[str, Any]:
    """Undo what can be undone."""
    return _operate(text, results, operators, DEANONYMIZERS)


def _merged(results: Sequence[Result]) -> list[Result]:
    """Join findings of one type that overlap; a joined one takes the place of the last it absorbed."""
    kept: list[tuple[int, Result]] = []
    for kind in dict.fromkeys(r.entity_type for r in results):
        placed = sorted(
            ((p, r) for p, r in enumerate(results) if r.entity_type == kind), key=lambda one: (one[1].start, one[1].end)
        )
        place, current = placed[0]
        for next_place, result in placed[1:]:
            if min(current.end, result.end) - max(current.start, result.start) <= 0:
                # Presidio calls touching findings apart, and so do we.
                kept.append((place, current))
                place, current = next_place, result
                continue
            score = max(current.score or 0.0, result.score or 0.0)
            current = replace(current, end=max(current.end, result.end), score=score)
            place = max(place, next_place)
        kept.append((place, current))
    return [result for _, result in sorted(kept, key=lambda one: one[0])]


def _uncontained(results: Sequence[Result]) -> list[Result]:
    """Drop findings inside another; of equal ones the highest score stays, the last on a tie."""
    order = sorted(range(len(results)), key=lambda i: (results[i].start, -results[i].end))
    dropped: set[int] = set()
    reach: int | None = None
    at = 0
    while at < len(order):
        first = results[order[at]]
        end = at
        while end < len(order) and (results[order[end]].start, results[order[end]].end) == (first.start, first.end):
            end += 1
        same = order[at:end]
        if reach is not None and reach >= first.end:
            dropped.update(same)
        else:
            best = max(same, key=lambda i: (results[i].score or 0.0, i))
            dropped.update(i for i in same if i != best)
        reach = first.end if reach is None else max(reach, first.end)
        at = end
    return [result for i, result in enumerate(results) if i not in dropped]


def _joined(text: str, results: Sequence[Result]) -> list[Result]:
    """Join neighbors of one type with nothing but spaces between them."""
    joined: list[Result] = []
    before: Result | None = None
    for result in results:
        if before and before.entity_type == result.entity_type and re.fullmatch(" +", text[before.end : result.start]):
            joined.remove(before)
            result = replace(result, start=before.start)
        joined.append(result)
        before = result
    return joined


def _operate(
    text: str, results: Sequence[Result], operators: Mapping[str, Settings], known: Mapping[str, Operator]
) -> dict[str, Any]:
    output, reach, placed = text, len(text), []
    for result in sorted(results, key=lambda r: (r.start, r.end), reverse=True):
        if result.start > len(text) or result.end > len(text):
            raise BadParameter(
                f"Invalid analyzer result, start: {result.start} and end: {result.end}, "
                f"while text length is only {len(text)}."
            )
        settings = operators.get(result.entity_type) or operators.get("DEFAULT") or {}
        name = settings.get("type")
        if not name:
            raise BadParameter("Invalid input, operator config must contain operator_name")
        if name not in known:
            raise BadParameter(f"Invalid operator class '{name}'.")
        new = known[name](text[result.start : result.end], {**settings, "entity_type": result.entity_type})
        after = output[min(result.end, reach) :]
        reach = result.start
        output = output[: result.start] + new + after
        placed.append((len(after) + len(new), new, name, result))
    items = [_item(len(output) - from_end, new, name, result) for from_end, new, name, result in placed]
    return {"text": output, "items": items}


def _item(start: int, new: str, name: str, result: Result) -> Item:
    return {
        "start": start,
        "end": start + len(new),
        "entity_type": result.entity_type,
        "text": new,
        "operator": name,
        "score": result.score,
    }


# ---- operators: the text of one finding and the settings, to what stands in its place --------------------------

Operator = Callable[[str, Settings], str]


def _typed(settings: Settings, name: str, kind: type) -> Any:
    value = settings.get(name)
    if value is None:
        raise BadParameter(f"Expected parameter {name}")
    if value and not isinstance(value, kind):
        raise BadParameter(f"Invalid parameter value for '{name}'.")
    return value


def _replace(text: str, settings: Settings) -> str:
    value = settings.get("new_value")
    if value and not isinstance(value, str):
        raise BadParameter("Invalid parameter value for 'new_value'.")
    return value or f"<{settings['entity_type']}>"


def _mask(text: str, settings: Settings) -> str:
    character = _typed(settings, "masking_char", str)
    if len(character) > 1:
        raise BadParameter("Invalid input, masking_char must be a character")
    count = max(0, min(len(text), _typed(settings, "chars_to_mask", int)))
    if _typed(settings, "from_end", bool):
        return str(text[: len(text) - count] + character * count)
    return str(character * count + text[count:])


def _hash(text: str, settings: Settings) -> str:
    kind = settings.get("hash_type", "sha256")
    if kind not in ("sha256", "sha512"):
        raise BadParameter("Parameter hash_type value is not in range of values ['sha256', 'sha512']")
    salt = settings.get("salt")
    if salt is None:
        salt = os.urandom(32)
    elif not isinstance(salt, str) or len(salt.encode()) < 16:
        raise BadParameter("Salt must be at least 16 bytes (128 bits).")
    else:
        salt = salt.encode()
    return hashlib.new(kind, text.encode("utf-8", "surrogatepass") + salt).hexdigest()


def _key(settings: Settings) -> bytes:
    key: bytes = str(_typed(settings, "key", str)).encode()
    if len(key) not in (16, 24, 32):
        raise BadParameter("Invalid input, key must be of length 128, 192 or 256 bits")
    return key


def _encrypt(text: str, settings: Settings) -> str:
    from cryptography.hazmat.primitives import padding
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    padder = padding.PKCS7(128).padder()
    padded = padder.update(text.encode()) + padder.finalize()
    start = os.urandom(16)
    encryptor = Cipher(algorithms.AES(_key(settings)), modes.CBC(start)).encryptor()
    return base64.urlsafe_b64encode(start + encryptor.update(padded) + encryptor.finalize()).decode()


def _decrypt(text: str, settings: Settings) -> str:
    from cryptography.hazmat.primitives import padding
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    key = _key(settings)
    try:
        data = base64.urlsafe_b64decode(text)
        decryptor = Cipher(algorithms.AES(key), modes.CBC(data[:16])).decryptor()
        unpadder = padding.PKCS7(128).unpadder()
        plain = unpadder.update(decryptor.update(data[16:]) + decryptor.finalize()) + unpadder.finalize()
        return str(plain.decode("utf-8"))
    except ValueError:
        raise BadParameter("The text cannot be decrypted: another key, or not an encrypted text") from None


ANONYMIZERS: dict[str, Operator] = {
    "hash": _hash,
    "mask": _mask,
    "redact": lambda text, settings: "",
    "replace": _replace,
    "keep": lambda text, settings: text,
    "encrypt": _encrypt,
}
DEANONYMIZERS: dict[str, Operator] = {"decrypt": _decrypt, "deanonymize_keep": lambda text, settings: text}
