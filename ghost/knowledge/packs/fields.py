"""The fields of a passage as files from elsewhere name and write them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from ghost.knowledge.packs.values import Problem
from ghost.text import Period
from ghost.types import NewPassage, Origin, Status
from ghost.web import canonical, day_in, declared_language

TEXT_CHARS = 100_000
"""Longer cells are no passages, nor pages that could be cut into some."""
FIELD_CHARS = 5_000
ALIASES: dict[str, tuple[str, ...]] = {
    "text": ("text", "passage", "content", "body", "statement", "fact", "sentence", "quote", "evidence", "snippet"),
    "source_url": ("source_url", "url", "source", "link", "address", "href", "uri", "source link", "web address"),
    "title": ("title", "headline", "heading", "page title", "document"),
    "publisher": ("publisher", "site", "outlet", "source name", "organisation", "organization", "publication"),
    "topic": ("topic", "category", "subject", "tag", "theme"),
    "language": ("language", "lang", "inlanguage", "locale"),
    "published_at": ("published_at", "published", "date", "publication date", "date published", "pub date", "day"),
    "as_of": ("as_of", "holds for", "valid for", "reference period"),
    "retrieved_at": ("retrieved_at", "retrieved", "accessed", "fetched", "access date", "date accessed"),
    "status": ("status", "state"),
    "note": ("note", "notes", "comment", "comments", "remark"),
}
"""For each field the names it goes by, best first; case, blanks, dashes and underscores aside."""
FIELDS = tuple(ALIASES)
OURS = frozenset(
    """id domain origin source_type credibility indexed_at verification_count avg_relevance access_count last_accessed
    text_length kin""".split()
)
"""What an export has besides, which a passage gets anew when it comes in."""
_YEAR = re.compile(r"\d{4}(?:-\d{2})?")


def key(name: str) -> str:
    """A column's name in comparable form."""
    return re.sub(r"[\s_\-.]+", " ", name.strip().casefold())


def guess(header: Iterable[str], aliases: Mapping[str, Sequence[str]] = ALIASES) -> dict[str, str]:
    """For each field the column that most likely has it."""
    known = {key(alias): (rank, name) for name, known_as in aliases.items() for rank, alias in enumerate(known_as)}
    best: dict[str, tuple[int, str]] = {}
    for column in header:
        rank, name = known.get(key(column), (0, ""))
        if name and (name not in best or rank < best[name][0]):
            best[name] = (rank, column)
    return {name: best[name][1] for name in aliases if name in best}


def _words(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | list | dict):
        raise ValueError("must be text")
    return str(value)


def _address(value: str) -> str:
    value = value.strip()
    if not value:
        return ""
    if "://" not in value and re.match(r"[\w-]+(\.[\w-]+)+(/|$)", value):
        value = f"https://{value}"
    found = canonical(value)
    if not found:
        raise ValueError("is not a web address such as https://example.org/page")
    return found


def _day(value: object) -> date | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    written = _words(value).strip()
    if not written:
        return None
    try:
        return datetime.fromisoformat(written).date()
    except ValueError:
        pass
    found = day_in(written)
    if found is None:
        more = " (a year alone is no day)" if _YEAR.fullmatch(written) else ""
        raise ValueError(f"is not a day such as 2024-05-31{more}")
    return found


def _period(value: object) -> str:
    written = str(value) if isinstance(value, int) and not isinstance(value, bool) else _words(value).strip()
    return str(Period.parse(written)) if written else ""


def _moment(value: object) -> datetime | None:
    written = _words(value).strip()
    if not written:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        day = _day(written)
        return datetime.combine(day, time(), UTC) if day else None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        moment.astimezone(UTC)
    except OverflowError:  # in UTC it is before the year 1 or after 9999
        raise ValueError("is not a time that exists") from None
    return moment


def _status(value: object) -> Status:
    written = _words(value).strip().casefold()
    try:
        return Status(written) if written else Status.ACTIVE
    except ValueError:
        raise ValueError("is none of active, quarantined, retired") from None


def _language(value: object) -> str:
    written = _words(value).strip()
    found = declared_language(written[:20])
    if written and not found:
        raise ValueError("is not a language code such as en or de-AT")
    return found


def _bounded(limit: int) -> AfterValidator:
    def check(value: str) -> str:
        if len(value) > limit:
            raise ValueError(f"is too long: {len(value):,} characters, at most {limit:,}")
        return value

    return AfterValidator(check)


Words = Annotated[str, BeforeValidator(_words), _bounded(FIELD_CHARS)]


class Row(BaseModel):
    """One row of a file as a passage; what is not there is empty."""

    model_config = ConfigDict(extra="ignore")

    text: Annotated[str, BeforeValidator(_words), _bounded(TEXT_CHARS)] = ""
    source_url: Annotated[str, BeforeValidator(_words), _bounded(FIELD_CHARS), AfterValidator(_address)] = ""
    title: Words = ""
    publisher: Words = ""
    topic: Words = ""
    language: Annotated[str, BeforeValidator(_language)] = ""
    published_at: Annotated[date | None, BeforeValidator(_day)] = None
    as_of: Annotated[str, BeforeValidator(_period)] = ""
    retrieved_at: Annotated[datetime | None, BeforeValidator(_moment)] = None
    status: Annotated[Status, BeforeValidator(_status)] = Status.ACTIVE
    note: Words = ""

    def passage(self) -> NewPassage:
        """The row on its way into the knowledge base."""
        return NewPassage(**self.model_dump(), origin=Origin.IMPORT)


def read_row(number: int, values: Mapping[str, Any]) -> tuple[Row | None, list[Problem]]:
    """The row, and what is wrong with it; None when its text cannot be used.

    Where only a detail is wrong, such as a date, the row is used without it.
    """
    kept = {name: value for name, value in values.items() if name in FIELDS}
    problems: list[Problem] = []
    for _ in range(2):
        try:
            row = Row.model_validate(kept)
            break
        except ValidationError as error:
            for each in error.errors():
                name = str(each["loc"][0])
                fatal = name in ("text", "status")
                why = each["msg"].removeprefix("Value error, ")
                what = why if fatal else f"{why}; the row is used without it"
                problems.append(Problem(number, name, what, shortened(kept.get(name)), fatal))
                kept.pop(name, None)
    if any(p.fatal for p in problems):
        return None, problems
    if "\0" in row.text:
        return None, [*problems, Problem(number, "text", "has NUL bytes in it and is no text", shortened(row.text))]
    if not row.text.strip():
        return None, [*problems, Problem(number, "text", "is empty")]
    return row, problems


def shortened(value: object, limit: int = 80) -> str:
    """The beginning of a value, to show what is meant."""
    text = "" if value is None else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
