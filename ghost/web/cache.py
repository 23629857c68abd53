"""The edge to whatever keeps answers of the web for a while."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class Kept(Protocol):
    """An answer as it was stored."""

    @property
    def head(self) -> Mapping[str, str]:
        """What was noted about it: status, type, validators such as ``etag``."""
        ...

    @property
    def body(self) -> bytes:
        """What was answered."""
        ...

    @property
    def stored_at(self) -> datetime:
        """When it was answered."""
        ...

    @property
    def fresh(self) -> bool:
        """Whether its lifetime lasts still; a stale answer may only be asked after (a conditional request)."""
        ...


class WebCache(Protocol):
    """Keeps answers by kind (``search``, ``page``, ``robots``) and key; what it loses is asked for again."""

    def get(self, kind: str, key: str) -> Kept | None:
        """The answer, fresh or stale; None when there is none."""
        ...

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep an answer for ``seconds``; replaces what was there."""
        ...
