"""Whether the server can be used, and what the caller may do."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import anyio
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ghost import __version__
from ghost.api.access import Reads
from ghost.api.problems import Problem, problem_of
from ghost.api.results import as_json, run_link
from ghost.api.schemas import AccessAnswer, Health, PairAnswer, PairRequest
from ghost.api.service import Opened, Opening, Service
from ghost.diagnostics import free_bytes
from ghost.errors import GhostError, KeyRefused, StoreError
from ghost.records import Role

router = APIRouter(prefix="/api", tags=["server"])
FRESH_SECONDS = 2.0
"""How long the outcome of a look at the stores is told again: monitors ask often, and many at once."""
LEAST_FREE_BYTES = 50_000_000
"""With less free space on the disk the next runs might not be kept."""


class Pulse:
    """Checks what the server depends on, every few seconds at most. To be used from the event loop."""

    def __init__(self) -> None:
        self._looked_at = float("-inf")
        self._looking = False
        self._problems: tuple[Problem, ...] = ()

    async def problems(self, service: Service) -> tuple[Problem, ...]:
        """What is wrong now; nothing when all of it works."""
        if time.monotonic() - self._looked_at >= FRESH_SECONDS and not self._looking:
            self._looking = True  # the others need not wait for a disk that is slow
            try:
                self._problems = await anyio.to_thread.run_sync(_look, service)
                self._looked_at = time.monotonic()
            finally:
                self._looking = False
        return self._problems


@router.get(
    "/health",
    response_model=Health,
    responses={503: {"model": Health, "description": "It cannot be used now; `problems` says why."}},
)
async def health(request: Request) -> Any:
    """Whether the server can be used, and why not. Needs no key, and says nothing of the machine."""
    opening: Opening = request.app.state.opening
    if (service := opening.service) and not service.ending.is_set():
        found = await request.app.state.pulse.problems(service)
        return _health("unhealthy" if found else "ready", found)
    if service or opening.closing:
        return _health("closing", [Problem("closing")])
    if opening.failed:
        return _health("failed", [problem_of(opening.failed)])
    return _health("opening", [Problem("opening", opening.stage)])


@router.get("/access", response_model=AccessAnswer)
def access(request: Request, service: Opened, mine: Reads) -> Any:
    """What the caller may do, which judges a request may name, and where the workbench is."""
    workbench = service.workbench
    return as_json({
        "role": mine.role.value,
        "key": mine.key or None,
        "key_required": not request.app.state.keyless,
        "judges": [*workbench.judge_kinds],
        "cloud_fallback": workbench.cloud_fallback,
        "workbench": run_link(service),
        "version": __version__,
    })  # fmt: skip


@router.post("/pair", response_model=PairAnswer, status_code=201)
def pair(asked: PairRequest, service: Opened) -> Any:
    """Exchange a one-time code, of `python -m ghost keys pair` or the Settings page, for a key. Needs no key."""
    keys = service.workbench.keys
    try:
        keys.pairing.use(asked.code)
    except KeyRefused as refusal:
        raise Problem("code_refused", str(refusal)) from refusal
    return as_json({"key": keys.add("browser extension", Role.VERIFY)[1]}, 201)


def _health(status: str, problems: Sequence[Problem]) -> Response:
    told = [{"code": p.code, "detail": p.detail, "remedy": p.remedy} for p in problems]
    value = {"ready": not problems, "status": status, "version": __version__, "problems": told}
    return as_json(value, 503 if problems else 200, {"Retry-After": "2"} if problems else None)


def _look(service: Service) -> tuple[Problem, ...]:
    """Everything that is wrong, so that one outage does not hide another."""
    return tuple(problem for check in _CHECKS if (problem := check(service)))


def _database(service: Service) -> Problem | None:
    try:
        service.workbench.runs.get("")
    except GhostError as error:
        return problem_of(error)
    return None


def _index(service: Service) -> Problem | None:
    try:
        service.workbench.knowledge.ask_index()
    except StoreError as error:
        return Problem("index_failed") if type(error) is StoreError else problem_of(error)
    return None


def _disk(service: Service) -> Problem | None:
    free = free_bytes(service.settings.data_dir)
    return Problem("disk_low") if free is not None and free < LEAST_FREE_BYTES else None


_CHECKS: tuple[Callable[[Service], Problem | None], ...] = (_database, _index, _disk)
