"""Connections that end when nothing is asked over them, or a request does not come to its point."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS = 20.0
"""So long a request may take to arrive, without its body."""
HEAD_BYTES = 1_100_000
"""So much may arrive while no request is worked on: a head, after the body of one that was refused unread."""


class Connection(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """uvicorn's, which by itself waits for the head of a request for ever and keeps all of it, however long: clients
    that are slow or send too much would take its places and its memory."""

    _waiting: asyncio.TimerHandle | None = None
    _unasked = 0
    """Bytes that have arrived since the last request."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, and wait for the rest of a request of which only a part has."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._unasked = 0
            self._wait_no_longer()
            return
        self._unasked += len(data)
        if self._unasked > HEAD_BYTES:
            self.transport.abort()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._leave)

    def _wait_no_longer(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def _leave(self) -> None:
        if self.transport.get_protocol() is self:  # else it became a WebSocket
            self.transport.abort()
