"""A file of any form we know as passages: no knowledge base is asked, nothing is changed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from ghost.errors import Cancelled
from ghost.knowledge.admission import MAX_CHARS
from ghost.knowledge.packs import feed, lines
from ghost.knowledge.packs.decoding import decode
from ghost.knowledge.packs.fields import read_row
from ghost.knowledge.packs.table import Table
from ghost.knowledge.packs.values import MAX_PROBLEMS, MAX_ROWS, Entry, Form, Options, Pack, PackError, Problem
from ghost.knowledge.text import cut
from ghost.types import NewPassage
from ghost.web import language_of

Piece = tuple[int, list[NewPassage], list[Problem]]
"""Number, passages and problems of one row."""
_LOOKED_AT = 20
"""Values at the beginning of a JSON file that tell fact-checks from passages."""
NO_OPTIONS = Options()


def never() -> bool:
    """For whoever does not cancel."""
    return False


def read(data: bytes, name: str, options: Options = NO_OPTIONS, cancelled: Callable[[], bool] = never) -> Pack:
    """Read a file; what is wrong with single rows is in the pack. Raises PackError when it is no file of passages."""
    text, note = decode(data, options.encoding)
    notes = [note] if note else []
    if _is_json(text, name):
        items = list(lines.values(text))
        if not any(isinstance(item, tuple) for item in items):
            raise PackError(_no_json(items))
        looked_at = [item[1] for item in items if isinstance(item, tuple)][:_LOOKED_AT]
        if any(feed.is_review(value) for value in looked_at):
            return _pack(name, Form.CLAIM_REVIEW, _fact_checks(items), options, cancelled, notes)
        return _pack(name, Form.JSONL, _objects(items), options, cancelled, notes)
    table = Table(text, options.columns or None)
    if table.unused:
        names = ", ".join(table.unused[:10]) + ("…" if len(table.unused) > 10 else "")
        notes.append(f"Nothing is taken from these columns: {names}.")
    made = _pack(name, Form.CSV, _rows(table) if "text" in table.columns else (), options, cancelled, notes)
    return replace(made, header=table.header, columns=table.columns)


def _is_json(text: str, name: str) -> bool:
    begin = text.lstrip()[:1]
    return begin == "{" or (begin == "[" and not name.lower().endswith((".csv", ".tsv")))


def _no_json(items: Iterable[object]) -> str:
    first = next((item for item in items if isinstance(item, Problem)), None)
    why = f" Line {first.row} {first.problem}." if first else ""
    return f"No line of the file can be read as JSON.{why} Nothing was imported. Save it as JSON Lines or CSV."


def _rows(table: Table) -> Iterator[Piece]:
    for number, cells in table.rows():
        if isinstance(cells, Problem):
            yield number, [], [cells]
        else:
            row, problems = read_row(number, cells)
            yield number, [row.passage()] if row else [], problems


def _objects(items: Iterable[lines.Numbered | Problem]) -> Iterator[Piece]:
    for item in items:
        if isinstance(item, Problem):
            yield item.row, [], [item]
        elif not isinstance(item[1], dict):
            yield item[0], [], [Problem(item[0], "", "is not an object with a text in it", str(item[1])[:80])]
        else:
            row, problems = read_row(item[0], lines.flat(item[1]))
            yield item[0], [row.passage()] if row else [], problems


def _fact_checks(items: Iterable[lines.Numbered | Problem]) -> Iterator[Piece]:
    latest = (datetime.now(UTC) + timedelta(days=1)).date()
    for item in items:
        if isinstance(item, Problem):
            yield item.row, [], [item]
            continue
        if not isinstance(item[1], dict | list):
            yield item[0], [], [Problem(item[0], "", "is no ClaimReview", str(item[1])[:80])]
            continue
        # A feed is often one value that holds thousands: each of them is a row then.
        inside: list[Any] = list(feed.reviews(item[1]))
        for place, review in enumerate(inside or [item[1]], 1):
            number = item[0] if len(inside) < 2 else place
            found = list(feed.passages(number, review, latest))
            yield (
                number,
                [f for f in found if isinstance(f, NewPassage)],
                [f for f in found if isinstance(f, Problem)],
            )


def _pack(
    name: str,
    form: Form,
    pieces: Iterable[Piece],
    options: Options,
    cancelled: Callable[[], bool],
    notes: list[str],
) -> Pack:
    entries: list[Entry] = []
    problems: list[Problem] = []
    rows = more = 0
    for number, found, wrong in pieces:
        if cancelled():
            raise Cancelled("Reading was stopped. Nothing was imported.")
        rows += 1
        if rows > MAX_ROWS:
            raise PackError(
                f"The file has more than {MAX_ROWS:,} rows. Nothing was imported. Cut it into several files."
            )
        kept = wrong[: max(0, MAX_PROBLEMS - len(problems))]
        problems += kept
        more += len(wrong) - len(kept)
        if found:
            entries.append(Entry(number, tuple(p for new in found for p in _finished(new, name, options.cut))))
    return Pack(name, form, tuple(entries), rows, tuple(problems), more, tuple(notes))


def _finished(new: NewPassage, name: str, shorten: bool) -> list[NewPassage]:
    """The passage with its language and where it came from, and in parts where it is too long and may be cut."""
    note = "; ".join(part for part in (f"imported from {name}", new.note) if part)
    new = replace(new, language=new.language or language_of(new.text) or "en", note=note)
    if not shorten or len(new.text) <= MAX_CHARS:
        return [new]
    return [replace(new, text=part) for part in cut(new.text)]


def missing_columns(pack: Pack) -> str:
    """Why nothing can be taken from a CSV file before somebody says which column is what; else empty."""
    if pack.form is Form.CSV and "text" not in pack.columns:
        return "No column is called text. Choose the one that has the passages."
    return ""
