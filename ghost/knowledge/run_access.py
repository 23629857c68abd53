"""What a run asks of a knowledge base, whoever answers it."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol

from ghost.knowledge.change_log import Change
from ghost.knowledge.values import AddReport, NoteCheck, Progress, Use
from ghost.types import Candidate, NewPassage


class RunKnowledge(Protocol):
    """The part of ``KnowledgeBase`` that the steps of a run know."""

    @property
    def frozen(self) -> bool:
        """Whether the run only reads it."""
        ...

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        """As ``KnowledgeBase.search_many``."""
        ...

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        """As ``KnowledgeBase.record_use``."""
        ...

    def add(
        self, new: Iterable[NewPassage], progress: Progress | None = None, *, run_id: str = "", uses: Sequence[Use] = ()
    ) -> AddReport:
        """As ``KnowledgeBase.add``."""
        ...

    def record_checks(self, checks: Sequence[NoteCheck], change: str = "") -> Change | None:
        """As ``KnowledgeBase.record_checks``."""
        ...
