"""ghost.web"""

from ghost.web.address import canonical, host_of, page_key, same_page
from ghost.web.archive import Archive, Copy, NoCopy, suggested
from ghost.web.brave import Brave
from ghost.web.breaker import Breaker
from ghost.web.cache import WebCache
from ghost.web.cached_search import CachedSearch
from ghost.web.ddg import DuckDuckGo
from ghost.web.extract import (
    DISOWNING,
    ClaimReview,
    Extraction,
    Meaning,
    Notice,
    NoticeKind,
    PagePassage,
    ReadPage,
    Review,
    Sureness,
    Unreadable,
    WhyUnreadable,
    announced,
    asks,
    clean,
    day_in,
    declared_language,
    decode,
    kinds_of,
    labelled,
    language_of,
    meaning,
    of_title,
    probabilities,
    rated,
    read,
    reviewer_named,
    reviewer_of,
    says_retracted,
    text_of,
    types_of,
    worded,
)
from ghost.web.fact_check_tools import FactCheckTools
from ghost.web.fetch import Fetcher, PageFetcher
from ghost.web.fetched import Fetched, Problem
from ghost.web.google_pse import GooglePSE
from ghost.web.link_check import LIMITS, Link, LinkState, Looker, Memory, NoNetwork, check_links
from ghost.web.links import Links, usable
from ghost.web.retry import pause_before_retry
from ghost.web.search import ALL_STAGES, Hit, Remembered, Remembering, SearchProvider, Stage
from ghost.web.searxng import SearXNG
from ghost.web.serpapi import SerpApi
from ghost.web.tavily import Tavily
from ghost.web.waiting import in_time, pause
from ghost.web.wikipedia import Wikipedia

__all__ = [
    "ALL_STAGES",
    "DISOWNING",
    "LIMITS",
    "Archive",
    "Brave",
    "Breaker",
    "CachedSearch",
    "ClaimReview",
    "Copy",
    "DuckDuckGo",
    "Extraction",
    "FactCheckTools",
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
    "SerpApi",
    "Stage",
    "Sureness",
    "Tavily",
    "Unreadable",
    "WebCache",
    "WhyUnreadable",
    "Wikipedia",
    "announced",
    "asks",
    "canonical",
    "check_links",
    "clean",
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
    "page_key",
    "pause",
    "pause_before_retry",
    "probabilities",
    "rated",
    "read",
    "reviewer_named",
    "reviewer_of",
    "same_page",
    "says_retracted",
    "suggested",
    "text_of",
    "types_of",
    "usable",
    "worded",
]
