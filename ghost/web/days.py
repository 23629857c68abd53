"""Days of publication as search APIs write them."""

from contextlib import suppress
from datetime import date, datetime
from email.utils import parsedate_to_datetime

_WRITTEN = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y")


def day_of(text: str) -> date | None:
    """The day of ``2024-03-05T10:00:00Z``, ``Tue, 05 Mar 2024 10:00:00 GMT`` or ``Mar 5, 2024``; None for the rest.

    "3 days ago" is none: it depends on when the answer was made, and an unknown day is better than a wrong one.
    """
    text = " ".join(text[:60].split())
    with suppress(ValueError):
        return datetime.fromisoformat(text).date()
    with suppress(ValueError, TypeError, IndexError):
        return parsedate_to_datetime(text).date()
    for form in _WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(text, form).date()
    return None
