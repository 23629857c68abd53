"""What somebody wants to know of a claim before its check begins: an earlier answer to it, and the statements in it."""

from collections.abc import Callable
from typing import Protocol

from ghost.cards import Asking, Cards
from ghost.steps import Extracted
from ghost.types import Claim, ClaimCard


class LookupWorkbench(Protocol):
    """What answers this, of the workbench, which is above this room."""

    @property
    def asking(self) -> Asking: ...
    @property
    def cards(self) -> Cards: ...

    def extract(self, claim: Claim, cancelled: Callable[[], bool]) -> Extracted:
        """What step 1 would make of a claim."""
        ...


class Lookups:
    """Asks the models in the thread that asks. Safe to share between threads."""

    def __init__(self, workbench: LookupWorkbench) -> None:
        self._workbench = workbench

    def checked_before(self, claim: str) -> ClaimCard | None:
        """The card that answers exactly this claim and holds; in doubt None. Raises StoreError and ModelError."""
        return self._workbench.asking.checked_before(claim)

    def extract(self, claim: Claim, cancelled: Callable[[], bool]) -> Extracted:
        """What step 1 would make of a claim. Raises ClaimError, JudgeError, BudgetExceeded and Cancelled."""
        return self._workbench.extract(claim, cancelled)
