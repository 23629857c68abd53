import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ghost.types import Stance
from training.measure import Document, bm25, calibration_error, measure


class WordEncoder:
    """Counts letters: near is what is spelt alike."""

    name = "letters"
    dimensions = 26
    checksum = "0" * 64

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        counts = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-6)


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
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    file.write_bytes(gzip.compress(content) if file.suffix == ".gz" else content)


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
    _write(
        dev / "scifact.claims.jsonl",
        [{"id": "1", "claim": "bats fly", "cited": ["a"]}, {"id": "2", "claim": "dogs bark", "cited": ["b", "c"]}],
    )
    _write(
        dev / "scifact.corpus.jsonl.gz",
        [
            {"doc_id": "a", "title": "bats", "abstract": ["Wings.", "Some bats fly far.", "Night.", "End."]},
            {"doc_id": "b", "title": "dogs", "abstract": ["dogs bark"]},
            {"doc_id": "c", "title": "noise", "abstract": ["what dogs do"]},
            {"doc_id": "d", "title": "stones", "abstract": ["quiet"]},
        ],
    )
    return tmp_path


def test_figures_of_a_reader_that_is_known(data: Path) -> None:
    figures = measure(WordReader(), WordEncoder(), data)
    assert figures["fever_symmetric"]["accuracy"] == 0.75
    assert figures["fever_symmetric"]["macro_f1"] == round((0.8 + 2 / 3) / 2, 4)
    assert figures["fever_symmetric"]["accuracy_empty_evidence"] == 0.5
    assert figures["fever_symmetric"]["foreign_called_off_topic"] == 0.75
    assert figures["fever_symmetric"]["foreign_called_decided"] == 0.25
    assert figures["xnli_en"]["accuracy"] == 0.8
    assert figures["scifact"]["claims"] == 2
    assert figures["scifact"]["documents"] == 4
    assert figures["scifact"]["ndcg10_bm25"] == 1.0
    assert figures["scifact"]["ndcg10_relevance"] > 0.9
    assert figures["scifact"]["recall20_first_stage"] == 1.0


def test_calibration_error_is_the_gap() -> None:
    assert calibration_error(["A", "A"], [{"A": 1.0, "B": 0.0}] * 2) == 0
    assert calibration_error(["B", "B"], [{"A": 1.0, "B": 0.0}] * 2) == 1
    assert calibration_error(["A", "B"], [{"A": 0.75, "B": 0.25}] * 2) == 0.25


def test_bm25_survives_queries_of_stop_words_and_quotes() -> None:
    corpus = {"a": Document("title", ("some text",))}
    assert bm25(["the of", 'text" OR *', ""], corpus) == [[], ["a"], []]
