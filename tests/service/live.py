"""A server in a process of its own, as people run it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """Return where a Chromium is."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@dataclass
class Live:
    """Where the server is, and its process."""

    address: str
    token: str
    process: subprocess.Popen[str]

    @property
    def page(self) -> str:
        return f"{self.address}/#{self.token}" if self.token else self.address


@contextmanager
def served(*options: str, output: Path | None = None) -> Iterator[Live]:
    """Run `tacenda serve` with these options on a free port."""
    command = [sys.executable, "-m", "tacenda", "serve", "--port", "0", "--workers", "1", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    log = (output or Path(os.devnull)).open("a")
    with log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"(http://[^/#]+)/(?:#(\S+))?", line)
        assert found, "the server did not start"
        try:
            yield Live(found[1], found[2] or "", process)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
