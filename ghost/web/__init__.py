"""The web: search providers, fetching, and reading what was fetched. Entered here."""

from ghost.web.claim_review import ClaimReview
from ghost.web.fetch.archive import Archive, Copy, NoCopy, suggested
from ghost.web.fetch.cache import WebCache
from ghost.web.fetch.deadline import in_time, pause
from ghost.web.fetch.fetcher import Fetcher, FetchLimits, PageFetcher
from ghost.web.fetch.link_check import LIMITS, Link, LinkState, Looker, Memory, NoNetwork, check_links
from ghost.web.fetch.links import MAX_LINKS, Links, usable
from ghost.web.fetch.outcome import Fetched, NotFetched, Problem, Seen
from ghost.web.providers.base import ALL_STAGES, Hit, Remembered, Remembering, SearchProvider, Stage, plain_query
from ghost.web.providers.brave import Brave
from ghost.web.providers.breaker import Breaker, pause_before_retry
from ghost.web.providers.cached import CachedSearch
from ghost.web.providers.client import Maybe, ProviderClient, Rows, Text
from ghost.web.providers.duckduckgo import DuckDuckGo
from ghost.web.providers.google_fact_check import FactCheckTools
from ghost.web.providers.google_pse import GooglePSE
from ghost.web.providers.searxng import SearXNG
from ghost.web.providers.serpapi import SerpApi
from ghost.web.providers.tavily import Tavily
from ghost.web.providers.wikipedia import Wikipedia
from ghost.web.url import Url, UrlError, canonical, host_of, original, page_key, same_page, same_site
