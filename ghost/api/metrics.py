"""Figures for a monitor that collects them: ``GET /metrics``, as Prometheus reads it."""

import time

import anyio.to_thread
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ghost.api.access import Reads
from ghost.api.problems import Problem
from ghost.api.service import Opened, Service
from ghost.telemetry import Metrics, prometheus_metrics

router = APIRouter(tags=["server"])
KEPT_SECONDS = 10.0
"""So long the figures of the database are told again: they are counted over all runs."""


class Measuring:
    """The metrics of this server; none of them without the library."""

    def __init__(self) -> None:
        self._metrics: Metrics | None = None
        self._counted_at = float("-inf")

    def begin(self, service: Service) -> None:
        """Count from now on, where the library is there; its import takes a moment."""
        if metrics := prometheus_metrics():
            service.workbench.observers.append(metrics.observe)
            self._metrics = metrics

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        if self._metrics:
            self._metrics.request(method, route, status, seconds)

    def text(self, service: Service, ready: bool) -> bytes:
        """All figures. Raises Problem without the library, and StoreError."""
        if self._metrics is None:
            raise Problem("no_metrics")
        if time.monotonic() - self._counted_at >= KEPT_SECONDS:
            self._metrics.stored(service.workbench.runs.tallies(), service.workbench.knowledge.by_status())
            if queue := service.jobs.queue:
                standing = queue.standing()
                workers = sum(not worker.paused for worker in standing.workers)
                self._metrics.queue(workers, standing.waiting, standing.running)
            self._counted_at = time.monotonic()
        self._metrics.now(service.active(), ready)
        return self._metrics.text()


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, service: Opened, _: Reads) -> Response:
    """The figures of this process and of the database."""
    problems = await request.app.state.pulse.problems(service)
    measuring: Measuring = request.app.state.measuring
    text = await anyio.to_thread.run_sync(measuring.text, service, not problems)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")
