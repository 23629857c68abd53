"""``python -m ghost bench api``: whether the HTTP API keeps up with many readers and many small requests at once.

A server of its own checks one claim after another with the embedded judge. All event streams follow the same run, while
health and one claim card are asked for at an even pace. Server and client share the cores of this machine.
"""

import asyncio
import json
import re
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.processes import environment, running
from bench.results import NotMeasured, head, percentile, say
from ghost.records import LocalToken

STREAMS, RATE = 50, 200
CONNECTIONS = 64
GOAL_ERRORS = 0
OPEN_SECONDS = 180.0
"""So long a server may take to fill a new knowledge base with the starter library."""
CLAIM = "The Great Wall of China is visible from the Moon. Honey never spoils. Octopuses have three hearts."
CARD_OF = "The Great Wall of China is visible from the Moon."
_CHECK = {"web": False, "judge": "embedded"}


@dataclass
class Seen:
    """What the client has seen."""

    took: dict[str, list[float]] = field(default_factory=lambda: {"health": [], "card": []})
    """Seconds from when each request was due to when its answer was there."""
    errors: list[str] = field(default_factory=list)
    runs: int = 0
    events: int = 0
    streams: int = 0


def api(seconds: float, streams: int = STREAMS, rate: int = RATE, command: str = "") -> dict[str, Any]:
    """Put the load on a server for so long. Raises NotMeasured when the server does not come up."""
    with TemporaryDirectory(prefix="ghost-api-") as folder:
        port = _free_port()
        serve = [sys.executable, "-m", "ghost", "serve", "--host", "127.0.0.1", "--port", str(port)]
        env = environment(Path(folder)) | {"GHOST_API_REQUIRE_KEY": "false", "GHOST_API_REQUESTS_PER_SECOND": "100000"}
        with running(serve, env, Path(folder) / "serve.log"):
            token = LocalToken(Path(folder) / "data").ensure()
            seen, took = asyncio.run(_measured(_Client(port, token), seconds, streams, rate))
    requests = sum(map(len, seen.took.values()))
    return {
        **head("api", command, models={}),
        "streams": streams,
        "rate": rate,
        "seconds": round(took, 1),
        "requests": requests,
        "requests_per_second": round(requests / took, 1),
        "runs": seen.runs,
        "events": seen.events,
        "streams_read": seen.streams,
        "errors": len(seen.errors),
        "first_errors": seen.errors[:5],
        **{
            f"{name}_ms_{share}": round(1000 * percentile(values, share), 1)
            for name, values in seen.took.items()
            for share in (50, 95, 99)
        },
        "goal_errors": GOAL_ERRORS,
        "goal_met": len(seen.errors) <= GOAL_ERRORS,
    }


async def _measured(client: "_Client", seconds: float, streams: int, rate: int) -> tuple[Seen, float]:
    say("Opening a server, and making a card.")
    await _ready(client)
    card = await _card(client)
    say(f"{streams} event streams and {rate} requests a second, for {seconds:g} s.")
    seen, began = Seen(), perf_counter()
    reading = asyncio.create_task(_runs(client, seen, streams, began + seconds))
    await _requests(client, seen, card, rate, began, seconds)
    took = perf_counter() - began
    await reading
    client.close()
    return seen, took


class _Client:
    """Just enough HTTP over connections that are kept: a whole client library would take more time than the server."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._places = asyncio.Semaphore(CONNECTIONS)

    async def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Status and body of an answer. Raises OSError and EOFError."""
        async with self._places:
            reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(self._request(path, body))
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            answer = await reader.readexactly(int(length[1])) if length else b""
            self._idle.append((reader, writer))
            return int(head[9:12]), answer

    async def stream(self, path: str) -> bytes:
        """All of an answer that lasts."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        writer.write(self._request(path, None, "Connection: close\r\n"))
        told = await reader.read()
        writer.close()
        return told

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()

    def _request(self, path: str, body: dict[str, Any] | None, more: str = "") -> bytes:
        sent = json.dumps(body).encode() if body else b""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if body else ""
        method = "POST" if body else "GET"
        about = f"Host: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {self._token}\r\n{kind}{more}"
        return f"{method} {path} HTTP/1.1\r\n{about}\r\n".encode() + sent


async def _ready(client: _Client) -> None:
    deadline = perf_counter() + OPEN_SECONDS
    while perf_counter() < deadline:
        with suppress(OSError, EOFError):
            if (await client.ask("/api/health"))[0] == 200:
                return
        await asyncio.sleep(0.5)
    raise NotMeasured("the server did not become ready")


async def _card(client: _Client) -> str:
    """The address of the card of a claim that was checked."""
    await client.ask("/api/verify", {"claim": CARD_OF, **_CHECK})
    cards = json.loads((await client.ask("/api/cards?text=Great+Wall"))[1])["cards"]
    if not cards:
        raise NotMeasured("no claim card was made")
    return f"/api/cards/{cards[0]['id']}"


async def _requests(client: _Client, seen: Seen, card: str, rate: int, began: float, seconds: float) -> None:
    """Ask at an even pace, whether or not the answers keep up."""
    asked: list[asyncio.Task[None]] = []
    for number in range(int(rate * seconds)):
        due = began + number / rate
        await asyncio.sleep(max(0.0, due - perf_counter()))
        name, path = ("health", "/api/health") if number % 2 else ("card", card)
        asked.append(asyncio.create_task(_ask(client, seen, name, path, due)))
    await asyncio.gather(*asked)


async def _ask(client: _Client, seen: Seen, name: str, path: str, due: float) -> None:
    try:
        status, _ = await client.ask(path)
        if status != 200:
            seen.errors.append(f"{path}: {status}")
    except (OSError, EOFError) as error:
        seen.errors.append(f"{path}: {type(error).__name__}")
    seen.took[name].append(perf_counter() - due)


async def _runs(client: _Client, seen: Seen, streams: int, until: float) -> None:
    """Start runs one after another, each followed by all readers."""
    while perf_counter() < until:
        status, body = await client.ask("/api/runs", {"claim": CLAIM, **_CHECK})
        if status != 202:
            seen.errors.append(f"/api/runs: {status}")
            return
        path = json.loads(body)["events"]
        told = await asyncio.gather(*(_read(client, seen, path) for _ in range(streams)))
        if len({tuple(ids) for ids in told}) != 1:
            seen.errors.append("the readers of a run were told different events")
        seen.runs += 1


async def _read(client: _Client, seen: Seen, path: str) -> list[bytes]:
    """The ids of the events of a run."""
    try:
        told = await client.stream(path)
    except OSError as error:
        seen.errors.append(f"{path}: {type(error).__name__}")
        return []
    ids = re.findall(rb"^id: (\S+)$", told, re.MULTILINE)
    if b"event: run_ended" not in told:
        seen.errors.append(f"{path}: did not come to the end of the run")
    seen.streams += 1
    seen.events += len(ids)
    return ids


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
