"""What the lists say of one site."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ghost.knowledge import HostRules, split
from ghost.types import SourceType


class Sources(Protocol):
    """What is known about a source by its address."""

    def credibility(self, url: str) -> float:
        """0..1."""
        ...

    def rated(self, url: str) -> bool:
        """Whether anybody has said how far it is to be believed."""
        ...

    def source_type(self, url: str) -> SourceType:
        """What kind of publisher it is."""
        ...


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of the settings."""

    trusted: tuple[str, ...]
    fact_check: tuple[str, ...]
    allowed: tuple[str, ...]
    denied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for an address."""

    host: str
    credibility: float
    rated: bool
    source_type: SourceType
    trusted: str
    """The entry of the list that it falls under; empty when none does."""
    fact_check: str
    denied: str
    allowed: str
    kept: bool
    """Whether a search hit of it would be kept at all."""


def standing(url: str, lists: Lists, sources: Sources) -> Standing | None:
    """What the lists say of an address or a host; None when it is neither."""
    host, _ = split(url)
    if "." not in host:
        return None
    denied, allowed = _entry(lists.denied, url), _entry(lists.allowed, url)
    return Standing(
        host=host,
        credibility=sources.credibility(url),
        rated=sources.rated(url),
        source_type=sources.source_type(url),
        trusted=_entry(lists.trusted, url),
        fact_check=_entry(lists.fact_check, url),
        denied=denied,
        allowed=allowed,
        kept=not denied and (not lists.allowed or bool(allowed)),
    )


def _entry(entries: Iterable[str], url: str) -> str:
    return HostRules({entry: entry for entry in entries}).find(url) or ""
