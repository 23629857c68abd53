"""Hard limits are asked before every spend and hold in threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled


def test_a_spend_that_would_pass_a_limit_is_refused_and_not_booked() -> None:
    budget = Budget(Limits(searches=2, tokens=100))
    budget.spend(searches=2, tokens=60)
    with pytest.raises(BudgetExceeded, match="2 searches"):
        budget.spend(searches=1)
    with pytest.raises(BudgetExceeded, match="100 tokens"):
        budget.spend(tokens=41)
    assert (budget.usage().searches, budget.usage().tokens) == (2, 60)


def test_money_and_fetches_are_limits_too() -> None:
    budget = Budget(Limits(fetches=1, cost_usd=0.01))
    budget.spend(fetches=1, cost_usd=0.01)
    with pytest.raises(BudgetExceeded, match="fetches"):
        budget.spend(fetches=1)
    with pytest.raises(BudgetExceeded, match="US dollars"):
        budget.spend(cost_usd=0.001)


def test_time_runs_out() -> None:
    now = [0.0]
    budget = Budget(Limits(seconds=5), clock=lambda: now[0])
    budget.check()
    now[0] = 5.1
    with pytest.raises(BudgetExceeded, match="5 seconds"):
        budget.check()
    assert budget.usage().seconds == pytest.approx(5.1)


def test_cancel_comes_before_everything() -> None:
    budget = Budget(Limits(seconds=0.000001), cancelled=lambda: True)
    with pytest.raises(Cancelled):
        budget.spend(searches=1)


def test_threads_cannot_pass_a_limit_together() -> None:
    budget = Budget(Limits(searches=50))

    def spend(_: int) -> bool:
        try:
            budget.spend(searches=1)
        except BudgetExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(400))) == 50
    assert budget.usage().searches == 50


def test_what_is_held_counts_until_it_is_settled() -> None:
    budget = Budget(Limits(tokens=100, cost_usd=1.0))
    held = budget.hold(80, 0.9)
    with pytest.raises(BudgetExceeded):
        budget.hold(30, 0.0)
    with pytest.raises(BudgetExceeded):
        budget.hold(1, 0.2)
    budget.settle(held, 10, 0.1)
    assert (budget.usage().tokens, budget.usage().cost_usd, budget.room()[0]) == (10, 0.1, 90)


def test_tokens_without_a_price_are_counted_apart() -> None:
    budget = Budget(Limits())
    budget.settle(budget.hold(50, 0.0), 40, None)
    assert (budget.usage().tokens, budget.usage().unpriced_tokens, budget.usage().cost_usd) == (40, 40, 0.0)


def test_a_part_has_limits_of_its_own_and_counts_in_the_whole() -> None:
    whole = Budget(Limits(searches=3, fetches=9, tokens=100, cost_usd=1.0, seconds=60))
    whole.spend(searches=1)
    part = whole.part(Limits(searches=9, fetches=2, tokens=50, cost_usd=5.0, seconds=600))
    assert (part.limits.searches, part.limits.fetches, part.limits.tokens) == (2, 2, 50), "never more than is left"
    assert part.limits.cost_usd == 1.0
    assert part.limits.seconds <= 60
    part.spend(fetches=2)
    with pytest.raises(BudgetExceeded):
        part.spend(fetches=1)
    held = part.hold(40, 0.5)
    assert whole.room() == (60, 0.5)
    part.settle(held, 10, 0.1)
    assert (whole.usage().fetches, whole.usage().tokens, whole.usage().cost_usd) == (2, 10, 0.1)


def test_parts_side_by_side_cannot_pass_the_limit_of_the_whole() -> None:
    whole = Budget(Limits(searches=1))
    one, other = whole.part(Limits(searches=1)), whole.part(Limits(searches=1))
    one.spend(searches=1)
    with pytest.raises(BudgetExceeded):
        other.spend(searches=1)
    assert other.usage().searches == 0


def test_a_part_stops_with_the_whole() -> None:
    stop = threading.Event()
    part = Budget(Limits(), stop.is_set).part(Limits())
    part.check()
    stop.set()
    with pytest.raises(Cancelled):
        part.check()
