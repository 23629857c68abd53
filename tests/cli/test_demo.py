"""``ghost demo``: its own web, its own data, its own port."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from argparse import Namespace
from pathlib import Path

import pytest

from config import PROJECT
from ghost.cli import demo as module
from ghost.cli.arguments import UsageError, parser
from ghost.cli.main import main

Captured = pytest.CaptureFixture[str]


def test_what_can_be_typed() -> None:
    args = parser().parse_args(["demo"])
    assert (args.port, args.web_port, args.folder, args.web_only) == (8502, 8503, None, False)
    assert parser().parse_args(["demo", "--port", "9000", "--folder", "there"]).folder == Path("there")
    with pytest.raises(UsageError, match="not a port"):
        parser().parse_args(["demo", "--port", "70000"])


def test_the_claims_to_try_exist() -> None:
    assert {claim.id for claim in module.demo_claims()} >= set(module.TO_TRY)


def test_the_web_alone_serves_until_it_is_ended() -> None:
    """As a process of its own, as a person would start it."""
    words = [sys.executable, "-m", "ghost", "demo", "--web-only", "--web-port", "0"]
    with subprocess.Popen(words, cwd=PROJECT, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        line = running.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        with urllib.request.urlopen(f"{found[0]}/search?q=kelp+tea&format=json", timeout=10) as answer:
            assert b"kelp-tea" in answer.read()
        running.send_signal(2)
        assert running.wait(10) == 0


def test_a_page_is_ended_with_the_demo(tmp_path: Path) -> None:
    """A page that would run for ever, and a request to end that only the demo's own process gets."""
    sign = tmp_path / "page"
    page = f"import os, pathlib, time; pathlib.Path({str(sign)!r}).write_text(str(os.getpid())); time.sleep(600)"
    outer = f"import sys; from ghost.cli.demo import _serve; sys.exit(_serve([sys.executable, '-c', {page!r}]))"
    with subprocess.Popen([sys.executable, "-c", outer], cwd=PROJECT) as running:
        until = time.monotonic() + 30
        while not (sign.exists() and sign.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
        running.terminate()
        assert running.wait(10) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(sign.read_text()), 0)


def test_a_taken_web_port_says_what_to_do(capsys: Captured) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert main(["demo", "--web-port", str(server.getsockname()[1]), "--web-only"]) == 1
    assert "--web-port" in capsys.readouterr().err


def test_the_users_own_folder_is_refused(capsys: Captured) -> None:
    assert main(["demo", "--web-port", "0", "--folder", str(PROJECT)]) == 1
    assert "your own data" in capsys.readouterr().err


def test_a_temporary_folder_is_gone_afterwards(tmp_path: Path) -> None:
    with module._folder(None) as folder:
        assert folder.is_dir()
    assert not folder.exists()
    with module._folder(tmp_path / "kept") as folder:
        pass
    assert folder.is_dir()


def test_the_page_starts_on_the_demo_web(monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path) -> None:
    """Without Streamlit: what it would have been started with, and that the web is there while it runs."""
    seen: dict[str, str] = {}

    def serve(command: list[str]) -> int:
        seen.update(os.environ)
        seen["command"] = " ".join(command)
        seen["webs"] = str(sum(t.name == "demoweb" for t in threading.enumerate()))
        return 0

    class Known:
        host, data_dir = "127.0.0.1", tmp_path / "users"
        port = 0
        host_names: tuple[str, ...] = ()
        open_browser = True

    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(module, "_serve", serve)
    monkeypatch.setattr(module, "load_settings", Known)
    assert module.demo(Namespace(web_port=0, folder=tmp_path / "own", web_only=False, port=0)) == 0
    assert seen["GHOST_DATA_DIR"] == str(tmp_path / "own")
    assert seen["GHOST_PORT"] == "0"
    assert seen["GHOST_SEARXNG_URL"].startswith("http://127.0.0.1:")
    assert "ghost.ui.serve" in seen["command"]
    assert seen["webs"] == "1"
    assert "Claims to try" in capsys.readouterr().err
