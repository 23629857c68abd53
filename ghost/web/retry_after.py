"""How long a server asks to be left alone."""

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d{1,18}(\.\d{1,3})?", re.ASCII)
_DATE_CHARS = 64


def seconds_of(header: str, now: datetime) -> float | None:
    """The seconds that a ``Retry-After`` asks to wait from ``now`` on: a number of them, or a date of HTTP.

    0 for a date that is over; None for what is neither. Nothing bounds it: whoever waits knows how long that may be.
    """
    value = header.strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        until = parsedate_to_datetime(value[:_DATE_CHARS])
        until = until if until.tzinfo else until.replace(tzinfo=UTC)  # "-0000", and what names no zone
        return float(max(0, math.ceil((until - now).total_seconds())))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
