"""Passages that report what somebody says or tell one aspect of an event."""

import json
from collections import Counter
from pathlib import Path

import pytest

from training.passages import ASPECTS, REPORTED, SORTS, Sort, passage_pairs, read_passages

SOLD = "The bridge was sold."
ROW = {"kind": "denied", "topic": "bridge sale", "passage": "Posts say so. It is false.", "claims": [[SOLD, "REFUTES"]]}


def write(folder: Path, row: dict[str, object]) -> Path:
    file = folder / "reported.jsonl"
    file.write_text(json.dumps(row))
    return file


def test_each_claim_is_paired_with_its_passage(tmp_path: Path) -> None:
    (row,) = read_passages(REPORTED, write(tmp_path, ROW | {"claims": [[SOLD, "REFUTES"], ["It is old.", "NEI"]]}))
    assert [(p.evidence, p.claim, p.label, p.source) for p in passage_pairs(REPORTED, [row])] == [
        (ROW["passage"], SOLD, "REFUTES", "reported"), (ROW["passage"], "It is old.", "NEUTRAL", "reported"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrong", [{"kind": "other"}, {"passage": " "}, {"claims": []}, {"claims": [["a", "MAYBE"]]}, {"claims": [["a"]]}]
)
def test_a_malformed_row_names_its_line(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_passages(REPORTED, write(tmp_path, ROW | wrong))


def test_a_kind_belongs_to_its_sort(tmp_path: Path) -> None:
    file = write(tmp_path, ROW | {"kind": "nearby"})
    assert read_passages(ASPECTS, file)[0].kind == "nearby"
    with pytest.raises(ValueError, match="line 1"):
        read_passages(REPORTED, file)


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
