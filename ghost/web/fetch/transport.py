"""A network for httpcore that connects to checked addresses only and never waits longer than a TICK without a check.

httpx looks a name up again when it connects, and its time-outs count from one byte to the next. Here the connection
goes to an address that the guard has just checked. The socket wakes every TICK, so the time limit and the wish to stop
hold in the middle of a handshake, a header or a body, without a thread that would be left behind.
"""

import errno
import selectors
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import httpcore

from ghost.types import Url
from ghost.web.fetch.deadline import TICK, Deadline
from ghost.web.fetch.guard import AddressGuard
from ghost.web.fetch.outcome import FetchError, Problem

T = TypeVar("T")
CONNECT_SECONDS = 1.0
"""For each address of a host but the last, which gets the rest of the time. A live one answers sooner."""
MAX_ADDRESSES = 4
LastAddresses = dict[str, str]
"""The address of each host that answered last. It is tried first, so that a dead one costs its time only once."""


class PinnedBackend(httpcore.NetworkBackend):
    """Connects to the addresses that the guard finds and checks at this moment, whatever it is asked for."""

    def __init__(self, guard: AddressGuard, last: LastAddresses, url: Url, opened: bool, deadline: Deadline) -> None:
        self._guard, self._last, self._url, self._opened, self._deadline = guard, last, url, opened, deadline

    def connect_tcp(self, *_: Any, **__: Any) -> httpcore.NetworkStream:
        """A connection to the first address that answers. Raises FetchError."""
        host, deadline = self._url.host, self._deadline
        addresses = self._guard.addresses(self._url, self._opened, deadline)
        last = self._last.get(host)
        addresses = sorted(addresses, key=lambda address: address != last)[:MAX_ADDRESSES]
        deadline.doing = f"connecting to {host}"
        for address in addresses[:-1]:
            with suppress(OSError):
                return self._connection(address, CONNECT_SECONDS)
        try:
            return self._connection(addresses[-1], deadline.left)
        except OSError as error:
            raise FetchError(Problem.UNREACHABLE, f"No connection to {self._url.netloc} could be made.") from error

    def _connection(self, address: str, seconds: float) -> "Connection":
        connected = _connected(address, self._url.port, seconds, self._deadline)
        self._last[self._url.host] = address
        self._deadline.hosts[self._url.host] = None
        asked = "robots.txt" if self._url.target == "/robots.txt" else "answer"
        self._deadline.doing = f"waiting for the {asked} of {self._url.host}"
        return Connection(connected, self._deadline)


class Connection(httpcore.NetworkStream):
    """One connection. Counts what comes in."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._socket = sock
        self._deadline = deadline
        sock.settimeout(TICK)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Bytes as they come, none at the end. Raises FetchError."""
        del timeout  # the deadline decides
        try:
            data = self._retried(lambda: self._socket.recv(max_bytes))
        except OSError as error:
            raise FetchError(Problem.BROKEN, "The connection broke off.") from error
        self._deadline.count(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send it all. Raises httpcore's own error, since a server may answer early and hang up."""
        del timeout
        try:
            while buffer:
                buffer = buffer[self._retried(partial(self._socket.send, buffer)) :]
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted, to a server that proved its name. Raises FetchError."""
        del timeout
        awaited, self._deadline.doing = self._deadline.doing, f"agreeing on encryption with {server_hostname}"
        secured: socket.socket = self._socket
        try:
            secured = ssl_context.wrap_socket(
                self._socket, server_hostname=server_hostname, do_handshake_on_connect=False
            )
            connection = Connection(secured, self._deadline)
            connection._retried(secured.do_handshake)
        except BaseException as error:
            secured.close()
            if isinstance(error, ssl.SSLCertVerificationError):
                reason = str(getattr(error, "verify_message", "") or "its certificate is not valid").rstrip(".")
                why = f"{server_hostname} could not prove its name: {reason}."
                raise FetchError(Problem.CERTIFICATE, why) from error
            if isinstance(error, OSError | ValueError):
                why = f"No encrypted connection to {server_hostname} could be made."
                raise FetchError(Problem.UNREACHABLE, why) from error
            raise
        self._deadline.doing = awaited
        return connection

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks about a connection."""
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        return self._socket if info == "socket" else None

    def _retried(self, work: Callable[[], T]) -> T:
        """Try again each time a TICK has passed in vain, with a check of the deadline in between."""
        while True:
            self._deadline.check()
            try:
                return work()
            except (TimeoutError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                continue


def _connected(address: str, port: int, seconds: float, deadline: Deadline) -> socket.socket:
    """A connection to an IP address, which is never looked up again. Raises OSError, or FetchError in the end."""
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        failed = sock.connect_ex((address, port))
        if failed not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(failed, "not connected")
        until = deadline.spent + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(sock, selectors.EVENT_WRITE)
            while not selector.select(TICK):
                deadline.check()
                if deadline.spent >= until:
                    raise TimeoutError("no answer")
        failed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failed:
            raise OSError(failed, "not connected")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock
