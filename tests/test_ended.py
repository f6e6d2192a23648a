"""A run that is asked to end leaves nothing half done, no process behind, and goes on when it is started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tacenda
from tacenda.parallel import ordered

POLICY = 'name = "mails"\nannotate = ["patterns"]\n[risk.entity]\nlabels = ["EMAIL"]\n'
LINE = "Please write to someone{number}@example.org about the matter, or call the office in the morning.\n"


def _children(parent: int) -> set[int]:
    stats = (path.read_text().rsplit(")", 1)[-1].split() for path in Path("/proc").glob("[0-9]*/stat") if _there(path))
    numbers = (int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if _there(path))
    return {number for number, stat in zip(numbers, stats, strict=False) if int(stat[1]) == parent and stat[0] != "Z"}


def _there(path: Path) -> bool:
    try:
        return bool(path.read_text())
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_broken_off_is_finished_by_the_next_run(tmp_path: Path, ending: signal.Signals, jobs: int) -> None:
    letters, clean = tmp_path / "letters", tmp_path / "clean"
    letters.mkdir()
    for number in range(16):
        (letters / f"{number}.txt").write_text("".join(LINE.format(number=n) for n in range(100)))
    (tmp_path / "policy.toml").write_text(POLICY)
    command = [sys.executable, "-m", "tacenda", "sanitize", str(letters), "--policy", str(tmp_path / "policy.toml")]
    command += ["-o", str(clean), "--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(Path(tacenda.__file__).parents[1])}
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and run.poll() is None and len(list(clean.glob("*.txt"))) < 3:
        time.sleep(0.01)
    workers = _children(run.pid)
    run.send_signal(ending)
    _, told = run.communicate(timeout=120)
    assert run.returncode in (143, -ending, 0), told.decode()
    assert b"someone" not in told
    for path in clean.glob("*.txt"):
        assert len(path.read_text().splitlines()) == 100
        assert "someone" not in path.read_text()
    while time.monotonic() < deadline and any(Path(f"/proc/{number}").exists() for number in workers):
        time.sleep(0.05)
    assert not any(Path(f"/proc/{number}").exists() for number in workers)
    again = subprocess.run(command, capture_output=True, check=False, timeout=300, env=environment)
    assert again.returncode == 0, again.stderr.decode()
    assert sorted(path.name for path in clean.iterdir()) == sorted(path.name for path in letters.iterdir())


class _Loading:
    """A task that tells which process loaded it."""

    loaded_in = 0

    def prepare(self) -> None:
        self.loaded_in = os.getpid()

    def __call__(self, item: int) -> tuple[int, int]:
        return self.loaded_in, item


def test_what_workers_need_is_loaded_once() -> None:
    assert list(ordered(_Loading(), range(5), jobs=2)) == [(os.getpid(), n) for n in range(5)]
    assert list(ordered(_Loading(), range(2))) == [(0, 0), (0, 1)]
