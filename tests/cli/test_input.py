"""Files and standard input that do not say how long they are."""

import io
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import Settings
from ghost.cli import input as module
from ghost.cli.arguments import UsageError
from ghost.cli.input import read_file, read_input
from ghost.cli.main import main

ZERO = Path("/dev/zero")
needs_zero = pytest.mark.skipif(not ZERO.exists(), reason="this system has no /dev/zero")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def test_a_file_is_read_to_its_end_and_no_further_than_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "claims.txt"
    file.write_bytes(b"x" * 100)
    assert read_file(file, 100) == b"x" * 100
    with pytest.raises(UsageError, match="Split it"):
        read_file(file, 99)


@needs_zero
def test_a_device_without_an_end_is_refused() -> None:
    with pytest.raises(UsageError, match="/dev/zero has more than 3 MB"):
        read_file(ZERO, 3_000_000)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")
def test_a_file_that_claims_to_be_empty_is_read_all_the_same() -> None:
    assert b"Name:" in read_file(Path("/proc/self/status"), 1_000_000)
    with pytest.raises(UsageError, match="more than"):
        read_file(Path("/proc/self/status"), 10)


@needs_pipes
def test_a_pipe_is_read_until_its_writer_ends(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"Bats are mammals.\n" * 20_000))
    writer.start()
    assert read_file(pipe, 1_000_000) == b"Bats are mammals.\n" * 20_000
    writer.join()


@needs_pipes
def test_a_pipe_that_nobody_writes_into_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(module, "SILENT_SECONDS", 0.2)
    with pytest.raises(UsageError, match="was silent"):
        read_file(tmp_path / "pipe", 1_000)


def test_what_is_no_file_says_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("a\0b")):
        with pytest.raises(UsageError):
            read_file(path, 1_000)


def test_standard_input_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * 100), closed=False))
    with pytest.raises(UsageError, match="Standard input has more than"):
        read_input(99)


@needs_zero
@pytest.mark.parametrize(
    "words",
    [
        ["batch", "/dev/zero"],
        ["kb", "add", "--source", "https://a.example/", "--file", "/dev/zero"],
        ["kb", "import", "/dev/zero"],
        ["kb", "rate", "--file", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_every_command_refuses_a_file_without_an_end(
    words: list[str], settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GHOST_DATA_DIR", str(settings.data_dir))
    assert main(words) == 2
    assert "MB, which is the most that is read at once" in capsys.readouterr().err
    assert not settings.database_path.exists()
