"""The record of a research: event by event, so that what is finished survives whatever happens next."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from ghost.errors import StoreError
from ghost.events import (
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    SentenceAccepted,
    StepFinished,
)
from ghost.records import Database, ResearchStore
from ghost.types import (
    Category,
    Estimate,
    GateDecision,
    GateState,
    JudgeInfo,
    Policy,
    ResearchAnswer,
    ResearchPlan,
    RunStatus,
    Savings,
    Skill,
    SubQuestion,
    TraceStep,
    Usage,
)

AT = datetime(2026, 11, 1, tzinfo=UTC)
PLAN = ResearchPlan(
    "A topic", Category.OTHER, Skill("general", "General", "Any.", Policy()), (SubQuestion(1, "One?"),), (),
    (GateDecision(1, GateState.NEEDS_WEB, "It is new."),), Estimate(0, 1, 1, 1, 0, 0.0, 1.0),
)  # fmt: skip
STARTED = ResearchStarted("r", "A topic", AT, JudgeInfo("embedded", ""), web=False)
ANSWER = ResearchAnswer(1, "So it is. [1]")
STEP = TraceStep("gate", AT, 0.1, "decided", "Because.")
ENDED = ResearchEnded("r", RunStatus.FINISHED, AT, Usage(searches=2), Savings(1, 2, 3))
WHOLE = (
    STARTED,
    StepFinished(4, STEP),
    ResearchPlanned(PLAN),
    SentenceAccepted("x"),
    QuestionResearched(ANSWER),
    ENDED,
)


@pytest.fixture
def store(database: Database) -> ResearchStore:
    return ResearchStore(database)


def test_a_research_is_kept_event_by_event(store: ResearchStore) -> None:
    assert list(store.record(iter(WHOLE), "r")) == list(WHOLE)
    found = store.get("r")
    assert found
    assert (found.topic, found.status, found.web, found.judge) == ("A topic", RunStatus.FINISHED, False, "embedded")
    assert (found.plan, found.answers, found.steps) == (PLAN, (ANSWER,), (STEP,))
    assert (found.usage.searches, found.savings, found.finished_at) == (2, Savings(1, 2, 3), AT)
    (light,) = store.list()
    assert (light.answers, light.steps, store.count(), store.get("none")) == ((ANSWER,), (), 1, None)


def test_an_answer_is_kept_once(store: ResearchStore) -> None:
    list(store.record(iter((STARTED, QuestionResearched(ANSWER), QuestionResearched(ANSWER))), "r"))
    found = store.get("r")
    assert found
    assert found.answers == (ANSWER,)


def test_one_that_is_left_is_interrupted_and_can_go_on(store: ResearchStore) -> None:
    events = store.record(iter(WHOLE), "r")
    next(events)
    with pytest.raises(StoreError, match="running"):
        store.apply(STARTED, "r")
    with pytest.raises(StoreError, match="running"):
        store.delete("r")
    events.close()  # type: ignore[attr-defined]
    found = store.get("r")
    assert found
    assert (found.status, found.error[:11]) == (RunStatus.INTERRUPTED, "The program")
    list(store.record(iter(WHOLE), "r"))
    again = store.get("r")
    assert again
    assert (again.status, again.error, len(again.steps)) == (RunStatus.FINISHED, "", 1)


def test_what_cannot_be_written_leaves_it_interrupted(store: ResearchStore, database: Database) -> None:
    def events() -> Iterator[ResearchEvent]:
        yield STARTED
        with database.write() as connection:
            connection.execute(text("ALTER TABLE research_answers RENAME TO gone"))
        yield QuestionResearched(ANSWER)

    with pytest.raises(StoreError):
        list(store.record(events(), "r"))
    with database.write() as connection:
        connection.execute(text("ALTER TABLE gone RENAME TO research_answers"))
    found = store.get("r")
    assert found
    assert found.status is RunStatus.INTERRUPTED


def test_a_dead_process_leaves_it_interrupted(store: ResearchStore, database: Database) -> None:
    store.apply(STARTED, "r")
    assert store.mark_interrupted() == 0
    with database.write() as connection:
        connection.execute(text("UPDATE researches SET owner = 'elsewhere/1/'"))
    assert store.mark_interrupted() == 1


def test_the_record_can_be_deleted(store: ResearchStore) -> None:
    list(store.record(iter(WHOLE), "r"))
    assert store.delete("r")
    assert not store.delete("r")
    assert (store.count(), store.get("r")) == (0, None)
