"""What a batch is as values: a list of claims that are checked one after the other."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from ghost.types import Label


class BatchState(StrEnum):
    """Where a batch stands."""

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    DONE = "done"


class ItemState(StrEnum):
    """Where one claim of a batch stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    """It has a verdict."""
    FAILED = "failed"
    """It was tried and has none; it can be tried again."""
    CANCELLED = "cancelled"
    REFUSED = "refused"
    """It cannot be checked as it stands in the list; trying again would not help."""


class ItemOrder(StrEnum):
    """In which order the claims of a batch are listed."""

    FILE = "file"
    VERDICT = "verdict"
    LEAST_SURE = "least sure"
    MOST_SURE = "most sure"
    SLOWEST = "slowest"


@dataclass(frozen=True, slots=True)
class NewItem:
    """One line of a list on its way into a batch."""

    line: int
    """Where it stands in the file or the pasted text, from 1."""
    claim: str
    context: str = ""
    found_at: str = ""
    cells: tuple[str, ...] = ()
    """All cells of the line as they came, one for each column of the batch."""
    same_as: int | None = None
    """1-based position of the same claim further up; only that one is checked, and its outcome counts for both."""
    refused: str = ""
    """Why it cannot be checked; empty when it can."""


@dataclass(frozen=True, slots=True)
class NewBatch:
    """A list of claims with what holds for all of them."""

    name: str
    items: tuple[NewItem, ...]
    source: str = ""
    """The name of the file, or what else it came from."""
    columns: tuple[str, ...] = ()
    """Heads of the columns that came with the claims."""
    remarks: tuple[str, ...] = ()
    """What was left out or changed when the list was read, in sentences."""
    as_of: date | None = None
    web: bool = True
    pipeline: str = ""
    """How its claims are checked, also when it is resumed; empty: as the settings say at that time."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it is kept, without its claims."""

    id: str
    name: str
    source: str
    state: BatchState
    note: str
    """Why it is paused; empty when somebody asked for it."""
    as_of: date | None
    web: bool
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    created_at: datetime
    finished_at: datetime | None
    removed: bool
    pipeline: str = ""
    """As in ``NewBatch``."""
    owner: str = ""
    """The process that checks it, or was the last to do so."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many claims of a batch stand where."""

    states: dict[ItemState, int]
    labels: dict[Label, int]
    """Verdicts of those that are done, the analyst's before Ghost's."""

    @property
    def total(self) -> int:
        """All claims of the batch."""
        return sum(self.states.values())

    @property
    def left(self) -> int:
        """Those that wait or are being checked."""
        return self.of(ItemState.QUEUED) + self.of(ItemState.RUNNING)

    @property
    def ended(self) -> int:
        """Those with which nothing more will happen unless somebody asks for it."""
        return self.total - self.left

    def of(self, state: ItemState) -> int:
        """How many stand there."""
        return self.states.get(state, 0)


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One claim of a batch and what came of it."""

    batch_id: str
    position: int
    line: int
    claim: str
    context: str
    found_at: str
    same_as: int | None
    state: ItemState
    run_id: str
    label: Label | None
    confidence: float | None
    seconds: float | None
    error: str
    cells: tuple[str, ...]
    same_line: int | None = None
    """The line of the claim at ``same_as``, where the item was read from a list."""
    attempts: int = 0
    """Workers that it was given to; nought where the program that has the batch checks it."""


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which claims of a batch to list; what is empty does not narrow."""

    text: str = ""
    """Words that the claim contains, as they stand."""
    states: tuple[ItemState, ...] = ()
    labels: tuple[Label, ...] = ()


ALL_ITEMS = ItemFilter()
"""The filter that lets all claims through."""
