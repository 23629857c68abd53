"""``python -m ghost page``: the workbench in the browser, on the address that the settings name."""

import json
import os
import socket
import sys
from collections.abc import Mapping

from config import PROJECT, Settings, load_settings
from ghost.cli.hosts import allowed_hosts, is_loopback
from ghost.cli.terminal import say
from ghost.errors import GhostError


def page() -> int:
    """Replace this process by the server of the page; returns only when that cannot be started."""
    settings = load_settings()
    ensure_free(settings.host, settings.port)
    if not is_loopback(settings.host):
        say(f"Anyone who can reach {settings.host}:{settings.port} can use the workbench: it has no login.")
    sys.stdout.flush()
    os.chdir(PROJECT)  # Streamlit reads its theme from .streamlit/ in the current folder
    command = page_command(settings, opens_browser(settings))
    os.execv(command[0], command)


def page_command(settings: Settings, browser: bool = False) -> list[str]:
    """The command line that serves the page, and opens it in a browser once it answers."""
    options = {
        "server.address": settings.host,
        "server.port": settings.port,
        "server.headless": True,
        "server.allowedHosts": allowed_hosts(settings.host, settings.host_names),
        "browser.gatherUsageStats": False,
        "browser": page_address(settings) if browser else "",
    }
    return [sys.executable, "-m", "ghost.ui.serve", json.dumps(options)]


def page_address(settings: Settings) -> str:
    """Where the page can be opened on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def opens_browser(settings: Settings, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to open a browser: somebody sits at a terminal of this machine, and has not switched it off."""
    screen = sys.platform in ("darwin", "win32") or any(environment.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY"))
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    return settings.open_browser and screen and at_terminal and not environment.get("CI")


def ensure_free(host: str, port: int) -> None:
    """Raise GhostError when the address is taken: Streamlit's own message does not say what to do."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise GhostError(
            f"The page cannot listen on {host}:{port} ({error.strerror or error}). If a workbench runs there already, "
            f"open it or end it; otherwise choose another place with GHOST_PORT or GHOST_HOST."
        ) from error
