"""``python -m ghost page`` and ``demo``: the workbench in the browser, on real data or on a small made-up web."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from config import HOME, PROJECT, Settings, load_settings
from ghost.cli.terminal import say
from ghost.demo_web import DemoWeb, claims_to_try, environment, values
from ghost.errors import GhostError
from ghost.listening import address, allowed_hosts, ensure_free, is_loopback

PORT = 8502
"""Of the demo's page: beside the port of the page on real data."""


def page(_: Namespace) -> int:
    """Serve the page until somebody ends it. Where the system can, the server takes the place of this process."""
    settings = load_settings()
    ensure_free("The page", settings.host, settings.port, "GHOST_PORT or GHOST_HOST")
    if not is_loopback(settings.host):
        say(f"Anyone who can reach {settings.host}:{settings.port} can use the workbench: it has no login.")
    sys.stdout.flush()
    command = page_command(settings, opens_browser(settings))
    # Elsewhere execv would end this process, and the shell would take the terminal back.
    environment = settled_environment(settings)
    return _become(command, environment) if os.name == "posix" else _serve(command, environment)


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
    return address(settings.host, settings.port)


def opens_browser(settings: Settings, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to open a browser: somebody sits at a terminal of this machine, and has not switched it off."""
    screen = sys.platform in ("darwin", "win32") or any(environment.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY"))
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    return settings.open_browser and screen and at_terminal and not environment.get("CI")


def demo(args: Namespace) -> int:
    """Serve the demo web, and the page on it until somebody ends it; 0 then, 1 when the page ended by itself."""
    mine = load_settings()
    port = args.port or (mine.port if "port" in mine.model_fields_set else PORT)
    with _web(args.web_port) as web, _folder(args.folder) as folder:
        say(f"The demo web: {web.url} (a list of its pages, and its search engine)")
        if args.web_only:
            with asked_to_end(), suppress(KeyboardInterrupt):
                while True:
                    time.sleep(3600)
            return 0
        os.environ.update(environment(values(web, folder)) | {"GHOST_PORT": str(port)})
        settings = load_settings()
        ensure_free("The page", settings.host, settings.port, "GHOST_PORT or GHOST_HOST")
        say(f"The workbench: {page_address(settings)}, with its own data in {folder}. Ctrl-C ends both.")
        say("Claims to try:")
        for claim in claims_to_try():
            say(f"  {claim.claim}")
        return _serve(page_command(settings, opens_browser(settings)), settled_environment(settings))


def _become(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    os.chdir(PROJECT)  # Streamlit reads its theme from .streamlit/ in the current folder
    os.execve(command[0], command, environment)


def settled_environment(settings: Settings) -> dict[str, str]:
    """For a process that runs in another folder: what was named from this one is the same there."""
    settled = {"GHOST_DATA_DIR": str(settings.data_dir)} if settings.data_dir != HOME else {}
    if Path(settings.stance_model).is_absolute():
        settled["GHOST_STANCE_MODEL"] = settings.stance_model
    return os.environ | settled


def _serve(command: list[str], environment: Mapping[str, str]) -> int:
    """Run the page until it ends; the demo web lives in this process and must outlive it."""
    with asked_to_end(), subprocess.Popen(command, cwd=PROJECT, env=environment) as page:
        try:
            return 1 if page.wait() else 0
        except KeyboardInterrupt:  # Ctrl-C reaches the page too, other ways to end this process do not
            page.terminate()
            page.wait()
            return 0


@contextmanager
def asked_to_end() -> Iterator[None]:
    """Within this, a request to end counts as Ctrl-C, so that no process of ours outlives this one."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _web(port: int) -> Iterator[DemoWeb]:
    web = DemoWeb(port)
    try:
        web.start()
    except OSError as error:
        raise GhostError(
            f"The demo web cannot listen on port {port} ({error.strerror or error}). Choose another with --web-port."
        ) from error
    try:
        yield web
    finally:
        web.stop()


@contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    """The demo's own data: a folder that was named, else one that is removed at the end."""
    if chosen is None:
        with tempfile.TemporaryDirectory(prefix="ghost-demo-", ignore_cleanup_errors=True) as temporary:
            yield Path(temporary)
        return
    folder = chosen.expanduser().resolve()
    if folder == PROJECT or folder == load_settings().data_dir:
        raise GhostError("The demo must not write into your own data. Choose another folder with --folder.")
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
