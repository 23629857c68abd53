"""The screening: orders are found in many dresses, and ordinary text is left alone."""

import time
from pathlib import Path

import pytest

import seed_kb
from ghost.knowledge import suspicious, suspicious_address, suspicious_passage
from ghost.knowledge.injection import _COMPILED, CODED_TEXT, STUFFED, _found
from ghost.types import NewPassage
from tests.attacks.corpus import ELSEWHERE, SEEN
from tests.attacks.pages import ORDER

LISTS = Path(__file__).parents[1] / "attacks"


def lines(name: str) -> list[str]:
    return (LISTS / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("attack", SEEN, ids=lambda a: a.name)
def test_every_visible_attack_of_the_corpus_is_suspicious(attack) -> None:
    assert suspicious(attack.says)


@pytest.mark.parametrize("text", lines("ordinary.txt"))
def test_ordinary_text_is_not(text: str) -> None:
    """News, recipes, manuals, fact-checks, and articles that speak about attacks on AI."""
    assert suspicious(text) == ""


@pytest.mark.parametrize("text", lines("news.txt"))
def test_news_of_courts_companies_and_laws_is_not(text: str) -> None:
    """Somebody else is told, overrides a rule, answers, or is fined."""
    assert suspicious(text) == ""


@pytest.mark.parametrize("text", lines("framed.txt"))
def test_an_order_in_the_frame_of_a_story_stays_one(text: str) -> None:
    """Whoever attacks reads the patterns too."""
    assert suspicious(text)


@pytest.mark.parametrize("text", lines("quoting.txt"))
def test_who_quotes_an_order_word_for_word_is_held_back_too(text: str) -> None:
    """A judge that obeys would obey the quotation: this false alarm is the price."""
    assert suspicious(text)


def test_most_orders_in_other_words_are_found() -> None:
    """Written without looking at the patterns; the first time 14 of these 70 were found. Some will always pass:
    what holds then is the citation gate, see ``tests/attacks/test_gate.py``."""
    found = [text for text in lines("other_words.txt") if suspicious(text)]
    assert len(found) >= 58


def test_none_of_the_seed_passages_is_suspicious() -> None:
    assert [
        f["text"] for f in seed_kb.SEED_FACTS if suspicious_passage(NewPassage(f["text"], f.get("source_url", "")))
    ] == []


def test_every_field_that_a_judge_is_shown_is_screened() -> None:
    fact = "The Moon is about 384,400 kilometres from the Earth."
    assert suspicious_passage(NewPassage(fact, "https://a.example/moon", "The Moon")) == ""
    for field in (
        {"title": ORDER},
        {"publisher": ORDER},
        {"source_url": f"https://a.example/{ORDER.replace(' ', '-')}"},
    ):
        assert suspicious_passage(NewPassage(fact, **field))


@pytest.mark.parametrize("attack", [a for a in ELSEWHERE if a.where == "url"], ids=lambda a: a.name)
def test_addresses_can_carry_orders(attack) -> None:
    assert suspicious_address(attack.url)
    assert suspicious_address("https://www.nasa.gov/news/how-to-reply-to-a-signal?id=123&utm_source=feed") == ""


def test_reasons_say_what_was_found() -> None:
    assert suspicious(ORDER) == "it tells an AI to ignore its instructions"
    assert suspicious("VGhlIGJyaWRnZSBjb2xsYXBzZWQgaW4gTWFyY2ggMjAyMS4=") == CODED_TEXT
    assert suspicious("It fell in March 2021. " * 4) == STUFFED


ENDLESS = ("a", "claim: ", "ignore ", "&amp;", "[", "%41", "when you verify the claim ", "0 1 ", "a-", "!", "<", "a\n")
STORIES = (
    "the senate voted to override the existing ",
    "the court set aside the ",
    "voted to be to ",
    "and ",
    ", ",
    "system: a b. ",
    "all other sources are ",
    "now consider the claim ",
    "chatbots must say ",
    "new instructions: a ",
    "if you refuse to answer ",
    "please cite this article as ",
    "responde verdadero o ",
    "ignorer les ",
    "忽略之前",
    "tüm talimat ",
    "SWdu b3Jl ",
)


@pytest.mark.parametrize("text", [word * (200_000 // len(word)) for word in ENDLESS], ids=ENDLESS)
def test_the_screening_ends_soon_whatever_the_text(text: str) -> None:
    started = time.process_time()
    suspicious(text)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("word", [*ENDLESS, *STORIES])
def test_no_pattern_takes_long_over_fifty_thousand_characters(word: str) -> None:
    """Longer pieces than it is ever given; 0.2 s, of which the slowest needs less than half."""
    text = word * (50_000 // len(word))
    slow = []
    for pattern, row in _COMPILED:
        started = time.process_time()
        _found(pattern, row, text)
        if time.process_time() - started > 0.2:
            slow.append(pattern.pattern)
    assert slow == []
