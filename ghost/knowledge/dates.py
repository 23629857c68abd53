"""Days some years ago."""

from datetime import date


def years_before(day: date, years: int) -> date:
    """The same day some years earlier; 28 February for a leap day."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
