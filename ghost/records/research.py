"""The record of every research, written event by event, so that a kill loses only the question it was working on."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ghost.errors import StoreError, TakenOverError
from ghost.events import (
    QuestionResearched,
    ResearchEnded,
    ResearchEvent,
    ResearchPlanned,
    ResearchStarted,
    StepFinished,
)
from ghost.records.database import Database, current_process, from_json, from_row, to_column, to_json
from ghost.records.dialect import upsert
from ghost.records.earlier_citations import answers_as_cited_now
from ghost.records.interrupted import close_interrupted, close_own
from ghost.records.processes import gone
from ghost.records.tables.research import research_answers, research_steps, researches
from ghost.types import Research, ResearchAnswer, ResearchPlan, RunStatus, Savings, TraceStep, Usage

RESEARCH_INTERRUPTED = "The program ended before this research did. Its finished questions are kept; resume it."
JUDGE_CHARS = 40
_A_RESEARCH = "A research"


class ResearchStore:
    """Keeps researches. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = current_process()
        self._working: set[str] = set()
        """Researches that this process is working on."""
        self._ending = False

    def apply(self, event: ResearchEvent, research_id: str) -> None:
        """Write down what an event says; those that only show progress are not kept.

        Raises StoreError, also where a research is started that another process, or this one, is still working on.
        """
        match event:
            case ResearchStarted():
                self._start(event)
            case StepFinished():
                with self._database.write() as connection:
                    self._hold(connection, research_id)
                    _add_step(connection, research_id, event.step)
            case ResearchPlanned():
                self._change(research_id, plan=to_json(ResearchPlan, event.plan))
            case QuestionResearched():
                with self._database.write() as connection:
                    self._hold(connection, research_id)
                    _add_answer(connection, research_id, event.answer)
            case ResearchEnded():
                interrupted = self._ending and event.status is RunStatus.CANCELLED
                self._change(
                    research_id,
                    status=(RunStatus.INTERRUPTED if interrupted else event.status).value,
                    finished_at=to_column(event.finished_at),
                    usage=to_json(Usage, event.usage),
                    savings=to_json(Savings, event.savings),
                    error=RESEARCH_INTERRUPTED if interrupted else event.error,
                )

    def record(self, events: Iterator[ResearchEvent], research_id: str) -> Iterator[ResearchEvent]:
        """The same events, each written down before it is handed on.

        A research whose events cannot be written, or are not read to the end, is interrupted and can be resumed.
        """
        mine = ended = False
        try:
            for event in events:
                self.apply(event, research_id)
                mine, ended = True, ended or isinstance(event, ResearchEnded)
                yield event
        finally:
            if mine:
                self._working.discard(research_id)
            if mine and not ended:
                with suppress(StoreError):
                    self._change(research_id, status=RunStatus.INTERRUPTED.value, error=RESEARCH_INTERRUPTED)

    def get(self, research_id: str) -> Research | None:
        """The research as far as it got, or None when there is none with this id."""
        steps = select(research_steps.c.step).where(research_steps.c.research_id == research_id)
        with self._database.read() as connection:
            row = connection.execute(select(researches).where(researches.c.id == research_id)).first()
            if row is None:
                return None
            kept = connection.execute(steps.order_by(research_steps.c.position)).scalars().all()
            answers = _answers(connection, [research_id])
        found = tuple(from_json(TraceStep, step, _A_RESEARCH) for step in kept)
        return _research(row, answers.get(research_id, ()), found)

    def list(self, limit: int = 50, offset: int = 0) -> "Sequence[Research]":
        """A page of the researches, newest first, with their answers and without their steps."""
        query = select(researches).order_by(researches.c.started_at.desc(), researches.c.id)
        with self._database.read() as connection:
            rows = connection.execute(query.limit(limit).offset(offset)).all()
            answers = _answers(connection, [row.id for row in rows])
        return [_research(row, answers.get(row.id, ())) for row in rows]

    def topic_of(self, research_id: str) -> str | None:
        """The topic of a research, without reading the rest of it; None when there is none with this id."""
        with self._database.read() as connection:
            return connection.execute(select(researches.c.topic).where(researches.c.id == research_id)).scalar()

    def count(self) -> int:
        """How many researches there are."""
        with self._database.read() as connection:
            return connection.execute(select(func.count()).select_from(researches)).scalar_one()

    def delete(self, research_id: str) -> bool:
        """Delete the record of a research; what it has remembered stays. Returns whether there was one.

        Raises StoreError for one that is running.
        """
        with self._database.write() as connection:
            row = connection.execute(select(researches).where(researches.c.id == research_id)).first()
            if row is None:
                return False
            if self._is_running(connection, row):
                raise StoreError("Nothing was deleted: this research is running. Cancel it first.")
            for table in (research_steps, research_answers):
                connection.execute(delete(table).where(table.c.research_id == research_id))
            connection.execute(delete(researches).where(researches.c.id == research_id))
        return True

    def release(self, research_id: str) -> None:
        """Take a research from the worker that had it and is gone: it is interrupted, and can be resumed."""
        c = researches.c
        change = update(researches).where(c.id == research_id, c.status == RunStatus.RUNNING.value)
        values = {"status": RunStatus.INTERRUPTED.value, "owner": "", "error": RESEARCH_INTERRUPTED}
        with self._database.write() as connection:
            connection.execute(change.values(**values))

    def mark_interrupted(self) -> int:
        """Close the researches whose process is gone; returns how many."""
        return close_interrupted(self._database, researches, RESEARCH_INTERRUPTED)

    def interrupt(self) -> int:
        """Mark the researches of this process as interrupted, since it is about to end; returns how many.

        Those that are stopped later are stored as interrupted too: nobody cancelled them.
        """
        self._ending = True
        return close_own(self._database, researches, self._owner, RESEARCH_INTERRUPTED)

    def _start(self, event: ResearchStarted) -> None:
        values = {
            "status": RunStatus.RUNNING.value, "judge": event.judge.name[:JUDGE_CHARS], "web": event.web,
            "owner": self._owner, "finished_at": None, "error": "",
        }  # fmt: skip
        with self._database.write() as connection:
            row = connection.execute(select(researches).where(researches.c.id == event.research_id)).first()
            if row is None:
                new = {"id": event.research_id, "topic": event.topic, "started_at": to_column(event.started_at)}
                empty = {"plan": "", "savings": to_json(Savings, Savings()), "usage": to_json(Usage, Usage())}
                connection.execute(insert(researches).values(**new, **values, **empty))
            elif self._is_running(connection, row):
                raise StoreError("This research is running already.")
            else:
                connection.execute(update(researches).where(researches.c.id == event.research_id).values(**values))
            self._working.add(event.research_id)

    def _is_running(self, connection: Connection, row: Row[Any]) -> bool:
        if row.status != RunStatus.RUNNING.value:
            return False
        return row.id in self._working if row.owner == self._owner else not gone(connection, [row.owner])

    def _hold(self, connection: Connection, research_id: str) -> None:
        """Raises TakenOverError where another process has the research now."""
        query = select(researches.c.owner).where(researches.c.id == research_id).with_for_update()
        if connection.execute(query).scalar() not in (None, self._owner):
            raise TakenOverError("Another worker has taken over this research. What this one finds is not kept.")

    def _change(self, research_id: str, **values: Any) -> None:
        with self._database.write() as connection:
            self._hold(connection, research_id)
            connection.execute(update(researches).where(researches.c.id == research_id).values(**values))


def _add_step(connection: Connection, research_id: str, step: TraceStep) -> None:
    place = select(func.coalesce(func.max(research_steps.c.position), 0) + 1)
    connection.execute(
        insert(research_steps).values(
            research_id=research_id,
            position=place.where(research_steps.c.research_id == research_id).scalar_subquery(),
            step=to_json(TraceStep, step),
        )
    )


def _add_answer(connection: Connection, research_id: str, answer: ResearchAnswer) -> None:
    kept = to_json(ResearchAnswer, answer)
    statement = upsert(connection, research_answers).values(
        research_id=research_id, question=answer.question, answer=kept
    )
    connection.execute(
        statement.on_conflict_do_update(index_elements=["research_id", "question"], set_={"answer": kept})
    )


def _answers(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[ResearchAnswer, ...]]:
    a = research_answers.c
    query = select(a.research_id, a.answer).where(a.research_id.in_(ids)).order_by(a.research_id, a.question)
    found: dict[str, tuple[ResearchAnswer, ...]] = {}
    rows = connection.execute(query).all()
    kept = answers_as_cited_now(connection, [from_json(ResearchAnswer, row.answer, _A_RESEARCH) for row in rows])
    for row, answer in zip(rows, kept, strict=True):
        found[row.research_id] = (*found.get(row.research_id, ()), answer)
    return found


def _research(row: Row[Any], answers: tuple[ResearchAnswer, ...], steps: tuple[TraceStep, ...] = ()) -> Research:
    return from_row(
        Research,
        row,
        status=RunStatus(row.status),
        plan=from_json(ResearchPlan, row.plan, _A_RESEARCH) if row.plan else None,
        answers=answers,
        steps=steps,
        savings=from_json(Savings, row.savings, _A_RESEARCH),
        usage=from_json(Usage, row.usage, _A_RESEARCH),
    )
