"""Who may call: the name the server is addressed by, the website a script comes from, the key, and its role."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
from fastapi import Depends
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from config import Settings
from ghost.api.limits import Rates
from ghost.api.problems import Problem
from ghost.errors import GhostError, KeyRefused
from ghost.listening import EXTENSION_SCHEMES, allowed_hosts, from_other_page, is_loopback, through_proxy
from ghost.records import ApiKeys, Role

RECHECK_SECONDS = 2.0
"""How often the key of a connection that lasts is looked up again."""
_ONCE = ("host", "origin", "authorization", "idempotency-key")
"""Of two values one program may read the first, and another one the last."""
_METHODS = "GET, POST, PATCH, DELETE"
_SENT = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-ID"
_READ = "X-Request-ID, Retry-After, Idempotent-Replayed, Location, Content-Disposition"
_HOST = re.compile(r"(\[[0-9a-f:.%]+\]|[^:\s]+)(?::\d{1,5})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Access:
    """What one caller may do."""

    role: Role
    owner: str
    """Whose requests these are: the id of the key, or the address of a caller without one."""
    key: str = ""
    """Name of the key; empty for a caller without one."""


def needs(role: Role) -> Any:
    """A dependency that lets only callers with this role through, and gives their Access."""

    async def check(request: HTTPConnection) -> Access:
        return permit(request.state.access, role)

    return Depends(check)


READS, CURATES = [needs(Role.READ)], [needs(Role.CURATE)]
"""Of routes that do not ask who calls."""
Reads = Annotated[Access, needs(Role.READ)]
Verifies = Annotated[Access, needs(Role.VERIFY)]
Curates = Annotated[Access, needs(Role.CURATE)]


def permit(access: Access | Problem, role: Role, what: str = "this") -> Access:
    """The access, where it allows ``what`` the role does; raises Problem."""
    if isinstance(access, Problem):
        raise access
    if access.role.allows(role):
        return access
    has = f"The key has the role {access.role.value}" if access.key else "Without a key you can read and check"
    remedy = f"Send a key with the role {role.value}: `python -m ghost keys add --role {role.value} NAME` makes one."
    if not access.key:
        remedy += " Or, on this machine, send the token that `python -m ghost keys token` prints."
    raise Problem("wrong_role", f"{has}; {what} needs the role {role.value}.", remedy=remedy)


async def look_up(keys: ApiKeys | None, text: str) -> Access:
    """What the key with this text allows. ``keys`` is None as long as the store is not open. Raises Problem."""
    if keys is None:
        raise Problem("opening", retry_after=2)
    try:
        key = await anyio.to_thread.run_sync(keys.find, text)
    except KeyRefused as refusal:
        raise Problem(f"key_{refusal.reason}") from refusal
    return Access(key.role, key.id, key.name)


def key_of(headers: Headers) -> str:
    """The text of the key that was sent; empty where there is none."""
    return headers.get("authorization", "").partition(" ")[2].strip()


async def refused(keys: ApiKeys, text: Callable[[], str]) -> Problem:
    """Return as soon as the key is accepted no longer, and say why. ``text`` gives it; empty while there is none."""
    while True:
        await anyio.sleep(RECHECK_SECONDS)
        try:
            if key := text():
                await look_up(keys, key)
        except Problem as refusal:
            return refusal
        except GhostError:
            continue  # a store that is busy says nothing about the key


class Gate:
    """Middleware that checks every request and WebSocket before anything else looks at it.

    It leaves what it found as ``state.access``: an Access, or the Problem to raise where one is needed.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, rates: Rates, keyless: bool, keys: Callable[[], ApiKeys | None]
    ) -> None:
        """``keyless``: callers from this machine need no key. ``keys`` gives None as long as the store is not open."""
        self._app, self._rates, self._keyless, self._keys = app, rates, keyless, keys
        self._hosts = frozenset(name.lower() for name in allowed_hosts(settings.api_host, settings.host_names))
        self._origins = frozenset(settings.api_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, state = Headers(scope=scope), scope["state"]
        try:
            if any(len(headers.getlist(name)) > 1 for name in _ONCE):
                raise Problem("invalid_request", f"One of the headers {', '.join(_ONCE)} comes twice.")
            host = self._host(headers)
            access = await self._access(scope, headers, host)
            preflight = scope.get("method") == "OPTIONS" and "access-control-request-method" in headers
            if origin := self._origin(scope, headers):
                send = _with_cors(send, origin)
            if preflight:
                await _preflight(headers)(scope, receive, send)
                return
            self._rates.take(access.owner if isinstance(access, Access) else address_of(scope))
        except Problem as problem:
            await problem.response(state["request_id"])(scope, receive, send)
            return
        state["access"] = access
        await self._app(scope, receive, send)

    def _host(self, headers: Headers) -> str:
        """The name that the server was addressed by, in lower case; raises Problem for one that is not ours."""
        found = _HOST.fullmatch(headers.get("host", ""))
        name = found[1].strip("[]").lower() if found else ""
        if name not in self._hosts:
            raise Problem("wrong_host")
        return name

    async def _access(self, scope: Scope, headers: Headers, host: str) -> Access | Problem:
        sent = headers.get("authorization")
        if sent is None:
            if not (self._keyless and is_loopback(host)) or through_proxy(headers):
                return Problem("key_needed")
            if from_other_page(headers, self._origins):
                return Problem("wrong_origin", "A website or a browser extension sent this without a key.")
            # A proxy need not say that it is one, so whoever sends no key may be anybody: nothing is theirs to change.
            return Access(Role.VERIFY, address_of(scope))
        scheme, _, text = sent.partition(" ")
        if scheme.lower() != "bearer" or not text.strip():
            return Problem("key_needed", "The header Authorization must be `Bearer KEY`.")
        try:
            return await look_up(self._keys(), text.strip())
        except Problem as refusal:
            return refusal

    def _origin(self, scope: Scope, headers: Headers) -> str:
        """The origin whose scripts may read the answer; empty where no script asks. Raises Problem.

        Extensions may read why they are refused: what needs a role needs a key of them.
        """
        origin = headers.get("origin")
        if origin is None:
            return ""
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        own = origin in self._origins or origin == f"{scheme}://{headers.get('host')}"
        if own or origin.startswith(EXTENSION_SCHEMES):
            return origin
        raise Problem("wrong_origin")


def address_of(scope: Scope) -> str:
    """Whose requests those without a key are."""
    return str(scope["client"][0]) if scope.get("client") else "local"


def _with_cors(send: Send, origin: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            headers["Access-Control-Allow-Origin"] = origin
            headers["Access-Control-Expose-Headers"] = _READ
        await send(message)

    return sending


def _preflight(headers: Headers) -> Response:
    """The answer to a browser that asks whether a script may send its request."""
    allowed: Mapping[str, str] = {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _SENT,
        "Access-Control-Max-Age": "600",
    }
    if headers.get("access-control-request-private-network") == "true":
        allowed = {**allowed, "Access-Control-Allow-Private-Network": "true"}
    return Response(status_code=204, headers=allowed)
