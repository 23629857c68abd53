"""``ghost page``: the command that Streamlit is started with."""

import os
import socket
from pathlib import Path

import pytest

from config import PROJECT, Settings
from ghost.cli import hosts
from ghost.cli.main import main
from ghost.cli.page import streamlit_command

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


def test_the_page_listens_where_the_settings_say_and_reports_to_nobody() -> None:
    command = streamlit_command(Settings(host="127.0.0.1", port=9123), Path("app.py"), headless=True)
    assert command[1:5] == ["-m", "ghost.ui.serve", "run", "app.py"]
    assert {
        "--server.address=127.0.0.1",
        "--server.port=9123",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
        "--server.showEmailPrompt=false",
        "--server.allowedHosts=localhost",
        "--server.allowedHosts=127.0.0.1",
        "--server.allowedHosts=::1",
    } == set(command[5:])


def test_streamlit_knows_these_options() -> None:
    from streamlit import config as streamlit_config

    known = streamlit_config.get_config_options()
    for flag in streamlit_command(Settings(), Path("app.py"), headless=True)[5:]:
        assert flag.removeprefix("--").partition("=")[0] in known


def test_it_starts(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    port = _free_port()
    monkeypatch.setenv("GHOST_PORT", str(port))
    main(["page"])
    assert started[0][4] == str(PROJECT / "app.py")
    assert f"--server.port={port}" in started[0]


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
    assert "--server.allowedHosts=192.0.2.9" in started[0]
