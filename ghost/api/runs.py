"""Routes of runs: check a claim and wait, start a run, list, look at, cancel, and take away as a file."""

from functools import partial
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from ghost.api.access import READS, Access, Verifies
from ghost.api.openapi import problems
from ghost.api.problems import Problem
from ghost.api.repeats import Repeat, repeat_of
from ghost.api.results import as_file, as_json, awaited, ended_run, find_run, listed, run_link, run_value
from ghost.api.run_result import RunResult
from ghost.api.schemas import CancelledRun, RunList, StartedRun, VerifyRequest
from ghost.api.service import Opened, Service
from ghost.errors import GhostError
from ghost.jobs import RunOptions, RunView
from ghost.records import RunFilter
from ghost.reports import FILE_TYPES, Format, Publisher, export, report_name
from ghost.types import Claim, Label, RunStatus

router = APIRouter(prefix="/api", tags=["runs"])
RunId = Annotated[str, Path(description="Id of the run.", max_length=64, examples=["0" * 32])]


@router.post("/verify", response_model=RunResult, responses=problems(503))
async def verify(
    asked: VerifyRequest,
    request: Request,
    service: Opened,
    access: Verifies,
    repeat: Annotated[Repeat | None, Depends(repeat_of)],
) -> Response:
    """Check a claim and answer when the run has ended.

    A run that failed or was cancelled is an answer too: its status and error say so. The run is cancelled when the
    caller goes away, unless the request has an Idempotency-Key: then the same request joins the run.
    """
    run_id = await _started(service, asked, access, repeat)
    stop = partial(service.runner.cancel, run_id)
    return await awaited(ended_run(service, run_id), stop, None if repeat else request)


@router.post("/runs", response_model=StartedRun, status_code=202, responses=problems(503))
async def start(
    asked: VerifyRequest,
    service: Opened,
    access: Verifies,
    repeat: Annotated[Repeat | None, Depends(repeat_of)],
) -> Response:
    """Start a check and return its id at once."""
    run_id = await _started(service, asked, access, repeat)
    status = await anyio.to_thread.run_sync(lambda: find_run(service, run_id).status)
    place = f"/api/runs/{run_id}"
    answer = {
        "run_id": run_id, "status": status.value, "run": place, "events": f"{place}/events",
        "workbench": run_link(service, run_id),
    }  # fmt: skip
    return as_json(answer, 202, {"Location": place})


@router.get("/runs", response_model=RunList, dependencies=READS)
def runs(
    service: Opened,
    text: Annotated[str, Query(max_length=500, description="Only runs with this in the claim.")] = "",
    status: Annotated[RunStatus | None, Query(description="Only runs with this status.")] = None,
    label: Annotated[Label | None, Query(description="Only runs with this verdict.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 25,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Any:
    """The stored runs, newest first. A run that is still waiting is not listed."""
    narrow, stored = RunFilter(text, label, status), service.workbench.runs
    return as_json({"total": stored.matching(narrow), "runs": [*map(listed, stored.browse(narrow, limit, offset))]})


@router.get("/runs/{run_id}", response_model=RunResult, responses=problems(404), dependencies=READS)
def run(run_id: RunId, service: Opened) -> Any:
    """The result of a run, or what is known so far."""
    return as_json(run_value(service, find_run(service, run_id)))


@router.delete("/runs/{run_id}", response_model=CancelledRun, responses=problems(404, 409))
def cancel(run_id: RunId, service: Opened, access: Verifies) -> Any:
    """Cancel your run; one that somebody else started needs the role curate. A finished one stays as it is."""
    view = stop_run(service, run_id, access)
    return as_json({"run_id": run_id, "status": view.status.value, "cancelling": not view.ended})


@router.get(
    "/runs/{run_id}/report",
    response_class=Response,
    dependencies=READS,
    responses=problems(404, 409)
    | {200: {"description": "The report.", "content": {kind.mime: {} for kind in FILE_TYPES.values()}}},
)
def report(
    run_id: RunId,
    service: Opened,
    format: Annotated[Format, Query(description="bundle is a zip archive of all of them.")] = Format.HTML,
    download: Annotated[bool, Query(description="Whether a browser saves it instead of showing it.")] = False,
) -> Response:
    """The run as a file."""
    run = find_run(service, run_id)
    if run.status is RunStatus.RUNNING:
        raise Problem("not_exportable", "The run has not ended.", remedy="Wait for its end.")
    settings = service.settings
    body = export(run, format, Publisher(settings.publisher_name, settings.publisher_url))
    return as_file(body, FILE_TYPES[format].mime, report_name(run, format), download)


async def _started(service: Service, asked: VerifyRequest, access: Access, repeat: Repeat | None) -> str:
    """The id of the run that the request asks for: a new one, or the one that the same request has started before."""
    if repeat and repeat.run_id:
        return repeat.run_id
    return await anyio.to_thread.run_sync(start_run, service, asked, access, repeat)


def start_run(service: Service, asked: VerifyRequest, access: Access, repeat: Repeat | None = None) -> str:
    """Start a run and return its id. Raises Problem when too many wait, and ClaimError for unusable input."""
    claim = Claim(asked.claim, asked.context, asked.as_of, asked.found_at, tuple(asked.statements))
    options = RunOptions(
        asked.web, tuple(asked.allowed_sites), tuple(asked.denied_sites), links=tuple(asked.links),
        judge=asked.judge or "", cloud_fallback=asked.cloud_fallback, pipeline=asked.pipeline or "",
    )  # fmt: skip
    with service.starting(access.owner):
        run_id = service.started(service.runner.start(claim, options), access)
    if repeat:
        try:
            repeat.run_started(run_id)
        except GhostError:  # the same request will start another one
            service.runner.cancel(run_id)
            raise
    return run_id


def stop_run(service: Service, run_id: str, access: Access) -> RunView:
    """Ask a run of this process to stop, and return how it stands then. Raises Problem for one of another process, or
    of somebody else.
    """
    here = run_id in service.runner.active()
    if here:
        service.ensure_own(run_id, access)
        service.runner.cancel(run_id)
    view = service.runner.snapshot(run_id)
    if view is None:
        raise Problem("no_such_run")
    if not (here or view.ended):
        raise Problem("not_here")
    return view
