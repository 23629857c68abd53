"""Step 1 without a model: types, statements, reasons and robustness."""

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled
from ghost.judges import EmbeddedJudge, classify
from ghost.judges.embedded.claims.classify import MAX_CHARS, SENTENCE_CHARS
from ghost.judges.embedded.claims.reader import Reading
from ghost.judges.embedded.claims.typed import MAX_STATEMENTS
from ghost.types import Claim, ClaimType, Classification, ReasonCode

DATA = Path(__file__).parents[2] / "data"
NOT_CHECKABLE = (ClaimType.OPINION, ClaimType.AMBIGUOUS)


def texts(result: Classification) -> list[str]:
    return [s.text.rstrip(".") for s in result.statements]


def assert_well_formed(result: Classification) -> None:
    assert 0 < result.confidence <= 1
    assert result.reason
    assert [s.number for s in result.statements] == list(range(1, len(result.statements) + 1))
    assert len(result.statements) <= MAX_STATEMENTS
    assert all(s.text.strip() for s in result.statements)
    if result.type in NOT_CHECKABLE:
        assert not result.statements
        assert result.code is not None
        assert result.rephrase
    else:
        assert result.statements
        assert result.code is None


@pytest.mark.parametrize(
    ("text", "word"), [("They did it again", "They"), ("bananas", "Bananas"), ("Where is the station?", "question")]
)
def test_reason_names_what_in_the_text_led_there(text: str, word: str):
    result = classify(text)
    assert result.type is ClaimType.AMBIGUOUS
    assert word in result.reason


def test_codes():
    assert classify("It's true").code is ReasonCode.AMBIGUOUS
    assert classify("空").code is ReasonCode.UNSUPPORTED_LANGUAGE
    assert classify("Water is wet").code is None


def test_context_resolves_a_pronoun():
    assert classify("She won the Nobel Prize in 1903").type is ClaimType.AMBIGUOUS
    assert classify("She won the Nobel Prize in 1903", "About Marie Curie").type is ClaimType.FACTUAL


@pytest.mark.parametrize(
    "text",
    [
        "Romeo and Juliet was written by Shakespeare",
        "The war lasted between 1914 and 1918",
        "If it rains and the river floods, the village is evacuated",
        "The glaciers melt because the air is warm and the sea is rising",
        "Sales rose and profits fell in 2019",
        "No mammal lays eggs and flies",
        "NASA said that the probe landed and the crew was safe",
        "A man was bitten by a shark and died in Florida",
        "Rome is older than Paris and London is younger than both",
    ],
)
def test_an_unsafe_cut_is_not_made(text: str):
    assert texts(classify(text)) == [text]


def test_a_pasted_paragraph_gives_its_first_checkable_sentences_and_says_so():
    cities = ["Oslo", "Rome", "Paris", "Lima", "Cairo", "Quito", "Tokyo", "Seoul", "Delhi", "Berlin"]
    text = " ".join(f"{city} was founded in {1000 + n}." for n, city in enumerate(cities))
    result = classify(text)
    assert result.type is ClaimType.FACTUAL
    assert len(result.statements) == MAX_STATEMENTS
    assert result.statements[0].text == "Oslo was founded in 1000."
    assert "first 8 of 10" in result.reason


@pytest.mark.parametrize(
    "text",
    [
        "Der Eiffelturm ist das höchste Bauwerk der Welt",
        "Le plus beau tableau du monde est à Paris",
        "El sol es una estrella y no un planeta",
        "太陽は恒星です",
        "Солнце вращается вокруг Земли",
    ],
)
def test_another_language_ends_here_with_what_to_do(text: str):
    result = classify(text, reader=_Unasked())
    assert result.type is ClaimType.AMBIGUOUS
    assert result.code is ReasonCode.UNSUPPORTED_LANGUAGE
    assert result.statements == ()
    assert "Ghost reads English so far" in result.reason
    assert "Translate" in result.rephrase


class _Unasked:
    """A claim classifier that must not be run."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        raise AssertionError(f"{len(texts)} texts in another language were read")


@pytest.mark.parametrize(
    "text", ["Los Angeles is in California", "Die Hard is a film from 1988", "La Paz has an airport"]
)
def test_foreign_names_do_not_make_an_english_claim_foreign(text: str):
    assert texts(classify(text)) == [text]
    assert "English" not in classify(text).reason


def test_markup_is_only_text():
    text = "<script>alert('x')</script> The Moon orbits the Earth"
    assert texts(classify(text)) == [text]


def test_any_text_gets_a_well_formed_answer():
    chance = random.Random(7)
    words = [
        "and",
        "but",
        "is",
        "the",
        "best",
        "I",
        "should",
        "If",
        "Rome",
        ",",
        ".",
        "?",
        "!",
        "it",
        "they",
        "#a",
        "@b",
        "http://x.y",
        "😀",
        "one",
        "of",
        "most",
        "very",
        "beautiful",
        "1914",
    ]
    for _ in range(400):
        limits = [chance.choice((127, 0x3000, 0x110000)) for _ in range(chance.randrange(60))]
        noise = "".join(chr(chance.randrange(limit)) for limit in limits)
        salad = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 30)))
        for text in (noise, salad):
            assert_well_formed(classify(text))
    for text in ("", " ", "\n", "and " * 500, '"' * 99, "A is B and C is D " * 100, "I heard that " * 100, "\ud800"):
        assert_well_formed(classify(text))


def test_it_is_fast():
    claims = [json.loads(line)["text"] for line in (DATA / "claim_types.jsonl").read_text("utf-8").splitlines()]
    started = time.process_time()
    for text in claims:
        classify(text)
    assert (time.process_time() - started) / len(claims) < 0.002


HOSTILE = {
    "one letter": "a",
    "blanks": " \n\t",
    "emoji": "👩‍👩‍👧 😀",
    "links": "https://example.org/a?b=c ",
    "hashtags": "#tag @bob ",
    "control characters": "\x00\x1b[2J\x07",
    "right to left": "\u202eabc\u202c الشمس نجم ",
    "half a character": "\ud800",
    "code": "def f(x):\n    return {'a': [1, 2]}\n",
    "markup": "<div onclick='x'>",
    "Chinese": "太陽は恒星です。",
    "sentences": "Oslo is in Norway. ",
    "one endless compound": "Oslo is rich and Rome is poor and ",
    "opinions": "Pizza is delicious and I love it and ",
    "initials": "Dr. No. ",
    "list": "\n- Oslo is old * Rome is",
    "framing": "I heard that they say that ",
    "quotation marks": "“a” ' \" ",
    "asides": "Oslo, which is nice, ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_a_hundred_thousand_characters_of_anything_are_read_at_once(piece: str):
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    for ending in (text, "Oslo is in Norway. " + text):
        classify("Rome is in Italy")
        started = time.process_time()
        found = classify(ending)
        assert time.process_time() - started < 0.2
        assert_well_formed(found)
        assert all(len(s.text) <= MAX_CHARS for s in found.statements)


def test_of_a_long_text_whole_sentences_are_read():
    text = "Oslo is in Norway. " * 1000
    assert texts(classify(text)) == ["Oslo is in Norway"]
    ending = "The Moon orbits the Earth. " + "Rome is in Italy and " * 2000
    assert "The Moon orbits the Earth" in texts(classify(ending))


def test_a_wish_to_stop_is_heard_between_two_sentences() -> None:
    heard = 0

    def check() -> None:
        nonlocal heard
        heard += 1
        if heard == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        classify("Cats purr. Dogs bark. Cows eat grass. Hens lay eggs.", check=check)
    assert heard == 3


def test_the_embedded_judge_keeps_to_the_time_in_the_middle_of_a_claim() -> None:
    ticks = iter(range(100))
    budget = Budget(Limits(seconds=6), clock=lambda: float(next(ticks)))
    with pytest.raises(BudgetExceeded):
        EmbeddedJudge("none").classify(Claim("Cats purr. " * 20), budget)
    assert next(ticks) < 12


def test_a_sentence_without_an_end_is_cut_where_it_pauses() -> None:
    towns = ", ".join(f"Town {n} has {n} people" for n in range(100, 200))
    found = classify(f"{towns}.")
    assert len(towns) > 2000
    assert all(len(s.text) <= SENTENCE_CHARS for s in found.statements)
    assert found.statements[0].text.startswith("Town 100 has 100 people")


@pytest.mark.parametrize("claim", ["😀" * 4_000, "😀 " * 2_000 + "x", "- " * 2_500 + "!", "“" * 5_000, "(" * 5_000])
def test_signs_without_words_are_no_claim(claim: str) -> None:
    started = time.process_time()
    assert classify(claim).type is ClaimType.AMBIGUOUS
    assert time.process_time() - started < 1
