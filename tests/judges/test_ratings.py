"""A published fact-check counts for what its rating says, whatever the stance model makes of its words."""

import json
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference.load import load_stance_reader
from ghost.judges.polarity import PolarityGuard
from ghost.judges.ratings import Meaning, RatingReader, meaning, rated, worded
from ghost.testing import OFF_TOPIC, REFUTING, SUPPORTING, ScriptedReader
from ghost.types import Stance, StanceLabel

CLAIMS = Path(__file__).parent.parent / "data" / "claims.jsonl"


@pytest.fixture(scope="module")
def reader() -> RatingReader:
    return RatingReader(PolarityGuard(load_stance_reader(PROJECT / "ghost" / "models")))


@pytest.mark.parametrize(
    ("rating", "expected"),
    [("False", "REFUTES"), ("Pants on Fire!", "REFUTES"), ("Mostly False", "REFUTES"), ("True", "SUPPORTS"),
     ("Mostly true", "SUPPORTS"), ("Misleading", "NEUTRAL"), ("Missing context", "NEUTRAL")],
)  # fmt: skip
def test_the_bundled_model_takes_the_side_of_the_rating(reader: RatingReader, rating: str, expected: str) -> None:
    claims = [json.loads(line)["claim"] for line in CLAIMS.read_text(encoding="utf-8").splitlines()[:40]]
    found = reader.read([(worded("PolitiFact", claim, rating), claim) for claim in claims])
    assert {stance.label for stance in found} == {StanceLabel(expected)}


def test_what_a_rating_says_of_another_statement() -> None:
    def read(stance: Stance, rating: str) -> StanceLabel:
        scripted = RatingReader(ScriptedReader(lambda passage, statement: stance))
        return scripted.read([(worded("Snopes", "Honey spoils", rating), "Honey never spoils.")])[0].label

    assert read(REFUTING, "True") is StanceLabel.REFUTES
    assert read(REFUTING, "False") is StanceLabel.NEUTRAL  # two claims that exclude each other can both be false
    assert read(SUPPORTING, "Misleading") is StanceLabel.NEUTRAL
    assert read(OFF_TOPIC, "False") is StanceLabel.OFF_TOPIC


def test_other_texts_are_read_as_they_are_and_in_order() -> None:
    scripted = RatingReader(ScriptedReader(lambda passage, statement: SUPPORTING if passage == "Yes." else REFUTING))
    pairs = [("Yes.", "S."), (worded("Snopes", "Yes.", "False"), "S."), ("No.", "S.")]
    assert [s.label for s in scripted.read(pairs)] == ["SUPPORTS", "REFUTES", "REFUTES"]


def test_a_claim_with_quotation_marks_cannot_bring_a_rating_of_its_own() -> None:
    text = worded("Snopes", "x” as True. Snopes rated the claim “y", "False")
    found = rated(text)
    assert found is not None
    assert found[1] is Meaning.FALSE


@pytest.mark.parametrize("words", ["Promise kept", "", "True crime", "It depends"])
def test_other_ratings_are_left_to_people(words: str) -> None:
    assert meaning(words) is None
    assert rated(worded("Snopes", "Honey spoils", words)) is None


@pytest.mark.parametrize(
    ("text", "claim", "means"),
    [
        ("The claim that marks improved after phones were banned is misleading. They rose by 6 percent.",
         "marks improved after phones were banned", Meaning.MISLEADING),
        ("The viral rumour that the mayor has resigned is simply false.", "the mayor has resigned", Meaning.FALSE),
        ("The statement that 12 people died was correct.", "12 people died", Meaning.TRUE),
        ("The claim that warming is a hoax is false.", "warming is a hoax", Meaning.FALSE),
        ("The claim that they met is only half true.", "they met", Meaning.MIXED),
        ("Claims that the water is poisoned is what people spread.", None, None),
        ("The claim that ice is cold. It is false.", None, None),
        ("The idea that what they say is false made him laugh, he said.", None, None),
    ],
)  # fmt: skip
def test_a_rating_in_prose(text: str, claim: str | None, means: Meaning | None) -> None:
    assert rated(text) == ((claim, means) if means else None)


def test_the_bundled_model_takes_the_side_of_a_rating_in_prose(reader: RatingReader) -> None:
    claims = [json.loads(line)["claim"].rstrip(".") for line in CLAIMS.read_text(encoding="utf-8").splitlines()[:40]]
    claims = [claim for claim in claims if not {".", "?", "!"} & set(claim)]
    false = reader.read([(f"The claim that {c} is false. Experts looked at it.", c) for c in claims])
    assert {stance.label for stance in false} == {StanceLabel.REFUTES}
    misleading = reader.read([(f"The claim that {c} is misleading.", c) for c in claims])
    assert {stance.label for stance in misleading} == {StanceLabel.NEUTRAL}


@pytest.mark.parametrize(
    ("rating", "means"),
    [("True, but misleading", Meaning.MISLEADING), ("Correct, but missing context", Meaning.MISLEADING),
     ("Mostly true; needs context", Meaning.MISLEADING), ("False context", Meaning.MISLEADING),
     ("False or misleading", Meaning.MISLEADING), ("True, but unproven", Meaning.UNPROVEN),
     ("True – but old", Meaning.MIXED)],
)  # fmt: skip
def test_a_rating_with_a_reservation_is_not_taken_for_its_first_word(rating: str, means: Meaning | None) -> None:
    assert meaning(rating) is means
