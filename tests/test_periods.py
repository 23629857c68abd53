from datetime import date

import pytest

from ghost.text import Period


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2023-12", date(2023, 12, 1), date(2023, 12, 31)),
        ("1969-07-20", date(1969, 7, 20), date(1969, 7, 20)),
    ],
)
def test_a_period_has_a_first_and_a_last_day_and_is_written_as_it_was(text: str, first: date, last: date) -> None:
    period = Period.parse(text)
    assert (period.first, period.last, str(period)) == (first, last, text)


@pytest.mark.parametrize(
    "text", ["", "24", "2024-1", "2024-13", "2024-00", "2024-02-30", "2024-02-00", "20240101", "٢٠٢٤"]
)
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"2024|no year|no such|month|day"):
        Period.parse(text)
