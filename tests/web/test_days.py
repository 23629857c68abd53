"""Days as search APIs write them."""

from datetime import date

import pytest

from ghost.web.days import day_of


@pytest.mark.parametrize(
    "text",
    ["2024-03-05", "2024-03-05T10:00:00", "2024-03-05T10:00:00Z", "2024-03-05T10:00:00.000+02:00",
     "Tue, 05 Mar 2024 10:00:00 GMT", "Mar 5, 2024", "March 5, 2024", "5 Mar 2024"],
)  # fmt: skip
def test_a_day_is_read(text: str) -> None:
    assert day_of(text) == date(2024, 3, 5)


@pytest.mark.parametrize(
    "text", ["", "3 days ago", "yesterday", "2024", "2024-13-45", "0000-00-00", "x" * 10_000, "\x00"]
)
def test_what_is_no_day_is_unknown(text: str) -> None:
    assert day_of(text) is None
