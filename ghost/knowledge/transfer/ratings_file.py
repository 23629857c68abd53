"""Lists of rated domains as files: from elsewhere, and for others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ghost.errors import ClaimError
from ghost.knowledge.ratings import entry_of, rating_of
from ghost.knowledge.transfer.import_file import ImportFileError, RowProblem, shortened
from ghost.knowledge.transfer.rows import as_text, field_errors, match_columns
from ghost.knowledge.transfer.tables import Table, csv_table, decode, json_values
from ghost.records import DomainRating
from ghost.types import SourceType

MAX_RATINGS = 20_000
COLUMNS = ("domain", "score", "type", "note")
ALIASES = {
    "domain": ("domain", "host", "site", "url", "source", "website"),
    "score": ("score", "credibility", "rating", "reliability", "trust"),
    "type": ("type", "kind", "source type", "category"),
    "note": ("note", "notes", "reason", "comment", "remark"),
}
_KINDS = {"fact checker": SourceType.FACT_CHECKER, "fact check": SourceType.FACT_CHECKER}


@dataclass(frozen=True, slots=True)
class RatingsFile:
    """A file of ratings that was read. Nothing has been changed."""

    name: str
    ratings: dict[str, DomainRating]
    rows: int
    problems: tuple[RowProblem, ...] = ()
    notes: tuple[str, ...] = ()


def _entry(value: object) -> str:
    written = as_text(value).strip()
    if not written:
        raise ValueError("is empty")
    try:
        return entry_of(written)
    except ClaimError:
        raise ValueError("is no domain such as example.org or example.org/opinion") from None


def _score(value: object) -> float:
    written = "" if isinstance(value, bool) else as_text(value).strip().replace(",", ".")
    try:
        score = float(written.rstrip("% ")) / (100 if written.endswith("%") else 1)
    except ValueError:
        score = -1.0
    if not 0.0 <= score <= 1.0:
        raise ValueError("is not a number from 0 to 1")
    return score


def _kind(value: object) -> SourceType | None:
    written = as_text(value).strip().casefold().replace("-", " ").replace("_", " ")
    if not written:
        return None
    try:
        return _KINDS.get(written) or SourceType(written.replace(" ", "_"))
    except ValueError:
        raise ValueError(f"is none of {', '.join(SourceType)}") from None


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    domain: Annotated[str, BeforeValidator(_entry)]
    score: Annotated[float, BeforeValidator(_score)]
    type: Annotated[SourceType | None, BeforeValidator(_kind)] = None
    note: Annotated[str, BeforeValidator(as_text)] = ""


def read_ratings(data: bytes, name: str) -> RatingsFile:
    """Read a list in CSV or JSON Lines. Problems with single rows are in it. Raises ImportFileError if it is none."""
    text, note = decode(data)
    ratings: dict[str, DomainRating] = {}
    problems: list[RowProblem] = []
    rows = 0
    for number, values in _rows(text):
        rows += 1
        if rows > MAX_RATINGS:
            raise ImportFileError(
                f"The list has more than {MAX_RATINGS:,} rows. Nothing was changed. Cut it into several."
            )
        if isinstance(values, RowProblem):
            problems.append(values)
            continue
        found = _read(number, values, problems)
        if found and found.entry in ratings:
            last = "is in the list twice; the last one counts"
            problems.append(RowProblem(number, "domain", last, found.entry, fatal=False))
        if found:
            ratings[found.entry] = found
    return RatingsFile(name, ratings, rows, tuple(problems), (note,) if note else ())


def write_ratings(ratings: Iterable[DomainRating]) -> Iterator[bytes]:
    """The ratings as CSV that ``read_ratings`` reads."""
    return csv_table(
        COLUMNS, ((r.entry, r.credibility, r.source_type.value if r.source_type else "", r.note) for r in ratings)
    )


def _rows(text: str) -> Iterator[tuple[int, dict[str, Any] | RowProblem]]:
    if text.lstrip()[:1] in "[{":
        for number, value in json_values(text):
            if isinstance(value, dict):
                columns = match_columns((name for name in value if isinstance(name, str)), ALIASES)
                yield number, {field: value[column] for field, column in columns.items()}
            elif isinstance(value, RowProblem):
                yield number, value
            else:
                yield number, RowProblem(number, "", "is not an object with a domain and a score", str(value)[:80])
        return
    found = Table(text, aliases=ALIASES, exported=COLUMNS)
    lacking = [name for name in ("domain", "score") if name not in found.columns]
    if lacking:
        raise ImportFileError(
            f"No column is called {' and none '.join(lacking)}. Nothing was changed. The first line must name the "
            "columns: domain, score, and if you like type and note."
        )
    yield from found.rows()


def _read(number: int, values: dict[str, Any], problems: list[RowProblem]) -> DomainRating | None:
    try:
        row = _Row.model_validate(values)
    except ValidationError as error:
        wrong = field_errors(error)
        problems += [RowProblem(number, name, why, shortened(values.get(name))) for name, why in wrong.items()]
        return None
    return rating_of(row.domain, row.score, row.type, row.note)
