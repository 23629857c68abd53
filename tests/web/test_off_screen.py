"""Places that nobody scrolls to."""

import pytest

from ghost.web.declarations import declarations
from ghost.web.off_screen import off_screen


def away(css: str) -> bool:
    """Whether a box of that style is out of reach."""
    return off_screen({n: v for n, (v, _) in declarations(css).items()}, 16.0, 16.0)


@pytest.mark.parametrize(
    "css",
    [
        "position:absolute;left:-9999px", "position:fixed;top:-200em", "position:absolute;left:99999px",
        "margin-left:-9999px",
        "text-indent:-9999px", "position:absolute;right:9999px", "position:fixed;left:100%", "position:fixed;top:100vh",
        "position:fixed;right:100%", "position:fixed;bottom:-9999px", "position:absolute;inset-inline-start:-9999px",
        "margin-inline-start:-9999px", "margin-inline:-9999px", "margin-block-start:-9999px",
        "margin-left:calc(-100vw * 10)",
        "transform:translateX(-9999px)", "transform:translateX(calc(-9999px))", "transform:translate(-200vw)",
        "transform:matrix(1,0,0,1,-9999,0)", "translate:-9999px", "transform:translateX(-100%)",
        "margin-left:0;margin:0 0 0 -9999px",
        "position:absolute;left:-9999px;left:bogus", "position:absolute;left:-9999px;left:5",
        "margin-left:-9999px;margin-left:x",
        "text-indent:100%;white-space:nowrap;overflow:hidden", "position:relative;right:9999px",
    ],
)  # fmt: skip
def test_out_of_reach(css: str) -> None:
    assert away(css)


@pytest.mark.parametrize(
    "css",
    [
        "position:absolute;top:5200px", "position:absolute;transform:translateY(5200px)",
        "position:relative;bottom:-600px",
        "margin:0 -9999rem;padding:0 9999rem", "margin-left:-600px;padding-left:600px",
        "margin:0 0 -9999px;padding-bottom:9999px",
        "left:-9999px", "position:sticky;top:-900px", "position:absolute;left:50%;margin-left:-600px",
        "position:absolute;left:100%",
        "position:absolute;top:0;transform:translate(-50%,-100%)",
        "position:fixed;top:100%;transform:translateY(-100%)",
        "text-indent:-2em;padding-left:2em", "text-indent:100%", "position:fixed;left:0;top:0",
        "position:absolute;left:auto",
        "position:absolute;left:-9999px;left:0", "position:absolute;left:100%;transform:translateX(-100%)",
    ],
)  # fmt: skip
def test_within_reach(css: str) -> None:
    assert not away(css)
