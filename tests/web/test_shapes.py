"""Clips that leave nothing, and turns that press flat."""

import pytest

from ghost.web.declarations import declarations
from ghost.web.shapes import clipped, flattened


def values(css: str) -> dict[str, str]:
    """What a style declares."""
    return {n: v for n, (v, _) in declarations(css).items()}


@pytest.mark.parametrize(
    "path",
    [
        "inset(100%)", "inset(50%)", "inset(0 100% 0 0)", "inset(0 0 100% 0)", "inset(0 0 9999px)",
        "inset(60% 0 40% round 5px)",
        "circle(0)", "circle(0% at 0 0)", "circle(0.1px)", "ellipse(0 0)", "ellipse(0 50% at center)", "rect(0 0 0 0)",
        "rect(5px auto 5px auto)", "xywh(0 0 0 5px)", 'path("M0 0")', "polygon(0 0, 0 0, 0 0)",
        "polygon(-5px 0, -9px 0, -5px 90px)",
    ],
)  # fmt: skip
def test_nothing_is_left(path: str) -> None:
    assert clipped(values(f"clip-path:{path}"), 16, 16)
    assert clipped(values(f"-webkit-clip-path:{path};clip-path:bogus"), 16, 16)


@pytest.mark.parametrize(
    "path",
    [
        "none", "inset(0)", "inset(10% 20px)", "inset(49%)", "circle(50%)", "circle()", "circle(0.5)",
        "ellipse(at 0 0)",
        "rect(0 100px 100px 0)", "rect(auto 0 auto auto)", "xywh(0 0 5px 5px)", 'path("M0 0L9 9 9 0")', "url(#c)",
        "polygon(0 0, 100% 0, 100% 100%)", "polygon(evenodd, 0 0, 100% 0, 100% 100%)", "border-box",
    ],
)  # fmt: skip
def test_something_is_left(path: str) -> None:
    assert not clipped(values(f"clip-path:{path}"), 16, 16)


def test_a_rectangle_clips_what_is_placed() -> None:
    assert clipped(values("position:absolute;clip:rect(1px, 1px, 1px, 1px)"), 16, 16)
    assert clipped(values("position:fixed;clip:rect(0 9px 0 0)"), 16, 16)
    assert not clipped(values("clip:rect(0 0 0 0)"), 16, 16)
    assert not clipped(values("position:absolute;clip:rect(auto auto auto auto)"), 16, 16)


@pytest.mark.parametrize(
    "css",
    [
        "transform:scale(0)", "transform:scale(1,0)", "transform:scaleY(0)", "transform:scale3d(1,0,1)", "scale:1 0",
        "scale:0%",
        "transform:scale(.001)", "scale:.01", "zoom:0", "zoom:1%", "-webkit-transform:scale(0)", "rotate:y 90deg",
        "transform:scale(.2) scale(.2)", "transform:rotateX(270deg)", "transform:rotate3d(0,1,0,90deg)",
        "transform:matrix(0,0,0,0,0,0)", "transform:matrix3d(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)",
        "transform:scale(0);transform:bogus",
        "transform:scale(0);transform:scale(1,2,3)",
    ],
)  # fmt: skip
def test_flat(css: str) -> None:
    assert flattened(values(css))


@pytest.mark.parametrize(
    "css",
    [
        "transform:scale(-1)", "transform:scale(.99)", "scale:1 1", "scale:none", "zoom:normal",
        "transform:rotate(90deg)",
        "rotate:90deg", "transform:rotate3d(0,0,1,90deg)", "transform:matrix(1,0,0,1,5,5)", "transform:scaleZ(0)",
        "transform:scale(0);transform:none",
    ],
)  # fmt: skip
def test_not_flat(css: str) -> None:
    assert not flattened(values(css))
