"""Make regular expressions of a policy safe: no text, however hostile, may stall the run.

Python's engine backtracks. An expression is accepted only if the number of ways to match is bounded per
starting position, which is read off its syntax tree:

- no back-reference;
- inside a repetition the next character must tell at each choice (a repetition, an optional part, branches) which
  way to go, unless the part is possessive or atomic (`(?:...)++`, `(?>...)`);
- repetitions without an upper end are given one, `LONGEST`, and the product of those that could also match
  what follows them stays under `MAX_STEPS`.
"""

from __future__ import annotations

import re

# The standard library's own parser, which has no public name: a second one could read an expression otherwise than the
# engine does. It may change with a new Python: then the tests of this module fail.
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from tacenda.errors import PolicyError

LONGEST = 64
MAX_STEPS = 4096
# Characters beyond ASCII are taken by class: letters, digits, spaces and the rest, each with one to stand for it.
_ASCII = 128
_OTHERS = "é٣\u2003€"
_CHARACTERS = [*map(chr, range(_ASCII)), *_OTHERS]
_ANY = frozenset(range(len(_CHARACTERS)))
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
        raise PolicyError(f"expression {where!r} is not a valid regular expression: {error}.") from None
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


def _problem(tree: Any) -> str:
    """Say what makes a tree unsafe; empty if nothing does."""
    for node in tree:
        op, argument = node
        if op in (_constants.GROUPREF, _constants.GROUPREF_EXISTS):
            return "a back-reference can take exponential time"
        found = _repeated_problem(argument[2]) if op in _REPEATS and argument[1] > 1 else ""
        found = found or next(filter(None, map(_problem, _children(node))), "")
        if found:
            return found
    return ""


def _repeated_problem(body: Any) -> str:
    """Say what makes a repeated body ambiguous: at each choice the next character must tell which way to go."""
    nodes = _flat(body)
    cycle = nodes + nodes  # after the body comes the body
    for position, (op, argument) in enumerate(nodes):
        if op in _REPEATS and argument[0] != argument[1]:
            if _first(list(argument[2]), 0) & _first(cycle, position + 1):
                return "a repetition inside a repetition can take exponential time"
            inner = _repeated_problem(argument[2])
            if inner:
                return inner
        if op is _constants.BRANCH and (_alike(argument[1]) or any(map(_repeated_problem, argument[1]))):
            return "a repeated choice whose branches begin alike can take exponential time"
    return ""


def _flat(tree: Any) -> list[Any]:
    """Nodes in sequence, plain groups opened."""
    found: list[Any] = []
    for node in tree:
        found += _flat(node[1][3]) if node[0] is _constants.SUBPATTERN else [node]
    return found


def _alike(branches: list[Any]) -> bool:
    seen: frozenset[int] = frozenset()
    for branch in branches:
        first = _first(list(branch), 0)
        if first & seen:
            return True
        seen |= first
    return False


def _first(nodes: list[Any], position: int, end: frozenset[int] = _ANY) -> frozenset[int]:
    """Characters with which nodes[position:] can begin; `end` are those that can follow the last node."""
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
    return found | end


def _begins(op: Any, argument: Any) -> frozenset[int]:
    if op is _constants.LITERAL:
        return _codes(argument)
    if op is _constants.IN:
        return _set(argument)
    if op is _constants.SUBPATTERN:
        return _first(list(argument[3]), 0)
    if op is _constants.ATOMIC_GROUP:
        return _first(list(argument), 0)
    if op is _constants.BRANCH:
        return frozenset().union(*(_first(list(branch), 0) for branch in argument[1]))
    return _ANY


def _codes(code: int) -> frozenset[int]:
    """A character in either case (flags may ask for that); beyond ASCII its class."""
    found = {ord(c) for c in chr(code).swapcase() + chr(code)}
    classes = {
        next(
            i for i, category in enumerate((r"[^\W\d]", r"\d", r"\s", r"."), _ASCII) if re.match(category, chr(c), re.S)
        )
        for c in found
        if c >= _ASCII
    }
    return frozenset({c for c in found if c < _ASCII} | classes)


def _set(items: list[tuple[Any, Any]]) -> frozenset[int]:
    found: set[int] = set()
    negated = bool(items) and items[0][0] is _constants.NEGATE
    for op, argument in items:
        if op is _constants.LITERAL:
            found |= _codes(argument)
        elif op is _constants.RANGE:
            low, high = argument
            found.update(*(_codes(code) for code in range(low, min(high, _ASCII - 1) + 1)))
            found |= _ANY - set(range(_ASCII)) if high >= _ASCII else set()
        elif op is _constants.CATEGORY:
            category = re.compile(_CATEGORIES[argument])
            matched = {i for i, character in enumerate(_CHARACTERS) if category.match(character)}
            found |= matched
    if negated:
        # Only whole classes are taken away; one letter beyond ASCII leaves the others.
        whole = {op for op, _ in items} <= {_constants.NEGATE, _constants.CATEGORY}
        return _ANY - (found if whole else {c for c in found if c < _ASCII})
    return frozenset(found)


def _too_many_steps(tree: Any) -> bool:
    # Where nothing follows and nothing is asserted the first way to match is taken; there is no way back.
    end = _ANY if any(map(_asserts, list(tree)[1:])) else frozenset[int]()
    return _steps(list(tree), end) > MAX_STEPS


def _asserts(node: tuple[Any, Any]) -> bool:
    if node[0] in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
        return True
    return any(_asserts(inner) for child in _children(node) for inner in child)


def _steps(nodes: list[Any], end: frozenset[int]) -> int:
    """Upper bound of the ways to match: a product over repetitions that could also match what follows."""
    steps = 1
    for position, node in enumerate(nodes):
        op, argument = node
        follow = _first(nodes, position + 1, end)
        if op in _REPEATS and argument[0] != argument[1]:
            body = _first(list(argument[2]), 0)
            if body & follow:
                steps *= min(int(argument[1]), LONGEST) - min(int(argument[0]), LONGEST - 1)
            follow |= body
        inner = [_steps(list(child), follow) for child in _children(node)]
        steps *= max(1, sum(inner) if op is _constants.BRANCH else max(inner, default=1))
    return steps


def _limit(tree: Any) -> None:
    """Give every endless repetition an end."""
    for index, (op, argument) in enumerate(tree):
        if (op in _REPEATS or op is _constants.POSSESSIVE_REPEAT) and argument[1] == _constants.MAXREPEAT:
            tree[index] = (op, (argument[0], max(LONGEST, argument[0]), argument[2]))
        for child in _children((op, argument)):
            _limit(child)
