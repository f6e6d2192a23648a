"""Imports point down only, and importing the package stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import tacenda

ROOT = Path(tacenda.__file__).parent
STAGES = ("formats", "annotate", "knowledge", "risk", "replace", "choose", "certify", "measures")
GROUND = {"arrays", "disguise", "errors", "folding", "language", "model", "term", "things", "wording", "__version__"}
SECOND = {"protocols", "serialize"}
# What stands above the stages; each may import what stands before it.
ABOVE = ("registry", "sources", "policy", "assembly", "claims", "plan", "parallel", "sanitizer", "batch", "frames")


def imported(path: Path) -> set[str]:
    """Return the rooms of the package that a module imports, also inside functions."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names if node.module == "tacenda")]
        rooms |= {n.split(".")[1] for n in names if n.startswith("tacenda.")}
    return rooms


def allowed(room: str) -> set[str]:
    """Return what a room may import."""
    if room in GROUND:
        return GROUND
    if room in SECOND:
        return GROUND | SECOND
    if room in STAGES:
        return GROUND | SECOND | {room}
    below = GROUND | SECOND | {*STAGES}
    if room in ABOVE:
        return below | {*ABOVE[: ABOVE.index(room)]}
    beside = {"audit", "codes", "service", "studies", "testing"}
    return below | {*ABOVE} | (beside if room in ("cli", "service") else set())


def test_imports_point_down_only() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if room in ("__init__", "__main__"):
            continue
        found = imported(path)
        extra = found - allowed(room) - {room}
        if room != "cli" and "cli" in found:
            extra.add("cli")
        wrong += [f"{path.relative_to(ROOT)} imports {e}" for e in sorted(extra)]
    assert not wrong, "\n".join(wrong)


def test_the_verifier_shares_no_code_with_risk() -> None:
    for path in (ROOT / "certify").glob("*.py"):
        assert "risk" not in imported(path), path.name


def test_import_and_help_load_nothing_heavy() -> None:
    code = (
        "import sys, tacenda, tacenda.cli\n"
        "heavy = {'onnxruntime', 'tokenizers', 'rich', 'phonenumbers', 'gensim', 'cryptography', 'numpy', 'spacy'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_exist_and_are_listed() -> None:
    assert {n for n in tacenda.__all__ if getattr(tacenda, n, None) is None} == set()
    assert len(tacenda.__all__) <= 42


def test_file_names_occur_once() -> None:
    """A traceback, an editor's tab and a search show the last name only; it must say which module is meant."""
    names = [path.name for path in sorted(ROOT.rglob("*.py")) if path.name not in ("__init__.py", "__main__.py")]
    assert sorted(name for name in {*names} if names.count(name) > 1) == []
