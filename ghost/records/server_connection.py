"""Connections to a PostgreSQL server that wait for no answer that will never come.

A server, a network or a proxy between them may fall silent without a word. TCP notices some of that; a connection also
asks the server, over another one, whether it is still at work. So a statement may take as long as it needs, and
nobody waits for one whose answer is lost.
"""

import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import psycopg

SILENT_SECONDS = 20.0
"""After so long without an answer a connection asks whether the server still works on it."""
SETTLE_SECONDS = 30.0
"""How long a process tries to find out whether its write was kept."""
_DOUBTED = 1.25
"""So many times as long, once it does not: the answer may be on its way, or the question."""
_ASK_SECONDS = 5
_LISTEN_SECONDS = 3600.0
_RETRY_SECONDS = 0.2

OPTIONS = {
    "connect_timeout": "10",
    "application_name": "ghost",
    # A server that is gone without a word is noticed within a minute.
    "keepalives_idle": "20",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""What each connection has, unless the address says otherwise."""
SETTINGS = {
    "jit": "off",  # compiling the ranking of a search takes longer than the search
    # The server, too, notices within a minute that a client is gone, and frees its locks.
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
"""What each session begins with."""

_WORKS = "SELECT wait_event_type IS DISTINCT FROM 'Client' FROM pg_stat_activity WHERE pid = %s"
_END = "SELECT pg_terminate_backend(%s, 5000)"
_EPOCH = "(SELECT stats_reset FROM pg_stat_bgwriter)::text"  # it changes when a server recovers from a crash
_BEGIN = f"SELECT {_EPOCH}, " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in SETTINGS.items())
_STATUS = f"SELECT {_EPOCH}, pg_xact_status(%s::xid8)"


@dataclass(frozen=True, slots=True)
class Transaction:
    """One that writes, by what the server calls it."""

    xid: str
    pid: int
    """Of the process of the server that it is in."""
    epoch: str
    """Differs once the server has crashed since."""


class ServerConnection(psycopg.Connection[Any]):
    """Fails with OperationalError when the server is silent and no longer works on what it was asked."""

    _other: Callable[[], "_Brief"]
    epoch = ""
    """Another one after the server has crashed."""

    @classmethod
    def connect(cls, *args: Any, **named: Any) -> Self:
        """As psycopg's own."""
        connection = super().connect(*args, **named)
        connection._other = partial(_Brief.connect, *args, **named)
        try:
            connection._begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self) -> None:
        wanted, self.autocommit = self.autocommit, True
        self.epoch = str(self.execute(_BEGIN).fetchall()[0][0])
        self.autocommit = wanted

    def wait(self, gen: Any, *args: Any, **named: Any) -> Any:
        """As psycopg's own, and raises when it would be in vain."""
        return super().wait(self._watched(gen), *args, **named)

    def _watched(self, waiting: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        heard, doubted = time.monotonic(), False
        try:
            wanted = next(waiting)
            while True:
                ready = yield wanted  # now and then with nothing, to look around
                now = time.monotonic()
                if ready:
                    heard, doubted = now, False
                elif now - heard > SILENT_SECONDS * (_DOUBTED if doubted else 1):
                    if self._is_at_work():
                        heard, doubted = time.monotonic(), False
                    elif not doubted:
                        doubted = True
                    else:
                        waiting.close()
                        self._end_session()
                        raise psycopg.OperationalError(f"no answer for {SILENT_SECONDS:g} seconds")
                wanted = waiting.send(ready)
        except StopIteration as ended:
            return ended.value

    def _is_at_work(self) -> bool:
        """Whether the server has yet to answer."""
        try:
            with closing(self._other()) as other:
                return (True,) in other.execute(_WORKS, (self.info.backend_pid,)).fetchall()
        except psycopg.Error:  # nobody answers there either
            return False

    def _end_session(self) -> None:
        """End it here, and where possible on the server, with its locks."""
        pid = self.info.backend_pid
        self.pgconn.finish()
        with suppress(psycopg.Error), closing(self._other()) as other:
            other.execute(_END, (pid,))


class QueueConnection(psycopg.AsyncConnection[Any]):
    """Of a worker's queue, whose statements are short: fails with OperationalError when one has no answer for long."""

    def notifies(
        self, *, timeout: float | None = None, stop_after: int | None = None
    ) -> AsyncGenerator[psycopg.Notify]:
        """As psycopg's own, and ends after an hour: silence is what is expected here."""
        return super().notifies(timeout=_LISTEN_SECONDS if timeout is None else timeout, stop_after=stop_after)

    async def wait(self, gen: Any, *args: Any, **named: Any) -> Any:
        """As psycopg's own, for ``SILENT_SECONDS``."""
        try:
            return await super().wait(gen, *args, **{"timeout": SILENT_SECONDS} | named)
        except psycopg.errors._WaitTimeout:
            if named.get("timeout") is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no answer for {SILENT_SECONDS:g} seconds") from None


class _Brief(psycopg.Connection[Any]):
    """One for a question or two, which gives up soon."""

    @classmethod
    def connect(cls, *args: Any, **named: Any) -> Self:
        return super().connect(*args, **named | {"connect_timeout": _ASK_SECONDS, "autocommit": True})

    def wait(self, gen: Any, *args: Any, **named: Any) -> Any:
        try:
            return super().wait(gen, *args, **named | {"timeout": _ASK_SECONDS})
        except psycopg.errors._WaitTimeout:
            self.pgconn.finish()
            raise psycopg.OperationalError("no answer") from None


def was_kept(address: str, transaction: Transaction) -> bool | None:
    """Whether a transaction was committed whose end was not heard of; None when that cannot be found out.

    One that still waits for its end is ended. The server is asked for ``SETTLE_SECONDS``.
    """
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until:
        try:
            with closing(_Brief.connect(address)) as connection:
                epoch, state = connection.execute(_STATUS, (transaction.xid,)).fetchall()[0]
                if state == "in progress":
                    connection.execute(_END, (transaction.pid,))
                elif state == "committed":
                    # After a crash the number of a transaction that was lost may be given to another one.
                    return True if str(epoch) == transaction.epoch else None
                else:
                    return False if state else None
        except psycopg.errors.InvalidParameterValue:  # a crash has lost it, and nothing has its number yet
            return False
        except psycopg.Error:  # the server restarts
            pass
        time.sleep(_RETRY_SECONDS)
    return None
