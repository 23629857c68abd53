"""The web: search providers, fetching pages, and reading what was fetched."""

from ghost.web.address import canonical, host_of, original, page_key, same_page, same_site
from ghost.web.charset import decode
from ghost.web.claim_review import ClaimReview, reviewer_named, reviewer_of
from ghost.web.dating import Sureness
from ghost.web.days import day_in
from ghost.web.fetch.archive import Archive, Copy, NoCopy, suggested
from ghost.web.fetch.cache import WebCache
from ghost.web.fetch.deadline import in_time, pause
from ghost.web.fetch.fetcher import Fetcher, FetchLimits, PageFetcher
from ghost.web.fetch.link_check import LIMITS, Link, LinkState, Looker, Memory, NoNetwork, check_links
from ghost.web.fetch.links import MAX_LINKS, Links, usable
from ghost.web.fetch.outcome import Fetched, NotFetched, Problem, Seen
from ghost.web.language import declared_language, language_of, probabilities
from ghost.web.main_text import Extraction
from ghost.web.markup import text_of
from ghost.web.notices import DISOWNING, Notice, NoticeKind, of_title, says_retracted
from ghost.web.passages import PagePassage
from ghost.web.providers.base import ALL_STAGES, Hit, Remembered, Remembering, SearchProvider, Stage, plain_query
from ghost.web.providers.brave import Brave
from ghost.web.providers.breaker import Breaker, pause_before_retry
from ghost.web.providers.cached import CachedSearch
from ghost.web.providers.duckduckgo import DuckDuckGo
from ghost.web.providers.google_fact_check import FactCheckTools
from ghost.web.providers.google_pse import GooglePSE
from ghost.web.providers.searxng import SearXNG
from ghost.web.providers.serpapi import SerpApi
from ghost.web.providers.tavily import Tavily
from ghost.web.providers.wikipedia import Wikipedia
from ghost.web.rating import asks, labelled, meaning, rated, worded
from ghost.web.rating_words import Meaning, announced, kinds_of
from ghost.web.read import read
from ghost.web.read_page import ReadPage, Unreadable, WhyUnreadable
from ghost.web.reviews import Review
from ghost.web.schema_org import types_of
from ghost.web.url import Url, UrlError

__all__ = [
    "ALL_STAGES",
    "DISOWNING",
    "LIMITS",
    "MAX_LINKS",
    "Archive",
    "Brave",
    "Breaker",
    "CachedSearch",
    "ClaimReview",
    "Copy",
    "DuckDuckGo",
    "Extraction",
    "FactCheckTools",
    "FetchLimits",
    "Fetched",
    "Fetcher",
    "GooglePSE",
    "Hit",
    "Link",
    "LinkState",
    "Links",
    "Looker",
    "Meaning",
    "Memory",
    "NoCopy",
    "NoNetwork",
    "NotFetched",
    "Notice",
    "NoticeKind",
    "PageFetcher",
    "PagePassage",
    "Problem",
    "ReadPage",
    "Remembered",
    "Remembering",
    "Review",
    "SearXNG",
    "SearchProvider",
    "Seen",
    "SerpApi",
    "Stage",
    "Sureness",
    "Tavily",
    "Unreadable",
    "Url",
    "UrlError",
    "WebCache",
    "WhyUnreadable",
    "Wikipedia",
    "announced",
    "asks",
    "canonical",
    "check_links",
    "day_in",
    "declared_language",
    "decode",
    "host_of",
    "in_time",
    "kinds_of",
    "labelled",
    "language_of",
    "meaning",
    "of_title",
    "original",
    "page_key",
    "pause",
    "pause_before_retry",
    "plain_query",
    "probabilities",
    "rated",
    "read",
    "reviewer_named",
    "reviewer_of",
    "same_page",
    "same_site",
    "says_retracted",
    "suggested",
    "text_of",
    "types_of",
    "usable",
    "worded",
]
