"""The rows of files from elsewhere as passages, by whatever names and in whatever spelling they have the fields."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ghost.knowledge.transfer.import_file import RowProblem, shortened
from ghost.text import Period, normalise
from ghost.types import NO_FRAME, Frame, FrameKind, Kind, NewPassage, Origin, Status, canonical
from ghost.web import day_in, declared_language

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
    "frame": ("frame",),
    "status": ("status", "state"),
    "kind": ("kind", "passage kind", "kind of passage"),
    "note": ("note", "notes", "comment", "comments", "remark"),
}
"""For each field the names it goes by, best first; case, blanks, dashes and underscores aside."""
IMPORT_FIELDS = tuple(ALIASES)
EXPORT_ONLY = frozenset(
    """id domain origin source_type credibility indexed_at verification_count avg_relevance access_count last_accessed
    text_length kin intake""".split()
)
"""Further fields of an export. A passage gets new ones when it comes in."""
MAX_HEADINGS = 50
"""More above a passage are no headings; of these, its frame keeps the innermost."""
_YEAR = re.compile(r"\d{4}(?:-\d{2})?")


def comparable_name(name: str) -> str:
    """A column's name in comparable form."""
    return re.sub(r"[\s_\-.]+", " ", name.strip().casefold())


def match_columns(header: Iterable[str], aliases: Mapping[str, Sequence[str]] = ALIASES) -> dict[str, str]:
    """For each field the column that most likely has it."""
    known = {comparable_name(a): (rank, name) for name, names in aliases.items() for rank, a in enumerate(names)}
    best: dict[str, tuple[int, str]] = {}
    for column in header:
        rank, name = known.get(comparable_name(column), (0, ""))
        if name and (name not in best or rank < best[name][0]):
            best[name] = (rank, column)
    return {name: best[name][1] for name in aliases if name in best}


def as_text(value: object) -> str:
    """A cell or JSON value as text. Raises ValueError for what is not text."""
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
    written = as_text(value).strip()
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
    written = str(value) if isinstance(value, int) and not isinstance(value, bool) else as_text(value).strip()
    return str(Period.parse(written)) if written else ""


def _moment(value: object) -> datetime | None:
    written = as_text(value).strip()
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
    written = as_text(value).strip().casefold()
    try:
        return Status(written) if written else Status.ACTIVE
    except ValueError:
        raise ValueError("is none of active, quarantined, retired") from None


def _kind(value: object) -> Kind | None:
    written = as_text(value).strip().casefold()
    try:
        return Kind(written) if written else None
    except ValueError:
        raise ValueError("is neither excerpt nor note") from None


def _language(value: object) -> str:
    written = as_text(value).strip()
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


Words = Annotated[str, BeforeValidator(as_text), _bounded(FIELD_CHARS)]


class _Frame(BaseModel):
    """What stood around a passage on its page. Longer words are cut, as those of a page are."""

    model_config = ConfigDict(extra="ignore")

    kind: FrameKind = FrameKind.NONE
    words: Words = ""
    headings: Annotated[list[Words], Field(max_length=MAX_HEADINGS)] = []


def read_frame(value: object) -> Frame:
    """A frame from outside: an object, or its JSON as an export writes it. Raises ValueError for what is none."""
    try:
        if isinstance(value, dict):
            found = _Frame.model_validate(value)
        elif written := as_text(value).strip():
            found = _Frame.model_validate_json(written)
        else:
            return NO_FRAME
    except (ValidationError, RecursionError):
        raise ValueError("is no frame such as an export writes") from None
    return Frame(found.kind, normalise(found.words), tuple(map(normalise, found.headings)))


class _Row(BaseModel):
    """One row of a file. What is not there is empty."""

    model_config = ConfigDict(extra="ignore")

    text: Annotated[str, BeforeValidator(as_text), _bounded(TEXT_CHARS)] = ""
    source_url: Annotated[str, BeforeValidator(as_text), _bounded(FIELD_CHARS), AfterValidator(_address)] = ""
    title: Words = ""
    publisher: Words = ""
    topic: Words = ""
    language: Annotated[str, BeforeValidator(_language)] = ""
    published_at: Annotated[date | None, BeforeValidator(_day)] = None
    as_of: Annotated[str, BeforeValidator(_period)] = ""
    retrieved_at: Annotated[datetime | None, BeforeValidator(_moment)] = None
    frame: Annotated[Frame, BeforeValidator(read_frame)] = NO_FRAME
    status: Annotated[Status, BeforeValidator(_status)] = Status.ACTIVE
    kind: Annotated[Kind | None, BeforeValidator(_kind)] = None
    """Whatever a file says, nothing in it was read by Ghost: it comes in as entered by hand."""
    note: Words = ""


def read_object(number: int, item: Any, kind: Kind = Kind.EXCERPT) -> Iterator[NewPassage | RowProblem]:
    """The passage in a JSON object, with its fields under any known name, at the top or under ``details``."""
    if not isinstance(item, dict):
        yield RowProblem(number, "", "is not an object with a text in it", str(item)[:80])
        return
    details = item.get("details")
    everything = {**details, **item} if isinstance(details, dict) else item
    names = match_columns(name for name in everything if isinstance(name, str))
    yield from read_row(number, {field: everything[name] for field, name in names.items()}, kind)


def read_row(number: int, values: Mapping[str, Any], kind: Kind = Kind.EXCERPT) -> Iterator[NewPassage | RowProblem]:
    """What is wrong with a row, then its passage, unless its text or status cannot be used.

    Where another field is wrong, such as a date, the row is used without it. ``kind`` is that of a row without one.
    """
    kept = {name: value for name, value in values.items() if name in IMPORT_FIELDS}
    try:
        row = _Row.model_validate(kept)
    except ValidationError as error:
        wrong = field_errors(error)
        for name, why in wrong.items():
            fatal = name in ("text", "status")
            what = why if fatal else f"{why}; the row is used without it"
            yield RowProblem(number, name, what, shortened(kept[name]), fatal)
        if "text" in wrong or "status" in wrong:
            return
        row = _Row.model_validate({name: value for name, value in kept.items() if name not in wrong})
    if "\0" in row.text:
        yield RowProblem(number, "text", "has NUL bytes in it and is no text", shortened(row.text))
    elif not row.text.strip():
        yield RowProblem(number, "text", "is empty")
    else:
        yield NewPassage(**dict(row) | {"kind": row.kind or kind}, origin=Origin.IMPORT)


def field_errors(error: ValidationError) -> dict[str, str]:
    """What is wrong, by field."""
    return {
        str(each["loc"][0]): "is missing" if each["type"] == "missing" else each["msg"].removeprefix("Value error, ")
        for each in error.errors()
    }
