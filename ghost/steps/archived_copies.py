"""Archived copies of what may be cited, looked up while the judge decides."""

import queue
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, GhostError
from ghost.events import Event
from ghost.steps.gate import GateReport
from ghost.steps.trace import Outcome
from ghost.types import Evidence, Origin, Passage
from ghost.web import Archive, Copy, NoCopy

SECONDS = 5.0
"""Time-out of one look-up."""
PATIENCE = 2.0
"""The most seconds that a finished verdict waits for look-ups."""
PARALLEL = 4
MOST = 6
"""The most look-ups of one run; each counts as a fetch."""


@dataclass(slots=True)
class LookUps:
    """Look-ups in progress."""

    budget: Budget
    urls: tuple[str, ...] = ()
    came: "queue.SimpleQueue[tuple[str, Copy | NoCopy]]" = field(default_factory=queue.SimpleQueue)
    stop: threading.Event = field(default_factory=threading.Event)

    def found(self) -> dict[str, Copy | NoCopy]:
        """The results, after waiting a moment for the rest, which is then given up. Raises Cancelled."""
        known: dict[str, Copy | NoCopy] = {}
        until = time.monotonic() + min(PATIENCE, max(0.0, self.budget.seconds_left / 2))
        with suppress(BudgetExceeded):  # the verdict is complete, so a limit no longer matters
            while len(known) < len(self.urls) and (left := until - time.monotonic()) > 0:
                self.budget.check()
                with suppress(queue.Empty):
                    url, came = self.came.get(timeout=min(0.1, left))
                    known[url] = came
            self.budget.check()
        return known


def start_look_ups(archive: Archive | None, evidence: Sequence[Evidence], budget: Budget) -> LookUps:
    """Start looking for copies of the web pages among the evidence, the heaviest first. Returns at once."""
    pages: dict[str, Passage] = {}
    for e in sorted(evidence, key=lambda e: -e.final):
        if archive and e.passage.origin in (Origin.WEB, Origin.FACT_CHECK) and not e.passage.snippet:
            pages.setdefault(e.passage.source_url, e.passage)
    chosen = list(pages.values())[:MOST]
    made = LookUps(budget, tuple(p.source_url for p in chosen))
    mine = budget.until(made.stop.is_set)
    waiting: queue.SimpleQueue[Passage] = queue.SimpleQueue()
    for p in chosen:
        waiting.put(p)

    def work() -> None:
        with suppress(queue.Empty):
            while archive and not made.stop.is_set():
                p, counted = waiting.get_nowait(), False
                try:
                    mine.spend(fetches=1)
                    counted = True
                    came = archive.copy_of(p.source_url, SECONDS, mine.check, p.published_at)
                except GhostError as limit:  # a limit of the run, or the look-ups were stopped
                    came = NoCopy(str(limit), asked=False, sent=counted)
                made.came.put((p.source_url, came))

    for _ in chosen[:PARALLEL]:
        threading.Thread(target=work, name="ghost-archive", daemon=True).start()
    return made


def with_archived_copies(
    deciding: Generator[Event, None, Outcome[GateReport]], look_ups: LookUps
) -> Generator[Event, None, Outcome[GateReport]]:
    """The verdict with the copies that were found for its citations."""
    try:
        outcome = yield from deciding
        if not look_ups.urls:
            return outcome
        found = look_ups.found()
    finally:
        look_ups.stop.set()
    copies = {url: came for url, came in found.items() if isinstance(came, Copy)}
    verdict = outcome.value.verdict
    citations = tuple(
        replace(c, archived_url=copy.url, archived_at=copy.taken_at) if (copy := copies.get(c.url)) else c
        for c in verdict.citations
    )
    report = replace(outcome.value, verdict=replace(verdict, citations=citations))
    rows = [_row(url, found.get(url)) for url in look_ups.urls]
    return replace(outcome, value=report, outputs=outcome.outputs | {"archived": rows})


def _row(url: str, found: Copy | NoCopy | None) -> dict[str, Any]:
    row = {"url": url, "copy": "", "taken_at": None, "asked": True, "why": ""}
    if isinstance(found, Copy):
        return row | {"copy": found.url, "taken_at": found.taken_at.isoformat()}
    if found is None:
        return row | {"why": "It had not answered in time."}
    return row | {"asked": found.asked, "sent": found.sent, "why": found.why}
