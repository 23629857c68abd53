"""Who reads evidence and decides: a language model, or the embedded models."""

from ghost.judges.base import Drafting, Judge, ReadsByStance, SourceReading, Withdrawn
from ghost.judges.embedded.amounts import AmountReader
from ghost.judges.embedded.calibration import Calibration, calibration_for, fit, keep, kept_odds, odds_for, shipped
from ghost.judges.embedded.claims.article import MAX_CHARS, taken_apart
from ghost.judges.embedded.claims.classify import classify
from ghost.judges.embedded.claims.reader import CLASSES, ClaimReader, ReadsClaims
from ghost.judges.embedded.claims.style import GROUPS, NAMES, style
from ghost.judges.embedded.decision import Rule, combine, decide_statement
from ghost.judges.embedded.denials import DenialReader, denied
from ghost.judges.embedded.judge import EmbeddedJudge
from ghost.judges.embedded.odds import CREDIBILITY_WEIGHT, Odds, features
from ghost.judges.embedded.polarity import content, opposed
from ghost.judges.embedded.ratings import VERBATIM, RatingReader, bare, followed, meaning, rated, rates, said, worded
from ghost.judges.embedded.recency import timed
from ghost.judges.embedded.same_claim import same_claims
from ghost.judges.embedded.wording import is_frame
from ghost.judges.language import foreign_language
from ghost.judges.llm import prompts
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.local_server import LocalServer
from ghost.judges.llm.request import Endpoint, Price, Question, known_price
from ghost.judges.route import Judges

__all__ = [
    "CLASSES",
    "CREDIBILITY_WEIGHT",
    "GROUPS",
    "MAX_CHARS",
    "NAMES",
    "VERBATIM",
    "AmountReader",
    "Calibration",
    "ChatClient",
    "ClaimReader",
    "DenialReader",
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
    "denied",
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
    "prompts",
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
