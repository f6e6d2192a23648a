"""Damaged and hostile files: bits turned, cut off, entries and tags changed, bombs, cycles, huge numbers."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

XML = '<?xml version="1.0"?>'


def flip(data: bytes, chance: random.Random) -> bytes:
    """Turn some bits."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 3, 10, 100))):
        at = chance.randrange(len(out))
        out[at] ^= 1 << chance.randrange(8)
    return bytes(out)


def cut(data: bytes, chance: random.Random) -> bytes:
    """Cut off the end, or take a piece out."""
    start = chance.randrange(len(data))
    return data[:start] if chance.random() < 0.5 else data[:start] + data[start + chance.randrange(1, 2000) :]


def repeat(data: bytes, chance: random.Random) -> bytes:
    """Repeat a piece."""
    start = chance.randrange(len(data))
    piece = data[start : start + chance.randrange(1, 400)]
    return data[:start] + piece * chance.randrange(2, 50) + data[start:]


def inside(data: bytes, chance: random.Random) -> bytes:
    """Change one entry of an archive and pack it again, so that the damage is in the XML."""
    if data[:2] != b"PK":
        return chance.choice((flip, cut, repeat, numbers, tags))(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {info.filename: archive.read(info) for info in archive.infolist()}
    name = chance.choice(sorted(entries))
    entries[name] = chance.choice((flip, cut, repeat, numbers, tags))(entries[name] or b"x", chance)
    if chance.random() < 0.1:
        entries.pop(chance.choice(sorted(entries)))
    return packed(entries)


def numbers(data: bytes, chance: random.Random) -> bytes:
    """Put huge or strange numbers in the place of some."""
    strange = (b"99999999999999999999", b"-1", b"1e999", b"NaN", b"0", b"4294967296", b"\xd9\xa3", b"1" * 400)
    return re.sub(rb"\d+", lambda m: chance.choice(strange) if chance.random() < 0.1 else m.group(), data)


def tags(data: bytes, chance: random.Random) -> bytes:
    """Take out, double or swap some tags."""

    def change(match: re.Match[bytes]) -> bytes:
        draw = chance.random()
        return match.group() if draw > 0.03 else b"" if draw < 0.01 else match.group() * 2

    return re.sub(rb"<[^<>]+>", change, data)


def packed(entries: dict[str, bytes]) -> bytes:
    """Return an archive of these entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


MAIN = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml", "content.xml")


def hostile(data: bytes, chance: random.Random) -> bytes:
    """One of the attacks that are known."""
    if data[:2] != b"PK":
        return _hostile_text(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {info.filename: archive.read(info) for info in archive.infolist()}
    main = next(
        n for n in ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml", "content.xml") if n in entries
    )
    kind = chance.randrange(8)
    if kind == 0:  # a zip bomb
        entries[main] = entries[main].replace(b">", b">" + b" " * 50_000_000, 1)
    elif kind == 1:  # billion laughs
        laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
        entries[main] = f'{XML}<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><x>&l8;</x>'.encode()
    elif kind == 2:  # an outside entity
        entries[main] = f'{XML}<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>'.encode()
    elif kind == 3:  # depth
        entries[main] = entries[main].replace(b"</", b"<a>" * 100_000 + b"</", 1)
    elif kind == 4:
        entries["../../evil.txt"] = b"out"
    elif kind == 5:  # relationships in a circle
        circle = b'Target="document.xml"'
        for name in [n for n in entries if n.endswith(".rels")]:
            entries[name] = re.sub(rb'Target="[^":]+"', circle, entries[name])
    elif kind == 6:
        entries["xl/vbaProject.bin"] = b"macro"
    else:  # an archive in itself, many times
        for _ in range(6):
            entries = {"word/document.xml": packed(entries), **entries}
    return packed(entries)


def _hostile_text(data: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return data.replace(b"<p", b"<div>" * 50_000 + b"<p", 1)
    if kind == 1:
        return (
            b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n'
            + b"--a\r\nContent-Type: message/rfc822\r\n\r\n" * 500
        )
    if kind == 2:
        return b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\r\n\r\n" + data
    if kind == 3:
        return data.replace(b"\n", b"\n" + b"(" * 5000, 3)
    return b"<!DOCTYPE html [<!ENTITY a 'b'>]>" + data


MUTATIONS: tuple[tuple[str, Callable[[bytes, random.Random], bytes], int], ...] = (
    ("bits turned", flip, 30),
    ("cut", cut, 15),
    ("repeated", repeat, 10),
    ("inside an entry", inside, 43),
    ("known attacks", hostile, 2),
)
