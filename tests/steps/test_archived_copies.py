"""Archived copies are looked up beside the verdict, within the limits of the run, and never waited for long."""

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.events import Event
from ghost.steps import GateReport, out_of_budget, start_look_ups, with_archived_copies
from ghost.testing import REFUTING, evidence
from ghost.types import Citation, Evidence, Label, Origin, StanceLabel, Verdict
from ghost.web import Copy, NoCopy

AT = datetime(2024, 5, 3, tzinfo=UTC)


class Library:
    """An archive that has everything, or hangs where the address says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, date | None]] = []

    def copy_of(self, url: str, seconds: float, check: Callable[[], None], near: date | None = None) -> Copy | NoCopy:
        self.asked.append((url, near))
        until = time.monotonic() + seconds
        while "hang" in url and time.monotonic() < until:
            check()
            time.sleep(0.02)
        return NoCopy("It has none.", asked=True) if "none" in url else Copy(f"https://web.archive.org/web/1/{url}", AT)


def read(*urls: str) -> list[Evidence]:
    made = [evidence(n, f"Honey {n} keeps for years.", REFUTING) for n, _ in enumerate(urls, 1)]
    day = date(2024, 5, 1)
    return [
        replace(e, passage=replace(e.passage, source_url=url, origin=Origin.WEB, published_at=day))
        for e, url in zip(made, urls, strict=True)
    ]


def decided(rows: list[Evidence], archive: Library | None, budget: Budget, slow: float = 0.0) -> Any:
    cited = tuple(
        Citation(e.number, e.passage.id, e.passage.text, StanceLabel.REFUTES, True, "", url=e.passage.source_url)
        for e in rows
    )

    def deciding() -> Generator[Event, None, Any]:
        yield from ()
        time.sleep(slow)
        verdict = Verdict(Label.FALSE, 0.9, "", cited)
        return replace(out_of_budget((), (), ()), value=GateReport(verdict, (), 1, 1, 0, None))

    going = with_archived_copies(deciding(), start_look_ups(archive, rows, budget))
    try:
        while True:
            next(going)
    except StopIteration as end:
        return end.value


def test_a_copy_is_told_with_the_citation_and_in_the_trace() -> None:
    library, budget = Library(), Budget(Limits())
    outcome = decided(read("https://a.example/", "https://none.example/"), library, budget)
    one, other = outcome.value.verdict.citations
    assert (one.archived_url, one.archived_at) == ("https://web.archive.org/web/1/https://a.example/", AT)
    assert (other.archived_url, other.archived_at) == ("", None)
    assert [(r["url"], r["asked"], r["why"]) for r in outcome.outputs["archived"]] == [
        ("https://a.example/", True, ""), ("https://none.example/", True, "It has none."),
    ]  # fmt: skip
    assert all(near == date(2024, 5, 1) for _, near in library.asked)
    assert budget.usage().fetches == 2


def test_what_hangs_is_given_up_after_a_moment() -> None:
    started = time.monotonic()
    outcome = decided(read("https://a.example/", "https://hang.example/"), Library(), Budget(Limits()))
    assert time.monotonic() - started < 3
    assert [bool(c.archived_url) for c in outcome.value.verdict.citations] == [True, False]
    assert "not answered in time" in outcome.outputs["archived"][1]["why"]


def test_the_limits_of_the_run_hold() -> None:
    library, budget = Library(), Budget(Limits(fetches=1))
    outcome = decided(read("https://a.example/", "https://b.example/"), library, budget)
    assert len(library.asked) == 1
    assert budget.usage().fetches == 1
    assert sum(bool(c.archived_url) for c in outcome.value.verdict.citations) == 1
    many = Library()
    decided(read(*(f"https://{n}.example/" for n in range(9))), many, Budget(Limits()))
    assert len(many.asked) == 6


def test_cancel_is_heard_while_it_hangs() -> None:
    stop: list[int] = []
    budget = Budget(Limits(), cancelled=lambda: bool(stop))
    rows = read("https://hang.example/")
    going = start_look_ups(Library(), rows, budget)
    stop.append(1)
    started = time.monotonic()
    with pytest.raises(Cancelled):
        going.found()
    assert time.monotonic() - started < 1


def test_nobody_is_asked_without_an_archive_nor_for_what_is_not_from_the_web() -> None:
    outcome = decided(read("https://a.example/"), None, Budget(Limits()))
    assert "archived" not in outcome.outputs
    library = Library()
    seeds = [evidence(1, "Honey keeps for years.", REFUTING)]
    snippet = [replace(e, passage=replace(e.passage, snippet=True)) for e in read("https://a.example/")]
    decided([*seeds, *snippet], library, Budget(Limits()))
    assert library.asked == []
