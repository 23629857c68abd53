"""What the checks did with the stored passages, counted from the uses that each run books."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, case, func, select, text

from ghost.knowledge.figures import Balance, UsedPassage, UseFigures
from ghost.records import passages, runs, uses
from ghost.types import RunStatus, StanceLabel, Status

MOST_USED = 15
DOMAINS = 15


def mark(connection: Connection) -> str:
    """Changes with every use that is booked and every run that ends."""
    newest = connection.execute(text("SELECT coalesce(max(rowid), 0) FROM passage_uses")).scalar_one()
    ended = select(func.count()).where(runs.c.status == RunStatus.FINISHED.value)
    return f"{newest}.{connection.execute(ended).scalar_one()}"


def figures(connection: Connection) -> UseFigures:
    """How much is used, by which sources, and which side it takes."""
    held = select(passages.c.origin, func.count()).where(passages.c.status == Status.ACTIVE.value)
    by_origin = {row[0]: row[1] for row in connection.execute(held.group_by(passages.c.origin))}
    rows = _used(connection)
    used = Counter({row.id: row.origin for row in rows if row.status == Status.ACTIVE}.values())
    never = tuple((origin, n - used[origin], n) for origin, n in sorted(by_origin.items(), key=lambda p: -p[1]))
    by_type = _balances((row.source_type, row.stance, row.times) for row in rows)
    by_domain = _balances((row.domain, row.stance, row.times) for row in rows if row.domain)
    return UseFigures(
        active=sum(by_origin.values()),
        never=sum(n for _, n, _ in never),
        never_by_origin=never,
        runs=connection.execute(select(func.count(uses.c.run_id.distinct()))).scalar_one(),
        uses=sum(row.times for row in rows),
        most=_most(connection),
        balance=_sum("All sources", by_type),
        by_type=by_type,
        by_domain=by_domain[:DOMAINS],
    )


def _used(connection: Connection) -> Sequence[Any]:
    """Each used passage with how many runs read it in which way: far fewer rows than there are passages."""
    by = (uses.c.passage_id, uses.c.stance)
    read = select(*by, func.count().label("times")).group_by(*by).subquery()
    columns = (passages.c.id, passages.c.status, passages.c.origin, passages.c.source_type, passages.c.domain)
    return connection.execute(
        select(*columns, read.c.stance, read.c.times).join_from(read, passages, passages.c.id == read.c.passage_id)
    ).all()


def _most(connection: Connection) -> tuple[UsedPassage, ...]:
    """The passages of any status that most runs used."""
    often, pro, con = func.count().label("often"), _times("SUPPORTS").label("pro"), _times("REFUTES").label("con")
    cited = func.sum(case((uses.c.cited, 1), else_=0)).label("cited")
    best = select(uses.c.passage_id, often, cited, pro, con).group_by(uses.c.passage_id)
    top = best.order_by(often.desc(), uses.c.passage_id).limit(MOST_USED).subquery()
    columns = (passages.c.id, passages.c.text, passages.c.publisher, passages.c.domain, passages.c.title)
    query = select(*columns, top).join(top, top.c.passage_id == passages.c.id)
    return tuple(
        UsedPassage(row.id, row.text, _source(row), row.often, row.cited, row.pro, row.con)
        for row in connection.execute(query.order_by(top.c.often.desc(), passages.c.id))
    )


def _source(row: Any) -> str:
    return row.publisher or row.domain or row.title or "An unnamed source"


def _times(stance: str) -> Any:
    return func.sum(case((uses.c.stance == stance, 1), else_=0))


def _balances(rows: Iterable[tuple[str, str, int]]) -> tuple[Balance, ...]:
    """The uses under each name with the side they take, most uses first."""
    table: dict[str, Counter[str]] = {}
    for name, stance, times in rows:
        table.setdefault(name, Counter())[stance] += times
    found = [Balance(name, *(row[stance.value] for stance in StanceLabel)) for name, row in table.items()]
    return tuple(sorted(found, key=lambda b: (-b.total, b.name)))


def _sum(name: str, parts: tuple[Balance, ...]) -> Balance:
    sides = zip(*((b.supports, b.refutes, b.neutral, b.off_topic) for b in parts), strict=True)
    return Balance(name, *(map(sum, sides))) if parts else Balance(name, 0, 0, 0, 0)
