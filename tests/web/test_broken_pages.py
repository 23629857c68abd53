"""Pages whose markup or styles are broken, or written to break whoever reads them: each is read all the same."""

import logging
import random
import sys
from datetime import date

import pytest

from ghost.errors import Cancelled
from ghost.web import ReadPage, Unreadable, WhyUnreadable, read

URL = "https://gazette.example/bridge"
TODAY = date(2026, 1, 1)
TEXT = "The bridge was built in 1968 and carries about 14,000 vehicles each day."


def page(inside: str, css: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><title>The bridge</title><style>{css}</style><article><h1>The bridge</h1>'
        f"{inside}<p>{TEXT}</p></article></html>"
    )


def of(html: str) -> ReadPage | Unreadable:
    return read(html.encode("utf-8", "replace"), "text/html", URL, "utf-8", TODAY, 5)


def table(span: str) -> str:
    return f"<table><tr><th {span}>Year</th><th>Cars</th></tr><tr><td>1968</td><td>900</td></tr></table>"


@pytest.mark.parametrize(
    "html",
    [
        page("<p style='clip-path:inset(1.2.3%)'>One</p>"),
        page("", "@media (min-width:1..2px){p{color:red}}"),
        page("<p style='color:rgb(1e200,0,0)'>One</p>"),
        page("<p style='color:hsl(1e308 1e200% 9e99%/-5)'>One</p>"),
        page(table(f"colspan={'9' * 5_000}")),
        page(table("colspan=00000000001")),
        page("<div style='font-size:99999999em'>" * 60 + "One" + "</div>" * 60),
        page(f"<p style='opacity:{'1' * 15_000}x;font-size:{'1' * 4_000}px'>One</p>"),
    ],
)
def test_a_page_of_impossible_numbers_is_read(html: str) -> None:
    found = of(html)
    assert isinstance(found, ReadPage), found
    assert TEXT in found.text


def test_whatever_reading_raises_is_a_page_that_could_not_be_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def trip(*_: object) -> ReadPage:
        raise ZeroDivisionError("secret words of the page")

    monkeypatch.setattr(sys.modules["ghost.web.extract.read"], "_read_html", trip)
    with caplog.at_level(logging.WARNING):
        found = of(page(""))
    assert isinstance(found, Unreadable)
    assert found.kind is WhyUnreadable.DAMAGED
    assert "ZeroDivisionError" in found.why
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text + found.why


def test_a_limit_of_the_run_is_no_fault_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> ReadPage:
        raise Cancelled

    monkeypatch.setattr(sys.modules["ghost.web.extract.read"], "_read_html", stop)
    with pytest.raises(Cancelled):
        of(page(""))


PROPERTIES = (
    "color background background-color font font-size opacity filter transform translate scale rotate zoom width "
    "height max-height overflow position left top inset margin text-indent clip clip-path display visibility "
    "animation --x contain"
).split()
BITS = (
    "1 0 -1 .5 1..2 1.2.3 1e200 1e9999 -1e308px 99999999999999999999px 0px 50% 200% calc( min( max( var( var(--x) rgb( "
    "hsl( oklch( lab( color( inset( polygon( circle( rect( matrix( scale( translate( rotateY( ( ) (( )) , / ; : ! "
    "!important none hidden white #fff #ffff #12 nan inf 1e 1em 1ex 9deg 9rad turn \\ \\0 \\110000 \\d800 ' \" /* */ { "
    "} url( url('x') @media not and initial inherit ² ١ \u202e \U000e0041"
).split(" ")
SELECTORS = (
    "p .a #b * :not( :is( :where( :nth-child( 2n+1 ) , > + ~ [ ] [a=b] :: :root & @media @supports (min-width: ("
).split()
TAGS = (
    "p div span table tr td th ul li details summary dialog svg a b time title style script body html head ul".split()
)
ATTRIBUTES = (
    "style",
    "class",
    "id",
    "colspan",
    "rowspan",
    "span",
    "datetime",
    "content",
    "href",
    "hidden",
    "dir",
    "width",
)

QUOTES = ("", '"', "'")


def scrap(chance: random.Random, words: list[str], most: int) -> str:
    return chance.choice(("", " ")).join(chance.choices(words, k=chance.randint(0, most)))


def broken(seed: int) -> str:
    """A page with styles, rules and markup put together at random out of what styles and markup are made of."""
    chance = random.Random(seed)

    def style() -> str:
        return ";".join(f"{chance.choice(PROPERTIES)}:{scrap(chance, BITS, 7)}" for _ in range(chance.randint(0, 4)))

    rules = " ".join(f"{scrap(chance, SELECTORS, 5)}{{{style()}}}" for _ in range(chance.randint(0, 6)))
    parts = []
    for _ in range(chance.randint(1, 12)):
        tag, name = chance.choice(TAGS), chance.choice(ATTRIBUTES)
        value = style() if name == "style" else scrap(chance, BITS, 4)
        opening, closing, end = chance.choice(QUOTES), chance.choice(QUOTES), chance.choice("> ")
        after = chance.choice((f"</{tag}>", "", "</", "<!--", "]]>"))
        parts.append(f"<{tag} {name}={opening}{value}{closing}{end}{scrap(chance, [*BITS, TEXT], 3)}{after}")
    return page("".join(parts), rules)


@pytest.mark.parametrize("batch", range(10))
def test_no_broken_page_trips_the_reader(batch: int) -> None:
    for seed in range(batch * 30, batch * 30 + 30):
        found = of(broken(seed))
        assert isinstance(found, ReadPage) or found.kind is not WhyUnreadable.DAMAGED, f"seed {seed}: {found.why}"
