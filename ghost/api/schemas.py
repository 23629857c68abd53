"""What the API takes and gives. Requests refuse unknown fields; answers may get more of them in later versions."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictStr, model_validator

from ghost.types import Label, Pipeline, RunStatus


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
RUN = "079e706dfda444e49ab31da49d1842bd"
"""The run of the examples."""
JudgeKind = Literal["auto", "cloud", "local", "embedded"]


class Request(BaseModel):
    """What is common to all requests."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _few_unknown(cls, value: object) -> object:
        """Pydantic makes an error of each unknown field, and all others wait for that."""
        unknown = [name for name in value if name not in cls.model_fields] if isinstance(value, dict) else []
        if len(unknown) > 20:
            first = ", ".join(str(name)[:40] for name in unknown[:5])
            raise ValueError(f"There are no fields {first} and {len(unknown) - 5:,} more")
        return value


class Answer(BaseModel):
    """What is common to all answers."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)


def examples(*values: dict[str, Any]) -> ConfigDict:
    """The configuration of a model with these examples, beside what its base has."""
    return ConfigDict(json_schema_extra={"examples": list(values)})


class VerifyRequest(Request):
    """A claim to check, and how."""

    model_config = examples(
        {"claim": "The Great Wall of China is visible from the Moon."},
        {
            "claim": "The bridge was closed in March.",
            "context": "From a report on roadworks.",
            "as_of": "2026-03-31",
            "found_at": "https://news.example.org/bridge",
            "web": False,
            "judge": "embedded",
        },
    )

    claim: Text = Field(min_length=1, max_length=100_000)
    """A sentence that says something about the world. The server's settings may allow fewer characters."""
    context: Text = Field(default="", max_length=100_000)
    """What was said around the claim."""
    as_of: Day | None = None
    """Evidence published after this day is left out."""
    found_at: Text | None = Field(default=None, max_length=2_000)
    """Address of the page where the claim was found; that page never counts as evidence."""
    statements: list[Text] = Field(default=[], max_length=100)
    """Check these instead of what step 1 extracts from the claim."""
    web: StrictBool = True
    """Whether this run may search the web, where the settings allow it."""
    allowed_sites: list[Text] = Field(default=[], max_length=100)
    """Use only these sites in this run."""
    denied_sites: list[Text] = Field(default=[], max_length=100)
    """Use none of these sites in this run."""
    links: list[Text] = Field(default=[], max_length=100)
    """Read these pages first and judge them too."""
    judge: JudgeKind | None = None
    """Who decides, among the judges that the settings allow. Default: as the settings say."""
    cloud_fallback: StrictBool = True
    """False: if the local judge fails, the cloud is not asked, even if the settings allow it."""
    pipeline: Pipeline | None = None
    """How to check the claim. A single conversation needs a language model. Default: GHOST_PIPELINE."""


class ProblemDocument(Answer):
    """What went wrong and what to do about it (RFC 9457)."""

    model_config = examples(
        {
            "type": "urn:ghost:problem:no_such_run",
            "title": "There is no such run",
            "status": 404,
            "detail": "There is no such run.",
            "code": "no_such_run",
            "remedy": "GET /api/runs lists the stored runs.",
            "request_id": "4f1c2a9d3b7e6058",
        }
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

    model_config = examples(
        {"ready": True, "status": "ready", "version": "0.1.0", "problems": []},
        {
            "ready": False,
            "status": "opening",
            "version": "0.1.0",
            "problems": [
                {
                    "code": "opening",
                    "detail": "The server is still opening its knowledge base.",
                    "remedy": "Wait until GET /api/health says ready.",
                }
            ],
        },
    )

    ready: bool
    status: Literal["ready", "opening", "failed", "unhealthy", "closing"]
    version: str
    problems: list[HealthProblem] = []


class AccessAnswer(Answer):
    """What the caller may do, and which judges there are."""

    model_config = examples(
        {
            "role": "curate",
            "key": None,
            "key_required": False,
            "judges": ["local", "embedded"],
            "cloud_fallback": False,
            "workbench": "http://127.0.0.1:8501",
            "version": "0.1.0",
        }
    )

    role: Literal["read", "verify", "curate"]
    key: str | None
    """Name of the key; null for a caller without one."""
    key_required: bool
    judges: list[str]
    cloud_fallback: bool
    workbench: str
    """Address of the workbench's page."""
    version: str


class PairRequest(Request):
    """A one-time code."""

    code: Text = Field(min_length=1, max_length=40)
    """As it is shown; small letters and the dash do not matter."""


class PairAnswer(Answer):
    """A key of the role verify, which can be revoked like any other."""

    key: str


class StartedRun(Answer):
    """A run that was started."""

    model_config = examples(
        {
            "run_id": RUN,
            "status": "running",
            "run": f"/api/runs/{RUN}",
            "events": f"/api/runs/{RUN}/events",
            "workbench": f"http://127.0.0.1:8501/?run={RUN}",
        }
    )

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
    """Some of the stored runs, newest first."""

    model_config = examples(
        {
            "total": 1,
            "runs": [
                {
                    "run_id": RUN,
                    "claim": "The Great Wall of China is visible from the Moon.",
                    "status": "finished",
                    "label": "False",
                    "confidence": 0.97,
                    "started_at": "2026-03-31T09:15:04.217000+00:00",
                    "finished_at": "2026-03-31T09:15:06.108000+00:00",
                    "judge": "embedded",
                }
            ],
        }
    )

    total: int
    """How many match."""
    runs: list[ListedRun]


class CancelledRun(Answer):
    """A run that was asked to stop, or had ended already."""

    model_config = examples({"run_id": RUN, "status": "running", "cancelling": True})

    run_id: str
    status: RunStatus
    cancelling: bool
    """Whether it still has to come to its end."""
