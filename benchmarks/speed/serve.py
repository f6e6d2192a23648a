"""Load on the server, beside Presidio's analyzer on the same machine: requests a second, and how long they take.

    python -m benchmarks.speed.serve [--presidio PYTHON] [--seconds 5]

Small texts (one sentence with a name, a place, a mail address and a phone number) are sent to /analyze by 1, 8 and 32
clients at once for some seconds each. `--presidio` names a Python that has presidio-analyzer, flask and waitress; its
analyzer then runs behind the same routes as in Presidio's own server (a Flask application), with its pattern
recognizers and a blank spaCy pipeline, since its language models cannot be fetched without a network.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.speed.figures import Figures, options

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = "Daniel Okafor lives in Sacramento. Mail daniel@example.org or call (916) 555-0142 before Friday."
PRESIDIO = """
import logging, sys
logging.disable(logging.CRITICAL)
import spacy
from flask import Flask, jsonify, request
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine

class Blank(SpacyNlpEngine):
    def __init__(self):
        super().__init__(models=[{"lang_code": "en", "model_name": "blank"}])
        self.nlp = {"en": spacy.blank("en")}
    def load(self):
        pass

registry = RecognizerRegistry()
registry.load_predefined_recognizers(languages=["en"])
registry.recognizers = [r for r in registry.recognizers if "Spacy" not in type(r).__name__]
engine = AnalyzerEngine(nlp_engine=Blank(), registry=registry)
app = Flask("presidio")

@app.post("/analyze")
def analyze():
    body = request.get_json()
    return jsonify([r.to_dict() for r in engine.analyze(text=body["text"], language=body["language"])])

@app.get("/health")
def health():
    return "up"

import waitress
waitress.serve(app, host="127.0.0.1", port=int(sys.argv[1]), threads=8, _quiet=True)
"""


@contextmanager
def ours(policy: str, workers: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Run our server."""
    options = ["--policy", policy, "--port", "0", "--workers", str(workers), "--rate", "100000"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tacenda", "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        found = re.search(r"(http://[^/]+)/#(\S+)", process.stdout.readline())
        assert found
        try:
            yield found[1], {"Authorization": f"Bearer {found[2]}"}
        finally:
            process.terminate()


@contextmanager
def theirs(python: str, port: int = 8799) -> Iterator[tuple[str, dict[str, str]]]:
    """Run Presidio's analyzer behind its own routes."""
    with subprocess.Popen([python, "-c", PRESIDIO, str(port)], stderr=subprocess.DEVNULL) as process:
        try:
            yield f"http://127.0.0.1:{port}", {}
        finally:
            process.terminate()


async def load(address: str, headers: dict[str, str], clients: int, seconds: float) -> dict[str, Any]:
    """Ask for some seconds with this many clients; count answers and times."""
    import httpx2 as httpx

    took: list[float] = []
    refused = 0
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
        for _ in range(120):
            try:
                await client.post("/analyze", json={"text": TEXT, "language": "en"})
                break
            except httpx.TransportError:
                await asyncio.sleep(0.5)
        end = time.perf_counter() + seconds

        async def one() -> None:
            nonlocal refused
            while time.perf_counter() < end:
                began = time.perf_counter()
                answer = await client.post("/analyze", json={"text": TEXT, "language": "en"})
                if answer.status_code == 200:
                    took.append(time.perf_counter() - began)
                else:
                    refused += 1

        await asyncio.gather(*(one() for _ in range(clients)))
    took.sort()
    return {
        "clients": clients,
        "requests_per_second": round(len(took) / seconds, 1),
        "median_ms": round(took[len(took) // 2] * 1000, 1),
        "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
        "refused": refused,
    }


def main() -> None:
    """Measure and print."""
    arguments = options(__doc__, presidio={"metavar": "PYTHON"}, seconds={"type": float, "default": 5.0})
    figures = Figures()
    patterns = Path(__file__).parent / "serve-patterns.toml"
    servers: dict[str, Any] = {
        "tacenda, patterns only, 1 worker": lambda: ours(str(patterns), 1),
        "tacenda, identifiers (encoder), 1 worker": lambda: ours("identifiers", 1),
        "tacenda, identifiers (encoder), 2 workers": lambda: ours("identifiers", 2),
    }
    if arguments.presidio:
        servers["presidio-analyzer, patterns, blank spaCy, waitress"] = lambda: theirs(arguments.presidio)
    for name, server in servers.items():
        with server() as (address, headers):
            for clients in (1, 8, 32):
                found = asyncio.run(load(address, headers, clients, arguments.seconds))
                figures.add(
                    f"{name}, {clients} clients",
                    "answers",
                    found["requests_per_second"],
                    "answers per second",
                    clock=True,
                )
                figures.add(f"{name}, {clients} clients", "median", found["median_ms"], "ms", clock=True)
                figures.add(f"{name}, {clients} clients", "slowest of 20", found["p95_ms"], "ms", clock=True)
    figures.write(arguments.json)


if __name__ == "__main__":
    main()
