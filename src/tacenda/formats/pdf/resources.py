"""Numbers and names as they stand in the new file."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

PREFIX = {"/ExtGState": "G", "/ColorSpace": "C", "/Shading": "S", "/Pattern": "P", "/XObject": "X", "/Font": "F"}
HALVES_UP = 3e-7


def decimal(value: float, digits: int = 4) -> Decimal | int:
    """Return a number as it is written into a stream, in the shortest form.

    Halves are common (widths are thousandths of sizes) and float noise would round them up or down by chance, so that
    two files that should be alike were not: they are lifted a little first.
    """
    rounded = Decimal(f"{value + HALVES_UP:.{digits}f}").normalize()
    return int(rounded) if rounded == rounded.to_integral_value() else rounded


class Names:
    """The resources of one new stream, numbered in the order they are first used."""

    def __init__(self) -> None:
        import pikepdf

        self.obj = pikepdf.Dictionary()
        self._given: dict[tuple[str, Any], str] = {}

    def add(self, category: str, key: Any, make: Callable[[], Any]) -> Any:
        """Return the name of a resource; make it on first use."""
        import pikepdf

        if (category, key) not in self._given:
            if category not in self.obj:
                self.obj[category] = pikepdf.Dictionary()
            name = f"/{PREFIX[category]}{len(self.obj[category]) + 1}"
            self.obj[category][name] = make()
            self._given[(category, key)] = name
        return pikepdf.Name(self._given[(category, key)])
