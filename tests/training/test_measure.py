import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ghost.types import Stance
from training.measure import calibration_error, measure


class WordReader:
    """Relevant is what shares a word; refuted is what has a "not"."""

    name = "words"
    checksum = "0" * 64

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        found = []
        for passage, statement in pairs:
            if not set(passage.lower().split()) & set(statement.lower().split()):
                found.append(Stance(0.05, 0.0, 0.05, 0.9))
            elif "not" in passage:
                found.append(Stance(0.1, 0.8, 0.1, 0.0))
            else:
                found.append(Stance(0.8, 0.1, 0.1, 0.0))
        return found


def _write(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    dev = tmp_path / "dev"
    dev.mkdir()
    stance = [
        {"claim": "bats fly", "evidence": "bats do fly", "label": "SUPPORTS"},
        {"claim": "cats fly", "evidence": "cats do not fly", "label": "REFUTES"},
        {"claim": "dogs bark", "evidence": "dogs bark and fly", "label": "SUPPORTS"},
        {"claim": "pigs sing", "evidence": "pigs sing", "label": "REFUTES"},
    ]
    _write(dev / "stance.fever_symmetric.jsonl", stance)
    _write(dev / "stance.xnli_en.jsonl", [*stance, {"claim": "it rains", "evidence": "hello", "label": "NEI"}])
    return tmp_path


def test_figures_of_a_reader_that_is_known(data: Path) -> None:
    figures = measure(WordReader(), data)
    assert figures["fever_symmetric"]["accuracy"] == 0.75
    assert figures["fever_symmetric"]["macro_f1"] == round((0.8 + 2 / 3) / 2, 4)
    assert figures["fever_symmetric"]["accuracy_empty_evidence"] == 0.5
    assert figures["fever_symmetric"]["foreign_called_off_topic"] == 0.75
    assert figures["fever_symmetric"]["foreign_called_decided"] == 0.25
    assert figures["xnli_en"]["accuracy"] == 0.8


def test_limit_takes_a_part(data: Path) -> None:
    figures = measure(WordReader(), data, limit=1)
    assert [figures[task]["pairs"] for task in ("fever_symmetric", "xnli_en")] == [1, 1]


def test_calibration_error_is_the_gap() -> None:
    assert calibration_error(["A", "A"], [{"A": 1.0, "B": 0.0}] * 2) == 0
    assert calibration_error(["B", "B"], [{"A": 1.0, "B": 0.0}] * 2) == 1
    assert calibration_error(["A", "B"], [{"A": 0.75, "B": 0.25}] * 2) == 0.25
