"""Machine and analyst compared."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from ghost.records import agreement, wilson
from ghost.types import Label


@dataclass(frozen=True)
class Given:
    """A verdict of the analyst."""

    run_id: str
    machine: Label
    analyst: Label
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)


def test_agreement_counts_what_is_the_same() -> None:
    found = agreement(
        [Given("a", Label.TRUE, Label.TRUE), Given("b", Label.TRUE, Label.FALSE), Given("c", Label.FALSE, Label.FALSE)]
    )
    assert (found.n, found.agree) == (3, 2)
    assert found.share == pytest.approx(2 / 3)
    assert found.counts == {Label.TRUE: {Label.TRUE: 1}, Label.FALSE: {Label.TRUE: 1, Label.FALSE: 1}}
    assert [each.run_id for each in found.differing] == ["b"]


def test_nothing_to_compare() -> None:
    found = agreement([])
    assert (found.n, found.share, found.interval, found.differing) == (0, None, (0.0, 1.0), ())


def test_the_interval_is_wide_for_few_and_never_leaves_its_bounds() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 2), round(high, 2)) == (0.49, 0.94)
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert wilson(0, 10)[0] == pytest.approx(0.0)
    assert wilson(500, 1000)[1] - wilson(500, 1000)[0] < 0.07
