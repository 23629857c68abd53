"""Whether the server can be used, and what the caller may do."""

import time
from typing import Annotated, Any

import anyio
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ghost import __version__
from ghost.api.access import Access, needs
from ghost.api.problems import Problem, problem_of
from ghost.api.results import as_json, run_link
from ghost.api.schemas import AccessAnswer, Health
from ghost.api.service import Opened, Opening, Service
from ghost.errors import GhostError
from ghost.records import Role

router = APIRouter(prefix="/api", tags=["server"])
FRESH_SECONDS = 2.0
"""How long the outcome of a look at the stores is told again: monitors ask often, and many at once."""


class Pulse:
    """Looks whether the stores answer, every few seconds at most. To be used from the event loop."""

    def __init__(self) -> None:
        self._looked_at = float("-inf")
        self._looking = False
        self._problem: Problem | None = None

    async def problem(self, service: Service) -> Problem | None:
        """What is wrong with the stores; None when they answer."""
        if time.monotonic() - self._looked_at >= FRESH_SECONDS and not self._looking:
            self._looking = True  # the others need not wait for a disk that is slow
            try:
                self._problem = await anyio.to_thread.run_sync(_look, service)
                self._looked_at = time.monotonic()
            finally:
                self._looking = False
        return self._problem


@router.get(
    "/health",
    response_model=Health,
    responses={503: {"model": Health, "description": "It cannot be used now; `problems` says why."}},
)
async def health(request: Request) -> Any:
    """Whether the server can be used, and why not. Needs no key, and says nothing of the machine."""
    opening: Opening = request.app.state.opening
    if service := opening.service:
        found = await request.app.state.pulse.problem(service)
        return _health("unhealthy" if found else "ready", found)
    if opening.closing:
        return _health("closing", Problem("closing"))
    if opening.failed:
        return _health("failed", problem_of(opening.failed))
    return _health("opening", Problem("opening"))


@router.get("/access", response_model=AccessAnswer)
def access(request: Request, service: Opened, mine: Annotated[Access, needs(Role.READ)]) -> Any:
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


def _health(status: str, problem: Problem | None) -> Response:
    told = [{"code": problem.code, "detail": problem.detail, "remedy": problem.remedy}] if problem else []
    value = {"ready": problem is None, "status": status, "version": __version__, "problems": told}
    return as_json(value, 503 if problem else 200, {"Retry-After": "2"} if problem else None)


def _look(service: Service) -> Problem | None:
    try:
        service.workbench.runs.get("")
        service.workbench.knowledge.get(())
    except GhostError as error:
        return problem_of(error)
    return None
