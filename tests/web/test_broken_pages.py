"""Pages that are broken, written to break whoever reads them, or to take long: each is read all the same, in time."""

import logging
import random
import sys
import time
from datetime import date

import pytest

from ghost.errors import Cancelled
from ghost.web import Extraction, ReadPage, Unreadable, WhyUnreadable, clean, read

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
ATTRIBUTES = "style class id colspan rowspan span datetime content href hidden dir width".split()

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


def test_no_broken_page_trips_the_reader() -> None:
    for seed in range(60):
        found = of(broken(seed))
        assert isinstance(found, ReadPage) or found.kind is not WhyUnreadable.DAMAGED, f"seed {seed}: {found.why}"


HARD = {
    "many elements": "<p class=a>hello <b>you</b></p>" * 12_000,
    "many entities": "&lt;" * 250_000,
    "many open brackets": "<" * 1_000_000,
    "many invisible characters": "\u200b" * 400_000,
    "many rules": f"<style>{''.join(f'.a{n} .b{n}{{display:none}}' for n in range(9_000))}</style>"
    + "<p class='b1 b2 b3 b4'>x</p>" * 5_000,
    "blocks in blocks": "<style>" + "a{" * 100_000,
    "brackets in blocks": "<style>a{x:" + "(" * 100_000,
    "rules in rules": "<style>.q{" + "& &{" * 30_000,
    "quotes": "<style>" + "'" * 300_001,
    "dashes": "<style>top" + "a" * 150_000 + "-" * 150_000,
    "brackets in a style": "<p style='" + "a:((" * 200_000 + "'>x",
    "digits in a style": f"<p style='opacity:{'1' * 4_900}'>x" * 300 + f"<td colspan={'9' * 5_000}>",
    "many classes": "<p class='" + "a " * 500_000 + "'>x</p>",
    "many styles": "".join(f"<i style='color:#{n:06x};left:{n}px'>x</i>" for n in range(6_000)),
    "variables in variables": "".join(
        f"<i style='{''.join(f'--v{n}x{m}:0;' for m in range(1_000))}'>" for n in range(50)
    ),
    "rules for everything": f"<style>{','.join('*' * 5_900)}{{top:0}}</style>" + "<p>x</p>" * 20_000,
    "hidden one by one": "a<s hidden>x</s>" * 30_000,
    "deep": "<div style='color:red'>" * 100_000 + "deep " * 100,
    "deep sentences": "<div>" * 200 + "<p>" + "A sentence that lies deep. " * 50,
    "sentences": "<p>A sentence is here. And another one.</p>" * 10_000,
    "rows": "<table>" + "<tr><td>1<td>2</tr>" * 15_000,
    "tables in tables": "<table>" * 5_000 + "x",
    "tables": "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>" * 1_500,
    "lists in lists": "<ul><li>" * 30_000 + "item",
    "links": "<a href=x>link</a> " * 12_000,
    "stops": "<p>" + "a.b." * 400_000,
    "items in items": "<span itemscope itemtype=https://schema.org/Thing itemprop=x>" * 3_000 + "y",
    "data in data": "<script type=application/ld+json>" + "[" * 100_000 + "</script><p>text here</p>",
    "digits in data": "<script type=application/ld+json>" + "9" * 300_000 + "</script><p>text here</p>",
    "ampersands": "&" * 500_000 + "<![CDATA[" * 10_000,
    "notes": "<p>" + "3<sup>1</sup> " * 8_000,
    "marks after long text": "<p>" + "a" * 1_000_000 + "<b></b><sup>1</sup>" * 3_000,
    "marks in marks": "<p>" + "<sup>" * 200 + "1" + "</sup>" * 200 + "3¹" * 60_000,
    "times": "<p>" + "a <time>b</time> c" * 6_000,
    "quotations in quotations": "<p>" + "<q>" * 200 + "x" * 100_000,
    "comments in comments": "<div class=comment>" * 230 + "x",
    "many comments": "<article><h1>x</h1></article>" + "<div class=comment><p>x</p></div>" * 2_000,
    "titles": "<div>" * 200 + "<h1>x</h1>" * 3_000 + f"<div class='{'aB-' * 100_000}'>x</div>",
    "a heading of digits": f"<h2>{'1' * 1_000_000}</h2>",
    "words of notices": "".join(
        f"<p>{(text * 2_000)[:5_000]}</p>" * 5
        for text in ("this article ", "this article has been been ", "wurde ist ", "is satirical ", "no longer stands ")
    ),
    "overlaid": "<p>" + "a\u0336" * 100_000 + "a \u0336 " * 50_000,
}  # fmt: skip
"""Pages whose reading would take minutes if it were not bounded; it takes a second."""


@pytest.mark.parametrize("name", HARD)
def test_no_page_takes_long(name: str) -> None:
    """Processor time, because tests share the machine; a usual article takes milliseconds."""
    started = time.process_time()
    found = of(f"<html><body>{HARD[name]}")
    assert not isinstance(found, Unreadable) or found.kind is not WhyUnreadable.DAMAGED
    assert time.process_time() - started < 5


def test_a_page_that_is_longer_than_is_read_says_so() -> None:
    assert clean("<p>x</p>" * 120_010).removed["longer than is read"] == 1
    rules = "<style>.q{display:none}" + "a{display:block}" * 20_000 + "</style>"
    assert "kept" in clean(f"{rules}<p class=q>kept").html  # what is hidden at the beginning may be shown at the end
    tables = "<table><tr><td>Bread</td><td>two pounds</td></tr></table><p>The baker sells it at six.</p>" * 600
    read_as = of(f"<html><body>{tables}")
    assert isinstance(read_as, ReadPage)
    assert read_as.extraction is Extraction.VISIBLE
    assert any("to find its main text" in note for note in read_as.notes)
