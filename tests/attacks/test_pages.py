"""Attacked pages against their clean twins: what a reader does not see is gone, what gives orders is held back, and
nothing of either becomes markup in a report, on the page or on a terminal."""

from dataclasses import replace
from html import unescape

import pytest
from markdown_it import MarkdownIt

from ghost.knowledge import CredibilityBook, suspicious, suspicious_address
from ghost.reports import terminal
from ghost.steps import SearchRules
from ghost.steps.investigate import Fate, HitFilter
from ghost.text import one_line
from ghost.types import Run
from ghost.ui.shared.text import plain
from ghost.web import Hit, Stage, clean
from tests.attacks.corpus import ATTACKS, ELSEWHERE, EVERY_HIDDEN, HIDDEN, SEEN
from tests.attacks.pages import LIE, ORDER, Attack, blocks, page, passages, said
from tests.reports.runs import finished, markdown

TWIN = passages(page())


def test_the_corpus_is_what_it_says() -> None:
    assert len({a.name for a in ATTACKS}) == len(ATTACKS) >= 190
    assert len({a.where for a in ATTACKS}) >= 18
    assert all(page(a) != page() or a.url for a in ATTACKS)
    assert not suspicious(LIE)  # nothing but taking it out helps against a hidden lie
    assert [p for b in blocks(page()) for p in [b] if suspicious(b)] == []


def test_nine_of_ten_ways_to_hide_text_are_seen_through() -> None:
    assert len(HIDDEN) / len(EVERY_HIDDEN) >= 0.9


@pytest.mark.parametrize("attack", HIDDEN, ids=lambda a: a.name)
def test_a_page_with_hidden_text_reads_like_its_clean_twin(attack: Attack) -> None:
    assert said(passages(page(attack))) == said(TWIN)
    found = clean(page(attack))
    assert LIE not in found.html or "<meta" in found.html  # what describes the page is no text of it
    if attack.where not in ("meta description", "attribute", "JSON-LD", "comment"):
        assert found.removed.total() > clean(page()).removed.total()


def test_of_pages_with_visible_orders_only_the_twin_is_left() -> None:
    """What is left may be less than the twin, never more, apart from the harmless neighbours of an order."""
    left = [a.name for a in SEEN if not said(passages(page(a))) - {"1968", "Traffic"} <= said(TWIN)]
    assert len(left) <= len(SEEN) / 10, left


@pytest.mark.parametrize("attack", ELSEWHERE, ids=lambda a: a.name)
def test_orders_beside_the_text_are_found(attack: Attack) -> None:
    assert suspicious(unescape(attack.title)) or suspicious_address(attack.url)


def test_as_search_hits_they_are_dropped() -> None:
    sieve = HitFilter(Stage.BROAD, SearchRules(), CredibilityBook({}, ()))
    kept = []
    for attack in [*SEEN, *ELSEWHERE]:
        text = attack.says if attack in SEEN else "The bridge was built in 1968 and carries many vehicles each day."
        judged = sieve.apply([Hit(attack.url, unescape(attack.title), text, "scripted")])[0]
        kept += [attack.name] if judged.fate is not Fate.DROPPED or not judged.why else []
    assert not {attack.name for attack in ELSEWHERE} & set(kept)
    assert len(kept) <= len(SEEN) / 10, kept


def marked(text: str) -> Run:
    """A run in which a text stands wherever outside text can stand."""
    run = finished()
    assert run.verdict
    cited = replace(run.verdict.citations[0], quote=text, title=text, domain=text, url=text, why=text)
    return replace(run, error=text, verdict=replace(run.verdict, explanation=text, citations=(cited,)))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_nothing_of_it_is_markup_anywhere(attack: Attack) -> None:
    for text in (attack.says, attack.fragment, attack.head, f"\x1b]8;;https://evil.example\x07{attack.says}\x1b[8m"):
        printed = terminal(marked(text))
        assert printed.isprintable() or not {c for c in printed if not c.isprintable()} - set("\n\u00a0\u200c\u200d")
        shown = MarkdownIt("commonmark", {"html": True}).render(markdown(marked(text)))
        for sign in ("<script", "<img", "<iframe", "<svg", '<a href="javascript', "<p hidden", "<style", "<!--"):
            assert sign not in shown
        line = one_line(text)
        assert "\n" not in line
        assert "\x1b" not in line
        assert not any("\U000e0000" <= c <= "\U000e0fff" for c in line)
        assert "<" not in plain(text).replace("\\<", "")


def test_the_order_of_the_corpus_is_one() -> None:
    assert suspicious(ORDER)
