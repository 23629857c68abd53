"""Duplicates that become one: one passage is kept and speaks for the others, which are retired."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from ghost.errors import StoreError
from ghost.knowledge.changes import line, note_change, note_lines, states
from ghost.knowledge.revising import set_merged
from ghost.knowledge.writes import next_watermark
from ghost.records import merges, passages, uses
from ghost.types import Status


def merge(connection: Connection, kept: str, others: Sequence[str], note: str, change: str, now: datetime) -> int:
    """Retire the others in favour of the one that is kept, and give it their statistics; returns how many were.

    Raises StoreError when one of them is not there, or the kept one cannot be found by a run.
    """
    others = [i for i in dict.fromkeys(others) if i != kept]
    found = states(connection, [kept, *others])
    missing = [i for i in (kept, *others) if i not in found]
    if missing:
        raise StoreError(f"Nothing was merged: there is no passage {', '.join(missing[:5])}.")
    if found[kept][1]["status"] != Status.ACTIVE:
        raise StoreError(f"Nothing was merged: passage {kept}, which was to be kept, is not active. Restore it first.")
    concerned = [i for i in others if found[i][1]["status"] != Status.RETIRED]
    if not concerned:
        return 0
    after = {"status": Status.RETIRED.value, "merged_into": kept}
    told = f"merged into {kept}" + (f": {note}" if note else "")
    lines = []
    for i in concerned:
        before = {name: found[i][1][name] for name in after}
        lines.append(line(i, "merged", told, now, change, before, after))
        set_merged(connection, i, kept)
    lines.append(line(kept, "joined", f"speaks for {', '.join(concerned)} too", now, change))
    for start in range(0, len(concerned), 500):
        part = passages.c.id.in_(concerned[start : start + 500])
        mark = next_watermark(connection)
        connection.execute(update(passages).where(part).values(status=Status.RETIRED.value, changed=mark))
    note_change(connection, change, "merged", note, len(concerned) + 1, now)
    note_lines(connection, lines)
    recount(connection, [kept])
    return len(concerned)


def family(connection: Connection, passage_id: str) -> list[str]:
    """The passage and all those it speaks for, also through others."""
    whole = select(passages.c.id.label("id")).where(passages.c.id == passage_id).cte("family", recursive=True)
    whole = whole.union(select(merges.c.passage_id).join(whole, merges.c.kept_id == whole.c.id))
    return list(connection.execute(select(whole.c.id)).scalars())


def relatives(connection: Connection, passage_id: str) -> tuple[str, list[str]]:
    """The passage that speaks for this one (empty when none does), and those that this one speaks for."""
    kept = connection.execute(select(merges.c.kept_id).where(merges.c.passage_id == passage_id)).scalar() or ""
    return kept, [i for i in family(connection, passage_id) if i != passage_id]


def recount(connection: Connection, ids: Iterable[str]) -> None:
    """Make the statistics of these passages, and of those that speak for them, those of all runs that used them.

    A run that used two of a family counts once.
    """
    todo, done = [i for i in dict.fromkeys(ids) if i], set[str]()
    while todo:
        current = todo.pop()
        if current in done:
            continue
        done.add(current)
        best = func.max(uses.c.relevance).label("relevance")
        by_run = select(best, func.max(uses.c.at).label("at")).group_by(uses.c.run_id)
        runs = by_run.where(uses.c.passage_id.in_(family(connection, current))).subquery()
        n, mean, last = connection.execute(select(func.count(), func.avg(runs.c.relevance), func.max(runs.c.at))).one()
        values = {"verification_count": n, "avg_relevance": mean or 0.0, "access_count": n, "last_accessed": last}
        connection.execute(update(passages).where(passages.c.id == current).values(**values))
        todo += connection.execute(select(merges.c.kept_id).where(merges.c.passage_id == current)).scalars()
