"""A scripted workbench as the API uses it, and a real server over it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from config import Settings
from ghost.api import Opening, Server, Service
from ghost.records import Idempotency, Role
from tests.ui.bench import ScriptedBench

CLAIM = {"claim": "The Great Wall of China is visible from the Moon."}


class ApiBench(ScriptedBench):
    """A scripted workbench with real keys and real answers to repeated requests."""

    judge_kinds = ("local", "embedded")
    cloud_fallback = False

    def __init__(self, settings: Settings, **script: Any) -> None:
        super().__init__(settings, **script)
        self.idempotency = Idempotency(self.database)

    def key(self, role: Role = Role.CURATE, **more: Any) -> dict[str, str]:
        """The header of a new key with this role."""
        return bearer(self.keys.add("a test", role, **more)[1])


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@dataclass
class Live:
    """A server that listens on a port of this machine, and a client with a key for it."""

    bench: ApiBench
    service: Service
    port: int
    http: httpx.Client


@contextmanager
def serving(bench: ApiBench) -> Iterator[Live]:
    """Serve the bench from a thread; what runs is stopped at the end."""
    with served(bench) as (service, port):
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=bench.key(), timeout=20.0) as client:
            yield Live(bench, service, port, client)
        bench.gate.set()


@contextmanager
def served(workbench: Any) -> Iterator[tuple[Service, int]]:
    """A real server over a workbench, which is closed at the end; gives its service and its port."""
    service = Service.of(workbench)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(workbench.settings, Opening(service))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield service, listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(15)
            assert not thread.is_alive()
            workbench.close()
