"""A person's reading decides its run again, counts in later runs, and can be undone as if it had never been made."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ghost.errors import StoreError
from ghost.pipelines import RunReadings
from ghost.records import Database, ReadingStore, RunStore, plan_pruning, training_pairs
from ghost.steps import RerankContext, RerankRules, rerank
from ghost.testing import ScriptedReader
from ghost.types import Candidate, Evidence, Label, Relation, Run, StanceLabel, Statement, Verdict
from tests.pipelines.runs import DAY, made, page, stance
from tests.records.kept import keep_run
from tests.ui.asking import ScriptedMatcher
from tests.ui.bench import prepare_database

CLAIM = "Honey does not spoil."
OTHER = "Honey never goes bad."
YES, NO, NEITHER = StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.NEUTRAL


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.open(prepare_database(tmp_path / "ghost.db"))


@pytest.fixture
def readings(database: Database) -> RunReadings:
    return RunReadings(RunStore(database), ReadingStore(database))


def stored(database: Database, *says: str) -> Run:
    """A finished run over pages that say so, as the records have it."""
    run = made([page(n, word) for n, word in enumerate(says, 1)], CLAIM)
    keep_run(database, replace(run, verdict=Verdict(Label.TRUE, 0.9, "It is.", probability=0.9)))
    kept = RunStore(database).get(run.id)
    assert kept
    return kept


def now(database: Database, run: Run) -> tuple[Label, list[StanceLabel]]:
    kept = RunStore(database).get(run.id)
    assert kept
    assert kept.verdict
    return kept.verdict.label, [e.stance.label for e in kept.evidence]


def later(readings: RunReadings, claim: str, matcher: ScriptedMatcher, text: str = "") -> Evidence:
    """The evidence of another run about the first page."""
    first = page(1, text=text) if text else page(1)
    context = RerankContext(today=DAY, readings=readings.store.standing, matcher=matcher)
    found = rerank(
        [Statement(1, claim)],
        {1: [Candidate(first, 1, 0.1, 0.6)]},
        ScriptedReader(stance),
        None,
        RerankRules(),
        context,
    )
    (e,) = found.value.evidence
    return e


def test_a_reading_decides_the_run_again_and_undoing_it_brings_everything_back(
    database: Database, readings: RunReadings
) -> None:
    run = stored(database, "yes", "other")
    one = readings.add(run.id, "p1", 1, NO)
    assert now(database, run) == (Label.FALSE, [NO, NEITHER])
    two = readings.add(run.id, "p2", 1, YES)
    kept = RunStore(database).get(run.id)
    assert kept
    assert [e.correction and (e.correction.id, e.correction.label) for e in kept.evidence] == [
        (one.id, NO),
        (two.id, YES),
    ]
    assert kept.steps[-2].decision == "decided again: False"
    assert kept.steps[-2].outputs["before"] == {"label": "True", "confidence": 0.9, "explanation": "It is."}
    assert "[1]" in kept.steps[-2].reason
    readings.set(one.id, False)
    assert now(database, run) == (Label.TRUE, [YES, YES])
    readings.set(two.id, False)
    back = RunStore(database).get(run.id)
    assert back
    assert (back.verdict, back.evidence, back.judge) == (run.verdict, run.evidence, run.judge)
    assert back.steps[-1].decision == "decided again: True"
    readings.set(one.id, True)
    assert now(database, run)[0] is Label.FALSE
    with pytest.raises(StoreError, match="Nothing was changed"):
        readings.set(one.id, True)


def test_the_newest_reading_counts_and_undoing_it_leaves_the_one_before(
    database: Database, readings: RunReadings
) -> None:
    run = stored(database, "yes")
    readings.add(run.id, "p1", 1, NO)
    newest = readings.add(run.id, "p1", 1, NEITHER)
    assert now(database, run) == (Label.NOT_ENOUGH_EVIDENCE, [NEITHER])
    readings.set(newest.id, False)
    assert now(database, run) == (Label.FALSE, [NO])


def test_a_reading_does_not_stand_where_its_run_could_not_be_decided(
    database: Database, readings: RunReadings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = stored(database, "yes")

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(RunStore, "revise", full)
    with pytest.raises(StoreError, match="full"):
        readings.add(run.id, "p1", 1, NO)
    assert [r.stands for r in readings.store.all()] == [False]
    assert now(database, run) == (Label.TRUE, [YES])


def test_readings_made_at_the_same_time_all_count(database: Database, readings: RunReadings) -> None:
    run = stored(database, "yes", "yes", "yes", "yes")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: readings.add(run.id, f"p{n}", 1, NO), range(1, 5)))
    assert now(database, run) == (Label.FALSE, [NO] * 4)


@pytest.mark.parametrize(
    ("run_id", "passage", "statement", "label"),
    [("gone", "p1", 1, NO), ("", "p9", 1, NO), ("", "p1", 2, NO), ("", "p1", 1, StanceLabel.OFF_TOPIC)],
)
def test_only_the_evidence_of_a_decided_run_can_be_read(
    database: Database, readings: RunReadings, run_id: str, passage: str, statement: int, label: StanceLabel
) -> None:
    run = stored(database, "yes")
    with pytest.raises(StoreError, match="Nothing was changed"):
        readings.add(run_id or run.id, passage, statement, label)
    assert readings.store.all() == []
    assert RunStore(database).get(run.id) == run


def test_later_runs_use_a_reading_for_the_same_statement_and_turn_it_round_for_the_opposite(
    database: Database, readings: RunReadings
) -> None:
    made = readings.add(stored(database, "yes").id, "p1", 1, NO)
    matcher = ScriptedMatcher()
    says = matcher.says
    for claim, relation, label in (
        ("Honey never goes bad.", Relation.SAME, NO),
        ("Honey spoils.", Relation.OPPOSITE, YES),
        ("Honey does not spoil in Norway.", Relation.RELATED, YES),
    ):
        says[(claim, CLAIM)] = relation
        e = later(readings, claim, matcher)
        assert (e.stance.label, e.correction is not None) == (label, relation is not Relation.RELATED)
    assert later(readings, CLAIM, matcher).correction is not None
    assert later(readings, CLAIM, matcher, "yes alpha1 bravo1 charlie1 edited").correction is None
    readings.set(made.id, False)
    assert later(readings, CLAIM, matcher).correction is None


def test_no_claims_are_compared_where_nobody_has_read_the_passage(database: Database, readings: RunReadings) -> None:
    class Never(ScriptedMatcher):
        def match(self, pairs):  # type: ignore[no-untyped-def]
            raise AssertionError(pairs)

    stored(database, "yes")
    assert later(readings, "Honey never goes bad.", Never()).correction is None


def test_what_only_the_screener_turned_away_comes_in_as_it_was_read(database: Database, readings: RunReadings) -> None:
    readings.add(stored(database, "yes").id, "p1", 1, NO)
    context = RerankContext(today=DAY, readings=readings.store.standing)
    off = ScriptedReader(lambda *_: stance("off", ""))
    found = rerank([Statement(1, CLAIM)], {1: [Candidate(page(1), 1, 0.1, 0.6)]}, off, None, RerankRules(), context)
    assert [e.stance.label for e in found.value.evidence] == [NO]
    assert found.outputs["candidates"][0]["corrected"] == 1
    assert "as you read it" in found.reason


def test_readings_that_stand_are_training_pairs(database: Database, readings: RunReadings) -> None:
    run = stored(database, "yes", "other")
    readings.add(run.id, "p1", 1, NEITHER)
    readings.set(readings.add(run.id, "p2", 1, NO).id, False)
    (line,) = training_pairs(readings.store.all())
    assert json.loads(line) == {"claim": CLAIM, "evidence": page(1).text, "label": "NEI"}


def test_a_newer_reading_replaces_an_older_one_and_both_say_what_ghost_had_read(
    database: Database, readings: RunReadings
) -> None:
    run = stored(database, "yes")
    first, second = readings.add(run.id, "p1", 1, NO), readings.add(run.id, "p1", 1, NEITHER)
    assert (first.machine, second.machine) == (YES, YES)
    assert [json.loads(line)["label"] for line in training_pairs(readings.store.all())] == ["NEI"]
    readings.set(second.id, False)
    assert [json.loads(line)["label"] for line in training_pairs(readings.store.all())] == ["REFUTES"]


@pytest.mark.parametrize(("relation", "label", "machine"), [(Relation.SAME, NO, YES), (Relation.OPPOSITE, YES, NO)])
def test_what_ghost_had_read_is_known_where_a_reading_of_another_statement_counts(
    database: Database, readings: RunReadings, relation: Relation, label: StanceLabel, machine: StanceLabel
) -> None:
    run = stored(database, "yes")
    readings.add(run.id, "p1", 1, NO)
    matcher = ScriptedMatcher()
    matcher.says[(OTHER, CLAIM)] = relation
    e = later(readings, OTHER, matcher)
    assert e.stance.label is label
    assert run.classification
    classified = replace(run.classification, statements=(replace(run.classification.statements[0], text=OTHER),))
    other = replace(run, id="other", classification=classified, evidence=(e,))
    keep_run(database, other)
    assert readings.add(other.id, e.passage.id, 1, NEITHER).machine is machine


def test_a_run_with_a_reading_is_not_pruned(database: Database, readings: RunReadings) -> None:
    run = stored(database, "yes")
    later = run.started_at + timedelta(days=1)
    assert plan_pruning(database, later).ids == (run.id,)
    readings.set(readings.add(run.id, "p1", 1, NO).id, False)
    assert (plan_pruning(database, later).ids, plan_pruning(database, later).stays) == ((), {"review": 1})
