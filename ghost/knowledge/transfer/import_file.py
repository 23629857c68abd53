"""A file of passages on its way in: how it was read, what is wrong with it, and what an import would do."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ghost.errors import Cancelled, GhostError
from ghost.knowledge.admission import QUARANTINED, Admission
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.rows import key_of
from ghost.knowledge.values import Action, Progress, no_progress
from ghost.records import batched
from ghost.types import Kind, NewPassage, Status

MAX_IMPORT_BYTES = 64_000_000
MAX_IMPORT_ROWS = 100_000
MAX_PROBLEMS = 20_000
"""Problems that are kept one by one; the rest is counted."""
PREVIEWED = 20
"""Passages that a preview shows."""
_PAGE = 100
"""Passages between two looks whether to stop: less than a second's work."""
_EXCERPT_CHARS = 300


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
    kind: Kind = Kind.EXCERPT
    """Of rows that name none. What has no address is a note in any case."""


DEFAULT_OPTIONS = ReadOptions()


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file that was read. Nothing has been compared with the knowledge base yet."""

    name: str
    format: FileFormat
    entries: tuple[Entry, ...] = ()
    rows: int = 0
    """Rows of the file that are not blank, usable or not."""
    unusable: int = 0
    """Rows from which no passage can be made."""
    problems: tuple[RowProblem, ...] = ()
    more_problems: int = 0
    """How many problems are not kept one by one."""
    notes: tuple[str, ...] = ()
    """Remarks on the file as a whole."""
    header: tuple[str, ...] = ()
    """The columns of a CSV file."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which column was taken for which field."""


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
    passages: int
    """Passages in the file."""
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

    def beginning(self) -> "ImportCheck":
        """What a preview shows: all figures and problems, and of the passages only the first ones."""
        return replace(self, file=replace(self.file, entries=(), problems=()), judged=self.judged[:PREVIEWED])


_THERE = "it is there, {}, and stays so"


def check_import(
    knowledge: KnowledgeBase, file: ImportFile, progress: Progress = no_progress, cancelled: Callable[[], bool] = never
) -> ImportCheck:
    """Judge every passage of a file as an import would; nothing is written. Raises Cancelled, StoreError."""
    offered = [(entry.row, new) for entry in file.entries for new in entry.passages]
    judged: list[JudgedPassage] = []
    seen: set[str] = set()
    for some in batched(offered, _PAGE):
        if cancelled():
            raise Cancelled("The check was stopped. Nothing was imported.")
        judged += _judged(knowledge, some, seen)
        progress("Checking passages", len(judged), len(offered))
    counts = Counter(j.action for j in judged)
    new = [p for j in judged if j.action in (Action.ADDED, Action.QUARANTINED) and (p := j.admission.passage)]
    own = [_problem(j) for j in judged if j.reason and j.action is not Action.MERGED]
    problems = sorted([*file.problems, *own], key=lambda p: p.row)
    return ImportCheck(
        file=file,
        judged=tuple(judged),
        passages=len(judged),
        counts={action: counts[action] for action in Action},
        retired=sum(j.reason == _THERE.format(Status.RETIRED.value) for j in judged),
        languages=dict(Counter(p.language for p in new).most_common()),
        domains=dict(Counter(knowledge.book.domain(p.source_url) for p in new).most_common()),
        problems=tuple(problems[:MAX_PROBLEMS]),
        more_problems=file.more_problems + max(0, len(problems) - MAX_PROBLEMS),
    )


def _judged(knowledge: KnowledgeBase, offered: list[tuple[int, NewPassage]], seen: set[str]) -> Iterator[JudgedPassage]:
    """What an import would do with these rows; ``seen`` has the merge keys of those before, and gets theirs."""
    admissions = knowledge.admissions([new for _, new in offered])
    keys = [key_of(a.passage.text, a.passage.source_url) if a.passage else "" for a in admissions]
    there = knowledge.statuses({key for key in keys if key})
    for (row, offer), admission, key in zip(offered, admissions, keys, strict=True):
        new = admission.passage
        if new is None:
            action, why = Action.REFUSED, admission.reason
        elif key in there:
            active = there[key] is Status.ACTIVE
            action, why = Action.MERGED, "" if active else _THERE.format(there[key].value)
        elif key in seen:
            action, why = Action.MERGED, "it is in the file twice"
        else:
            seen.add(key)
            waits = new.status is Status.QUARANTINED
            action = Action.QUARANTINED if waits else Action.ADDED
            # A row may come into quarantine that the door would have let pass.
            own = new.note.rpartition(QUARANTINED)[2] if QUARANTINED in new.note else "the file says so"
            why = admission.reason or (own if waits else admission.notice)
        yield JudgedPassage(row, admission, action, why, shortened(offer.text, _EXCERPT_CHARS))


def _problem(judged: JudgedPassage) -> RowProblem:
    what = {Action.REFUSED: "is refused", Action.QUARANTINED: "waits in quarantine"}.get(judged.action, "comes in, but")
    fatal = judged.action is Action.REFUSED
    return RowProblem(judged.row, "text", f"{what}: {judged.reason}", shortened(judged.excerpt), fatal)


def shortened(value: object, limit: int = 80) -> str:
    """The beginning of a value, for messages."""
    text = "" if value is None else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
