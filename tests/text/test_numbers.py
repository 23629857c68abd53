"""Numbers of two texts against each other: how they are written, bounds, fractions and centuries."""

import time

import pytest

from ghost.text import aligned, in_their_period, plain_numbers, unfit

WRITTEN = {
    "Ostwick has 48 310 inhabitants.": "Ostwick has 48,310 inhabitants.",
    "3 000 000 or 12\u202f500\u202f000 crowns": "3,000,000 or 12,500,000 crowns",
    "48\u2009310 or 48\u00a0310 people": "48,310 or 48,310 people",
    "48'310 people, 48’310 and 1ʼ234ʼ567": "48,310 people, 48,310 and 1,234,567",
    "1.234.567 people and 48.310 inhabitants": "1,234,567 people and 48,310 inhabitants",
    "1.234,50 euros and 48 310,5 tonnes": "1,234.50 euros and 48,310.5 tonnes",
    "In 2010 48 310 people, now 10 000–12 000": "In 2010 48,310 people, now 10,000–12,000",
    "It was −5 °C, 10−20, x−5": "It was -5 °C, 10−20, x−5",
}
AS_THEY_ARE = (
    "3.142 metres", "1.618 times", "0.125 grams", "1.250 billion", "pi is 3.142.", "12.345 per cent", "12.345 and",
    "1 2 3", "call 555 123 4567", "call 555 123 456", "+47 123 456 789", "020 123 456", "in 2010 300 houses",
    "on May 12 300 people", "4 May 2020 300 people", "Route 66 100 miles", "No. 10 500 people", "12.10.2020",
    "192.168.1.100", "10:30 100 m", "COVID-19 100 cases", "2 100-seat boats", "5 1000", "1,234,567",
    "page 12 345 words", "scored 21 15 and 21 18", "ISBN 978 3 16 148410 0",
)  # fmt: skip


@pytest.mark.parametrize(("text", "plain"), [*WRITTEN.items(), *((text, text) for text in AS_THEY_ARE)])
def test_only_what_groups_digits_becomes_a_comma(text: str, plain: str) -> None:
    assert plain_numbers(text) == plain


BOUNDS = [
    ("297", "more than 300", True), ("at least 300", "at most 300", True), ("up to 300", "300", True),
    ("up to 500", "more than 500", True), ("300", "more than 300", True), ("240", "about 300", True),
    ("at least 300", "297", True), ("over 300", "under 300", True), ("three", "30", True), ("48,310", "310", True),
    ("340", "more than 300", False), ("300", "at least 300", False), ("more than 300", "at least 300", False),
    ("up to 300", "up to 500", False), ("fewer than 300", "at most 300", False), ("300 or more", "at least 300", False),
    ("297", "about 300", False), ("297", "no more than 300", False), ("more than 300", "300", False),
    ("three", "3", False), ("48,310", "48,310", False), ("more than 300", "more than 300", False),
]  # fmt: skip


@pytest.mark.parametrize(("there", "asked", "differs"), BOUNDS)
def test_what_a_number_says_must_lie_within_what_is_asked(there: str, asked: str, differs: bool) -> None:
    flood = "The flood destroyed {} houses in Ostwick."
    assert unfit(flood.format(there), flood.format(asked)) is differs


@pytest.mark.parametrize(
    ("passage", "statement", "differs"),
    [
        ("One in five pupils smoke.", "30 per cent of pupils smoke.", True),
        ("More than half of pupils smoke.", "40 per cent of pupils smoke.", True),
        ("A fifth of adults are deaf, a third of them alone.", "Two thirds of the deaf are not alone.", False),
        ("It is 1.5 × 10^8 km away.", "It is 150 million km away.", False),
        ("There are 21 million coins.", "There are never more than 21 million coins.", False),
        ("Half of pupils smoke.", "More than 40 per cent of pupils smoke.", False),
        ("It was -5 °C.", "It was 5 °C.", True), ("It was minus 5 °C.", "It was -5 °C.", False),
        ("It was 0 °C.", "It was 32 °F.", False), ("It is 324 metres high.", "It is 330 metres high.", True),
        ("Three people were hurt and 12 people saved.", "3 people were hurt.", False),
        ("Twenty houses burned.", "Forty-two houses burned.", False), ("It has 3 tons.", "It has 1½ tons.", False),
        ("Ostwick has 48,310 inhabitants.", "310 people live in Ostwick.", True),
        ("Of 48,310 people in Ostwick 310 own a boat.", "310 people in Ostwick own a boat.", False),
        ("The tank holds 10⁶ litres.", "The tank holds 10 litres.", False),
    ],
)  # fmt: skip
def test_fractions_signs_and_words_are_numbers_too(passage: str, statement: str, differs: bool) -> None:
    assert unfit(passage, statement) is differs


@pytest.mark.parametrize(
    ("passage", "statement", "said"),
    [
        ("One in five pupils is ill.", "20 per cent of pupils are ill.", "20 per cent of pupils is ill."),
        ("20% of pupils smoke.", "One in five pupils smoke.", "One in five pupils smoke."),
        ("33% of the town left.", "A third of the town left.", "A third of the town left."),
        ("Three quarters of us said yes.", "75% of us said yes.", "75% of us said yes."),
        ("Nine out of ten boats left.", "90 per cent of boats left.", "90 per cent of boats left."),
        ("It came on the third of May.", "3 per cent of May.", ""),
        ("It takes a quarter of an hour.", "25 per cent of an hour.", ""),
        ("It rains one in 10 days.", "10 per cent of days.", ""),
    ],
)
def test_a_fraction_is_written_as_the_statement_writes_it(passage: str, statement: str, said: str) -> None:
    assert aligned(passage, statement) == (said or passage)


YEARS = [
    ("in 1764", "in the 18th century", "in the 18th century"),
    ("on 4 May 1764", "in the eighteenth century", "in the eighteenth century"),
    ("in 1764 and rebuilt in 1804", "in the 18th century", "in the 18th century and rebuilt in 1804"),
    ("in 1764", "in the 1760s", "in the 1760s"),
    ("in 1790", "in the late 18th century", "in the late 18th century"),
    ("in 44 BC", "in the 1st century BC", "in the 1st century BC"),
    ("in AD 79", "in the first century", "in the first century"),
    ("in 1804", "in the 18th century", ""), ("in the 18th century", "in 1764", ""),
    ("in 1770", "in the 1760s", ""), ("in 1764", "in the early 18th century", ""),
    ("in 480 BC", "in the 5th century", ""), ("in AD 79", "in the first century BC", ""),
    ("in 1765", "in 1764", ""), ("in 1764", "in the twenty-first century", ""),
    ("in 1800", "in the 18th century", ""), ("in 1764", "in 1764", ""),
    ("in 1764", "in the first half of the 18th century", ""), ("after 1764", "in the 18th century", ""),
    ("between 1760 and 1770", "in 1764", ""), ("(tests in 2014 say 1740)", "in the 1740s", ""),
    ("in 300 stone houses", "in the 4th century", ""),
]  # fmt: skip


@pytest.mark.parametrize(("there", "asked", "said"), YEARS)
def test_a_year_is_in_its_decade_and_its_century(there: str, asked: str, said: str) -> None:
    passage, statement = f"The pier was built {there}.", f"The pier was built {asked}."
    assert in_their_period(passage, statement) == (f"The pier was built {said}." if said else passage)


def test_no_text_takes_long() -> None:
    for piece in (
        "1 000 ",
        "1.000.",
        "in 1764 ",
        "one in five ",
        "the 18th century ",
        "9",
        "more than 3 ",
    ):
        text = piece * (60_000 // len(piece))
        started = time.process_time()
        plain_numbers(text)
        unfit(text, "3 people"), in_their_period(text, "in the 1760s")
        assert time.process_time() - started < 4, piece
