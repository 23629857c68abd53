"""What the stance model gets wrong is corrected: amounts, denials, and texts that rate a claim."""

import json
from pathlib import Path

import pytest

from config import PROJECT
from ghost.inference import load_stance_reader
from ghost.judges import (
    VERBATIM,
    AmountReader,
    DenialReader,
    RatingReader,
    denied,
    rates,
    shipped,
)
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader
from ghost.types import Stance, StanceLabel
from ghost.web import Meaning, rated, worded


def test_the_model_reads_equal_amounts_in_the_same_words() -> None:
    seen: list[str] = []
    reader = AmountReader(ScriptedReader(lambda passage, statement: seen.append(passage) or SUPPORTING))
    assert reader.read([("340 million people live here.", "0.34 billion people live there.")]) == [SUPPORTING]
    assert seen == ["0.34 billion people live here."]


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("The pier cost 3\u202f000\u202f000 crowns.", "The pier cost 3,000,000 crowns."),
        ("The flood cost 12\u00a0500\u00a0000 crowns.", "The flood cost 12.5 million crowns."),
        ("Velm has 48’310 inhabitants.", "Velm has 48 310 inhabitants."), ("It fell to −5 °C.", "It fell to -5 °C."),
        ("Crime fell by ⑫ per cent.", "Crime fell by 12 per cent."), ("It cost 3¹ million.", "It cost 3 million."),
        ("The pier was built in 1764.", "The pier was built in the 18th century."),
        ("A quarter of the boats left.", "25 per cent of the boats left."),
    ],
)  # fmt: skip
def test_a_text_that_says_the_same_once_its_numbers_are_written_alike_needs_no_model(
    passage: str, statement: str
) -> None:
    (stance,) = AmountReader(ScriptedReader(lambda *_: REFUTING)).read([(passage, statement)])
    assert stance.supports == VERBATIM


@pytest.mark.parametrize(
    ("passage", "statement"),
    [
        ("Ostwick has 48 310 inhabitants.", "Ostwick has 310 inhabitants."),
        ("The flood destroyed up to 300 houses.", "The flood destroyed 300 houses."),
        ("It fell to −5 °C.", "It fell to 5 °C."),
    ],
)
def test_a_number_that_does_not_fit_supports_nothing(passage: str, statement: str) -> None:
    supporting, refuting = (AmountReader(ScriptedReader(lambda *_, s=side: s)) for side in (SUPPORTING, REFUTING))
    assert supporting.read([(passage, statement)])[0].supports == 0
    assert refuting.read([(passage, statement)])[0].refutes == REFUTING.refutes


def test_the_same_digits_with_another_size_support_nothing() -> None:
    pair = ("The dose is 5 milligrams.", "The dose is 5 grams.")
    (stance,) = AmountReader(ScriptedReader(lambda *_: SUPPORTING)).read([pair])
    assert stance.supports == 0
    assert stance.neutral == SUPPORTING.neutral + SUPPORTING.supports
    (stance,) = AmountReader(ScriptedReader(lambda *_: REFUTING)).read([pair])
    assert stance.refutes == REFUTING.refutes


BATS = "Bats are blind."
CASES = [
    ("It is not true that bats are blind.", BATS, True),
    ("It isn't true that bats are blind.", BATS, True),
    ("It's a myth that bats are blind.", BATS, True),
    ("It is simply false that bats are blind.", BATS, True),
    ("The idea that bats are blind is wrong.", "Bats are blind", True),
    ("The claim that bats are blind is not true.", "Bats are blind", True),
    ("It is true that bats are blind.", BATS, False),
    ("It is not a myth that bats are blind.", BATS, False),
    ("The rumour that bats are blind is not false.", "Bats are blind", False),
]
PLAIN = [
    BATS,
    "It is not known that bats are blind.",
    "He said that it is not true that bats are blind.",
    "It is wrong.",
    "The claim that bats are blind is older than the false tale of owls.",
    "The theory that made Darwin famous is true to his notes.",
]


@pytest.mark.parametrize(("statement", "said", "denies"), CASES)
def test_what_a_statement_denies(statement: str, said: str, denies: bool) -> None:
    assert denied(statement) == (said, denies)


@pytest.mark.parametrize("statement", PLAIN)
def test_other_statements_are_read_as_they_stand(statement: str) -> None:
    assert denied(statement) == (statement, False)


def test_the_sides_change_places() -> None:
    seen: list[str] = []
    reader = DenialReader(
        ScriptedReader(lambda passage, statement: seen.append(statement) or Stance(0.7, 0.1, 0.15, 0.05))
    )
    plain, turned = reader.read([("Bats see.", BATS), ("Bats see.", "It is not true that bats are blind.")])
    assert (plain.supports, plain.refutes) == (0.7, 0.1)
    assert (turned.supports, turned.refutes, turned.neutral, turned.off_topic) == (0.1, 0.7, 0.15, 0.05)
    assert seen == [BATS, BATS]


CLAIMS = Path(__file__).parent.parent / "data" / "claims.jsonl"
REPORTED = CLAIMS.with_name("reported_pairs.jsonl")


@pytest.fixture(scope="module")
def reader() -> RatingReader:
    return RatingReader(load_stance_reader(PROJECT / "ghost" / "models"))


@pytest.mark.parametrize(
    ("rating", "expected"),
    [("False", "REFUTES"), ("Pants on Fire!", "REFUTES"), ("Mostly False", "REFUTES"), ("True", "SUPPORTS"),
     ("Mostly true", "SUPPORTS"), ("Misleading", "NEUTRAL"), ("Missing context", "NEUTRAL")],
)  # fmt: skip
def test_the_bundled_model_takes_the_side_of_the_rating(reader: RatingReader, rating: str, expected: str) -> None:
    claims = [json.loads(line)["claim"] for line in CLAIMS.read_text(encoding="utf-8").splitlines()[:12]]
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


def test_the_bundled_model_takes_the_side_of_a_rating_in_prose(reader: RatingReader) -> None:
    claims = [json.loads(line)["claim"].rstrip(".") for line in CLAIMS.read_text(encoding="utf-8").splitlines()[:12]]
    claims = [claim for claim in claims if not {".", "?", "!"} & set(claim)]
    false = reader.read([(f"The claim that {c} is false. Experts looked at it.", c) for c in claims])
    assert {stance.label for stance in false} == {StanceLabel.REFUTES}
    misleading = reader.read([(f"The claim that {c} is misleading.", c) for c in claims])
    assert {stance.label for stance in misleading} == {StanceLabel.NEUTRAL}


CLOSED = "The ferry line to Sund has closed."


def reading(told: dict[str, Stance]) -> RatingReader:
    """A reader that knows these texts, and takes all others to be off the topic."""
    return RatingReader(ScriptedReader(lambda passage, statement: told.get(passage, OFF_TOPIC)))


LABELS = ("FALSE:", "Hoax alert –", "[Fake]", "Faux :", "Falsch:", "Fact check: FALSE –")
AFTER = ("Our rating: False.", "We rate this claim as Pants on Fire.", "Verdict: false")


@pytest.mark.parametrize("text", [*(f"{one} {CLOSED}" for one in LABELS), *(f"{CLOSED} {one}" for one in AFTER)])
def test_a_label_before_the_claim_and_a_rating_after_it_decide_how_it_counts(text: str) -> None:
    assert reading({CLOSED: SUPPORTING}).read([(text, CLOSED)])[0].label is StanceLabel.REFUTES
    assert rates(text)


@pytest.mark.parametrize("label", ["Satire:", "Misleading:", "Half true:", "Fact check:", "Fact check: No,"])
def test_other_labels_take_no_side(label: str) -> None:
    assert reading({CLOSED: SUPPORTING}).read([(f"{label} {CLOSED}", CLOSED)])[0].label is StanceLabel.NEUTRAL


def test_a_label_before_a_denial_may_mean_either() -> None:
    denied = "The ferry line has not closed."
    reader = reading({denied: REFUTING, f"FALSE: {denied}": REFUTING})
    assert reader.read([(f"FALSE: {denied}", CLOSED)])[0].label is StanceLabel.NEUTRAL
    assert reader.read([(f"Fact check: No, {denied}", CLOSED)])[0].label is StanceLabel.REFUTES


def test_what_a_text_says_beside_a_rating_counts_too() -> None:
    daily = "A boat leaves every day."
    reader = reading({CLOSED: ON_TOPIC, daily: SUPPORTING})
    before, after = reader.read([(f"FALSE: {CLOSED} {daily}", daily), (f"{CLOSED} Our rating: False. {daily}", daily)])
    assert before.label is after.label is StanceLabel.SUPPORTS
    both = reading({CLOSED: SUPPORTING, daily: SUPPORTING}).read([(f"FALSE: {CLOSED} {daily}", daily)])[0]
    assert both.supports == both.refutes == 0.5  # the rated claim in other words, or the rest: each is as sure


@pytest.mark.parametrize("text", [f"The harbour: {CLOSED}", f"False friends: {CLOSED}", f"No: {CLOSED}"])
def test_what_is_no_label_is_read_as_it_stands(text: str) -> None:
    assert reading({text: SUPPORTING}).read([(text, CLOSED)]) == [SUPPORTING]
    assert not rates(text)


@pytest.mark.parametrize("text", ["Has the ferry line closed?", "“Has the ferry line closed?” Who will row us over?"])
def test_questions_alone_state_nothing(text: str) -> None:
    assert reading({text: SUPPORTING}).read([(text, CLOSED)])[0].label is StanceLabel.NEUTRAL
    assert reading({text: OFF_TOPIC}).read([(text, CLOSED)])[0].label is StanceLabel.OFF_TOPIC


def test_what_is_the_statement_supports_it_whatever_it_is() -> None:
    for text in (
        CLOSED,
        "“The ferry line to Sund has closed”",
        f"FALSE: {CLOSED}",
        worded("Snopes", "Honey spoils", "False"),
    ):
        assert reading({text: REFUTING}).read([(text, text.upper())])[0].supports == VERBATIM


def test_reports_plans_questions_and_denials_that_nobody_wrote_for_the_rules(reader: RatingReader) -> None:
    """How often a text that tells of somebody's words is read rightly, and plainly for the wrong side."""
    rows = [json.loads(line) for line in REPORTED.read_text(encoding="utf-8").splitlines()]
    found = reader.read([(row["evidence"], row["claim"]) for row in rows])
    said = [{"SUPPORTS": "SUPPORTS", "REFUTES": "REFUTES"}.get(stance.label.value, "NEI") for stance in found]
    right = [one == row["label"] for one, row in zip(said, rows, strict=True)]
    sure = [max(stance.supports, stance.refutes) >= shipped().odds.reading for stance in found]
    wrong = sum(is_sure and not is_right for is_sure, is_right in zip(sure, right, strict=True))
    assert sum(right) >= 180, "of 240"
    assert wrong <= 3, f"of {sum(sure)}"


@pytest.mark.parametrize(
    ("text", "claim", "means"),
    [
        ("The claim that marks improved after phones were banned is misleading. They rose by 6 percent.",
         "marks improved after phones were banned", Meaning.MISLEADING),
        ("The viral rumour that the mayor has resigned is simply false.", "the mayor has resigned", Meaning.FALSE),
        ("The claim that they met is only half true.", "they met", Meaning.MIXED),
        ("Claims that the water is poisoned is what people spread.", None, None),
        ("The claim that ice is cold. It is false.", None, None),
    ],
)  # fmt: skip
def test_a_rating_in_prose(text: str, claim: str | None, means: Meaning | None) -> None:
    assert rated(text) == ((claim, means) if means else None)


def test_a_claim_with_quotation_marks_cannot_bring_a_rating_of_its_own() -> None:
    found = rated(worded("Snopes", "x” as True. Snopes rated the claim “y", "False"))
    assert found is not None
    assert found[1] is Meaning.FALSE
