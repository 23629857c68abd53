"""A batch whose process is killed in the middle, with real models and real stores: nothing lost, nothing twice."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from sqlalchemy import select

from config import PROJECT, Settings
from ghost.jobs import BatchEngine
from ghost.records import BATCH_INTERRUPTED, BatchState, BatchStore, Database, ItemState, NewBatch, NewItem, runs
from ghost.workbench import build

CLAIMS = (
    "Vaccines cause autism",
    "The Great Wall of China is visible from the Moon",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    "The Moon orbits the Earth",
    "The Earth is flat",
    "Bats are blind",
    "Humans use only ten percent of their brains",
)
WORK = """
import sys, time
from pathlib import Path
from config import Settings
from ghost.jobs import BatchEngine
from ghost.workbench import build

engine = BatchEngine(build(Settings(data_dir=Path(sys.argv[1]))))
engine.resume(sys.argv[2])
time.sleep(600)
"""
PATIENCE = 120.0


def test_a_killed_batch_is_resumed_where_it_was(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "data" / "ghost.db")
    store = BatchStore(database)
    items = tuple(NewItem(n, claim) for n, claim in enumerate((*CLAIMS, CLAIMS[0]), start=1))
    items = (*items[:-1], NewItem(len(items), CLAIMS[0], same_as=1))
    batch_id = store.create(NewBatch("Myths", items, web=False))
    process = subprocess.Popen([sys.executable, "-c", WORK, str(tmp_path), batch_id], cwd=PROJECT)
    try:
        deadline = time.monotonic() + PATIENCE
        while store.tally(batch_id).of(ItemState.DONE) < 3:
            assert process.poll() is None, "the process ended by itself"
            assert time.monotonic() < deadline
            time.sleep(0.005)
    finally:
        process.kill()
        process.wait()
    before = {item.position: item.run_id for item in store.items(batch_id) if item.state is ItemState.DONE}
    assert store.tally(batch_id).left > 0
    database.close()

    with build(Settings(data_dir=tmp_path)) as workbench:
        batch = workbench.batches.get(batch_id)
        assert batch
        assert (batch.state, batch.note) == (BatchState.PAUSED, BATCH_INTERRUPTED)
        assert workbench.batches.tally(batch_id).of(ItemState.RUNNING) == 0
        engine = BatchEngine(workbench)
        engine.resume(batch_id)
        deadline = time.monotonic() + PATIENCE
        while (view := engine.snapshot(batch_id)) and view.running:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        engine.close()
        done = workbench.batches.items(batch_id)
        with workbench.knowledge.database.read() as connection:
            kept = connection.execute(select(runs.c.claim_text, runs.c.status)).all()
    assert {item.state for item in done} == {ItemState.DONE}
    assert {n: item.run_id for item in done if (n := item.position) in before} == before
    finished = Counter(claim for claim, status in kept if status == "finished")
    assert finished == Counter(CLAIMS)
    assert sum(status == "interrupted" for _, status in kept) <= 1
