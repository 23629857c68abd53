"""ghost.judges"""

from ghost.judges.base import Drafting, Judge, ReadsByStance, SourceReading, Withdrawn
from ghost.judges.calibration import Calibration, calibration_for, fit, keep, kept_odds, odds_for, shipped
from ghost.judges.choice import Judges
from ghost.judges.claims.article import MAX_CHARS, taken_apart
from ghost.judges.claims.classify import classify
from ghost.judges.claims.reader import CLASSES, ClaimReader, ReadsClaims
from ghost.judges.claims.style import GROUPS, NAMES, style
from ghost.judges.client import ChatClient
from ghost.judges.decision import Rule, combine, decide_statement
from ghost.judges.embedded import EmbeddedJudge
from ghost.judges.endpoint import Endpoint, Price, known_price
from ghost.judges.language import foreign_language
from ghost.judges.local import LocalServer
from ghost.judges.odds import STANDING, Odds, features
from ghost.judges.polarity import content, opposed
from ghost.judges.ratings import VERBATIM, RatingReader, bare, followed, meaning, rated, rates, said, worded
from ghost.judges.recency import timed
from ghost.judges.request import Question
from ghost.judges.same_claim import same_claims
from ghost.judges.wording import is_frame

__all__ = [
    "CLASSES",
    "GROUPS",
    "MAX_CHARS",
    "NAMES",
    "STANDING",
    "VERBATIM",
    "Calibration",
    "ChatClient",
    "ClaimReader",
    "Drafting",
    "EmbeddedJudge",
    "Endpoint",
    "Judge",
    "Judges",
    "LocalServer",
    "Odds",
    "Price",
    "Question",
    "RatingReader",
    "ReadsByStance",
    "ReadsClaims",
    "Rule",
    "SourceReading",
    "Withdrawn",
    "bare",
    "calibration_for",
    "classify",
    "combine",
    "content",
    "decide_statement",
    "features",
    "fit",
    "followed",
    "foreign_language",
    "is_frame",
    "keep",
    "kept_odds",
    "known_price",
    "meaning",
    "odds_for",
    "opposed",
    "rated",
    "rates",
    "said",
    "same_claims",
    "shipped",
    "style",
    "taken_apart",
    "timed",
    "worded",
]
