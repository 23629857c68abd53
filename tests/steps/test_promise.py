"""In which order the pages behind the hits are opened."""

import time

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.judges import ReadsByStance
from ghost.steps.investigate import read_pages as promise
from ghost.steps.investigate.read_pages import reading_order
from ghost.testing import ON_TOPIC, SUPPORTING, ScriptedReader, passage
from ghost.types import Statement

S = (Statement(1, "Honey keeps."),)
PLAIN = passage("A page on bees.", credibility=0.5)
SETTLES = passage("Honey keeps for years.", credibility=0.9)
BY_STANCE = ScriptedReader(lambda text, _: SUPPORTING if text == SETTLES.text else ON_TOPIC)


class Says(ReadsByStance):
    """A judge that says what settles, or thinks for ever."""

    def __init__(self, *settled: frozenset[int], thinks: bool = False) -> None:
        self.settled, self.thinks, self.asked = settled, thinks, 0

    def check_snippets(self, statements, snippets, budget):  # type: ignore[no-untyped-def,override]
        self.asked += 1
        while self.thinks:
            budget.check()
            time.sleep(0.01)
        return self.settled


def order(judge: ReadsByStance | None, hits=(SETTLES, PLAIN), budget: Budget | None = None):  # type: ignore[no-untyped-def]
    return reading_order(hits, S, BY_STANCE, None, budget or Budget(Limits()), judge)  # type: ignore[arg-type]


def test_what_settles_by_itself_is_opened_last() -> None:
    assert order(None) == [PLAIN, SETTLES]
    assert order(ReadsByStance()) == [PLAIN, SETTLES]


def test_a_language_model_says_what_settles_in_one_question() -> None:
    judge = Says(frozenset(), frozenset({1}))
    assert order(judge) == [SETTLES, PLAIN], "the unknown page settles nothing unread, whoever says so"
    assert judge.asked == 1


def test_nobody_is_asked_about_a_single_hit() -> None:
    judge = Says(frozenset())
    order(judge, (SETTLES,))
    assert judge.asked == 0


def test_a_model_that_thinks_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promise, "PATIENCE", 0.1)
    assert order(Says(thinks=True)) == [PLAIN, SETTLES]


def test_the_analyst_s_wish_to_stop_is_heard() -> None:
    calls: list[int] = []
    budget = Budget(Limits(), cancelled=lambda: len(calls) > 3 or bool(calls.append(1)))
    with pytest.raises(Cancelled):
        order(Says(thinks=True), budget=budget)
