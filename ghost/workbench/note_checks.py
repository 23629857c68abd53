"""Comparing many notes with their pages, a few pages at a time, and keeping what came of it as one change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.events import result_of
from ghost.knowledge import KnowledgeBase, NoteCheck, Progress
from ghost.steps import SearchContext, SearchHistory, by_page, check_notes
from ghost.types import Claim, PageCheck, Passage


@dataclass(frozen=True, slots=True)
class CheckedNotes:
    """What came of comparing notes with their pages."""

    checks: tuple[NoteCheck, ...]
    change: str
    """Id of the change by which it can be undone; empty where nothing changed."""
    left: int
    """Notes that were not compared, because the work was stopped first."""

    @property
    def summary(self) -> str:
        """``2 found, 1 not reached``."""
        counts = {outcome.value: sum(c.outcome is outcome for c in self.checks) for outcome in PageCheck}
        return ", ".join(f"{n:,} {word}" for word, n in {**counts, "left": self.left}.items() if n) or "none"


def check_many(
    notes: Iterable[Passage], context: SearchContext, limits: Limits, knowledge: KnowledgeBase, progress: Progress,
    cancelled: Callable[[], bool],
) -> CheckedNotes:  # fmt: skip
    """Each portion of pages has the limits of one run, and is kept when it is done, also where the rest is stopped.

    ``progress`` may raise Cancelled. No language model reads the pages.
    """
    pages, context = list(by_page(notes).items()), replace(context, judge=None)
    checks, change = list[NoteCheck](), ""
    size = max(1, min(context.reading.parallel, limits.fetches))
    try:
        for start in range(0, len(pages), size):
            progress("Reading pages", start, len(pages))
            some, budget = dict(pages[start : start + size]), Budget(limits, cancelled)
            reading = check_notes(some, Claim(""), (), context, budget, SearchHistory())
            found = result_of(reading).value.checks
            checks += found
            if kept := knowledge.record_checks(found, change):
                change = kept.id
    except Cancelled:
        pass
    return CheckedNotes(tuple(checks), change, sum(len(mine) for _, mine in pages) - len(checks))
