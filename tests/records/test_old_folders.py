"""Data folders that earlier versions of Ghost wrote still open, with everything in them.

``tests/data/old_folders`` has one for each schema; its README says how they were made. All are read through the
stores; two, the first and the last but one, are opened as a whole workbench.
"""

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import seed_kb
from config import PROJECT, Settings
from ghost.cli.main import main
from ghost.records import (
    ArticleStore,
    BatchStore,
    CardStore,
    CaseStore,
    Database,
    DecisionStore,
    DomainRatings,
    ImportStore,
    ReviewStore,
    RunStore,
)
from ghost.types import Claim, Label, RunStatus
from ghost.workbench import Workbench, build

DUMPS = sorted((PROJECT / "tests" / "data" / "old_folders").glob("*.sql"))
NEW_FACT = "Bees dance to show the way to flowers."
DECIDED = (Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING)
TABLES = (
    "passages runs run_steps reviews cases case_runs batches batch_items articles article_checks imports "
    "domain_ratings rating_changes passage_history claim_cards router_decisions"
).split()

Row = dict[str, Any]
Old = dict[str, list[Row]]
"""Rows by table, as the old version wrote them; a table that it did not have is empty."""


def loaded(dump: Path, path: Path) -> Old:
    """Make the database of an old version, and return what is in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        connection.row_factory = sqlite3.Row
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] if table in there else []
            for table in TABLES
        }


def dumped(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def listed_label(run: Row) -> Label | None:
    """The label by which lists show a run: since schema 0013 a stored verdict below 0.6 is open."""
    label = Label(run["label"]) if run["label"] else None
    confidence = json.loads(run["verdict"] or "{}").get("confidence")
    return Label.NOT_ENOUGH_EVIDENCE if label in DECIDED and (confidence or 0) < 0.6 else label


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Database, Old]]:
    old = loaded(request.param, tmp_path / "ghost.db")
    database = Database.open(tmp_path / "ghost.db")
    yield database, old
    database.close()


def test_all_that_was_kept_can_be_read(opened: tuple[Database, Old]) -> None:
    database, old = opened
    assert database.problems() == ()
    runs = {run.id: run for run in RunStore(database).list()}
    assert runs.keys() == {row["id"] for row in old["runs"]}
    for row in old["runs"]:
        listed, run = runs[row["id"]], RunStore(database).get(row["id"])
        assert run is not None
        assert (listed.claim_text, listed.label, listed.judge) == (row["claim_text"], listed_label(row), "embedded")
        assert [s.name for s in run.steps] == [s["name"] for s in old["run_steps"] if s["run_id"] == row["id"]]
        kept = [e["passage"]["text"] for e in json.loads(row["evidence"] or "[]")]
        assert [e.passage.text for e in run.evidence] == kept
        acts = [act for act in old["reviews"] if act["run_id"] == row["id"]]
        overrides = [act["value"] for act in acts if act["kind"] == "override"]
        assert len(ReviewStore(database).acts(row["id"])) == len(acts)
        assert (run.review.override and run.review.override.label) == (overrides[-1] if overrides else None)
    assert [(c.name, c.notes) for c in CaseStore(database).list()] == [(c["name"], c["notes"]) for c in old["cases"]]
    for case in old["cases"]:
        assert {run.id for run in CaseStore(database).runs(case["id"])} == {link["run_id"] for link in old["case_runs"]}
    for batch in old["batches"]:
        items = [(i.position, i.claim, i.run_id, i.label) for i in BatchStore(database).all_items(batch["id"])]
        assert items == [(i["position"], i["claim"], i["run_id"], i["label"]) for i in old["batch_items"]]
    for row in old["articles"]:
        article = ArticleStore(database).get(row["id"])
        assert article is not None
        assert [s.text for s in article.sentences] == [s["text"] for s in json.loads(row["article"])["sentences"]]
        checks = {check["position"]: check["run_id"] for check in old["article_checks"]}
        assert {number: check.run_id for number, check in ArticleStore(database).checks(row["id"]).items()} == checks
    imports = [(i.id, i.name, i.added) for i in ImportStore(database).list()]
    assert imports == [(i["id"], i["name"], i["added"]) for i in old["imports"]]
    ratings = {entry: rating.credibility for entry, rating in DomainRatings(database).all().items()}
    assert ratings == {rating["entry"]: rating["credibility"] for rating in old["domain_ratings"]}
    assert DomainRatings(database).count_changes() == len(old["rating_changes"])
    cards = {(card.id, card.claim, card.label, card.retired) for card in CardStore(database).browse(limit=100)}
    assert cards == {(c["id"], c["claim"], c["label"], bool(c["retired"])) for c in old["claim_cards"]}
    decisions = {(d.id, d.question, d.mode, d.run_id) for d in DecisionStore(database).browse(limit=100)}
    assert decisions == {(d["id"], d["question"], d["mode"], d["run_id"]) for d in old["router_decisions"]}


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small starter library: one fact that is in the old folders, and one that an update brings."""
    with (seed_kb.FOLDER / "basics.jsonl").open(encoding="utf-8") as lines:
        known = lines.readline()
    new = json.dumps({"text": NEW_FACT, "source": "https://bees.example.org/dance"})
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "basics.jsonl").write_text(f"{known}{new}\n", encoding="utf-8")
    monkeypatch.setattr(seed_kb, "FOLDER", folder)


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("dump", [DUMPS[0], DUMPS[-2]], ids=lambda path: path.stem)
def test_it_opens_as_a_workbench_and_opening_it_again_changes_nothing(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, web=False, packs_off=())
    old = loaded(dump, settings.database_path)
    with build(settings) as workbench:
        assert workbench.knowledge.repaired  # the vector index is built again
    first = dumped(settings.database_path)
    with build(settings) as workbench:
        assert dumped(settings.database_path) == first
        assert not workbench.knowledge.repaired
        check_passages(workbench, old)
        statuses = {run.id: run.status for run in workbench.runs.list()}
        for row in old["runs"]:
            assert statuses[row["id"]] is RunStatus(row["status"] if row["status"] != "running" else "interrupted")
        check_a_new_claim(workbench, old)
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    for row in old["runs"]:
        check_export(row, tmp_path / f"{row['id']}.zip")


def check_passages(workbench: Workbench, old: Old) -> None:
    now = {p.id: p for p in workbench.knowledge.each()}
    assert {p.text for p in now.values() if p.id not in {row["id"] for row in old["passages"]}} == {NEW_FACT}
    for row in old["passages"]:
        passage = now[row["id"]]
        assert (passage.text, passage.title, passage.source_url) == (row["text"], row["title"], row["source_url"])
        assert (passage.status, passage.origin) == (row["status"], row["origin"])
    assert {row["status"] for row in old["passages"]} == {"active", "quarantined", "retired"}
    changed = next(row["id"] for row in old["passages"] if "twelve stops" in row["text"])
    assert "edited" in [str(entry.action) for entry in workbench.knowledge.history(changed)]
    health = workbench.knowledge.check()
    assert (health.in_step, health.problems) == (True, ())
    assert health.vectors == 1 + sum(row["status"] == "active" for row in old["passages"])
    (best, *_) = workbench.knowledge.search("boiling point of water high in the mountains", 3)
    assert "Water boils at a lower temperature" in best.passage.text


def check_a_new_claim(workbench: Workbench, old: Old) -> None:
    run_id = ""
    for event in workbench.verify(Claim("The Great Wall of China is visible to the naked eye from the Moon")):
        run_id = getattr(event, "run_id", "") or run_id
    run = workbench.runs.get(run_id)
    assert run is not None
    assert run.verdict is not None
    assert run.verdict.label is Label.FALSE
    assert {e.passage.id for e in run.evidence} & {row["id"] for row in old["passages"]}


def check_export(row: Row, out: Path) -> None:
    """The bundle that ``python -m ghost export`` makes of an old run."""
    assert main(["export", row["id"], "--format", "bundle", "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as packed:
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    assert row["claim_text"].split()[0] in files["report.html"]
    result = json.loads(files["result.json"])
    verdict = json.loads(row["verdict"] or "{}")
    assert result["claim"]["text"] == row["claim_text"]
    assert [c["quote"] for c in result["citations"]] == [c["quote"] for c in verdict.get("citations", ())]
    if verdict:
        assert result["verdict"]["label"] == listed_label(row)
