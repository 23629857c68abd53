"""Lists of rated domains as files: from elsewhere, and for others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ghost.errors import ClaimError
from ghost.knowledge.packs import lines
from ghost.knowledge.packs.decoding import decode
from ghost.knowledge.packs.export import table
from ghost.knowledge.packs.fields import guess, shortened
from ghost.knowledge.packs.table import Table
from ghost.knowledge.packs.values import PackError, Problem
from ghost.knowledge.ratings import entry_of, rating_of
from ghost.records import DomainRating
from ghost.types import SourceType

MAX_ENTRIES = 20_000
COLUMNS = ("domain", "score", "type", "note")
ALIASES = {
    "domain": ("domain", "host", "site", "url", "source", "website"),
    "score": ("score", "credibility", "rating", "reliability", "trust"),
    "type": ("type", "kind", "source type", "category"),
    "note": ("note", "notes", "reason", "comment", "remark"),
}
_KINDS = {"fact checker": SourceType.FACT_CHECKER, "fact check": SourceType.FACT_CHECKER}


@dataclass(frozen=True, slots=True)
class RatingList:
    """A file of ratings that was read; nothing has been changed."""

    name: str
    ratings: dict[str, DomainRating]
    rows: int
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def _text(value: object) -> str:
    if isinstance(value, bool | list | dict):
        raise ValueError("must be text")
    return "" if value is None else str(value)


def _entry(value: object) -> str:
    written = _text(value).strip()
    if not written:
        raise ValueError("is empty")
    try:
        return entry_of(written)
    except ClaimError:
        raise ValueError("is no domain such as example.org or example.org/opinion") from None


def _score(value: object) -> float:
    written = "" if isinstance(value, bool) else _text(value).strip().replace(",", ".")
    try:
        score = float(written.rstrip("% ")) / (100 if written.endswith("%") else 1)
    except ValueError:
        score = -1.0
    if not 0.0 <= score <= 1.0:
        raise ValueError("is not a number from 0 to 1")
    return score


def _kind(value: object) -> SourceType | None:
    written = _text(value).strip().casefold().replace("-", " ").replace("_", " ")
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
    note: Annotated[str, BeforeValidator(_text)] = ""


def read_ratings(data: bytes, name: str) -> RatingList:
    """Read a list in CSV or JSON Lines; what is wrong with single rows is in it. Raises PackError when it is none."""
    text, note = decode(data)
    ratings: dict[str, DomainRating] = {}
    problems: list[Problem] = []
    rows = 0
    for number, values in _rows(text):
        rows += 1
        if rows > MAX_ENTRIES:
            raise PackError(f"The list has more than {MAX_ENTRIES:,} rows. Nothing was changed. Cut it into several.")
        if isinstance(values, Problem):
            problems.append(values)
            continue
        found = _read(number, values, problems)
        if found and found.entry in ratings:
            last = "is in the list twice; the last one counts"
            problems.append(Problem(number, "domain", last, found.entry, fatal=False))
        if found:
            ratings[found.entry] = found
    return RatingList(name, ratings, rows, tuple(problems), (note,) if note else ())


def write_ratings(ratings: Iterable[DomainRating]) -> Iterator[bytes]:
    """The ratings as CSV that ``read_ratings`` reads."""
    return table(
        COLUMNS,
        ((r.entry, r.credibility, r.source_type.value if r.source_type else "", r.note) for r in ratings),
    )


def _rows(text: str) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    if text.lstrip()[:1] in "[{":
        for item in lines.values(text):
            if isinstance(item, Problem):
                yield item.row, item
            elif isinstance(item[1], dict):
                columns = guess((k for k in item[1] if isinstance(k, str)), ALIASES)
                yield item[0], {field: item[1][column] for field, column in columns.items()}
            else:
                yield item[0], Problem(item[0], "", "is not an object with a domain and a score", str(item[1])[:80])
        return
    found = Table(text, guess=partial(guess, aliases=ALIASES), marks=COLUMNS)
    lacking = [name for name in ("domain", "score") if name not in found.columns]
    if lacking:
        raise PackError(
            f"No column is called {' and none '.join(lacking)}. Nothing was changed. The first line must name the "
            "columns: domain, score, and if you like type and note."
        )
    yield from found.rows()


def _read(number: int, values: dict[str, Any], problems: list[Problem]) -> DomainRating | None:
    try:
        row = _Row.model_validate(values)
    except ValidationError as error:
        for each in error.errors():
            name = str(each["loc"][0])
            why = "is missing" if each["type"] == "missing" else each["msg"].removeprefix("Value error, ")
            problems.append(Problem(number, name, why, shortened(values.get(name))))
        return None
    return rating_of(row.domain, row.score, row.type, row.note)
