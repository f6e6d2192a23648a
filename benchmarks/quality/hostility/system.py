"""Attack the machine under a run: kill it, fill the disk, take away permissions, start two at once.

    python -m benchmarks.quality.hostility.system [--kills 60] [--output system.json]

A run that was killed and started again with the same command must end as if nothing had happened: the same files with
the same bytes, nothing beside them. A run that cannot write must say so in one line, with an exit code, and leave no
half file and no text of the source behind.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import tacenda
from benchmarks.quality.hostility.making import CANARY

HERE = os.environ | {"PYTHONPATH": str(Path(tacenda.__file__).parents[1])}
POLICY = 'name = "hostile"\nannotate = ["patterns"]\nreplace = ["label", "suppress"]\n[risk.entity]\n'
TEXT = f"Zebulon {CANARY} called from (212) 555-0123 and asked for the letter of the other day. "


def source(folder: Path, *, texts: int = 12, records: int = 600) -> None:
    """Write a folder of texts and a file of records."""
    (folder / "in" / "deep").mkdir(parents=True)
    (folder / "p.toml").write_text(POLICY)
    (folder / "known.txt").write_text(f"Zebulon {CANARY}\n")
    for number in range(texts):
        place = folder / "in" / ("deep" if number % 3 else ".") / f"{number}.txt"
        place.write_text(f"{number}: {TEXT * 5}\n")
    lines = (json.dumps({"text": f"{n}: {TEXT}"}) for n in range(records))
    (folder / "in" / "all.jsonl").write_text("".join(line + "\n" for line in lines))


def command(folder: Path, *, target: str = "out", jobs: int = 1) -> list[str]:
    """The command that sanitizes the folder."""
    asked = ["sanitize", folder / "in", "-p", folder / "p.toml", "--known", folder / "known.txt"]
    return [sys.executable, "-m", "tacenda", *map(str, asked), "-o", str(folder / target), "-q", f"--jobs={jobs}"]


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def run(asked: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(asked, capture_output=True, text=True, env=HERE, check=False, timeout=120, **options)


def faults_of(folder: Path, *, whole: dict[str, bytes] | None = None, target: str = "out") -> list[str]:
    """What must not be in an output folder, or beside it: half files, text of the source, files that differ."""
    found = []
    written = contents(folder / target) if (folder / target).exists() else {}
    if any(CANARY.encode() in data for data in written.values()):
        found.append("the known name stands in the output")
    if whole is not None and written != whole:
        found.append("the output is another one")
    shown = {name: data for name, data in written.items() if not Path(name).name.startswith(".")}
    if whole is None and any(not data.endswith(b"\n") for data in shown.values()):
        found.append("a half file")
    return found


def killed(folder: Path, whole: dict[str, bytes], seconds: float, chance: random.Random) -> list[str]:
    """Kill a run at random moments until one comes to its end; nothing may be lost, doubled or half."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    found, times = [], 0
    while times < 6:
        started = subprocess.Popen(command(folder), env=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            started.wait(chance.uniform(0.1, 1.1) * seconds)
            break
        except subprocess.TimeoutExpired:
            started.send_signal(signal.SIGKILL)
            started.wait()
            found += faults_of(folder)
            times += 1
    done = run(command(folder))
    if done.returncode:
        found.append(f"exit code {done.returncode} after it was started again")
    found += faults_of(folder, whole=whole)
    left = [p.name for p in folder.iterdir() if p.name.startswith(".")]
    return found + (["something is left beside the output"] if left else [])


def _limited(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def refused(folder: Path, done: subprocess.CompletedProcess[str], codes: tuple[int, ...] = (3,)) -> list[str]:
    """What is wrong with a run that could not write."""
    found = faults_of(folder)
    if done.returncode not in codes:
        found.append(f"exit code {done.returncode}")
    told = done.stdout + done.stderr
    if "Traceback" in told or "internal error" in told:
        found.append("an unforeseen error")
    if CANARY in told:
        found.append("the text stands in a message")
    return found


def full_disk(folder: Path, size: int) -> list[str]:
    """No file may grow beyond so many bytes."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    return refused(folder, run(command(folder), preexec_fn=_limited(size)))


def can_mount(folder: Path) -> bool:
    """Tell whether a small disk can be had: needs the superuser."""
    disk = folder / "disk"
    disk.mkdir(exist_ok=True)
    made = _mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk))
    return made and subprocess.run(["umount", str(disk)], check=False).returncode == 0


def _mount(*how: str) -> bool:
    try:
        return subprocess.run(["mount", *how], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def small_disk(folder: Path, whole: dict[str, bytes], size: int) -> list[str]:
    """A disk of so many bytes runs full; once it has room the same command does the rest."""
    disk = folder / "disk"
    if not _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)):
        return ["no disk"]
    try:
        found = refused(folder, run(command(folder, target="disk/out")))
        if any((disk / "out" / name).exists() and whole[name] != (disk / "out" / name).read_bytes() for name in whole):
            found.append("a half file on the full disk")
        _mount("-o", "remount,size=16m", str(disk))
        done = run(command(folder, target="disk/out"))
        if done.returncode:
            found.append(f"exit code {done.returncode} after there was room")
        found += faults_of(folder, whole=whole, target="disk/out")
        left = [path.name for path in disk.iterdir() if path.name.startswith(".")]
        return found + (["something is left beside the output"] if left else [])
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def _as_anyone() -> None:
    """Give up the right of the superuser to read and write everything (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)."""
    if os.geteuid() == 0:
        for right in (1, 2):
            ctypes.CDLL(None).prctl(24, right, 0, 0, 0)


def no_permission(folder: Path) -> list[str]:
    """The output lies in a folder that may not be written."""
    closed = folder / "closed"
    closed.mkdir(exist_ok=True)
    os.chmod(closed, 0o555)
    return refused(folder, run(command(folder, target="closed/out"), preexec_fn=_as_anyone))


def no_reading(folder: Path) -> list[str]:
    """One file may not be read: the others are written."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    victim = folder / "in" / "0.txt"
    victim.chmod(0o000)
    try:
        found = refused(folder, run(command(folder), preexec_fn=_as_anyone))
        if len(contents(folder / "out")) != len(contents(folder / "in")) - 1:
            found.append("other files are missing")
    finally:
        victim.chmod(0o644)
        shutil.rmtree(folder / "out", ignore_errors=True)
        for path in folder.glob(".out.*"):
            path.unlink()
    return found


def two_at_once(folder: Path, whole: dict[str, bytes]) -> list[str]:
    """Two runs on one output: one does it, the other is sent away."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    both = [
        subprocess.Popen(command(folder), env=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [one.communicate(timeout=120) for one in both]
    codes = sorted(one.returncode for one in both)
    found = faults_of(folder, whole=whole)
    # Both may succeed where the second began after the first had ended.
    if codes not in ([0, 2], [0, 0]) or any("Traceback" in part for pair in told for part in pair):
        found.append(f"exit codes {codes}")
    return found


def _bytes(files: dict[str, bytes]) -> int:
    return sum(map(len, files.values()))


def measure(kills: int, seed: int = 0) -> dict[str, Any]:
    """Attack so often, and count what was wrong."""
    folder = Path(mkdtemp(prefix="hostile-system-"))
    faults: Counter[str] = Counter()
    rows: dict[str, int] = {}
    try:
        source(folder)
        start = time.perf_counter()
        assert run(command(folder)).returncode == 0
        seconds = time.perf_counter() - start
        whole = contents(folder / "out")
        chance = random.Random(seed)
        attacks: list[tuple[str, int, Callable[[], list[str]]]] = [
            ("killed at random moments", kills, lambda: killed(folder, whole, seconds, chance)),
            (
                "disk full, by a limit on the size of files",
                kills // 3,
                lambda: full_disk(folder, chance.choice((0, 1, 100, 1000, 5000, 20_000))),
            ),
            (
                "disk full, a small disk" if can_mount(folder) else "disk full, a small disk: none could be mounted",
                kills // 3 if can_mount(folder) else 0,
                lambda: small_disk(folder, whole, 4096 * chance.randrange(1, max(2, _bytes(whole) // 4096))),
            ),
            ("two at once", kills // 6, lambda: two_at_once(folder, whole)),
            ("a file that may not be read", 2, lambda: no_reading(folder)),
            ("a folder that may not be written", 2, lambda: no_permission(folder)),
        ]
        for name, times, attack in attacks:
            for _ in range(times):
                faults.update(f"{name}: {fault}" for fault in attack())
            rows[name] = times
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {"runs": rows, "faults": dict(sorted(faults.items()))}


def main() -> None:
    """Attack and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    text = json.dumps(measure(options.kills), indent=1) + "\n"
    options.output.write_text(text, "utf-8") if options.output else print(text)


if __name__ == "__main__":
    main()
