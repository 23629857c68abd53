"""Lengths, shares and sums of them."""

import pytest

from ghost.web.measures import ANGLES, LENGTHS, called, degrees, measured, pixels, share, words


@pytest.mark.parametrize(
    ("value", "px"),
    [
        ("0", 0), ("-9999px", -9999), ("2em", 40), ("1.5rem", 15), ("100vw", 1280), ("50%", 500), ("1q", 0.945),
        ("calc(1px - 1px)", 0), ("calc(-100vw * 10)", -12800), ("calc((1px + 2px) * 2)", 6), ("calc(8px / 2)", 4),
        ("min(0px, 1px)", 0), ("max(1px, 3px)", 3), ("clamp(0px, 5px, 1px)", 1), ("calc(min(1px, 2px) + 1em)", 21),
        ("calc(1px-1px)", None), ("calc(1px / 0)", None), ("calc(1px", None), ("calc()", None),
        ("clamp(1px, 2px)", None),
        ("5bogus", None), ("auto", None), ("", None), (None, None), ("round(1px, 2px)", None), ("calc(" * 50, None),
        ("calc(1px + 1px) 2px", None), ("1e999px", 1e9),
    ],
)  # fmt: skip
def test_lengths_in_pixels(value: str | None, px: float | None) -> None:
    assert pixels(value, em=20, rem=10) == (px if px is None else pytest.approx(px))


@pytest.mark.parametrize(
    ("value", "of_one"),
    [
        ("0", 0), ("50%", 0.5), (".2", 0.2), ("calc(0)", 0),
        ("calc(1 - 1)", 0), ("min(0, 1)", 0), ("1px", None), ("x", None),
    ],
)  # fmt: skip
def test_shares(value: str, of_one: float | None) -> None:
    assert share(value) == of_one


def test_angles() -> None:
    assert degrees(".25turn") == 90
    assert degrees("100grad") == pytest.approx(90)
    assert degrees("x") is None


@pytest.mark.parametrize(
    ("word", "fits"),
    [
        ("1px", True), ("-1px", False), ("-0", True), ("0", True),
        ("5", False), ("5deg", False), ("calc(x)", True), ("x", False),
    ],
)  # fmt: skip
def test_what_browsers_take_for_a_length(word: str, fits: bool) -> None:
    assert measured(word, LENGTHS, signed=False) is fits


def test_numbers_without_a_unit_count_where_they_may() -> None:
    assert measured("5", LENGTHS, bare=True)
    assert measured("5deg", ANGLES)


def test_a_function_is_one_word() -> None:
    assert words("rgb(1 2 3) url(a) no-repeat, #fff 0/0 a") == [
        "rgb(1 2 3)", "url(a)", "no-repeat", ",", "#fff", "0", "/", "0", "a",
    ]  # fmt: skip
    assert called("scale3d(1, calc(1 + 1), 1)") == ("scale3d", ["1", "calc(1 + 1)", "1"])
    assert called("scale") is None
