"""``python -m ghost bench reading``: how long it takes to read pages, and how long a run is when every server hangs.

Pages and servers are those of the demo web on this machine: the time is that of our own code, of the politeness towards
one host, and of the small models.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.results import head, percentile, say
from config import load_settings
from ghost.demo_web import DemoWeb, values
from ghost.errors import GhostError
from ghost.events import RunEnded
from ghost.types import Claim, Run, RunStatus
from ghost.web import Links
from ghost.workbench import build

STATIONS = "weather-yearbook.test"
PAGES = 10
READ_GOAL = 6.0
"""Seconds for ten pages with 5 KB of main text each, on two cores."""
LIMIT = 5.0
"""Seconds that a run may take where every server hangs."""
OVER_GOAL = 1.0
HANGING = ("search", "pages", "model")
_CLAIM = "The strongest gust ever measured at Hollin Point reached 201 kilometres per hour."
_HANGING = "The ministry counted the visitors of the Saltgate Bridge by hand."
_SLOW = ("silent/brack-fever", "endless/skerrin-star", "drip/saltgate-bridge", "slow/saltgate-bridge")


def reading(repeats: int, command: str = "") -> dict[str, Any]:
    """Measure both. Raises GhostError when a run does not come to its end."""
    with DemoWeb() as web:
        say(f"Reading {PAGES} pages, {repeats} times.")
        times = [_ten_pages(web) for _ in range(repeats)]
        say(f"Runs with a limit of {LIMIT:g} s while servers hang.")
        over = {name: _hanging(web, name) for name in HANGING}
    took = [seconds for seconds, *_ in times]
    return {
        **head("reading", command, load_settings(), models=times[0][3]),
        "pages": PAGES,
        "characters": round(sum(size for _, _, size, _ in times) / len(times) / PAGES),
        "seconds_p50": round(percentile(took, 50), 2),
        "seconds_worst": round(max(took), 2),
        "processor_p50": round(percentile([busy for _, busy, *_ in times], 50), 2),
        "goal_seconds": READ_GOAL,
        "goal_met": percentile(took, 50) < READ_GOAL,
        "limit_seconds": LIMIT,
        "over_the_limit": over,
        "over_goal": OVER_GOAL,
        "over_goal_met": max(over.values()) < OVER_GOAL,
    }


def _ten_pages(web: DemoWeb) -> tuple[float, float, int, dict[str, Any]]:
    """Seconds of the step that reads the pages with the weighing after it, seconds of processor time for the whole run,
    characters of the main text, and the models that ran."""
    urls = [web.at(page.url) for page in web.library.of(STATIONS)][:PAGES]
    run, _, busy = _verified(web, _CLAIM, urls)
    at = next(i for i, step in enumerate(run.steps) if step.name == "investigate")
    rows = run.steps[at].outputs["sources"]
    if [row["state"] for row in rows] != ["read"] * PAGES:
        raise GhostError(f"Not all pages were read: {[(row['url'], row['why']) for row in rows]}")
    judged = run.steps[at : at + 3]  # read, then weighed (step 3) and judged (step 4)
    return sum(step.seconds for step in judged), busy, sum(row["characters"] for row in rows), run.settings["models"]


def _hanging(web: DemoWeb, what: str) -> float:
    """Seconds by which a run passes its limit while search engines, pages or the language model hang; below 0: none."""
    with _silent() as port:
        silent = f"http://127.0.0.1:{port}"
        slow = [web.at(f"http://brittle-host.test/{path}") for path in _SLOW] if what == "pages" else []
        changes: dict[str, Any] = {"max_seconds": LIMIT, "page_seconds": 30.0, "search_seconds": 30.0}
        changes |= {"searxng_url": silent} if what == "search" else {}
        changes |= {"local_base_url": f"{silent}/v1", "judge": "local", "local_model": "m"} if what == "model" else {}
        _, seconds, _ = _verified(web, _HANGING, slow, **changes)
    return round(seconds - LIMIT, 2)


def _verified(web: DemoWeb, claim: str, urls: list[str], **changes: Any) -> tuple[Run, float, float]:
    """One run on a knowledge base of its own, how long it took by the clock on the wall, and of processor time."""
    with TemporaryDirectory(prefix="ghost-bench-") as folder:
        settings = load_settings().model_copy(
            update={"judge": "embedded", **values(web, Path(folder).resolve()), **changes}
        )
        with build(settings) as workbench:
            for _ in workbench.verify(Claim("Honey keeps for years."), web=False):
                pass  # models and libraries are loaded by the first run
            end, started, busy = None, time.monotonic(), time.process_time()
            for event in workbench.verify(Claim(claim), links=Links(urls), web="max_seconds" in changes):
                end = event
            took, busy = time.monotonic() - started, time.process_time() - busy
            run = workbench.runs.get(end.run_id) if isinstance(end, RunEnded) else None
            if run is None or run.status is not RunStatus.FINISHED:
                raise GhostError(f"A run did not come to its end: {run.error if run else 'it is not stored'}")
            return run, took, busy


@contextmanager
def _silent() -> Iterator[int]:
    """A port that takes every connection and never answers."""
    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:

        def take() -> None:
            with suppress(OSError):
                while True:
                    held.append(listening.accept()[0])

        threading.Thread(target=take, name="bench-silent", daemon=True).start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            for connection in held:
                connection.close()
