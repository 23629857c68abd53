"""The years, periods and days that a text names as the time of its claim."""

import re
from datetime import date
from typing import Final

from ghost.matching.mentions import Mention, unlike
from ghost.matching.words import IN_WORDS, MONTHS, ORDINALS
from ghost.text import Period

_MONTH = (
    rf"(?:{'|'.join(month.capitalize() for month in MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DIGITS = r"(?:1[0-9]{3}|20[0-9]{2})"
_YEAR = rf"{_DIGITS}(?![\d%]|[.,/-]\d)"
_UNITS = "year month week decade century quarter season summer winter spring autumn fall".split()
_UNIT = rf"(?:{'|'.join(_UNITS)})s?"
_COUNT = (
    r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|few|couple of)"
)
_EVENT = (
    r"(?:World War (?:II|I|One|Two|1|2)|the (?:First|Second) World War|the Cold War|the Middle Ages|Brexit|antiquity|"
    r"the Great Depression|the Renaissance|(?:the |his |her |their )?(?:[a-z]+ )?(?:war|reforms?|pandemic|revolution|"
    r"crisis|elections?|referendum|recession|lockdowns?|depression|independence|reunification|famine|coup|invasion|"
    r"occupation|boom|ban|strike))\b"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_PART = r"(?:early |mid-?|late )?"
_POINT = (
    rf"(?:{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?|{_MONTH} {_DAY}(?!\d)(?:,? {_YEAR})?|{_MONTH},? {_YEAR}|"
    rf"(?:the )?(?:first|second|third|fourth|last) (?:quarter|half) of {_YEAR}|Q[1-4] (?:of )?{_YEAR}|"
    rf"(?:the )?(?:spring|summer|autumn|fall|winter) of {_YEAR}|(?:the )?{_PART}\d{{3}}0s\b|"
    rf"(?:the )?{_PART}(?:\d{{1,2}}(?:st|nd|rd|th)|[a-z]{{5,11}}th|first|second|third) century(?: BC| AD)?|"
    rf"{_YEAR}(?: (?:BC|AD|CE|BCE)\b)?|"
    rf"(?:the )?(?:last|past|previous|next|coming|recent)(?: {_COUNT})? {_UNIT}\b|"
    rf"this (?:year|month|week|decade|century|quarter|season|summer|winter|spring|autumn)\b|"
    r"(?:the )?(?:nineties|eighties|seventies|sixties|fifties|twenties)\b|"
    rf"(?:last |this |next )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|{_PART}{_MONTH}(?![\w-]))"
)
_RANGE = re.compile(
    rf"\b(?:between (?P<a>{_POINT}) and (?P<b>{_POINT})|from (?P<c>{_POINT}) (?:to|until|till|through) (?P<d>{_POINT})|"
    rf"(?P<e>{_DIGITS})\s?[–-]\s?(?P<f>\d{{4}}|\d\d)(?!\d|[.,-]\d))",
    re.I,
)
_NEUTRAL: Final = "in"
_SENSES = {
    "since": "since", "after": "since", "before": "before", "until": "before", "till": "before",
    "prior to": "before", "up to": "before", "by": "by", "by the end of": "by", "as of": _NEUTRAL,
}  # fmt: skip
_SINGLE = re.compile(
    r"\b(?P<sense>in the course of|over the course of|(?:by|at) the end of|in|during|on|at|throughout|over|within|"
    r"since|from|after|before|until|till|prior to|up to|by|as of|of)"
    rf" (?:(?P<event>{_EVENT})|(?P<point>(?-i:{_POINT}|The {_POINT})))",
    re.I,
)
_BARE = re.compile(
    rf"(?<![\w-])(?:(?:last|this|next) (?:year|month|week|decade|century|quarter|summer|winter|spring|autumn)\b"
    rf"|yesterday\b|today\b(?!['’])|(?:{_DAY}(?: of)? )?(?-i:{_MONTH}),? {_YEAR})",
    re.I,
)
_COUNTED = re.compile(
    r" (?:people|percent|per cent|dollars|euros|pounds|times|years|days|men|women|kilo\w+|metres|meters|miles|feet|"
    r"tonnes|tons|deaths|cases|members|words)\b",
    re.I,
)
"""A number of four digits before such a word is an amount."""


def times(text: str) -> list[Mention]:
    """Every time in its own words, without a plain “in” or “during”: “2021”, “since 2010”, “the past decade”."""
    found: list[Mention] = []
    for match in _RANGE.finditer(text):
        first, last = (next(filter(None, pair)) for pair in (match.group("a", "c", "e"), match.group("b", "d", "f")))
        last = first[: 4 - len(last)] + last if len(last) < 4 and last.isdigit() else last
        found.append(Mention(match.start(), match.end(), match[0], f"{_key(first)}..{_key(last)}"))
    for match in _SINGLE.finditer(text):
        if _within(match, found) or _COUNTED.match(text, match.end()):
            continue
        word = " ".join(match["sense"].casefold().split())
        sense = _SENSES.get(word, _NEUTRAL)
        said = match["event"] or match["point"]
        if word == "of" and not re.search(_YEAR, said):
            continue
        if word == "from" and match["event"]:
            continue
        if match["event"] and word in ("in", "on", "at", "by", "of", "within", "over"):
            continue
        plain = sense == _NEUTRAL and not match["event"]
        start = match.end() - len(said) if plain else match.start()
        key = _key(said)
        if key:
            found.append(Mention(start, match.end(), text[start : match.end()], key if plain else f"{sense} {key}"))
    for match in _BARE.finditer(text):
        if not _within(match, found):
            found.append(Mention(match.start(), match.end(), match[0], _key(match[0])))
    return unlike(found)


def _within(match: re.Match[str], found: list[Mention]) -> bool:
    return any(match.start() < one.end and one.start < match.end() for one in found)


def _key(said: str) -> str:
    """A period by its digits where it is one, else its words in one form: “the past 10 years” is “last 1 decade”."""
    plain = " ".join(said.casefold().replace("-", " ").replace(",", " ").split()).removeprefix("the ")
    if period := _period(plain):
        return period
    words = [w if w in _UNITS else ORDINALS.get(w, IN_WORDS.get(w, w)) for w in plain.split()]
    words = ["last" if w in ("past", "previous", "recent") else w for w in words]
    key = " ".join(words).replace("world war two", "world war ii").replace("2 world war", "world war ii")
    key = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1", key)
    return {"last 10 years": "last decade", "last 12 months": "last year", "1 world war": "world war i"}.get(key, key)


_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month>[a-z]+)\.?(?: (?P<year>\d{4}))?")
_MONTH_FIRST = re.compile(r"(?P<month>[a-z]+)\.?(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?)?(?: (?P<year>\d{4}))?")


def _period(plain: str) -> str:
    """A year, a month of it or a day as ``Period`` writes it; "" for what is none."""
    if re.fullmatch(r"\d{4}", plain):
        return str(Period(int(plain)))
    match = _DAY_FIRST.fullmatch(plain) or _MONTH_FIRST.fullmatch(plain)
    number = next((n for n, m in enumerate(MONTHS, 1) if match and m[:3] == match["month"][:3]), 0)
    if not (match and number and (match["month"] in MONTHS or len(match["month"]) <= 4)):
        return ""
    year, day = int(match["year"] or 0), int(match["day"] or 0)
    try:
        date(year or 2000, number, day or 1)
    except ValueError:
        return ""
    return str(Period(year, number, day)) if year else f"month {number} {day or ''}".strip()
