"""Looking things up in the database, inside a transaction of the caller."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, case, func, select, text

from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.rows import READABLE, to_passage
from ghost.knowledge.search import match_all
from ghost.knowledge.values import KnowledgeStats, PassageFilter, PassageUse
from ghost.records.database import from_column
from ghost.records.tables import history, passages, uses
from ghost.types import HistoryEntry, Passage, StanceLabel, Status


def by_ids(connection: Connection, ids: Sequence[str], book: CredibilityBook) -> list[Passage]:
    """The passages with these ids, in this order; unknown ids are left out."""
    rows = connection.execute(select(*READABLE).where(passages.c.id.in_(list(ids))))
    found = {row.id: to_passage(row, book) for row in rows}
    return [found[i] for i in dict.fromkeys(ids) if i in found]


def page(
    connection: Connection, filter: PassageFilter, limit: int, offset: int, book: CredibilityBook
) -> list[Passage]:
    """A page of the passages that pass the filter, newest first."""
    query = _narrow(select(*READABLE), filter).order_by(passages.c.seq.desc()).limit(limit).offset(offset)
    return [to_passage(row, book) for row in connection.execute(query)]


def each(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> Iterator[Passage]:
    """Every passage that passes the filter, oldest first, without holding all of them in memory."""
    query = _narrow(select(*READABLE), filter).order_by(passages.c.seq).execution_options(yield_per=500)
    for row in connection.execute(query):
        yield to_passage(row, book)


def count(connection: Connection, filter: PassageFilter) -> int:
    """How many passages pass the filter."""
    return connection.execute(_narrow(select(func.count(passages.c.seq)), filter)).scalar_one()


def stats(connection: Connection, domains: int) -> KnowledgeStats:
    """The knowledge base in figures, counted in indexes."""
    dated = case((passages.c.published_at.is_(None), 0), else_=1)
    facets = (passages.c.status, passages.c.origin, passages.c.source_type, dated)
    rows = connection.execute(select(*facets, func.count()).group_by(*facets)).all()
    active = (passages.c.status == Status.ACTIVE.value, passages.c.domain != "")
    hosts = connection.execute(select(passages.c.domain, func.count()).where(*active).group_by(passages.c.domain)).all()
    living = [row for row in rows if row[0] == Status.ACTIVE]
    return KnowledgeStats(
        by_status=_sums(rows, 0),
        by_origin=_sums(living, 1),
        by_source_type=_sums(living, 2),
        domains=tuple(sorted(((host, n) for host, n in hosts), key=lambda pair: (-pair[1], pair[0]))[:domains]),
        domain_count=len(hosts),
        dated=sum(row[4] for row in living if row[3]),
        undated=sum(row[4] for row in living if not row[3]),
    )


def history_of(connection: Connection, passage_id: str) -> list[HistoryEntry]:
    """What happened to a passage, oldest first."""
    query = select(history).where(history.c.passage_id == passage_id).order_by(history.c.id)
    return [HistoryEntry(from_column(row.at), row.action, row.note, row.old_text) for row in connection.execute(query)]


def uses_of(connection: Connection, passage_id: str, limit: int) -> list[PassageUse]:
    """The uses of a passage, newest first."""
    query = select(uses).where(uses.c.passage_id == passage_id).order_by(uses.c.at.desc()).limit(limit)
    return [
        PassageUse(row.run_id, row.passage_id, row.relevance, StanceLabel(row.stance), row.cited, from_column(row.at))
        for row in connection.execute(query)
    ]


def _narrow(query: Any, filter: PassageFilter) -> Any:
    for name in ("status", "origin", "source_type", "domain", "topic"):
        value = getattr(filter, name)
        if value is not None:
            query = query.where(passages.c[name] == value)
    if filter.dated is not None:
        day = passages.c.published_at
        query = query.where(day.is_not(None) if filter.dated else day.is_(None))
    if filter.text.strip():
        match = match_all(filter.text)
        if match:
            found = text("passages.seq IN (SELECT rowid FROM passages_fts WHERE passages_fts MATCH :match)")
            query = query.where(found.bindparams(match=match))
        else:
            query = query.where(text("0"))  # text without any word or figure is in no passage
    return query


def _sums(rows: Iterable[Any], column: int) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in rows:
        sums[row[column]] = sums.get(row[column], 0) + row[4]
    return sums
