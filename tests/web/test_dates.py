"""Days written in many ways."""

from datetime import date

import pytest

from ghost.web import day_in

DAY = date(2021, 3, 14)


@pytest.mark.parametrize(
    "written",
    [
        "2021-03-14", "2021-03-14T23:59:59Z", "2021-03-14T08:15:00+01:00", "2021/03/14", "2021.3.14", "20210314",
        "20210314T101500Z", "Sun, 14 Mar 2021 10:00:00 GMT", "March 14, 2021", "Mar. 14th, 2021", "14 March 2021",
        "14. März 2021", "14 mars 2021", "14 de marzo de 2021", "14 marzo 2021", "14 de março de 2021", "14 maart 2021",
        "14 marca 2021", "14. ožujka 2021.", "14. března 2021", "14 березня 2021", "14 марта 2021", "2021年3月14日",
        "2021년 3월 14일", "14.03.2021", "14/03/2021", "03/14/2021",
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


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("4. listopada 2021.", date(2021, 10, 4)),  # Croatian, which writes a stop after the day
        ("4 listopada 2021", date(2021, 11, 4)),  # Polish
        ("4. listopadu 2021", date(2021, 11, 4)), ("4. studenoga 2021.", date(2021, 11, 4)),
        ("4. srpnja 2021.", date(2021, 7, 4)), ("4. srpna 2021", date(2021, 8, 4)),
        ("4. lipnja 2021.", date(2021, 6, 4)),
        ("4 lipca 2021", date(2021, 7, 4)), ("4. prosinca 2021.", date(2021, 12, 4)),
        ("4. prosince 2021", date(2021, 12, 4)),
    ],
)  # fmt: skip
def test_slavic_months_of_one_name_are_told_apart(written: str, day: date) -> None:
    assert day_in(written, date(2026, 1, 1)) == day
