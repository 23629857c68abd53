"""Section Connect: what brings a selection here from any page, and how to start what other programs use."""

import json
from urllib.parse import urlsplit

import streamlit as st

from config import PROJECT
from ghost.jobs import Tasks
from ghost.listening import address
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import plain

SELECTION_CHARS = 2_000
"""More does not fit into an address that every browser and server takes."""


def section(workbench: Workbench, _tasks: Tasks) -> None:
    """What to type and what to copy."""
    s = workbench.settings
    st.header("From any web page", anchor=False)
    st.markdown(
        "A bookmark that brings the text you have selected to the form of **Verify**, with the address of its page. "
        "Make a bookmark, paste this as its address, and click it on any page. Nothing is checked until you say so."
    )
    st.code(bookmarklet(_here() or address(s.host, s.port)), language=None, wrap_lines=True)
    st.markdown(
        "The browser extension shows the verdict over the page itself. In Chromium, open `chrome://extensions`, switch "
        "on *Developer mode*, choose *Load unpacked* and pick this folder. It needs the HTTP API."
    )
    st.code(str(PROJECT / "extension"), language=None, wrap_lines=True)
    st.header("From other programs", anchor=False)
    st.markdown("Start the page and the HTTP API together. The command line and MCP then work beside them:")
    st.code("python -m ghost up", language=None, wrap_lines=True)
    st.markdown(f"The API is then at {plain(address(s.api_host, s.api_port))}. Programs on other machines need a key:")
    st.code("python -m ghost keys add NAME --role verify", language=None, wrap_lines=True)


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
