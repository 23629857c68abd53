"""A run as it is told: the canonical result, with what left the machine and where the workbench shows it."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import Response

from ghost.api.problems import Problem
from ghost.api.service import Service
from ghost.jobs import RunView
from ghost.listening import address
from ghost.records import RunSummary
from ghost.reports import iso, left_the_machine, result
from ghost.types import Run

T = TypeVar("T")
_SAFE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups"


def as_json(value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer, made where it is called: in the thread of the route, not on the event loop."""
    body = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(body.encode("utf-8", "replace"), status, headers, "application/json")


def as_file(body: bytes, mime: str, name: str, download: bool) -> Response:
    """A report, which a browser saves or else shows: then it may do nothing but look as it should."""
    place = f'{"attachment" if download else "inline"}; filename="{name}"'
    return Response(body, 200, {"Content-Disposition": place, "Content-Security-Policy": _SAFE}, mime)


def run_link(service: Service, run_id: str = "") -> str:
    """Where the workbench's page shows the run; without one, the page."""
    page = address(service.settings.host, service.settings.port)
    return f"{page}/?run={run_id}" if run_id else page


def find_run(service: Service, run_id: str) -> Run:
    """The run as far as it got, without the paths of this machine. Raises Problem and StoreError."""
    run = service.workbench.runs.get(run_id)
    if run is None and (view := service.runner.snapshot(run_id)):
        run = _of_view(view)  # it waits for its turn, or its first event could not be stored
    if run is None:
        if when := service.workbench.runs.pruned_at(run_id):
            raise Problem("no_such_run", f"This run was removed on {when:%Y-%m-%d} to make room.")
        raise Problem("no_such_run")
    return service.paths.without(run)


def run_value(service: Service, run: Run) -> dict[str, Any]:
    """What the API says of a run."""
    failed = [line for line in run.judge.route if "): left " in line]
    more = {"left_the_machine": left_the_machine(run), "workbench": run_link(service, run.id)}
    return result(run) | {"failed_judges": failed} | more


def listed(run: RunSummary) -> dict[str, Any]:
    """A run in a list, with the verdict that counts."""
    return {
        "run_id": run.id, "claim": run.claim_text, "status": run.status.value,
        "label": label.value if (label := run.override or run.label) else None,
        "confidence": run.confidence if run.override in (None, run.label) else None,
        "started_at": iso(run.started_at), "finished_at": iso(run.finished_at), "judge": run.judge,
    }  # fmt: skip


async def ended_run(service: Service, run_id: str) -> Response:
    """The result of a run, as soon as it has ended."""
    async with service.feeds.run(run_id) as feed:
        if feed is not None:
            await feed.ended()
    return await anyio.to_thread.run_sync(lambda: as_json(run_value(service, find_run(service, run_id))))


async def awaited(work: Coroutine[Any, Any, T], stop: Callable[[], None], request: Request | None) -> T:
    """What the work comes to. When the caller of the request goes away first, ``stop`` has it end early; without a
    request it goes on.
    """
    ended = asyncio.create_task(work)
    gone = [asyncio.create_task(caller_gone(request))] if request else []
    try:
        await asyncio.wait([ended, *gone], return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            await anyio.to_thread.run_sync(stop)
        return await ended
    finally:
        for task in (ended, *gone):
            task.cancel()


async def caller_gone(request: Request) -> None:
    """Return when the caller has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _of_view(view: RunView) -> Run:
    return Run(
        view.run_id, view.status, view.claim, view.started_at, view.judge, dict(view.settings), view.classification,
        view.evidence, view.verdict, view.steps, view.usage, view.error, view.finished_at,
    )  # fmt: skip
