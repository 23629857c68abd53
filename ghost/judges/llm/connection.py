"""The line to a model server: one connection for one question, so that it can be cut from outside at any moment.

The client library waits without end for a server that sends a byte now and then, keeps whatever it is sent, and cannot
be interrupted. Here every connection is known, and what comes over it is counted.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ghost.judges.llm.endpoint import Endpoint
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
