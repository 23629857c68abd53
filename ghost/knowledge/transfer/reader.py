"""Reads a file in any supported form as passages. The knowledge base is not asked and nothing is changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from ghost.errors import Cancelled
from ghost.knowledge.admission import MAX_CHARS, cut
from ghost.knowledge.transfer.import_file import (
    DEFAULT_OPTIONS,
    MAX_IMPORT_ROWS,
    MAX_PROBLEMS,
    Entry,
    FileFormat,
    ImportFile,
    ImportFileError,
    ReadOptions,
    RowProblem,
    never,
)
from ghost.knowledge.transfer.rows import read_object, read_row
from ghost.knowledge.transfer.tables import Table, decode, json_values
from ghost.types import NewPassage, Origin, Status, canonical
from ghost.web import Review, day_in, language_of, meaning, types_of, worded

_SAMPLED = 20
"""Values at the beginning of a JSON file that tell fact-checks from passages."""


def read_import_file(
    data: bytes, name: str, options: ReadOptions = DEFAULT_OPTIONS, cancelled: Callable[[], bool] = never
) -> ImportFile:
    """Read a file. Problems with single rows are in the result. Raises ImportFileError if it has no passages at all."""
    text, note = decode(data, options.encoding)
    notes = [note] if note else []
    if _is_json(text, name):
        records = list(json_values(text))
        values = [value for _, value in records if not isinstance(value, RowProblem)]
        if not values:
            raise ImportFileError(_no_json(records))
        if any(review for value in values[:_SAMPLED] for review in _reviews_in(value)):
            latest = (datetime.now(UTC) + timedelta(days=1)).date()
            file = ImportFile(name, FileFormat.CLAIM_REVIEW, notes=tuple(notes))
            return _fill(file, _reviews(records), partial(_read_review, latest=latest), options.cut, cancelled)
        file = ImportFile(name, FileFormat.JSONL, notes=tuple(notes))
        return _fill(file, records, partial(read_object, kind=options.kind), options.cut, cancelled)
    table = Table(text, options.columns or None)
    if table.unused:
        names = ", ".join(table.unused[:10]) + ("…" if len(table.unused) > 10 else "")
        notes.append(f"Nothing is taken from these columns: {names}.")
    file = ImportFile(name, FileFormat.CSV, notes=tuple(notes), header=table.header, columns=table.columns)
    rows = table.rows() if "text" in table.columns else ()
    return _fill(file, rows, partial(read_row, kind=options.kind), options.cut, cancelled)


def missing_columns(file: ImportFile) -> str:
    """Why nothing can be taken from a CSV file until the text column is chosen; otherwise empty."""
    if file.format is FileFormat.CSV and "text" not in file.columns:
        return "No column is called text. Choose the one that has the passages."
    return ""


def _is_json(text: str, name: str) -> bool:
    begin = text.lstrip()[:1]
    return begin == "{" or (begin == "[" and not name.lower().endswith((".csv", ".tsv")))


def _no_json(records: Iterable[tuple[int, Any]]) -> str:
    first = next((value for _, value in records if isinstance(value, RowProblem)), None)
    why = f" Line {first.row} {first.problem}." if first else ""
    return f"No line of the file can be read as JSON.{why} Nothing was imported. Save it as JSON Lines or CSV."


def _reviews(records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Each fact-check as a row. A feed is often one value that holds thousands: those are numbered by their place."""
    for number, value in records:
        inside = list(_reviews_in(value))
        for place, review in enumerate(inside or [value], 1):
            yield number if len(inside) < 2 else place, review


def _fill(
    file: ImportFile,
    records: Iterable[tuple[int, Any]],
    read: Callable[[int, Any], Iterable[NewPassage | RowProblem]],
    shorten: bool,
    cancelled: Callable[[], bool],
) -> ImportFile:
    """The file with its rows, each turned by ``read`` into passages and problems."""
    entries: list[Entry] = []
    problems: list[RowProblem] = []
    rows = more = 0
    for number, value in records:
        if cancelled():
            raise Cancelled("Reading was stopped. Nothing was imported.")
        rows += 1
        if rows > MAX_IMPORT_ROWS:
            raise ImportFileError(
                f"The file has more than {MAX_IMPORT_ROWS:,} rows. Nothing was imported. Cut it into several files."
            )
        found = [value] if isinstance(value, RowProblem) else list(read(number, value))
        wrong = [part for part in found if isinstance(part, RowProblem)]
        kept = wrong[: max(0, MAX_PROBLEMS - len(problems))]
        problems += kept
        more += len(wrong) - len(kept)
        passages = [part for part in found if isinstance(part, NewPassage)]
        if passages:
            entries.append(Entry(number, tuple(p for new in passages for p in _finished(new, file.name, shorten))))
    return replace(
        file, entries=tuple(entries), rows=rows, unusable=rows - len(entries), problems=tuple(problems),
        more_problems=more,
    )  # fmt: skip


def _finished(new: NewPassage, name: str, shorten: bool) -> list[NewPassage]:
    """The passage with its language and where it came from. If too long, it is split into parts where allowed."""
    note = "; ".join(part for part in (f"imported from {name}", new.note) if part)
    new = replace(new, language=new.language or language_of(new.text) or "en", note=note)
    if not shorten or len(new.text) <= MAX_CHARS:
        return [new]
    return [replace(new, text=part) for part in cut(new.text)]


# Published fact-checks: schema.org's ClaimReview as feeds and pages have it, and saved answers of Google's API.

_INSIDE = ("dataFeedElement", "item", "itemListElement", "@graph", "claimReview", "reviews", "mainEntity")
_DEPTH = 8
_UNCLEAR = "quarantined: no judge can tell what the rating “{}” means"
_WHY = {
    "claimReviewed": "is missing: which claim was checked?",
    "reviewRating": "is missing, or is a number without bestRating and worstRating",
    "url": "is missing or not a web address: nobody could look it up",
    "author": "is missing: who checked it?",
}


class _GooglePublisher(BaseModel):
    name: str = ""
    site: str = ""


class _GoogleReview(BaseModel):
    publisher: _GooglePublisher = Field(default_factory=_GooglePublisher)
    url: str = ""
    title: str = ""
    reviewDate: str = ""
    textualRating: str
    languageCode: str = ""


class _GoogleClaim(BaseModel):
    """One of ``claims`` in an answer of ``claims:search`` of Google's Fact Check Tools."""

    text: str
    claimReview: list[_GoogleReview]


def _read_review(number: int, value: Any, latest: date | None = None) -> Iterator[NewPassage | RowProblem]:
    """A fact-check as a passage, after the problems with it. Dates after ``latest`` are not accepted."""
    if isinstance(value, dict) and "ClaimReview" in types_of(value):
        yield from _passage(number, value, latest)
    else:
        field = "@type" if isinstance(value, dict | list) else ""
        yield RowProblem(number, field, "is no ClaimReview", str(value)[:80])


def _reviews_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """The ClaimReviews in a value, in order, as deep as feeds put them."""
    level: list[tuple[Any, int]] = [(value, 0)]
    while level:
        part, depth = level.pop()
        if isinstance(part, list):
            level += [(p, depth + 1) for p in reversed(part) if depth < _DEPTH]
        elif isinstance(part, dict):
            if "ClaimReview" in types_of(part):
                yield part
            elif google := list(_google_reviews(part)):
                yield from google
            elif depth < _DEPTH:
                level += [(part[name], depth + 1) for name in reversed(_INSIDE) if name in part]


def _google_reviews(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The reviews in an answer of Google's API, or in one of its claims, as schema.org writes them."""
    claims = value.get("claims") if isinstance(value.get("claims"), list) else [value]
    for item in claims or ():
        try:
            claim = _GoogleClaim.model_validate(item)
        except (ValidationError, RecursionError):
            continue
        for review in claim.claimReview:
            yield {
                "@type": "ClaimReview",
                "claimReviewed": claim.text,
                "url": review.url,
                "headline": review.title,
                "datePublished": review.reviewDate,
                "author": {"name": review.publisher.name or review.publisher.site},
                "reviewRating": {"alternateName": review.textualRating},
                "inLanguage": review.languageCode,
            }


def _passage(number: int, item: Mapping[str, Any], latest: date | None) -> Iterator[NewPassage | RowProblem]:
    try:
        read = Review.model_validate({k: v for k, v in item.items() if isinstance(k, str)})
    except (ValidationError, RecursionError):
        yield RowProblem(number, "", "cannot be read as a ClaimReview")
        return
    claim, rating = read.what(), read.rating.words()
    url, reviewer = canonical(read.url), read.author or read.publisher
    lacking = {"claimReviewed": claim, "reviewRating": rating, "url": url, "author": reviewer}
    missing = [RowProblem(number, f, _WHY[f], read.url[:80] if f == "url" else "") for f, v in lacking.items() if not v]
    if missing:
        yield from missing
        return
    published = day_in(read.published, latest)
    if read.published and published is None:
        why = "is not a day such as 2024-05-31; the row is used without it"
        yield RowProblem(number, "datePublished", why, read.published[:80], fatal=False)
    unclear = meaning(rating) is None
    yield NewPassage(
        text=worded(reviewer, claim, rating),
        source_url=url,
        title=read.headline or read.name,
        publisher=reviewer,
        origin=Origin.IMPORT,
        status=Status.QUARANTINED if unclear else Status.ACTIVE,
        language=read.language,
        published_at=published,
        note=_UNCLEAR.format(rating) if unclear else "",
    )
