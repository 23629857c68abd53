"""What the analyst says of runs: another verdict, an error, a bad source, and how often they agree with Ghost.

Nothing is deleted, all can be taken back.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    ScalarSelect,
    Select,
    func,
    insert,
    select,
    update,
)

from ghost.errors import ClaimError, StoreError
from ghost.records.database import Database, from_column, to_column, utc_now
from ghost.records.dialect import unindexed
from ghost.records.tables.cases import reviews
from ghost.records.tables.runs import runs
from ghost.types import ErrorKind, ErrorReport, Label, Override, Review, SourceMark

OVERRIDE, ERROR, MARK = "override", "error", "mark"
MAX_REVIEW_NOTE = 4_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """One thing that the analyst said of a run, standing or taken back."""

    what: Override | ErrorReport | SourceMark
    withdrawn_at: datetime | None

    @property
    def stands(self) -> bool:
        """Whether it was not taken back."""
        return self.withdrawn_at is None


@dataclass(frozen=True, slots=True)
class OverriddenRun:
    """A run that the analyst has given a verdict of their own."""

    run_id: str
    machine: Label
    analyst: Label
    """The same as ``machine`` where the analyst confirms it."""
    at: datetime
    reason: str = ""
    """Why, in the analyst's words; may be empty where the machine's verdict is confirmed."""

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.machine is self.analyst


@dataclass(frozen=True, slots=True)
class Agreement:
    """Machine and analyst compared."""

    n: int
    agree: int
    interval: tuple[float, float]
    """Between which values the share of agreement lies with 95 % (Wilson); (0, 1) when there is nothing to go by."""
    counts: dict[Label, dict[Label, int]]
    """What the analyst said -> what the machine said -> how often."""
    differing: tuple[OverriddenRun, ...]
    """The latest first."""

    @property
    def share(self) -> float | None:
        """How often they agree, 0..1."""
        return self.agree / self.n if self.n else None


class ReviewStore:
    """Keeps what the analyst says of runs. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def override(self, run_id: str, label: Label, reason: str = "") -> Override:
        """Give a run the analyst's verdict beside the machine's, which stays; the same label confirms it.

        The newest that was not taken back counts. Raises ClaimError when a differing one has no reason, StoreError
        when there is no such run or it has no verdict.
        """
        reason = _note(reason)
        with self._database.write() as connection:
            machine = _label_of(connection, run_id)
            if not machine:
                raise StoreError("Nothing was changed: this check has no verdict that could be overridden.")
            if not reason and label.value != machine:
                raise ClaimError("Nothing was changed: say why your verdict differs from Ghost's.")
            number, at = _add(connection, run_id, OVERRIDE, label.value, note=reason)
        return Override(number, label, reason, at)

    def report_error(self, run_id: str, kind: ErrorKind, note: str = "") -> ErrorReport:
        """Keep an error that the analyst has found; raises ClaimError when OTHER comes without a note."""
        note = _note(note)
        if not note and kind is ErrorKind.OTHER:
            raise ClaimError("Nothing was kept: say in the note what is wrong.")
        with self._database.write() as connection:
            _label_of(connection, run_id)
            number, at = _add(connection, run_id, ERROR, kind.value, note=note)
        return ErrorReport(number, kind, note, at)

    def mark(self, run_id: str, target: str, name: str, reason: str, before: str = "") -> SourceMark:
        """Keep that a source of the run was marked as bad; what that does to the source is done elsewhere."""
        reason = _note(reason)
        with self._database.write() as connection:
            _label_of(connection, run_id)
            number, at = _add(connection, run_id, MARK, target, name, reason, before)
        return SourceMark(number, target, name, reason, at, before)

    def withdraw(self, act_id: int) -> bool:
        """Take one back; False when it was taken back before or is not known."""
        return self._set(act_id, utc_now())

    def reinstate(self, act_id: int) -> bool:
        """Undo ``withdraw``; False when it stands already or is not known."""
        return self._set(act_id, None)

    def of(self, run_id: str) -> Review:
        """What stands about a run."""
        with self._database.read() as connection:
            return review_of(connection, run_id)

    def acts(self, run_id: str) -> list[ReviewEntry]:
        """All that was ever said of a run, newest first, with what was taken back."""
        query = select(reviews).where(reviews.c.run_id == run_id).order_by(reviews.c.id.desc())
        with self._database.read() as connection:
            return [_act(row) for row in connection.execute(query)]

    def overrides(self) -> list[OverriddenRun]:
        """The runs with a verdict of the analyst, the latest first, each once: to compare it with the machine's."""
        query = select(reviews.c.run_id, reviews.c.value, reviews.c.at, reviews.c.note, runs.c.label)
        query = query.join(runs, runs.c.id == reviews.c.run_id).where(*_standing(OVERRIDE), runs.c.label != "")
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(reviews.c.id.desc())).all()
        newest: dict[str, OverriddenRun] = {}
        for row in rows:
            said = OverriddenRun(row.run_id, Label(row.label), Label(row.value), from_column(row.at), row.note)
            newest.setdefault(row.run_id, said)
        return list(newest.values())

    def watermark(self) -> tuple[int, int]:
        """Changes whenever anything is said or taken back; cheap to ask."""
        query = select(func.coalesce(func.max(reviews.c.id), 0), func.count(reviews.c.withdrawn_at))
        with self._database.read() as connection:
            row = connection.execute(query).one()
        return row[0], row[1]

    def marks_of(self, names: Sequence[str]) -> dict[str, SourceMark]:
        """The marks that stand on these passages and domains, whichever run they were made in."""
        query = select(reviews).where(*_standing(MARK), reviews.c.name.in_(list(names))).order_by(reviews.c.id)
        with self._database.read() as connection:
            return {row.name: _mark(row) for row in connection.execute(query)}

    def _set(self, act_id: int, at: datetime | None) -> bool:
        wrong = reviews.c.withdrawn_at.is_(None) if at else reviews.c.withdrawn_at.is_not(None)
        change = update(reviews).where(reviews.c.id == act_id, wrong).values(withdrawn_at=to_column(at))
        with self._database.write() as connection:
            return bool(connection.execute(change).rowcount)


def review_of(connection: Connection, run_id: str) -> Review:
    """What stands about a run, inside a transaction of the caller."""
    query = select(reviews).where(reviews.c.run_id == run_id, reviews.c.withdrawn_at.is_(None)).order_by(reviews.c.id)
    kept = [_act(row).what for row in connection.execute(query)]
    overrides = [what for what in kept if isinstance(what, Override)]
    return Review(
        overrides[-1] if overrides else None,
        tuple(what for what in kept if isinstance(what, ErrorReport)),
        tuple(what for what in kept if isinstance(what, SourceMark)),
    )


def standing_label(run_id: Column[Any] = runs.c.id) -> ScalarSelect[Any]:
    """A column for a query that has ``run_id``: the label of the override that counts, NULL where there is none."""
    # With a plus, which keeps SQLite from the index on it: it would look through all overrides for each run.
    stands = unindexed(reviews.c.withdrawn_at).is_(None)
    newest = select(reviews.c.value).where(reviews.c.run_id == run_id, reviews.c.kind == OVERRIDE, stands)
    return newest.order_by(reviews.c.id.desc()).limit(1).correlate(run_id.table).scalar_subquery()


def overridden_runs() -> Select[Any]:
    """The ids of the runs with a verdict of the analyst."""
    return select(reviews.c.run_id).where(*_standing(OVERRIDE))


def shown_label() -> ColumnElement[str]:
    """A column for a query over ``runs``: the verdict that is shown first, the analyst's or else the machine's."""
    return func.coalesce(standing_label(), runs.c.label)


def _standing(kind: str) -> tuple[Any, ...]:
    return reviews.c.kind == kind, reviews.c.withdrawn_at.is_(None)


def _label_of(connection: Connection, run_id: str) -> str:
    """The label of a run; raises StoreError when there is no such run."""
    label = connection.execute(select(runs.c.label).where(runs.c.id == run_id)).scalar()
    if label is None:
        raise StoreError("Nothing was kept: there is no such check.")
    return str(label)


def _add(
    connection: Connection, run_id: str, kind: str, value: str, name: str = "", note: str = "", before: str = ""
) -> tuple[int, datetime]:
    at = utc_now()
    row = {"run_id": run_id, "kind": kind, "at": to_column(at), "value": value}
    row |= {"name": name, "note": note, "before": before}
    made = connection.execute(insert(reviews).values(row)).inserted_primary_key
    assert made
    return int(made[0]), at


def _act(row: Row[Any]) -> ReviewEntry:
    at = from_column(row.at)
    what: Override | ErrorReport | SourceMark
    if row.kind == OVERRIDE:
        what = Override(row.id, Label(row.value), row.note, at)
    elif row.kind == ERROR:
        what = ErrorReport(row.id, ErrorKind(row.value), row.note, at)
    else:
        what = _mark(row)
    return ReviewEntry(what, from_column(row.withdrawn_at))


def _mark(row: Row[Any]) -> SourceMark:
    return SourceMark(row.id, row.value, row.name, row.note, from_column(row.at), row.before)


def _note(text: str) -> str:
    """A note as it is kept; raises ClaimError when it is too long."""
    text = text.strip()
    if len(text) > MAX_REVIEW_NOTE:
        raise ClaimError(f"Nothing was kept: a note has at most {MAX_REVIEW_NOTE:,} characters, not {len(text):,}.")
    # A lone surrogate cannot be stored as UTF-8.
    return text.encode("utf-8", "replace").decode("utf-8")


_Z = 1.96
"""Standard deviations of a 95 % interval."""


def agreement(overrides: Iterable[OverriddenRun]) -> Agreement:
    """Compare them."""
    rows = list(overrides)
    counts: dict[Label, Counter[Label]] = {}
    for row in rows:
        counts.setdefault(row.analyst, Counter())[row.machine] += 1
    differing = tuple(row for row in rows if row.analyst is not row.machine)
    n, agree = len(rows), len(rows) - len(differing)
    table = {label: dict(row) for label, row in counts.items()}
    return Agreement(n, agree, wilson_interval(agree, n), table, differing)


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share; wide where little is known, and never beyond 0 and 1."""
    if not n:
        return 0.0, 1.0
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
