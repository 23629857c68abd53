"""``python -m ghost page`` and ``demo``: the workbench in the browser, on real data or on a small made-up web."""

import ipaddress
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from config import PROJECT, Settings, load_settings
from ghost.cli.terminal import say
from ghost.demo_web import DemoWeb, demo_claims, environment, values
from ghost.errors import GhostError

TO_TRY = ("bridge-sabotage", "mayor-dallow-now", "kelp-memory", "burglaries-doubled", "tunnel-toll")
"""A fact-check beside a PDF, a superseded fact, a retraction, a number that misleads, a rumour."""


def page(_: Namespace) -> int:
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


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allowed_hosts(host: str, further: tuple[str, ...]) -> list[str]:
    """The names under which a page that listens on ``host`` may be opened; ``further`` are those of the settings.

    A website whose name is pointed at this machine after it was loaded (DNS rebinding) speaks to the page as if it came
    from there, and there is no login. The browser still says which name it was given, in the Host header, so only names
    of this machine are accepted: where others can reach the page, also its name and its address in the network.
    """
    names = ["localhost", "127.0.0.1", "::1", host.partition("%")[0], *further]
    if not is_loopback(host):
        own = socket.gethostname().lower()
        names += [own, f"{own}.local", *_own_addresses()]
    return list(dict.fromkeys(name for name in names if name))


def _own_addresses() -> list[str]:
    """The addresses that this machine would use towards the network; nothing is sent to find out."""
    found: list[str] = []
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def demo(args: Namespace) -> int:
    """Serve the demo web, and the page on it until somebody ends it; 0 then, 1 when the page ended by itself."""
    with _web(args.web_port) as web, _folder(args.folder) as folder:
        say(f"The demo web: {web.url} (a list of its pages, and its search engine)")
        if args.web_only:
            with _asked_to_end(), suppress(KeyboardInterrupt):
                while True:
                    time.sleep(3600)
            return 0
        os.environ.update(environment(values(web, folder)) | {"GHOST_PORT": str(args.port)})
        settings = load_settings()
        ensure_free(settings.host, settings.port)
        say(f"The workbench: {page_address(settings)}, with its own data in {folder}. Ctrl-C ends both.")
        say("Claims to try:")
        for claim in demo_claims():
            if claim.id in TO_TRY:
                say(f"  {claim.claim}")
        return _serve(page_command(settings, opens_browser(settings)))


def _serve(command: list[str]) -> int:
    """Run the page until it ends; the demo web lives in this process and must outlive it."""
    with _asked_to_end(), subprocess.Popen(command, cwd=PROJECT) as page:
        try:
            return 1 if page.wait() else 0
        except KeyboardInterrupt:  # Ctrl-C reaches the page too, other ways to end this process do not
            page.terminate()
            page.wait()
            return 0


@contextmanager
def _asked_to_end() -> Iterator[None]:
    """Within this, a request to end counts as Ctrl-C, so that the page does not outlive this process."""

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
