"""A server on this machine in place of a search engine."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass
class Reply:
    """What the server answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before it answers."""
    drip: float = 0.0
    """Seconds between two bytes."""


@dataclass
class Asked:
    """A request as it came in."""

    path: str
    words: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Server:
    """An address, and what was asked there."""

    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(reply: Reply | Callable[[Asked], Reply]) -> Iterator[Server]:
    """A server that answers every request with ``reply``."""
    stop = threading.Event()
    server = Server("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(urlsplit(self.path).query, b"")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._answer(body.decode(), body)

        def _answer(self, query: str, body: bytes) -> None:
            words = {k: v[0] for k, v in parse_qs(query, keep_blank_values=True).items()}
            asked = Asked(urlsplit(self.path).path, words, dict(self.headers), body)
            server.asked.append(asked)
            found = reply(asked) if callable(reply) else reply
            stop.wait(found.wait)
            with suppress(OSError):  # whoever asked may have hung up
                self._send(found)

        def _send(self, found: Reply) -> None:
            self.send_response(found.status)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(found.body)))
            self.end_headers()
            if not found.drip:
                self.wfile.write(found.body)
                return
            for position in range(len(found.body)):
                if stop.is_set():
                    return
                self.wfile.write(found.body[position : position + 1])
                self.wfile.flush()
                time.sleep(found.drip)

        def log_message(self, *args: object) -> None:
            """Not on the screen."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_port}/"
    try:
        yield server
    finally:
        stop.set()
        http.shutdown()
        http.server_close()
        thread.join(5)
