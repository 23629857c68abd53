"""A run as its trace shows it: steps on a time line, what was spent of each limit, and the table of candidates.

What was stored by another version is read as far as it can be; what is missing is said to be missing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ghost.types import Run, Stance, TraceStep

CONVERSATION = "conversation"
"""The stage and the purpose of a turn, as the trace calls it."""
TOOK_OVER = "took_over"
"""What the trace counts where the seven steps take over."""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """A step on the time line."""

    position: int
    """1-based place in the trace."""
    name: str
    turn: int
    """How often the step had been at work before, plus one."""
    turns: int
    """How often it was at work in all."""
    start: float
    """Seconds after the start of the run."""
    seconds: float
    stopped: bool
    """Whether it ended by a failure, a limit or a wish to stop."""


@dataclass(frozen=True, slots=True)
class LimitUsage:
    """What a run has used of one of its limits."""

    name: str
    used: float
    limit: float | None
    """None where the run did not keep it."""

    @property
    def share(self) -> float:
        """Used part of the limit, 0..1; 0 where the limit is not known."""
        return min(1.0, self.used / self.limit) if self.limit else 0.0


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate of step 3 with every number of its way to the weight; see ``ghost/steps/rerank/report.py``."""

    statement: int
    passage_id: str
    n: int | None
    """``[n]`` in the run; None for what was dropped."""
    kept: bool
    code: str
    why: str
    title: str
    domain: str
    found_in: str
    published_at: date | None
    characters: int
    rank: int
    semantic: float | None
    lexical: float | None
    fused: float
    stances: Stance
    relevance: float
    credibility: float
    access_bonus: float
    final: float
    origin: int | None
    """Its origin among what was relevant for the statement."""
    nearness: float | None = None
    """Of the passage and the statement; 1 for the very words. Older runs have only ``semantic``."""
    telling: float | None = None
    """How much it says of the statement, which counts beside its weight; None in older runs."""
    as_of: str = ""
    """The year, month or day for which it holds; empty where it does not say, and in older runs."""
    read: bool = True
    """Whether the stance model read it; else it was only screened. Older runs read all with one model."""
    unreadable: bool = False
    """As for ``Evidence``."""
    corrected: int | None = None
    """Id of the person's reading that counts in place of the model's."""


def timeline(run: Run) -> list[TimelineStep]:
    """One bar for each step that has ended, in order."""
    turns, so_far = Counter(s.name for s in run.steps), Counter[str]()
    bars = []
    for position, step in enumerate(run.steps, start=1):
        so_far[step.name] += 1
        start = max(0.0, (step.started_at - run.started_at).total_seconds())
        stopped = step.decision == "stopped"
        turn = so_far[step.name], turns[step.name]
        bars.append(TimelineStep(position, step.name, *turn, start, step.seconds, stopped))
    return bars


def limit_usage(run: Run) -> list[LimitUsage]:
    """What was used of each limit, by the limits that the run itself was made with."""
    names = ("searches", "fetches", "tokens", "cost_usd", "seconds")
    return [LimitUsage(n, float(getattr(run.usage, n)), _number(run.settings.get(f"max_{n}"))) for n in names]


def converses(run: Run) -> bool:
    """Whether a language model has searched and read in a conversation, at least for one turn."""
    return any(s.inputs.get("stage") == CONVERSATION or CONVERSATION in _purposes(s) for s in run.steps)


def fell_back(run: Run) -> str:
    """Why the seven steps took over from a conversation; empty where they did not."""
    troubles = ((s.reason, s.outputs.get("troubles")) for s in run.steps)
    return next((why for why, found in troubles if isinstance(found, Mapping) and found.get(TOOK_OVER)), "")


def _purposes(step: TraceStep) -> list[object]:
    return [call.get("purpose") for call in step_rows((step,), step.name, "calls")]


def step_rows(steps: Iterable[TraceStep], step: str, name: str) -> list[Mapping[str, Any]]:
    """The rows that the steps of one name have stored under ``name``. Outside text, perhaps of another version."""
    found = (s.outputs.get(name) for s in steps if s.name == step)
    return [row for rows in found if isinstance(rows, list | tuple) for row in rows if isinstance(row, Mapping)]


def candidates(steps: Sequence[TraceStep]) -> list[CandidateRow] | None:
    """The candidates of the last round of step 3; None where the run was made before they were kept."""
    last = next((s for s in reversed(steps) if s.name == "rerank"), None)
    rows = last.outputs.get("candidates") if last else None
    if not isinstance(rows, list):
        return None
    return [row for row in map(_candidate, rows) if row]


def _candidate(row: object) -> CandidateRow | None:
    try:
        return _adapter().validate_python(row)
    except ValidationError:
        return None


@cache
def _adapter() -> TypeAdapter[CandidateRow]:
    return TypeAdapter(CandidateRow)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
