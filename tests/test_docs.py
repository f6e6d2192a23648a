"""Documentation is executed: every command shown runs, and what it prints is what the page says.

A fenced block marked `console` holds lines beginning with `$ ` and the standard output that follows them; `...`
stands for anything. Blocks marked `python` are run as doctest if they hold `>>>`, else as a script. All blocks of a
page share one folder, which starts as a copy of examples/, and the names that the blocks before them made.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tacenda.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md")])
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.M | re.S)
# A command as pages and messages name it: `tacenda index build`, 'tacenda plan', "$ tacenda verify OUTPUT".
_CALL = re.compile(r"(?:^|[`'\"$(>]) ?tacenda ([a-z][a-z-]*)((?: [^\s`'\"]+)*)", re.M)
_OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]+")
_ELLIPSIS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_example_runs(page: Path, tmp_path: Path) -> None:
    blocks = _BLOCK.findall(page.read_text("utf-8"))
    if not blocks:
        return
    work = tmp_path / "work"
    shutil.copytree(ROOT / "examples", work)
    names: dict[str, object] = {}
    for kind, body in blocks:
        if kind == "console":
            _run_console(body, work)
        elif ">>>" in body:
            _run_doctest(body, page, work, names)
        else:
            _run_script(body, work)


def _environment(work: Path) -> dict[str, str]:
    # A `tacenda` on the path that is this very package, installed or not.
    command = work / ".bin" / "tacenda"
    if not command.exists():
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tacenda "$@"\n')
        command.chmod(0o755)
    source = str(ROOT / "src")
    return {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": source, "COLUMNS": "100"}


def _run_script(body: str, work: Path) -> None:
    command = [sys.executable, "-c", body]
    done = subprocess.run(command, cwd=work, env=_environment(work), capture_output=True, text=True)
    assert done.returncode == 0, f"{body}\n{done.stderr}"


def _run_console(body: str, work: Path) -> None:
    steps = re.split(r"^\$ ", body, flags=re.M)[1:]
    assert steps, "a console block holds lines beginning with '$ '"
    for step in steps:
        command, _, wanted = step.partition("\n")
        while command.endswith("\\"):
            more, _, wanted = wanted.partition("\n")
            command = command[:-1] + " " + more.strip()
        done = subprocess.run(command, shell=True, cwd=work, env=_environment(work), capture_output=True, text=True)
        assert done.returncode == 0, f"$ {command}\n{done.stderr}"
        if wanted.strip():
            same = doctest.OutputChecker().check_output(wanted, done.stdout, _ELLIPSIS)
            assert same, f"$ {command}\nthe page says:\n{wanted}\nbut it printed:\n{done.stdout}"


def _run_doctest(body: str, page: Path, work: Path, names: dict[str, object]) -> None:
    script = doctest.DocTestParser().get_doctest(body, {}, page.name, str(page), 0)
    script.globs = names
    here = Path.cwd()
    os.chdir(work)
    try:
        runner = doctest.DocTestRunner(optionflags=_ELLIPSIS)
        runner.run(script, clear_globs=False)
    finally:
        os.chdir(here)
    assert runner.failures == 0


def test_reference_is_up_to_date(tmp_path: Path) -> None:
    # In a process of its own: click remembers help options of commands that other tests have called.
    command = [sys.executable, str(ROOT / "scripts" / "make_reference.py"), str(tmp_path)]
    subprocess.run(command, env=_environment(tmp_path), check=True, capture_output=True)
    for page in sorted(tmp_path.glob("*.md")):
        written = (ROOT / "docs" / "reference" / page.name).read_text("utf-8")
        assert written == page.read_text("utf-8"), f"docs/reference/{page.name} is out of date: run `make docs`"


def test_every_command_that_pages_and_messages_name_exists() -> None:
    import click

    from tacenda.cli import main

    context = click.Context(main)
    pages = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("changelog.d/*.md"),
        *ROOT.glob("examples/*.md"),
    ]
    wrong, seen = [], 0
    for page in [*pages, *(ROOT / "src").glob("tacenda/**/*.py")]:
        for name, rest in _CALL.findall(page.read_text("utf-8")):
            if name == "vault":
                continue  # the first bytes of a vault, not a command
            seen += 1
            command = main.get_command(context, name)
            words = rest.split()
            if isinstance(command, click.Group) and words and re.fullmatch(r"[a-z-]+", words[0]):
                command = command.get_command(context, words[0])
            if command is None:
                wrong.append(f"{page.name}: tacenda {name}{rest}")
                continue
            known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
            wrong += [f"{page.name}: tacenda {name} {o}" for o in _OPTION.findall(rest) if o not in known | {"--help"}]
    assert wrong == []
    assert seen > 100


def test_every_command_and_policy_key_is_documented() -> None:
    from tacenda.policy import KEYS

    pages = "".join(p.read_text("utf-8") for p in [*PAGES, *(ROOT / "docs" / "reference").glob("*.md")])
    assert [c for c in COMMANDS if f"tacenda {c}" not in pages] == []
    assert [k for k in KEYS if f"`{k}`" not in pages] == []


def test_doctests_of_the_package() -> None:
    import importlib
    import pkgutil

    import tacenda

    failures = []
    for info in pkgutil.walk_packages(tacenda.__path__, "tacenda."):
        if info.name.endswith("__main__"):
            continue
        result = doctest.testmod(importlib.import_module(info.name), optionflags=_ELLIPSIS)
        if result.failed:
            failures.append(info.name)
    assert failures == []
