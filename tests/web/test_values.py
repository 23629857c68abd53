"""What browsers throw away of a style, and what variables stand for."""

import pytest

from ghost.web.values import MOST_CHARS, thrown_away, with_variables


@pytest.mark.parametrize(
    ("name", "value", "gone"),
    [
        ("color", "bogus", True), ("color", "bad", True), ("color", "rgb(x)", True), ("color", "tomato", False),
        ("color", "color-mix(in srgb, red, blue)", False), ("color", "var(--x)", False), ("color", "buttontext", False),
        ("color", "#fff1", False), ("color", "#fffff", True), ("color", "inherit", False), ("color", "", True),
        ("display", "none", False), ("display", "inline flex", False), ("display", "bogus", True),
        ("opacity", "1..2", True), ("opacity", "50%", False), ("opacity", "calc(1/3)", False),
        ("font-size", "1.2rem", False), ("font-size", "larger", False), ("font-size", "red", True),
        ("overflow", "hidden auto", False), ("visibility", "none", True), ("position", "-webkit-sticky", False),
        ("background", "anything", False), ("--x", "", False),
        ("display", "block block", True), ("display", "block flow-root list-item", False),
        ("display", "block none", True), ("display", "inline block", True), ("display", "flex list-item", True),
        ("visibility", "visible visible", True), ("position", "static static", True),
        ("overflow-x", "hidden auto", True), ("opacity", "5zz", True), ("opacity", "1px", True),
        ("opacity", "foo(1)", True), ("opacity", "-1", False), ("font-size", "5zz", True), ("font-size", "-5px", True),
        ("font-size", "5cqw", False), ("font-size", "clamp(1rem, 2vw, 3rem)", False), ("font-size", "2dvh", False),
        ("font-size", "1rlh", False), ("font-size", "0", False), ("color", "foo(1)", True), ("color", "oklch(x)", True),
        ("color", "oklch(from red l c h)", False), ("color", "color(xyz 1 1 1)", False),
        ("color", "rgb(calc(1 + 1) 0 0)", False),
    ],
)  # fmt: skip
def test_what_browsers_leave_out(name: str, value: str, gone: bool) -> None:
    assert thrown_away(name, value) is gone


@pytest.mark.parametrize(
    ("value", "put"),
    [
        ("red", "red"), ("var(--a)", "blue"), ("var( --b , white )", "white"), ("var(--b,rgb(1,2,3))", "rgb(1,2,3)"),
        ("1px var(--a)", "1px blue"), ("var(--c)", "blue"), ("var(--b)", None), ("var(--loop)", None),
        ("var(--twice)", None), ("var(", None), ("var(--b, var(--a))", "blue"),
    ],
)  # fmt: skip
def test_variables(value: str, put: str | None) -> None:
    known = {"--a": "blue", "--c": "var(--a)", "--loop": "var(--loop)", "--twice": "var(--twice) var(--twice)"}
    assert with_variables(value, known) == put
    assert with_variables("var(--a)" * MOST_CHARS, known) is None
