"""Programs that some tests of formats need."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def convert(tmp_path: Path) -> Callable[[Path, str], str]:
    """Convert a file with LibreOffice and return the result as text."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")

    def run(path: Path, kind: str) -> str:
        out = tmp_path / "converted"
        command = [program, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", kind]
        done = subprocess.run(
            [*command, "--outdir", str(out), str(path)], capture_output=True, timeout=180, check=False
        )
        made = out / f"{path.stem}.{kind}"
        assert made.exists(), done.stderr.decode()
        return made.read_bytes().decode("utf-8", "replace")

    return run
