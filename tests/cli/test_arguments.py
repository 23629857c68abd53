"""What can be typed, what is refused before anything is opened, and files that do not say how long they are."""

import io
import os
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from config import PROJECT
from ghost.cli import terminal
from ghost.cli.arguments import PIPELINES, UsageError, parser
from ghost.cli.main import main
from ghost.cli.terminal import read_file, read_input
from ghost.types import Pipeline
from tests.cli.conftest import Captured

ZERO = Path("/dev/zero")
needs_zero = pytest.mark.skipif(not ZERO.exists(), reason="this system has no /dev/zero")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def test_verify_takes_all_that_can_be_said_about_a_claim() -> None:
    args = parser().parse_args(
        ["verify", "A claim.", "--as-of", "2024-05-31", "--found-at", "https://a.example", "--context", "c",
         "--judge", "embedded", "--no-web", "--json", "--pipeline", "single-conversation"]
    )  # fmt: skip
    assert args.pipeline == Pipeline.SINGLE_CONVERSATION
    assert tuple(Pipeline) == PIPELINES
    assert (args.command, args.claim, args.as_of) == ("verify", "A claim.", date(2024, 5, 31))
    assert (args.found_at, args.context, args.judge, args.no_web, args.json) == (
        "https://a.example", "c", "embedded", True, True,
    )  # fmt: skip
    assert parser().parse_args(["verify", "-40 Celsius is -40 Fahrenheit."]).claim.startswith("-40")
    linked = parser().parse_args(["verify", "x", "--link", "a.example", "--link", "b.example"])
    assert linked.link == ["a.example", "b.example"]
    demo = parser().parse_args(["demo", "--folder", "there"])
    assert (demo.port, demo.web_port, demo.folder, demo.web_only) == (None, 8503, Path("there"), False)


@pytest.mark.parametrize("words", [
    "", "verfy", "verify", "verify two words", "verify c --as-of 2024-13-01", "verify c --as-of yesterday",
    "verify c --pipeline eight-steps",
    "verify c --judge robot", "verify c --bogus", "verify c --no-web --link a.example", "kb", "kb burn", "kb search",
    "kb search q --limit 0", "kb search q --limit ²", f"kb search q --limit {'9' * 30}", "kb add text --kind record",
    "kb add --source https://a.example", "kb add text --file f --source https://a.example",
    "kb add text --source https://a.example --published 1", "kb retire", "demo --port 70000", "models",
])  # fmt: skip
def test_what_cannot_be_used_is_refused(words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parser().parse_args(words.split())
    assert caught.value.usage.startswith("usage: ")


def test_its_help_and_a_claim_that_is_refused_load_nothing_large() -> None:
    code = (
        "import runpy, sys\n"
        "for words in (['verify', '--help'], ['verify', ' '], ['--version']):\n"
        "    sys.argv = ['ghost', *words]\n"
        "    try:\n        runpy.run_module('ghost', run_name='__main__')\n"
        "    except SystemExit:\n        pass\n"
        "large = {'chromadb', 'streamlit', 'pandas', 'numpy', 'onnxruntime', 'sqlalchemy', 'torch', 'mcp', 'httpx'}\n"
        "print(sorted(large & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: python -m ghost verify")
    assert done.stdout.endswith("ghost 0.1.0\n[]\n")


def test_an_address_in_the_place_of_a_claim_says_what_to_do(capsys: Captured) -> None:
    assert main(["verify", "https://news.example/story"]) == 2
    said = capsys.readouterr().err
    assert "not a claim" in said
    assert "--found-at" in said


def test_a_file_is_read_to_its_end_and_no_further_than_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "claims.txt"
    file.write_bytes(b"x" * 100)
    assert read_file(file, 100) == b"x" * 100
    with pytest.raises(UsageError, match="Split it"):
        read_file(file, 99)
    for path in (tmp_path, tmp_path / "missing", Path("a\0b")):
        with pytest.raises(UsageError):
            read_file(path, 1_000)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")
def test_a_file_that_claims_to_be_empty_is_read_all_the_same() -> None:
    assert b"Name:" in read_file(Path("/proc/self/status"), 1_000_000)
    with pytest.raises(UsageError, match="more than"):
        read_file(Path("/proc/self/status"), 10)


@needs_pipes
def test_a_pipe_is_read_until_its_writer_ends_and_given_up_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"Bats are mammals.\n" * 20_000))
    writer.start()
    assert read_file(pipe, 1_000_000) == b"Bats are mammals.\n" * 20_000
    writer.join()
    monkeypatch.setattr(terminal, "SILENT_SECONDS", 0.2)
    with pytest.raises(UsageError, match="was silent"):
        read_file(pipe, 1_000)


def test_standard_input_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * 100), closed=False))
    with pytest.raises(UsageError, match="Standard input has more than"):
        read_input(99)


@needs_zero
@pytest.mark.parametrize("words", [
    "batch /dev/zero", "kb add --source https://a.example/ --file /dev/zero", "kb import /dev/zero",
    "kb rate --file /dev/zero",
])  # fmt: skip
def test_every_command_refuses_a_file_without_an_end(words: str, built: list[Any], capsys: Captured) -> None:
    assert main(words.split()) == 2
    assert "MB, which is the most that is read at once" in capsys.readouterr().err
    assert not built
