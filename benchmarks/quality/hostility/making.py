"""Hostile inputs, drawn at random from a seed: texts and records in strange dress, and damage done to sound files."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.quality.certificates.mutations import mutate
from benchmarks.quality.documents.mutate import cut, flip, inside, numbers, repeat, tags

CANARY = "Quillfeather"
KNOWN = (f"Zebulon {CANARY}",)
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1", "shift_jis")
_SENTENCES = (
    f"Zebulon {CANARY} called on 3 July 1979 and asked for his letter.",
    f"Write to zeb.{CANARY.lower()}@example.org or call (212) 555-0123 today.",
    f"#{CANARY} z%65b Zebulon%20{CANARY} **Quill**feather Q-u-i-l-l-f-e-a-t-h-e-r {CANARY.upper()}",
    "The nurse saw the patient in the morning and found nothing unusual.",
    "SSN 219-09-9999, card 4111 1111 1111 1111, http://example.org/a?b=c, 10.0.0.1",
    "the clinic in the village was open until the evening",
)
_STRANGE = (
    "\0", "\ufeff", "\u200b", "\u202e", "\ufffd", "\u2028", "\x85", "\r", "\x1b[31m", '"', '""', "'", "\\", "\\u0000",
    "{", "}", "[", "]", ",,,,", "\t\t", "<b>", "</p>", "<!--", "&#x41;", "&", "=?utf-8?q?=41?=", "%41%00", "1-1-1-",
    "((((", "....", "@@@@", "A" * 300, "é" * 50, "\U0001f1e6\U0001f1e7", "\u0301" * 40, "e\u0301", "ﬁ", "İ", "ß", "ǆ",
    "٣٤٥", "１２３", "0" * 400, "-" * 200, "\n\n\n\n", " " * 500, "```", "|a|b|", "# ", "From ", "--a\r\n", "𝐐𝐮𝐢𝐥𝐥",
)  # fmt: skip


def text(chance: random.Random) -> str:
    """A short text that names the canary, with strange signs in it."""
    parts = []
    for _ in range(chance.randrange(1, 8)):
        parts.append(chance.choice(_SENTENCES))
        while chance.random() < 0.4:
            parts.append(chance.choice(_STRANGE))
    joined = chance.choice((" ", "\n", "\n\n", "\r\n", "")).join(parts)
    if chance.random() < 0.2:
        at = chance.randrange(len(joined))
        joined = joined[:at] + chance.choice(_STRANGE) + joined[at:]
    return joined


def encoded(words: str, chance: random.Random) -> bytes:
    """A text as bytes, in one encoding or another, sometimes damaged."""
    data = words.encode(chance.choice(ENCODINGS), "replace")
    return damaged(data, chance) if chance.random() < 0.5 else data


def jsonl(chance: random.Random) -> bytes:
    """Lines of JSON, some broken, some without the field, some with strange values."""
    values = (None, 1, [], {}, ["a"], True, 1e308)
    lines = []
    for number in range(chance.randrange(1, 6)):
        value: Any = chance.choice(values) if chance.random() < 0.1 else text(chance)
        record = {"id": number, "text": value, chance.choice(("note", CANARY, "a b", "")): text(chance)[:40]}
        if chance.random() < 0.1:
            record.pop("text", None)
        line = json.dumps(record, ensure_ascii=chance.random() < 0.5)
        lines.append(line[: chance.randrange(len(line))] if chance.random() < 0.15 else line)
    return encoded(chance.choice(("\n", "\n", "\r\n", "\n\n")).join(lines), chance)


def table(chance: random.Random, delimiter: str) -> bytes:
    """Rows under a header, some too short, some with quotes that do not end."""

    def cell(value: str) -> str:
        draw = chance.random()
        return '"' + value.replace('"', '""') + '"' if draw < 0.8 else value if draw < 0.95 else '"' + value

    heads = ["text", chance.choice(("id", CANARY, "text", "", "a,b")), "note"]
    rows = [heads] if chance.random() < 0.9 else []
    for number in range(chance.randrange(0, 5)):
        rows.append([text(chance), str(number), text(chance)[:30]][: 3 if chance.random() < 0.9 else 2])
    ending = chance.choice(("\n", "\r\n", "\r"))
    return encoded(ending.join(delimiter.join(map(cell, row)) for row in rows), chance)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with bits turned, pieces cut out or repeated, numbers or tags changed."""
    if not data:
        return b"\0"
    change = chance.choice((flip, cut, repeat, numbers, tags, inside))
    try:
        return change(data, chance)
    except Exception:  # an archive that was damaged before cannot be taken apart
        return flip(data, chance)


def damaged_json(body: dict[str, Any], chance: random.Random) -> str:
    """JSON with one or more leaves changed, or with its letters damaged."""
    if chance.random() < 0.2:
        return damaged(json.dumps(body).encode(), chance).decode("utf-8", "replace")
    return json.dumps(changed(body, chance))


def changed(body: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A tree of values with one or more leaves changed."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        body = mutate(body, chance)[1] if body else {"x": 1}
    return body


def damaged_toml(words: str, chance: random.Random) -> str:
    """TOML with lines swapped, doubled, taken out, values put in the place of others."""
    values = (
        "0",
        "-1",
        "1e999",
        "nan",
        '""',
        "[]",
        "{}",
        "true",
        '["x"]',
        '"Xanthic"',
        "1979-07-03",
        '"1/0"',
        "10" * 60,
    )
    if chance.random() < 0.2:
        return damaged(words.encode(), chance).decode("utf-8", "replace")
    lines = words.splitlines()
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(lines))
        draw = chance.random()
        if draw < 0.5 and "=" in lines[at]:
            lines[at] = lines[at].partition("=")[0] + "= " + chance.choice(values)
        elif draw < 0.65:
            lines.pop(at)
        elif draw < 0.8:
            lines.insert(chance.randrange(len(lines)), lines[at])
        else:
            lines[at] = chance.choice(("[x]", "[[protect]]", "[risk]", "x = 1", "[risk.entity]", "name = 3", ""))
        if not lines:
            break
    return "\n".join(lines)


def resealed_index(data: bytes, chance: random.Random) -> bytes:
    """An index file with something changed inside and its checksums made to fit, as one who forges it would."""
    length = int.from_bytes(data[12:16], "little")
    head, body = json.loads(data[48 : 48 + length]), bytearray(data[48 + length :])
    if chance.random() < 0.5:
        head = changed(head, chance) if chance.random() < 0.9 else [head]
    else:
        name = chance.choice(sorted(head["sections"]))
        offset, size, _ = head["sections"][name]
        piece = bytearray(damaged(bytes(body[offset : offset + size]) or b"x", chance))
        body[offset : offset + size] = (piece + bytes(size))[:size]
        head["sections"][name][2] = hashlib.sha256(body[offset : offset + size]).hexdigest()
    packed = json.dumps(head, sort_keys=True).encode()
    return data[:12] + len(packed).to_bytes(4, "little") + hashlib.sha256(packed).digest() + packed + bytes(body)


def resealed_taxonomy(data: bytes, chance: random.Random) -> bytes:
    """A taxonomy file, likewise."""
    length = int.from_bytes(data[8:12], "little")
    head, body = json.loads(data[12 : 12 + length]), data[12 + length :]
    if chance.random() < 0.5:
        head = changed(head, chance)
    else:
        body = (damaged(body, chance) + bytes(len(body)))[: len(body)]
        head["crc32"] = zlib.crc32(body)
    packed = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
    packed += b" " * (-(12 + len(packed)) % 64)
    return data[:8] + len(packed).to_bytes(4, "little") + packed + body


def resealed_vectors(data: bytes, chance: random.Random) -> bytes:
    """A file of vectors, likewise: only its header is signed as a whole."""
    length = int.from_bytes(data[8:12], "little")
    start = 12 + 32
    head = json.loads(data[start : start + length])
    packed = damaged_json(head, chance).encode()
    return (
        data[:8] + len(packed).to_bytes(4, "little") + hashlib.sha256(packed).digest() + packed + data[start + length :]
    )


@cache
def bytes_of(path: Path) -> bytes:
    """A file, read once."""
    return path.read_bytes()
