"""What the API takes and gives. Requests refuse unknown fields; answers may get more of them in later versions."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictStr

from ghost.types import Label, RunStatus


def _iso_day(value: object) -> object:
    """A day as text; pydantic itself would take a number as seconds since 1970."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a day such as 2026-03-31")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("must be a day such as 2026-03-31") from None


Day = Annotated[date, BeforeValidator(_iso_day, json_schema_input_type=date)]
"""A day, written YYYY-MM-DD."""
Text = StrictStr
"""Text; a number or a list is refused instead of written down as one."""
JudgeKind = Literal["auto", "cloud", "local", "embedded"]


class Request(BaseModel):
    """What is common to all requests."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Answer(BaseModel):
    """What is common to all answers."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)


class VerifyRequest(Request):
    """A claim to check, and how."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={
            "examples": [
                {"claim": "The Great Wall of China is visible from the Moon."},
                {
                    "claim": "The bridge was closed in March.",
                    "context": "From a report on roadworks.",
                    "as_of": "2026-03-31",
                    "found_at": "https://news.example.org/bridge",
                    "web": False,
                    "judge": "embedded",
                },
            ]
        },
    )

    claim: Text = Field(min_length=1, max_length=100_000)
    """A sentence that says something about the world. The server's settings may allow fewer characters."""
    context: Text = Field(default="", max_length=100_000)
    """What was said around the claim."""
    as_of: Day | None = None
    """Evidence published after this day is left out."""
    found_at: Text | None = Field(default=None, max_length=2_000)
    """Address of the page where the claim was found; that page never supports it."""
    statements: list[Text] = Field(default=[], max_length=100)
    """Check these in place of what step 1 extracts from the claim."""
    web: StrictBool = True
    """Whether this run may search the web, where the settings allow it."""
    allowed_sites: list[Text] = Field(default=[], max_length=100)
    """Use nothing of all other sites, in this run."""
    denied_sites: list[Text] = Field(default=[], max_length=100)
    """Use nothing of these sites, in this run."""
    links: list[Text] = Field(default=[], max_length=100)
    """Read these pages first and judge them too."""
    judge: JudgeKind | None = None
    """Who decides, among the judges that the settings allow; without it as the settings say."""
    cloud_fallback: StrictBool = True
    """False: a run with the local judge does not fall back to the cloud, though the settings allow it."""


class ProblemDocument(Answer):
    """What went wrong and what to do about it (RFC 9457)."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:ghost:problem:no_such_run",
                    "title": "There is no such run",
                    "status": 404,
                    "detail": "There is no such run.",
                    "code": "no_such_run",
                    "remedy": "GET /api/runs lists the runs that are stored.",
                    "request_id": "4f1c2a9d3b7e6058",
                }
            ]
        },
    )

    type: str
    title: str
    status: int
    detail: str
    code: str
    remedy: str
    request_id: str
    errors: list[dict[str, str]] = []


class HealthProblem(Answer):
    """Why the server cannot be used."""

    code: str
    detail: str
    remedy: str


class Health(Answer):
    """Whether the server can be used, and why not."""

    ready: bool
    status: Literal["ready", "opening", "failed", "unhealthy", "closing"]
    version: str
    problems: list[HealthProblem] = []


class AccessAnswer(Answer):
    """What the caller may do, and which judges there are."""

    role: Literal["read", "verify", "curate"]
    key: str | None
    """Name of the key; null for a caller from this machine without one."""
    key_required: bool
    judges: list[str]
    cloud_fallback: bool
    workbench: str
    """Address of the workbench's page."""
    version: str


class StartedRun(Answer):
    """A run that was started."""

    run_id: str
    status: RunStatus
    run: str
    """Where its result is."""
    events: str
    """Where its events are."""
    workbench: str
    """The run on the workbench's page."""


class ListedRun(Answer):
    """A run in a list."""

    run_id: str
    claim: str
    status: RunStatus
    label: Label | None
    """The verdict that counts: the analyst's where there is one."""
    confidence: float | None
    started_at: datetime
    finished_at: datetime | None
    judge: str


class RunList(Answer):
    """Some of the runs that are stored, the newest first."""

    total: int
    """How many there are with these properties."""
    runs: list[ListedRun]


class CancelledRun(Answer):
    """A run that was asked to stop, or had ended already."""

    run_id: str
    status: RunStatus
    cancelling: bool
    """Whether it still has to come to its end."""


class ClaimAnswer(Answer):
    """The claim, and what step 1 made of it."""

    text: str
    context: str
    as_of: str | None
    found_at: str | None
    type: str | None
    statements: list[dict[str, Any]]


class Leaning(Answer):
    """What a verdict that abstains leans to."""

    label: str
    probability: float


class Reason(Answer):
    """Why a verdict abstains or is weak, and what would change it."""

    code: str
    text: str
    remedy: str


class VerdictAnswer(Answer):
    """The verdict."""

    label: Label
    confidence: float | None
    explanation: str
    contested: bool
    leaning: Leaning | None
    reasons: list[Reason]
    statements: list[dict[str, Any]]


class CitationAnswer(Answer):
    """A quote that the explanation points at."""

    n: int
    passage_id: str
    quote: str
    url: str
    domain: str
    title: str
    published_at: str | None
    stance: str
    accepted: bool
    why: str


class EvidenceAnswer(Answer):
    """A passage that was weighed."""

    n: int
    passage_id: str
    text: str
    url: str
    stance: dict[str, Any]


class StepAnswer(Answer):
    """A step of the trace."""

    name: str
    started_at: str
    seconds: float
    decision: str
    reason: str


class UsageAnswer(Answer):
    """What the run has spent."""

    searches: int
    fetches: int
    tokens: int
    cost_usd: float
    seconds: float


class JudgeAnswer(Answer):
    """Who decided, and who was asked before."""

    name: str
    model: str
    route: list[str]


class RunResult(Answer):
    """Everything that is known of a run."""

    run_id: str
    status: RunStatus
    error: str
    """What went wrong, for failed and interrupted runs."""
    started_at: str
    finished_at: str | None
    claim: ClaimAnswer
    verdict: VerdictAnswer | None
    """Ghost's verdict; null where the run has none, or none yet."""
    final_label: Label | None
    """The verdict that counts: the analyst's where there is one."""
    citations: list[CitationAnswer]
    evidence: list[EvidenceAnswer]
    steps: list[StepAnswer]
    usage: UsageAnswer
    judge: JudgeAnswer
    settings: dict[str, Any]
    left_the_machine: list[str]
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    workbench: str
    """The run on the workbench's page."""
