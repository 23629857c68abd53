"""WS /api/ws: checks and questions over one connection, with the events of all of them."""

import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, aclosing, closing, suppress
from typing import Annotated, Any, Literal

import anyio
from anyio.abc import TaskGroup
from fastapi import APIRouter
from pydantic import Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from ghost.api.access import Access, address_of, key_of, look_up, permit, refused
from ghost.api.access_log import log_unexpected
from ghost.api.feeds import Feed, Told
from ghost.api.limits import Rates
from ghost.api.problems import Problem, invalid, problem_of
from ghost.api.questions import AskRequest, ask_value, start_ask
from ghost.api.runs import start_run, stop_run
from ghost.api.schemas import Request, Text, VerifyRequest
from ghost.api.service import Service, opened
from ghost.errors import GhostError
from ghost.events import QuestionAnswered, QuestionRouted
from ghost.records import Role
from ghost.reports import answer_value, card_value
from ghost.types import ClaimCard, RouteMode

router = APIRouter()
MOST_AT_ONCE = 32
"""Runs and questions that one connection follows at a time."""
SIGN_IN_SECONDS = 10.0
SLOW_SECONDS = 30.0
"""A connection that takes no message for so long is closed."""
CLOSE_SECONDS = 1.0
"""So long it may take to say that it is closed."""


class _Message(Request):
    ref: Text | None = Field(default=None, max_length=200)
    """Chosen by the caller; stands in every message about this one."""


class Auth(_Message):
    """The key, where the handshake could not carry it."""

    type: Literal["auth"]
    key: Text = Field(max_length=1_000)


class Verify(_Message, VerifyRequest):
    """A claim to check."""

    type: Literal["verify"]


class Ask(_Message, AskRequest):
    """A question."""

    type: Literal["ask"]


class Follow(_Message):
    """A run to follow, whoever makes it."""

    type: Literal["follow"]
    run_id: Text = Field(max_length=64)
    last_event_id: Text = Field(default="", max_length=100)


class Cancel(_Message):
    """A run or a question to stop."""

    type: Literal["cancel"]
    run_id: Text = Field(default="", max_length=64)
    ask_id: Text = Field(default="", max_length=64)


class Ping(_Message):
    """Answered with a pong."""

    type: Literal["ping"]


_MESSAGES: TypeAdapter[Auth | Verify | Ask | Follow | Cancel | Ping] = TypeAdapter(
    Annotated[Auth | Verify | Ask | Follow | Cancel | Ping, Field(discriminator="type")]
)


@router.websocket("/api/ws")
async def connect(socket: WebSocket) -> None:
    """Serve one connection until either side closes it. Runs and questions that it started go on without it."""
    access: Access | Problem = socket.state.access
    if isinstance(access, Problem) and access.code == "wrong_origin":
        access = Problem("key_needed")  # of an extension: a browser cannot send the key with the handshake
    with closing(_Connection(socket, opened(socket), access)) as connection:
        await socket.accept()
        await connection.serve()
        with suppress(RuntimeError, WebSocketDisconnect), anyio.move_on_after(CLOSE_SECONDS):
            await socket.close()


class _Gone(Exception):
    """The other side has left, or takes nothing any more."""


class _Connection:
    """One WebSocket and what it follows."""

    def __init__(self, socket: WebSocket, service: Service, access: Access | Problem) -> None:
        """Takes a place; raises Problem when there is none."""
        self._socket, self._service, self._access = socket, service, access
        self._owner = access.owner if isinstance(access, Access) else address_of(socket.scope)
        self._place = ExitStack()
        self._place.enter_context(service.stream(self._owner, isinstance(access, Access) and bool(access.key)))
        self._key = key_of(socket.headers)
        self._rates: Rates = socket.app.state.rates
        self._sending = anyio.Lock()
        self._following = 0

    def close(self) -> None:
        """Give the place back."""
        self._place.close()

    async def serve(self) -> None:
        """Take messages until the connection ends."""
        async with anyio.create_task_group() as group:
            if isinstance(self._access, Problem):
                group.start_soon(self._require_sign_in)
            group.start_soon(self._until_refused)
            while (text := await self._receive()) is not None:
                await self._take(text, group)
            group.cancel_scope.cancel()

    async def _receive(self) -> str | bytes | None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        return message.get("text") or message.get("bytes") or ""

    async def _take(self, text: str | bytes, group: TaskGroup) -> None:
        """Do what one message asks for."""
        ref: str | None = None

        async def work() -> None:
            nonlocal ref
            self._rates.take(self._owner)
            value = _parsed(text)
            ref = str(value["ref"])[:200] if isinstance(value.get("ref"), str) else None
            await self._do(value, ref, group)

        await self._guarded(work, lambda: ref, group)

    async def _guarded(
        self, work: Callable[[], Awaitable[None]], ref: Callable[[], str | None], group: TaskGroup
    ) -> None:
        """What goes wrong in the work is told and ends nothing; only a lost connection ends all."""
        try:
            try:
                await work()
            except _Gone:
                raise
            except Exception as error:
                await self._tell_problem(error, ref())
        except _Gone:
            group.cancel_scope.cancel()

    async def _do(self, value: dict[str, Any], ref: str | None, group: TaskGroup) -> None:
        try:
            asked = _MESSAGES.validate_python(value)
        except ValidationError as error:
            found = [{**e, "loc": ("body", *e["loc"][1:])} for e in error.errors()]
            raise invalid(found) from error
        match asked:
            case Auth():
                access = await look_up(self._service.workbench.keys, asked.key)
                place = ExitStack()
                place.enter_context(self._service.stream(access.owner, signed=True))
                self._place.close()
                self._place, self._access, self._owner, self._key = place, access, access.owner, asked.key
                await self._send(type="signed_in", ref=ref, role=access.role.value)
            case Ping():
                await self._send(type="pong", ref=ref)
            case Verify():
                access = await self._permit(Role.VERIFY)
                self._ensure_room()
                run_id = await anyio.to_thread.run_sync(start_run, self._service, asked, access)
                await self._send(type="accepted", ref=ref, run_id=run_id)
                self._start(group, ref, lambda: self._follow_run(run_id, "", ref))
            case Ask():
                access = await self._permit(Role.VERIFY)
                self._ensure_room()
                ask_id = await anyio.to_thread.run_sync(start_ask, self._service, asked, access)
                await self._send(type="accepted", ref=ref, ask_id=ask_id)
                self._start(group, ref, lambda: self._follow_question(ask_id, ref))
            case Follow():
                await self._permit(Role.READ)
                self._ensure_room()
                self._start(group, ref, lambda: self._follow_run(asked.run_id, asked.last_event_id, ref))
            case Cancel():
                access = await self._permit(Role.VERIFY)
                await anyio.to_thread.run_sync(self._cancel, asked, access)

    async def _permit(self, role: Role) -> Access:
        """What the caller may do now: a key that was revoked meanwhile does not work for as long as it is connected."""
        if self._key and isinstance(self._access, Access):
            self._access = await look_up(self._service.workbench.keys, self._key)
        return permit(self._access, role)

    def _ensure_room(self) -> None:
        """Raise Problem where nothing more can be followed."""
        if self._following >= MOST_AT_ONCE:
            raise Problem("too_many_streams", f"One connection follows at most {MOST_AT_ONCE} at a time.")

    def _start(self, group: TaskGroup, ref: str | None, follow: Callable[[], Awaitable[None]]) -> None:
        """Follow a run or a question beside the others."""
        self._following += 1

        async def following() -> None:
            try:
                await self._guarded(follow, lambda: ref, group)
            finally:
                self._following -= 1

        group.start_soon(following)

    def _cancel(self, asked: Cancel, access: Access) -> None:
        if asked.run_id:
            stop_run(self._service, asked.run_id, access)
        elif self._service.asker.snapshot(asked.ask_id):
            self._service.ensure_own(asked.ask_id, access)
            self._service.asker.cancel(asked.ask_id)
        else:
            raise Problem("no_such_question")

    async def _follow_run(self, run_id: str, last_event_id: str, ref: str | None) -> None:
        async with self._service.feeds.run(run_id) as feed:
            if feed is None:
                raise Problem("no_such_run")
            await self._follow(feed, await feed.position(last_event_id), {"ref": ref, "run_id": run_id})

    async def _follow(self, feed: Feed, position: int, names: dict[str, Any]) -> None:
        async with aclosing(feed.follow(position)) as events:
            async for told in events:
                for one in told:
                    await self._send_event(one, names)

    async def _follow_question(self, ask_id: str, ref: str | None) -> None:
        """The events of a question; where it is answered from several cards, also what they come to."""
        names: dict[str, Any] = {"ref": ref, "ask_id": ask_id}
        cards: tuple[ClaimCard, ...] = ()
        told_answer = False
        log = self._service.asker.log(ask_id)
        if log is None:
            raise Problem("no_such_question")
        async with aclosing(self._service.feeds.of(log).follow()) as events:
            async for told in events:
                for one in told:
                    await self._send_event(one, names)
                    told_answer = isinstance(one.event, QuestionAnswered)
                    match one.event:
                        case QuestionRouted(decision=d, cards=cards) if d.mode is RouteMode.CONTEXTUAL:
                            value = {"decision": answer_value(d, ())["decision"], "cards": [*map(card_value, cards)]}
                            await self._send(type="contextual_response_started", **names, data=value)
                        case QuestionAnswered(decision=d) if d.mode is RouteMode.CONTEXTUAL:
                            value = answer_value(d, cards)
                            del value["decision"]
                            await self._send(type="contextual_response_completed", **names, data=value)
        if not told_answer:
            await anyio.to_thread.run_sync(ask_value, self._service, ask_id)  # raises what it has instead of an answer

    async def _send_event(self, told: Told, names: dict[str, Any]) -> None:
        head = json.dumps({"type": told.name, "id": told.id, **names})
        await self._send_text(f'{head[:-1]}, "data": {told.data}}}')

    async def _send(self, **value: Any) -> None:
        await self._send_text(json.dumps(value))

    async def _tell_problem(self, error: Exception, ref: str | None) -> None:
        if not isinstance(error, Problem | GhostError | ValidationError):
            log_unexpected(self._socket.state.request_id, error, self._service.settings.api_log_claims)
        document = problem_of(error).document(self._socket.state.request_id)
        await self._send(type="problem", ref=ref, problem=document)

    async def _send_text(self, text: str) -> None:
        """Send one message; close a connection that does not take it."""
        try:
            with anyio.fail_after(SLOW_SECONDS):
                async with self._sending:
                    await self._socket.send_text(text)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):  # RuntimeError: it was closed meanwhile
            raise _Gone from None

    async def _require_sign_in(self) -> None:
        """Close the connection of somebody who sends no key."""
        await anyio.sleep(SIGN_IN_SECONDS)
        if isinstance(self._access, Problem):
            await self._socket.close(1008, "No key was sent.")

    async def _until_refused(self) -> None:
        """Close the connection of somebody whose key is accepted no longer."""
        problem = await refused(self._service.workbench.keys, lambda: self._key)
        with suppress(_Gone, RuntimeError, WebSocketDisconnect):  # or it is closed already
            await self._tell_problem(problem, None)
            await self._socket.close(1008, "The key is accepted no longer.")


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Problem("not_json", "The message is not valid JSON.") from None
    if not isinstance(value, dict):
        raise Problem("not_json", "The message is not a JSON object.")
    return value
