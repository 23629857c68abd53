"""What a fetcher must be told to reach the demo web and nothing else: the one opening of its address check."""

from dataclasses import dataclass
from datetime import date

from ghost.demo_web.library import read_sites

ADDRESS = "127.0.0.1"
DAY = date(2026, 11, 22)
"""The day in the made-up world: what is new and what is too old there does not change with the years here."""


@dataclass(frozen=True)
class Opening:
    """The hosts of a demo web and where it listens; enough for a process that does not serve it itself."""

    hosts: frozenset[str]
    port: int
    """As the addresses have it."""

    @classmethod
    def on(cls, port: int) -> "Opening":
        """The opening to the demo web that listens on ``port``. Raises DemoError when its sites cannot be read."""
        return cls(frozenset(read_sites()), port)

    @property
    def local(self) -> frozenset[tuple[str, int]]:
        """The pairs of host and port that a fetcher may find on this machine."""
        return frozenset((host, self.port) for host in self.hosts)

    def resolve(self, host: str, port: int) -> list[str]:
        """A look-up that knows these hosts and no other; raises OSError. Asks no network."""
        if host.lower().rstrip(".") not in self.hosts:
            raise OSError(f"{host}:{port} is not on the demo web.")
        return [ADDRESS]
