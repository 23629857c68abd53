"""What the analyst wants checked, and what step 1 makes of it."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from ghost.types.scopes import NO_SCOPES, Scopes


class ClaimType(StrEnum):
    """What kind of sentence the claim is; OPINION and AMBIGUOUS end a run at step 1."""

    FACTUAL = "FACTUAL"
    OPINION = "OPINION"
    MIXED = "MIXED"
    AMBIGUOUS = "AMBIGUOUS"


class ReasonCode(StrEnum):
    """Why a verdict abstains, or what weakens it."""

    OPINION = "opinion"
    AMBIGUOUS = "ambiguous"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    NO_SOURCES = "no_sources"
    OFF_TOPIC = "off_topic"
    NOT_DECISIVE = "not_decisive"
    BELOW_BOUND = "below_bound"
    """The evidence leans one way, and verdicts of that probability are too often wrong."""
    CONFLICT = "conflict"
    WEAK_ORIGIN = "weak_origin"
    CITATIONS_REJECTED = "citations_rejected"
    NO_PROVIDER = "no_provider"
    PROVIDER_DOWN = "provider_down"
    BUDGET = "budget"
    TOO_OLD = "too_old"
    JUDGE_FAILED = "judge_failed"


NOT_ENGLISH = "Not in English"


@dataclass(frozen=True, slots=True)
class Claim:
    """What the analyst wants checked."""

    text: str
    context: str = ""
    as_of: date | None = None
    """Evidence published after this day is left out."""
    found_at: str | None = None
    """Where the claim was found; that page never supports it."""
    statements: tuple[str, ...] = ()
    """What to check in it, in the analyst's words; empty: what step 1 extracts."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One checkable part of a claim."""

    number: int
    """1-based position in the claim."""
    text: str
    scopes: Scopes = NO_SCOPES
    """The scopes it names, and those that the claim names for all its statements."""


@dataclass(frozen=True, slots=True)
class Classification:
    """Outcome of step 1."""

    type: ClaimType
    confidence: float
    """Probability that the type is right, 0..1."""
    statements: tuple[Statement, ...]
    """What to check; empty for OPINION and AMBIGUOUS."""
    reason: str
    rephrase: str = ""
    """How to turn the claim into a checkable one, where it is not."""
    code: ReasonCode | None = None
    """Set when the claim cannot be checked."""
    check_worthiness: float | None = None
    """How much a check of the text is worth, 0..1, whatever its type; None where nobody has scored it."""
    extracted: tuple[str, ...] | None = None
    """What step 1 had found, where the analyst has put other statements in its place; else None."""

    @property
    def kind(self) -> str:
        """The type in the trace and in reports; what only a language model can read has none."""
        return NOT_ENGLISH if self.code is ReasonCode.UNSUPPORTED_LANGUAGE else self.type.value


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict abstains or is weak, and what would change it."""

    code: ReasonCode
    text: str
    remedy: str = ""
