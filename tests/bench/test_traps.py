"""Traps are where claim and evidence differ in something small and telling."""

import pytest

from bench.traps import traps


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
