"""Comparing many notes with their pages, a few pages at a time, and keeping what came of it as one change.

What a card rests on is read again in the same way.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.events import result_of
from ghost.knowledge import KnowledgeBase, NoteCheck, Progress, no_progress, origins
from ghost.steps import SearchContext, SearchHistory, by_page, check_notes
from ghost.types import Claim, ClaimCard, Label, PageCheck, Passage, StanceLabel


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


def still_said(
    card: ClaimCard, context: SearchContext, limits: Limits, knowledge: KnowledgeBase, cancelled: Callable[[], bool]
) -> tuple[bool, str]:
    """Whether the pages that a card rests on still say it, where they must be read again, and what came of that.

    Without a fetcher none of them does. A card that a person stands behind answers as it is.
    """
    side = {Label.TRUE: StanceLabel.SUPPORTS, Label.FALSE: StanceLabel.REFUTES}.get(card.label)
    cited = knowledge.get([c.passage_id for c in card.citations if c.passage_id and side in (None, c.stance)])
    alone = len({o.group for o in origins(cited)}) == 1
    again = [p for p in cited if p.must_be_read_again(alone) and not card.approved_at]
    sites = ", ".join(sorted({p.domain for p in again}))
    if not again or context.fetcher is None:
        return not again, f"It rests on {sites}, which was not read again." if again else ""
    checks = check_many(again, context, limits, knowledge, no_progress, cancelled).checks
    wrong = [c.why for c in checks if c.outcome is not PageCheck.FOUND]
    if wrong or len(checks) < len(again):
        return False, f"{sites} was read again: {' '.join(wrong) or 'it was not reached.'}"
    return True, f"{sites} was read again and still says it."
