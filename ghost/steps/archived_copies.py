"""Archived copies of what may be cited, looked up while the judge decides."""

import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, GhostError
from ghost.events import Event
from ghost.steps.gate import GateReport
from ghost.steps.trace import Outcome
from ghost.types import Citation, Evidence, Origin, Passage
from ghost.web import Copy, NoCopy

SECONDS = 5.0
"""Time-out of one look-up."""
PATIENCE = 2.0
"""The most seconds that a finished verdict waits for look-ups."""
PARALLEL = 4
MOST = 6
"""The most look-ups of one run; each counts as a fetch."""


class Archive(Protocol):
    """Knows archived copies of pages."""

    def copy_of(self, url: str, seconds: float, check: Callable[[], None], near: date | None = None) -> Copy | NoCopy:
        """The copy nearest to a day, or why there is none."""
        ...


@dataclass(slots=True)
class LookUps:
    """Look-ups in progress."""

    budget: Budget
    urls: tuple[str, ...] = ()
    _came: "queue.SimpleQueue[tuple[str, Copy | NoCopy]]" = field(default_factory=queue.SimpleQueue)
    _stop: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Start no more of them."""
        self._stop.set()

    def found(self) -> dict[str, Copy | NoCopy]:
        """The results, after waiting a moment for the rest, which is then given up. Raises Cancelled."""
        known: dict[str, Copy | NoCopy] = {}
        until = time.monotonic() + min(PATIENCE, max(0.0, self.budget.seconds_left / 2))
        try:
            while len(known) < len(self.urls) and (left := until - time.monotonic()) > 0:
                self.budget.check()
                with suppress(queue.Empty):
                    url, came = self._came.get(timeout=min(0.1, left))
                    known[url] = came
            self.budget.check()
        except BudgetExceeded:
            pass  # the verdict is complete, so a limit no longer matters
        finally:
            self._stop.set()
        return known


def start_look_ups(archive: Archive | None, evidence: Sequence[Evidence], budget: Budget) -> LookUps:
    """Start looking for copies of the web pages among the evidence, the heaviest first. Returns at once."""
    pages: dict[str, Passage] = {}
    for e in sorted(evidence, key=lambda e: -e.final):
        if e.passage.origin in (Origin.WEB, Origin.FACT_CHECK) and not e.passage.snippet:
            pages.setdefault(e.passage.source_url, e.passage)
    chosen = list(pages.values())[:MOST] if archive else []
    made = LookUps(budget, tuple(p.source_url for p in chosen))
    mine = budget.until(made._stop.is_set)
    waiting: queue.SimpleQueue[Passage] = queue.SimpleQueue()
    for p in chosen:
        waiting.put(p)

    def work() -> None:
        while archive and not made._stop.is_set():
            try:
                p = waiting.get_nowait()
            except queue.Empty:
                return
            counted = False
            try:
                mine.spend(fetches=1)
                counted = True
                came: Copy | NoCopy = archive.copy_of(p.source_url, SECONDS, mine.check, p.published_at)
            except GhostError as limit:  # a limit of the run, or the look-ups were stopped
                came = NoCopy(str(limit), asked=False, sent=counted)
            made._came.put((p.source_url, came))

    for number in range(min(PARALLEL, len(chosen))):
        threading.Thread(target=work, name=f"ghost-archive-{number + 1}", daemon=True).start()
    return made


def with_archived_copies(
    deciding: Generator[Event, None, Outcome[GateReport]], look_ups: LookUps
) -> Generator[Event, None, Outcome[GateReport]]:
    """The verdict with the copies that were found for its citations."""
    try:
        outcome = yield from deciding
    except BaseException:
        look_ups.stop()
        raise
    if not look_ups.urls:
        return outcome
    found = look_ups.found()
    verdict = outcome.value.verdict
    citations = tuple(_with_copy(c, found.get(c.url)) for c in verdict.citations)
    report = replace(outcome.value, verdict=replace(verdict, citations=citations))
    rows = [_row(url, found.get(url)) for url in look_ups.urls]
    return replace(outcome, value=report, outputs=outcome.outputs | {"archived": rows})


def _with_copy(citation: Citation, found: Copy | NoCopy | None) -> Citation:
    if not isinstance(found, Copy):
        return citation
    return replace(citation, archived_url=found.url, archived_at=found.taken_at)


def _row(url: str, found: Copy | NoCopy | None) -> dict[str, Any]:
    if isinstance(found, Copy):
        return {"url": url, "copy": found.url, "taken_at": found.taken_at.isoformat(), "asked": True, "why": ""}
    if found is None:
        return {"url": url, "copy": "", "taken_at": None, "asked": True, "why": "It had not answered in time."}
    return {
        "url": url, "copy": "", "taken_at": None, "asked": found.asked, "sent": found.sent, "why": found.why,
    }  # fmt: skip
