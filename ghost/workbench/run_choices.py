"""What is chosen for one run, and what the settings allow it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from config import Settings, host_entry
from ghost.budget import Limits
from ghost.errors import ClaimError
from ghost.steps import SearchRules
from ghost.types import Pipeline
from ghost.web import Links


@dataclass(frozen=True, slots=True)
class RunChoices:
    """The choices of one run, as ``Workbench.verify`` takes them. They narrow the settings and never widen them."""

    web: bool = True
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    links: Links = field(default_factory=Links)
    follows: str = ""
    judge: str = ""
    cloud_fallback: bool = True
    pipeline: Pipeline = Pipeline.SEVEN_STEPS

    def kept(self) -> dict[str, Any]:
        """What the run keeps of them among its settings."""
        judge = {"judge_here": self.judge, "cloud_fallback_here": self.cloud_fallback}
        return {
            "allowed_here": list(self.allowed),
            "denied_here": list(self.denied),
            "links": list(self.links.named),
            "follows": self.follows,
            "pipeline": self.pipeline.value,
            **(judge if self.judge or not self.cloud_fallback else {}),
        }


def named_sites(what: str, entries: Sequence[str]) -> tuple[str, ...]:
    """Host suffixes as the settings have them; raises ClaimError naming the one that is none."""
    try:
        return tuple(host_entry(entry) for entry in entries)
    except ValueError as error:
        raise ClaimError(f"The sites that are {what} for this run: {error}.") from error


def search_rules(settings: Settings, choices: RunChoices) -> SearchRules:
    """Where a run may search, and how much."""
    s = settings
    return SearchRules(
        s.trusted_domains, s.fact_check_domains, s.allowed_domains, s.denied_domains, s.search_hits, s.search_seconds,
        choices.allowed, choices.denied,
    )  # fmt: skip


def limits_of(settings: Settings) -> Limits:
    """What one run may use."""
    s = settings
    return Limits(s.max_searches, s.max_fetches, s.max_tokens, s.max_cost_usd, s.max_seconds)


def research_limits_of(settings: Settings) -> Limits:
    """What one research may use."""
    s = settings
    return Limits(
        s.research_max_searches, s.research_max_fetches, s.research_max_tokens, s.research_max_cost_usd,
        s.research_max_seconds,
    )  # fmt: skip
