"""``python -m ghost worker``: where it is of no use, and what ``--list`` prints."""

import pytest

from ghost.cli.main import main
from ghost.jobs import INDEX_AWAY, NO_WORKER, Queue
from ghost.records import BatchStore, Database, NewBatch, NewItem, Processes, SharedBatchQueue
from tests.cli.conftest import Captured, Run

NOTHING = dict.fromkeys(
    ("lookup", "claim", "question", "article", "plan", "research", "import_check", "import", "turn"), 0
)


def test_without_a_shared_database_there_is_nothing_to_do(capsys: Captured) -> None:
    assert main(["worker"]) == 2
    assert "GHOST_DATABASE_URL" in capsys.readouterr().err
    assert main(["worker", "--slots", "1"]) == 2  # one stays free, so there must be another


def test_who_works_and_what_waits(
    postgres_url: str, run: Run, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GHOST_DATABASE_URL", postgres_url)
    monkeypatch.setenv("GHOST_CHROMA_URL", "http://127.0.0.1:9")
    assert run("worker", "--list") == {"workers": [], "waiting": NOTHING, "running": NOTHING}
    assert main(["worker", "--list"]) == 0
    assert capsys.readouterr().out == f"{NO_WORKER}.\n"
    database = Database.open(postgres_url)
    Processes(database).beat("worker", 3)
    batches = SharedBatchQueue(database)
    batches.begin(BatchStore(database).create(NewBatch("A batch", (NewItem(1, "A claim"),))))
    batches.when_waiting(Queue(database).put_turn)
    batches.when_waiting(Queue(database).put_turn)
    listed = run("worker", "--list")
    assert [worker["slots"] for worker in listed["workers"]] == [3]
    assert listed["waiting"] == NOTHING | {"turn": 1}
    assert main(["worker", "--list"]) == 0
    assert "3 slots, just started\n" in (shown := capsys.readouterr().out)
    assert "claims of batches: 0 in progress, more waiting" in shown
    Processes(database).beat("paused", 3)
    database.close()
    assert [worker["paused"] for worker in run("worker", "--list")["workers"]] == [True]
    assert main(["worker", "--list"]) == 0
    assert "3 slots, just started, waiting for the vector index\n" in (shown := capsys.readouterr().out)
    assert INDEX_AWAY in shown
