"""``python -m ghost serve``: listens first, opens the workbench meanwhile, and ends in good order."""

import logging
import signal
import socket
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

import anyio
import uvicorn

from config import Settings, load_settings
from ghost.api.app import create_app
from ghost.api.limits import BODY_BYTES
from ghost.api.service import Opening, Service
from ghost.connections import Connection
from ghost.errors import GhostError
from ghost.listening import address, ensure_free, is_loopback
from ghost.logs import logging_to_stderr
from ghost.records import ApiKeys, Database

log = logging.getLogger(__name__)
END_SECONDS = 3
"""So long answers may still take once the server is to end and its runs are stopped."""
KEPT_SECONDS = 30
"""So long a connection without a request is kept."""
TAKEN_SECONDS = 60.0
"""So long the system tries to send what the other side does not take."""
SWITCH_SECONDS = 0.0005
PLACE = "GHOST_API_PORT or GHOST_API_HOST, or --port or --host"


def serve(args: Namespace) -> int:
    """Serve the API until somebody ends it; 0 then. Raises GhostError when it cannot listen, or cannot be opened."""
    settings = load_settings()
    chosen = {"api_host": args.host, "api_port": args.port}
    settings = settings.model_copy(update={name: value for name, value in chosen.items() if value is not None})
    _ensure_keys(settings)
    ensure_free("The API", settings.api_host, settings.api_port, PLACE)
    with _listening(settings) as listener, _logging(settings):
        run(settings, listener)
    return 0


def run(settings: Settings, listener: socket.socket) -> None:
    """Serve on a socket that listens until the process is asked to end. Raises what opening the workbench raised."""
    opening = Opening()
    server = Server(settings, opening)
    # The loop has little to do at a time, but often; by default each time it may wait 5 ms for every busy thread.
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.Thread(target=_open, args=(settings, opening, server), name="ghost-opening", daemon=True).start()
    with _asked_to_end(server):
        server.run([listener])
    if service := opening.close():
        service.workbench.close()
    if opening.failed:
        raise opening.failed


def _ensure_keys(settings: Settings) -> None:
    """Raise GhostError where others could reach the API and nobody has a key for it."""
    if is_loopback(settings.api_host):
        return
    if settings.database_path.is_file():
        with Database.reading(settings.database_place) as database:
            if ApiKeys(database).any_active():
                return
    raise GhostError(
        f"The API does not listen on {settings.api_host} without a key: anyone who can reach this machine could use "
        "it. Make a key with `python -m ghost keys add NAME --role verify`, or listen on 127.0.0.1."
    )


@contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """A socket that listens where the settings say, so that no second server can take the place."""
    host, port = settings.api_host, settings.api_port
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise GhostError(f"The API cannot listen on {host}:{port} ({error.strerror or error}).") from error
    with listener:
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Connections inherit it: one whose other side takes nothing ends, also after we have left it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * TAKEN_SECONDS))
        yield listener


class Server(uvicorn.Server):
    """A server that ends what runs before it waits for its connections: a stream ends when its run does."""

    def __init__(self, settings: Settings, opening: Opening) -> None:
        """``opening`` gives the service as soon as it is open."""
        self._opening = opening
        super().__init__(
            uvicorn.Config(
                create_app(settings, opening),
                http=Connection,
                log_config=None,
                access_log=False,
                lifespan="off",
                proxy_headers=False,
                server_header=False,
                ws_max_size=BODY_BYTES,
                ws_per_message_deflate=False,
                timeout_keep_alive=KEPT_SECONDS,
                timeout_graceful_shutdown=END_SECONDS,
            )
        )

    def end(self) -> None:
        """Ask the server to end; asked again, it waits no longer for what runs."""
        if self.should_exit and (service := self._opening.service):
            service.hurry.set()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if service := self._opening.service:
            await anyio.to_thread.run_sync(service.finish)
        if service := self._opening.close():
            await anyio.to_thread.run_sync(service.close)
        await super().shutdown(sockets)


def _open(settings: Settings, opening: Opening, server: Server) -> None:
    """Open the workbench. The server ends when that fails."""
    try:
        from ghost.workbench import build  # large; the server answers meanwhile

        workbench = build(settings, progress=opening.progress)
        workbench.get_ready()
        if settings.api_require_key and not workbench.keys.any_active():
            log.warning("Nobody has a key yet: `python -m ghost keys add NAME --role verify` makes one.")
        opening.done(Service.of(workbench))
        log.info("Ready at %s", address(settings.api_host, settings.api_port))
    except Exception as error:
        if not opening.closing:  # else it was stopped, which is no failure
            opening.fail(error)
            server.should_exit = True


@contextmanager
def _asked_to_end(server: Server) -> Iterator[None]:
    """Within this, a request to end stops the server, which otherwise lets the process die of it at its end."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        server.end()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _logging(settings: Settings) -> AbstractContextManager[None]:
    """The log, with claims only if the settings say so."""
    as_json = settings.log_format == "json"
    loggers = ("ghost.api", "ghost.telemetry") if as_json else ("ghost.api",)
    return logging_to_stderr(as_json, with_claims=settings.api_log_claims, info=loggers)
