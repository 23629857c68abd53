import json
import random
from pathlib import Path

import pytest

from training.written import contrast_pairs, crossed_pairs, read_contrasts

ROW = {
    "topic": "ferry",
    "a": "The ferry sails on Sundays.",
    "b": "There are no sailings at the weekend.",
    "claims": [
        {"text": "You can cross on a Sunday", "a": "S", "b": "R"},
        {"text": "The ferry is red", "a": "N", "b": "O"},
    ],
}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "contrasts.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return file


def test_each_claim_meets_both_passages(tmp_path: Path) -> None:
    pairs = list(contrast_pairs(read_contrasts(write(tmp_path, ROW))))
    assert [(p.evidence, p.claim, p.label) for p in pairs] == [
        (ROW["a"], "You can cross on a Sunday", "SUPPORTS"),
        (ROW["b"], "You can cross on a Sunday", "REFUTES"),
        (ROW["a"], "The ferry is red", "NEUTRAL"),
        (ROW["b"], "The ferry is red", "OFF-TOPIC"),
    ]


def test_crossed_pairs_take_the_passage_of_another_row(tmp_path: Path) -> None:
    other = ROW | {"topic": "tea", "a": "Tea is hot.", "b": "Tea is cold."}
    rows = read_contrasts(write(tmp_path, ROW, other))
    pairs = list(crossed_pairs(rows, random.Random(1), share=1.0))
    assert len(pairs) == 4
    assert {p.label for p in pairs} == {"OFF-TOPIC"}
    assert all(p.evidence in rows[1].passages for p in pairs[:2])
    assert all(p.evidence in rows[0].passages for p in pairs[2:])


@pytest.mark.parametrize("bad", ["{", "[]", json.dumps(ROW | {"claims": [{"text": "x", "a": "T", "b": "S"}]})])
def test_a_malformed_row_is_named(tmp_path: Path, bad: str) -> None:
    with pytest.raises(ValueError, match=r"contrasts\.jsonl, line 2"):
        read_contrasts(write(tmp_path, ROW, bad))


def test_the_shipped_contrasts_are_balanced_and_partly_held_back() -> None:
    rows = read_contrasts()
    pairs = list(contrast_pairs(rows))
    supported, refuted = (sum(p.label == label for p in pairs) for label in ("SUPPORTS", "REFUTES"))
    assert 0.8 < supported / refuted < 1.25
    assert 0.05 < sum(row.held_back for row in rows) / len(rows) < 0.15
