"""Who may call over HTTP: the key of each request and its role. Over standard input and output all is allowed."""

from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ghost.errors import KeyRefused, StoreError
from ghost.listening import allowed_hosts, from_other_page, is_loopback, through_proxy
from ghost.mcp.failures import told
from ghost.records import ApiKeys, Role

_ROLE = "ghost.role"


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the server is reached over HTTP, and by whom."""

    host: str
    port: int
    host_names: tuple[str, ...] = ()
    """Further names that it answers to."""
    origins: tuple[str, ...] = ()
    """Websites whose scripts may call it."""
    require_key: bool = False
    """Whether callers from this machine need a key too."""

    @property
    def key_needed(self) -> bool:
        """Whether a request without a key is refused."""
        return self.require_key or not is_loopback(self.host)

    @property
    def security(self) -> TransportSecuritySettings:
        """The Host and Origin headers that are let through."""
        names = [f"[{name}]" if ":" in name else name for name in allowed_hosts(self.host, self.host_names)]
        return TransportSecuritySettings(
            allowed_hosts=[host for name in names for host in (name, f"{name}:*")],
            allowed_origins=[*(f"http://{name}:{self.port}" for name in names), *self.origins],
        )


class KeyGate:
    """Middleware that asks every request for a key, or, where none is needed, refuses one that is not accepted."""

    def __init__(self, app: ASGIApp, keys: ApiKeys, listening: Listening) -> None:
        """What is sent to further names of the server does not come from this machine."""
        self._app, self._keys, self._listening = app, keys, listening
        self._names = tuple(name.lower() for name in listening.host_names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            scope[_ROLE] = await self._role(Headers(scope=scope))
        except KeyRefused as refusal:
            answer = JSONResponse({"error": str(refusal)}, 401, {"WWW-Authenticate": "Bearer"})
            await answer(scope, receive, send)
        except StoreError as error:
            await JSONResponse({"error": told(error)}, 503, {"Retry-After": "5"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _role(self, headers: Headers) -> Role:
        sent = headers.get("authorization")
        if sent is None:
            elsewhere = through_proxy(headers) or from_other_page(headers, self._listening.origins)
            if self._listening.key_needed or elsewhere or self._addressed(headers.get("host", "")):
                raise KeyRefused("missing", "A key is needed: send the header `Authorization: Bearer KEY`.")
            return Role.VERIFY
        scheme, _, text = sent.partition(" ")
        if scheme.lower() != "bearer":
            raise KeyRefused("missing", "The header Authorization must be `Bearer KEY`.")
        return (await anyio.to_thread.run_sync(self._keys.find, text.strip())).role

    def _addressed(self, host: str) -> bool:
        return any(host.lower() in (name, f"{name}:{host.rpartition(':')[2]}") for name in self._names)


def ensure_allowed(context: Context[Any, Any], needed: Role) -> None:
    """Raise ResourceError when the key of the request does not allow what this role does."""
    request = context.request_context.request
    if request is None:  # standard input and output: whoever started this process may do everything
        return
    role = request.scope.get(_ROLE)
    if not isinstance(role, Role) or not role.allows(needed):
        raise ResourceError(
            f"The key does not allow this: it needs the role {needed.value}. Make one with `python -m ghost keys add "
            f"NAME --role {needed.value}`."
        )
