"""Days written in many ways."""

import re
from collections.abc import Iterator
from datetime import date

from ghost.web.extract.vocabulary import table

FIRST_PAGE = date(1991, 8, 6)
"""The day of the first web page: no page was published before."""

MONTHS = {name: number for number, line in enumerate(table("dates")["months"].split("\n"), 1) for name in line.split()}
_IN_CROATIAN = {"listopada": 10}
"""In Polish, which writes no stop after the day, it is November: "4. listopada" and "4 listopada"."""
_NAME = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_STOP = r"(?P<stop>(?:st|nd|rd|th|er|º|ª|\.)?)"
_FORMS = (
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<y>\d{4})(?P<sep>[/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]",
    rf"(?<!\d)(?P<d>\d{{1,2}}){_STOP}[\s-]+(?:of |de |den )?{_NAME}[\s,-]+(?:de |del )?(?P<y>\d{{4}})(?!\d)",
    rf"(?<!\w){_NAME}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
    r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
    r"(?<!\d)(?P<a>\d{1,2})(?P<sep>[/-])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4})(?!\d)",
)
_COMPILED = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?:T?\d{2,6}Z?)?\s*")


def days_in(text: str, latest: date | None = None) -> Iterator[tuple[date, int, int]]:
    """Each day written in a text with its place; none before the web or after ``latest``.

    A day such as 03/04/2021, which Americans and Europeans read differently, is not one.
    """
    taken: list[tuple[date, int, int]] = []
    for form in _COMPILED:
        for match in form.finditer(text):
            day = _day(match.groupdict())
            if day and possible(day, latest) and not any(a < match.end() and match.start() < b for _, a, b in taken):
                taken.append((day, match.start(), match.end()))
    yield from sorted(taken, key=lambda found: found[1])


def day_in(text: str, latest: date | None = None) -> date | None:
    """The first day in a short text such as an attribute, which may also write it as ``20210314``."""
    text = text[:200]
    if compact := _COMPACT.fullmatch(text):
        day = day_of(*map(int, compact.groups()))
        return day if day and possible(day, latest) else None
    return next((day for day, _, _ in days_in(text, latest)), None)


def possible(day: date, latest: date | None) -> bool:
    """Whether a page can have been published on a day."""
    return day >= FIRST_PAGE and (latest is None or day <= latest)


def _day(parts: dict[str, str | None]) -> date | None:
    year = int(parts["y"] or 0)
    if month := parts.get("month"):
        croatian = _IN_CROATIAN.get(month.lower()) if parts.get("stop") == "." else None
        return day_of(year, croatian or MONTHS[month.lower()], int(parts["d"] or 0))
    if parts.get("a"):
        a, b = int(parts["a"] or 0), int(parts["b"] or 0)
        if a <= 12 and b <= 12 and a != b:
            return None
        return day_of(year, min(a, b), max(a, b))
    return day_of(year, int(parts["m"] or 0), int(parts["d"] or 0))


def day_of(year: int, month: int, day: int) -> date | None:
    """A date, or None where the calendar has none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
