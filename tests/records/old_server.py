"""A server that speaks as much of PostgreSQL's protocol as it takes to say which version it is."""

import socket
import struct
import threading
from contextlib import suppress
from typing import BinaryIO


class OldServer:
    """Takes connections on a port of this machine and answers all questions as PostgreSQL 13 would, with no rows."""

    VERSION, NUMBER = "13.22", "130022"

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self.asked: list[str] = []
        """The statements, in order."""
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as stream, suppress(OSError, struct.error):
            while _greeted(stream) >> 16 != 3:  # wants encryption
                stream.write(b"N")
                stream.flush()
            parameters = {
                "server_version": self.VERSION,
                "client_encoding": "UTF8",
                "standard_conforming_strings": "on",
            }
            greeting = [_message(b"R", struct.pack("!I", 0)), _message(b"K", struct.pack("!II", 1, 1))]
            greeting += [_message(b"S", _text(name) + _text(value)) for name, value in parameters.items()]
            stream.write(b"".join(greeting) + _message(b"Z", b"I"))
            stream.flush()
            self._answer(stream)

    def _answer(self, stream: BinaryIO) -> None:
        state = b"I"
        while kind := stream.read(1):
            body = stream.read(struct.unpack("!I", stream.read(4))[0] - 4)
            if kind == b"Q":
                statement = body[:-1].decode()
                self.asked.append(statement)
                state = {"BEGIN": b"T", "ROLLBACK": b"I", "COMMIT": b"I"}.get(statement.split()[0].upper(), state)
                stream.write(self._rows(statement) + _message(b"C", _text("SELECT")) + _message(b"Z", state))
            elif kind == b"X":
                return
            else:  # a question with parameters, about types that are not there
                nothing = {b"P": (b"1", b""), b"B": (b"2", b""), b"D": _described(1), b"E": (b"C", _text("SELECT 0"))}
                stream.write(_message(*nothing.get(kind, (b"Z", state))))
            stream.flush()

    def _rows(self, statement: str) -> bytes:
        if "server_version_num" in statement:
            return _row(self.NUMBER, "UTF8")
        if "version()" in statement:
            return _row(f"PostgreSQL {self.VERSION} on x86_64-pc-linux-gnu")
        if "stats_reset" in statement:
            return _row("2026-01-01", "off", "20", "10", "3")
        if statement.upper().startswith(("SELECT", "SHOW")):
            return _row("on")
        return b""


def _greeted(stream: BinaryIO) -> int:
    """What the client wants to begin with; 3 and a minor number is the protocol itself."""
    length, wanted = struct.unpack("!II", stream.read(8))
    stream.read(length - 8)
    return int(wanted)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def _text(value: str) -> bytes:
    return value.encode() + b"\0"


def _described(columns: int) -> tuple[bytes, bytes]:
    column = _text("column") + struct.pack("!IHIhiH", 0, 0, 25, -1, -1, 0)
    return b"T", struct.pack("!H", columns) + column * columns


def _row(*values: str) -> bytes:
    cells = b"".join(struct.pack("!I", len(value)) + value.encode() for value in values)
    return _message(*_described(len(values))) + _message(b"D", struct.pack("!H", len(values)) + cells)
