"""The year, month or day for which a fact holds, as exact as its source: ``2024``, ``2024-05``, ``2024-05-31``."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

_FORM = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """A year, a month of it, or a day."""

    year: int
    month: int = 0
    """0: any month of the year."""
    day: int = 0
    """0: any day of the month."""

    @classmethod
    def parse(cls, text: str) -> "Period":
        """Read what ``str`` writes. Raises ValueError for anything else."""
        form = _FORM.fullmatch(text) if isinstance(text, str) else None
        if form is None:
            raise ValueError(f"{text!r} is not a year, month or day such as 2024, 2024-05 or 2024-05-31")
        period = cls(*(int(part or 0) for part in form.groups()))
        if str(period) != text:  # a month or a day 00
            raise ValueError(f"{text!r} has no such month or day")
        date(period.year, period.month or 1, period.day or 1)
        return period

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> date:
        """Its last day."""
        month = self.month or 12
        return date(self.year, month, self.day or monthrange(self.year, month)[1])

    def __str__(self) -> str:
        parts = (f"{self.year:04}", f"-{self.month:02}" if self.month else "", f"-{self.day:02}" if self.day else "")
        return "".join(parts)
