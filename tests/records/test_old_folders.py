"""Data folders that earlier versions of Ghost wrote still open, with everything in them.

``tests/data/old_folders`` has one for each schema; its README says how they were made.
"""

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ghost.workbench as workbench_module
import seed_kb
from config import PROJECT, Settings
from ghost.cli.main import main
from ghost.types import Claim, Label, RunStatus
from ghost.workbench import Workbench, build

DUMPS = sorted((PROJECT / "tests" / "data" / "old_folders").glob("*.sql"))
SCHEMAS = tuple(dump.stem for dump in DUMPS)
NEW_FACT = "Bees dance to show the way to flowers."
BOUND = 0.6
"""Lists show a stored verdict below it as open since schema 0013."""
DECIDED = (Label.TRUE, Label.FALSE, Label.PARTIALLY_TRUE, Label.MISLEADING)
TABLES = (
    "passages runs run_steps reviews cases case_runs batches batch_items articles article_checks imports "
    "domain_ratings rating_changes"
).split()

Row = dict[str, Any]


@dataclass(frozen=True)
class Opened:
    """An old folder after it was opened, closed and opened again."""

    workbench: Workbench
    folder: Path
    old: dict[str, list[Row]]
    """Rows by table, as the old version wrote them; a table that it did not have is empty."""
    repaired: str
    """What the first opening repaired in the vector index."""
    first: list[str]
    """The whole database after the first opening, as SQL."""
    second: list[str]
    """The same after the second opening."""


@pytest.fixture(scope="module")
def models() -> Iterator[None]:
    """The bundled models, loaded once for all folders: they are read-only, and loading takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(vars(workbench_module)):
            if name.startswith("load_"):
                patch.setattr(workbench_module, name, cache(getattr(workbench_module, name)))
        yield


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A small starter library: one fact that is in the old folders, and one that an update brings."""
    folder = tmp_path_factory.mktemp("packs")
    with (seed_kb.FOLDER / "basics.jsonl").open(encoding="utf-8") as lines:
        known = lines.readline()
    new = json.dumps({"text": NEW_FACT, "source": "https://bees.example.org/dance"})
    (folder / "basics.jsonl").write_text(f"{known}{new}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seed_kb, "FOLDER", folder)
        yield


@pytest.fixture(scope="module", params=DUMPS, ids=lambda path: path.stem)
def opened(
    request: pytest.FixtureRequest, models: None, facts: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("old")
    settings = Settings(data_dir=folder, web=False, packs_off=())
    path = settings.database_path
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
        old = {table: rows(connection, table) for table in TABLES}
    with build(settings) as workbench:
        repaired = workbench.knowledge.repaired
    first = dumped(path)
    with build(settings) as workbench:
        yield Opened(workbench, folder, old, repaired, first, dumped(path))
    shutil.rmtree(folder)


def rows(connection: sqlite3.Connection, table: str) -> list[Row]:
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
    except sqlite3.OperationalError:  # this version did not have it yet
        return []


def dumped(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def listed_label(run: Row) -> Label | None:
    """The label by which lists show a run that an old version stored."""
    label = Label(run["label"]) if run["label"] else None
    confidence = json.loads(run["verdict"] or "{}").get("confidence")
    return Label.NOT_ENOUGH_EVIDENCE if label in DECIDED and (confidence or 0) < BOUND else label


def exported(opened: Opened, run_id: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files of the bundle that ``python -m ghost export`` makes of a run."""
    monkeypatch.setenv("GHOST_DATA_DIR", str(opened.folder))
    out = opened.folder / f"{run_id}.zip"
    assert main(["export", run_id, "--format", "bundle", "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def test_it_is_migrated_to_the_newest_schema(opened: Opened) -> None:
    assert f"INSERT INTO \"alembic_version\" VALUES('{SCHEMAS[-1]}');" in opened.first
    assert opened.workbench.knowledge.check().problems == ()


def test_opening_it_again_changes_nothing(opened: Opened) -> None:
    assert opened.second == opened.first


def test_all_passages_are_there(opened: Opened) -> None:
    now = {p.id: p for p in opened.workbench.knowledge.each()}
    assert {p.text for p in now.values() if p.id not in {old["id"] for old in opened.old["passages"]}} == {NEW_FACT}
    for old in opened.old["passages"]:
        passage = now[old["id"]]
        assert (passage.text, passage.title, passage.source_url) == (old["text"], old["title"], old["source_url"])
        assert (passage.status, passage.origin) == (old["status"], old["origin"])
    assert {old["status"] for old in opened.old["passages"]} == {"active", "quarantined", "retired"}
    changed = next(old["id"] for old in opened.old["passages"] if "twelve stops" in old["text"])
    assert "edited" in [str(entry.action) for entry in opened.workbench.knowledge.history(changed)]


def test_the_vector_index_is_built_again_and_passages_are_found(opened: Opened) -> None:
    health = opened.workbench.knowledge.check()
    assert opened.repaired
    assert not health.repaired
    assert health.in_step
    assert health.vectors == health.sql_active == 1 + sum(p["status"] == "active" for p in opened.old["passages"])
    (best, *_) = opened.workbench.knowledge.search("boiling point of water high in the mountains", 3)
    assert "Water boils at a lower temperature" in best.passage.text
    assert best.semantic is not None
    assert best.lexical is not None


def test_runs_are_listed_with_their_verdicts(opened: Opened) -> None:
    now = {run.id: run for run in opened.workbench.runs.list()}
    assert now.keys() == {old["id"] for old in opened.old["runs"]}
    for old in opened.old["runs"]:
        run = now[old["id"]]
        assert (run.claim_text, run.label) == (old["claim_text"], listed_label(old))
        assert run.judge == "embedded"
        assert run.status is RunStatus(old["status"] if old["status"] != "running" else "interrupted")
    assert {old["status"] for old in opened.old["runs"]} == {"finished", "running"}


def test_each_run_can_be_read_and_exported(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for old in opened.old["runs"]:
        files = exported(opened, old["id"], monkeypatch)
        words = old["claim_text"].split()[0]
        assert words in files["report.html"]
        assert words in files["report.md"]
        result = json.loads(files["result.json"])
        verdict = json.loads(old["verdict"] or "{}")
        assert result["claim"]["text"] == old["claim_text"]
        assert [e["text"] for e in result["evidence"]] == [
            e["passage"]["text"] for e in json.loads(old["evidence"] or "[]")
        ]
        assert [c["quote"] for c in result["citations"]] == [c["quote"] for c in verdict.get("citations", ())]
        steps = [step for step in opened.old["run_steps"] if step["run_id"] == old["id"]]
        assert [s["name"] for s in result["steps"]] == [s["name"] for s in steps]
        if verdict:
            assert result["verdict"]["label"] == listed_label(old)


def test_reviews_and_cases_are_there(opened: Opened) -> None:
    workbench = opened.workbench
    kept = {act["run_id"] for act in opened.old["reviews"]}
    for run_id in kept:
        acts = [act for act in opened.old["reviews"] if act["run_id"] == run_id]
        assert len(workbench.reviews.acts(run_id)) == len(acts)
        override = workbench.reviews.of(run_id).override
        wanted = [act for act in acts if act["kind"] == "override"]
        assert (override and override.label) == (wanted[-1]["value"] if wanted else None)
    assert [(c.name, c.notes) for c in workbench.cases.list()] == [(c["name"], c["notes"]) for c in opened.old["cases"]]
    for case in opened.old["cases"]:
        runs = {link["run_id"] for link in opened.old["case_runs"]}
        assert {run.id for run in workbench.cases.runs(case["id"])} == runs


def test_batches_and_articles_are_there(opened: Opened) -> None:
    workbench = opened.workbench
    assert [b.name for b in workbench.batches.list()] == [b["name"] for b in opened.old["batches"]]
    for batch in opened.old["batches"]:
        items = [(i.position, i.claim, i.run_id, i.label) for i in workbench.batches.all_items(batch["id"])]
        assert items == [(i["position"], i["claim"], i["run_id"], i["label"]) for i in opened.old["batch_items"]]
    assert [a.id for a in workbench.articles.latest(9)] == [a["id"] for a in opened.old["articles"]]
    for old in opened.old["articles"]:
        article = workbench.articles.get(old["id"])
        assert article is not None
        assert [s.text for s in article.sentences] == [s["text"] for s in json.loads(old["article"])["sentences"]]
        checks = {check["position"]: check["run_id"] for check in opened.old["article_checks"]}
        assert {number: check.run_id for number, check in workbench.articles.checks(old["id"]).items()} == checks


def test_imports_and_ratings_are_there(opened: Opened) -> None:
    workbench = opened.workbench
    assert [(i.id, i.name, i.added) for i in workbench.imports.store.list()] == [
        (i["id"], i["name"], i["added"]) for i in opened.old["imports"]
    ]
    ratings = {entry: rating.credibility for entry, rating in workbench.ratings.all().items()}
    assert ratings == {rating["entry"]: rating["credibility"] for rating in opened.old["domain_ratings"]}
    assert workbench.ratings.count_changes() == len(opened.old["rating_changes"])


def test_a_new_claim_can_be_verified(opened: Opened) -> None:
    claim = Claim("The Great Wall of China is visible to the naked eye from the Moon")
    run_id = ""
    for event in opened.workbench.verify(claim):
        run_id = getattr(event, "run_id", "") or run_id
    run = opened.workbench.runs.get(run_id)
    assert run is not None
    assert run.verdict is not None
    assert run.verdict.label is Label.FALSE
    old = {passage["id"] for passage in opened.old["passages"]}
    assert {e.passage.id for e in run.evidence} & old
