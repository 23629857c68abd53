"""Processes that the benchmark starts, each of which ends with it, whatever happens."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from config import PROJECT

GRACE = 5.0
"""Seconds a process gets to end by itself before it is killed."""


def environment(data_dir: Path) -> dict[str, str]:
    """The environment of a measured process: ours, on the benchmark's data folder, and with nobody else asked.

    An empty value also overrides what ``.env`` may say.
    """
    return {
        **os.environ,
        "GHOST_DATA_DIR": str(data_dir),
        "GHOST_CHROMA_URL": "",
        "GHOST_JUDGE": "embedded",
        "GHOST_WEB": "false",
        "OPENAI_API_KEY": "",
    }


@contextmanager
def running(command: Sequence[str], env: Mapping[str, str], output: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """A process in the project's folder, writing both its streams to ``output``; it is ended on the way out.

    It has its own session, so that Ctrl-C reaches only us and whatever it starts can be ended with it.
    """
    with output.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=PROJECT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        end(process)


def completed(command: Sequence[str], env: Mapping[str, str], timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a process in the project's folder to its end and keep what it says.

    Raises TimeoutExpired after ``timeout`` seconds.
    """
    process = subprocess.Popen(
        command, cwd=PROJECT, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        end(process)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def end(process: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> None:
    """Ask the process and what it started to end, then insist; safe when it has ended already."""
    if os.name != "posix":  # no groups of processes, and no way to ask
        process.kill()
        process.wait()
        return
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def ended_like_interrupted() -> Iterator[None]:
    """Within this, SIGTERM unwinds everything as Ctrl-C does; by default it would leave our processes behind."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
