"""Every setting with its variable, value and default, and what the lists of sites say about one site.

Of secrets only whether they are set is shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic_core import PydanticUndefined

from config import ADDRESSES, SECRETS, Settings
from ghost.knowledge import HostRules, split_address
from ghost.text import server_of
from ghost.types import SourceType

LISTS = ("trusted_domains", "fact_check_domains", "allowed_domains", "denied_domains", "source_credibility")
SET, NOT_SET = "set", "not set"

_GROUPS: dict[str, tuple[str, ...]] = {
    "Data and page": ("data_dir", "chroma_url", "host", "port", "host_names", "packs_off"),
    "Models": ("embedding_model", "reranker_model", "stance_model", "threads"),
    "Judge": ("judge", "openai_api_key", "cloud_base_url", "local_", "allow_cloud_fallback", "llm_"),
    "Limits of one run": ("max_claim_chars", "max_searches", "max_fetches", "max_rounds", "max_tokens", "max_cost_usd",
                          "max_seconds"),
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
    for group, names in _GROUPS.items():
        if field in names:
            return group
    for group, names in _GROUPS.items():
        if field.startswith(tuple(name for name in names if name.endswith("_"))):
            return group
    return OTHERS


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


class Sources(Protocol):
    """What is known about a source by its address."""

    def credibility(self, url: str) -> float:
        """0..1."""
        ...

    def rated(self, url: str) -> bool:
        """Whether it has a rating."""
        ...

    def source_type(self, url: str) -> SourceType:
        """The kind of publisher."""
        ...


@dataclass(frozen=True, slots=True)
class SiteLists:
    """The lists of sites in the settings."""

    trusted: tuple[str, ...]
    fact_check: tuple[str, ...]
    allowed: tuple[str, ...]
    denied: tuple[str, ...]


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


def site_report(url: str, lists: SiteLists, sources: Sources) -> SiteReport | None:
    """What the lists say about an address or a host; None when the text is neither."""
    host, _ = split_address(url)
    if "." not in host:
        return None
    denied, allowed = _entry(lists.denied, url), _entry(lists.allowed, url)
    return SiteReport(
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
