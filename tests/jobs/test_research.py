"""Research in the background: planned, carried out, followed, stopped, and what cannot be used."""

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from ghost.errors import Cancelled, ClaimError, StoreError
from ghost.events import (
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    SourceUpdate,
    StepStarted,
)
from ghost.jobs import ResearchJobs, ResearchView
from ghost.types import (
    Category,
    Estimate,
    GateDecision,
    GateState,
    JudgeInfo,
    Policy,
    Research,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    Skill,
    SubQuestion,
    Usage,
)
from tests.jobs.conftest import wait_for

AT = datetime(2026, 11, 1, tzinfo=UTC)
PLAN = ResearchPlan(
    "A topic", Category.OTHER, Skill("general", "General", "Any.", Policy()), (SubQuestion(1, "One?"),), (),
    (GateDecision(1, GateState.NEEDS_WEB, "It is new."),), Estimate(0, 1, 1, 1, 0, 0.0, 1.0),
)  # fmt: skip
ANSWER = ResearchAnswer(1, "So it is. [1]")


class ScriptedResearcher:
    """Plans and answers at once, or as soon as ``gate`` opens."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.fails: Exception | None = None
        self.asked: list[dict[str, Any]] = []

    def plan(self, topic: str, *, cancelled: Callable[[], bool], **options: Any) -> ResearchPlan:
        self.asked.append({"topic": topic, **options})
        self._wait(cancelled)
        if self.fails:
            raise self.fails
        return PLAN

    def run(
        self, plan: ResearchPlan, *, research_id: str, cancelled: Callable[[], bool], **_: Any
    ) -> Iterator[ResearchEvent]:
        yield ResearchStarted(research_id, plan.topic, AT, JudgeInfo("embedded", ""))
        yield ResearchPlanned(plan)
        yield StepStarted("web", 6, 1, "question 1 of 1")
        yield SourceUpdate("https://a.test", "A", "reading")
        yield SourceUpdate("https://a.test", "A", "read")
        if self.fails:
            raise self.fails
        status = RunStatus.FINISHED
        try:
            self._wait(cancelled)
            yield QuestionResearched(ANSWER)
        except Cancelled:
            status = RunStatus.CANCELLED
        yield ResearchEnded(research_id, status, AT, Usage(searches=1), Savings(1, 2, 3))

    def resume(self, research_id: str, cancelled: Callable[[], bool]) -> Iterator[ResearchEvent]:
        return self.run(PLAN, research_id=research_id, cancelled=cancelled)

    def get(self, research_id: str) -> Research | None:
        return None if research_id == "none" else Research(research_id, "A topic", RunStatus.CANCELLED, AT, PLAN)

    def _wait(self, cancelled: Callable[[], bool]) -> None:
        while not self.gate.wait(0.01):
            if cancelled():
                raise Cancelled("The run was cancelled.")


@pytest.fixture
def researcher() -> ScriptedResearcher:
    return ScriptedResearcher()


@pytest.fixture
def jobs(researcher: ScriptedResearcher) -> Iterator[ResearchJobs]:
    made = ResearchJobs(researcher)  # type: ignore[arg-type]
    yield made
    made.close()
    researcher.gate.set()


def at(stage: str) -> Callable[[ResearchView], bool]:
    return lambda view: view.stage == stage


def test_a_plan_is_made_in_the_background(jobs: ResearchJobs, researcher: ScriptedResearcher) -> None:
    researcher.gate.clear()
    job = jobs.plan("a topic", "general", ["One?"], web=False)
    assert wait_for(jobs, job, at("planning")).topic == "a topic"
    assert jobs.active() == [job]
    researcher.gate.set()
    view = wait_for(jobs, job, at("planned"))
    assert (view.plan, view.topic, view.error, jobs.active()) == (PLAN, "A topic", "", [])
    (asked,) = researcher.asked
    assert (asked["skill"], asked["questions"], asked["web"]) == ("general", ["One?"], False)


def test_a_research_is_followed_to_its_end(jobs: ResearchJobs, researcher: ScriptedResearcher) -> None:
    researcher.gate.clear()
    job = jobs.start(PLAN)
    view = wait_for(jobs, job, lambda view: bool(view.sources) and view.sources[0].state == "read")
    assert (view.stage, view.step, view.number, view.detail) == ("running", "web", 6, "question 1 of 1")
    assert len(view.sources) == 1, "the latest of each"
    researcher.gate.set()
    view = wait_for(jobs, job, at("ended"))
    assert (view.status, view.answers, view.savings.searches, view.usage.searches) == (
        RunStatus.FINISHED, (ANSWER,), 2, 1,
    )  # fmt: skip
    assert view.seconds == view.ended - view.started
    log = jobs.log(job)
    assert log
    events, ended = log.since(0)
    assert ended
    assert isinstance(events[-1], ResearchEnded)


def test_a_plan_and_its_research_can_share_an_id(jobs: ResearchJobs) -> None:
    job = jobs.plan("a topic")
    plan = wait_for(jobs, job, at("planned")).plan
    assert jobs.start(plan, research_id=job) == job
    assert wait_for(jobs, job, at("ended")).status is RunStatus.FINISHED


@pytest.mark.parametrize("start", [lambda jobs: jobs.plan("a topic"), lambda jobs: jobs.start(PLAN)])
def test_it_stops(jobs: ResearchJobs, researcher: ScriptedResearcher, start: Callable[[ResearchJobs], str]) -> None:
    researcher.gate.clear()
    job = start(jobs)
    jobs.cancel(job)
    jobs.cancel("unknown")
    view = wait_for(jobs, job, at("ended"))
    assert (view.status, view.cancelling) == (RunStatus.CANCELLED, True)


def test_the_third_waits_for_its_turn(jobs: ResearchJobs, researcher: ScriptedResearcher) -> None:
    researcher.gate.clear()
    first, second, third = (jobs.start(PLAN) for _ in range(3))
    assert "Waiting" in wait_for(jobs, third, lambda view: bool(view.detail)).detail
    assert jobs.active() == [first, second, third]
    jobs.cancel(third)
    assert wait_for(jobs, third, at("ended")).status is RunStatus.CANCELLED
    researcher.gate.set()
    for job in (first, second):
        assert wait_for(jobs, job, at("ended")).status is RunStatus.FINISHED


@pytest.mark.parametrize(
    ("error", "unusable", "says"),
    [
        (ClaimError("There is no topic."), True, "There is no topic."),
        (StoreError("The disk is full."), False, "The disk is full."),
        (ValueError("odd"), False, "Unexpected ValueError: odd"),
    ],
)
def test_what_goes_wrong_is_said(
    jobs: ResearchJobs, researcher: ScriptedResearcher, error: Exception, unusable: bool, says: str
) -> None:
    researcher.fails = error
    starts: Sequence[Callable[[], str]] = (lambda: jobs.plan("x"), lambda: jobs.start(PLAN))
    for start in starts:
        view = wait_for(jobs, start(), at("ended"))
        assert (view.status, view.unusable, view.error) == (RunStatus.FAILED, unusable, says)


def test_one_that_was_stopped_goes_on(jobs: ResearchJobs, researcher: ScriptedResearcher) -> None:
    assert jobs.resume("old") == "old"
    assert wait_for(jobs, "old", at("ended")).status is RunStatus.FINISHED
    with pytest.raises(ClaimError):
        jobs.resume("none")
    researcher.gate.clear()
    jobs.resume("old")
    with pytest.raises(ClaimError, match="going on"):
        jobs.resume("old")
    assert jobs.snapshot("none") is None
    assert jobs.log("none") is None
