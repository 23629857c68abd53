"""What the server answers to one request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """An answer; the body may come piece by piece, without an end."""

    body: bytes | Iterable[bytes] = b""
    content_type: str = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before the first byte."""
    length: int | None = None
    """What ``Content-Length`` says, where that is not the truth."""
    plain: bool = False
    """Whether it goes out as it is: not compressed, no validators, no answer 304."""
