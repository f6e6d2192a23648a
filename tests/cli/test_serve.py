"""`tacenda serve`: what is wrong is said before anything listens."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacenda.cli import main

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


def refused(*options: str) -> str:
    done = CliRunner().invoke(main, ["serve", *options])
    assert done.exit_code in (2, 3, 4), done.output
    return done.output


def test_other_addresses_need_tokens(tmp_path: Path) -> None:
    assert "--token-file" in refused("--host", "0.0.0.0")
    tokens = tmp_path / "tokens"
    tokens.write_text("ann aaaaaaaaaaaaaaaaaaaaaaaa\n")
    tokens.chmod(0o600)
    assert "loopback only" in refused("--host", "0.0.0.0", "--token-file", str(tokens), "--open-presidio")


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in refused("--port", str(port))


def test_policies_codes_and_folders_are_checked_first(tmp_path: Path) -> None:
    assert "identifiers" in refused("--policy", "identifires")
    assert "foia" in refused("--codes", "fioa", "--port", "0")
    assert "no such folder" in refused("--cases", str(tmp_path / "none"))
    assert "go together" in refused("--tls-cert", str(tmp_path / "cert.pem"))
