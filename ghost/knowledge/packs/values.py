"""What a file with passages is, what was found wrong with it, and what would become of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ghost.errors import GhostError
from ghost.knowledge.admission import Admission
from ghost.knowledge.values import Action
from ghost.types import NewPassage

MAX_BYTES = 64_000_000
MAX_ROWS = 100_000
MAX_PROBLEMS = 20_000
"""Problems that are kept one by one; the rest is counted."""


class PackError(GhostError):
    """A file cannot be read as passages at all; the message says what it is and what to do."""


class Form(StrEnum):
    """How a file is written."""

    CSV = "csv"
    JSONL = "jsonl"
    CLAIM_REVIEW = "claimreview"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with one row."""

    row: int
    """As a spreadsheet or an editor counts it: in CSV the header is row 1, in JSONL it is the line, else the item."""
    field: str
    """Empty when it concerns the row as a whole."""
    problem: str
    value: str = ""
    """What stands there, shortened."""
    fatal: bool = True
    """Whether the row is left out because of it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that can be used, as passages: one, or several where a long text was cut."""

    row: int
    passages: tuple[NewPassage, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """How to read a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """For CSV: field of a passage to the column that has it; empty takes what the header suggests."""
    cut: bool = False
    """Whether long texts are cut into passages of one to three sentences; otherwise they are refused."""
    encoding: str = ""
    """Of the file; empty detects it."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A file that was read; nothing of it has been compared with the knowledge base yet."""

    name: str
    form: Form
    entries: tuple[Entry, ...]
    rows: int
    """Rows of the file that are not blank, usable or not."""
    problems: tuple[Problem, ...] = ()
    more_problems: int = 0
    """How many problems are not kept one by one."""
    notes: tuple[str, ...] = ()
    """What the reader of the file should know about it as a whole."""
    header: tuple[str, ...] = ()
    """The columns of a CSV file."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which column was taken for which field."""

    @property
    def unusable(self) -> int:
        """Rows that nothing can be made of."""
        return self.rows - len(self.entries)


@dataclass(frozen=True, slots=True)
class Judged:
    """One passage of a file and what would become of it."""

    row: int
    admission: Admission
    action: Action
    reason: str = ""
    said: str = ""
    """The beginning of the text as it stands in the file."""


@dataclass(frozen=True, slots=True)
class Check:
    """What would become of a file: nothing has been changed."""

    pack: Pack
    judged: tuple[Judged, ...]
    counts: Mapping[Action, int]
    """Of passages, by what would become of them."""
    retired: int
    """How many of the merging ones are retired, and would stay so."""
    languages: Mapping[str, int]
    """Of those that are new, most frequent first."""
    domains: Mapping[str, int]
    """The same; an empty name counts those without an address."""
    problems: tuple[Problem, ...]
    """Those of the file, and what was quarantined or refused, by row."""
    more_problems: int = 0

    @property
    def new(self) -> int:
        """Passages that would be there afterwards and are not now."""
        return self.counts[Action.ADDED] + self.counts[Action.QUARANTINED]

    @property
    def passages(self) -> int:
        """Passages in the file."""
        return len(self.judged)
