"""Idempotency keys: a POST that is sent twice is done once, and both get the same answer, also after a restart."""

import hashlib
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import anyio
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ghost.api.access import Access
from ghost.api.problems import Problem, problem_of
from ghost.errors import GhostError
from ghost.records import Idempotency, Kept

log = logging.getLogger(__name__)
JOINS = ("/api/verify", "/api/runs")
"""Routes whose second request joins the run that the first one has started."""
_KEY = re.compile(r"[ -~]{1,200}")


@dataclass(frozen=True, slots=True)
class Repeat:
    """A request with an Idempotency-Key, for the route that answers it."""

    run_id: str
    """The run that the same request has started before; empty for the first one."""
    run_started: Callable[[str], None]
    """To be called with the id of the run that the route starts, in a thread."""


def repeat_of(request: HTTPConnection) -> Repeat | None:
    """The request's Repeat, as a dependency; None without an Idempotency-Key."""
    found: Repeat | None = getattr(request.state, "repeat", None)
    return found


class Repeats:
    """Middleware that keeps the answers to requests with an Idempotency-Key and gives them again."""

    def __init__(self, app: ASGIApp, store: Callable[[], Idempotency | None]) -> None:
        """``store`` gives None as long as it is not open."""
        self._app, self._store = app, store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keeps = scope.get("method") == "POST" and scope["path"] != "/api/pair"  # whose answer is a secret
        sent = Headers(scope=scope).get("idempotency-key") if keeps else None
        access, store = scope.get("state", {}).get("access"), self._store()
        if sent is None or store is None or not isinstance(access, Access):
            await self._app(scope, receive, send)  # without access the route will refuse it
            return
        try:
            await self._once(sent, access, store, scope, receive, send)
        except (Problem, GhostError) as error:
            await problem_of(error).response(scope["state"]["request_id"])(scope, receive, send)

    async def _once(
        self, sent: str, access: Access, store: Idempotency, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if not _KEY.fullmatch(sent):
            message = "must have 1 to 200 printable ASCII characters"
            raise Problem("invalid_request", errors=[{"pointer": "header:Idempotency-Key", "message": message}])
        name = (access.key and access.owner, scope["path"], sent)
        kept = await anyio.to_thread.run_sync(_begun, store, name, scope["state"]["body"])
        if kept is not None and kept.done:
            await _again(kept)(scope, receive, send)
            return
        if kept is not None and not (kept.run_id and scope["path"] in JOINS):
            raise Problem("still_at_work", retry_after=2)
        scope["state"]["repeat"] = Repeat(kept.run_id if kept else "", lambda run_id: store.run_started(*name, run_id))
        status, body = 0, bytearray()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if not message.get("more_body", False) and 200 <= status < 300:
                    # Before the caller can know it: the same request, sent at once, must find the answer.
                    await anyio.to_thread.run_sync(_finish, store, name, status, bytes(body))
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if kept is None and not 200 <= status < 300:
                with suppress(GhostError), anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(store.forget, *name)


def _begun(store: Idempotency, name: tuple[str, str, str], body: bytes) -> Kept | None:
    """What is known of this request; None for the first one. Raises Problem where the first one was another."""
    digest = _digest(body)
    kept = store.begin(*name, digest)
    if kept is not None and kept.digest != digest:
        raise Problem("idempotency_mismatch")
    return kept


def _finish(store: Idempotency, name: tuple[str, str, str], status: int, body: bytes) -> None:
    """Keep the answer. It is given in any case: what it tells of has been done."""
    try:
        store.finish(*name, status, body)
    except GhostError as error:
        log.error("An answer could not be kept for its Idempotency-Key: %s", error)


def _again(kept: Kept) -> Response:
    headers = {"Idempotent-Replayed": "true"}
    if kept.status == 202 and kept.run_id:
        headers["Location"] = f"/api/runs/{kept.run_id}"
    return Response(kept.body, kept.status, headers, "application/json")


def _digest(body: bytes) -> str:
    """Of what the body says: white space and the order of fields make no other request."""
    with suppress(ValueError, RecursionError):
        body = json.dumps(json.loads(body), sort_keys=True).encode()
    return hashlib.sha256(body).hexdigest()
