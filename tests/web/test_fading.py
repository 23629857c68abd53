"""Text that fades in, and text that fades out."""

import pytest

from ghost.web.declarations import declarations
from ghost.web.fading import ends_seen, ends_unseen, opacity
from ghost.web.styles import sheet

SHEET = sheet(
    "@keyframes in{to{opacity:1}} @keyframes out{to{opacity:0}} @keyframes gone{from,to{visibility:hidden}}"
    "@keyframes pulse{0%,100%{opacity:0}50%{opacity:1}}"
    "@keyframes twice{to{opacity:1}} @keyframes twice{to{opacity:0}}"
)


@pytest.mark.parametrize(
    ("animation", "seen"),
    [
        ("in 1s forwards", True), ("in 1s both", True), ("in 1s infinite", True), ("in 1s", False),
        ("in 999s forwards", False),
        ("in 1s 999s forwards", False), ("in 1s forwards paused", False), ("out 1s forwards", False),
        ("twice 1s forwards", False),
        ("1s ease in, x 2s both", True), ("in 500ms both", True),
    ],
)  # fmt: skip
def test_an_animation_shows_what_stays_and_comes_soon(animation: str, seen: bool) -> None:
    assert ends_seen({"animation": animation}, SHEET) is seen


@pytest.mark.parametrize(
    ("animation", "gone"),
    [
        ("out 0s forwards", True), ("gone 1s infinite", True), ("gone 1s forwards", True), ("out 1s", False),
        ("out 1s steps(5, start) infinite", False), ("pulse 1s infinite", False), ("in 1s forwards", False),
    ],
)  # fmt: skip
def test_an_animation_hides_what_stays_so(animation: str, gone: bool) -> None:
    assert ends_unseen({"animation": animation}, SHEET) is gone


@pytest.mark.parametrize(
    ("css", "part"),
    [
        ("opacity:0", 0), ("opacity:calc(1 - 1)", 0), ("opacity:50%", 0.5), ("opacity:7", 1),
        ("filter:opacity(20%) opacity(.5)", 0.1),
        ("filter:blur(50px)", 0), ("filter:blur(1px)", 1), ("filter:opacity(0);filter:bogus", 0), ("filter:none", 1),
        ("-webkit-filter:opacity(0)", 0),
    ],
)  # fmt: skip
def test_how_much_is_seen(css: str, part: float) -> None:
    assert opacity({n: v for n, (v, _) in declarations(css).items()}) == pytest.approx(part)
