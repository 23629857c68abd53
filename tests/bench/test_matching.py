"""The claim match measured by its real models on a few pairs, and its figures by hand."""

import json
from pathlib import Path

import pytest

from bench.cli import main
from bench.matching import HELD, MatchRow, figures, share
from bench.rows import read_table
from ghost.types import ClaimMatch, Relation
from tests.bench.corpora import write

WALL = "The Great Wall of China is visible from space."
PAIRS = [
    {"card": WALL, "question": "Is the Great Wall of China visible from space?", "relation": "same", "kind": "question",
     "category": "scientific"},
    {"card": WALL, "question": "The Great Wall of China is not visible from space.", "relation": "opposite"},
    {"card": WALL, "question": "Do ants sleep?", "relation": "different"},
]  # fmt: skip
OUTSIDE = [{"a": WALL, "b": "From space, the Great Wall of China is visible.", "label": "SAME"},
           {"a": "Ants chase bees.", "b": "Bees chase ants.", "label": "DIFF"}]  # fmt: skip
TEXTS = [{"a": "lol you can see the Great Wall of China from space", "b": WALL, "label": "SAME", "doc_id": "1"}]
CLAIMS = [
    {"doc_id": "1", "claim": WALL},
    {"doc_id": "2", "claim": "Ants sleep."},
    {"doc_id": "3", "claim": "Bees sting."},
]


def test_pairs_and_outside_sets_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: write(tmp_path / f"{name}.jsonl", rows) for name, rows in
             (("pairs", PAIRS), ("outside", OUTSIDE), ("texts", TEXTS), ("claims", CLAIMS))}  # fmt: skip
    out = tmp_path / "out.json"
    words = ["matching", "--data", str(files["pairs"]), "--pawsx", str(files["outside"]),
             "--clef", str(files["texts"]), str(files["claims"]), "--json", str(out)]  # fmt: skip
    assert main(words) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["command"].endswith(
        "--data pairs.jsonl --pawsx outside.jsonl --clef texts.jsonl claims.jsonl --seed 1"
    )
    assert result["confusion"] == {
        "different": {"different": 1}, "opposite": {"opposite": 1}, "same": {"same": 1},
    } or result["accuracy"] == 1  # fmt: skip
    assert result["outside"]["false_same"]["hits"] == 0
    assert result["listed"]["recall_at_5"]["share"] == 1
    assert set(result["models"]) == {"match", "encoder", "stance"}
    shown = capsys.readouterr().out
    assert "others called the same" in shown
    assert "0.0% (0 of 2)" in shown


def test_the_figures_by_hand() -> None:
    rows = [MatchRow(card="a", question="b", relation=relation) for relation in ("same", "same", "related", "opposite")]
    said = (Relation.SAME, Relation.RELATED, Relation.SAME, Relation.OPPOSITE)
    found = figures(rows, [ClaimMatch(relation, 0.9, 0.95) for relation in said])
    assert found["false_same"] == share(1, 2)
    assert found["same_found"] == share(1, 2)
    assert found["same_right"] == share(1, 2)
    assert found["opposite_found"] == share(1, 1)
    assert found["near_opposites"]["called_same"]["hits"] == 0
    assert found["goals"] == {"false_same": False, "same_found": False}
    assert share(0, 0) == {"hits": 0, "n": 0, "share": None, "interval": [0.0, 1.0]}


def test_the_held_back_pairs_are_where_the_benchmark_looks_for_them() -> None:
    table = read_table(HELD, MatchRow)
    assert len(table.rows) > 700
    assert {row.relation for row in table.rows} == {relation.value for relation in Relation}


def test_a_file_that_cannot_be_used_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = write(tmp_path / "bad.jsonl", [{"card": "a", "question": "b", "relation": "alike"}])
    assert main(["matching", "--data", str(bad)]) == 2
    assert "line 1: relation: 'alike' is none of same" in capsys.readouterr().err
    texts = write(tmp_path / "t.jsonl", [TEXTS[0] | {"doc_id": "9"}])
    claims, pairs = write(tmp_path / "c.jsonl", CLAIMS), write(tmp_path / "p.jsonl", PAIRS)
    assert main(["matching", "--data", str(pairs), "--clef", str(texts), str(claims)]) == 2
    assert "has no claim '9'" in capsys.readouterr().err
