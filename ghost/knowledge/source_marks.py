"""Marking a source of a run as bad: what it does to the source, that it is kept with the run, and how it is undone."""

from ghost.errors import ClaimError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.ratings import Ratings
from ghost.records import ReviewStore
from ghost.types import SourceMark, Status

PASSAGE_MARK, DOMAIN_MARK = "passage", "domain"
MARKED_CREDIBILITY = 0.1
"""Credibility of a domain that was marked as bad, unless another value is given."""


class SourceMarks:
    """Marks sources as bad and takes that back. Safe to use from any thread."""

    def __init__(self, knowledge: KnowledgeBase, reviews: ReviewStore, ratings: Ratings) -> None:
        self._knowledge = knowledge
        self._reviews = reviews
        self._ratings = ratings

    def passage(self, run_id: str, passage_id: str, reason: str) -> SourceMark:
        """Retire a passage, so that no later check finds it; raises ClaimError when that cannot be done."""
        reason = _reason(reason)
        found = self._knowledge.get([passage_id])
        if not found:
            raise ClaimError("Nothing was changed: this passage is not in your knowledge base, so no check finds it.")
        if found[0].status is not Status.ACTIVE:
            raise ClaimError(f"Nothing was changed: this passage is {found[0].status.value}, so no check finds it.")
        mark = self._reviews.mark(run_id, PASSAGE_MARK, passage_id, reason, found[0].status.value)
        try:
            self._knowledge.retire([passage_id], f"marked as bad in check {run_id}: {reason}")
        except BaseException:
            self._reviews.withdraw(mark.id)  # a mark that says what did not happen is worse than none
            raise
        return mark

    def domain(self, run_id: str, domain: str, reason: str, credibility: float = MARKED_CREDIBILITY) -> SourceMark:
        """Lower the credibility of a domain for later checks; this run keeps the value it was made with."""
        reason = _reason(reason)
        if not domain:
            raise ClaimError("Nothing was changed: the credibility of this source cannot be changed here.")
        change = self._ratings.rate(domain, credibility, f"marked as bad in check {run_id}: {reason}")
        try:
            return self._reviews.mark(run_id, DOMAIN_MARK, domain, reason, change)
        except BaseException:
            if change:
                self._ratings.undo(change)
            raise

    def undo(self, mark: SourceMark) -> None:
        """Take a mark back and bring the source to what it was; harmless when that was done before."""
        if not self._reviews.withdraw(mark.id):
            return
        try:
            if mark.target == PASSAGE_MARK:
                self._knowledge.restore([mark.name], "the mark as bad was taken back")
            elif mark.before:
                self._ratings.undo(mark.before)
        except BaseException:
            self._reviews.reinstate(mark.id)
            raise


def _reason(text: str) -> str:
    if not text.strip():
        raise ClaimError("Nothing was changed: say why the source is bad. The reason is kept with it.")
    return text.strip()
