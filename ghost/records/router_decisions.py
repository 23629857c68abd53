"""Where the answer to each question was taken from, and which of these decisions the analyst says were wrong."""

from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import Row, case, func, insert, select, update

from ghost.errors import StoreError
from ghost.records.database import Database, from_column, from_json, from_row, to_column, to_json
from ghost.records.dialect import contains_text, day_of
from ghost.records.tables.cards import router_decisions
from ghost.types import RouteCandidate, RouteMode, RouterDecision


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Which decisions to list; what is not set does not narrow."""

    text: str = ""
    """Stands in the question, as it was asked or as it was understood."""
    mode: RouteMode | None = None
    wrong: bool | None = None
    since: date | None = None
    """First day, in UTC."""
    conversation_id: str = ""


ALL_DECISIONS = DecisionFilter()


@dataclass(frozen=True, slots=True)
class DayCount:
    """The decisions of one day that chose one mode."""

    day: date
    """In UTC."""
    mode: RouteMode
    count: int
    wrong: int
    """How many of them the analyst says were wrong."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Questions that were asked one after the other."""

    id: str
    question: str
    """The first of them."""
    questions: int
    last_at: datetime


class DecisionStore:
    """Keeps the decisions of the router. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, decision: RouterDecision) -> None:
        """Keep a decision; one with the same id is replaced, as when its run becomes known."""
        lists = {
            "cards": to_json(tuple[str, ...], decision.cards),
            "candidates": to_json(tuple[RouteCandidate, ...], decision.candidates),
        }
        named = {c.name: getattr(decision, c.name) for c in router_decisions.c if c.name not in lists}
        named |= {"mode": decision.mode.value, "created_at": to_column(decision.created_at), **lists}
        with self._database.write() as connection:
            mine = router_decisions.c.id == decision.id
            if connection.execute(update(router_decisions).where(mine).values(**named)).rowcount == 0:
                connection.execute(insert(router_decisions).values(**named))

    def get(self, decision_id: str) -> RouterDecision | None:
        """The decision with this id, or None."""
        with self._database.read() as connection:
            row = connection.execute(select(router_decisions).where(router_decisions.c.id == decision_id)).first()
        return _decision(row) if row else None

    def browse(self, filter: DecisionFilter = ALL_DECISIONS, limit: int = 25, offset: int = 0) -> list[RouterDecision]:
        """A page of the decisions that pass the filter, newest first."""
        c = router_decisions.c
        query = _narrow(select(router_decisions), filter).order_by(c.created_at.desc(), c.id)
        with self._database.read() as connection:
            return [_decision(row) for row in connection.execute(query.limit(limit).offset(offset))]

    def count(self, filter: DecisionFilter = ALL_DECISIONS) -> int:
        """How many decisions pass the filter."""
        with self._database.read() as connection:
            return connection.execute(_narrow(select(func.count()).select_from(router_decisions), filter)).scalar_one()

    def conversations(self, limit: int = 6) -> list[Conversation]:
        """The conversations that were gone on with last, latest first."""
        c = router_decisions.c
        first = func.min(c.created_at).label("first")
        talks = select(c.conversation_id, first, func.max(c.created_at).label("last"), func.count().label("n"))
        talks = talks.where(c.conversation_id != "").group_by(c.conversation_id)
        latest = talks.order_by(func.max(c.created_at).desc()).limit(limit).subquery()
        began = (c.conversation_id == latest.c.conversation_id) & (c.created_at == latest.c.first)
        query = select(c.question, latest).join(latest, began).order_by(latest.c.last.desc())
        with self._database.read() as connection:
            rows = {row.conversation_id: row for row in connection.execute(query)}
        return [Conversation(row.conversation_id, row.question, row.n, from_column(row.last)) for row in rows.values()]

    def mark_wrong(self, decision_id: str) -> bool:
        """Note that this is not what was asked; False when that was noted before."""
        return self._mark(decision_id, True)

    def unmark(self, decision_id: str) -> bool:
        """Undo ``mark_wrong``; False when it was not marked."""
        return self._mark(decision_id, False)

    def by_day(self, filter: DecisionFilter = ALL_DECISIONS) -> list[DayCount]:
        """How often each mode was chosen on each day, and how often wrongly; oldest first."""
        c = router_decisions.c
        day, wrong = day_of(c.created_at).label("day"), func.sum(case((c.wrong, 1), else_=0)).label("wrong")
        query = _narrow(select(day, c.mode, func.count().label("n"), wrong), filter)
        with self._database.read() as connection:
            rows = connection.execute(query.group_by(day, c.mode).order_by(day, c.mode)).all()
        return [DayCount(date.fromisoformat(row.day), RouteMode(row.mode), row.n, int(row.wrong)) for row in rows]

    def export_cases(self) -> list[dict[str, Any]]:
        """The wrong decisions as test cases, oldest first: JSON-able rows of what was asked and what was chosen."""
        c = router_decisions.c
        query = select(router_decisions).where(c.wrong).order_by(c.created_at, c.id)
        with self._database.read() as connection:
            return [_case(_decision(row)) for row in connection.execute(query)]

    def _mark(self, decision_id: str, wrong: bool) -> bool:
        c = router_decisions.c
        with self._database.write() as connection:
            if connection.execute(select(c.id).where(c.id == decision_id)).first() is None:
                raise StoreError("Nothing was changed: there is no such decision.")
            marked = update(router_decisions).where(c.id == decision_id, c.wrong != wrong).values(wrong=wrong)
            return bool(connection.execute(marked).rowcount)


def _narrow(query: Any, filter: DecisionFilter) -> Any:
    c, words = router_decisions.c, filter.text.strip()
    if words:
        query = query.where(contains_text(c.question, words) | contains_text(c.reformulated, words))
    if filter.mode is not None:
        query = query.where(c.mode == filter.mode.value)
    if filter.wrong is not None:
        query = query.where(c.wrong == filter.wrong)
    if filter.since is not None:
        query = query.where(c.created_at >= datetime.combine(filter.since, time.min))
    if filter.conversation_id:
        query = query.where(c.conversation_id == filter.conversation_id)
    return query


def _decision(row: Row[Any]) -> RouterDecision:
    return from_row(
        RouterDecision,
        row,
        mode=RouteMode(row.mode),
        cards=from_json(tuple[str, ...], row.cards, "A decision"),
        candidates=from_json(tuple[RouteCandidate, ...], row.candidates, "A decision"),
    )


def _case(decision: RouterDecision) -> dict[str, Any]:
    """What the matcher and the router can be tested with: the question, what was chosen, and that it was wrong."""
    return {
        "question": decision.reformulated or decision.question,
        "asked": decision.question,
        "mode": decision.mode.value,
        "decided_by": decision.decided_by,
        "cards": list(decision.cards),
        "candidates": [asdict(candidate) for candidate in decision.candidates],
        "expected": "different",
        "created_at": decision.created_at.isoformat(),
    }
