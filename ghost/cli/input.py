"""What a person hands in from a file or standard input: read up to a limit, whatever the file claims about its size."""

import io
import os
import select
import sys
from pathlib import Path

from ghost.cli.arguments import UsageError

CLAIM_BYTES = 1_000_000
"""Far more than a claim may have; the claim itself is measured where it is tidied."""
TEXT_BYTES = 20_000_000
SILENT_SECONDS = 60.0
"""How long a pipe may say nothing before it is given up: whoever should write into it may never come."""
_PIECE = 1 << 20


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
