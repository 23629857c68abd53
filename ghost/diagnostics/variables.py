"""Every setting with its variable, value and default, and what the lists of sites say about one site.

Of secrets only whether they are set is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import PydanticUndefined

from config import ADDRESSES, SECRETS, Settings
from ghost.knowledge import HostRules, split_address
from ghost.steps import SourceRatings
from ghost.text import server_of
from ghost.types import SourceType

LISTS = ("trusted_domains", "fact_check_domains", "allowed_domains", "denied_domains", "source_credibility")
SET, NOT_SET = "set", "not set"

_GROUPS: dict[str, tuple[str, ...]] = {
    "Data and page": (
        "data_dir", "database_url", "chroma_url", "host", "port", "host_names", "open_browser", "log_format",
        "grace_seconds", "packs_off",
    ),
    "HTTP API": (
        "api_host", "api_port", "api_require_key", "api_origins", "api_requests_per_second", "api_log_claims"
    ),
    "Models": ("embedding_model", "reranker_model", "stance_model", "threads"),
    "Judge": ("judge", "openai_api_key", "cloud_base_url", "local_", "allow_cloud_fallback", "llm_"),
    "Limits of one run": ("max_claim_chars", "max_searches", "max_fetches", "max_rounds", "max_tokens", "max_cost_usd",
                          "max_seconds", "pipeline", "max_iterations"),
    "Limits per research": ("research_",),
    "Evidence": ("top_k_", "min_", "credibility_boost", "max_per_domain"),
    "Sources": LISTS,
    "Web search": ("web", "search_", "ddgs_", "wikipedia_", "searxng_", "google_pse_", "serpapi_", "brave_", "tavily_",
                   "fact_check_tools_", "page_", "archive_", "demo_web"),
    "Reports": ("publisher_",),
}  # fmt: skip
"""Groups in the order shown. A field belongs to the first group that has its name or a prefix of it."""
OTHERS = "More"


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting."""

    name: str
    """Of the environment variable."""
    group: str
    value: str
    default: str
    changed: bool
    """Whether it was set, even to the default."""
    secret: bool = False


def variables(settings: Settings) -> tuple[Variable, ...]:
    """All settings, in groups."""
    found = [_variable(settings, field) for field in type(settings).model_fields]
    order = [*_GROUPS, OTHERS]
    return tuple(sorted(found, key=lambda v: order.index(v.group)))


def variable_of(field: str) -> str:
    """The environment variable of a setting."""
    return "OPENAI_API_KEY" if field == "openai_api_key" else f"GHOST_{field.upper()}"


def _variable(settings: Settings, field: str) -> Variable:
    value, default = getattr(settings, field), type(settings).model_fields[field].default
    secret = field in SECRETS
    if secret:
        shown, usual = (SET if value else NOT_SET), NOT_SET
    elif field in ADDRESSES:
        shown, usual = (str(value) if value == default else server_of(str(value))), str(default)
    else:
        shown, usual = _words(value), _words(default)
    changed = field in settings.model_fields_set and not (secret and not value)
    return Variable(variable_of(field), _group(field), shown, usual, changed, secret)


def _group(field: str) -> str:
    by_name = (group for group, names in _GROUPS.items() if field in names)
    by_prefix = (group for group, names in _GROUPS.items() if field.startswith(tuple(n for n in names if n[-1] == "_")))
    return next(by_name, None) or next(by_prefix, OTHERS)


def _words(value: Any) -> str:
    if value is None or value is PydanticUndefined or value == "":
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping | tuple | list):
        return f"{len(value):,} {'entry' if len(value) == 1 else 'entries'}"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if not isinstance(value, Path) else value.as_posix()


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What the lists say about an address. Of each list it has the matching entry, or an empty string."""

    host: str
    credibility: float
    rated: bool
    source_type: SourceType
    trusted: str
    fact_check: str
    denied: str
    allowed: str
    kept: bool
    """Whether a search hit from there is kept."""


def site_report(url: str, settings: Settings, sources: SourceRatings) -> SiteReport | None:
    """What the lists of the settings say about an address or a host; None when the text is neither."""
    host, _ = split_address(url)
    if "." not in host:
        return None
    trusted, fact_check, allowed, denied = (
        HostRules({entry: entry for entry in entries}).find(url) or ""
        for entries in (
            settings.trusted_domains, settings.fact_check_domains, settings.allowed_domains, settings.denied_domains,
        )
    )  # fmt: skip
    return SiteReport(
        host, sources.credibility(url), sources.rated(url), sources.source_type(url), trusted, fact_check, denied,
        allowed, kept=not denied and (not settings.allowed_domains or bool(allowed)),
    )  # fmt: skip
