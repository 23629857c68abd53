"""Connections that go to checked addresses only, and never wait longer than a moment without looking up.

httpcore speaks HTTP over this. A socket that waits wakes each TICK, so the time of a fetch and the wish to stop hold in
the middle of a handshake, a header or a body, without a thread that would be left behind.
"""

import errno
import selectors
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import httpcore

from ghost.web.answered import Answered
from ghost.web.fetched import NoPage, Problem
from ghost.web.guard import Guard
from ghost.web.place import Place
from ghost.web.waiting import TICK
from ghost.web.watch import Watch

T = TypeVar("T")
CONNECT_SECONDS = 1.0
"""For each address of a host but the last, which gets what is left. A live one answers sooner, from anywhere."""
MAX_ADDRESSES = 4


class Wire(httpcore.NetworkBackend):
    """Connects to one place, at the addresses that the guard found and checked at this moment."""

    def __init__(self, guard: Guard, answered: Answered, place: Place, opened: bool, watch: Watch) -> None:
        self._guard = guard
        self._answered = answered
        self._place = place
        self._opened = opened
        self._watch = watch

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address that answers; raises NoPage."""
        del host, port, timeout, local_address, socket_options  # the place and the watch decide
        addresses = self._guard.addresses(self._place, self._opened, self._watch)
        addresses = self._answered.first(self._place.host, addresses)[:MAX_ADDRESSES]
        self._watch.doing = f"connecting to {self._place.host}"
        for address in addresses[:-1]:
            with suppress(OSError):
                return self._line(address, CONNECT_SECONDS)
        try:
            return self._line(addresses[-1], self._watch.left)
        except OSError as error:
            raise NoPage(Problem.UNREACHABLE, f"No connection to {self._place.netloc} came about.") from error

    def _line(self, address: str, seconds: float) -> "Line":
        connected = _connected(address, self._place.port, seconds, self._watch)
        self._answered.note(self._place.host, address)
        self._watch.doing = f"waiting for {self._place.asked}"
        return Line(connected, self._watch)


class Line(httpcore.NetworkStream):
    """One connection; counts what comes in."""

    def __init__(self, sock: socket.socket, watch: Watch) -> None:
        self._socket = sock
        self._watch = watch
        sock.settimeout(TICK)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Bytes as they come; none at the end. Raises NoPage."""
        del timeout
        try:
            data = self._patiently(lambda: self._socket.recv(max_bytes))
        except OSError as error:
            raise NoPage(Problem.BROKEN, "The connection broke off.") from error
        self._watch.count(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send it all; raises httpcore's own error, since a server may answer early and hang up."""
        del timeout
        try:
            while buffer:
                buffer = buffer[self._patiently(partial(self._socket.send, buffer)) :]
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted, with a server that proved its name; raises NoPage."""
        del timeout
        awaited, self._watch.doing = self._watch.doing, f"agreeing on encryption with {server_hostname}"
        try:
            secured = ssl_context.wrap_socket(
                self._socket, server_hostname=server_hostname, do_handshake_on_connect=False
            )
        except (OSError, ValueError) as error:
            self.close()
            raise NoPage(Problem.UNREACHABLE, f"No encrypted connection to {server_hostname} came about.") from error
        line = Line(secured, self._watch)
        try:
            line._patiently(secured.do_handshake)
        except ssl.SSLCertVerificationError as error:
            line.close()
            why = f"{server_hostname} could not prove its name: {_said(error)}."
            raise NoPage(Problem.CERTIFICATE, why) from error
        except OSError as error:
            line.close()
            raise NoPage(Problem.UNREACHABLE, f"No encrypted connection to {server_hostname} came about.") from error
        except BaseException:
            line.close()
            raise
        self._watch.doing = awaited
        return line

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks about a connection."""
        if info == "ssl_object" and isinstance(self._socket, ssl.SSLSocket):
            return self._socket
        return self._socket if info == "socket" else None

    def _patiently(self, work: Callable[[], T]) -> T:
        """Try again each time a TICK has passed in vain; everybody who may end it is asked in between."""
        while True:
            self._watch.look()
            try:
                return work()
            except (TimeoutError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                continue


def _connected(address: str, port: int, seconds: float, watch: Watch) -> socket.socket:
    """A connection to an IP address, which is never looked up again; raises OSError, or NoPage when time is over."""
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        failed = sock.connect_ex((address, port))
        if failed not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(failed, "not connected")
        until = watch.spent + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(sock, selectors.EVENT_WRITE)
            while not selector.select(TICK):
                watch.look()
                if watch.spent >= until:
                    raise TimeoutError("no answer")
        failed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failed:
            raise OSError(failed, "not connected")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _said(error: ssl.SSLCertVerificationError) -> str:
    return str(getattr(error, "verify_message", "") or "its certificate is not valid").rstrip(".")
