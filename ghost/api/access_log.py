"""The log of requests: method, path, status, duration and request id. No query, no body, and no message of an error."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ghost.api.problems import problem_of
from ghost.logs import frames
from ghost.text import one_line

log = logging.getLogger(__name__)
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PATH_CHARS = 120
_HEALTH = "/api/health"
"""Not logged when it answers as it should: whatever watches the server asks for it every second."""
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Vary": "Origin, Authorization"}


Measure = Callable[[str, str, int, float], None]
"""Takes method, route, status and seconds of an answered request."""


class AccessLog:
    """The outermost middleware: gives every request an id, answers where a route broke, and writes the log."""

    def __init__(self, app: ASGIApp, with_claims: bool = False, measure: Measure = lambda *_: None) -> None:
        """``with_claims``: the log may hold what was asked, that is queries and the messages of errors."""
        self._app, self._with_claims, self._measure = app, with_claims, measure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        scope.setdefault("state", {})["request_id"] = request_id
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            problem = problem_of(error)
            if problem.code == "internal":
                log_unexpected(request_id, error, self._with_claims)
            if status == 0:
                await problem.response(request_id)(scope, receive, sending)
        finally:
            method = scope.get("method", "WS")
            took = (time.perf_counter() - began) * 1000
            route = getattr(scope.get("route"), "path", "")
            self._measure(method, route or "none", status, took / 1000)
            query = f"?{scope['query_string'].decode('latin-1')}" if self._with_claims else ""
            path = one_line(scope["path"] + query)[:_PATH_CHARS]
            level = logging.DEBUG if scope["path"] == _HEALTH and status in (200, 503) else logging.INFO
            fields = {"method": method, "path": path, "status": status, "milliseconds": round(took, 1),
                      "request_id": request_id}  # fmt: skip
            words = (method, path, status or "gone", took, request_id)
            log.log(level, "%s %s %s %.0f ms %s", *words, extra={"fields": fields})


def log_unexpected(request_id: str, error: BaseException, with_claims: bool) -> None:
    """Write down where an error comes from that nobody has foreseen."""
    if with_claims:
        log.error("%s", request_id, exc_info=error)
    else:
        log.error("%s: %s", request_id, "\n".join(frames(error)), extra={"fields": {"request_id": request_id}})


def _request_id(headers: Headers) -> str:
    """The caller's, when it can stand in a header and a log, else a new one."""
    sent = headers.get("x-request-id", "")
    return sent if _ID.fullmatch(sent) else secrets.token_hex(8)
