"""Standard input, output and error as this program uses them: bad bytes, closed pipes and dumb terminals included."""

import io
import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ghost.text import one_line


def make_safe() -> None:
    """Let no character that the terminal cannot show end the program; it is written as an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(value: dict[str, Any]) -> None:
    """One JSON object. ASCII only, so that it is the same on every terminal and cannot steer any."""
    print(json.dumps(value, indent=2))


def say(text: str) -> None:
    """A line for the person, beside the output."""
    print(text, file=sys.stderr, flush=True)


def typed(text: str) -> str:
    """An argument as text; bytes that are not UTF-8 are shown as such."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def width() -> int:
    """Columns to write in."""
    return min(shutil.get_terminal_size().columns, 100)


def in_color() -> bool:
    """Whether standard output takes colours and nobody has asked for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def progress(what: str, done: int, total: int) -> None:
    """Long work, on one line of standard error that writes over itself; nothing when that is not a terminal."""
    if sys.stderr.isatty():
        end = "\n" if done >= total else ""
        print(f"\r\x1b[K{one_line(what)} {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)


def drop_output() -> None:
    """Whoever read the output has gone: write the rest nowhere, or the interpreter complains as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def interrupt_asks() -> Iterator[threading.Event]:
    """Within this, the first Ctrl-C only sets the event that is handed out; the second interrupts as usual."""
    asked = threading.Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
