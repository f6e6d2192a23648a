"""Affine maps as six numbers, boxes as four, and numbers out of files that may hold anything."""

from __future__ import annotations

import math
from typing import Any

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Area = tuple[float, float, float, float]  # left, bottom, right, top

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def number(value: Any, default: float = 0.0) -> float:
    """Return a finite float, whatever was given."""
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return default
    return result if math.isfinite(result) and abs(result) < 1e12 else default


def matrix(values: Any) -> Matrix:
    """Return six numbers as a matrix; the identity for anything else."""
    try:
        items = [number(v) for v in values]
    except TypeError:
        return IDENTITY
    return (items[0], items[1], items[2], items[3], items[4], items[5]) if len(items) == 6 else IDENTITY


def multiply(first: Matrix, then: Matrix) -> Matrix:
    """Return the map that applies `first`, then `then`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def inverse(m: Matrix) -> Matrix | None:
    """Return the map that undoes this one; None if there is none."""
    a, b, c, d, e, f = m
    det = a * d - b * c
    if abs(det) < 1e-12:
        return None
    return (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)


def apply(m: Matrix, x: float, y: float) -> Point:
    """Map a point."""
    return (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])


def around(points: list[Point]) -> Area:
    """Return the smallest upright box around points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (min(xs), min(ys), max(xs), max(ys))


def mapped(m: Matrix, box: Area) -> Area:
    """Return the upright box around a mapped box."""
    left, bottom, right, top = box
    return around([apply(m, x, y) for x, y in ((left, bottom), (right, bottom), (left, top), (right, top))])


def join(boxes: list[Area]) -> Area:
    """Return the smallest box that holds all of these."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def overlap(a: Area, b: Area, *, margin: float = 0.0) -> bool:
    """Tell whether two boxes share an area."""
    return (
        a[0] < b[2] + margin and b[0] < a[2] + margin and a[1] < b[3] + margin and b[1] < a[3] + margin
    )  # fmt: skip


def rectangle(values: Any) -> Area | None:
    """Return a PDF rectangle with its corners in order; None if it is none."""
    try:
        items = [number(v) for v in values]
    except TypeError:
        return None
    if len(items) != 4:
        return None
    return (min(items[0], items[2]), min(items[1], items[3]), max(items[0], items[2]), max(items[1], items[3]))
