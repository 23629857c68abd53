"""Runs whose stored verdict is below the bound: kept as they are, and listed, counted and read as open everywhere."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from ghost.events import EvidenceWeighed, RunEnded, RunStarted, VerdictReached
from ghost.records import (
    BatchQueue,
    BatchStore,
    Database,
    ItemFilter,
    NewBatch,
    NewItem,
    ReviewStore,
    RunFilter,
    RunStore,
    SupportStore,
    runs,
)
from ghost.types import Claim, Label, ReasonCode, RunStatus, StanceLabel, StatementVerdict, Usage, Verdict
from tests.records.kept import JUDGE, START
from tests.reports.runs import evidence, finished

OLD = {
    "weak": (Label.TRUE, 0.45), "sure": (Label.FALSE, 0.91), "open": (Label.NOT_ENOUGH_EVIDENCE, 0.9),
    "edge": (Label.MISLEADING, 0.6),
}  # fmt: skip
"""The verdicts as an older version stored them: what it called confidence, also of an abstention, was not measured."""
SHOWN = {"weak": (Label.NOT_ENOUGH_EVIDENCE, None), "open": (Label.NOT_ENOUGH_EVIDENCE, None)}
SHOWN |= {name: (OLD[name][0], None) for name in ("sure", "edge")}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database of the version before, with a batch of these runs, brought to the version of today."""
    path = tmp_path / "ghost.db"
    made = Database.open(path)
    batch_id = BatchStore(made).create(NewBatch("Old", tuple(NewItem(n, name) for n, name in enumerate(OLD, 1))))
    queue, store, cited = BatchQueue(made), RunStore(made), finished().verdict
    assert cited
    queue.begin(batch_id)
    for label, sure in OLD.values():
        item = queue.next(batch_id)
        assert item
        statement = StatementVerdict(1, label, sure, 0.4, 0.1)
        verdict = Verdict(label, sure, "[1] It says so.", cited.citations[:1], statements=(statement,))
        store.apply(RunStarted(item.run_id, Claim(item.claim), START, JUDGE, {}))
        store.apply(EvidenceWeighed((evidence(credibility=0.4),)))
        store.apply(VerdictReached(verdict, JUDGE))
        store.apply(RunEnded(item.run_id, RunStatus.FINISHED, START, Usage()))
        queue.done(item, label, sure, 1.0)
    with made.write() as connection:
        connection.execute(text("ALTER TABLE passages DROP COLUMN as_of"))  # it came later
        connection.execute(text("UPDATE alembic_version SET version_num = '0012'"))
    made.close()
    opened = Database.open(path)
    yield opened
    opened.close()


def batch_of(database: Database) -> str:
    return BatchStore(database).list()[0].id


def id_of(database: Database, name: str) -> str:
    return RunStore(database).list(text=name)[0].id


def test_lists_and_filters_show_it_as_open_and_the_run_keeps_what_it_stored(database: Database) -> None:
    store = RunStore(database)
    assert {run.claim_text: (run.label, run.confidence) for run in store.browse()} == SHOWN
    for label in Label:
        found = {run.claim_text for run in store.browse(RunFilter(label=label))}
        assert found == {name for name, shown in SHOWN.items() if shown[0] is label}
        assert store.matching(RunFilter(label=label)) == len(found)
    with database.read() as connection:
        kept = json.loads(connection.execute(select(runs.c.verdict).where(runs.c.claim_text == "weak")).scalar_one())
    assert (kept["label"], kept["confidence"]) == ("True", 0.45)


def test_the_run_itself_is_open_with_what_it_leans_to(database: Database) -> None:
    run = RunStore(database).get(id_of(database, "weak"))
    assert run
    assert run.verdict
    assert run.verdict.leaning
    assert (run.label, run.verdict.confidence) == SHOWN["weak"]
    assert (run.verdict.leaning.label, run.verdict.leaning.probability) == OLD["weak"]
    assert run.verdict.reasons[0].code is ReasonCode.BELOW_BOUND
    assert [(s.label, s.confidence) for s in run.verdict.statements] == [SHOWN["weak"]]
    assert run.verdict.citations[0].stance is StanceLabel.REFUTES
    for name in ("sure", "open"):
        other = RunStore(database).get(id_of(database, name))
        assert other
        assert other.verdict
        assert (other.verdict.label, other.verdict.confidence, other.verdict.leaning) == (*SHOWN[name], None)


def test_batches_and_what_they_export_follow(database: Database) -> None:
    store, batch_id = BatchStore(database), batch_of(database)
    assert store.tally(batch_id).labels == {Label.NOT_ENOUGH_EVIDENCE: 2, Label.FALSE: 1, Label.MISLEADING: 1}
    assert {i.claim: (i.label, i.confidence) for i in store.items(batch_id)} == SHOWN
    narrow = ItemFilter(labels=(Label.NOT_ENOUGH_EVIDENCE,))
    assert [i.claim for i in store.items(batch_id, narrow)] == ["weak", "open"]
    ended = {item.claim: outcome.verdict for item, outcome in store.outcomes(batch_id) if outcome}
    assert {name: (verdict.label, verdict.confidence) for name, verdict in ended.items()} == SHOWN


def test_the_health_page_and_the_analyst_take_it_as_open(database: Database) -> None:
    assert {f.claim for f in SupportStore(database).weak()} == {"sure", "edge"}
    said, weak = ReviewStore(database), id_of(database, "weak")
    said.override(weak, Label.TRUE, "I read the register.")
    [compared] = said.overrides()
    assert (compared.machine, compared.analyst, compared.agrees) == (Label.NOT_ENOUGH_EVIDENCE, Label.TRUE, False)
    assert {run.id for run in RunStore(database).browse(RunFilter(label=Label.TRUE))} == {weak}
