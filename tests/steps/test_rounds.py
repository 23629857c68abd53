"""Which open statements a run looks into."""

from ghost.steps import over_limit, remaining, select_statements, with_settled
from ghost.types import Statement, Sufficiency


def opened(*numbers: int) -> tuple[Sufficiency, ...]:
    return tuple(Sufficiency(n, False, "Nothing settles it.") for n in numbers)


def test_what_was_begun_goes_on_and_others_follow_up_to_the_limit() -> None:
    assert [o.statement for o in select_statements(opened(2), opened(1, 2, 3), 2)] == [2, 1]
    assert select_statements((), opened(1, 2), 0) == ()


def test_only_what_is_open_and_was_begun_is_asked_for() -> None:
    assert [o.statement for o in remaining(opened(1, 2), opened(2, 3))] == [2]


def test_what_is_settled_comes_last_and_what_is_beyond_the_rounds_does_not_come() -> None:
    four = [Statement(n, f"Number {n}.") for n in (1, 2, 3, 4)]
    rows = with_settled(opened(3), opened(3, 4), four, 9)
    assert [(o.statement, o.enough) for o in rows] == [(3, False), (1, True), (2, True)]
    assert [o.statement for o in with_settled(opened(3), opened(3, 4), four, 2)] == [3, 1]
    assert with_settled((), (), four, 0) == ()


def test_the_limit_is_named_only_where_it_was_reached() -> None:
    assert "limit of 1 round for one run" in next(over_limit(opened(1), opened(1, 2), 1)).text
    assert list(over_limit(opened(1), opened(1, 2), 5)) == [], "it opened again after the last search"
    assert "limit of 0 rounds" in next(over_limit((), opened(1), 0)).text
