"""Cases: runs that belong together, under a name, with notes. A deleted case can be brought back."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, insert, or_, select, update

from ghost.errors import ClaimError, StoreError
from ghost.records.database import Database, from_row, to_column, utc_now
from ghost.records.dialect import contains_text
from ghost.records.run_list import SUMMARY, RunSummary, summary
from ghost.records.tables.cases import case_runs, cases
from ghost.records.tables.runs import runs
from ghost.text import visible

MAX_CASE_NAME = 120
"""Characters."""
MAX_CASE_NOTES = 20_000
"""Characters."""
MAX_RUNS = 500
"""Runs of one case; more than anybody reads, few enough to export."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case as it stands."""

    id: str
    name: str
    notes: str
    created_at: datetime
    changed_at: datetime
    runs: int
    """How many runs are in it."""
    deleted: bool = False


class CaseStore:
    """Keeps cases. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, notes: str = "") -> Case:
        """A new case; raises ClaimError when the name is empty, too long, or that of another case."""
        name, notes, now = _name(name), _notes(notes), to_column(utc_now())
        case_id = uuid.uuid4().hex
        row = {"id": case_id, "name": name, "notes": notes, "created_at": now, "changed_at": now}
        with self._database.write() as connection:
            _refuse_twin(connection, name, "")
            connection.execute(insert(cases).values(row))
        return self._known(case_id)

    def change(self, case_id: str, name: str | None = None, notes: str | None = None) -> Case:
        """Give a case another name or other notes; None leaves them. Raises ClaimError as ``create`` does."""
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = _name(name)
        if notes is not None:
            values["notes"] = _notes(notes)
        with self._database.write() as connection:
            if "name" in values:
                _refuse_twin(connection, values["name"], case_id)
            _touch(connection, case_id, **values)
        return self._known(case_id)

    def keep_notes(self, case_id: str, notes: str, seen: str) -> tuple[str, str]:
        """Keep notes that were written over those that were ``seen``; returns what was kept before and what is now.

        Where somebody has kept other notes meanwhile, theirs stay and the new words are put below them. Raises
        ClaimError when that is too long, and StoreError when there is no such case.
        """
        notes, seen = _notes(notes), _notes(seen)
        with self._database.write() as connection:
            before = connection.execute(select(cases.c.notes).where(cases.c.id == case_id)).scalar() or ""
            after = notes if before in (seen, notes) else _notes("\n\n".join((before, _added(notes, seen))))
            _touch(connection, case_id, notes=after)
        return before, after

    def put_back(self, case_id: str, field: str, before: str, after: str) -> None:
        """Undo a change of the ``name`` or the ``notes``: ``before`` again, where ``after`` still stands.

        Raises StoreError when somebody has written something else meanwhile: theirs stays.
        """
        column = {"name": cases.c.name, "notes": cases.c.notes}[field]
        with self._database.write() as connection:
            if connection.execute(select(column).where(cases.c.id == case_id)).scalar() != after:
                raise StoreError(f"Nothing was undone: the {field} of the case changed again since.")
            if field == "name":
                _refuse_twin(connection, before, case_id)
            values: dict[str, Any] = {field: before}
            _touch(connection, case_id, **values)

    def get(self, case_id: str) -> Case | None:
        """The case, also a deleted one; None when there is none with this id."""
        with self._database.read() as connection:
            row = connection.execute(_shown().where(cases.c.id == case_id)).first()
        return _case(row) if row else None

    def count(self, text: str = "") -> int:
        """How many cases pass the search."""
        with self._database.read() as connection:
            return connection.execute(_search(select(func.count(cases.c.id)), text)).scalar_one()

    def add(self, case_id: str, run_ids: Sequence[str]) -> int:
        """Put runs into a case; returns how many were not in it. Unknown runs are left out.

        Raises ClaimError when the case would have too many.
        """
        now = to_column(utc_now())
        with self._database.write() as connection:
            _touch(connection, case_id)
            there = set(connection.execute(select(case_runs.c.run_id).where(case_runs.c.case_id == case_id)).scalars())
            known = set(connection.execute(select(runs.c.id).where(runs.c.id.in_(list(run_ids)))).scalars())
            new = [run_id for run_id in dict.fromkeys(run_ids) if run_id in known - there]
            if len(there) + len(new) > MAX_RUNS:
                raise ClaimError(f"Nothing was added: a case has at most {MAX_RUNS} checks. Start another case.")
            if new:
                rows = [{"case_id": case_id, "run_id": run_id, "added_at": now} for run_id in new]
                connection.execute(insert(case_runs), rows)
        return len(new)

    def remove(self, case_id: str, run_ids: Sequence[str]) -> int:
        """Take runs out of a case (the runs stay); returns how many were in it. ``add`` undoes it."""
        gone = delete(case_runs).where(case_runs.c.case_id == case_id, case_runs.c.run_id.in_(list(run_ids)))
        with self._database.write() as connection:
            _touch(connection, case_id)
            return connection.execute(gone).rowcount

    def delete(self, case_id: str) -> None:
        """Take a case out of every list; its runs stay where they are, and ``restore`` brings it back."""
        with self._database.write() as connection:
            _touch(connection, case_id, True, deleted_at=to_column(utc_now()))

    def restore(self, case_id: str) -> Case:
        """Undo ``delete``. When another case has taken the name meanwhile, a number is put behind it."""
        with self._database.write() as connection:
            name = connection.execute(select(cases.c.name).where(cases.c.id == case_id)).scalar() or ""
            free, number = name, 2
            while _taken(connection, free, case_id):
                free, number = f"{name[: MAX_CASE_NAME - 8]} ({number})", number + 1
            _touch(connection, case_id, True, deleted_at=None, name=free)
        return self._known(case_id)

    def runs(self, case_id: str) -> list[RunSummary]:
        """The runs of a case in the order in which they were added."""
        query = select(*SUMMARY).join(case_runs, case_runs.c.run_id == runs.c.id)
        query = query.where(case_runs.c.case_id == case_id).order_by(case_runs.c.added_at, runs.c.started_at, runs.c.id)
        with self._database.read() as connection:
            return [summary(row) for row in connection.execute(query)]

    def holding(self, run_id: str) -> "Sequence[Case]":
        """The cases that a run is in, by name."""
        mine = select(case_runs.c.case_id).where(case_runs.c.run_id == run_id)
        return self._cases(_shown().where(cases.c.id.in_(mine), cases.c.deleted_at.is_(None)).order_by(cases.c.name))

    def deleted(self, limit: int = 50, offset: int = 0) -> "Sequence[Case]":
        """The deleted cases, the last one first."""
        query = _shown().where(cases.c.deleted_at.is_not(None)).order_by(cases.c.deleted_at.desc(), cases.c.id)
        return self._cases(query.limit(limit).offset(offset))

    def list(self, text: str = "", limit: int = 50, offset: int = 0) -> "Sequence[Case]":
        """Cases that have ``text`` in their name, notes or the claims of their runs, the last changed first."""
        query = _search(_shown(), text).order_by(cases.c.changed_at.desc(), cases.c.id)
        return self._cases(query.limit(limit).offset(offset))

    def deleted_count(self) -> int:
        """How many cases were deleted and can be brought back."""
        with self._database.read() as connection:
            return connection.execute(select(func.count(cases.c.deleted_at))).scalar_one()

    def _cases(self, query: Any) -> "Sequence[Case]":
        with self._database.read() as connection:
            return [_case(row) for row in connection.execute(query)]

    def _known(self, case_id: str) -> Case:
        found = self.get(case_id)
        assert found
        return found


def _shown() -> Any:
    number = select(func.count()).where(case_runs.c.case_id == cases.c.id).correlate(cases).scalar_subquery()
    return select(cases, number.label("runs"))


def _search(query: Any, text: str) -> Any:
    query = query.where(cases.c.deleted_at.is_(None))
    if text := text.strip():
        claims = select(case_runs.c.run_id).join(runs, runs.c.id == case_runs.c.run_id)
        claims = claims.where(case_runs.c.case_id == cases.c.id, contains_text(runs.c.claim_text, text))
        said = (contains_text(cases.c[name], text) for name in ("name", "notes"))
        query = query.where(or_(*said, exists(claims.correlate(cases))))
    return query


def _touch(connection: Connection, case_id: str, also_deleted: bool = False, **values: Any) -> None:
    """Change a case, at least its time; raises StoreError when it is not known, or deleted."""
    values["changed_at"] = to_column(utc_now())
    which = update(cases).where(cases.c.id == case_id)
    if not also_deleted:
        which = which.where(cases.c.deleted_at.is_(None))
    if not connection.execute(which.values(values)).rowcount:
        raise StoreError("Nothing was changed: there is no such case, or it was deleted.")


def _added(notes: str, seen: str) -> str:
    """What was written below the notes that were seen; all of it where they were changed."""
    rest = notes.removeprefix(seen)
    return rest.strip() if notes.startswith(seen) and (not seen or not rest or rest[0].isspace()) else notes


def _taken(connection: Connection, name: str, but: str) -> bool:
    query = select(cases.c.name).where(cases.c.deleted_at.is_(None), cases.c.id != but)
    # Compared here: casefold knows more twins (ß and ss) than the lower of the database.
    return name.casefold() in (other.casefold() for other in connection.execute(query).scalars())


def _refuse_twin(connection: Connection, name: str, but: str) -> None:
    if _taken(connection, name, but):
        raise ClaimError("Nothing was changed: another case has this name. Choose a different one.")


def _name(text: str) -> str:
    name = " ".join(visible(" ".join(text.split())).split())
    if not name:
        raise ClaimError("Nothing was changed: a case needs a name.")
    if len(name) > MAX_CASE_NAME:
        raise ClaimError(f"Nothing was changed: a name has at most {MAX_CASE_NAME} characters, not {len(name)}.")
    return _storable(name)


def _notes(text: str) -> str:
    if len(text) > MAX_CASE_NOTES:
        raise ClaimError(f"Nothing was changed: notes have at most {MAX_CASE_NOTES:,} characters, not {len(text):,}.")
    return _storable(text.strip())


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _case(row: Row[Any]) -> Case:
    return from_row(Case, row, deleted=row.deleted_at is not None)
