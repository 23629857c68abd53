"""ghost.web"""

from ghost.web.address import canonical, host_of, page_key, same_page
from ghost.web.archive import Archive, Copy, NoCopy, suggested
from ghost.web.brave import Brave
from ghost.web.breaker import Breaker
from ghost.web.cache import WebCache
from ghost.web.cached_search import CachedSearch
from ghost.web.charset import decode
from ghost.web.claim_review import ClaimReview, reviewer_named, reviewer_of
from ghost.web.dating import Sureness
from ghost.web.days import day_in
from ghost.web.ddg import DuckDuckGo
from ghost.web.fact_check_tools import FactCheckTools
from ghost.web.fetch import Fetcher, PageFetcher
from ghost.web.fetched import Fetched, Problem
from ghost.web.google_pse import GooglePSE
from ghost.web.language import declared_language, language_of, probabilities
from ghost.web.link_check import LIMITS, Link, LinkState, Looker, Memory, NoNetwork, check_links
from ghost.web.links import Links, usable
from ghost.web.main_text import Extraction
from ghost.web.markup import text_of
from ghost.web.notices import DISOWNING, Notice, NoticeKind, of_title, says_retracted
from ghost.web.passages import PagePassage
from ghost.web.rating import asks, labelled, meaning, rated, worded
from ghost.web.rating_words import Meaning, announced, kinds_of
from ghost.web.read import read
from ghost.web.read_page import ReadPage, Unreadable, WhyUnreadable
from ghost.web.retry import pause_before_retry
from ghost.web.reviews import Review
from ghost.web.schema_org import types_of
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
