"""Connections that end when nothing is asked over them."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS = 20.0
"""So long the first request of a connection may take to arrive, without its body."""


class Connection(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """uvicorn's, which by itself waits for a first request for ever: a silent connection would keep its place."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._leave)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        if self._waiting:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:  # else it became a WebSocket
            self.transport.abort()
