"""Tests of training.unseen: what is close to a measuring claim is not learned from."""

from training.dossiers import Dossier, DossierClaim
from training.unseen import MEASURED, measured_claims, unseen
from training.written import Contrast

BREAD = "The bakery in Hulsen bakes at four in the morning."
WALL = "You can see the Great Wall of China from the Moon."


def test_rows_with_a_claim_near_to_a_measuring_one_are_left_out() -> None:
    rows = [
        Contrast("wall", ("A passage.",), (("The wall is old.", "SUPPORTS"), (WALL, "REFUTES"))),
        Contrast("bread", ("A passage.",), ((BREAD, "SUPPORTS"),)),
        Contrast("nothing", ("A passage.",), ()),
    ]
    assert [row.topic for row in unseen(rows)] == ["bread", "nothing"]
    assert unseen(rows[2:]) == rows[2:]


def test_pages_are_left_out_like_any_other_rows() -> None:
    none: frozenset[int] = frozenset()
    pages = [Dossier(text, ("A page.",), (DossierClaim(text, none, none),)) for text in (WALL, BREAD)]
    assert unseen(pages) == pages[1:]


def test_the_measuring_claims_are_those_of_the_tests_and_of_the_demo_web() -> None:
    both = measured_claims()
    assert both[0] == "The Great Wall of China is visible from the Moon"
    assert len(both) == sum(len(measured_claims([file])) for file in MEASURED) > 180
