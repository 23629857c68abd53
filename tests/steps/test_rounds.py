"""Which open statements a run looks into."""

from ghost.steps.rounds import begun, beyond, still
from ghost.types import Sufficiency


def opened(*numbers: int) -> tuple[Sufficiency, ...]:
    return tuple(Sufficiency(n, False, "Nothing settles it.") for n in numbers)


def test_what_was_begun_goes_on_and_others_follow_up_to_the_limit() -> None:
    assert [o.statement for o in begun(opened(2), opened(1, 2, 3), 2)] == [2, 1]
    assert begun((), opened(1, 2), 0) == ()


def test_only_what_is_open_and_was_begun_is_asked_for() -> None:
    assert [o.statement for o in still(opened(1, 2), opened(2, 3))] == [2]


def test_the_limit_is_named_only_where_it_was_reached() -> None:
    assert "limit of 1 round for one run" in next(beyond(opened(1), opened(1, 2), 1)).text
    assert list(beyond(opened(1), opened(1, 2), 5)) == [], "it opened again after the last search"
    assert "limit of 0 rounds" in next(beyond((), opened(1), 0)).text
