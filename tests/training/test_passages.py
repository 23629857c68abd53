"""Passages that report what somebody says or tell one aspect of an event, and how they are measured."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ghost.judges import RatingReader
from ghost.testing import REFUTING, SUPPORTING, ScriptedReader
from training.measure_passages import figures, read
from training.passages import REPORTED, SORTS, Passage, Sort, read_passages
from training.unseen import unseen

SOLD = "The bridge was sold."
ROW = {"kind": "denied", "topic": "bridge sale", "passage": "Posts say so. It is false.", "claims": [[SOLD, "REFUTES"]]}


def write(folder: Path, row: dict[str, object]) -> Path:
    file = folder / "reported.jsonl"
    file.write_text(json.dumps(row))
    return file


@pytest.mark.parametrize(
    "wrong", [{"kind": "other"}, {"passage": " "}, {"claims": []}, {"claims": [["a", "MAYBE"]]}, {"claims": [["a"]]}]
)
def test_a_malformed_row_names_its_line(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_passages(REPORTED, write(tmp_path, ROW | wrong))


@pytest.mark.parametrize("sort", SORTS.values(), ids=SORTS)
def test_what_was_written_is_whole(sort: Sort) -> None:
    rows = read_passages(sort)
    assert {row.kind for row in rows} == set(sort.kinds)
    held = sum(row.held_back for row in rows)
    assert len(rows) / 6 < held < len(rows) / 3
    assert len({row.text for row in rows}) == len(rows)
    assert all(len({claim for claim, _ in row.claims}) == len(row.claims) for row in rows)
    told = Counter(label for row in rows for _, label in row.claims)
    assert min(told.values()) > told.total() / 5


@pytest.mark.parametrize("sort", SORTS.values(), ids=SORTS)
def test_no_claim_is_one_of_those_that_measure(sort: Sort) -> None:
    rows = read_passages(sort)
    kept = {row.text for row in unseen(rows)}
    assert [row.topic for row in rows if row.text not in kept] == []


def test_a_passage_is_read_as_evidence_is() -> None:
    passage = "FALSE: The bridge was sold."
    rows = [Passage("denied", "t", passage, ((SOLD, "REFUTES"), ("It is for sale.", "NEUTRAL")))]
    believer = ScriptedReader(lambda text, claim: SUPPORTING if claim == SOLD else REFUTING)
    found = read(rows, RatingReader(believer))
    assert found == {("denied", "REFUTES", "REFUTES"): 1, ("denied", "NEUTRAL", "NEUTRAL"): 1}
    assert figures(found)["accuracy"] == 1.0
    assert figures(read(rows, believer)) == {
        "claims": 2, "accuracy": 0.0,
        "read": {"denied, NEUTRAL": {"REFUTES": 1}, "denied, REFUTES": {"SUPPORTS": 1}},
    }  # fmt: skip
