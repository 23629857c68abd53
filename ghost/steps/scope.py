"""The sites that a run keeps to or leaves out, for what the knowledge base has; ``hits.py`` does it for the web."""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.knowledge import HostRules
from ghost.types import Candidate

MORE = 3
"""So many times as many candidates are asked for where some will be left out."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Host suffixes with an optional path, as the analyst has named them for one run."""

    allowed: tuple[str, ...] = ()
    """Where not empty, nothing else counts; what has no address does not either."""
    denied: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.allowed or self.denied)

    def within(self, hits: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that may count, in their order."""
        allowed, denied = (HostRules(dict.fromkeys(sites, True)) for sites in (self.allowed, self.denied))
        return [
            c
            for c in hits
            if not denied.matches(c.passage.source_url) and (not self.allowed or allowed.matches(c.passage.source_url))
        ]


ANYWHERE = Scope()
