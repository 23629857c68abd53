"""The parts of a workbench that the settings choose: judges, search engines, and what fetches pages."""

from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from config import Settings
from ghost.demo_web import Opening
from ghost.judges import ClaimReader, EmbeddedJudge, Endpoint, Judges, Odds, Price, Rule, known_price
from ghost.text import without_secrets
from ghost.web import (
    Brave,
    CachedSearch,
    DuckDuckGo,
    FactCheckTools,
    Fetcher,
    GooglePSE,
    SearchProvider,
    SearXNG,
    SerpApi,
    Tavily,
    WebCache,
    Wikipedia,
)

MODELS = Path(__file__).parent.parent / "models"


def make_judges(s: Settings, kind: str, stance_model: str, claims: ClaimReader, odds: Odds) -> Judges:
    """The judges that the settings set up."""
    cloud = local = None
    if s.openai_api_key:
        if s.llm_price_in is not None and s.llm_price_out is not None:
            price: Price | None = Price(s.llm_price_in, s.llm_price_out)
        else:
            price = known_price(s.cloud_base_url, s.llm_model)
        key = s.openai_api_key.get_secret_value()
        cloud = Endpoint(
            "cloud", s.cloud_base_url, s.llm_model, key, s.llm_temperature, s.llm_timeout_seconds, s.llm_retries, price
        )
    if s.local_base_url:
        local = Endpoint(
            "local", s.local_base_url, s.local_model, "", s.llm_temperature, s.llm_timeout_seconds, s.llm_retries
        )
    embedded = EmbeddedJudge(stance_model, claims=claims, rule=Rule(decides=odds.bound), odds=odds)
    return Judges(kind, embedded, cloud, local, s.allow_cloud_fallback)


def make_providers(s: Settings, cache: WebCache) -> tuple[SearchProvider, ...]:
    """The search engines that the settings name, in their order; none when the web is off."""
    made: dict[str, Callable[[], tuple[SearchProvider, str]]] = {
        "ddgs": lambda: (DuckDuckGo(s.ddgs_url), without_secrets(s.ddgs_url)),
        "wikipedia": lambda: (Wikipedia(s.wikipedia_url), without_secrets(s.wikipedia_url)),
        "searxng": lambda: (SearXNG(s.searxng_url), without_secrets(s.searxng_url)),
        "google_pse": lambda: (GooglePSE(_open(s.google_pse_key), s.google_pse_id), s.google_pse_id),
        "serpapi": lambda: (SerpApi(_open(s.serpapi_key)), ""),
        "brave": lambda: (Brave(_open(s.brave_key)), ""),
        "tavily": lambda: (Tavily(_open(s.tavily_key)), ""),
        "fact_check_tools": lambda: (FactCheckTools(_open(s.fact_check_tools_key)), ""),
    }
    """Each with what tells its answers apart when the settings change."""
    named = [made[name]() for name in s.search_providers.split(",") if name] if s.web else []
    if not s.search_cache_hours:
        return tuple(provider for provider, _ in named)
    return tuple(CachedSearch(provider, cache, s.search_cache_hours * 3600, place) for provider, place in named)


def make_fetcher(s: Settings, cache: WebCache) -> Fetcher:
    """Fetches pages of the public web; on the demo web only those of its made-up hosts."""
    if not s.demo_web:
        return Fetcher(cache)
    opening = Opening.on(s.demo_web)
    return Fetcher(cache, resolve=opening.resolve, local=opening.local)


def _open(key: SecretStr | None) -> str:
    return key.get_secret_value() if key else ""
