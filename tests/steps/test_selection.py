"""Places among the evidence: each origin that speaks of the matter has its turn."""

from dataclasses import replace

from ghost.steps.selection import RerankRules, choose
from ghost.testing import OFF_TOPIC, ON_TOPIC, SUPPORTING, evidence
from ghost.types import DropCode, Evidence, Stance

RULES = RerankRules(keep=2, max_per_domain=5)


def one(number: int, stance: Stance, group: int, final: float = 1.0, nearness: float = 0.7) -> Evidence:
    return replace(evidence(number, f"text {number}", stance, group=group), final=final, nearness=nearness)


def kept(*rows: Evidence) -> set[int]:
    return {e.number for e in choose(rows, RULES)[0]}


def test_another_origin_goes_before_what_the_first_says_again() -> None:
    first, again, other = one(1, SUPPORTING, 1), one(2, SUPPORTING, 1, 0.9), one(3, ON_TOPIC, 2, 0.4)
    taken, left = choose([first, again, other], RULES)
    assert {e.number for e in taken} == {1, 3}
    assert [(d.passage_id, d.code) for d in left] == [("p_2", DropCode.ORIGIN)]


def test_what_is_on_another_matter_waits_even_for_copies() -> None:
    far = one(3, ON_TOPIC, 2, 2.0, nearness=0.2)
    taken, left = choose([one(1, SUPPORTING, 1), one(2, SUPPORTING, 1, 0.9), far], RULES)
    assert {e.number for e in taken} == {1, 2}
    assert [(d.passage_id, d.code) for d in left] == [("p_3", DropCode.PLACES)]
    assert kept(one(1, SUPPORTING, 1), far) == {1, 3}
    assert kept(one(1, OFF_TOPIC, 1, nearness=0.2), one(2, SUPPORTING, 2, nearness=0.2), far) == {2, 3}


def test_what_takes_no_side_is_only_more_of_an_origin_that_is_in() -> None:
    assert kept(one(1, SUPPORTING, 1), one(2, ON_TOPIC, 1, 0.9), one(3, ON_TOPIC, 2, 0.4)) == {1, 3}
