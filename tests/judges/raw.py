"""A server that says exactly these bytes, as slowly as it likes, whatever it was asked."""

import contextlib
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@contextmanager
def saying(pieces: Iterable[bytes], between: float = 0.0) -> Iterator[str]:
    """The base URL of a server that answers one request with ``pieces``, ``between`` seconds apart."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):  # whoever asked has left
                connection, _ = listening.accept()
                with connection:
                    connection.recv(100_000)
                    for piece in pieces:
                        connection.sendall(piece)
                        if over.wait(between):
                            return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            over.set()


def reading() -> list[threading.Thread]:
    """Threads that still wait for a server."""
    return [t for t in threading.enumerate() if t.name in ("ghost-model-answer", "ghost-local-server")]
