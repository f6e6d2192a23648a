"""Damaged, forged and strange inputs, and a machine that fails: never a crash, a leak or half a file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("lxml")
pytest.importorskip("oxmsg")
pytest.importorskip("pikepdf")
pytest.importorskip("pypdfium2")
pytest.importorskip("reportlab")
pytest.importorskip("cryptography")

from benchmarks.quality.hostility import system
from benchmarks.quality.hostility.run import attack
from benchmarks.quality.hostility.targets import TARGETS, clean

# Documents take longer than the rest; the benchmark attacks each of them some hundred times.
TIMES = {"text": 100, "csv": 80, "jsonl": 80, "tsv": 40, "policies": 50, "models": 6, "certificates": 60}
DOCUMENTS = ("html", "eml", "mbox", "msg", "docx", "xlsx", "pptx", "odt", "ods", "pdf")


@pytest.fixture(scope="module", autouse=True)
def _made_once() -> Iterator[None]:
    yield
    clean()


@pytest.mark.parametrize("target", list(TARGETS))
def test_hostile_inputs_are_refused_or_done(target: str, tmp_path: Path) -> None:
    times = TIMES.get(target, 20 if target in DOCUMENTS else 60)
    ended = [attack(target, number, tmp_path, seed=1) for number in range(times)]
    assert [(one.number, one.ended) for one in ended if one.is_fault] == []
    assert len({one.ended for one in ended}) == 2 or target in ("keys", "models", "msg"), "all alike: nothing is tried"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    system.source(made, texts=3, records=120)
    return made


def test_a_run_killed_and_started_again_ends_as_if_it_had_not_been(folder: Path) -> None:
    assert system.run(system.command(folder)).returncode == 0
    whole = system.contents(folder / "out")
    assert system.killed(folder, whole, 1.0, random.Random(3)) == []
    assert system.two_at_once(folder, whole) == []


@pytest.mark.parametrize("size", [0, 1000, 8000])
def test_a_full_disk_leaves_no_half_file(folder: Path, size: int) -> None:
    assert system.full_disk(folder, size) == []


def test_a_disk_that_was_full_takes_the_rest_once_there_is_room(folder: Path) -> None:
    if not system.can_mount(folder):
        pytest.skip("a small disk cannot be mounted here")
    assert system.run(system.command(folder, target="whole")).returncode == 0
    assert system.small_disk(folder, system.contents(folder / "whole"), 8192) == []


def test_what_may_not_be_read_or_written_is_told_in_words(folder: Path) -> None:
    assert system.no_permission(folder) == []
    assert system.no_reading(folder) == []
