"""Somebody who opens the page and verifies a claim in it: Chromium where there is one, else a bare session."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic

from bench.figures import NotMeasured
from bench.machine import installed

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SECONDS = 90.0
"""How long the form may take to appear; the first visit opens the knowledge base."""

Visit = Callable[[str, str], AbstractContextManager[None]]
"""Given ``host:port`` and a claim: the claim has been sent; the session stays open inside the context."""


def visitor() -> tuple[str, Visit]:
    """How the page can be visited here, and what does it."""
    if installed("playwright") and any(map(shutil.which, BROWSERS)):
        return "Chromium", by_browser
    return "a WebSocket session without a browser", by_websocket


@contextmanager
def by_browser(address: str, claim: str) -> Iterator[None]:
    """Type the claim into the form and press the button, in headless Chromium."""
    from playwright.sync_api import Error, sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        # Ctrl-C is ours: it must unwind this, or Chromium would be gone before it is closed.
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, handle_sigint=False)
        try:
            page = browser.new_page()
            page.set_default_timeout(SECONDS * 1000)
            page.goto(f"http://{address}/")
            page.get_by_role("textbox", name="Claim", exact=True).fill(claim)
            page.get_by_role("button", name="Check this claim").click()
        except Error as error:
            browser.close()
            raise NotMeasured(f"the page could not be used in Chromium: {error.message.splitlines()[0]}") from error
        try:
            yield
        finally:
            browser.close()


@contextmanager
def by_websocket(address: str, claim: str) -> Iterator[None]:
    """Do what the page's own script does: open a session, ask for the page, send the form.

    The messages are Streamlit's protocol buffers (BackMsg). Only four fields are needed, so they are written by hand,
    and the names of the two widgets are found in the answers as they are.
    """
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    try:
        connection = connect(
            f"ws://{address}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None, proxy=None
        )
    except (OSError, WebSocketException) as error:
        raise NotMeasured(f"no session could be opened: {error}") from error
    with connection:
        connection.send(rerun())
        names = [_TEXT, _BUTTON]
        found: dict[re.Pattern[bytes], bytes] = {}
        until = monotonic() + SECONDS
        while len(found) < len(names):
            try:
                message = connection.recv(timeout=max(0.0, until - monotonic()))
            except (TimeoutError, WebSocketException) as error:
                raise NotMeasured(f"the session did not show the form within {SECONDS:g} seconds") from error
            data = message if isinstance(message, bytes) else message.encode()
            found |= {name: match.group() for name in names if (match := name.search(data))}
        connection.send(rerun(text=(found[_TEXT], claim.encode()), pressed=found[_BUTTON]))
        yield


CLAIM_KEY, CHECK_KEY = "verify_claim", "verify_check"
"""The keys of the two widgets on the page."""
_TEXT = re.compile(rb"\$\$ID-[0-9a-f]+-" + CLAIM_KEY.encode())
_BUTTON = re.compile(rb"\$\$ID-[0-9a-f]+-" + CHECK_KEY.encode())


def rerun(text: tuple[bytes, bytes] | None = None, pressed: bytes = b"") -> bytes:
    """A BackMsg that asks for the page: with what was typed (widget, text) and the button that was pressed."""
    widgets = b""
    if text:
        widgets += _field(1, _field(1, text[0]) + _field(6, text[1]))  # WidgetState.id, .string_value
    if pressed:
        widgets += _field(1, _field(1, pressed) + b"\x10\x01")  # WidgetState.id, .trigger_value
    return _field(11, _field(2, widgets))  # BackMsg.rerun_script, ClientState.widget_states


def _field(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])
