"""The parts of an address that a request is made of."""

from dataclasses import dataclass
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request goes, and what it asks for there. Made from canonical addresses only."""

    scheme: str
    host: str
    """A name in ASCII, or an IP address without brackets."""
    port: int
    target: str
    """Path and query."""

    @classmethod
    def of(cls, address: str) -> "Place":
        """``address`` must be one that ``ghost.web.address.canonical`` returned."""
        parts = urlsplit(address)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(
            parts.scheme, parts.hostname or "", PORTS[parts.scheme] if parts.port is None else parts.port, target
        )

    @property
    def netloc(self) -> str:
        """Host and port as the Host header names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def asked(self) -> str:
        """What is asked for, in words; the answer may be a page, or where a robots.txt has led."""
        return f"the robots.txt of {self.host}" if self.target == "/robots.txt" else f"the answer of {self.host}"
