"""The line to a model server, and an answer as it comes in over it.

Each question has a connection of its own, so that it can be cut from outside at any moment. The client library waits
without end for a server that sends a byte now and then, keeps whatever it is sent, and cannot be interrupted. Here
every connection is known, and what comes over it is counted.
"""

import contextlib
import math
import queue
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ghost.budget import Budget
from ghost.judges.llm.request import Endpoint
from ghost.text import login_header

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 8_000_000
"""Of one answer on the wire, hundreds of times what the longest one needs."""


class TooMuchError(Exception):
    """The server sends more than any answer can have, or packed so that nobody can tell how much it is."""


class Line:
    """The connection of one question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._cut = False

    def cut(self) -> None:
        """End the connection now and for good; whoever reads from it is woken. May be called twice, by any thread."""
        with self._lock:
            self._cut = True
            self._hang_up()

    def hold(self, connected: socket.socket) -> None:
        """Take the socket of the connection, in the place of an earlier one (a bare one is wrapped for TLS)."""
        with self._lock:
            self._socket = connected
            if self._cut:
                self._hang_up()

    def _hang_up(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is closed already
                # Not close(), which wakes nobody, and not the method of a TLS socket, which another thread is using.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def client_for(to: Endpoint, line: threading.local) -> "httpx2.Client":
    """The HTTP client for an endpoint; the thread that asks has put its Line into ``line.current``."""
    import httpx2
    from openai import DefaultHttpx2Client

    class Counted(httpx2.SyncByteStream):
        """A body that ends in an error when it is too long."""

        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for piece in self._stream:
                size += len(piece)
                if size > MOST_BYTES:
                    raise TooMuchError
                yield piece

        def close(self) -> None:
            self._stream.close()

    login = login_header(to.base_url)

    def watch(request: httpx2.Request) -> None:
        request.headers.update(login)  # in the place of the key, as for any client that is given such an address
        mine: Line = line.current

        def told(event: str, info: dict[str, Any]) -> None:
            if event.endswith(("connect_tcp.complete", "start_tls.complete")):
                mine.hold(info["return_value"].get_extra_info("socket"))

        request.extensions = {**request.extensions, "trace": told}

    def count(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise TooMuchError
        response.stream = Counted(response.stream)  # type: ignore[arg-type]

    local = to.judge == "local"
    return DefaultHttpx2Client(
        # A redirect would take the claim to a host that nobody has named; so would a proxy for a local one.
        follow_redirects=False,
        trust_env=not local,
        verify=not to.base_url.startswith("http://"),  # else there is nothing to verify
        headers={"Accept-Encoding": "identity"},  # a packed answer may be a thousand times as long
        limits=httpx2.Limits(max_keepalive_connections=0),
        event_hooks={"request": [watch], "response": [count]},
    )


POLL_SECONDS = 0.1
"""How often a waiting call looks whether the run was cancelled or is out of time."""
ASKED = object()
"""What a stream gives when the question goes out: getting ready to ask is not the server's time."""


class Stream:
    """Pieces of one answer. ``ask(line, asked)`` opens it and calls ``asked`` when it is ready to."""

    def __init__(self, ask: Callable[[Line, Callable[[], None]], Any], workers: "weakref.WeakSet[threading.Thread]"):
        self.line = Line()
        self.deadline = math.inf
        self._ask = ask
        self._pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._read, name="ghost-model-answer", daemon=True)
        workers.add(self._thread)
        self._thread.start()

    def next(self, budget: Budget) -> Any:
        """The next piece, an exception, ASKED, or None at the end.

        Raises TimeoutError, Cancelled or BudgetExceeded instead of waiting longer.
        """
        while True:
            budget.check()
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                return self._pieces.get(timeout=min(POLL_SECONDS, left))
            except queue.Empty:
                continue

    def leave(self) -> None:
        """Nobody listens any more; the thread ends and its connection with it."""
        self._left.set()
        self.line.cut()

    def _read(self) -> None:
        try:
            with self._ask(self.line, lambda: self._pieces.put(ASKED)) as stream:
                for piece in stream:
                    if self._left.is_set():
                        return
                    self._pieces.put(piece)
            self._pieces.put(None)
        except Exception as error:
            self._pieces.put(error)
