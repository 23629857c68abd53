"""How text looks by what is declared around it."""

import pytest

from ghost.web.visible import clean


def seen(body: str, css: str = "") -> bool:
    """Whether the word is left of a page."""
    return "kept" in clean(f"<!DOCTYPE html><html><head><style>{css}</style></head><body>{body}</body></html>").html


@pytest.mark.parametrize(
    "body",
    [
        "<h2 style='line-height:.9;overflow:hidden'>kept</h2>",
        "<div style='line-height:0;overflow:hidden'><p style='line-height:1.4'>kept</p></div>",
        "<p style='line-height:0;overflow:hidden;height:2em'>kept</p>", "<p style='line-height:0'>kept</p>",
        "<div style='display:flex'><div style='width:0;flex-grow:1;overflow:hidden'>kept</div></div>",
        "<p style='height:0;padding-top:50%;position:fixed;overflow:hidden'><b style='position:absolute'>kept</b></p>",
        "<p style='color:#fff;background:var(--unset)'>kept</p>",
        "<table background=x.gif><tr><td><font color=white>kept</font></table>",
        "<p style='color:#fff;background:linear-gradient(#000,#111)'>kept</p>",
        "<p style='color:#fff;background:linear-gradient(red,#fff)'>kept</p>",
        "<p style='color:#fff;background:#fff;background:#000'>kept</p>",
        "<p style='color:#fff;background:#000;background:bogus(1)'>kept</p>",
        "<div style='-webkit-text-fill-color:#fff'><p style='-webkit-text-fill-color:#000'>kept</p></div>",
        "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>kept</p>",
        "<p style='background:#123;-webkit-background-clip:text;color:transparent'>kept</p>",
    ],
)  # fmt: skip
def test_seen(body: str) -> None:
    assert seen(body)


@pytest.mark.parametrize(
    "body",
    [
        "<p style='line-height:0;overflow:hidden'>kept</p>",
        "<div style='line-height:0'><p style='overflow:hidden'>kept</p></div>",
        "<div style='width:0;flex-grow:1;overflow:hidden'>kept</div>",
        "<div style='display:flex'><div><div style='width:0;flex-grow:1;overflow:hidden'>kept</div></div></div>",
        "<div style='height:0;padding-top:50%;position:relative;overflow:hidden'><p>kept</p></div>",
        "<div style='opacity:.2'><div style='opacity:.2'><p style='opacity:.2'>kept</p></div></div>",
        "<div style='-webkit-text-fill-color:#fff'><p style='color:#000'>kept</p></div>",
        "<p style='color:#fff;background:linear-gradient(#fff,#fff)'>kept</p>",
        "<p style='color:#fff;background:linear-gradient(to right, #fff 0%, #fff 100%), #000'>kept</p>",
        "<p style='color:#fff;background:linear-gradient(transparent,transparent)'>kept</p>",
        "<p style='color:#123;background:currentcolor'>kept</p>",
        "<p style='background-color:red;background:#fff;color:#fff'>kept</p>",
        "<p style='background:#fff;-webkit-background-clip:text;color:transparent'>kept</p>",
        "<p style='background-clip:text;color:transparent'>kept</p>",
        "<p style='color:#123;background:#123;background:bogus'>kept</p>",
        "<p style='font-size:16px;font:1px serif'>kept</p>", f"<p>{'<small>' * 14}kept{'</small>' * 14}</p>",
        "<p style='font-size:.1vmin'>kept</p>", "<p style='font-size:calc(0 * 1px)'>kept</p>",
    ],
)  # fmt: skip
def test_unseen(body: str) -> None:
    assert not seen(body)


def test_letters_are_measured_by_those_of_the_whole_page() -> None:
    assert seen("<p class=q>kept</p>", "html{font-size:1px} .q{font-size:16rem}")
    assert not seen("<p class=q>kept</p>", "html{font-size:1px} .q{font-size:1rem}")
    assert seen("<div style='font-size:0'><p style='font-size:1rem'>kept</p></div>")


def test_a_page_that_asks_for_a_dark_ground_has_one() -> None:
    assert seen("<p style='color:#fff'>kept</p>", ":root{color-scheme:dark}")
    assert not seen("<p style='color:#111'>kept</p>", ":root{color-scheme:dark}")
    assert not seen("<p style='color:#fff'>kept</p>", ":root{color-scheme:light dark}")
