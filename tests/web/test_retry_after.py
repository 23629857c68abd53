"""How long a server asks to be left alone."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from ghost.web.fetch.politeness import retry_after_seconds

NOW = datetime(2026, 11, 22, 12, 0, 0, 500_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("Sun, 22 Nov 2026 12:10:00 GMT", 600.0),
        ("Sunday, 22-Nov-26 12:10:00 GMT", 600.0),
        ("Sun Nov 22 12:10:00 2026", 600.0),
        ("Sun, 22 Nov 2026 13:10:00 +0100", 600.0),
        ("Sun, 22 Nov 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("-1", None),
        ("9e99", None),
        ("\u0663", None),
        ("tomorrow", None),
        ("Sun, 99 Nov 2026 12:10:00 GMT", None),
        ("Sun, 22 Nov 99999999999 12:10:00 GMT", None),
        ("x" * 100_000, None),
    ],
)
def test_a_number_of_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert retry_after_seconds(header, NOW) == seconds


def test_any_date_that_a_server_writes_is_read() -> None:
    assert retry_after_seconds(format_datetime(NOW + timedelta(days=1), usegmt=True), NOW) == 86_400
