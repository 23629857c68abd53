"""What the settings allow a run."""

from collections.abc import Sequence

from config import Settings, host_entry
from ghost.budget import Limits
from ghost.errors import ClaimError
from ghost.pipelines import RunOptions
from ghost.steps import SearchRules


def named_sites(what: str, entries: Sequence[str]) -> tuple[str, ...]:
    """Host suffixes as the settings have them; raises ClaimError naming the one that is none."""
    try:
        return tuple(host_entry(entry) for entry in entries)
    except ValueError as error:
        raise ClaimError(f"The sites that are {what} for this run: {error}.") from error


def search_rules(settings: Settings, options: RunOptions) -> SearchRules:
    """Where a run may search, and how much."""
    s = settings
    return SearchRules(
        s.trusted_domains, s.fact_check_domains, s.allowed_domains, s.denied_domains, s.search_hits, s.search_seconds,
        options.allowed, options.denied,
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
