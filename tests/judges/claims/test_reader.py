"""The claim classifier, alone and behind the rules of step 1."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ghost.errors import WeightsDamagedError
from ghost.inference.claim_head import ClaimHead
from ghost.inference.encoder import OnnxEncoder
from ghost.judges.claims.classify import MAX_STATEMENTS, classify
from ghost.judges.claims.reader import ClaimReader, Reading
from ghost.judges.claims.style import NAMES, style
from ghost.types import ClaimType
from ghost.workbench import MODELS

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "training" / "data"


def rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader() -> ClaimReader:
    return ClaimReader(OnnxEncoder(MODELS / "all-minilm-l6-v2", 1), ClaimHead(MODELS / "claim-types"))


class Says:
    """A reader that gives one answer to everything."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.asked: list[str] = []

    def read(self, texts: Sequence[str]) -> list[Reading]:
        self.asked += texts
        return [self.reading for _ in texts]


def test_examples_it_was_not_fitted_on(reader: ClaimReader):
    held = rows(EXAMPLES / "claim_types.held.jsonl")
    readings = reader.read([row["text"] for row in held])
    scores = []
    for kind in ClaimType:
        right = {n for n, row in enumerate(held) if row["type"] == kind}
        said = {n for n, r in enumerate(readings) if r.type is kind}
        scores.append(2 * len(right & said) / (len(right) + len(said)))
    assert sum(scores) / len(scores) >= 0.84


def test_held_out_claims_are_read_no_worse_than_by_the_rules_alone(reader: ClaimReader):
    held = [row for row in rows(ROOT / "tests" / "data" / "claim_types.jsonl") if row.get("held_out")]
    alone = sum(classify(row["text"]).type == row["type"] for row in held)
    together = sum(classify(row["text"], reader=reader).type == row["type"] for row in held)
    assert together >= alone


def test_every_row_of_the_test_file_together(reader: ClaimReader):
    every = rows(ROOT / "tests" / "data" / "claim_types.jsonl")
    assert sum(classify(row["text"], reader=reader).type == row["type"] for row in every) / len(every) >= 0.93


def test_example_claims_are_let_through_or_stopped_as_labelled(reader: ClaimReader):
    for row in rows(ROOT / "tests" / "data" / "claims.jsonl"):
        stopped = not classify(row["claim"], reader=reader).statements
        assert stopped is (row["label"] == "Not Verifiable"), row["claim"]


def test_seed_facts_are_never_stopped_or_cut(reader: ClaimReader):
    for row in rows(ROOT / "packs" / "basics.jsonl"):
        assert classify(row["text"], reader=reader).statements == classify(row["text"]).statements, row["text"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Shamefully, the ministry closed 40 libraries in 2019.", "The ministry closed 40 libraries in 2019."),
        ("The dam cost 4 billion dollars, which is a disgrace.", "The dam cost 4 billion dollars."),
        ("It is a scandal that the harbour was sold in 2011.", "The harbour was sold in 2011."),
    ],
)
def test_the_factual_part_of_a_mixed_claim(reader: ClaimReader, text: str, fact: str):
    found = classify(text, reader=reader)
    assert found.type is ClaimType.MIXED
    assert [s.text.rstrip(".") for s in found.statements] == [fact.rstrip(".")]


def test_a_compound_claim_is_split_and_each_part_read(reader: ClaimReader):
    found = classify("Oslo is in Norway and its mayor is a pathetic clown.", reader=reader)
    assert found.type is ClaimType.MIXED
    assert [s.text for s in found.statements] == ["Oslo is in Norway."] or [s.text for s in found.statements] == [
        "Oslo is in Norway"
    ]


def test_what_is_worth_checking_comes_first(reader: ClaimReader):
    ordered = [
        "Unemployment has doubled since 2019 and 3 million people have lost their jobs.",
        "I met my wife in college.",
        "Thank you, and good night.",
    ]
    scores = [classify(text, reader=reader).check_worthiness for text in ordered]
    assert all(score is not None and 0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.8
    assert scores[2] < 0.2


def test_a_certain_rule_is_not_overruled():
    sure = Says(Reading(1.0, 0.0, 0.0, 0.0, 0.7))
    assert classify("You should drink more water", reader=sure).type is ClaimType.OPINION
    assert classify("Where is the station?", reader=sure).type is ClaimType.AMBIGUOUS
    assert classify("Hello there", reader=sure).check_worthiness == 0.0


def test_an_open_clause_is_settled_by_the_reader_with_its_confidence():
    found = classify("The harbour faces the north wind", reader=Says(Reading(0.03, 0.93, 0.03, 0.01, 0.3)))
    assert found.type is ClaimType.OPINION
    assert found.confidence == 0.93
    assert found.check_worthiness == 0.3
    assert found.rephrase
    assert "harbour" in found.reason


def test_judging_words_that_cannot_be_cut_off_are_kept_and_said_so():
    found = classify("The harbour faces the north wind", reader=Says(Reading(0.05, 0.05, 0.85, 0.05, 0.3)))
    assert found.type is ClaimType.MIXED
    assert [s.text for s in found.statements] == ["The harbour faces the north wind"]
    assert "left out" not in found.reason


def test_an_opinion_in_doubt_is_looked_at_and_called_mixed():
    doubtful = Says(Reading(0.35, 0.55, 0.08, 0.02, 0.3))
    assert classify("The harbour faces the north wind", reader=doubtful).type is ClaimType.FACTUAL
    marked = classify("The harbour is a squalid affront of 1970", reader=doubtful)
    assert marked.type is ClaimType.MIXED
    assert len(marked.statements) == 1


def test_what_a_ranking_settles_is_never_called_an_opinion():
    sure = Says(Reading(0.0, 1.0, 0.0, 0.0, 0.5))
    assert classify("Dune is the best-selling science fiction novel", reader=sure).type is ClaimType.FACTUAL


def test_without_a_reader_nothing_is_scored():
    assert classify("Oslo is in Norway").check_worthiness is None


def test_a_clause_is_encoded_once():
    counting = Says(Reading(0.9, 0.05, 0.03, 0.02, 0.5))
    classify("Oslo is in Norway", reader=counting)
    assert counting.asked == ["Oslo is in Norway"]


def test_any_text_gets_a_style_and_an_answer(reader: ClaimReader):
    chance = random.Random(5)
    for _ in range(60):
        limits = [chance.choice((127, 0x3000, 0x110000)) for _ in range(chance.randrange(60))]
        text = "".join(chr(chance.randrange(limit)) for limit in limits)
        assert style(text).shape == (len(NAMES),)
        assert np.isfinite(style(text)).all()
    for text in ("", "\n", "and " * 500, '"' * 99, "A is B and C is D " * 100, "well, so, " * 300, "\ud800"):
        found = classify(text, reader=reader)
        assert 0 < found.confidence <= 1
        assert len(found.statements) <= MAX_STATEMENTS


def test_weights_for_other_numbers_are_refused():
    class Head:
        name, classes, inputs, checksum = "old", ("FACTUAL",), ("length",), "0"

        def predict(self, vectors: np.ndarray, style: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            raise AssertionError

    with pytest.raises(WeightsDamagedError):
        ClaimReader(OnnxEncoder(MODELS / "all-minilm-l6-v2", 1), Head())
