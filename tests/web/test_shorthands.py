"""Declarations of several properties at once."""

import pytest

from ghost.web.shorthands import plain, settled


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("font", "0/0 a", {"font-size": "0", "line-height": "0"}),
        ("font", "0 serif", {"font-size": "0", "line-height": "normal"}),
        ("font", "italic 700 16px / 1.5 'a b', serif", {"font-size": "16px", "line-height": "1.5"}),
        ("font", "calc(1px + 2px) / calc(1 * 2) x", {"font-size": "calc(1px + 2px)", "line-height": "calc(1 * 2)"}),
        ("font", "menu", {"font-size": "13px", "line-height": "normal"}),
        ("font", "bogus", {}), ("font", "16px", {}), ("font", "700 serif", {}), ("font", "5 serif", {}),
        ("margin", "1px 2px", {"margin-top": "1px", "margin-right": "2px", "margin-bottom": "1px",
        "margin-left": "2px"}),
        ("margin", "1px 2px 3px 4px 5px", {}), ("margin", "1px bogus", {}), ("margin", "1px inherit", {}),
        ("inset", "0 1px 2px", {"top": "0", "right": "1px", "bottom": "2px", "left": "1px"}),
        ("inset-inline-start", "-9999px", {"left": "-9999px"}), ("margin-inline", "1px", {"margin-left": "1px",
        "margin-right": "1px"}),
        ("block-size", "0", {"height": "0"}), ("-webkit-transform", "scale(0)", {"transform": "scale(0)"}),
        ("overflow", "hidden auto", {"overflow-x": "hidden", "overflow-y": "auto"}), ("overflow", "bogus", {}),
        ("flex", "1", {"flex-grow": "1"}), ("flex", "auto", {"flex-grow": "1"}), ("flex",
        "0 0 10px", {"flex-grow": "0"}),
        ("flex", "bogus", {}), ("padding", "-1px", {}),
    ],
)  # fmt: skip
def test_what_they_come_to(name: str, value: str, found: dict[str, str]) -> None:
    assert plain(name, value) == found


@pytest.mark.parametrize(
    ("value", "colour", "image"),
    [
        ("#fff", "#fff", "none"), ("none", "transparent", "none"), ("url(a) #000 no-repeat 50% / cover", "#000",
        "url(a)"),
        ("linear-gradient(red, blue), white", "white", "linear-gradient(red, blue)"), ("bogus", None, None),
        ("bogus(1)", None, None), ("white, url(a)", None, None), ("red blue", None, None), ("#fff /", None, None),
    ],
)  # fmt: skip
def test_backgrounds(value: str, colour: str | None, image: str | None) -> None:
    found = plain("background", value)
    assert (found.get("background-color"), found.get("background-image")) == (colour, image)


def test_lengths_without_a_unit_count_on_pages_without_a_document_type() -> None:
    assert plain("left", "-9999") == {}
    assert plain("left", "-9999", quirks=True) == {"left": "-9999"}
    assert plain("line-height", "5") == {"line-height": "5"}


def test_one_with_variables_waits_for_them() -> None:
    waiting = plain("font", "var(--size) serif")
    assert settled("font-size", waiting["font-size"].replace("var(--size)", "0")) == "0"
    assert settled("font-size", waiting["font-size"].replace("var(--size)", "x")) is None
    assert settled("left", "bogus") is None
