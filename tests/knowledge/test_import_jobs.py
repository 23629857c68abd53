"""Imports outside the page: followed by id, cancelled, and always with an end."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ghost.errors import StoreError
from ghost.knowledge import Importer, ImportJob, ImportPhase, KnowledgeBase, ReadOptions
from ghost.knowledge.transfer import import_jobs as module
from ghost.records import ImportStatus, ImportStore

SECONDS = 60


@pytest.fixture
def imports(kb: KnowledgeBase) -> Iterator[Importer]:
    made = Importer(kb, ImportStore(kb.database))
    yield made
    made.close(30)


def lines(count: int) -> bytes:
    rows = ({"text": f"Passage number {n} of many speaks of river {n * 7}."} for n in range(count))
    return "\n".join(map(json.dumps, rows)).encode()


def until(imports: Importer, job_id: str, enough: Callable[[ImportJob], bool] = lambda job: not job.busy) -> ImportJob:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        job = imports.snapshot(job_id)
        assert job is not None
        if enough(job):
            return job
        time.sleep(0.01)
    raise AssertionError(f"still {job}")


def test_a_file_is_checked_taken_in_undone_and_brought_back(kb: KnowledgeBase, imports: Importer) -> None:
    job_id = imports.check(lines(30), "a.jsonl")
    job = until(imports, job_id)
    assert job.phase is ImportPhase.CHECKED
    assert job.check is not None
    assert job.check.new == 30
    assert kb.count() == 0
    imports.keep(job_id)
    job = until(imports, job_id)
    assert (job.phase, kb.count()) == (ImportPhase.DONE, 30)
    assert job.record is not None
    assert (job.record.id, job.record.added) == (job_id, 30)
    imports.keep(job_id)  # once is enough

    job = until(imports, imports.undo(job_id))
    assert job.record is not None
    assert (job.changed, job.record.status) == (30, ImportStatus.UNDONE)
    assert kb.stats().active == 0
    job = until(imports, imports.undo(job_id))
    assert job.record is not None
    assert (job.changed, job.record.status) == (30, ImportStatus.FINISHED)
    assert kb.stats().active == 30


def test_columns_are_asked_for(imports: Importer) -> None:
    job_id = imports.check(b"Aussage\nThe Moon is about 384,400 kilometres from the Earth.\n", "a.csv")
    assert until(imports, job_id).phase is ImportPhase.ASKING
    imports.again(job_id, ReadOptions({"text": "Aussage"}))
    job = until(imports, job_id)
    assert job.phase is ImportPhase.CHECKED
    assert job.check is not None
    assert job.check.new == 1


def test_what_is_no_file_of_passages_ends_with_the_reason(imports: Importer) -> None:
    job = until(imports, imports.check(b"%PDF-1.4", "a.pdf"))
    assert job.phase is ImportPhase.FAILED
    assert "PDF" in job.error
    job = until(imports, imports.undo("nonesuch"))
    assert (job.phase, "no import" in job.error) == (ImportPhase.FAILED, True)


def test_cancelling_at_every_stage(kb: KnowledgeBase, imports: Importer, monkeypatch: pytest.MonkeyPatch) -> None:
    job_id = imports.check(lines(30), "a.jsonl")
    until(imports, job_id)
    imports.cancel(job_id)
    assert until(imports, job_id).phase is ImportPhase.CANCELLED
    imports.keep(job_id)
    assert until(imports, job_id).phase is ImportPhase.CANCELLED

    job_id = imports.check(lines(400), "b.jsonl")
    until(imports, job_id, lambda job: job.done > 0)
    imports.cancel(job_id)
    assert until(imports, job_id).phase is ImportPhase.CANCELLED

    encode = kb.encode
    monkeypatch.setattr(kb, "encode", lambda texts: (time.sleep(0.02), encode(texts))[1])
    job_id = imports.check(lines(200), "c.jsonl")
    until(imports, job_id)
    imports.keep(job_id)
    until(imports, job_id, lambda job: job.phase is ImportPhase.KEEPING and job.done > 0)
    imports.cancel(job_id)
    assert until(imports, job_id).phase is ImportPhase.CANCELLED
    assert kb.count() == 0
    assert [r.status for r in imports.store.list()] == [ImportStatus.CANCELLED]
    imports.cancel("nonesuch")


def test_a_failing_store_and_a_fault_of_ours_end_the_job(imports: Importer, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, words in (
        (StoreError("The disk is full."), "The disk is full."),
        (KeyError("x"), "Unexpected KeyError"),
    ):

        def fail(*_: Any, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(module, "check_import", fail)
        job = until(imports, imports.check(lines(3), "a.jsonl"))
        assert job.phase is ImportPhase.FAILED
        assert words in job.error
