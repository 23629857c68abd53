"""A file of passages on its way in: how it was read, what is wrong with it, and what an import would do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ghost.errors import GhostError
from ghost.knowledge.admission import Admission
from ghost.knowledge.values import Action
from ghost.types import NewPassage

MAX_IMPORT_BYTES = 64_000_000
MAX_IMPORT_ROWS = 100_000
MAX_PROBLEMS = 20_000
"""Problems that are kept one by one; the rest is counted."""


class ImportFileError(GhostError):
    """A file cannot be read as passages at all. The message says what it is and what to do."""


def never() -> bool:
    """The default of ``cancelled``: goes on to the end."""
    return False


class FileFormat(StrEnum):
    """How a file is written."""

    CSV = "csv"
    JSONL = "jsonl"
    CLAIM_REVIEW = "claimreview"


@dataclass(frozen=True, slots=True)
class RowProblem:
    """One thing that is wrong with one row."""

    row: int
    """As a spreadsheet or an editor counts it: in CSV the header is row 1, in JSONL it is the line, else the item."""
    field: str
    """Empty when it concerns the row as a whole."""
    problem: str
    value: str = ""
    """The value in the file, shortened."""
    fatal: bool = True
    """Whether the row is left out because of it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that can be used, as passages: one, or several where a long text was cut."""

    row: int
    passages: tuple[NewPassage, ...]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """For CSV: field of a passage to the column that has it; empty takes what the header suggests."""
    cut: bool = False
    """Whether long texts are cut into passages of one to three sentences; otherwise they are refused."""
    encoding: str = ""
    """Of the file; empty detects it."""


DEFAULT_OPTIONS = ReadOptions()


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file that was read. Nothing has been compared with the knowledge base yet."""

    name: str
    format: FileFormat
    entries: tuple[Entry, ...] = ()
    rows: int = 0
    """Rows of the file that are not blank, usable or not."""
    problems: tuple[RowProblem, ...] = ()
    more_problems: int = 0
    """How many problems are not kept one by one."""
    notes: tuple[str, ...] = ()
    """Remarks on the file as a whole."""
    header: tuple[str, ...] = ()
    """The columns of a CSV file."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which column was taken for which field."""

    @property
    def unusable(self) -> int:
        """Rows from which no passage can be made."""
        return self.rows - len(self.entries)


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """One passage of a file and what an import would do with it."""

    row: int
    admission: Admission
    action: Action
    reason: str = ""
    excerpt: str = ""
    """The beginning of the text as it is in the file."""


@dataclass(frozen=True, slots=True)
class ImportCheck:
    """What an import of a file would do. Nothing has been changed."""

    file: ImportFile
    judged: tuple[JudgedPassage, ...]
    counts: Mapping[Action, int]
    """Of passages, by what would happen to them."""
    retired: int
    """How many of the merging ones are retired, and would stay so."""
    languages: Mapping[str, int]
    """Of those that are new, most frequent first."""
    domains: Mapping[str, int]
    """The same; an empty name counts those without an address."""
    problems: tuple[RowProblem, ...]
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
