"""Which elements selectors are about."""

from collections import Counter

import pytest
from lxml import html as lxml_html

from ghost.web import selectors
from ghost.web.selector_parser import selector

PAGE = lxml_html.document_fromstring(
    "<html lang=en-GB><body class='b md:block'><div id=d class=one data-k=Left><p>1</p><p class='q x\u00a0y'>"
    "2 <a href=/x>link</a></p><i></i><span>3</span></div><input checked></body></html>"
)
Q = PAGE.find(".//p[2]")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("*|*.q", True), ("*|p", True), ("|p", False), ("[data-k=left i] .q", True), ("[data-k='left'] .q", False),
        ("[data-k='left'i] .q", True), (".q:nth-last-child(3)", True), (".q:nth-last-child(n)", True),
        ("p:nth-last-of-type(1)", True),
        (":nth-child(1 of .q)", True), (":nth-child(1n of .q)", True), (":nth-child(2 of .q)", False),
        (".q:not(:hover)", True), (".q:hover", False), (".q:not(:checked)", True), (".q:lang(en)", True),
        (".q:lang(de)", False), (".q:dir(ltr)", True), (".q:defined", True), (".q:empty", False), (".q:has(a)", True),
        (".q:has(> b)", False), (".q:has(+ i)", True), ("div:has(.q) > .q", True),
        ("article:is(body article) .q", False),
        (".q:is(body div > p)", True), (".q:not(body p)", False), (".q:not(:bogus)", False), (".q:is(:bogus, p)", True),
        (".q:is(:is(:is(p)))", True), (".x", False), (".q::before", False), (".q:before", False), ("p#d.q", False),
        ("#d#e .q", False), ("p.q.q", True), ("p >", False), ("> p", False), ("p > > a", False), ("", False),
        ("p,", False),
    ],
)  # fmt: skip
def test_what_they_are_about(text: str, fits: bool) -> None:
    read = selector(text)
    assert bool(read and read.fits(Q, Counter())) is fits


def test_states_of_other_elements() -> None:
    effort: Counter[str] = Counter()
    link, empty, box = PAGE.find(".//a"), PAGE.find(".//i"), PAGE.find(".//input")
    for text, element in (
        (":link", link),
        ("a:any-link", link),
        ("i:empty", empty),
        (":checked", box),
        (":enabled", box),
    ):
        read = selector(text)
        assert read
        assert read.fits(element, effort)
        assert not read.fits(PAGE.find(".//div"), effort)


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("p.q#d", (1, 1, 1)), (":is(#d, p)", (1, 0, 0)), (":where(#d)", (0, 0, 0)), (":not(.a .b)", (0, 2, 0)),
        (":nth-child(2 of #d)", (1, 1, 0)), ("a:hover", (0, 1, 1)), ("#a#b", (2, 0, 0)), ("* *", (0, 0, 0)),
    ],
)  # fmt: skip
def test_how_specific_they_are(text: str, weight: tuple[int, int, int]) -> None:
    read = selector(text)
    assert read
    assert read.weight == weight


def test_what_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MAX_LOOKS", 5)
    read = selector(":has(.nowhere)")
    assert read
    effort: Counter[str] = Counter()
    assert not read.fits(PAGE, effort)
    assert effort["looks"] <= 10


def test_only_the_blanks_of_html_separate_classes() -> None:
    assert selectors.classes("a\u00a0b c\n d") == ["a\u00a0b", "c", "d"]
