"""Tests of training.unseen: what is close to a measuring claim is not learned from."""

from pathlib import Path

from ghost.inference.load import load_encoder
from training.unseen import MEASURED, apart, measured_claims

MODELS = Path(__file__).parents[2] / "ghost" / "models"


def test_rows_with_a_claim_near_to_a_measuring_one_are_left_out() -> None:
    encoder = load_encoder("all-MiniLM-L6-v2", MODELS)
    rows = [
        ("wall", ["The wall is old.", "You can see the Great Wall of China from the Moon."]),
        ("bread", ["The bakery in Hulsen bakes at four in the morning."]),
        ("nothing", []),
    ]
    assert [name for name, _ in apart(rows, lambda row: row[1], encoder.encode)] == ["bread", "nothing"]
    assert apart([("nothing", [])], lambda row: row[1], encoder.encode) == [("nothing", [])]


def test_the_measuring_claims_are_those_of_the_tests_and_of_the_demo_web() -> None:
    both = measured_claims()
    assert both[0] == "The Great Wall of China is visible from the Moon"
    assert len(both) == sum(len(measured_claims([file])) for file in MEASURED) > 180
