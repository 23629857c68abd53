"""The web: search providers, fetching pages, and reading what was fetched."""

from ghost.web.extract.claim_review import ClaimReview, Review, reviewer_named, reviewer_of
from ghost.web.extract.dates import Sureness, day_in
from ghost.web.extract.decoding import declared_language, decode, language_of, probabilities
from ghost.web.extract.frames import concerns, frame_of
from ghost.web.extract.hidden import clean
from ghost.web.extract.html import text_of
from ghost.web.extract.inline import settle_signs
from ghost.web.extract.main_text import Extraction
from ghost.web.extract.notices import DISOWNING, Notice, NoticeKind, of_title, says_retracted
from ghost.web.extract.page import PagePassage, ReadPage, Unreadable, WhyUnreadable
from ghost.web.extract.ratings import Meaning, announced, asks, kinds_of, labelled, meaning, rated, worded
from ghost.web.extract.read import read
from ghost.web.extract.structured_data import types_of
from ghost.web.fetch.archive import Archive, Copy, NoCopy, suggested
from ghost.web.fetch.cache import WebCache
from ghost.web.fetch.deadline import in_time, pause
from ghost.web.fetch.fetcher import Fetcher, FetchLimits, PageFetcher, read_again
from ghost.web.fetch.links import (
    LIMITS,
    MAX_LINKS,
    Link,
    Links,
    LinkState,
    Looker,
    Memory,
    NoNetwork,
    check_links,
    usable,
)
from ghost.web.fetch.outcome import Fetched, NotFetched, Problem, Seen
from ghost.web.providers.base import (
    ALL_STAGES,
    CachedSearch,
    Hit,
    Remembered,
    Remembering,
    SearchProvider,
    Stage,
    plain_query,
)
from ghost.web.providers.brave import Brave
from ghost.web.providers.breaker import Breaker, pause_before_retry
from ghost.web.providers.duckduckgo import DuckDuckGo
from ghost.web.providers.google import FactCheckTools, GooglePSE
from ghost.web.providers.searxng import SearXNG
from ghost.web.providers.serpapi import SerpApi
from ghost.web.providers.tavily import Tavily
from ghost.web.providers.wikipedia import Wikipedia

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
    "WebCache",
    "WhyUnreadable",
    "Wikipedia",
    "announced",
    "asks",
    "check_links",
    "clean",
    "concerns",
    "day_in",
    "declared_language",
    "decode",
    "frame_of",
    "in_time",
    "kinds_of",
    "labelled",
    "language_of",
    "meaning",
    "of_title",
    "pause",
    "pause_before_retry",
    "plain_query",
    "probabilities",
    "rated",
    "read",
    "read_again",
    "reviewer_named",
    "reviewer_of",
    "says_retracted",
    "settle_signs",
    "suggested",
    "text_of",
    "types_of",
    "usable",
    "worded",
]
