"""What the API says of a run, described for programs. The values themselves are made in ``ghost.reports``."""

from typing import Any

from ghost.api.schemas import RUN, Answer, examples
from ghost.types import Harm, Intake, Kind, Label, Pipeline, RunStatus


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
    truth_percentage: float | None
    """How true the claim is as a whole, 0 to 100; null for an abstention and where no figure is given."""
    harm: Harm | None
    """How much harm it does if people believe the claim and it is wrong; null where nobody was asked."""
    leaning: Leaning | None
    reasons: list[Reason]
    statements: list[dict[str, Any]]


class CitationAnswer(Answer):
    """A quote that the explanation points at."""

    n: int
    kind: Kind
    intake: Intake
    cited_as: str
    """Whose words the quote is, as the subject of a sentence. A note is not in the words of the page it points at."""
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
    kind: Kind
    intake: Intake
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

    model_config = examples(
        {
            "run_id": RUN,
            "status": "finished",
            "error": "",
            "started_at": "2026-03-31T09:15:04.217000+00:00",
            "finished_at": "2026-03-31T09:15:06.108000+00:00",
            "claim": {
                "text": "The Great Wall of China is visible from the Moon.",
                "context": "",
                "as_of": None,
                "found_at": None,
                "type": "FACTUAL",
                "statements": [{"number": 1, "text": "The Great Wall of China is visible from the Moon."}],
            },
            "verdict": {
                "label": "False",
                "confidence": 0.97,
                "explanation": "[1] A note in the library (check it at Wikipedia: Great Wall of China) says: The "
                "Great Wall of China is not visible to the naked eye from the Moon, which contradicts the claim.",
                "contested": False,
                "truth_percentage": None,
                "harm": None,
                "leaning": None,
                "reasons": [],
                "statements": [],
            },
            "final_label": "False",
            "citations": [
                {
                    "n": 1,
                    "kind": "note",
                    "intake": "entered",
                    "cited_as": "A note in the library (check it at Wikipedia: Great Wall of China)",
                    "passage_id": "p_61dd741f0af6c35e",
                    "quote": "The Great Wall of China is not visible to the naked eye from the Moon",
                    "url": "https://en.wikipedia.org/wiki/Great_Wall_of_China",
                    "domain": "wikipedia.org",
                    "title": "Great Wall of China",
                    "published_at": None,
                    "stance": "REFUTES",
                    "accepted": True,
                    "why": "The quote stands in the passage, and the stance model does not object.",
                }
            ],
            "evidence": [],
            "steps": [],
            "usage": {"searches": 0, "fetches": 0, "tokens": 0, "cost_usd": 0.0, "seconds": 1.9},
            "judge": {
                "name": "embedded",
                "model": "stance-mpnet",
                "route": ["embedded (stance-mpnet): always there, runs on this machine."],
            },
            "failed_judges": [],
            "pipeline": "seven-steps",
            "settings": {},
            "left_the_machine": [
                "Nothing: no search was made, no page was fetched, and no text went to a language model."
            ],
            "workbench": f"http://127.0.0.1:8501/?run={RUN}",
        }
    )

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
    failed_judges: list[str]
    """Who was asked before and failed, at which step and why; as in the route of ``judge``."""
    pipeline: Pipeline
    """How the claim was checked; a conversation that the seven steps took over says so in its steps."""
    settings: dict[str, Any]
    left_the_machine: list[str]
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    workbench: str
    """The run on the workbench's page."""
