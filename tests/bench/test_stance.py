"""Pairs read by the real reader, and their figures by hand."""

import json
from pathlib import Path

import pytest

from bench.cli import main
from bench.rows import PairRow
from bench.stance import answer, figures, traps
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING
from ghost.types import Stance
from tests.bench.corpora import PAIRS, write


def test_real_pairs_are_read(tmp_path: Path) -> None:
    pairs = write(tmp_path / "tiny.jsonl", PAIRS)
    out = tmp_path / "out.json"
    assert main(["stance", "--pairs", str(pairs), "--json", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["command"] == "python -m ghost bench stance --pairs tiny.jsonl --seed 1"
    assert result["n"] == 4
    assert result["answers"] == ["SUPPORTS", "REFUTES"]
    assert result["accuracy"] >= 0.75
    assert result["by_evidence_words"] == {"1-15": {k: result[k] for k in ("n", "accuracy", "macro_f1")}}
    assert result["by_trap"]["negation"]["n"] == 1
    assert result["by_trap"]["number"]["n"] == 1
    assert result["by_trap"]["none"]["n"] == 2
    assert len(result["models"]["stance"]["sha256"]) == 64
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.json", "tiny.jsonl"]


def test_a_file_without_nei_leaves_two_answers() -> None:
    doubtful = Stance(0.2, 0.1, 0.6, 0.1)
    assert answer(doubtful, three=True) == "NEI"
    assert answer(doubtful, three=False) == "SUPPORTS"
    assert answer(OFF_TOPIC, three=True) == answer(ON_TOPIC, three=True) == "NEI"
    assert answer(Stance(0.1, 0.2, 0.3, 0.4), three=False) == "REFUTES"


def test_the_figures_by_hand() -> None:
    rows = [
        PairRow(claim="It rains.", evidence="It rains " * 8, label="SUPPORTS"),
        PairRow(claim="It rains.", evidence="It does not rain.", label="REFUTES"),
        PairRow(claim="It rains.", evidence="It rains.", label="OFF-TOPIC", trap="irony"),
        PairRow(claim="It rains.", evidence="It rains.", label="neutral", trap=("date", "number")),
    ]
    found = figures(rows, [SUPPORTING, SUPPORTING, OFF_TOPIC, REFUTING], three=True, seed=1)
    assert found["accuracy"] == 0.5
    assert found["macro_f1"] == round((2 / 3 + 0 + 2 / 3) / 3, 4)
    assert found["by_class"]["NEI"] == {"n": 2, "precision": 1.0, "recall": 0.5, "f1": 0.6667}
    assert found["by_evidence_words"]["1-15"]["n"] == 3
    assert found["by_evidence_words"]["16-30"] == {"n": 1, "accuracy": 1.0, "macro_f1": 1.0}
    assert found["by_trap"]["negation"] == {"n": 1, "accuracy": 0.0, "macro_f1": 0.0}
    assert found["by_trap"]["irony"]["n"] == found["by_trap"]["date"]["n"] == found["by_trap"]["none"]["n"] == 1
    assert found["by_trap"]["entity"] == {"n": 0, "accuracy": None, "macro_f1": None}


@pytest.mark.parametrize(
    ("claim", "evidence", "found"),
    [
        ("Sharks never get cancer.", "Sharks get cancer.", ("negation",)),
        ("Sharks don't get cancer.", "Sharks do not get cancer.", ()),
        ("The tower has 1,000 steps.", "The tower has 704 steps.", ("number",)),
        ("The tower has 1,000 steps.", "The tower has 1000 steps.", ()),
        ("The tower has three floors.", "The tower has four floors.", ("number",)),
        ("The tower opened in 1889.", "The tower opened in 1890.", ("date",)),
        ("The tower opened on 31 March.", "The tower opened on 30 March.", ("date",)),
        ("It was painted in Paris.", "It was painted in Berlin.", ("entity",)),
        ("It was painted in Paris.", "In Paris it was painted.", ()),
        ("All swans are white.", "Swans are white.", ("quantifier",)),
        ("Only two of all swans in Rome are white.", "No swan in Oslo is white, nor are three in 1999.",
         ("negation", "number", "entity", "quantifier")),
        ("It rained.", "Nobody saw rain.", ("negation",)),
    ],
)  # fmt: skip
def test_a_trap_is_a_difference(claim: str, evidence: str, found: tuple[str, ...]) -> None:
    assert traps(claim, evidence) == found


def test_a_wrong_label_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = write(tmp_path / "p.jsonl", [*PAIRS, {"claim": "a", "evidence": "b", "label": "MAYBE"}])
    assert main(["stance", "--pairs", str(pairs)]) == 2
    assert f"{pairs}, line 5: the label 'MAYBE' is none of SUPPORTS" in capsys.readouterr().err
