"""Routes of questions: ask one, and look at a conversation."""

import uuid
from functools import partial
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Path
from pydantic import Field, StrictBool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from ghost.api.access import READS, Access, Verifies
from ghost.api.openapi import problems
from ghost.api.problems import Problem
from ghost.api.results import as_json, awaited, run_value
from ghost.api.run_result import RunResult
from ghost.api.schemas import Answer, Request, Text, examples
from ghost.api.service import Opened, Service
from ghost.cards import MAX_QUESTION_CHARS
from ghost.errors import Cancelled, ClaimError
from ghost.jobs import AskView
from ghost.reports import Exchange, answer_value, conversation_markdown
from ghost.types import ClaimCard, RouteMode, RouterDecision

router = APIRouter(prefix="/api", tags=["questions"])
ConversationId = Annotated[str, Path(description="Id of the conversation.", max_length=64)]


class AskRequest(Request):
    """A question, on its own or in a conversation."""

    model_config = examples({"question": "Do octopuses have three hearts?"})

    question: Text = Field(min_length=1, max_length=100_000)
    """The question, or a claim."""
    conversation_id: Text = Field(default="", max_length=64, pattern=r"^[\w.-]*$")
    """Its conversation; without one, a new one starts."""
    web: StrictBool = True
    """Whether a new check may search the web, where the settings allow it."""
    anew: StrictBool = False
    """Run a new check, whatever was answered before."""


class AskAnswer(Answer):
    """Where the answer to a question comes from, and what it is."""

    conversation_id: str
    mode: RouteMode
    response: str
    """The answer with `[n]`: the citations of the one card, or the positions of several. Empty for a new check: its
    verdict is in `run`."""
    reasoning: str
    """Why the answer comes from there."""
    cards: list[dict[str, Any]]
    decision: dict[str, Any]
    run: RunResult | None


class ConversationAnswer(Answer):
    """A conversation, oldest question first."""

    conversation_id: str
    questions: list[dict[str, Any]]


@router.post("/chat/ask", response_model=AskAnswer, responses=problems(409, 502, 503))
async def ask(asked: AskRequest, request: HttpRequest, service: Opened, access: Verifies) -> Response:
    """Answer a question from earlier answers where they surely answer it, else by a new check.

    It is stopped when the caller goes away.
    """
    ask_id = await anyio.to_thread.run_sync(start_ask, service, asked, access)
    log = service.asker.log(ask_id)
    if log is None:
        raise Problem("internal")
    await awaited(service.feeds.of(log).ended(), partial(service.asker.cancel, ask_id), request)
    return await anyio.to_thread.run_sync(lambda: as_json(ask_value(service, ask_id)))


@router.get(
    "/conversations/{conversation_id}", response_model=ConversationAnswer, responses=problems(404), dependencies=READS
)
def conversation(conversation_id: ConversationId, service: Opened) -> Response:
    """The questions and answers of a conversation."""
    questions = [answer_value(d, _cards(service, d)) for d in _decisions(service, conversation_id)]
    return as_json({"conversation_id": conversation_id, "questions": questions})


@router.get(
    "/conversations/{conversation_id}/report",
    response_class=Response,
    responses=problems(404) | {200: {"description": "The conversation.", "content": {"text/markdown": {}}}},
    dependencies=READS,
)
def report(conversation_id: ConversationId, service: Opened) -> Response:
    """The conversation with its cards and sources, as Markdown."""
    runs = service.workbench.runs
    exchanges = [
        Exchange(d, _cards(service, d), runs.get(d.run_id) if d.run_id else None)
        for d in _decisions(service, conversation_id)
    ]
    headers = {"Content-Disposition": 'attachment; filename="ghost-conversation.md"'}
    return Response(conversation_markdown(exchanges), 200, headers, "text/markdown; charset=utf-8")


def start_ask(service: Service, asked: AskRequest, access: Access) -> str:
    """Start answering a question and return its id. Raises Problem when too many wait, and ClaimError."""
    if len(asked.question) > MAX_QUESTION_CHARS:
        raise ClaimError(f"The question is longer than {MAX_QUESTION_CHARS:,} characters. Shorten it.")
    conversation_id = asked.conversation_id or uuid.uuid4().hex
    turns = service.workbench.asking.turns(asked.conversation_id)
    with service.starting(access.owner):
        ask_id = service.asker.start(asked.question, conversation_id, turns, web=asked.web, anew=asked.anew)
    return service.started(ask_id, access)


def ask_value(service: Service, ask_id: str) -> dict[str, Any]:
    """What a question that has ended was answered. Raises Problem where it has no answer."""
    view = service.asker.snapshot(ask_id)
    if view is None or view.decision is None or view.error or view.cancelled:
        raise _no_answer(service, view)
    run = service.workbench.runs.get(view.decision.run_id) if view.decision.run_id else None
    return {
        "conversation_id": view.conversation_id,
        **answer_value(view.decision, view.cards),
        "run": run_value(service, service.paths.without(run)) if run else None,
    }


def _no_answer(service: Service, view: AskView | None) -> Exception:
    if view and view.cancelled:
        return Cancelled("The question was stopped before it was answered.")
    if view and view.unusable:
        return ClaimError(view.error)
    detail = service.paths.hide(view.error) if view and view.error else "Nothing was recorded."
    return Problem("not_answered", detail)


def _decisions(service: Service, conversation_id: str) -> list[RouterDecision]:
    found = service.workbench.asking.conversation(conversation_id)
    if not found:
        raise Problem("no_such_conversation")
    return found


def _cards(service: Service, decision: RouterDecision) -> tuple[ClaimCard, ...]:
    return tuple(card for i in decision.cards if (card := service.workbench.cards.get(i)))
