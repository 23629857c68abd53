"""Claims, documents and pairs in files (JSON lines, plain or gzipped), and the labels that data sets use."""

import gzip
import hashlib
import json
import random
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ghost.errors import GhostError
from ghost.types import DECIDED, Label

FOUR: dict[str, tuple[Label, ...]] = {
    "SUPPORTS": (Label.TRUE,),
    "REFUTES": (Label.FALSE,),
    "CONFLICT": (Label.PARTIALLY_TRUE, Label.MISLEADING),
    "NEI": (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE),
}
"""What data sets call verdicts, and which of ours answer to it."""
SYNONYMS = {"DISPUTED": "CONFLICT"}
_OURS = {label.value.upper(): label for label in Label}


class DataError(GhostError):
    """A file of data cannot be used; the message names the file and, where there is one, the line."""


class Row(BaseModel):
    """What all rows have in common: fields that nobody asked for are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    @field_validator("id", "doc_id", mode="before", check_fields=False)
    @classmethod
    def _text(cls, value: Any) -> Any:
        """Ids are often numbers."""
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @property
    def key(self) -> str:
        """What must be different for every row of a file; empty when nothing must."""
        return ""


class Gold(Row):
    """A document that bears on a claim, and what it does to it."""

    doc_id: str = Field(min_length=1)
    label: str = ""


class ClaimRow(Row):
    """A claim with what should come of it."""

    id: str = ""
    """Empty in files without ids; its line then stands for it."""
    claim: str = Field(min_length=1)
    label: str = ""
    gold: tuple[Gold, ...] = ()
    cited: tuple[str, ...] | None = None
    """Documents that bear on the claim, where the file knows more of them than ``gold``."""

    @property
    def key(self) -> str:
        return self.id

    @property
    def relevant(self) -> set[str]:
        """Ids of the documents that a search should find."""
        return set(self.cited) if self.cited is not None else {gold.doc_id for gold in self.gold}


class DocumentRow(Row):
    """A document: ``text``, or a title and the sentences of an abstract."""

    doc_id: str = Field(min_length=1)
    title: str = ""
    text: str = ""
    abstract: tuple[str, ...] = ()
    url: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.text or self.title or any(self.abstract)):
            raise ValueError("it has no text: neither `text` nor `abstract` nor `title`")
        return self

    @property
    def key(self) -> str:
        return self.doc_id


class PairRow(Row):
    """A claim beside a piece of evidence, and what the evidence does to it."""

    claim: str = Field(min_length=1)
    evidence: str = Field(min_length=1)
    label: str = Field(min_length=1)
    trap: str | tuple[str, ...] | None = None
    """What makes the pair hard, where the file says so."""


R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Table(Generic[R]):
    """A file of rows, read."""

    path: Path
    rows: tuple[R, ...]
    lines: tuple[int, ...]
    """1-based line of each row."""
    sha256: str
    """Of the content, unpacked."""

    @property
    def name(self) -> str:
        """The file's name without folder, endings and ``claims``: ``scifact`` of ``scifact.claims.jsonl.gz``."""
        kept = [part for part in self.path.name.split(".") if part not in ("jsonl", "json", "gz", "claims", "stance")]
        return ".".join(kept) or self.path.name

    @property
    def described(self) -> dict[str, Any]:
        """What a result says of the file."""
        return {"file": self.path.name, "name": self.name, "rows": len(self.rows), "sha256": self.sha256}

    def sample(self, limit: int, seed: int) -> "Table[R]":
        """``limit`` rows drawn by the seed, in the order of the file; 0 takes all."""
        if not 0 < limit < len(self.rows):
            return self
        drawn = sorted(random.Random(seed).sample(range(len(self.rows)), limit))
        return self.only(drawn)

    def only(self, numbers: list[int]) -> "Table[R]":
        """The rows with these 0-based numbers."""
        return Table(
            self.path, tuple(self.rows[i] for i in numbers), tuple(self.lines[i] for i in numbers), self.sha256
        )

    def wrong(self, row: int, problem: str) -> DataError:
        """The error that something is wrong with a row."""
        return DataError(f"{self.path}, line {self.lines[row]}: {problem}")


def read_table(path: Path, model: type[R]) -> Table[R]:
    """Every row of a file; raises DataError at the first one that cannot be used, and when there is none."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (EOFError, zlib.error, OSError) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    rows: list[R] = []
    lines: list[int] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        row = _row(path, number, line, model)
        if row.key and (first := seen.setdefault(row.key, number)) != number:
            raise DataError(f"{path}, line {number}: {row.key!r} was there before, in line {first}.")
        rows.append(row)
        lines.append(number)
    if not rows:
        raise DataError(f"{path} has no rows.")
    return Table(path, tuple(rows), tuple(lines), hashlib.sha256(content).hexdigest())


def read_claims(path: Path) -> Table[ClaimRow]:
    """``read_table`` for claims; one without an id gets its line for one."""
    table = read_table(path, ClaimRow)
    rows = [
        row if row.id else row.model_copy(update={"id": f"line {line}"})
        for row, line in zip(table.rows, table.lines, strict=True)
    ]
    return Table(table.path, tuple(rows), table.lines, table.sha256)


def _row(path: Path, number: int, line: bytes, model: type[R]) -> R:
    where = f"{path}, line {number}"
    try:
        return model.model_validate(json.loads(line.decode("utf-8-sig")))
    except ValidationError as error:
        first = error.errors()[0]
        field = "".join(f"{part}." for part in first["loc"]).removesuffix(".")
        problem = first["msg"].removeprefix("Value error, ")
        raise DataError(f"{where}: {field}: {problem}." if field else f"{where}: {problem}.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: this is not JSON ({error}).") from None


@dataclass(frozen=True, slots=True)
class Labels:
    """The classes in which the claims of one file are compared.

    A file that only uses our own six names is compared in these six; any other one in the four of data sets.
    """

    own: bool

    @classmethod
    def of(cls, table: Table[ClaimRow]) -> "Labels":
        """The classes of a file; raises DataError on a label that is none."""
        for number, row in enumerate(table.rows):
            if row.label.upper() not in {*FOUR, *SYNONYMS, *_OURS}:
                known = ", ".join([*FOUR, *SYNONYMS, *(label.value for label in Label)])
                raise table.wrong(number, f"the label {row.label!r} is none of {known}.")
        return cls(all(row.label.upper() in _OURS for row in table.rows))

    def wanted(self, label: str) -> str:
        """The class of a label of the file."""
        name = label.upper()
        return self.found(_OURS[name].value) if name in _OURS else SYNONYMS.get(name, name)

    def found(self, verdict: str) -> str:
        """The class of a verdict."""
        if self.own:
            return verdict
        return next(name for name, verdicts in FOUR.items() if verdict in verdicts)

    @property
    def decisive(self) -> set[str]:
        """The classes that settle a claim."""
        return {self.found(label.value) for label in DECIDED}

    @property
    def described(self) -> dict[str, list[str]]:
        """Each class and the verdicts that answer to it."""
        if self.own:
            return {label.value: [label.value] for label in Label}
        return {name: [label.value for label in verdicts] for name, verdicts in FOUR.items()}
