"""``python -m ghost page``: the workbench in the browser, on the address that the settings name."""

import os
import socket
import sys
from pathlib import Path

from config import PROJECT, Settings, load_settings
from ghost.cli.hosts import allowed_hosts, is_loopback
from ghost.cli.terminal import say
from ghost.errors import GhostError


def page() -> int:
    """Become Streamlit serving ``app.py``; returns only when that cannot be started."""
    settings = load_settings()
    ensure_free(settings.host, settings.port)
    if not is_loopback(settings.host):
        say(f"Anyone who can reach {settings.host}:{settings.port} can use the workbench: it has no login.")
    sys.stdout.flush()
    os.chdir(PROJECT)  # Streamlit reads its theme from .streamlit/ in the current folder
    command = streamlit_command(settings, PROJECT / "app.py", headless=sys.stdin is None or not sys.stdin.isatty())
    os.execv(command[0], command)


def streamlit_command(settings: Settings, app: Path, headless: bool) -> list[str]:
    """The command line that serves ``app``; ``headless`` opens no browser window."""
    options = {
        "server.address": settings.host,
        "server.port": str(settings.port),
        "server.showEmailPrompt": "false",
        "browser.gatherUsageStats": "false",
    }
    if headless:  # otherwise Streamlit itself finds out whether there is a screen
        options["server.headless"] = "true"
    flags = [f"--{name}={value}" for name, value in options.items()]
    flags += [f"--server.allowedHosts={name}" for name in allowed_hosts(settings.host, settings.host_names)]
    return [sys.executable, "-m", "ghost.ui.serve", "run", str(app), *flags]


def ensure_free(host: str, port: int) -> None:
    """Raise GhostError when nobody can listen there: Streamlit's own message does not say what to do."""
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
