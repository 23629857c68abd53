"""Clients of the API over a scripted workbench: most without a socket, those that need one with it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from config import Settings
from ghost.api import Opening, Service, create_app
from tests.api.bench import ApiBench, Live, serving

Make = Callable[..., tuple[ApiBench, TestClient]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a bench and a client that speaks to its API; ``settings`` are changes to the defaults."""
    with ExitStack() as ends:

        def build(settings: dict[str, Any] | None = None, **script: Any) -> tuple[ApiBench, TestClient]:
            bench = ApiBench(Settings(data_dir=tmp_path, **(settings or {})), **script)
            service = Service.of(bench)  # type: ignore[arg-type]
            app = create_app(bench.settings, Opening(service))
            ends.callback(bench.close)
            ends.callback(service.close)
            ends.callback(bench.gate.set)
            client = TestClient(app, base_url="http://127.0.0.1:5000", client=("127.0.0.1", 50_000))
            return bench, ends.enter_context(client)

        yield build


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Live]]:
    """Serves a bench on a real socket."""
    with ExitStack() as ends:

        def start(settings: dict[str, Any] | None = None, **script: Any) -> Live:
            bench = ApiBench(Settings(data_dir=tmp_path, **(settings or {})), **script)
            return ends.enter_context(serving(bench))

        yield start
