"""Read what is known of a subject (`--known FILE`, a field of a record) and tell its kinds apart."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tacenda.errors import InputError
from tacenda.language import FIELD_LABELS, TITLES, find_dates
from tacenda.language.calendar import Day
from tacenda.term import fold, plain_with_offsets, words

_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z _./-]{0,30}?)\s*[:=]\s+(?=\S)|\s*([A-Za-z][A-Za-z_]{0,30}?)\s*=\s*(?=\S)")
_POSTAL = re.compile(r"\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b")
_NAME = re.compile(r"[^\W\d_][\w.'’ ,-]{0,80}")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_MAX_NAME_WORDS = 6
_BETWEEN = re.compile(r"[;|\t\n]")  # no value holds one of these; people part several on one line with them


@dataclass(frozen=True)
class Value:
    """One known value and how it is to be looked for."""

    text: str = field(repr=False)
    kind: Literal["name", "date", "number", "other"]
    label: str
    day: Day = field(default=Day(0, 0, 0), repr=False)
    compact: str = field(default="", repr=False)
    pieces: tuple[str, ...] = field(default=(), repr=False)


def classify(text: str) -> Iterator[Value]:
    """Tell what a known value is; a field name before a colon helps.

    >>> [(v.kind, v.label) for v in classify("John Smith")], [(v.kind, v.label) for v in classify("MRN: RC-789654")]
    ([('name', 'PERSON')], [('number', 'RECORD')])
    >>> [v.kind for v in classify("Mary Jones; 00482913")]
    ['name', 'number']
    """
    for part in _BETWEEN.split(text):
        if part.strip():
            yield from _one(part)


def _one(text: str) -> Iterator[Value]:
    name, value = _split_field(text)
    plain = plain_with_offsets(value)[0].strip()
    label = next((kind for kind, cue in FIELD_LABELS if re.search(cue, name, re.I)), "")
    days = {d for date in find_dates(plain) if date.end - date.start >= len(plain) - 1 for d in date.readings}
    days = {d for d in days if d.month and d.day}
    if _ISO.fullmatch(plain):
        days = {Day(*map(int, plain.split("-")))} & days  # never year, day, month
    compact = "".join(words(plain))
    if days and label in ("", "DATETIME"):
        yield from (Value(value, "date", "DATETIME", day=day) for day in sorted(days))
        if re.search(r"\d{4}", plain):
            for day in sorted(days):
                written = f"{day.year:04d}{day.month:02d}{day.day:02d}"
                yield Value(value, "number", "DATETIME", compact=written)
    elif _numeric(compact, plain):
        yield Value(value, "number", label or "OTHER_ID", compact=compact)
    elif label == "PERSON" or (not label and _looks_like_name(plain)):
        yield Value(value, "name", "PERSON")
    elif compact:
        yield Value(value, "other", label or "OTHER_ID", pieces=_pieces(plain, label))


def _split_field(text: str) -> tuple[str, str]:
    match = _FIELD.match(text)
    return ("", text) if match is None else (match.group(1) or match.group(2), text[match.end() :])


def _numeric(compact: str, plain: str) -> bool:
    digits = sum(c.isdigit() for c in compact)
    return digits >= 4 and digits * 2 >= len(compact) and "@" not in plain and len(words(plain)) <= 6


def _looks_like_name(plain: str) -> bool:
    parts = [w for w in words(plain) if w not in TITLES]
    return _NAME.fullmatch(plain) is not None and 0 < len(parts) <= _MAX_NAME_WORDS


def _pieces(plain: str, label: str) -> tuple[str, ...]:
    """The value, and of an address its lines and its postal code."""
    found = [plain]
    if label == "ADDRESS" or ("," in plain and any(c.isdigit() for c in plain)):
        lines = [line.strip() for line in re.split(r"[,\n;]", plain)]
        found += [line for line in lines if len(words(line)) >= 2 or len(line) >= 4]
        found += _POSTAL.findall(plain)
    return tuple(dict.fromkeys(found))


def parse_known(text: str, name: str = "") -> tuple[str, ...]:
    """Read a file of known values: JSON (object or list), TOML, or one value a line; `#` begins a comment line.

    >>> parse_known('{"name": "Jo Reed", "phones": ["555 0100"]}', "k.json")
    ('name: Jo Reed', 'phones: 555 0100')
    >>> parse_known("# who\\nJo Reed\\n\\nborn: 1980-03-12\\n")
    ('Jo Reed', 'born: 1980-03-12')
    """
    where = name or "known identifiers"
    lowered = name.lower()
    if lowered.endswith(".json") or text.lstrip().startswith(("{", "[")):
        try:
            return tuple(_flat(json.loads(text), ""))
        except json.JSONDecodeError as error:
            raise InputError(f"{where}: not valid JSON (line {error.lineno}, column {error.colno}).") from None
    if lowered.endswith(".toml"):
        try:
            return tuple(_flat(tomllib.loads(text), ""))
        except tomllib.TOMLDecodeError:
            raise InputError(
                f'{where}: not valid TOML. Write lines of the form key = "value", or one value per line in a .txt file.'
            ) from None
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _flat(value: Any, name: str) -> Iterator[str]:
    """Strings of a nested value, each with the name of its nearest field."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flat(inner, name)
    elif value is not None and not isinstance(value, bool) and fold(str(value)).strip():
        yield f"{name}: {value}" if name else str(value)
