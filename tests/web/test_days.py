from datetime import date

import pytest

from ghost.web import day_in
from ghost.web.days import days_in

DAY = date(2021, 3, 14)


@pytest.mark.parametrize(
    "written",
    [
        "2021-03-14", "2021-03-14T23:59:59Z", "2021-03-14T08:15:00+01:00", "2021/03/14", "2021.3.14", "20210314",
        "20210314T101500Z", "Sun, 14 Mar 2021 10:00:00 GMT", "March 14, 2021", "Mar. 14th, 2021", "14 March 2021",
        "14. März 2021", "14 mars 2021", "14 de marzo de 2021", "14 marzo 2021", "14 de março de 2021", "14 maart 2021",
        "14 marca 2021", "14 марта 2021", "2021年3月14日", "2021년 3월 14일", "14.03.2021", "14/03/2021", "03/14/2021",
    ],
)  # fmt: skip
def test_a_day_in_many_forms(written: str) -> None:
    assert day_in(written, date(2026, 1, 1)) == DAY


@pytest.mark.parametrize(
    "written",
    [
        "", "2021", "March 2021", "2021-03", "03/04/2021", "2021-13-01", "2021-02-30", "1990-12-31", "2026-01-02",
        "9999999999", "14 Marchuary 2021", "12345678901234567890", "0000-00-00", "x" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_day_or_cannot_be_one(written: str) -> None:
    assert day_in(written, date(2026, 1, 1)) is None


def test_days_know_their_places() -> None:
    text = "Published 4 May 2020, updated May 6, 2020."
    assert [(d, text[a:b]) for d, a, b in days_in(text)] == [
        (date(2020, 5, 4), "4 May 2020"),
        (date(2020, 5, 6), "May 6, 2020"),
    ]
