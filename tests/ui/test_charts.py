"""What charts are made of: hostile text, points in time, and where a click leads."""

from datetime import date

import pytest

from ghost.ui.analytics import cumulated, share
from ghost.ui.shared import charts
from ghost.ui.shared.charts import escaped, nth, wrapped


@pytest.mark.parametrize("text", ["<img src=x>", "<a href='javascript:x'>y</a>", "a&lt;b", "%{customdata}", "$x$"])
def test_no_label_is_read_as_markup(text: str) -> None:
    shown = escaped(text)
    assert "<" not in shown
    assert "%{" not in shown
    assert "$" not in shown
    assert "&lt;" not in shown.replace("&amp;lt;", "") or text.startswith("<")


def test_long_words_are_broken_in_a_hover_box() -> None:
    lines = wrapped("x" * 150 + " <b> end", 60).split("<br>")
    assert [len(line) for line in lines[:2]] == [60, 60]
    assert "&lt;b&gt; end" in lines[-1]


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


def test_a_click_leads_to_its_bar_and_to_nothing_else() -> None:
    find = nth([{"domain": "nasa.gov"}, None])
    assert find({"point_index": 0}) == {"domain": "nasa.gov"}
    assert find({"point_number": 1}) is None
    assert find({"point_index": 7}) is None
    assert find({"point_index": "0"}) is None
    assert find({}) is None


def test_shares_never_round_to_nothing_or_to_all() -> None:
    assert [share(0, 10), share(1, 1000), share(999, 1000), share(10, 10)] == ["none", "under 1%", "99%", "100%"]


def test_a_share_that_does_not_fit_into_its_part_is_left_out_rather_than_drawn_tiny() -> None:
    drawn = charts.stacked_rows(["All"], [charts.Part("Supports", [0.1], "#000"), charts.Part("Other", [0.9], "#fff")],
                                "Stances", "share")  # fmt: skip
    assert drawn["layout"]["uniformtext"]["mode"] == "hide"
    assert drawn["layout"]["uniformtext"]["minsize"] >= 10
