"""Boxes that show nothing of what is in them."""

import pytest

from ghost.web.boxes import no_room
from ghost.web.declarations import declarations


def gone(css: str, grows: bool = False) -> bool:
    """Whether nothing can be seen in a box of that style."""
    return no_room({n: v for n, (v, _) in declarations(css).items()}, 16.0, 16.0, grows)


@pytest.mark.parametrize(
    "css",
    [
        "height:0;overflow:hidden", "height:2px;overflow:hidden", "width:1px;overflow:hidden",
        "max-height:0;overflow:clip",
        "height:0;overflow:auto", "height:0;overflow-x:hidden;overflow-y:visible", "block-size:0;overflow:hidden",
        "height:0;padding-top:20px;overflow:hidden", "height:0;min-height:1px;overflow:hidden", "contain:strict",
        "contain:size paint", "height:0;overflow:hidden;overflow:bogus", "max-height:0;flex-grow:1;overflow:hidden",
        "height:0%;position:absolute;overflow:hidden", "height:5px;max-height:0;overflow:hidden",
    ],
)  # fmt: skip
def test_no_room(css: str) -> None:
    assert gone(css)


@pytest.mark.parametrize(
    "css",
    [
        "height:0", "height:0;overflow:visible", "height:0;min-height:300px;overflow:hidden",
        "width:1px;min-width:100%;overflow:hidden",
        "height:0%;overflow:hidden", "height:0;padding-bottom:50%;overflow:hidden", "width:0;overflow-y:clip",
        "overflow:hidden",
        "height:auto;overflow:hidden", "height:0;min-height:min-content;overflow:hidden",
        "contain:size paint;height:50px",
    ],
)  # fmt: skip
def test_room(css: str) -> None:
    assert not gone(css)


def test_an_item_that_grows_is_as_large_as_there_is_room() -> None:
    assert not gone("width:0;flex:1;overflow:hidden", grows=True)
    assert gone("width:0;flex:1;overflow:hidden")
    assert gone("width:0;flex:none;overflow:hidden", grows=True)
