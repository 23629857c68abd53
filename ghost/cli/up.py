"""``python -m ghost up``: a Chroma server, the HTTP API and the page over one data folder, all at once.

Over a shared database a worker is started too, as the others do no work of their own there.
"""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import IO, Any

from config import PROJECT, Settings, load_settings
from ghost.cli.page import asked_to_end, opens_browser, page_address, page_command, settled_environment
from ghost.cli.terminal import say
from ghost.errors import GhostError
from ghost.listening import address, ensure_free, is_loopback
from ghost.text import login_header, without_secrets

STOP_SECONDS = 8.0
"""So long a part may take to end, besides the grace period of what it runs."""
SLACK_SECONDS = 3.0
"""The tether ends a part before we do; this is for one that does not even listen."""
CHROMA_SECONDS = 60.0
POLL_SECONDS = 0.1


@dataclass(slots=True)
class Part:
    """One of the processes; it ends when ours does, however that ends."""

    name: str
    process: "subprocess.Popen[bytes]"
    output: IO[bytes] | None
    """Where its output goes, to be shown when it fails; None when it goes where ours does."""
    seconds: float
    """So long it may take to end."""
    begun: int = 0
    """Bytes of its output when it was ready; what it says at its start explains no end."""


def up(_: Namespace) -> int:
    """Serve until somebody ends it; 0 then, 1 when a part ended by itself. Raises GhostError when one cannot start."""
    from ghost.knowledge import OwnerLock

    settings = load_settings()
    ensure_free("The page", settings.host, settings.port, "GHOST_PORT or GHOST_HOST")
    ensure_free("The API", settings.api_host, settings.api_port, "GHOST_API_PORT or GHOST_API_HOST")
    if not is_loopback(settings.host):
        say(f"Anyone who can reach {settings.host}:{settings.port} can use the workbench: it has no login.")
    # Where both servers are elsewhere nothing in the data folder is ours alone.
    shared = bool(settings.database_url and settings.chroma_url)
    try:
        with (
            asked_to_end(),
            nullcontext() if shared else OwnerLock(settings.database_path.parent, settings.chroma_path) as lock,
            tempfile.TemporaryFile() as log,
            running_parts() as parts,
        ):
            say("Starting. The first time this takes about a minute.")
            if not settings.chroma_url:
                url = start_chroma(parts, settings, log)
                if lock:
                    lock.announce(url)
                settings = settings.model_copy(update={"chroma_url": url})
            _api(parts, settings)
            if settings.database_url:  # page and API only put work into the queue of the shared database
                _start(parts, "The worker", ["ghost", "worker"], settings)
            _page(parts, settings)
            say(f"The workbench: {page_address(settings)}")
            say(f"The API: {address(settings.api_host, settings.api_port)}")
            say("Ctrl-C stops everything.")
            while True:
                _check(parts)
                time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        return 0


def start_chroma(parts: list[Part], settings: Settings, log: IO[bytes]) -> str:
    """Start Chroma's server over the folder of the index, and return its address, with a login, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://ghost:{secrets.token_urlsafe(32)}@127.0.0.1:{port}"
    words = ["ghost.cli.chroma_gate", str(settings.chroma_path), str(port)]
    settings.chroma_path.mkdir(parents=True, exist_ok=True)
    part = _start(
        parts, "Chroma's server", words, settings, log, runs=False, CHROMA_LOGIN=login_header(url)["Authorization"]
    )
    try:
        _wait(parts, part, lambda: _answer(f"{url}/api/v2/heartbeat")[0] == 200, CHROMA_SECONDS)
        part.begun = os.fstat(log.fileno()).st_size
    except GhostError as error:
        remedy = "If the index is damaged, `python -m ghost kb stats` builds it again."
        raise GhostError(f"{error}\n{remedy}") from error
    return url


def _api(parts: list[Part], settings: Settings) -> None:
    """Start the API and wait until the knowledge base is open; the first time it is filled, which takes a while."""
    part = _start(parts, "The API", ["ghost", "serve"], settings)
    url = f"{address(settings.api_host, settings.api_port)}/api/health"

    def opened() -> bool:
        # Also when it cannot use its stores: the page is started then, and says what is wrong.
        status, body = _answer(url)
        return status == 200 or b'"unhealthy"' in body

    _wait(parts, part, opened)


def _page(parts: list[Part], settings: Settings) -> None:
    _, _, *words = page_command(settings, opens_browser(settings))
    part = _start(parts, "The page", words, settings)
    _wait(parts, part, lambda: _answer(f"{page_address(settings)}/_stcore/health")[0] == 200)


def _start(
    parts: list[Part], name: str, words: list[str], settings: Settings, output: IO[bytes] | None = None,
    runs: bool = True, **more: str,
) -> Part:  # fmt: skip
    """``runs``: whether it runs checks, and takes the grace period to finish them; ``more`` is for its environment."""
    seconds = STOP_SECONDS + (settings.grace_seconds if runs else 0)
    # A group of its own: Ctrl-C reaches only this process, which then ends the parts in their order.
    own_group: dict[str, Any] = (
        {"start_new_session": True}
        if os.name == "posix"
        else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "ghost.cli.tether", str(seconds), *words],
        cwd=PROJECT, env=_environment(settings) | more, stdin=subprocess.PIPE,
        stdout=output, stderr=subprocess.STDOUT if output else None, **own_group,
    )  # fmt: skip
    part = Part(name, process, output, seconds + SLACK_SECONDS)
    parts.append(part)
    return part


def _environment(settings: Settings) -> dict[str, str]:
    # The last two are Chroma's: it reports to nobody, and does not write down each request.
    chroma = {"ANONYMIZED_TELEMETRY": "False", "RUST_LOG": "error"}
    # With records on PostgreSQL nobody looks into the data folder for the server that was started here.
    named = {"GHOST_CHROMA_URL": settings.chroma_url} if settings.database_url and settings.chroma_url else {}
    return settled_environment(settings) | chroma | named


def _wait(parts: list[Part], part: Part, ready: Callable[[], bool], seconds: float = float("inf")) -> None:
    """Until a part is ready; raises GhostError when one ends instead, or when it takes too long."""
    since, pause = time.monotonic(), POLL_SECONDS
    while not ready():
        _check(parts)
        if time.monotonic() - since > seconds:
            raise GhostError(f"{part.name} did not answer within {seconds:g} seconds.{_last_words(part)}")
        time.sleep(pause)
        pause = min(1.0, pause * 1.2)  # the first start takes a minute


def _check(parts: list[Part]) -> None:
    """Raise GhostError when a part has ended by itself: without it the others are of little use."""
    for part in parts:
        if (code := part.process.poll()) is not None:
            raise GhostError(f"{part.name} ended by itself (exit code {code}). All was stopped.{_last_words(part)}")


def _last_words(part: Part) -> str:
    if part.output is None:
        return ""
    part.output.seek(part.begun)
    lines = part.output.read()[-2000:].decode("utf-8", "replace").strip().splitlines()[-5:]
    return "".join(f"\n  {line}" for line in lines)


def _answer(url: str) -> tuple[int, bytes]:
    """Status and body; 0 and nothing when nobody answers."""
    # Without proxies: the address is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    asked = urllib.request.Request(without_secrets(url), headers=login_header(url))
    try:
        with opener.open(asked, timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
    except (OSError, HTTPException):
        return 0, b""


@contextmanager
def running_parts() -> Iterator[list[Part]]:
    """The processes that are started within this; on leaving they are ended, the one that the others need at last."""
    parts: list[Part] = []
    try:
        yield parts
    finally:
        for part in parts[1:]:
            _ask_to_end(part)  # all at once: each may take its grace period
        for part in [*parts[1:], *parts[:1]]:
            _end(part)


def _ask_to_end(part: Part) -> None:
    assert part.process.stdin
    with suppress(OSError):
        part.process.stdin.close()


def _end(part: Part) -> None:
    _ask_to_end(part)
    try:
        part.process.wait(part.seconds)
    except subprocess.TimeoutExpired:
        part.process.kill()
        part.process.wait()
