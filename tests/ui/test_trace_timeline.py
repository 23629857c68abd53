"""The time line as a figure: names beside colours, and outside text without markup."""

from ghost.reports import TimelineStep
from ghost.ui.trace.timeline import LEAST, described, figure, row_name
from tests.ui.samples import HOSTILE

BARS = (
    TimelineStep(1, "classify", 1, 1, 0.0, 0.001, False),
    TimelineStep(2, "rerank", 1, 2, 0.1, 2.0, False),
    TimelineStep(3, "rerank", 2, 2, 2.1, 1.0, True),
)


def test_each_step_has_a_row_with_its_name_and_time() -> None:
    (bars,) = figure(BARS, ["a", "b", "c"], 2)["data"]
    assert bars["y"] == ["1 Understand", "3 Weigh (1)", "3 Weigh (2)"]
    assert bars["text"] == ["< 0.01 s", "2.0 s", "1.0 s · stopped"]
    assert bars["base"] == [0.0, 0.1, 2.1]
    assert bars["marker"]["line"]["width"] == [0, 2, 0]
    assert bars["marker"]["pattern"]["shape"] == ["", "", "x"]


def test_the_shortest_step_can_be_seen() -> None:
    (bars,) = figure(BARS, ["", "", ""], 1)["data"]
    assert bars["x"][0] == LEAST * 3.1


def test_outside_text_is_no_markup() -> None:
    (bars,) = figure(BARS[:1], [HOSTILE + " %{customdata} $x$"], 1)["data"]
    (said,) = bars["hovertext"]
    assert "<img" not in said.replace("<br>", "")
    assert "%{" not in said
    assert "$" not in said
    assert row_name(TimelineStep(1, HOSTILE, 1, 1, 0, 0, False)) == "1 Other"


def test_it_is_described_in_a_sentence() -> None:
    assert described(BARS) == "Time line of 3 steps over 3.1 s; the longest is 3 Weigh (1) with 2.0 s."
    assert described(()) == "No step has ended."
