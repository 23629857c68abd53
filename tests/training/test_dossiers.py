import json
import random
from pathlib import Path

import pytest

from training.dossiers import dossier_pairs, plain_pairs, read_dossiers
from training.pairs import evened

PAGE = ["The mill burned down on Sunday.", "Nobody was hurt.", "It was built in 1890.", "A heater was the cause."]
CLAIMS = [
    {"text": "A fire destroyed the mill", "S": [0], "R": []},
    {"text": "Two people died in the mill", "S": [], "R": [1]},
    {"text": "The mill was insured", "S": [], "R": []},
]
ROW = {"topic": "mill fire", "page": PAGE, "claims": CLAIMS}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "dossiers.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return file


def test_each_sentence_is_read_with_the_one_before_it_and_what_settles_nothing_is_open(tmp_path: Path) -> None:
    pairs = list(dossier_pairs(read_dossiers(write(tmp_path, ROW)), random.Random(1)))
    of = {text: [(p.evidence, p.label) for p in pairs if p.claim == text] for text in (c["text"] for c in CLAIMS)}
    assert of["A fire destroyed the mill"] == [
        (PAGE[0], "SUPPORTS"),
        (f"{PAGE[0]} {PAGE[1]}", "SUPPORTS"),
        (f"{PAGE[1]} {PAGE[2]}", "NEUTRAL"),
        (f"{PAGE[2]} {PAGE[3]}", "NEUTRAL"),
    ]
    assert of["Two people died in the mill"][:2] == [
        (f"{PAGE[0]} {PAGE[1]}", "REFUTES"),
        (f"{PAGE[1]} {PAGE[2]}", "REFUTES"),
    ]
    assert [label for _, label in of["The mill was insured"]] == ["NEUTRAL"] * 4


def test_a_page_supports_its_own_words_and_refutes_them_turned(tmp_path: Path) -> None:
    pairs = list(plain_pairs(read_dossiers(write(tmp_path, ROW)), random.Random(1)))
    by_claim = {p.claim: {q.label for q in pairs if q.claim == p.claim} for p in pairs}
    assert all(by_claim[sentence] == {"SUPPORTS", "NEUTRAL"} for sentence in PAGE)
    assert by_claim["It was not built in 1890."] == {"REFUTES"}
    assert all(p.claim in p.evidence for p in pairs if p.label == "SUPPORTS")


@pytest.mark.parametrize("bad", ["{", "[]", json.dumps(ROW | {"claims": [{"text": "x", "S": [9], "R": []}]})])
def test_a_malformed_row_is_named(tmp_path: Path, bad: str) -> None:
    with pytest.raises(ValueError, match=r"dossiers\.jsonl, line 2"):
        read_dossiers(write(tmp_path, ROW, bad))


def test_the_shipped_pages_are_balanced_and_partly_held_back() -> None:
    rows = read_dossiers()
    labels = [c.label for row in rows for c in row.claims]
    assert 0.8 < labels.count("SUPPORTS") / labels.count("REFUTES") < 1.25
    assert labels.count("NEI") > len(labels) / 8
    sided = [p for p in dossier_pairs(rows, random.Random(1)) if p.label in ("SUPPORTS", "REFUTES")]
    assert len(evened(sided, random.Random(1))) > 0.7 * len(sided), "the words that a claim shares tell its side"
    assert 0.1 < sum(row.held_back for row in rows) / len(rows) < 0.25
    assert len({row.topic for row in rows}) == len(rows)
