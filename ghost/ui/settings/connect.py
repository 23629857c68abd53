"""Section Connect: what brings a selection here from any page, and how to start what other programs use."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import streamlit as st

from config import HOME, INSTALLED, PROJECT, Settings
from ghost.jobs import Tasks
from ghost.listening import address
from ghost.records import PAIRING_MINUTES
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import plain

COMMAND = "ghost" if INSTALLED else "python -m ghost"
SELECTION_CHARS = 2_000
"""More does not fit into an address that every browser and server takes."""


def section(workbench: Workbench, _tasks: Tasks) -> None:
    """What to type and what to copy."""
    s = workbench.settings
    with _group("Bookmark"):
        st.markdown(
            "Takes the text you selected on any page, and the address of that page, to the form of **Verify**. Nothing "
            "is checked until you press the button there. Make a new bookmark and paste this as its address:"
        )
        _copied(bookmarklet(_here() or address(s.host, s.port)))
    with _group("HTTP API"):
        st.markdown("This starts the page and the API together. The command line and MCP then work beside them:")
        _copied(f"{COMMAND} up")
        st.markdown(f"The API is at {plain(address(s.api_host, s.api_port))}. Programs on this machine can read and "
                    "check. From others they need a key; to change anything, one with the role *curate*:")  # fmt: skip
        _copied(f"{COMMAND} keys add NAME --role verify")
    with _group("Browser extension"):
        st.markdown(
            "Shows the verdict over the page itself. It needs the HTTP API. In Chromium, open `chrome://extensions`, "
            "turn on *Developer mode*, choose *Load unpacked* and pick this folder:"
        )
        _copied(str(PROJECT / "extension"))
        st.markdown("Then enter a code in its popup, which gives it a key of its own:")
        if st.button("Get a pairing code", icon=":material/key:"):
            _copied(workbench.keys.pairing.new_code())
            st.caption(f"It works once, within {PAIRING_MINUTES} minutes.")
    with _group("MCP"):
        st.markdown(
            "Lets an assistant or editor check claims. Add this to its configuration, such as "
            "`claude_desktop_config.json` or `.cursor/mcp.json`:"
        )
        _copied(mcp_configuration(s))


@contextmanager
def _group(title: str) -> Iterator[None]:
    st.header(title, anchor=False)
    with st.container(border=True, gap="small"):
        yield


def _copied(text: str) -> None:
    st.code(text, language=None, wrap_lines=True)


def mcp_configuration(settings: Settings) -> str:
    """What a client of MCP needs in order to start the server on the data of this workbench."""
    variables = {"PYTHONPATH": str(PROJECT)}
    if settings.data_dir != HOME:
        variables["GHOST_DATA_DIR"] = str(settings.data_dir)
    server = {"command": sys.executable, "args": ["-m", "ghost", "mcp"], "env": variables}
    return json.dumps({"mcpServers": {"ghost": server}}, indent=2)


def bookmarklet(page: str) -> str:
    """The address of a bookmark that opens the page with what is selected, in a tab that cannot reach back."""
    claim = f"[...String(getSelection()).trim()].slice(0,{SELECTION_CHARS}).join('')"
    found_at = "(/^https?:/.test(location.href)?'&found_at='+encodeURIComponent(location.href):'')"
    link = f"{json.dumps(page.rstrip('/') + '/?claim=')}+encodeURIComponent({claim})+{found_at}"
    return f"javascript:void(open({link},'_blank','noopener'))"


def _here() -> str:
    """Where the visitor has opened the page; empty when the browser has not named it."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and parts.netloc else ""
