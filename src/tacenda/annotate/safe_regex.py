"""Make regular expressions of a policy safe: no text, however hostile, may stall the run.

Python's engine backtracks. An expression is accepted only if the number of ways to match is bounded per
starting position, which is read off its syntax tree:

- no back-reference;
- a repetition holds no other variable repetition and no choice whose branches can begin alike, unless it is
  possessive or atomic (`(?:...)++`, `(?>...)`);
- repetitions without an upper end are given one, `LONGEST`, and the product of those that could also match
  what follows them stays under `MAX_STEPS`.
"""

from __future__ import annotations

import re
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from tacenda.errors import PolicyError

LONGEST = 64
MAX_STEPS = 4096
_OTHER = 128  # stands for every character beyond ASCII
_ANY = frozenset(range(_OTHER + 1))
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: r"\d",
    _constants.CATEGORY_NOT_DIGIT: r"\D",
    _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S",
    _constants.CATEGORY_WORD: r"\w",
    _constants.CATEGORY_NOT_WORD: r"\W",
}


def compile_safe(pattern: str, where: str) -> re.Pattern[str]:
    """Compile an expression, or refuse it with what to change.

    >>> compile_safe(r"[A-Z]{2}-\\d+", "ticket").findall("see AB-123")
    ['AB-123']
    >>> compile_safe(r"(a+)+b", "ticket")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tacenda.errors.PolicyError: expression 'ticket': a repetition inside a repetition can take exponential time...
    """
    try:
        tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PolicyError(f"expression {where!r} is no regular expression: {error}.") from None
    problem = _problem(tree) or (_too_many_steps(tree) and "its repetitions can match in too many ways")
    if problem:
        raise PolicyError(
            f"expression {where!r}: {problem}. Make the repetition possessive, as in (?:...)++, "
            "give it an upper limit {1,20}, or list the words instead."
        )
    _limit(tree)
    compiled: re.Pattern[str] = _compiler.compile(tree)
    return compiled


def _children(node: tuple[Any, Any]) -> list[Any]:
    """Sub-trees of a node."""
    op, argument = node
    if op in _REPEATS or op is _constants.POSSESSIVE_REPEAT:
        return [argument[2]]
    if op is _constants.SUBPATTERN:
        return [argument[3]]
    if op is _constants.ATOMIC_GROUP:
        return [argument]
    if op is _constants.BRANCH:
        return list(argument[1])
    if op in (_constants.ASSERT, _constants.ASSERT_NOT):
        return [argument[1]]
    return []


def _problem(tree: Any, repeated: bool = False) -> str:
    """Say what makes a tree unsafe; empty if nothing does."""
    for node in tree:
        op, argument = node
        if op in (_constants.GROUPREF, _constants.GROUPREF_EXISTS):
            return "a back-reference can take exponential time"
        variable = op in _REPEATS and argument[1] > 1
        if repeated and variable and argument[0] != argument[1]:
            return "a repetition inside a repetition can take exponential time"
        if repeated and op is _constants.BRANCH and _alike(argument[1]):
            return "a repeated choice whose branches begin alike can take exponential time"
        sealed = op in (_constants.ATOMIC_GROUP, _constants.POSSESSIVE_REPEAT)
        for child in _children(node):
            found = _problem(child, (repeated or variable) and not sealed)
            if found:
                return found
    return ""


def _alike(branches: list[Any]) -> bool:
    seen: frozenset[int] = frozenset()
    for branch in branches:
        first = _first(list(branch), 0)
        if first & seen:
            return True
        seen |= first
    return False


def _first(nodes: list[Any], position: int) -> frozenset[int]:
    """Characters with which nodes[position:] can begin; every character where the end is reached."""
    found: frozenset[int] = frozenset()
    for node in nodes[position:]:
        op, argument = node
        if op in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
            continue
        if op in _REPEATS or op is _constants.POSSESSIVE_REPEAT:
            found |= _first(list(argument[2]), 0)
            if argument[0] > 0:
                return found
        else:
            return found | _begins(op, argument)
    return _ANY


def _begins(op: Any, argument: Any) -> frozenset[int]:
    if op is _constants.LITERAL:
        return frozenset({min(argument, _OTHER), *(min(ord(c), _OTHER) for c in chr(argument).swapcase())})
    if op is _constants.IN:
        return _set(argument)
    if op is _constants.SUBPATTERN:
        return _first(list(argument[3]), 0)
    if op is _constants.ATOMIC_GROUP:
        return _first(list(argument), 0)
    if op is _constants.BRANCH:
        return frozenset().union(*(_first(list(branch), 0) for branch in argument[1]))
    return _ANY


def _set(items: list[tuple[Any, Any]]) -> frozenset[int]:
    found: set[int] = set()
    for op, argument in items:
        if op is _constants.LITERAL:
            found.add(min(argument, _OTHER))
        elif op is _constants.RANGE:
            found.update(range(min(argument[0], _OTHER), min(argument[1], _OTHER) + 1))
        elif op is _constants.CATEGORY:
            category = re.compile(_CATEGORIES[argument])
            found.update(code for code in range(_OTHER) if category.match(chr(code)))
            found.add(_OTHER)
    if items and items[0][0] is _constants.NEGATE:
        return _ANY - (found - {_OTHER})
    # Flags may make letters match in either case.
    return frozenset(found | {ord(chr(c).swapcase()) for c in found if c < _OTHER})


def _too_many_steps(tree: Any) -> bool:
    return _steps(list(tree)) > MAX_STEPS


def _steps(nodes: list[Any]) -> int:
    """Upper bound of the ways to match: a product over repetitions that could also match what follows."""
    steps = 1
    for position, node in enumerate(nodes):
        op, argument = node
        if op in _REPEATS and argument[0] != argument[1]:
            body = _first(list(argument[2]), 0)
            if body & _first(nodes, position + 1):
                steps *= min(int(argument[1]), LONGEST) - min(int(argument[0]), LONGEST - 1)
        inner = [_steps(list(child)) for child in _children(node)]
        steps *= max(1, sum(inner) if op is _constants.BRANCH else max(inner, default=1))
    return steps


def _limit(tree: Any) -> None:
    """Give every endless repetition an end."""
    for index, (op, argument) in enumerate(tree):
        if (op in _REPEATS or op is _constants.POSSESSIVE_REPEAT) and argument[1] == _constants.MAXREPEAT:
            tree[index] = (op, (argument[0], max(LONGEST, argument[0]), argument[2]))
        for child in _children((op, argument)):
            _limit(child)
