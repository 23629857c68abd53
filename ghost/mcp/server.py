"""The server itself, and the two ways in which it is reached."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError
from starlette.types import ASGIApp

from ghost import __version__
from ghost.connections import Connection
from ghost.errors import GhostError
from ghost.listening import address, ensure_free
from ghost.mcp.access import KeyGate, Listening
from ghost.mcp.failures import invalid
from ghost.mcp.resources import Resources
from ghost.mcp.results import NOTICE
from ghost.mcp.service import Service
from ghost.mcp.tools import Tools

if TYPE_CHECKING:
    from ghost.jobs import Report
    from ghost.records import ApiKeys
    from ghost.workbench import Workbench

PATH = "/mcp"
BODY_BYTES = 1_000_000
END_SECONDS = 3
INSTRUCTIONS = f"""Ghost checks claims against evidence: a knowledge base on this machine, and the web where its \
settings allow it. Use verify_claim for one claim, ask for a question, search_evidence to look for passages without \
checking anything, get_run to look at a check again.

Report a label as it is, with its confidence and its citations. “Not Enough Evidence” and a failed call say nothing \
about whether a claim is true. Where analyst_label is set, a person decided otherwise, and that counts. Name a source \
as cited_as names it: a note is a sentence someone wrote, with a page to check, whose publisher did not say it.

{NOTICE}"""


class _Server(MCPServer[Any]):
    """Refuses arguments that no tool has, and says in plain words what is wrong with the others."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tool = self._tool_manager.get_tool(name)
        known = list(tool.parameters["properties"]) if tool else []
        if tool and (unknown := sorted(arguments.keys() - set(known))):
            raise ToolError(f"{name} was not called: it takes {', '.join(known)}; not {_shown(unknown)}.")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(invalid(name, error.__cause__)) from None
            raise


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(repr(name[:40]) for name in names[:5]) + more


def make_server(service: Service) -> MCPServer[Any]:
    """A server with all tools and resources; nothing is opened before the first call."""
    server = _Server(
        "ghost", title="Ghost", description="Checks claims against evidence.", instructions=INSTRUCTIONS,
        version=__version__, log_level="WARNING",
    )  # fmt: skip
    Tools(service).add_to(server)
    Resources(service).add_to(server)
    return server


def serve_stdio(open_workbench: "Callable[[Report], Workbench]") -> None:
    """Serve the client at the other end of standard input and output until it closes them."""
    with closing(Service(open_workbench)) as service, _ended_by_signal(service):
        anyio.run(make_server(service).run_stdio_async)


def http_app(service: Service, listening: Listening, keys: "ApiKeys") -> ASGIApp:
    """The server as an ASGI application, with everything that guards it."""
    app = make_server(service).streamable_http_app(
        streamable_http_path=PATH, max_request_body_size=BODY_BYTES, transport_security=listening.security,
        host=listening.host,
    )  # fmt: skip
    return KeyGate(app, keys, listening)


def serve_http(open_workbench: "Callable[[Report], Workbench]", listening: Listening, keys: "ApiKeys") -> None:
    """Serve over HTTP until the process is asked to end; the address goes to standard error.

    Raises GhostError when it cannot listen there, or others could reach it and there is no key.
    """
    if listening.key_needed and not keys.any_active():
        raise GhostError(
            f"The MCP server does not listen on {listening.host}: every request there needs a key, and there is none. "
            "Make one first: `python -m ghost keys add NAME --role verify`."
        )
    ensure_free("The MCP server", listening.host, listening.port, "--port or --host")
    with closing(Service(open_workbench)) as service:
        config = uvicorn.Config(
            http_app(service, listening, keys), listening.host, listening.port, http=Connection, ws="none",
            log_level="warning", access_log=False, server_header=False, proxy_headers=False,
            timeout_graceful_shutdown=END_SECONDS,
        )  # fmt: skip
        _end_as_by_ctrl_c()
        place = f"{address(listening.host, listening.port)}{PATH}"
        print(f"ghost mcp: listening at {place}. Ctrl-C ends it.", file=sys.stderr, flush=True)
        _HttpServer(config, service).run()


class _HttpServer(uvicorn.Server):
    """A server that finishes what runs before it lets go of its connections."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await anyio.to_thread.run_sync(self._service.finish)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            self._service.hurry.set()
        super().handle_exit(sig, frame)


@contextmanager
def _ended_by_signal(service: Service) -> Iterator[None]:
    """Within this, a request to end finishes what runs, and then ends the process.

    The thread that reads standard input cannot be woken, so the process does not wait for it.
    """
    asked: list[threading.Thread] = []

    def work() -> None:
        service.finish()
        service.close()
        os._exit(0)

    def end(_signal: int, _frame: FrameType | None) -> None:
        if asked:
            service.hurry.set()
            return
        asked.append(threading.Thread(target=work, name="ending", daemon=True))
        asked[0].start()

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end_as_by_ctrl_c() -> None:
    """Let a request to end stop what runs first: uvicorn would let the process die of it once it has shut down."""

    def end(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
