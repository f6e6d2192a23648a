"""Changes of a certificate, leaf by leaf, for the tests and for the benchmark."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


def leaves(table: Any, at: Path = ()) -> Iterator[Path]:
    """Every place in a certificate, containers included."""
    if at:
        yield at
    items = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in items:
        yield from leaves(value, (*at, key))


def get(table: Any, at: Path) -> Any:
    for key in at:
        table = table[key]
    return table


def put(table: Any, at: Path, value: Any) -> None:
    get(table, at[:-1])[at[-1]] = value


def mutate(table: dict[str, Any], draw: random.Random) -> tuple[str, dict[str, Any]]:
    """One change: another value, deletion, emptying, a swap of two leaves, something added."""
    places = list(leaves(table))
    # By way of JSON, not copy: what an earlier change put in two places must not stay one object.
    changed, at = json.loads(json.dumps(table)), draw.choice(places)
    value = get(changed, at)
    how = draw.choice(["other", "delete", "empty", "swap", "add", "kind"])
    if how == "other":
        put(changed, at, _other(value, draw))
    elif how == "delete":
        del get(changed, at[:-1])[at[-1]]
    elif how == "empty":
        put(changed, at, {str: "", int: 0, list: [], dict: {}, bool: not value}.get(type(value)))
    elif how == "swap":
        to = draw.choice(places)
        if at[: len(to)] != to and to[: len(at)] != at:
            one, other = copy.deepcopy(get(table, at)), copy.deepcopy(get(table, to))
            put(changed, at, other)
            put(changed, to, one)
    elif how == "add":
        target = get(changed, at[:-1])
        if isinstance(target, list):
            target.append(copy.deepcopy(draw.choice(target) if target else "x"))
        else:
            target[f"added{draw.randrange(9)}"] = value
    else:
        put(changed, at, draw.choice([None, True, 1.0, "1", [value], {"value": value}]))
    return how, changed


def _other(value: Any, draw: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return draw.choice([value + 1, max(0, value - 1), 10**9, -1, float(value)])
    if isinstance(value, str):
        return draw.choice([value + " ", value.upper() + "x", "bicycle", "1/" + "1" + "0" * 40, value[:-1]])
    if isinstance(value, list):
        return draw.choice([value[1:], [*value[::-1], "x"], [*value, *value, "x"]])
    return {**value, "x": 1} if isinstance(value, dict) else -1
