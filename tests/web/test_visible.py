"""Pages without what their reader cannot see: nothing visible is lost, and no page takes long."""

import time
import tracemalloc

import pytest
from lxml import html as lxml_html

from ghost.web.visible import MAX_DEPTH, MAX_ELEMENTS, clean
from tests.web.ordinary import PAGES

TAILWIND = (
    r"<style>.hidden{display:none}@media(min-width:768px){.md\:block{display:block}}</style>"
    "<p class='hidden md:block'>told</p>"
)
BLOCKS = "p h1 h2 div li td th tr header footer summary details a center marquee pre ul".split()


def words(html: str) -> str:
    """The text of a cleaned page as one line; blocks stand apart."""
    root = lxml_html.document_fromstring(clean(html).html)
    for element in root.body.iter(*BLOCKS):
        element.tail = f" {element.tail or ''}" if element.tag != "a" or not element.tail else element.tail
        if element.tag != "a":
            element.text = f" {element.text or ''}"
    return " ".join(root.body.text_content().split())


@pytest.mark.parametrize("name", PAGES)
def test_an_ordinary_page_keeps_its_visible_words(name: str) -> None:
    html, seen = PAGES[name]
    assert words(html) == seen


def test_what_was_removed_is_counted_by_kind() -> None:
    found = clean(
        "<body><!-- a --><script>b</script><p hidden>c</p><p style='display:none'>d</p><p style='opacity:0'>e</p>"
        "<p style='font-size:0'>f</p><p style='color:#fff'>g</p><p style='position:absolute;left:-9999px'>h</p>"
        "<img alt='two words'><p class=sr-only>i</p><p>j\u200b\u202e\U000e0041k</p><p style='display:none'></p>"
    )
    assert found.removed == {
        "comment": 1, "script": 1, "hidden attribute": 1, "display: none": 1, "invisible style": 1, "no size": 1,
        "same colour": 1, "off screen": 1, "attribute text": 1, "screen readers only": 1, "zero-width": 1,
        "bidi control": 1, "tag character": 1,
    }  # fmt: skip
    assert "jk" in found.html


def test_links_metadata_and_language_stay_for_whoever_reads_the_page() -> None:
    found = clean(
        '<html lang="de"><head><title>T &amp; U</title><meta name="author" content="A &quot;B&quot;">'
        '<link rel="canonical" href="https://a.example/?x=1&amp;y=2"></head><body><time datetime="2021-03-01">x</time>'
    ).html
    assert '<html lang="de">' in found
    assert "<title>T &amp; U</title>" in found
    assert '<meta name="author" content="A &quot;B&quot;">' in found
    assert 'href="https://a.example/?x=1&amp;y=2"' in found
    assert '<time datetime="2021-03-01">' in found


def test_nothing_that_runs_is_left() -> None:
    found = clean(
        "<body onload=a()><p onclick='b()' style='color:red'>x</p><svg onload=c()><script>d()</script></svg>"
        "<iframe srcdoc='<script>e()</script>'></iframe><object data=f></object>"
        "<p title='\"><script>g()</script>'>y</p>"
        "<p>&lt;script&gt;h()&lt;/script&gt;</p>"
    ).html
    assert "<script" not in found.replace("&lt;script", "")
    assert "onload" not in found
    assert "onclick" not in found
    assert "&lt;script&gt;h()" in found


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "<", "<!--", "<!DOCTYPE html>", "\ud800", "</p>", "<?xml version='1.0' encoding='x'?>"]
)
def test_what_is_no_page_is_no_trouble(text: str) -> None:
    assert "<p" not in clean(text).html


def test_cleaning_twice_changes_nothing() -> None:
    for html, _ in PAGES.values():
        once = words(html)
        assert words(clean(html).html) == once or "<style" in html or "style=" in html


def test_deep_pages_come_out_flat_enough() -> None:
    found = clean("<div>" * 1_000 + "deep" + "</div>" * 1_000 + "<p>after</p>")
    assert found.html.count("<div>") < MAX_DEPTH
    assert "deep" in found.html
    assert "after" in found.html
    assert clean("<div>" * 100_000 + "x").removed["nested too deeply"] == 1


HARD = {
    "many elements": "<p class=a>hello <b>you</b></p>" * 160_000,
    "many letters": "plain words " * 400_000,
    "many entities": "&lt;" * 1_000_000,
    "many open brackets": "<" * 5_000_000,
    "many invisible characters": "\u200b" * 1_500_000,
    "many rules": f"<style>{''.join(f'.a{n} .b{n}{{display:none}}' for n in range(9_000))}</style>"
    + "<p class='b1 b2 b3 b4'>x</p>" * 20_000,
    "rules without an end": "<style>.z .a .a .a .a .a .b{display:none}</style>"
    + "<div class=a>" * 180 + "<p class=b>x</p>" * 20_000,
    "blocks in blocks": "<style>" + "a{" * 300_000,
    "quotes": "<style>" + "'" * 300_001,
    "brackets in a style": "<p style='" + "a:((" * 200_000 + "'>x",
    "many classes": "<p class='" + "a " * 500_000 + "'>x</p>",
    "variables in variables": "".join(
        f"<i style='{''.join(f'--v{n}x{m}:0;' for m in range(1_000))}'>" for n in range(190)
    ),
    "deep": "<div style='color:red'>" * 200_000,
}  # fmt: skip


TANGLES = {
    "rules for everything": f"<style>{','.join('*' * 5_900)}{{top:0}}</style>" + "<p>x</p>" * 50_000,
    "choices": "<style>"
    + "".join(f":not(:is({','.join(f'.z{n}x{m}' for m in range(40))})){{top:0}}" for n in range(1_500))
    + "</style>" + "<p class='a b'>x</p>" * 20_000,
    "places": "<style>" + "i:nth-of-type(2){top:0}" * 1_000 + "</style>" + "<b>x</b><i>x</i>" * 20_000,
    "classes": f"<style>{''.join(f'.a.z{n}{{top:0}}' for n in range(5_900))}</style>"
    + f"<p class='a {'y ' * 400_000}'>x</p>" * 3,
}  # fmt: skip


@pytest.mark.parametrize("name", TANGLES)
def test_a_tangle_of_rules_is_read_as_far_as_it_goes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.web.selectors.MAX_FITS", 1_000_000)
    found = clean(TANGLES[name])
    assert found.removed["longer than is read"] == 1
    assert "x<" in found.html


@pytest.mark.parametrize("name", HARD)
def test_no_page_takes_long(name: str) -> None:
    """Processor time, because tests share the machine; a usual article takes milliseconds."""
    started = time.process_time()
    clean(HARD[name])
    assert time.process_time() - started < 8


def test_variables_take_little_memory() -> None:
    tracemalloc.start()
    clean(HARD["variables in variables"])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100_000_000


def test_an_element_inside_changes_the_variables_of_a_long_list() -> None:
    many = "".join(f"--v{n}:0;" for n in range(900))
    page = f"<style>:root{{{many}--ink:#111}} .dark{{--ink:#eee;background:#111}} p{{color:var(--ink)}}</style>"
    assert "kept" in clean(f"{page}<body><div class=dark><p>kept</p></div>").html


def test_a_page_that_is_longer_than_is_read_says_so() -> None:
    assert clean("<p>x</p>" * (MAX_ELEMENTS + 10)).removed["longer than is read"] == 1
    tangle = "<style>.z .a .a .a .a .a .b{display:none}</style>" + "<div class=a>" * 180 + "<p class=b>x</p>" * 3_000
    assert clean(tangle).removed["longer than is read"] == 1


@pytest.mark.parametrize(
    "page",
    [
        "<h2 style='line-height:1;overflow:hidden'>told</h2>",
        "<div style='position:absolute;top:5200px'>told</div>",
        "<style media='(max-width:600px)'>.q{display:none}</style><p class=q>told</p>",
        "<style>@supports not (display:grid){.q{display:none}}</style><p class=q>told</p>",
        "<style>@container (max-width:300px){.q{display:none}}</style><p class=q>told</p>",
        "<style>@scope (.ad){p{display:none}}</style><p>told</p>",
        TAILWIND,
        "<div style='display:flex'><div style='width:0;flex-grow:1;overflow:hidden'>told</div></div>",
        "<div style='height:0;min-height:100px;overflow:hidden'>told</div>",
        "<p style='color:#fff;background:var(--unset)'>told</p>",
    ],
)
def test_what_a_reader_sees_is_kept_whatever_its_style_says(page: str) -> None:
    assert "told" in words(f"<body><p>Before.</p>{page}</body>")


@pytest.mark.parametrize(
    "page",
    [
        "<p style='font:0/0 a'>told</p>",
        "<p style='position:absolute;left:-9999px;left:bogus'>told</p>",
        "<style>.x{color:red</style><style>.q{display:none}</style><p class=q>told</p>",
        "<p style='display:none;display:block ! bogus'>told</p>",
        "<style>.q:nth-last-child(1){display:none}</style><div><p class=q>told</p></div>",
        "<p style='clip-path:inset(0 100% 0 0)'>told</p>",
        "<p style='transform:scale(1,0)'>told</p>",
        "<p style='position:fixed;left:100%'>told</p>",
        "<div style='opacity:.2'><div style='opacity:.2'><p style='opacity:.2'>told</p></div></div>",
        "<p style='color:#fff;background:linear-gradient(#fff,#fff)'>told</p>",
    ],
)
def test_what_no_reader_sees_is_taken_out_whatever_its_style_says(page: str) -> None:
    assert "told" not in words(f"<body><p>Before.</p>{page}</body>")
