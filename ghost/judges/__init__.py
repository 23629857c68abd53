"""Who reads evidence and decides: a language model, or the embedded models."""

from ghost.judges.base import Classifies, Decides, Drafting, Judge, ReadsByStance, SourceQuote, SourceReading, Withdrawn
from ghost.judges.embedded.calibration import (
    Calibration,
    calibration_for,
    fit,
    keep,
    kept_odds,
    left_out_odds,
    odds_for,
    reading_bound,
    shipped,
)
from ghost.judges.embedded.claims.article import MAX_CHARS, taken_apart
from ghost.judges.embedded.claims.classify import classify
from ghost.judges.embedded.claims.typed import CLASSES, ClaimReader, Reading, ReadsClaims
from ghost.judges.embedded.decision import Rule, combine, decide_statement
from ghost.judges.embedded.frames import frame_for, read_framed, with_frame
from ghost.judges.embedded.judge import QUOTE_CHARS, EmbeddedJudge, is_frame
from ghost.judges.embedded.odds import CREDIBILITY_WEIGHT, TAKES_SIDE, Odds, features, plainest
from ghost.judges.embedded.polarity import content, opposed, repeats
from ghost.judges.embedded.ratings import checker_says, rated_side
from ghost.judges.embedded.readers import (
    VERBATIM,
    AmountReader,
    DenialReader,
    RatingReader,
    bare,
    denied,
    followed,
    rates,
    said,
)
from ghost.judges.embedded.recency import timed
from ghost.judges.language import foreign_language, unreadable_language
from ghost.judges.llm import conversation_prompts, prompts
from ghost.judges.llm.assistant import Assistant, CardLookup, Proposal
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.conversation import Assessment, Conversation, ConversationTurn, StatementWeight
from ghost.judges.llm.conversation_replies import (
    ExtractArguments,
    FactExtraction,
    FetchArguments,
    FinishArguments,
    SearchArguments,
    Tool,
)
from ghost.judges.llm.judge import LLMJudge
from ghost.judges.llm.local_server import LocalServer
from ghost.judges.llm.request import Endpoint, Price, Question, known_price
from ghost.judges.llm.research import ResearchWriter, research_prompts
from ghost.judges.llm.tool_calls import ToolRequest
from ghost.judges.route import JUDGE_KINDS, Judges, RouteJudge, Stop
from ghost.judges.shares import Count, Shares, Step, keep_shares, kept_shares, known_shares, shares_of
from ghost.web import meaning, rated, worded

__all__ = [
    "CLASSES",
    "CREDIBILITY_WEIGHT",
    "JUDGE_KINDS",
    "MAX_CHARS",
    "QUOTE_CHARS",
    "TAKES_SIDE",
    "VERBATIM",
    "AmountReader",
    "Assessment",
    "Assistant",
    "Calibration",
    "CardLookup",
    "ChatClient",
    "ClaimReader",
    "Classifies",
    "Conversation",
    "ConversationTurn",
    "Count",
    "Decides",
    "DenialReader",
    "Drafting",
    "EmbeddedJudge",
    "Endpoint",
    "ExtractArguments",
    "FactExtraction",
    "FetchArguments",
    "FinishArguments",
    "Judge",
    "Judges",
    "LLMJudge",
    "LocalServer",
    "Odds",
    "Price",
    "Proposal",
    "Question",
    "RatingReader",
    "Reading",
    "ReadsByStance",
    "ReadsClaims",
    "ResearchWriter",
    "RouteJudge",
    "Rule",
    "SearchArguments",
    "Shares",
    "SourceQuote",
    "SourceReading",
    "StatementWeight",
    "Step",
    "Stop",
    "Tool",
    "ToolRequest",
    "Withdrawn",
    "bare",
    "calibration_for",
    "checker_says",
    "classify",
    "combine",
    "content",
    "conversation_prompts",
    "decide_statement",
    "denied",
    "features",
    "fit",
    "followed",
    "foreign_language",
    "frame_for",
    "is_frame",
    "keep",
    "keep_shares",
    "kept_odds",
    "kept_shares",
    "known_price",
    "known_shares",
    "left_out_odds",
    "meaning",
    "odds_for",
    "opposed",
    "plainest",
    "prompts",
    "rated",
    "rated_side",
    "rates",
    "read_framed",
    "reading_bound",
    "repeats",
    "research_prompts",
    "said",
    "shares_of",
    "shipped",
    "taken_apart",
    "timed",
    "unreadable_language",
    "with_frame",
    "worded",
]
