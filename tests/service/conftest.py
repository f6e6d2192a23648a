"""A server to ask: the application with one worker, asked in-process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from starlette.testclient import TestClient

from tacenda.service.app import make_app
from tacenda.service.settings import Person, Settings

TOKEN = "a-token-of-enough-letters"
OTHER = "another-token-of-letters"
PEOPLE = (Person("ann", TOKEN), Person("bob", OTHER))


def settings(**changes: Any) -> Settings:
    """The settings of a small server."""
    usual: dict[str, Any] = {"policies": ("identifiers",), "people": PEOPLE, "workers": 1, "rate": 1000.0}
    return Settings(**(usual | changes))


def client_of(**changes: Any) -> TestClient:
    """A client with ann's token."""
    app = make_app(settings(**changes))
    return TestClient(
        app,
        base_url="http://127.0.0.1:8765",
        headers={"Authorization": f"Bearer {TOKEN}"},
        raise_server_exceptions=False,
    )


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of() as made:
        yield made
