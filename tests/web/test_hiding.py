"""What a style does to text: text that can be seen stays, text that cannot goes."""

import pytest

from ghost.web.visible import clean


def shown(css: str, head: str = "") -> bool:
    """Whether text inside ``.d`` is left."""
    return "kept" in clean(f"<html><head>{head}<style>{css}</style></head><body><div class=d><p>kept</p></div>").html


@pytest.mark.parametrize(
    "css",
    [
        ":root{--bg:oklch(20% .04 265)} .d{background-color:var(--bg);color:#fff}",
        ".d{background-color:oklch(20% .04 265);color:oklch(1 0 0)}",
        ".d{background:lab(20% 0 0);color:#fff}",
        ".d{background:hwb(0 5% 90%) no-repeat;color:#fff}",
        ".d{background:color-mix(in srgb, black 90%, rgb(1 2 3));color:#fff}",
        ".d{background:light-dark(color-mix(in srgb, red, blue), #fff);color:#fff}",
        ".d{background:#111;color:color-mix(in srgb, white 80%, transparent)}",
    ],
)
def test_light_text_on_a_dark_ground_stays_however_the_colours_are_written(css: str) -> None:
    assert shown(css)


def test_text_whose_colour_stands_elsewhere_stays_on_a_dark_ground() -> None:
    assert shown(".d{background:#111;color:var(--ink)}", "<link rel=stylesheet href=a.css>")


@pytest.mark.parametrize(
    "css",
    [
        ".d{background:#fff;color:#fff}",
        ".d{background:oklch(1 0 0);color:#fff}",
        ".d{background-color:lab(100% 0 0);color:oklch(1 0 0)}",
        ":root{--bg:hwb(0 100% 0%)} .d{background:no-repeat var(--bg);color:white}",
        ".d{background:rgb(0 0 0);color:#000}",
        ".d{background:color-mix(in srgb, red, blue);background-color:white;color:white}",
        ".d{background:color-mix(in srgb, red, blue);color:transparent}",
    ],
)
def test_text_in_the_colour_of_its_ground_goes(css: str) -> None:
    assert not shown(css)


@pytest.mark.parametrize("ground", ["a(", "a-", "a()", "a( ()", "(", ")", "a(b(c("])
def test_a_ground_without_an_end_is_read(ground: str) -> None:
    assert "kept" in clean(f"<table bgcolor='{ground * 50_000}'><tr><td>kept</table>").html


@pytest.mark.parametrize(
    ("corners", "seen"),
    [
        ("0 0, 100% 0, 0 100%, 100% 100%", True), ("0 0, 100% 100%, 100% 0, 0 100%", True),
        ("0 0, 100% 0, 100% 100%, 0 100%", True), ("0 0, 0 0, 0 100%, 100% 0", True),
        ("0 0, 0 0, 0 0", False), ("0 0, 0 100%, 0 50%", False), ("0 0, 50% 50%, 100% 100%", False),
        ("0 3px, 90px 3px, 40px 3px", False), ("0 0, 1px 0, 1px 1px", False), ("0 0", False),
    ],
)  # fmt: skip
def test_a_polygon_hides_when_all_its_corners_are_on_one_line(corners: str, seen: bool) -> None:
    assert shown(f".d{{clip-path:polygon({corners})}}") is seen


@pytest.mark.parametrize(
    "css",
    [
        "display:none;display:block block",
        "opacity:0;opacity:5zz",
        "color:#fff;color:foo(1)",
        "font-size:0;font-size:5zz",
    ],
)
def test_a_value_that_no_browser_takes_brings_nothing_back(css: str) -> None:
    assert not shown(f".d{{{css}}}")


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<span style='height:0;overflow:hidden'>kept</span>", True),
        ("<span style='transform:scale(0)'>kept</span>", True),
        ("<span style='display:inline-block;transform:scale(0)'>kept</span>", False),
        ("<b style='float:left;width:0;overflow:hidden'>kept</b>", False),
        ("<b style='position:absolute;width:0;overflow:hidden'>kept</b>", False),
        ("<div style='display:flex'><b style='width:0;overflow:hidden'>kept</b></div>", False),
        ("<div style='display:inline;width:0;overflow:hidden'>kept</div>", True),
        ("<table><tr><td style='width:100%;max-width:0;overflow:hidden'>kept</td></tr></table>", True),
        ("<table><tr><td style='display:block;height:0;overflow:hidden'>kept</td></tr></table>", False),
        ("<div style='display:grid'><div style='contain:strict'>kept</div></div>", True),
        ("<p hidden style='display:revert'>kept</p>", False),
        ("<p hidden style='display:block'>kept</p>", True),
    ],
)
def test_a_size_counts_for_what_is_a_box(page: str, seen: bool) -> None:
    assert ("kept" in clean(f"<!DOCTYPE html><body>{page}</body>").html) is seen


def test_a_class_does_what_the_page_says_that_it_does() -> None:
    page = "<style>.hide{color:#111}</style><p class=hide>kept</p>"
    assert "kept" in clean(page).html
    assert "kept" not in clean(f"<link rel=stylesheet href=a.css>{page}").html
