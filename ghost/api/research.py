"""Routes of research: plan a topic, start, list, read, follow, cancel, resume and export."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, TypeVar

import anyio
from fastapi import APIRouter, Header, Path, Query
from pydantic import Field, StrictBool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from ghost.api.access import READS, Access, Reads, Verifies
from ghost.api.openapi import problems
from ghost.api.problems import Problem
from ghost.api.results import as_file, as_json, awaited, run_link
from ghost.api.run_result import StepAnswer, UsageAnswer
from ghost.api.schemas import RUN, Answer, Request, Text, examples
from ghost.api.service import Opened, Service
from ghost.api.streams import EventStream, described
from ghost.reports import iso, plan_value, research_html, research_markdown, research_value
from ghost.types import Research, ResearchPlan, RunStatus

T = TypeVar("T")
router = APIRouter(prefix="/api", tags=["research"])
ResearchId = Annotated[str, Path(description="Id of the research.", max_length=64, examples=[RUN])]
_NAMES = [
    "research_started", "research_planned", "step_started", "step_finished", "source_update", "sentence_accepted",
    "question_researched", "research_ended",
]  # fmt: skip
_EXAMPLE = """id: 5d41402abc4b-1
event: research_started
data: {"research_id":"079e706dfda444e49ab31da49d1842bd","topic":"Is the Great Wall visible from space?"}
"""


class ReportKind(StrEnum):
    """The format of a report."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"


class ResearchRequest(Request):
    """A topic to research, and how."""

    model_config = examples(
        {"topic": "Is the Great Wall of China visible from space?"},
        {
            "topic": "Is the Great Wall of China visible from space?",
            "questions": ["Can the Great Wall of China be seen from the Moon?"],
            "web": False,
        },
    )

    topic: Text = Field(min_length=1, max_length=100_000)
    """What to find out. The server's settings may allow fewer characters."""
    skill: Text = Field(default="", max_length=100)
    """Name of the skill. Default: chosen to fit the topic."""
    questions: list[Text] = Field(default=[], max_length=20)
    """Your own questions, in place of the planner's."""
    web: StrictBool = True
    """Whether to search the web, if the settings and the skill allow it."""


class PlanAnswer(Answer):
    """A plan: its questions, what memory has for each, and the most the rest may cost."""

    topic: str
    skill: dict[str, Any]
    questions: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    """One for each question: `state` is `satisfied` or `needs_web`, with the reason."""
    estimate: dict[str, Any]
    recalled: list[dict[str, Any]]
    """The memories found for the topic, and why each is used or left out."""


class StartedResearch(Answer):
    """A research that was started."""

    model_config = examples(
        {
            "research_id": RUN,
            "status": "running",
            "research": f"/api/research/{RUN}",
            "events": f"/api/research/{RUN}/events",
            "workbench": f"http://127.0.0.1:8501/research?research={RUN}",
        }
    )

    research_id: str
    status: RunStatus
    research: str
    """Where its result is."""
    events: str
    """Where its events are."""
    workbench: str
    """The research on the workbench's page."""


class ListedResearch(Answer):
    """A research in a list."""

    research_id: str
    topic: str
    status: RunStatus
    questions: int
    answered: int
    started_at: str
    finished_at: str | None


class ResearchListing(Answer):
    """A page of the stored research, newest first."""

    model_config = examples(
        {
            "total": 1,
            "research": [
                {
                    "research_id": RUN,
                    "topic": "Is the Great Wall of China visible from space?",
                    "status": "finished",
                    "questions": 5,
                    "answered": 4,
                    "started_at": "2026-03-31T09:15:04.217000+00:00",
                    "finished_at": "2026-03-31T09:15:16.108000+00:00",
                }
            ],
        }
    )

    total: int
    research: list[ListedResearch]


class ResearchResult(Answer):
    """Everything known about a research."""

    research_id: str
    topic: str
    status: RunStatus
    error: str
    plan: dict[str, Any] | None
    answers: list[dict[str, Any]]
    """Each with its text, citations, disagreements, and what is missing."""
    sources: list[dict[str, Any]]
    gaps: list[dict[str, Any]]
    saved: dict[str, Any]
    """What memory has saved."""
    usage: UsageAnswer
    steps: list[StepAnswer]
    workbench: str


class CancelledResearch(Answer):
    """The answer to a request to cancel."""

    model_config = examples({"research_id": RUN, "status": "running", "cancelling": True})

    research_id: str
    status: RunStatus
    cancelling: bool
    """Whether the research is still ending."""


@router.post("/research/plan", response_model=PlanAnswer, responses=problems(502, 503))
async def plan(asked: ResearchRequest, request: HttpRequest, service: Opened, access: Verifies) -> Response:
    """Plan a topic: nothing is searched on the web, and nothing is stored.

    To start it, send the same request to `POST /api/research`, with the questions as you want them.
    """
    made = await _until_gone(lambda cancelled: _planned(service, asked, access, cancelled), request)
    return await anyio.to_thread.run_sync(lambda: as_json(service.paths.hidden(plan_value(made))))


@router.post("/research", response_model=StartedResearch, status_code=202, responses=problems(502, 503))
async def start(asked: ResearchRequest, request: HttpRequest, service: Opened, access: Verifies) -> Response:
    """Plan a topic, start the research, and return its id."""
    made = await _until_gone(lambda cancelled: _planned(service, asked, access, cancelled), request)

    def begin() -> str:
        with service.starting(access.owner):
            return service.started(service.research.start(made, asked.web), access)

    return _started(service, await anyio.to_thread.run_sync(begin))


@router.get("/research", response_model=ResearchListing, dependencies=READS)
def researches(
    service: Opened,
    limit: Annotated[int, Query(ge=1, le=200)] = 25,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Any:
    """List the stored research, newest first."""
    stored = service.workbench.research
    return as_json({"total": stored.count(), "research": [*map(_listed, stored.list(limit, offset))]})


@router.get("/research/{research_id}", response_model=ResearchResult, responses=problems(404), dependencies=READS)
def research(research_id: ResearchId, service: Opened) -> Any:
    """The result of a research, or what is known so far."""
    return as_json(_value(service, _find(service, research_id)))


@router.get(
    "/research/{research_id}/events",
    response_class=Response,
    responses=problems(404)
    | {
        200: {"description": "As for a run; `research_ended` always comes last.",
              "content": described(_NAMES, _EXAMPLE)},
        204: {"description": "The research has ended, and the event of `Last-Event-ID` was its last."},
    },
)  # fmt: skip
async def events(
    research_id: ResearchId,
    service: Opened,
    access: Reads,
    last_event_id: Annotated[str, Header(max_length=100)] = "",
) -> Response:
    """The events of a research, also of one in another process."""
    feed = partial(service.feeds.research, research_id)
    return EventStream(service, feed, "no_such_research", access, last_event_id)


@router.post("/research/{research_id}/cancel", response_model=CancelledResearch, responses=problems(404, 409))
def cancel(research_id: ResearchId, service: Opened, access: Verifies) -> Any:
    """Cancel your research; one that somebody else started needs the role curate. Its answers are kept."""
    here = research_id in service.research.active()
    if here:
        service.ensure_own(research_id, access)
        service.research.cancel(research_id)
    view = service.research.snapshot(research_id)
    status = view.status or RunStatus.RUNNING if view else _find(service, research_id).status
    running = status is RunStatus.RUNNING
    if running and not here:
        raise Problem("not_here", "This research runs in another process.")
    return as_json({"research_id": research_id, "status": status.value, "cancelling": running})


@router.post(
    "/research/{research_id}/resume", response_model=StartedResearch, status_code=202, responses=problems(404, 409, 503)
)
def resume(research_id: ResearchId, service: Opened, access: Verifies) -> Any:
    """Continue a cancelled, failed or interrupted research with the questions that have no answer yet."""
    found = _find(service, research_id)
    if found.status in (RunStatus.RUNNING, RunStatus.FINISHED):
        raise Problem("conflict", f"The research is {found.status.value}.", remedy="Start a new one.")
    with service.starting(access.owner):
        return _started(service, service.started(service.research.resume(research_id), access))


@router.get(
    "/research/{research_id}/report",
    response_class=Response,
    dependencies=READS,
    responses=problems(404)
    | {200: {"description": "The report.",
             "content": {"text/html": {}, "text/markdown": {}, "application/json": {}}}},
)  # fmt: skip
def report(
    research_id: ResearchId,
    service: Opened,
    format: Annotated[ReportKind, Query(description="The format.")] = ReportKind.HTML,
    download: Annotated[bool, Query(description="Whether a browser downloads it instead of showing it.")] = False,
) -> Response:
    """The research as a file."""
    found = _find(service, research_id)
    match format:
        case ReportKind.HTML:
            body, mime, ending = research_html(found), "text/html; charset=utf-8", "html"
        case ReportKind.MARKDOWN:
            body, mime, ending = research_markdown(found), "text/markdown; charset=utf-8", "md"
        case ReportKind.JSON:
            body, mime, ending = json.dumps(research_value(found), ensure_ascii=False), "application/json", "json"
    return as_file(body.encode("utf-8", "replace"), mime, f"ghost-research-{found.id[:8]}.{ending}", download)


async def _until_gone(work: Callable[[Callable[[], bool]], T], request: HttpRequest) -> T:
    """What the work in a thread comes to; it is given what says that the caller has gone away."""
    gone = threading.Event()
    return await awaited(anyio.to_thread.run_sync(work, gone.is_set), gone.set, request)


def _planned(service: Service, asked: ResearchRequest, access: Access, cancelled: Callable[[], bool]) -> ResearchPlan:
    with service.starting(access.owner):
        return service.workbench.research.plan(
            asked.topic, skill=asked.skill, questions=asked.questions, web=asked.web, cancelled=cancelled
        )


def _started(service: Service, research_id: str) -> Response:
    place = f"/api/research/{research_id}"
    answer = {
        "research_id": research_id, "status": RunStatus.RUNNING.value, "research": place, "events": f"{place}/events",
        "workbench": _link(service, research_id),
    }  # fmt: skip
    return as_json(answer, 202, {"Location": place})


def _link(service: Service, research_id: str) -> str:
    return f"{run_link(service)}/research?research={research_id}"


def _listed(found: Research) -> dict[str, Any]:
    return {
        "research_id": found.id, "topic": found.topic, "status": found.status.value,
        "questions": len(found.plan.questions) if found.plan else 0, "answered": len(found.answers) - len(found.gaps),
        "started_at": iso(found.started_at), "finished_at": iso(found.finished_at),
    }  # fmt: skip


def _find(service: Service, research_id: str) -> Research:
    """The research as far as it got, without the paths of this machine. Raises Problem and StoreError."""
    found = service.workbench.research.get(research_id)
    if found is None and (view := service.research.snapshot(research_id)) and view.plan:
        # It waits for its turn, so that nothing of it is stored yet.
        began, status = datetime.now(UTC) - timedelta(seconds=view.seconds), view.status or RunStatus.RUNNING
        found = Research(research_id, view.topic, status, began, view.plan, web=view.web, error=view.error)
    if found is None:
        raise Problem("no_such_research")
    hidden = service.paths.hidden
    steps = tuple(
        replace(step, reason=hidden(step.reason), inputs=hidden(step.inputs), outputs=hidden(step.outputs))
        for step in found.steps
    )
    return replace(found, steps=steps, error=hidden(found.error))


def _value(service: Service, found: Research) -> dict[str, Any]:
    return research_value(found) | {"workbench": _link(service, found.id)}
