"""Percentiles and taking turns."""

import pytest

from bench.timing import interleaved, percentile


@pytest.mark.parametrize(("q", "expected"), [(0, 1.0), (50, 2.5), (95, 3.85), (100, 4.0)])
def test_percentiles_lie_between_the_values(q: float, expected: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], q) == pytest.approx(expected)


def test_one_value_is_every_percentile() -> None:
    assert percentile([7.0], 95) == 7.0


def test_nothing_has_no_percentile() -> None:
    with pytest.raises(ValueError, match="nothing"):
        percentile([], 50)


def test_two_works_take_turns_at_going_first() -> None:
    order: list[str] = []
    own, other = interleaved(lambda n: order.append(f"a{n}"), lambda n: order.append(f"b{n}"), 3)
    assert order == ["a0", "b0", "b1", "a1", "a2", "b2"]
    assert len(own) == len(other) == 3
    assert all(t >= 0 for t in own + other)
