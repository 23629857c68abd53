"""Years against the decades and centuries that they are in: 1764 is in the 18th century, and in the 1760s."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_TENS = {f"twenty-{word}": 20 + n for n, word in enumerate(_ORDINALS[:9], 1)}
_NUMBERS = {word: n for n, word in enumerate(_ORDINALS, 1)} | _TENS
_MONTH = r"(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)"
_ERA = r"(?:\s?(?P<era>B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)(?!\w))?"
_PART = r"(?:(?P<part>early|mid|late)[\s-])?"
_PERIOD = re.compile(
    rf"(?P<cut>\b(?:half|quarter|third|decades?|years?|turn|end|close|start|beginning|middle|since|until|before|after)\s"
    rf"(?:of\s)?)?\bthe\s{_PART}"
    rf"(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)[\s-]century|(?P<word>[a-z]+(?:-[a-z]+)?)[\s-]century|(?P<decade>\d{{3}}0)['’]?s)"
    rf"\b{_ERA}",
    re.IGNORECASE,
)
_YEAR = re.compile(
    rf"\b(?P<all>(?:in|during|on)\s(?:(?:the\syear|(?:\d{{1,2}}\s)?{_MONTH}(?:\s\d{{1,2}},)?)\s)?(?P<ad>AD\s)?"
    rf"(?P<year>\d{{1,4}})){_ERA}(?![\w%/-]|[.,]\d)"
)
_SHARES = {"early": (0, 40), "mid": (30, 70), "late": (60, 100)}
"""Years of a century that its parts have at most; they overlap, as usage does."""


@dataclass(frozen=True, slots=True)
class _Years:
    """The first and the last year of a period, before Christ below zero, and where a text says so."""

    first: int
    last: int
    start: int
    end: int


def in_their_period(passage: str, statement: str) -> str:
    """The passage, with years written as the decade or century in which the statement has them."""
    for asked in _periods(statement):
        pieces, done = [], 0
        for year in _years(passage):
            if asked.first <= year.first <= asked.last:
                pieces += [passage[done : year.start], "in ", statement[asked.start : asked.end]]
                done = year.end
        passage = "".join(pieces) + passage[done:]
    return passage


def _periods(text: str) -> Iterator[_Years]:
    """Decades and centuries that are named whole: nothing is known of "the first half of the 18th century"."""
    for found in _PERIOD.finditer(text):
        number = int(found["number"] or 0) or _NUMBERS.get((found["word"] or "").lower(), 0)
        if found["cut"] or not (number or found["decade"]):
            continue
        size, slack = (10, 0) if found["decade"] else (100, 1)
        low = int(found["decade"]) if found["decade"] else 100 * (number - 1)
        low = -low - size if _is_before_christ(found["era"]) else low
        begins, ends = (share * size // 100 for share in _SHARES.get((found["part"] or "").lower(), (0, 100)))
        yield _Years(low + begins + slack, low + ends - 1, found.start(), found.end())


def _years(text: str) -> Iterator[_Years]:
    for found in _YEAR.finditer(text):
        year = -int(found["year"]) if _is_before_christ(found["era"]) else int(found["year"])
        if 1000 <= year <= 2100 or found["era"] or found["ad"]:
            yield _Years(year, year, found.start(), found.end())


def _is_before_christ(era: str | None) -> bool:
    return era is not None and era.upper().startswith("B")
