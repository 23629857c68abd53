"""``ghost page`` and ``demo``: what is served where, which names the page answers to, and how both end."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from bench.page import free_port, healthy, until
from bench.processes import environment, running
from config import PROJECT, Settings
from ghost import listening
from ghost.cli.main import main
from ghost.cli.page import opens_browser, page_command, settled_environment
from ghost.listening import allowed_hosts, is_loopback
from tests.cli.conftest import Captured

NAME = "ghost.example.org"


@pytest.fixture(scope="module", autouse=True)
def _one_address() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listening, "_own_addresses", lambda: ["192.0.2.9"])  # the real one opens sockets
        yield


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have replaced this process."""
    commands: list[list[str]] = []
    monkeypatch.setattr(os, "execve", lambda path, words, environment: commands.append(words))
    monkeypatch.setattr(os, "chdir", lambda path: None)
    return commands


def options_of(command: list[str]) -> dict[str, Any]:
    assert command[1:3] == ["-m", "ghost.ui.serve"]
    found: dict[str, Any] = json.loads(command[3])
    return found


def test_the_page_listens_where_the_settings_say_and_reports_to_nobody() -> None:
    from streamlit import config as streamlit_config

    options = options_of(page_command(Settings(host="127.0.0.1", port=9123)))
    assert options == {
        "server.address": "127.0.0.1",
        "server.port": 9123,
        "server.headless": True,
        "server.allowedHosts": ["localhost", "127.0.0.1", "::1"],
        "browser.gatherUsageStats": False,
        "browser": "",
    }
    assert set(options) - {"browser"} <= set(streamlit_config.get_config_options())
    for host, address in (("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]")):
        assert options_of(page_command(Settings(host=host), browser=True))["browser"] == f"http://{address}:8501"


@pytest.mark.parametrize(("terminal", "switch", "variables", "opens"), [
    (True, True, {"DISPLAY": ":0"}, True),
    (True, True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
    (True, True, {}, False),
    (True, True, {"DISPLAY": ":0", "CI": "true"}, False),
    (True, False, {"DISPLAY": ":0"}, False),
    (False, True, {"DISPLAY": ":0"}, False),
])  # fmt: skip
def test_a_browser_opens_only_for_somebody_at_a_screen(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, switch: bool, variables: dict[str, str], opens: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: terminal, raising=False)
    assert opens_browser(Settings(open_browser=switch), variables) is opens


def test_it_starts_or_says_why_not(started: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("GHOST_PORT", "eighty")
    assert main(["page"]) == 2
    assert "GHOST_PORT: " in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("GHOST_PORT", str(server.getsockname()[1]))
        assert main(["page"]) == 1
        assert main(["demo", "--web-port", str(server.getsockname()[1]), "--web-only"]) == 1
    said = capsys.readouterr().err
    assert "otherwise choose another place with GHOST_PORT" in said
    assert "--web-port" in said
    assert started == []
    port = free_port()
    monkeypatch.setenv("GHOST_PORT", str(port))
    main(["page"])
    assert options_of(started[0])["server.port"] == port
    monkeypatch.setenv("GHOST_HOST", "0.0.0.0")
    main(["page"])
    assert "no login" in capsys.readouterr().err
    assert "192.0.2.9" in options_of(started[1])["server.allowedHosts"]


def test_where_no_process_can_take_the_place_of_another_the_page_is_one_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[list[str]] = []
    monkeypatch.setenv("GHOST_PORT", str(free_port()))
    monkeypatch.setattr("ghost.cli.page.os", SimpleNamespace(name="nt", environ={}))
    monkeypatch.setattr("ghost.cli.page._serve", lambda command, _: served.append(command) or 0)
    assert main(["page"]) == 0
    assert options_of(served[0])["browser"] == ""


def test_folders_named_from_here_are_the_same_for_a_process_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    monkeypatch.setenv("GHOST_DATA_DIR", "own")
    monkeypatch.setenv("GHOST_STANCE_MODEL", "./model")
    given = settled_environment(Settings())
    assert given["GHOST_DATA_DIR"] == str(tmp_path / "own")
    assert given["GHOST_STANCE_MODEL"] == str(tmp_path / "model")
    monkeypatch.delenv("GHOST_DATA_DIR")
    monkeypatch.delenv("GHOST_STANCE_MODEL")
    assert "GHOST_DATA_DIR" not in settled_environment(Settings())


@pytest.fixture(scope="module")
def only_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of ``streamlit run app.py`` as somebody types it, which reads ``.streamlit/config.toml``."""
    port, folder = free_port(), tmp_path_factory.mktemp("only_here")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with running(command, environment(folder), folder / "page.log") as process:
        until(lambda: healthy(port), 60, process, folder / "page.log", "did not start")
        yield port


@pytest.fixture(scope="module")
def open_to_others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of ``python -m ghost page`` with an open address and a name of its own, once a browser has opened it."""
    folder = tmp_path_factory.mktemp("open")
    settings, opened = (
        Settings(host="0.0.0.0", port=free_port(), host_names=(NAME,), data_dir=folder),
        folder / "opened",
    )
    browser = {"BROWSER": f"{sys.executable} -c \"import sys; open('{opened}', 'w').write(sys.argv[1])\" %s"}
    command = page_command(settings, browser=True)
    with running(command, environment(folder) | browser, folder / "page.log") as process:
        until(lambda: opened.exists() and bool(opened.read_text()), 60, process, folder / "page.log", "did not open")
        assert healthy(settings.port)
        assert opened.read_text() == f"http://127.0.0.1:{settings.port}"
        yield settings.port


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


def test_the_page_opens_under_the_names_of_this_machine_only(only_here: int) -> None:
    for host in ("localhost", "127.0.0.1", "[::1]", "localhost."):
        assert _accepted(only_here, host)
        assert _accepted(only_here, host, origin=f"http://{host}:{only_here}")
    for host in (
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.7", NAME, "evil-localhost",
    ):  # fmt: skip
        assert not _accepted(only_here, host), host
        assert not _accepted(only_here, host, origin=f"http://{host}:{only_here}"), host
    for origin in ("http://evil.example", "https://localhost.evil.example", "null"):
        assert not _accepted(only_here, "127.0.0.1", origin), origin


def test_an_open_page_answers_to_the_names_that_others_use_and_lets_no_website_frame_it(open_to_others: int) -> None:
    own = socket.gethostname()
    for name in ("localhost", "127.0.0.1", "0.0.0.0", "192.0.2.9", own, f"{own}.local", NAME):
        assert _accepted(open_to_others, name, f"http://{name}:{open_to_others}"), name
    assert not _accepted(open_to_others, "evil.example", f"http://evil.example:{open_to_others}")
    for origin in ("http://evil.example", "https://localhost.evil.example", "null"):
        assert not _accepted(open_to_others, "127.0.0.1", origin), origin
    for name in ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", NAME):  # another program on this machine serves it
        for port in ("", ":80", ":9", f":{open_to_others}9"):
            assert not _accepted(open_to_others, name, f"http://{name}{port}"), (name, port)
    assert _accepted(open_to_others, NAME, f"https://{NAME}:{open_to_others}"), "a proxy that speaks TLS"
    assert _accepted(open_to_others, "127.0.0.1"), "no browser"
    for path in ("/", "/verify", "/_stcore/health", "/static/nothing.js"):
        try:
            answer = urllib.request.urlopen(f"http://127.0.0.1:{open_to_others}{path}", timeout=10)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            assert answer.headers["X-Frame-Options"] == "DENY", path
            assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'", path


def test_a_page_for_this_machine_does_not_answer_to_its_name_in_the_network() -> None:
    assert allowed_hosts("127.0.0.1", ()) == ["localhost", "127.0.0.1", "::1"]
    assert allowed_hosts("::1", ("ghost.lan",)) == ["localhost", "127.0.0.1", "::1", "ghost.lan"]
    config = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["allowedHosts"] == allowed_hosts(Settings().host, ())
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0")] == [True, True, True, False]


def test_the_demo_web_alone_serves_until_it_is_ended() -> None:
    """As a process of its own, as a person would start it."""
    words = [sys.executable, "-m", "ghost", "demo", "--web-only", "--web-port", "0"]
    with subprocess.Popen(words, cwd=PROJECT, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        line = running.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        with urllib.request.urlopen(f"{found[0]}/search?q=kelp+tea&format=json", timeout=10) as answer:
            assert b"kelp-tea" in answer.read()
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 0


def test_the_page_of_a_demo_is_ended_with_it(tmp_path: Path) -> None:
    """A page that would run for ever, on data of its own, and a request to end that only the demo's process gets."""
    seen = tmp_path / "seen"
    page = (
        "import json, os, pathlib, time; "
        f"file = pathlib.Path({str(seen)!r}); file.with_suffix('.new').write_text(json.dumps(dict(os.environ, "
        "pid=os.getpid()))); file.with_suffix('.new').rename(file); time.sleep(600)"
    )
    words, port = ["demo", "--web-port", "0", "--folder", str(tmp_path / "own")], str(free_port())
    outer = (
        "import sys; from ghost.cli import main, page; "
        f"page.page_command = lambda *_: [sys.executable, '-c', {page!r}]; sys.exit(main.main({words!r}))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", outer], cwd=PROJECT, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"GHOST_PORT": port},
    ) as running:  # fmt: skip
        deadline = time.monotonic() + 60
        while not seen.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        running.terminate()
        _, said = running.communicate(timeout=10)
        assert running.returncode == 0, said
    given = json.loads(seen.read_text())
    assert given["GHOST_DATA_DIR"] == str(tmp_path / "own")
    assert given["GHOST_PORT"] == port
    assert given["GHOST_SEARXNG_URL"].startswith("http://127.0.0.1:")
    assert len(re.findall(r"^  ", said, re.MULTILINE)) == 5, "claims to try"
    with pytest.raises(ProcessLookupError):
        os.kill(given["pid"], 0)


def test_the_users_own_folder_is_refused(capsys: Captured) -> None:
    assert main(["demo", "--web-port", "0", "--folder", str(PROJECT)]) == 1
    assert "your own data" in capsys.readouterr().err
