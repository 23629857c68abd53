import json
import random
import re
from pathlib import Path

import pytest

from training.dossiers import crossed_dossier_pairs, dossier_pairs, plain_pairs, read_dossiers, renumber
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


def test_of_the_open_sentences_only_some_are_taken_and_half_of_them_alone(tmp_path: Path) -> None:
    pairs = list(dossier_pairs(read_dossiers(write(tmp_path, ROW)), random.Random(1), left_open=2))
    assert [p.label for p in pairs].count("NEUTRAL") == 2 * len(CLAIMS)
    alone = [p for p in pairs if p.label == "NEUTRAL" and p.evidence in PAGE[1:]]
    assert alone


def test_some_that_settle_a_claim_are_read_alone_as_well(tmp_path: Path) -> None:
    rows = read_dossiers(write(tmp_path, ROW))
    pairs = [p for seed in range(20) for p in dossier_pairs(rows, random.Random(seed), left_open=1)]
    alone = [p for p in pairs if p.evidence == PAGE[1] and p.label != "NEUTRAL"]
    assert {(p.claim, p.label) for p in alone} == {("Two people died in the mill", "REFUTES")}
    assert 3 <= len(alone) <= 17
    # The first sentence has none before it, so that it is alone anyway.
    assert sum(p.evidence == PAGE[0] and p.label == "SUPPORTS" for p in pairs) == 20


def test_crossed_pairs_take_a_sentence_of_another_page(tmp_path: Path) -> None:
    other = {"topic": "tea", "page": ["Tea is hot."], "claims": []}
    pairs = list(crossed_dossier_pairs(read_dossiers(write(tmp_path, ROW, other)), random.Random(1)))
    assert [(p.evidence, p.label) for p in pairs] == [("Tea is hot.", "OFF-TOPIC")] * 3


def test_a_page_supports_its_own_words_and_refutes_them_turned(tmp_path: Path) -> None:
    pairs = list(plain_pairs(read_dossiers(write(tmp_path, ROW)), random.Random(1)))
    by_claim = {p.claim: {q.label for q in pairs if q.claim == p.claim} for p in pairs}
    assert all(by_claim[sentence] == {"SUPPORTS", "NEUTRAL"} for sentence in PAGE)
    assert by_claim["It was not built in 1890."] == {"REFUTES"}
    assert all(p.claim in p.evidence for p in pairs if p.label == "SUPPORTS")


def test_a_number_is_changed_and_keeps_its_form() -> None:
    for seed in range(20):
        for text in ("It was built in 1890.", "The fine is 1,200 crowns.", "Two of 40 ships sank."):
            found = renumber(text, random.Random(seed))
            assert found
            assert found != text
            assert re.sub(r"[\d,]+", "#", found) == re.sub(r"[\d,]+", "#", text)
    assert renumber("Nobody was hurt.", random.Random(1)) is None


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
