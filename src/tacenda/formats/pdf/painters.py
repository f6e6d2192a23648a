"""Streams that paint without an operator of their own: patterns and soft masks; and whether a stream shows text."""

from __future__ import annotations

from typing import Any

SHOW = frozenset(("Tj", "TJ", "'", '"'))


def painters(resources: Any) -> list[tuple[str, Any]]:
    """Return the streams that resources paint with besides operators: patterns and soft masks; and fonts set aside."""
    import pikepdf

    found: list[tuple[str, Any]] = []
    for kind in ("/Pattern", "/ExtGState"):
        table = resources.get(kind) if isinstance(resources, pikepdf.Dictionary) else None
        for _, item in table.items() if isinstance(table, pikepdf.Dictionary) else ():
            if kind == "/Pattern" and isinstance(item, pikepdf.Stream):
                found.append(("pattern", item))
            elif kind == "/ExtGState" and isinstance(item, pikepdf.Dictionary):
                if "/Font" in item:
                    found.append(("font", None))
                mask = item.get("/SMask")
                if isinstance(mask, pikepdf.Dictionary) and isinstance(mask.get("/G"), pikepdf.Stream):
                    found.append(("soft mask", mask.G))
    return found


def has_text(stream: Any, depth: int = 0) -> bool:
    """Tell whether a stream, or a form it paints, shows text; in doubt it does."""
    import pikepdf

    if depth > 4:
        return True
    try:
        for item in pikepdf.parse_content_stream(stream):
            op = str(item.operator)
            if op in SHOW:
                return True
            if op == "Do":
                table = stream.get("/Resources", {}).get("/XObject", {})
                inner = table.get(str(item.operands[0]))
                form = isinstance(inner, pikepdf.Stream) and str(inner.get("/Subtype", "")) == "/Form"
                if form and has_text(inner, depth + 1):
                    return True
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, IndexError):
        return True
    return False
