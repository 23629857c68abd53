"""The results of a batch as CSV and JSONL: columns kept, nothing run, every line told."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

from ghost.records import Batch, BatchItem, BatchState, ItemState, Outcome, OverriddenRun
from ghost.reports import batch_csv, batch_jsonl
from ghost.types import JudgeInfo, Label
from tests.ui.samples import AT, false_run

BATCH = Batch(
    "b", "March", "march.csv", BatchState.DONE, "", None, True, ("id", "claim"), (), AT, AT, removed=False
)  # fmt: skip
ITEM = BatchItem(
    "b", 1, 2, "The Wall is visible", "", "", None, ItemState.DONE, "r1", Label.FALSE, 0.93, 1.0, "",
    ("=1+1", "The Wall"),
)  # fmt: skip
VERDICT = false_run().verdict
assert VERDICT
OUTCOME = Outcome(VERDICT, JudgeInfo("embedded", "a model"), datetime(2026, 3, 1, tzinfo=UTC))


SAID = OverriddenRun("r1", Label.FALSE, Label.MISLEADING, AT, "=It deceives.")


def rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_csv_has_the_columns_of_the_list_and_ours() -> None:
    (row,) = rows(batch_csv(BATCH, [(ITEM, OUTCOME)], {"r1": SAID}))
    assert list(row)[:3] == ["id", "claim", "ghost_line"]
    assert all(name.startswith("ghost_") for name in list(row)[2:])
    assert (row["id"], row["claim"]) == ("'=1+1", "The Wall")
    assert (row["ghost_verdict"], row["ghost_confidence"], row["ghost_override"]) == ("False", "0.93", "Misleading")
    assert row["ghost_override_reason"] == "'=It deceives."
    assert row["ghost_sources"].startswith("https://www.nasa.gov/")
    assert row["ghost_judge"] == "embedded (a model)"
    assert row["ghost_checked_at"] == "2026-03-01T00:00:00+00:00"


def test_lines_without_a_verdict_say_why() -> None:
    refused = replace(ITEM, state=ItemState.REFUSED, run_id="", label=None, confidence=None, error="Empty.")
    waiting = replace(refused, state=ItemState.QUEUED, error="")
    first, second = rows(batch_csv(BATCH, [(refused, None), (waiting, None)]))
    assert (first["ghost_status"], first["ghost_verdict"], first["ghost_note"]) == ("refused", "", "Empty.")
    assert (second["ghost_status"], second["ghost_note"]) == ("queued", "")


def test_jsonl_keeps_every_cell_as_it_came_on_one_line_each() -> None:
    item = replace(ITEM, cells=("=1+1", "a\u2028b\nc"), same_as=1, same_line=2)
    body = batch_jsonl(BATCH, [(item, OUTCOME), (replace(ITEM, run_id=""), None)], {"r1": SAID}).decode()
    assert len(body.splitlines()) == 2
    first, second = map(json.loads, body.splitlines())
    assert first["columns"] == {"id": "=1+1", "claim": "a\u2028b\nc"}
    assert first["verdict"] == "False"
    assert first["citations"][0]["quote"]
    assert (first["override"], first["override_reason"]) == ("Misleading", "=It deceives.")
    assert (second["override"], second["override_reason"]) == (None, None)
    assert first["note"] == "The same claim as in line 2, checked once."
    assert (second["explanation"], second["citations"]) == (None, [])
