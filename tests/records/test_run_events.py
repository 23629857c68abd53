"""What workers report, and the queue's tables: every event comes back as it was, and positions only grow."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from procrastinate.schema import SchemaManager

from ghost.errors import TakenOverError
from ghost.events import (
    ClaimClassified,
    EvidenceWeighed,
    QuestionAnswered,
    QuestionResearched,
    QuestionRouted,
    QuestionSearched,
    ResearchEnded,
    ResearchPlanned,
    ResearchStarted,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SentencesWithdrawn,
    SourceUpdate,
    StepStarted,
    VerdictReached,
)
from ghost.records import Database, RunEvents, WorkEnded
from ghost.types import Claim, RouteMode, RouterDecision, RunStatus, Savings, Usage
from tests.ui.asking import wall_card
from tests.ui.researching import ANSWERS, plan
from tests.ui.samples import JUDGE, false_run

AT = datetime(2026, 11, 1, 12, 30, tzinfo=UTC)
DECISION = RouterDecision(
    "d1", "Is it so?", "It is so.", "c1", RouteMode.NOVEL, (), (), "Nothing in memory says so.", 0.2, AT
)
SCHEMA = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"
"""SHA-256 of the tables of the queue's library. A release that changes them brings a script in its ``migrations``: run
it in ``ghost.records.migrations``, then renew this."""


@pytest.fixture
def reported(postgres_url: str) -> Iterator[RunEvents]:
    database = Database.open(postgres_url)
    yield RunEvents(database)
    database.close()


def everything() -> list[Any]:
    run, decision = false_run(), DECISION
    assert run.classification
    assert run.verdict
    return [
        RunStarted("r1", Claim("A claim \x00 with a NUL", as_of=AT.date()), AT, JUDGE, {"web": False, "links": []}),
        StepStarted("classify", 1, 2, "Turn 2"),
        ClaimClassified(run.classification),
        EvidenceWeighed(run.evidence),
        SourceUpdate("https://example.org/a", "A page", "read", quotes=("One.", "Two.")),
        SentenceAccepted("It is so [1]."),
        SentencesWithdrawn("The stance model says the opposite."),
        VerdictReached(run.verdict, JUDGE),
        RunEnded("r1", RunStatus.FINISHED, AT, Usage(searches=2, cost_usd=0.01)),
        QuestionSearched("Searching …"),
        QuestionRouted(decision, (wall_card(),), wall_card(), "Nobody answered."),
        QuestionAnswered(decision, "So it is."),
        ResearchStarted("r2", "A topic", AT, JUDGE),
        ResearchPlanned(plan()),
        *map(QuestionResearched, ANSWERS),
        ResearchEnded("r2", RunStatus.FAILED, AT, Usage(), Savings(1, 2, 3), "The disk is full."),
        WorkEnded("It failed.", unusable=True),
    ]


def test_every_event_comes_back_as_it_was_reported(reported: RunEvents) -> None:
    position = reported.begin("r1")
    for number, event in enumerate(everything(), start=position + 1):
        reported.add("r1", position, number, event)
    assert reported.since("r1", 0) == (everything(), position + len(everything()))
    assert reported.since("r1", position + len(everything()) - 1)[0] == [WorkEnded("It failed.", unusable=True)]
    assert reported.since("nonsense", 3) == ([], 3)


def test_a_second_attempt_goes_on_after_the_first_and_replaces_it(reported: RunEvents) -> None:
    first = reported.begin("r1")
    reported.add("r1", first, first + 1, SentenceAccepted("First."))
    second = reported.begin("r1")
    assert second > first + 1
    reported.add("r1", second, second + 1, SentenceAccepted("Second."))
    for position in (0, first, first + 1, second):
        assert reported.since("r1", position) == ([SentenceAccepted("Second.")], second + 1)
    assert reported.forget() == 0  # nothing is old


def test_an_attempt_that_was_taken_over_reports_nothing_more(reported: RunEvents) -> None:
    first = reported.begin("r1")
    second = reported.begin("r1")
    with pytest.raises(TakenOverError):
        reported.add("r1", first, second + 5, WorkEnded("It failed."))
    reported.add("r1", second, second + 1, SentenceAccepted("Second."))
    assert reported.since("r1", 0)[0] == [SentenceAccepted("Second.")]


def test_the_tables_of_the_queue_are_those_that_the_migration_knows() -> None:
    assert hashlib.sha256(SchemaManager.get_schema().encode()).hexdigest() == SCHEMA
