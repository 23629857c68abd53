"""``python -m ghost bench analysts``: many people at work over the HTTP API at once, for minutes.

Every analyst checks claims and follows the events, asks questions, searches, looks through runs and cards, adds texts
and plans a research, with pauses as people make them. The servers and the analysts share the cores of this machine.
"""

import asyncio
import random
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx

from bench.corpus import claims, endless_passages
from bench.page import memory
from bench.processes import environment, running
from bench.results import NotMeasured, head, percentile, say
from ghost.records import LocalToken

ANALYSTS = 20
OPEN_SECONDS = 240.0
"""So long the servers may take to open, with a new knowledge base to fill."""
PAUSE = (1.0, 5.0)
"""Seconds between two actions of an analyst, at least and at most."""
ANSWER_SECONDS = 120.0
WORKERS = 2
FLAT = 0.1
"""Share by which memory may grow over the second half of the time."""
GOAL_ERRORS = 0


@dataclass
class Seen:
    """What the analysts have seen, and what the processes took."""

    took: dict[str, list[float]] = field(default_factory=dict)
    """Seconds of each action by its name."""
    errors: list[str] = field(default_factory=list)
    memory: list[dict[str, float]] = field(default_factory=list)
    """MB of each process, every second."""


@dataclass(frozen=True, slots=True)
class Servers:
    """An API that answers, and the processes behind it by name."""

    url: str
    token: str
    """With which the analysts may also add texts."""
    processes: dict[str, int]


def analysts(
    seconds: float, number: int = ANALYSTS, team: bool = False, seed: int = 1, command: str = ""
) -> dict[str, Any]:
    """Let so many analysts work for so long: on one server with SQLite, or with ``team`` on PostgreSQL with workers.

    Raises NotMeasured when the servers do not come up.
    """
    with _team() if team else _alone() as servers:
        say(f"{number} analysts at work for {seconds:g} s.")
        seen = asyncio.run(_at_work(servers, seconds, number, seed))
    memories = {name: _memory(name, seen) for name in servers.processes}
    flat = all(after <= before * (1 + FLAT) for before, after, _ in memories.values())
    return {
        **head("analysts", command, models={}),
        "analysts": number,
        "team": team,
        "seconds": seconds,
        "actions": {
            name: {"n": len(values), **{f"s_{share}": round(percentile(values, share), 3) for share in (50, 95, 99)}}
            for name, values in sorted(seen.took.items())
        },
        "errors": len(seen.errors),
        "first_errors": seen.errors[:5],
        "memory_mb": {
            name: {"half": half, "end": end, "most": most} for name, (half, end, most) in memories.items()
        },
        "goal_errors": GOAL_ERRORS,
        "goal_met": len(seen.errors) <= GOAL_ERRORS,
        "flat": flat,
    }  # fmt: skip


@contextmanager
def _alone() -> Iterator[Servers]:
    """One server on a data folder of its own."""
    with tempfile.TemporaryDirectory(prefix="ghost-analysts-") as folder, _serving(Path(folder), {}) as servers:
        yield servers


@contextmanager
def _team() -> Iterator[Servers]:
    """PostgreSQL, Chroma, the API and its workers, each a process."""
    from ghost.testing import PostgresServer  # not installed everywhere

    with tempfile.TemporaryDirectory(prefix="ghost-analysts-") as name, ExitStack() as stack:
        folder = Path(name)
        server = PostgresServer()
        stack.callback(server.remove)
        port = _free_port()
        chroma = [
            _script("chroma"),
            "run",
            "--path",
            str(folder / "chroma"),
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
        ]
        stack.enter_context(running(chroma, environment(folder), folder / "chroma.log"))
        places = {
            "GHOST_DATABASE_URL": server.url(server.create()),
            "GHOST_CHROMA_URL": f"http://127.0.0.1:{port}",
        }
        asyncio.run(_until_open(f"http://127.0.0.1:{port}/api/v2/heartbeat"))
        servers = stack.enter_context(_serving(folder, places))
        workers = {}
        for number in range(1, WORKERS + 1):
            work = [sys.executable, "-m", "ghost", "worker"]
            env = environment(folder) | places
            workers[f"worker {number}"] = stack.enter_context(running(work, env, folder / f"worker-{number}.log")).pid
        yield Servers(servers.url, servers.token, servers.processes | workers)


@contextmanager
def _serving(folder: Path, places: dict[str, str]) -> Iterator[Servers]:
    port = _free_port()
    serve = [sys.executable, "-m", "ghost", "serve", "--host", "127.0.0.1", "--port", str(port)]
    env = environment(folder) | {"GHOST_API_REQUIRE_KEY": "false"} | places
    log = folder / "serve.log"
    with running(serve, env, log) as process:
        try:
            asyncio.run(_until_open(f"http://127.0.0.1:{port}/api/health"))
        except NotMeasured as error:
            raise NotMeasured(f"{error}: {log.read_text(encoding='utf-8', errors='replace')[-500:]}") from error
        token = LocalToken(folder / "data").ensure()
        yield Servers(f"http://127.0.0.1:{port}", token, {"server": process.pid})


async def _until_open(url: str) -> None:
    deadline = perf_counter() + OPEN_SECONDS
    async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
        while perf_counter() < deadline:
            with suppress(httpx.HTTPError):
                if (await client.get(url)).status_code == 200:
                    return
            await asyncio.sleep(0.3)
    raise NotMeasured("a server did not become ready")


async def _at_work(servers: Servers, seconds: float, number: int, seed: int) -> Seen:
    seen, until = Seen(), perf_counter() + seconds
    watching = asyncio.create_task(_watch(servers, seen, until))
    await asyncio.gather(*(_Analyst(servers, seen, f"{seed}/{n}", n).work(until) for n in range(number)))
    await watching
    return seen


async def _watch(servers: Servers, seen: Seen, until: float) -> None:
    while perf_counter() < until:
        seen.memory.append({name: memory(pid) for name, pid in servers.processes.items()})
        await asyncio.sleep(1.0)


class _Analyst:
    """One person: what they do next is drawn, and the next one begins after a pause."""

    def __init__(self, servers: Servers, seen: Seen, seed: str, number: int) -> None:
        self._seen, self._rng = seen, random.Random(seed)
        self._claims = iter(claims(400, seed=number + 1))
        self._texts = endless_passages(number + 1_000)
        key = {"Authorization": f"Bearer {servers.token}"}
        self._client = httpx.AsyncClient(base_url=servers.url, headers=key, trust_env=False, timeout=ANSWER_SECONDS)
        self._actions: dict[str, tuple[int, Callable[[], Awaitable[None]]]] = {
            "check a claim": (5, self._check),
            "ask a question": (2, self._ask),
            "search passages": (4, self._search),
            "look through runs": (4, self._look),
            "look through cards": (3, self._cards),
            "add a text": (1, self._add),
            "plan a research": (1, self._plan),
        }

    async def work(self, until: float) -> None:
        """Act and pause until the time is over."""
        names = list(self._actions)
        weights = [weight for weight, _ in self._actions.values()]
        await asyncio.sleep(self._rng.uniform(0, PAUSE[1]))
        async with self._client:
            while perf_counter() < until:
                name = self._rng.choices(names, weights)[0]
                began = perf_counter()
                try:
                    await self._actions[name][1]()
                except (httpx.HTTPError, _Refused) as error:
                    self._seen.errors.append(f"{name}: {type(error).__name__} {error}")
                self._seen.took.setdefault(name, []).append(perf_counter() - began)
                await asyncio.sleep(self._rng.uniform(*PAUSE))

    async def _check(self) -> None:
        body = {"claim": next(self._claims), "web": False, "judge": "embedded"}
        started = await self._sent("POST", "/api/runs", json=body)
        told = ""
        async with self._client.stream("GET", started["events"]) as answer:
            _expect(answer)
            async for part in answer.aiter_text():
                told += part
        if "event: run_ended" not in told:
            raise _Refused("the events ended before the run")
        result = await self._sent("GET", started["run"])
        if result["status"] != "finished":
            raise _Refused(f"the run ended as {result['status']}: {result.get('error')}")

    async def _ask(self) -> None:
        await self._sent("POST", "/api/chat/ask", json={"question": next(self._claims), "web": False})

    async def _search(self) -> None:
        await self._sent("GET", "/api/knowledge/search", params={"q": next(self._claims)})

    async def _look(self) -> None:
        found = (await self._sent("GET", "/api/runs", params={"limit": 20}))["runs"]
        ended = [run["run_id"] for run in found if run["status"] == "finished"]
        if ended:
            _expect(await self._client.get(f"/api/runs/{self._rng.choice(ended)}/report", params={"format": "html"}))

    async def _cards(self) -> None:
        await self._sent("GET", "/api/cards", params={"limit": 20, "text": self._rng.choice(["", "the", "moon"])})

    async def _add(self) -> None:
        new = next(self._texts)
        body = {"text": new.text, "source_url": new.source_url, "title": new.title}
        await self._sent("POST", "/api/knowledge/passages", json=body)

    async def _plan(self) -> None:
        await self._sent("POST", "/api/research/plan", json={"topic": next(self._claims), "web": False})

    async def _sent(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        answer = await self._client.request(method, path, **options)
        _expect(answer)
        found: dict[str, Any] = answer.json()
        return found


class _Refused(Exception):
    """An answer that is no success."""


def _expect(answer: httpx.Response) -> None:
    if not answer.is_success:
        raise _Refused(f"{answer.request.url.path} answered {answer.status_code}")


def _memory(name: str, seen: Seen) -> tuple[float, float, float]:
    """MB in the middle of the time, at its end, and at most; each of the first two the median of ten seconds."""
    values = [sample[name] for sample in seen.memory if name in sample]
    if not values:
        raise NotMeasured(f"the {name} ended before anything was measured")
    middle = len(values) // 2
    return percentile(values[middle : middle + 10], 50), percentile(values[-10:], 50), max(values)


def _script(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
