"""What holds for a reader, what does not, and what cannot be told."""

import pytest

from ghost.web.conditions import media, supports


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("", True), ("all", True), ("not all", False), ("screen, print", True),
        ("only screen and (min-width:1px)", True),
        ("(max-width:600px)", False), ("screen and (max-width:600px), (max-width:3000px)", True), ("not print", True),
        ("not all and (min-width:640px)", False), ("not all and (max-width:640px)", True), ("print", False),
        ("(1px <= width <= 9999px)", True), ("(400px < width)", True), ("(width < 1px)", False),
        ("(width>=48rem)", True),
        ("(min-width:calc(1px + 1px))", True), ("(min-aspect-ratio:1/100)", True), ("(orientation:portrait)", False),
        ("(min-resolution:1dpi)", True), ("(min-resolution:2dppx)", None), ("(max-resolution:50dppx)", True),
        ("(-webkit-min-device-pixel-ratio:0)", True), ("not (monochrome)", True), ("(color) or (hover)", True),
        ("((color) and (not (hover)))", False), ("(prefers-color-scheme:dark)", False), ("(hover:none)", False),
        ("(prefers-reduced-motion)", False), ("(foo:bar)", None), ("not (foo:bar)", None),
        ("(color) or (foo:bar)", True),
        ("(monochrome) and (foo:bar)", False), ("(color) and (hover) or (grid)", None), ("(min-width:", None),
        ("only", None),
        ("(" * 50 + ")" * 50, None), ("x" * 5_000, None),
    ],
)  # fmt: skip
def test_media(query: str, holds: bool | None) -> None:
    assert media(query) is holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(display:grid)", True), ("not (display:grid)", False), ("(display:bogus)", False),
        ("not (display:bogus)", True),
        ("(x:y)", None), ("not (x:y)", None), ("(-ms-ime-align:auto)", None), ("(display: grid) or (x:y)", True),
        ("(display:grid) and (not (display:inline-grid))", False), ("(margin:1px)", True), ("(margin:bogus)", False),
        ("(--css: variables)", True), ("selector(:has(a))", None), ("(backdrop-filter: blur(2px))", True),
        ("(transform:scale(1))", True), ("", None),
    ],
)  # fmt: skip
def test_supports(condition: str, holds: bool | None) -> None:
    assert supports(condition) is holds
