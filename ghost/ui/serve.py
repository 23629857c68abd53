"""Streamlit's server with what its settings cannot say: ``python -m ghost.ui.serve '{"server.port": 8501}'``.

Streamlit takes middleware only as an ASGI application, so this one serves ``app.py``. ``streamlit run app.py`` serves
it without what is below.
"""

import json
import logging
import signal
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from urllib.error import URLError

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import logger as streamlit_logs
from streamlit import net_util

from config import PROJECT, ConfigError, load_settings
from ghost.logs import logging_to_stderr

FRAMING = {"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY"}
"""No website may show the page inside its own, where a visitor could be led to press a button unseen."""
START_SECONDS = 60.0


class OwnPageOnly:
    """Adds these headers to every answer, and refuses a WebSocket to pages that are not from this very host and port.

    Streamlit takes one from any port of this machine.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(FRAMING)
            await send(message)

        if scope["type"] == "websocket":
            headers = Headers(scope=scope)
            if "origin" in headers and headers["origin"].partition("://")[2] != headers.get("host"):
                await send({"type": "websocket.close", "code": 1008})
                return
        await self._app(scope, receive, answer)


def keep_address_private() -> None:
    """Keep Streamlit from asking a server outside for the public address of this machine.

    Before it refuses a WebSocket from another website, it asks checkip.amazonaws.com, to see whether that website is
    the machine itself. Any page in the browser could cause that. A page that is opened under its public address is
    named in GHOST_HOST_NAMES.
    """
    net_util.get_external_ip = lambda: None


def open_browser(address: str) -> None:
    """Open the page once it answers; nothing when it does not start."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    webbrowser.open(address)
                    return
        except (URLError, OSError):
            time.sleep(0.2)


def main(options: dict[str, object]) -> None:
    """Serve ``app.py`` with these options of Streamlit, and ``browser``: the address to open, or an empty text."""
    from streamlit.starlette import App

    keep_address_private()
    if address := str(options.pop("browser", "")):
        threading.Thread(target=open_browser, args=(address,), name="browser", daemon=True).start()
    app = PROJECT / "app.py"
    sys.argv[:] = [str(app)]  # Streamlit puts the folder of the program on the path, and must not put this one there
    hurry = threading.Event()
    with _asked_to_end(hurry), _logging():
        App(app, middleware=[Middleware(OwnPageOnly)]).run(config=options)
        if pages := sys.modules.get("ghost.ui.shared.resources"):  # else no page was opened
            pages.end(hurry)


def _logging() -> AbstractContextManager[object]:
    """The log as JSON where the settings ask for it. What is wrong with them is shown on the page."""
    try:
        as_json = load_settings().log_format == "json"
    except ConfigError:
        as_json = False
    if not as_json:
        return nullcontext()  # Streamlit writes its own

    def hand_on(logger: logging.Logger) -> None:
        if handler := getattr(logger, "streamlit_console_handler", None):
            logger.removeHandler(handler)
        logger.propagate = True

    streamlit_logs.setup_formatter = hand_on
    streamlit_logs.update_formatter()
    uvicorn.config.LOGGING_CONFIG["loggers"] = {}  # with which Streamlit has it write lines of its own
    return logging_to_stderr(as_json=True, info=("ghost.telemetry",))


@contextmanager
def _asked_to_end(hurry: threading.Event) -> Iterator[None]:
    """Within this, a request to end does not end the process in the middle of what it does.

    The server takes the first one, stops, and passes it on to this. One after that means that nobody wants to wait.
    """
    asked: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1:
            hurry.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
