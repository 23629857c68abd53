"""Marking a source of a run as bad: what it does to the source, that it is kept with the run, and how it is undone."""

from collections.abc import Sequence
from typing import Protocol

from ghost.errors import ClaimError
from ghost.records import ReviewStore
from ghost.types import Passage, SourceMark, Status

PASSAGE, DOMAIN = "passage", "domain"
NOT_CREDIBLE = 0.1
"""Credibility of a domain that was marked as bad, when nobody says how far it is to be believed."""


class Passages(Protocol):
    """What marking needs of the knowledge base."""

    def get(self, ids: Sequence[str]) -> list[Passage]: ...

    def retire(self, ids: Sequence[str], note: str = "") -> int: ...

    def restore(self, ids: Sequence[str], note: str = "") -> int: ...


class Ratings(Protocol):
    """What marking needs of the ratings of domains."""

    def rate(self, entry: str, credibility: float, reason: str = "") -> str:
        """Rate a domain in this knowledge base; returns the id of the change, empty when it is rated so already."""
        ...

    def undo(self, change_id: str) -> object:
        """Bring back what was before a change."""
        ...


class SourceMarks:
    """Marks sources as bad and takes that back. Safe to use from any thread."""

    def __init__(self, passages: Passages, reviews: ReviewStore, ratings: Ratings | None = None) -> None:
        """Without ``ratings`` only passages can be marked."""
        self._passages = passages
        self._reviews = reviews
        self._ratings = ratings

    @property
    def domains(self) -> bool:
        """Whether domains can be marked."""
        return self._ratings is not None

    def passage(self, run_id: str, passage_id: str, reason: str) -> SourceMark:
        """Retire a passage, so that no later check finds it; raises ClaimError when that cannot be done."""
        reason = _reason(reason)
        found = self._passages.get([passage_id])
        if not found:
            raise ClaimError("Nothing was changed: this passage is not in your knowledge base, so no check finds it.")
        if found[0].status is not Status.ACTIVE:
            raise ClaimError(f"Nothing was changed: this passage is {found[0].status.value}, so no check finds it.")
        mark = self._reviews.mark(run_id, PASSAGE, passage_id, reason, found[0].status.value)
        try:
            self._passages.retire([passage_id], f"marked as bad in check {run_id}: {reason}")
        except BaseException:
            self._reviews.withdraw(mark.id)  # a mark that says what did not happen is worse than none
            raise
        return mark

    def domain(self, run_id: str, domain: str, reason: str, credibility: float = NOT_CREDIBLE) -> SourceMark:
        """Lower the credibility of a domain for later checks; this run keeps the value it was made with."""
        reason = _reason(reason)
        if self._ratings is None or not domain:
            raise ClaimError("Nothing was changed: the credibility of this source cannot be changed here.")
        change = self._ratings.rate(domain, credibility, f"marked as bad in check {run_id}: {reason}")
        try:
            return self._reviews.mark(run_id, DOMAIN, domain, reason, change)
        except BaseException:
            if change:
                self._ratings.undo(change)
            raise

    def undo(self, mark: SourceMark) -> None:
        """Take a mark back and bring the source to what it was; harmless when that was done before."""
        if not self._reviews.withdraw(mark.id):
            return
        try:
            if mark.target == PASSAGE:
                self._passages.restore([mark.name], "the mark as bad was taken back")
            elif self._ratings is not None and mark.before:
                self._ratings.undo(mark.before)
        except BaseException:
            self._reviews.reinstate(mark.id)
            raise


def _reason(text: str) -> str:
    if not text.strip():
        raise ClaimError("Nothing was changed: say why the source is bad. The reason is kept with it.")
    return text.strip()
