"""Attacked pages against their clean twins: what a reader does not see is gone, what gives orders is held back, and
nothing of either becomes markup in a report, on the page or on a terminal."""

from dataclasses import replace
from html import unescape

from markdown_it import MarkdownIt

from ghost.knowledge import suspicious, suspicious_address
from ghost.reports import terminal
from ghost.text import one_line
from ghost.types import Run
from ghost.web import ReadPage, clean, read
from tests.attacks.pages import (
    ATTACKS,
    ELSEWHERE,
    EVERY,
    LIE,
    ORDER,
    SEEN,
    URL,
    Attack,
    blocks,
    page,
    passages,
    said,
)  # fmt: skip
from tests.reports.runs import finished, markdown

TWIN = passages(blocks(page()))
HARMLESS = {"1968", "Traffic", "Traffic resumed on 12 March.", "It was cold."}
"""What stands beside an order in the corpus, and orders nothing."""


def seen(attack: Attack | None) -> ReadPage:
    """The page as Ghost reads it."""
    found = read(page(attack).encode(), "text/html", attack.url if attack else URL)
    assert isinstance(found, ReadPage), found
    return found


def test_the_corpus_is_what_it_says() -> None:
    assert len({a.name for a in ATTACKS}) == len(ATTACKS) >= 190
    assert len({a.where for a in ATTACKS}) >= 18
    assert all(page(a) != page() or a.url for a in ATTACKS)
    assert not suspicious(LIE)  # nothing but taking it out helps against a hidden lie
    assert suspicious(ORDER)
    assert not any(map(suspicious, blocks(page())))
    hidden = [a for a in EVERY if a.hidden]
    assert sum(not a.needs_a_browser for a in hidden) / len(hidden) >= 0.75


def test_a_page_with_hidden_text_reads_like_its_clean_twin() -> None:
    wrong = [a.name for a in ATTACKS if a.hidden and said(passages(blocks(page(a)))) != said(TWIN)]
    for attack in (a for a in ATTACKS if a.hidden):
        found = clean(page(attack))
        told = LIE in found.html and "<meta" not in found.html  # what describes the page is no text of it
        counted = attack.where in ("meta description", "attribute", "JSON-LD", "comment")
        wrong += [attack.name] if told or not (counted or found.removed.total() > clean(page()).removed.total()) else []
    assert wrong == []


def test_of_pages_with_visible_orders_only_the_twin_is_left() -> None:
    """What is left may be less than the twin, never more, apart from the harmless neighbours of an order."""
    left = [a.name for a in SEEN if not said(passages(blocks(page(a)))) - HARMLESS <= said(TWIN)]
    assert len(left) <= len(SEEN) / 10, left


def test_what_is_read_of_an_attacked_page_is_its_clean_twin_or_less() -> None:
    twin = seen(None)
    known = said(twin.text.split("\n\n")) | HARMLESS
    more = [a for a in ATTACKS if said(passages(seen(a).text.split("\n\n"))) - known]
    assert not [a.name for a in more if a.hidden]
    assert len(more) <= len(SEEN) / 10, [a.name for a in more]
    titles = {a.name: seen(a).title for a in ATTACKS}
    assert not [a.name for a in ATTACKS if titles[a.name] not in (twin.title, unescape(a.title))]


def test_orders_beside_the_text_are_found() -> None:
    assert [a.name for a in ELSEWHERE if not (suspicious(unescape(a.title)) or suspicious_address(a.url))] == []


def marked(text: str) -> Run:
    """A run in which a text stands wherever outside text can stand."""
    run = finished()
    assert run.verdict
    cited = replace(run.verdict.citations[0], quote=text, title=text, domain=text, url=text, why=text)
    return replace(run, error=text, verdict=replace(run.verdict, explanation=text, citations=(cited,)))


def test_nothing_of_it_is_markup_anywhere() -> None:
    for attack in ATTACKS:
        for text in (
            attack.says,
            attack.fragment,
            attack.head,
            f"\x1b]8;;https://evil.example\x07{attack.says}\x1b[8m",
        ):
            run = marked(text)
            assert not {c for c in terminal(run) if not c.isprintable()} - set("\n\u00a0\u200c\u200d"), attack.name
            shown = MarkdownIt("commonmark", {"html": True}).render(markdown(run))
            signs = ("<script", "<img", "<iframe", "<svg", '<a href="javascript', "<p hidden", "<style", "<!--")
            assert not [sign for sign in signs if sign in shown], attack.name
            line = one_line(text)
            assert not {"\n", "\x1b"} & set(line), attack.name
            assert not any("\U000e0000" <= c <= "\U000e0fff" for c in line), attack.name
