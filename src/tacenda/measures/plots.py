"""Small plots as SVG text: lines, points and bars, legible on light and dark pages, with no library behind them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

Point = tuple[float, float]
Series = Mapping[str, Sequence[Point]]

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 16, 48
_COLORS = 8

# Eight colors that can be told apart, also without red and green; darker ones on light ground.
STYLE = """
.plot{--ink:#1d2733;--faint:#d9dee5;--soft:#5b6774;
--c0:#1f5fae;--c1:#c4500b;--c2:#117a65;--c3:#8e3a8c;--c4:#9a7400;--c5:#b3264a;--c6:#3d4b5c;--c7:#4d7f17}
@media (prefers-color-scheme:dark){.plot{--ink:#e6eaf0;--faint:#323c49;--soft:#9aa7b5;
--c0:#7db4f5;--c1:#f3a06b;--c2:#63cdb4;--c3:#d59ad4;--c4:#e3c15a;--c5:#f48ba4;--c6:#b5c2d1;--c7:#a9d470}}
.plot text{font:12px system-ui,sans-serif;fill:var(--soft)}
.plot .grid{stroke:var(--faint);stroke-width:1}
.plot .line{fill:none;stroke-width:2.2;stroke-linejoin:round}
.plot .name{fill:var(--ink)}
""".replace("\n", "")


def line_plot(
    series: Series,
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    y_range: Point | None = None,
    lines: bool = True,
) -> str:
    """Draw named series of points, joined by lines or not; a logarithmic x axis on demand.

    >>> line_plot({"a": [(0, 0), (1, 1)]}, title="t", x_label="x", y_label="y").startswith("<svg")
    True
    """
    held = {name: [p for p in points if all(map(math.isfinite, p))] for name, points in series.items()}
    every = [p for points in held.values() for p in points]
    if not every:
        return _frame(title, [_text(WIDTH / 2, HEIGHT / 2, "no data", anchor="middle")], HEIGHT)
    x_of, x_ticks = _axis([p[0] for p in every], LEFT, WIDTH - RIGHT, log=log_x)
    y_of, y_ticks = _axis([p[1] for p in every] if y_range is None else list(y_range), HEIGHT - BOTTOM, TOP)
    parts = _grid(x_of, x_ticks, y_of, y_ticks, x_label, y_label)
    for number, (name, points) in enumerate(held.items()):
        parts += _marks(name, [(x_of(x), y_of(y)) for x, y in points], points, number % _COLORS, lines)
    legend, height = _legend(list(held))
    return _frame(title, parts + legend, height)


def bar_plot(
    values: Mapping[str, Mapping[str, float]], *, title: str, x_label: str, x_range: Point = (0.0, 1.0)
) -> str:
    """Draw horizontal bars: one row per name, one bar per group in it, all groups in one legend."""
    groups = list(dict.fromkeys(group for row in values.values() for group in row))
    thick = 14 if len(groups) > 1 else 18
    row_height = thick * max(len(groups), 1) + 12
    left = 24 + 7 * max((len(name) for name in values), default=4)
    bottom = TOP + row_height * len(values)
    x_of, ticks = _axis(list(x_range), left, WIDTH - RIGHT - 36)
    parts = []
    for tick, label in ticks:
        parts.append(f'<line class="grid" x1="{x_of(tick):.1f}" x2="{x_of(tick):.1f}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(_text(x_of(tick), bottom + 16, label, anchor="middle"))
    for row, (name, held) in enumerate(values.items()):
        top = TOP + row * row_height + 6
        parts.append(_text(left - 8, top + (row_height - 12) / 2 + 4, name, anchor="end", cls="name"))
        for group, value in held.items():
            place = groups.index(group)
            at = top + place * thick
            if not math.isfinite(value):
                parts.append(_text(left + 4, at + thick - 4, "none"))
                continue
            width = max(x_of(value) - left, 0.5)
            label = escape(f"{name}, {group}: {value:.3f}")
            parts.append(
                f'<rect x="{left}" y="{at:.1f}" width="{width:.1f}" height="{thick - 3}" rx="2" '
                f'style="fill:var(--c{place % _COLORS})"><title>{label}</title></rect>'
            )
            parts.append(_text(left + width + 5, at + thick - 5, f"{value:.2f}"))
    parts.append(_text((left + WIDTH - RIGHT) / 2, bottom + 34, x_label, anchor="middle"))
    if len(groups) < 2:
        return _frame(title, parts, bottom + 44)
    legend, height = _legend(groups, top=bottom + 44)
    return _frame(title, parts + legend, height)


def _frame(title: str, parts: Sequence[str], height: float) -> str:
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title, quote=True)}"><style>{STYLE}</style><title>{escape(title)}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, words: str, *, anchor: str = "start", cls: str = "") -> str:
    named = f' class="{cls}"' if cls else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


Scale = Callable[[float], float]
Ticks = list[tuple[float, str]]


def _axis(values: Sequence[float], start: float, end: float, *, log: bool = False) -> tuple[Scale, Ticks]:
    """Map values to the page between start and end, and choose round ticks."""
    low, high = min(values), max(values)
    if log:
        ticks = [10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
        a, b = math.log10(low), max(math.log10(high), math.log10(low) + 1e-9)
        shown = [(t, f"{t:g}") for t in ticks if low <= t <= high]
        return lambda v: start + (math.log10(v) - a) / (b - a) * (end - start), shown
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = _step((high - low) / 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    low, high = first * step, last * step
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    shown = [(n * step, f"{n * step:.{digits}f}") for n in range(first, last + 1)]
    return lambda v: start + (v - low) / (high - low) * (end - start), shown


def _step(rough: float) -> float:
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough - 1e-12)


def _grid(x_of: Scale, x_ticks: Ticks, y_of: Scale, y_ticks: Ticks, x_label: str, y_label: str) -> list[str]:
    floor = HEIGHT - BOTTOM
    parts = []
    for value, label in y_ticks:
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y_of(value):.1f}" y2="{y_of(value):.1f}"/>'
        )
        parts.append(_text(LEFT - 8, y_of(value) + 4, label, anchor="end"))
    for value, label in x_ticks:
        parts.append(
            f'<line class="grid" x1="{x_of(value):.1f}" x2="{x_of(value):.1f}" y1="{floor}" y2="{floor + 5}"/>'
        )
        parts.append(_text(x_of(value), floor + 18, label, anchor="middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label, anchor="middle"))
    middle = (TOP + floor) / 2
    parts.append(f'<g transform="rotate(-90 14 {middle})">{_text(14, middle + 4, y_label, anchor="middle")}</g>')
    return parts


def _marks(name: str, at: Sequence[Point], points: Sequence[Point], color: int, lines: bool) -> list[str]:
    parts = []
    if lines and len(at) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f'<polyline class="line" style="stroke:var(--c{color})" points="{path}"/>')
    for (x, y), (a, b) in zip(at, points, strict=True):
        label = escape(f"{name}: {a:g}, {b:.4g}")
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3.2 if lines else 5}" style="fill:var(--c{color})">'
            f"<title>{label}</title></circle>"
        )
    return parts


def _legend(names: Sequence[str], *, top: float = HEIGHT + 4) -> tuple[list[str], float]:
    """Names with their colors below the plot, in rows; and the height they end at."""
    parts, x, y = [], float(LEFT), top + 8
    for number, name in enumerate(names):
        width = 30 + 6.6 * len(name)
        if x + width > WIDTH - RIGHT and x > LEFT:
            x, y = float(LEFT), y + 20
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 9:.1f}" width="12" height="12" rx="2" style="fill:var(--c{number % _COLORS})"/>'
        )
        parts.append(_text(x + 17, y + 1, name, cls="name"))
        x += width
    return parts, y + 12
