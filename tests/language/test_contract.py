"""A language is a folder: the same names in each, asked for in one place only."""

from __future__ import annotations

import ast
import doctest
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import tacenda

ROOT = Path(tacenda.__file__).parent
FOLDERS = sorted(p.parent.name for p in (ROOT / "language").glob("*/__init__.py"))
MODULES = sorted((ROOT / "language").rglob("*.py"))


@cache
def asked() -> set[str]:
    """Return every name that a room takes from the language."""
    found = set()
    for path in ROOT.rglob("*.py"):
        if path.is_relative_to(ROOT / "language"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "tacenda.language":
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "language":
                found.add(node.attr)
    return found


def test_rooms_name_no_folder() -> None:
    named = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        for folder in FOLDERS
        if f"tacenda.language.{folder}" in path.read_text("utf-8") and not path.is_relative_to(ROOT / "language")
    ]
    assert not named


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_offers_all_that_is_asked(folder: str) -> None:
    offered = set(import_module(f"tacenda.language.{folder}").__all__)
    assert asked() - {"detect"} <= offered


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_is_offered_that_nobody_asks_for(folder: str) -> None:
    assert set(import_module(f"tacenda.language.{folder}").__all__) <= asked()


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_examples_run(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    assert doctest.testmod(import_module(name)).failed == 0
