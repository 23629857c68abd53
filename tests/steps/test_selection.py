"""Places among the evidence: each origin that speaks of the matter has its turn."""

from dataclasses import replace

from ghost.steps import RerankRules, select_evidence
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, evidence
from ghost.types import DropCode, Evidence, Stance

RULES = RerankRules(keep=2, max_per_domain=5)


def one(number: int, stance: Stance, group: int, final: float = 1.0, nearness: float = 0.7) -> Evidence:
    return replace(evidence(number, f"text {number}", stance, group=group), final=final, nearness=nearness)


def kept(*rows: Evidence) -> set[int]:
    return {e.number for e in select_evidence(rows, RULES)[0]}


def test_another_origin_goes_before_what_the_first_says_again() -> None:
    first, again, other = one(1, SUPPORTING, 1), one(2, SUPPORTING, 1, 0.9), one(3, ON_TOPIC, 2, 0.4)
    taken, left = select_evidence([first, again, other], RULES)
    assert {e.number for e in taken} == {1, 3}
    assert [(d.passage_id, d.code) for d in left] == [("p_2", DropCode.ORIGIN)]


def test_what_is_on_another_matter_waits_even_for_copies() -> None:
    far = one(3, ON_TOPIC, 2, 2.0, nearness=0.2)
    taken, left = select_evidence([one(1, SUPPORTING, 1), one(2, SUPPORTING, 1, 0.9), far], RULES)
    assert {e.number for e in taken} == {1, 2}
    assert [(d.passage_id, d.code) for d in left] == [("p_3", DropCode.PLACES)]
    assert kept(one(1, SUPPORTING, 1), far) == {1, 3}
    assert kept(one(1, OFF_TOPIC, 1, nearness=0.2), one(2, SUPPORTING, 2, nearness=0.2), far) == {2, 3}


def test_what_takes_no_side_is_only_more_of_an_origin_that_is_in() -> None:
    assert kept(one(1, SUPPORTING, 1), one(2, ON_TOPIC, 1, 0.9), one(3, ON_TOPIC, 2, 0.4)) == {1, 3}


def of_page(number: int, stance: Stance, nearness: float = 0.8) -> Evidence:
    row = one(number, stance, 1, 1.0 - number / 10, nearness)
    return replace(row, passage=replace(row.passage, source_url="https://a.example/page", domain="a.example"))


def test_the_sentence_with_which_a_page_denies_itself_always_has_a_place() -> None:
    full = [of_page(1, SUPPORTING), of_page(2, SUPPORTING)]
    for rules in (RerankRules(keep=2), RerankRules(keep=5, max_per_domain=2)):
        assert {e.number for e in select_evidence([*full, of_page(3, REFUTING, 0.75)], rules)[0]} == {1, 2, 3}
        assert {e.number for e in select_evidence([*full, of_page(3, REFUTING, 0.5)], rules)[0]} == {1, 2}
    denials = [of_page(n, REFUTING, 0.75) for n in (3, 4)]
    assert len(select_evidence([*full, *denials], RerankRules(keep=2))[0]) == 3
