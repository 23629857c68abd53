"""What becomes of texts, addresses, names and periods: a table with what each function gives or why it refuses."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from config import PROJECT, host_entry
from ghost import text
from ghost.errors import ClaimError
from ghost.types import Claim, lone_address, site_list, tidy_claim, tidy_text

ROWS = [json.loads(line) for line in (PROJECT / "tests/data/text_cases.jsonl").read_text("utf-8").splitlines()]
ERRORS = {"UnicodeError": UnicodeError, "ValueError": ValueError, "ClaimError": ClaimError}


def period(words: str) -> list[str]:
    found = text.Period.parse(words)
    return [str(found.first), str(found.last), str(found)]


def sentences(words: str) -> list[str]:
    return [words[a:b] for a, b in text.spans(words)]


def without_invisible(words: str) -> list[Any]:
    found = text.without_invisible(words)
    assert text.visible(found[0]) == found[0]
    return list(found)


CALLS: dict[str, Callable[..., Any]] = {
    **{name: getattr(text, name) for name in ("aligned", "ascii_host", "unfit", "safe_cell", "stream_safe",
                                               "visible", "without_secrets")},
    "host_entry": host_entry,
    "lone_address": lone_address,
    "period": period,
    "sentences": sentences,
    "site_list": lambda typed: list(site_list(typed)),
    "tidy_claim": lambda words, found_at=None: tidy_claim(Claim(words, found_at=found_at), 5000),
    "tidy_text": tidy_text,
    "without_invisible": without_invisible,
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_each_case_gives_what_the_table_says(call: str) -> None:
    for row in (row for row in ROWS if row["call"] == call):
        if "raises" in row:
            error, _, words = row["raises"].partition(": ")
            with pytest.raises(ERRORS[error], match=words or None):
                print(row, "gives", CALLS[call](*row["given"]))
        else:
            assert CALLS[call](*row["given"]) == row["gives"], row


def test_the_table_is_whole() -> None:
    counts = Counter(row["call"] for row in ROWS)
    assert set(counts) == set(CALLS)
    assert counts.total() >= 240
