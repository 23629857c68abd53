"""GET /api/runs/{id}/events: what a run reports, as server-sent events."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from functools import partial
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Header
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ghost.api.access import Access, Reads, key_of, refused
from ghost.api.feeds import Feed, Told
from ghost.api.openapi import problems
from ghost.api.problems import Problem
from ghost.api.results import caller_gone
from ghost.api.runs import RunId
from ghost.api.service import Opened, Service

router = APIRouter(prefix="/api", tags=["runs"])
QUIET_SECONDS = 10.0
"""After so long without an event a comment says that the connection is still there."""
SLOW_SECONDS = 30.0
"""A reader that takes no event for so long is left; it can come back and go on after the last one it had."""
PIECE_BYTES = 64_000
COMMENT = b": still at work\n\n"
_NAMES = [
    "run_started", "step_started", "step_finished", "claim_classified", "evidence_weighed", "source_update",
    "sentence_accepted", "sentences_withdrawn", "verdict_reached", "run_ended",
]  # fmt: skip
_ABOUT = """`data` is one line of JSON with the fields of the event. `run_ended` always comes last.

With the header `Last-Event-ID` the events after that one come. If it belongs to another log, as after a restart of the
server or when another worker has begun the run again, all come again: start over at `run_started`. 204 means that there
is nothing after it."""
_EXAMPLE = """id: 5d41402abc4b-1
event: run_started
data: {"run_id":"079e706dfda444e49ab31da49d1842bd","claim":{"text":"Honey never spoils."}}

id: 5d41402abc4b-2
event: step_started
data: {"name":"classify","number":1,"round":1,"detail":""}
"""
_TEXT = {"type": "string"}


def described(names: Sequence[str], example: str) -> dict[str, Any]:
    """The content of a stream whose events have these names, for programs."""
    properties = {"id": _TEXT, "event": {**_TEXT, "enum": [*names]}, "data": _TEXT}
    schema = {"type": "object", "properties": properties, "required": ["id", "event", "data"]}
    return {"text/event-stream": {"schema": schema, "example": example}}


@router.get(
    "/runs/{run_id}/events",
    response_class=Response,
    responses=problems(404)
    | {
        200: {"description": _ABOUT, "content": described(_NAMES, _EXAMPLE)},
        204: {"description": "The run has ended, and the event of `Last-Event-ID` was its last."},
    },
)
async def events(
    run_id: RunId,
    service: Opened,
    access: Reads,
    last_event_id: Annotated[str, Header(max_length=100)] = "",
) -> Response:
    """What a run reports while it goes on, whoever makes it."""
    return EventStream(service, partial(service.feeds.run, run_id), "no_such_run", access, last_event_id)


class EventStream(Response):
    """An answer that lasts until the last event or until the reader goes away, and holds its place in between."""

    def __init__(
        self, service: Service, feed: Callable[[], AbstractAsyncContextManager[Feed | None]], missing: str,
        access: Access, last_event_id: str,
    ) -> None:  # fmt: skip
        """``missing`` is the code of the problem where there is no feed."""
        self.background = None
        self._service, self._feed, self._missing = service, feed, missing
        self._access, self._last = access, last_event_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises Problem before the answer has begun."""
        with self._service.stream(self._access.owner, bool(self._access.key)):
            async with self._feed() as feed:
                if feed is None:
                    raise Problem(self._missing)
                position = await feed.position(self._last)
                if position and feed.complete(position):
                    await Response(status_code=204)(scope, receive, send)
                    return
                async with anyio.create_task_group() as group:
                    request = Request(scope, receive)
                    group.start_soon(_until_gone, request, group.cancel_scope)
                    if key := key_of(request.headers):
                        group.start_soon(self._until_refused, key, group.cancel_scope)
                    await _told(feed, position, send)
                    group.cancel_scope.cancel()

    async def _until_refused(self, key: str, stream: anyio.CancelScope) -> None:
        """End the stream when its key is accepted no longer. The reader comes back, and is told why."""
        await refused(self._service.workbench.keys, lambda: key)
        stream.cancel()


async def _told(feed: Feed, position: int, send: Send) -> None:
    """Send the events as they happen. Returns without an end of the answer when the reader is too slow."""
    kind = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
    await send({"type": "http.response.start", "status": 200, "headers": kind})
    async with aclosing(feed.follow(position, QUIET_SECONDS)) as events:
        async for told in events:
            for piece in _pieces(told):
                with anyio.move_on_after(SLOW_SECONDS) as waiting:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                if waiting.cancelled_caught:
                    return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _pieces(told: Sequence[Told]) -> Iterator[bytes]:
    """The events as they are sent: many small ones at once, as each sending takes its time; but not all, as a reader
    that does not take them would fill the memory."""
    if not told:
        yield COMMENT
    piece = bytearray()
    for one in told:
        piece += one.frame
        if len(piece) >= PIECE_BYTES or one is told[-1]:
            yield bytes(piece)
            piece.clear()


async def _until_gone(request: Request, stream: anyio.CancelScope) -> None:
    """End the stream when its reader goes away."""
    await caller_gone(request)
    stream.cancel()
