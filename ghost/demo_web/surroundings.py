"""What a fetcher and the settings of a workbench must be told to live on the demo web, and never in the user's data."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ghost.demo_web.library import read_sites

if TYPE_CHECKING:
    from ghost.demo_web.server import DemoWeb

ADDRESS = "127.0.0.1"
DAY = date(2026, 11, 22)
"""The day in the made-up world: what is new and what is too old there does not change with the years here."""


@dataclass(frozen=True)
class Opening:
    """The hosts of a demo web and where it listens; enough for a process that does not serve it itself."""

    hosts: frozenset[str]
    port: int

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


def values(web: "DemoWeb", folder: Path) -> dict[str, Any]:
    """Settings by field name. ``folder`` holds the demo's own database and index.

    Judge and models stay as the user has set them.
    """
    lists = web.library.lists
    return {
        "data_dir": folder,
        "database_url": "",  # servers of the user's hold the user's own passages
        "chroma_url": "",
        "web": True,
        "search_providers": "searxng",
        "searxng_url": web.url,
        "demo_web": web.port,
        "trusted_domains": lists.trusted,
        "fact_check_domains": lists.fact_checkers,
        "source_credibility": lists.credibility,
        "allowed_domains": (),
        "denied_domains": (),
    }


def environment(settings: Mapping[str, Any]) -> dict[str, str]:
    """The same as variables of the environment, for a process of its own."""
    return {f"GHOST_{name.upper()}": _text(value) for name, value in settings.items()}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, dict | tuple) else str(value)
