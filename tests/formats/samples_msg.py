"""Outlook's .msg files, written from nothing: a compound file of streams with properties."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from tests.formats.samples import Person, docx

SECTOR, MINI, CUTOFF = 512, 64, 4096
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
NONE = 0xFFFFFFFF


@dataclass
class Node:
    """A storage (with children) or a stream (with data)."""

    name: str
    kind: int  # 1 storage, 2 stream, 5 root
    data: bytes = b""
    children: list[Node] = field(default_factory=list)
    start: int = END


def compound(root: Node) -> bytes:
    """Write a compound file, version 3."""
    nodes: list[Node] = []

    def number(node: Node) -> None:
        nodes.append(node)
        for child in node.children:
            number(child)

    number(root)
    small, small_chain = b"", list[int]()
    for node in nodes:
        if node.kind == 2 and len(node.data) < CUTOFF:
            node.start = len(small_chain)
            count = max(1, -(-len(node.data) // MINI))
            small += node.data.ljust(count * MINI, b"\0")
            small_chain += [*range(node.start + 1, node.start + count), END]
    root.data = small
    sectors: list[bytes] = []
    chain: list[int] = []

    def store(data: bytes, fill: bytes = b"\0") -> int:
        start, count = len(sectors), -(-len(data) // SECTOR)
        sectors.extend(data[i * SECTOR : (i + 1) * SECTOR].ljust(SECTOR, fill) for i in range(count))
        chain.extend([*range(start + 1, start + count), END] if count else [])
        return start

    for node in nodes:
        if node.kind == 5 or (node.kind == 2 and len(node.data) >= CUTOFF):
            node.start = store(node.data)
    mini_table = store(struct.pack(f"<{len(small_chain)}I", *small_chain), b"\xff")
    mini_tables = len(sectors) - mini_table
    entries = [_entry(node, nodes) for node in nodes]
    entries += [bytes(64) + struct.pack("<HBBIII", 0, 0, 0, NONE, NONE, NONE) + bytes(48)] * (-len(entries) % 4)
    directory = store(b"".join(entries))
    tables = 1
    while (len(sectors) + tables) * 4 > tables * SECTOR:
        tables += 1
    first_table = len(sectors)
    chain += [FAT] * tables
    packed = struct.pack(f"<{len(chain)}I", *chain).ljust(tables * SECTOR, b"\xff")
    sectors += [packed[i * SECTOR : (i + 1) * SECTOR] for i in range(tables)]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, tables, directory, 0, CUTOFF, mini_table, mini_tables, END, 0)
    head += struct.pack("<109I", *range(first_table, first_table + tables), *[FREE] * (109 - tables))
    return head + b"".join(sectors)


def _entry(node: Node, nodes: list[Node]) -> bytes:
    encoded = (node.name + "\0").encode("utf-16-le")
    ordered = sorted(node.children, key=lambda n: (len(n.name), n.name.upper()))
    child = nodes.index(ordered[len(ordered) // 2]) if ordered else NONE
    left, right = _siblings(node, nodes)
    return (
        encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), node.kind, 1, left, right, child) + bytes(36)
        + struct.pack("<IQ", node.start if node.kind != 1 else 0, len(node.data))
    )  # fmt: skip


def _siblings(node: Node, nodes: list[Node]) -> tuple[int, int]:
    """Place in the balanced tree of names among the children of the parent."""
    parent = next((n for n in nodes if any(c is node for c in n.children)), None)
    if parent is None:
        return NONE, NONE
    ordered = sorted(parent.children, key=lambda n: (len(n.name), n.name.upper()))

    def find(low: int, high: int) -> tuple[int, int] | None:
        if low >= high:
            return None
        middle = (low + high) // 2
        if ordered[middle] is node:
            left = nodes.index(ordered[(low + middle) // 2]) if low < middle else NONE
            right = nodes.index(ordered[(middle + 1 + high) // 2]) if middle + 1 < high else NONE
            return left, right
        return find(low, middle) or find(middle + 1, high)

    return find(0, len(ordered)) or (NONE, NONE)


def _properties(head: bytes, values: dict[int, str | bytes | int]) -> list[Node]:
    """The stream of fixed properties, and a stream for each one of variable length."""
    rows, nodes = [], []
    for tag, value in sorted(values.items()):
        if isinstance(value, int):
            rows.append(struct.pack("<HHIii", 3, tag, 6, value, 0))
            continue
        kind = 0x1F if isinstance(value, str) else 0x102
        data = value.encode("utf-16-le") if isinstance(value, str) else value
        rows.append(struct.pack("<HHIII", kind, tag, 6, len(data) + (2 if kind == 0x1F else 0), 0))
        nodes.append(Node(f"__substg1.0_{tag:04X}{kind:04X}", 2, data))
    return [*nodes, Node("__properties_version1.0", 2, head + b"".join(rows))]


def msg(who: Person, *, page: str = "") -> bytes:
    n = who.name
    values: dict[int, str | bytes | int] = {
        0x001A: "IPM.Note", 0x0037: f"About {n}", 0x1000: f"Dear Steffi,\r\n\r\n{n} was ill.\r\n", 0x0C1A: f"{who.first} {n}",
        0x0C1F: who.address, 0x0070: n, 0x007D: f"Received: from {n}.local\r\nX-Who: {n}\r\n", 0x3FFA: n, 0x3FDE: 65001,
    }  # fmt: skip
    if page:
        values[0x1013] = page.encode()
    recipient = _properties(bytes(8), {0x3001: f"{who.first} {n}", 0x3003: who.address, 0x39FE: who.address, 0x0C15: 1})
    attached = _properties(
        bytes(8), {0x3701: docx(who), 0x3707: f"{n} report.docx", 0x3705: 1, 0x370E: "application/octet-stream"}
    )
    children = _properties(bytes(8) + struct.pack("<IIII", 1, 1, 1, 1) + bytes(8), values)
    children += [Node("__recip_version1.0_#00000000", 1, children=recipient)]
    children += [Node("__attach_version1.0_#00000000", 1, children=attached)]
    return compound(Node("Root Entry", 5, children=children))
