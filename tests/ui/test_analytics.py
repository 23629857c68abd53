"""What the analytics of a knowledge base say: growth, shares, and findings in words."""

from datetime import date

import pytest

from ghost.knowledge import Alerts, RunNote
from ghost.ui.analytics import cumulated, findings, share

DAY = date(2016, 11, 22)
NOTE = RunNote("r", "A claim.", "True", "only kelp-blog.net")


def test_all_verdicts_are_counted_although_some_are_named() -> None:
    notes = (NOTE,) * 50
    found = {f.key: f for f in findings(Alerts(9, 0, DAY, 0, 0, 0, 0, None, (), 0, notes, 73, notes, 1_200))}
    assert found["weak"].says.startswith("**73 verdicts** rest on")
    assert found["retired"].says.startswith("**1,200 verdicts** cite")
    assert (found["weak"].more, found["retired"].more) == (63, 1_190)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, ("was published before", "carries no publication date", "comes from domains", "names no page")),
        (2, ("were published before", "carry no publication date", "come from domains", "name no page")),
    ],
)
def test_one_passage_is_one(number: int, words: tuple[str, ...]) -> None:
    said = " ".join(f.says for f in findings(Alerts(9, number, DAY, *(number,) * 3, 0, None, (), 0, (), 0, (), 0)))
    for word in words:
        assert word in said


def test_growth_adds_up_by_day_and_by_month() -> None:
    step, days, series = cumulated(((date(2026, 1, 30), "seed", 2), (date(2026, 2, 1), "web", 3)))
    assert step == "by day"
    assert days == [date(2026, 1, 30), date(2026, 1, 31), date(2026, 2, 1)]
    assert series == {"seed": [2, 2, 2], "web": [0, 0, 3]}
    step, days, series = cumulated(((date(2025, 11, 30), "seed", 2), (date(2026, 11, 1), "seed", 3)))
    assert step == "by month"
    assert (days[0], days[-1], len(days)) == (date(2025, 11, 1), date(2026, 11, 1), 13)
    assert (series["seed"][0], series["seed"][-2], series["seed"][-1]) == (2, 2, 5)
    assert cumulated(()) == ("by day", [], {})


def test_shares_never_round_to_nothing_or_to_all() -> None:
    assert [share(0, 10), share(1, 1000), share(999, 1000), share(10, 10)] == ["none", "under 1%", "99%", "100%"]
