"""Which names the page answers to, over a real socket."""

import ipaddress
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from bench.page import free_port, healthy, until
from bench.processes import environment, running
from config import PROJECT, Settings
from ghost.cli import hosts
from ghost.cli.hosts import allowed_hosts, is_loopback
from ghost.cli.page import page_command

NAME = "ghost.example.org"


@pytest.fixture(scope="module")
def only_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of ``streamlit run app.py`` as somebody types it, which reads ``.streamlit/config.toml``."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    yield from _served(command, port, tmp_path_factory.mktemp("only_here"))


@pytest.fixture(scope="module")
def open_to_others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of ``python -m ghost page`` with an open address and a name of its own."""
    settings = Settings(host="0.0.0.0", port=free_port(), host_names=(NAME,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hosts, "_own_addresses", lambda: ["192.0.2.9"])  # the real one opens sockets
        command = page_command(settings)
    yield from _served(command, settings.port, tmp_path_factory.mktemp("open"))


def _served(command: list[str], port: int, folder: Path) -> Iterator[int]:
    with running(command, environment(folder), folder / "page.log") as process:
        until(lambda: healthy(port), 60, process, folder / "page.log", "did not start")
        yield port


def _accepted(port: int, host: str, origin: str | None = None) -> bool:
    """Whether a session opens for a browser that was given this name, with a script from that website."""
    with (
        socket.create_connection(("127.0.0.1", port)) as to_page,
        suppress(InvalidStatus),
        connect(
            f"ws://{host}:{port}/_stcore/stream",
            sock=to_page,
            subprotocols=[Subprotocol("streamlit")],
            origin=None if origin is None else Origin(origin),
            proxy=None,
        ),
    ):
        return True
    return False


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "localhost."])
def test_the_page_opens_under_the_names_of_this_machine(only_here: int, host: str) -> None:
    assert _accepted(only_here, host)
    assert _accepted(only_here, host, origin=f"http://{host}:{only_here}")


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.7", NAME, "evil-localhost"]
)
def test_a_website_that_was_pointed_at_this_machine_is_refused(only_here: int, host: str) -> None:
    assert not _accepted(only_here, host)
    assert not _accepted(only_here, host, origin=f"http://{host}:{only_here}")


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost.evil.example", "null"])
def test_a_script_of_another_website_is_refused(only_here: int, open_to_others: int, origin: str) -> None:
    assert not _accepted(only_here, "127.0.0.1", origin)
    assert not _accepted(open_to_others, "127.0.0.1", origin)


def test_an_open_page_answers_to_the_names_that_others_use(open_to_others: int) -> None:
    names = [
        "localhost",
        "127.0.0.1",
        "0.0.0.0",
        "192.0.2.9",
        socket.gethostname(),
        f"{socket.gethostname()}.local",
        NAME,
    ]
    assert [name for name in names if not _accepted(open_to_others, name, f"http://{name}:{open_to_others}")] == []
    assert not _accepted(open_to_others, "evil.example", f"http://evil.example:{open_to_others}")


def test_a_page_for_this_machine_does_not_answer_to_its_name_in_the_network() -> None:
    assert allowed_hosts("127.0.0.1", ()) == ["localhost", "127.0.0.1", "::1"]
    assert allowed_hosts("::1", ("ghost.lan",)) == ["localhost", "127.0.0.1", "::1", "ghost.lan"]


def test_the_addresses_of_this_machine_are_found_in_a_process_of_its_own() -> None:
    """Where there is no network there is none; the tests' guard does not let one be asked for in this process."""
    code = "from ghost.cli.hosts import _own_addresses; print(*_own_addresses())"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert all(not ipaddress.ip_address(found).is_loopback for found in done.stdout.split())


def test_the_file_of_streamlit_names_the_same_hosts() -> None:
    config = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["allowedHosts"] == allowed_hosts(Settings().host, ())


@pytest.mark.parametrize(
    ("host", "only_here"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)]
)
def test_loopback(host: str, only_here: bool) -> None:
    assert is_loopback(host) is only_here
