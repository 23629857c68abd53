"""Text without a point: weather records that make a page long. The same page gets the same text each time."""

import random
from collections.abc import Iterator

_MONTHS = "January February March April May June July August September October November December".split()
_WINDS = ("light", "fresh", "strong", "gusty", "steady", "weak")
_SIDES = ("north", "east", "south", "west", "north-east", "south-west")
_SKIES = ("clear", "overcast", "hazy", "grey", "bright", "full of broken cloud")
_LINES = (
    "On {day} {month} {year} the observer wrote down {rain} millimetres of rain and a {wind} wind from the {side}.",
    "The morning of {day} {month} {year} was {sky}, with {warm} degrees at seven o'clock.",
    "In {month} {year} the barometer was read {many} times and stood highest on day {day}.",
    "A {wind} wind from the {side} blew for {many} hours in the second week of {month} {year}.",
    "The evening of {day} {month} {year} brought {warm} degrees and a sky that was {sky}.",
    "The instruments were checked in {month} {year}, and {many} screws were replaced.",
    "For {month} {year} the book gives {many} hours of sunshine and {rain} millimetres of rain.",
)
_SENTENCES = 5
"""In a paragraph."""


def filler(seed: str, chars: int) -> Iterator[str]:
    """Paragraphs of about ``chars`` characters together; nothing when there is no room."""
    dice = random.Random(seed)
    while chars > 0:
        paragraph = " ".join(_sentence(dice) for _ in range(_SENTENCES))
        chars -= len(paragraph)
        yield paragraph


def _sentence(dice: random.Random) -> str:
    return dice.choice(_LINES).format(
        day=dice.randint(1, 28),
        month=dice.choice(_MONTHS),
        year=dice.randint(1962, 2010),
        rain=dice.randint(1, 40),
        wind=dice.choice(_WINDS),
        side=dice.choice(_SIDES),
        sky=dice.choice(_SKIES),
        warm=dice.randint(3, 21),
        many=dice.randint(12, 160),
    )
