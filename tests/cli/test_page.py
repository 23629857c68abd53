"""``ghost page``: the command that serves the page, and what the server answers."""

import json
import os
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from bench.page import healthy, until
from bench.processes import environment, running
from config import Settings
from ghost.cli import hosts
from ghost.cli.main import main
from ghost.cli.page import opens_browser, page_command

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have replaced this process."""
    commands: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda path, words: commands.append(words))
    monkeypatch.setattr(os, "chdir", lambda path: None)
    monkeypatch.setattr(hosts, "_own_addresses", lambda: ["192.0.2.9"])  # the real one opens sockets
    return commands


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def options_of(command: list[str]) -> dict[str, Any]:
    assert command[1:3] == ["-m", "ghost.ui.serve"]
    found: dict[str, Any] = json.loads(command[3])
    return found


def test_the_page_listens_where_the_settings_say_and_reports_to_nobody() -> None:
    assert options_of(page_command(Settings(host="127.0.0.1", port=9123))) == {
        "server.address": "127.0.0.1",
        "server.port": 9123,
        "server.headless": True,
        "server.allowedHosts": ["localhost", "127.0.0.1", "::1"],
        "browser.gatherUsageStats": False,
        "browser": "",
    }


def test_streamlit_knows_these_options() -> None:
    from streamlit import config as streamlit_config

    assert set(options_of(page_command(Settings()))) - {"browser"} <= set(streamlit_config.get_config_options())


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:8501"), ("0.0.0.0", "http://127.0.0.1:8501"), ("::", "http://[::1]:8501")],
)
def test_the_browser_is_led_to_an_address_of_this_machine(started: list[list[str]], host: str, address: str) -> None:
    assert options_of(page_command(Settings(host=host), browser=True))["browser"] == address


@pytest.mark.parametrize(
    ("terminal", "switch", "variables", "opens"),
    [
        (True, True, {"DISPLAY": ":0"}, True),
        (True, True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, True, {}, False),
        (True, True, {"DISPLAY": ":0", "CI": "true"}, False),
        (True, False, {"DISPLAY": ":0"}, False),
        (False, True, {"DISPLAY": ":0"}, False),
    ],
)
def test_a_browser_opens_only_for_somebody_at_a_screen(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, switch: bool, variables: dict[str, str], opens: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: terminal, raising=False)
    assert opens_browser(Settings(open_browser=switch), variables) is opens


def test_the_server_opens_a_browser_once_it_answers_and_lets_no_website_frame_it(tmp_path: Path) -> None:
    settings = Settings(port=_free_port(), data_dir=tmp_path)
    opened = tmp_path / "opened"
    command = page_command(settings, browser=True)
    browser = {"BROWSER": f"{sys.executable} -c \"import sys; open('{opened}', 'w').write(sys.argv[1])\" %s"}
    with running(command, environment(tmp_path) | browser, tmp_path / "page.log") as process:
        until(lambda: opened.exists() and bool(opened.read_text()), 60, process, tmp_path / "page.log", "did not open")
        assert healthy(settings.port)
        for path in ("/", "/verify", "/_stcore/health", "/static/nothing.js"):
            try:
                answer = urllib.request.urlopen(f"http://127.0.0.1:{settings.port}{path}", timeout=10)
            except urllib.error.HTTPError as error:
                answer = error
            assert answer.headers["X-Frame-Options"] == "DENY", path
            assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'", path
    assert opened.read_text() == f"http://127.0.0.1:{settings.port}"


def test_it_starts(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    port = _free_port()
    monkeypatch.setenv("GHOST_PORT", str(port))
    main(["page"])
    assert options_of(started[0])["server.port"] == port


def test_a_taken_port_says_what_to_do(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("GHOST_PORT", str(server.getsockname()[1]))
        assert main(["page"]) == 1
    assert "GHOST_PORT" in capsys.readouterr().err
    assert started == []


def test_a_wrong_setting_is_said_before_anything_starts(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("GHOST_PORT", "eighty")
    assert main(["page"]) == 2
    assert "GHOST_PORT: " in capsys.readouterr().err
    assert started == []


def test_an_open_address_is_said(started: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("GHOST_HOST", "0.0.0.0")
    monkeypatch.setenv("GHOST_PORT", str(_free_port()))
    main(["page"])
    assert "no login" in capsys.readouterr().err
    assert len(started) == 1
    assert "192.0.2.9" in options_of(started[0])["server.allowedHosts"]
