"""Colours, and whether a reader can tell them apart."""

import pytest

from ghost.web.colours import BLACK, WHITE, alike, colour


@pytest.mark.parametrize(
    ("value", "rgb"),
    [
        ("white", (255, 255, 255)), ("#fff", (255, 255, 255)), ("#00ff0080", (0, 255, 0)), ("rgb(1, 2,3)", (1, 2, 3)),
        ("rgba(10% 20% 30% / .5)", (25.5, 51, 76.5)), ("hsl(120deg, 100%, 50%)", (0, 255, 0)),
    ],
)  # fmt: skip
def test_colours_are_read(value: str, rgb: tuple[float, ...]) -> None:
    found = colour(value)
    assert found is not None
    assert found[:3] == pytest.approx(rgb)


@pytest.mark.parametrize("value", ["", "var(--x)", "url(a.png)", "rgb(1)", "rgb(a,b,c)", "#ggg", "inherit", "solid"])
def test_what_is_no_colour_is_none(value: str) -> None:
    assert colour(value) is None


@pytest.mark.parametrize(
    ("text", "ground", "same"),
    [
        ("#fff", "white", True), ("#fdfdfd", "#fff", True), ("#eee", "#fff", False), ("#ccc", "#fff", False),
        ("#0f0", "#ff0", False), ("rgba(0,0,0,.02)", "#fff", True), ("rgba(0,0,0,.5)", "#fff", False),
        ("#111", "#000", True), ("#333", "#000", False), ("transparent", "red", True),
    ],
)  # fmt: skip
def test_what_can_be_made_out(text: str, ground: str, same: bool) -> None:
    a, b = colour(text), colour(ground)
    assert a is not None
    assert b is not None
    assert alike(a, b) is same
    assert not alike(BLACK, WHITE)
