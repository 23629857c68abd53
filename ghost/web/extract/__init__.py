"""Fetched bytes as text with everything known about it. Goes to no network."""

from ghost.web.extract.charset import Decoded, decode
from ghost.web.extract.claim_review import ClaimReview, Review, reviewer_named, reviewer_of, reviews_of
from ghost.web.extract.dates import day_in
from ghost.web.extract.hidden import Cleaned, clean
from ghost.web.extract.html import text_of
from ghost.web.extract.language import declared_language, language_of, probabilities
from ghost.web.extract.main_text import Extraction
from ghost.web.extract.notices import DISOWNING, Notice, NoticeKind, of_title, says_retracted
from ghost.web.extract.page import PagePassage, ReadPage, Unreadable, WhyUnreadable
from ghost.web.extract.page_metadata import Syndication
from ghost.web.extract.published import DateSure, Sureness
from ghost.web.extract.ratings import Meaning, announced, asks, kinds_of, labelled, meaning, rated, worded
from ghost.web.extract.read import prepare, read
from ghost.web.extract.structured_data import types_of

__all__ = [
    "DISOWNING",
    "ClaimReview",
    "Cleaned",
    "DateSure",
    "Decoded",
    "Extraction",
    "Meaning",
    "Notice",
    "NoticeKind",
    "PagePassage",
    "ReadPage",
    "Review",
    "Sureness",
    "Syndication",
    "Unreadable",
    "WhyUnreadable",
    "announced",
    "asks",
    "clean",
    "day_in",
    "declared_language",
    "decode",
    "kinds_of",
    "labelled",
    "language_of",
    "meaning",
    "of_title",
    "prepare",
    "probabilities",
    "rated",
    "read",
    "reviewer_named",
    "reviewer_of",
    "reviews_of",
    "says_retracted",
    "text_of",
    "types_of",
    "worded",
]
