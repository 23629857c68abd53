"""What a model answers in a conversation: the claim taken apart, functions that it wants called, facts, the verdict.

The docstrings of the models below are part of the schemas that models are sent.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from ghost.judges.llm.replies import Confidence, DecidedReply, VerdictReply, named
from ghost.types import ClaimType, Harm

MOST_FACTS = 20
"""Of one call."""


class SubClaim(BaseModel):
    """One checkable part of a claim, with the limits that the claim names for it."""

    text: str = Field(max_length=2000)
    jurisdiction: list[str] = Field(default_factory=list, max_length=20)
    time: list[str] = Field(default_factory=list, max_length=20)
    population: list[str] = Field(default_factory=list, max_length=20)
    method: list[str] = Field(default_factory=list, max_length=20)


class ClaimExtraction(BaseModel):
    """A claim taken apart."""

    reason: str = Field(max_length=2000)
    main_claim: str = Field(default="", max_length=4000)
    type: Annotated[ClaimType, named(ClaimType)]
    confidence: Confidence
    sub_claims: list[SubClaim] = Field(default_factory=list, max_length=40)
    queries: list[str] = Field(default_factory=list, max_length=20)
    rephrase: str = Field(default="", max_length=2000)


class Tool(StrEnum):
    """The functions of a conversation."""

    SEARCH = "search"
    FETCH = "fetch"
    EXTRACT = "extract_facts"
    FINISH = "finish"


class SearchArguments(BaseModel):
    """Arguments of search."""

    query: str = Field(min_length=1, max_length=2000)


class FetchArguments(BaseModel):
    """Arguments of fetch."""

    address: str = Field(min_length=1, max_length=4000)


class FactExtraction(BaseModel):
    """Words of a source that bear on a statement."""

    statement: int
    source: str = Field(max_length=4000)
    excerpt: str = Field(max_length=4000)
    opinion: bool = False


class ExtractArguments(BaseModel):
    """Arguments of extract_facts."""

    facts: list[FactExtraction] = Field(min_length=1, max_length=MOST_FACTS)


class FinishArguments(BaseModel):
    """Arguments of finish."""

    reason: str = Field(default="", max_length=2000)


Arguments = SearchArguments | FetchArguments | ExtractArguments | FinishArguments


class WrittenCall(BaseModel):
    """One function with the arguments that it needs; the others are empty."""

    tool: Annotated[Tool, named(Tool)]
    query: str = Field(default="", max_length=2000)
    address: str = Field(default="", max_length=4000)
    facts: list[FactExtraction] = Field(default_factory=list, max_length=MOST_FACTS)
    reason: str = Field(default="", max_length=2000)


class TurnReply(BaseModel):
    """Functions to call, written out by a model that cannot call them."""

    calls: list[WrittenCall] = Field(min_length=1, max_length=20)


def _percentage(value: object) -> object:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class WeighedReply(DecidedReply):
    """The label of one statement, how true it is (0 to 100), and how much the claim rests on it (1 to 3)."""

    truth: Annotated[float, BeforeValidator(_percentage), Field(ge=0.0, le=100.0, allow_inf_nan=False, strict=True)]
    importance: int = Field(ge=1, le=3)


class ConversationVerdict(VerdictReply):
    """What the model answers. The sentences come first, so that they can be shown while the rest is written."""

    statements: list[WeighedReply] = Field(default_factory=list, max_length=40)  # type: ignore[assignment]
    harm: Annotated[Harm, named(Harm)]
