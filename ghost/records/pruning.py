"""Removing stored runs by age and size, after writing them to a file from which they can be brought back.

A run that something else refers to stays. Of a run that is removed a line stays: by its explanation Ghost's own words
are still recognised, so that they never come back as evidence, and its claim says what the run was.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, DateTime, Table, case, delete, func, insert, literal, select, tuple_
from sqlalchemy.sql.elements import ColumnElement

from ghost.errors import StoreError
from ghost.records.database import Database, batched, from_column, from_json, to_column, utc_now
from ghost.records.tables.batches import batch_items, batches
from ghost.records.tables.cards import claim_cards, router_decisions
from ghost.records.tables.cases import article_checks, case_runs, reviews
from ghost.records.tables.knowledge import readings
from ghost.records.tables.runs import pruned_runs, run_steps, runs, verdict_supports
from ghost.types import Label, RunStatus, Usage

PAGE = 200
"""Runs that are removed, or brought back, in one transaction."""
_SAMPLE = 100
"""Runs at each end of the list by which the size of all is estimated."""
_JSON = {"claim", "judge", "settings", "classification", "evidence", "verdict", "usage", "step"}
_FORM = "ghost-runs-1"
_TEXTS = ("claim_text", "claim", "judge", "settings", "classification", "evidence", "verdict", "usage", "error")

Progress = Callable[[str, int, int], None]

STAYS = {
    "running": "still running",
    "card": "claim cards rest on them",
    "review": "you have said something about them",
    "case": "they are in a case",
    "batch": "their batch is not done",
    "question": "a conversation answers with them",
    "article": "an article lists them",
}
"""Why a run stays: what refers to it, with words for people."""


@dataclass(frozen=True, slots=True)
class PrunePlan:
    """What a removal would do."""

    ids: tuple[str, ...]
    """The runs to remove, oldest first."""
    bytes: int
    """Characters of their texts, which is about what they take."""
    stays: dict[str, int]
    """How many runs of that age stay, by the reason in STAYS."""
    stored: int
    """How many runs there are."""


@dataclass(frozen=True, slots=True)
class StoredRuns:
    """What the stored runs take."""

    count: int
    bytes: int
    """An estimate from the oldest and the newest ones."""
    oldest: datetime | None


def stored_runs(database: Database) -> StoredRuns:
    """How many runs are stored and about how much they take; reads some of them only."""
    started = runs.c.started_at
    with database.read() as connection:
        count, oldest = connection.execute(select(func.count(), func.min(started)).select_from(runs)).one()
        sizes: list[int] = []
        for order in (started, started.desc()):
            ids = select(runs.c.id).order_by(order).limit(_SAMPLE)
            sizes += connection.execute(select(_size()).where(runs.c.id.in_(ids))).scalars()
    mean = sum(sizes) / len(sizes) if sizes else 0.0
    return StoredRuns(count, round(count * mean), from_column(oldest))


def plan_pruning(database: Database, before: datetime | None = None, over: int | None = None) -> PrunePlan:
    """What to remove: runs that started before a time, and the oldest ones beyond ``over`` bytes of all together."""
    with database.read() as connection:
        stored = connection.execute(select(func.count()).select_from(runs)).scalar_one()
        bound = to_column(before)
        if over is not None and (reached := _where_it_is_too_much(connection, over)) is not None:
            bound = max(bound, reached) if bound else reached
        if bound is None:
            return PrunePlan((), 0, {}, stored)
        old, why = runs.c.started_at < bound, _why_it_stays()
        counted = select(why.label("why"), func.count()).where(old).group_by("why")
        stays = {row[0]: row[1] for row in connection.execute(counted) if row[0]}
        query = select(runs.c.id, _size()).where(old, why == "").order_by(runs.c.started_at, runs.c.id)
        found = [(row[0], row[1]) for row in connection.execute(query.execution_options(yield_per=1000))]
    return PrunePlan(tuple(i for i, _ in found), sum(size for _, size in found), stays, stored)


def exported_lines(database: Database, ids: Sequence[str]) -> Iterator[bytes]:
    """A file with these runs, each a line of JSON with the hash of what it says.

    Raises StoreError when one of them is not there any more.
    """
    yield _line({"form": _FORM, "runs": len(ids), "exported_at": utc_now().isoformat()})
    for some in batched(ids, PAGE):
        with database.read() as connection:
            rows = {row.id: row for row in connection.execute(select(runs).where(runs.c.id.in_(some)))}
            steps: dict[str, list[dict[str, Any]]] = {}
            query = select(run_steps).where(run_steps.c.run_id.in_(some)).order_by(run_steps.c.position)
            for row in connection.execute(query):
                steps.setdefault(row.run_id, []).append({"position": row.position, "name": row.name, "step": row.step})
        if len(rows) < len(some):
            raise StoreError("Another program removes runs at the same time. This one removed nothing: start it again.")
        for run_id in some:
            run = {name: _value(value) for name, value in rows[run_id]._mapping.items()}
            kept = {"run": run, "steps": steps.get(run_id, [])}
            yield _line({**kept, "sha256": _digest(kept)})


def prune(database: Database, ids: Sequence[str], progress: Progress) -> int:
    """Remove these runs, page by page, except those that something refers to by now; returns how many went.

    What ``progress`` raises stops it; the pages until then are removed.
    """
    removed = 0
    for done, some in _pages(ids):
        with database.write() as connection:
            removed += _remove(connection, some)
        progress("Removing runs", done, len(ids))
    return removed


def bring_back(database: Database, lines: Iterable[bytes], progress: Progress) -> tuple[int, int]:
    """Put exported runs back; returns how many came, and how many were there already.

    Raises StoreError for a file that is no export, or a line that was changed or cut off; what stood before it is back.
    """
    came = known = 0
    for number, some in enumerate(batched(_read(lines), PAGE)):
        with database.write() as connection:
            ids = [run["id"] for run, _ in some]
            there = set(connection.execute(select(runs.c.id).where(runs.c.id.in_(ids))).scalars())
            new = [(run, steps) for run, steps in some if run["id"] not in there]
            if new:
                connection.execute(insert(runs), [run for run, _ in new])
            if steps := [step for _, mine in new for step in mine]:
                connection.execute(insert(run_steps), steps)
            connection.execute(delete(pruned_runs).where(pruned_runs.c.id.in_(ids)))
        came, known = came + len(new), known + len(there)
        progress("Bringing runs back", number * PAGE + len(some), 0)
    return came, known


def _pages(ids: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    done = 0
    for some in batched(ids, PAGE):
        done += len(some)
        yield done, some


def _remove(connection: Connection, ids: Sequence[str]) -> int:
    query = select(runs.c.id).where(runs.c.id.in_(ids), _why_it_stays() == "")
    still = list(connection.execute(query).scalars())
    kept = ("id", "started_at", "claim_text", "label", "verdict")
    line = select(*(runs.c[name] for name in kept), literal(to_column(utc_now()), DateTime)).where(runs.c.id.in_(still))
    connection.execute(delete(pruned_runs).where(pruned_runs.c.id.in_(still)))
    connection.execute(insert(pruned_runs).from_select([*kept, "pruned_at"], line))
    connection.execute(delete(verdict_supports).where(verdict_supports.c.run_id.in_(still)))
    connection.execute(delete(run_steps).where(run_steps.c.run_id.in_(still)))
    connection.execute(delete(runs).where(runs.c.id.in_(still)))
    return len(still)


def _size() -> ColumnElement[int]:
    """Characters of the texts of a run with its steps."""
    texts = sum((func.coalesce(func.length(runs.c[name]), 0) for name in _TEXTS), start=literal(0))
    steps = select(func.coalesce(func.sum(func.length(run_steps.c.step)), 0)).where(run_steps.c.run_id == runs.c.id)
    return texts + steps.correlate(runs).scalar_subquery()


def _why_it_stays() -> ColumnElement[str]:
    """A key of STAYS, or an empty text where nothing refers to the run."""
    undone = select(batches.c.id).where(batches.c.finished_at.is_(None), batches.c.removed_at.is_(None))
    referring = {
        "card": select(claim_cards.c.run_id),
        "review": select(reviews.c.run_id).union(select(readings.c.run_id)),
        "case": select(case_runs.c.run_id),
        "batch": select(batch_items.c.run_id).where(batch_items.c.batch_id.in_(undone)),
        "question": select(router_decisions.c.run_id),
        "article": select(article_checks.c.run_id),
    }
    return case(
        (runs.c.status == RunStatus.RUNNING.value, "running"),
        *((runs.c.id.in_(query), why) for why, query in referring.items()),
        else_="",
    )


def _where_it_is_too_much(connection: Connection, over: int) -> datetime | None:
    """The time just after the newest run that no longer fits into ``over`` with all newer ones; None where all fit."""
    total, last = 0, None
    while True:
        query = select(runs.c.started_at, runs.c.id, _size().label("size"))
        if last is not None:
            query = query.where(tuple_(runs.c.started_at, runs.c.id) < last)
        rows = connection.execute(query.order_by(runs.c.started_at.desc(), runs.c.id.desc()).limit(PAGE)).all()
        for row in rows:
            total += row.size
            if total > over:
                return row.started_at + timedelta(microseconds=1)
        if len(rows) < PAGE:
            return None
        last = (rows[-1].started_at, rows[-1].id)


def _value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _digest(kept: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def _read(lines: Iterable[bytes]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The runs of a file, each with its steps, as the tables have them."""
    expected, number = None, 0
    for number, line in enumerate(lines, start=1):
        try:
            found = json.loads(line)
            if expected is None:
                expected = int(found["runs"]) if found["form"] == _FORM else None
                if expected is None:
                    raise ValueError(found["form"])
                continue
            kept = {"run": found["run"], "steps": found["steps"]}
            if _digest(kept) != found["sha256"]:
                raise ValueError("the hash does not fit")
            run = _row(runs, kept["run"])
            if RunStatus(run["status"]) is RunStatus.RUNNING:
                raise ValueError("the run has not ended")
            if run["label"]:
                Label(run["label"])
            yield run, [_row(run_steps, {**step, "run_id": run["id"]}) for step in kept["steps"]]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError, StoreError) as error:
            raise StoreError(
                f"Line {number} of the file is no run that Ghost has exported, or it was changed. What stood before it "
                "is back. Use a whole copy of the file."
            ) from error
    if expected is None or number - 1 < expected:
        raise StoreError("The file ends before its last run. What it has is back. Use a whole copy of the file.")


def _too_long(value: Any, kind: Any) -> bool:
    return isinstance(value, str) and getattr(kind, "length", None) is not None and len(value) > kind.length


def _row(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """The columns that this version has, with times as times. Raises ValueError and its like for what does not fit."""
    row: dict[str, Any] = {}
    for column in table.columns:
        value, kind = values.get(column.name), column.type
        if value is None and column.server_default is not None:
            value = kind.python_type(column.server_default.arg)  # type: ignore[attr-defined]
        if isinstance(kind, DateTime) and value is not None:
            value = to_column(datetime.fromisoformat(value))
        if value is None and column.nullable:
            row[column.name] = None
        elif not isinstance(value, kind.python_type) or _too_long(value, kind):
            raise TypeError(column.name)
        else:
            row[column.name] = value
    for name in _JSON & row.keys():
        if row[name] is not None:
            json.loads(row[name])
    if "usage" in row:
        from_json(Usage, row["usage"])  # lists add them up
    return row
