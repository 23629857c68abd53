"""Files, standard input, output and error as this program uses them.

Bad bytes, closed pipes, dumb terminals, and files that do not say how long they are included.
"""

import io
import json
import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from ghost.cli.arguments import UsageError
from ghost.text import one_line

CLAIM_BYTES = 1_000_000
"""Far more than a claim may have; the claim itself is measured where it is tidied."""
TEXT_BYTES = 20_000_000
SILENT_SECONDS = 60.0
"""How long a pipe may say nothing before it is given up: whoever should write into it may never come."""
_PIECE = 1 << 20


def make_safe() -> None:
    """Let no character that the terminal cannot show end the program; it is written as an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(value: dict[str, Any]) -> None:
    """One JSON object. ASCII only, so that it is the same on every terminal and cannot steer any."""
    print(json.dumps(value, indent=2))


def show(as_json: bool, value: dict[str, Any], text: str) -> int:
    """The value as JSON, or the text; returns the exit code of what went well."""
    if as_json:
        print_json(value)
    else:
        print(text)
    return 0


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


def put_out(body: bytes) -> None:
    """Bytes to standard output."""
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()


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


def read_file(path: Path, limit: int) -> bytes:
    """All bytes of a file; raises UsageError when it has more than ``limit``, or cannot be read.

    A device never ends, and a file in ``/proc`` or a pipe does not say how long it is, so the size is no help.
    """
    try:
        size = path.stat().st_size
        if size > limit:
            raise _too_long(str(path), limit)
        # Without this flag a named pipe would not even open before somebody writes into it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            return _all(file, str(path), limit)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError:  # a zero byte in the name
        raise UsageError(f"{path!r} is no name of a file.") from None


def read_input(limit: int) -> bytes:
    """All of standard input; raises UsageError when there is none, or more than ``limit`` bytes."""
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError("There is no standard input to read from.")
    body = sys.stdin.buffer.read(limit + 1)
    if len(body) > limit:
        raise _too_long("Standard input", limit)
    return body


def read_text(limit: int) -> str:
    """All of standard input as text; bytes that are not UTF-8 are shown as such."""
    return read_input(limit).decode("utf-8-sig", "replace")


def _all(file: io.FileIO, name: str, limit: int) -> bytes:
    body = bytearray()
    _wait(file, name)  # a pipe that nobody has opened for writing yet looks as if it had ended
    while len(body) <= limit:
        piece = file.read(_PIECE)
        if piece == b"":
            return bytes(body)
        if piece is None:
            _wait(file, name)
        body += piece or b""
    raise _too_long(name, limit)


def _wait(file: io.FileIO, name: str) -> None:
    """Until there is something to read, or the end; raises UsageError when neither comes."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(file, select.POLLIN)
    if not poll.poll(SILENT_SECONDS * 1000):
        raise UsageError(f"{name} was silent for {SILENT_SECONDS:g} seconds and was given up.")


def _too_long(name: str, limit: int) -> UsageError:
    return UsageError(f"{name} has more than {limit / 1e6:,.0f} MB, which is the most that is read at once. Split it.")
