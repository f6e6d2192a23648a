"""Run the application until it is told to stop."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn

from tacenda.errors import UsageError
from tacenda.service.app import make_app
from tacenda.service.settings import Settings

GRACE = 10


def serve(
    settings: Settings,
    *,
    echo: Callable[[str], Any],
    token: str | None = None,
    certificate: Path | None = None,
    private_key: Path | None = None,
) -> None:
    """Listen, say where, and serve; on SIGTERM or Ctrl-C finish what is under way."""
    app = make_app(settings)
    scheme = "https" if certificate else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    with _listening(settings) as listening:
        config = uvicorn.Config(
            app,
            access_log=False,  # nothing of a request is written down
            log_level="warning",
            server_header=False,
            date_header=False,
            limit_concurrency=512,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=GRACE,
            h11_max_incomplete_event_size=64 * 1024,
            ssl_certfile=str(certificate) if certificate else None,
            ssl_keyfile=str(private_key) if private_key else None,
        )
        # The fragment of an address stays in the browser: the token is in no request line and in no log.
        port = listening.getsockname()[1]
        echo(f"Tacenda serves {scheme}://{host}:{port}/" + (f"#{token}" if token else ""))
        if threading.current_thread() is threading.main_thread():
            # Ended by the signal itself, not with 143: systemd counts only the first as a clean stop.
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        uvicorn.Server(config).run(sockets=[listening])


def _listening(settings: Settings) -> socket.socket:
    """Return a socket that listens: whoever reads the address then can connect at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on and every small answer waits 40 ms.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(512)
    except OSError as error:
        made.close()
        raise UsageError(f"cannot listen on {settings.host} port {settings.port}: {error.strerror}") from None
    return made
