"""Reading the database, inside a transaction of the caller: full-text queries, filters, lists and histories."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select

from ghost.knowledge import change_log
from ghost.knowledge.admission import QUARANTINED
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.revisions import family
from ghost.knowledge.rows import READABLE, to_passage
from ghost.knowledge.values import KnowledgeStats, PassageFilter, PassageUse, Sort
from ghost.records import among, from_column, history, passages, unindexed, uses, word_index
from ghost.types import HistoryEntry, Passage, StanceLabel, Status

MAX_TERMS = 32
"""Words of a text that are looked up; a long claim would otherwise match everything a little."""

_COMMON = """
a about after again all also am an and any are as at be because been before being between both but by can could did do
does doing down during each few for from further had has have having he her here hers him his how i if in into is it
its just me more most my no nor not of off on once only or other our out over own same she should so some such than
that the their them then there these they this those through to too under until up very was we were what when where
which while who whom why will with would you your yours
"""
STOP_WORDS = frozenset(_COMMON.split())
"""Left out of the lookup: common words cost most of its time and say nothing."""

_WORD = re.compile(r"[^\W_]+")
Condition = ColumnElement[bool]


def telling_words(query: str) -> list[str]:
    """The words of a text by which passages about it are looked up; all of its words where none tells anything."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    telling = [w for w in words if w not in STOP_WORDS and (len(w) > 1 or not w.isascii() or w.isdigit())]
    return (telling or words)[:MAX_TERMS]


def conditions(
    connection: Connection, filter: PassageFilter, book: CredibilityBook, of_known: bool = False
) -> list[Condition]:
    """What a passage has to meet to pass. ``of_known``: for a query that names the few passages it is about, which
    SQLite would else look up by what nearly all may share."""
    c, day = passages.c, passages.c.published_at
    found: list[Condition] = []
    for name in ("status", "origin", "kind", "source_type", "language", "topic", "domain"):
        value = getattr(filter, name)
        if value is not None:
            found.append((unindexed(c[name]) if of_known else c[name]) == value)
    if filter.dated is not None:
        found.append(day.is_not(None) if filter.dated else day.is_(None))
    if filter.published_from is not None:
        found.append(day >= filter.published_from)
    if filter.published_to is not None:
        found.append(day <= filter.published_to)
    if filter.used is not None:
        found.append(c.verification_count > 0 if filter.used else c.verification_count == 0)
    if filter.credibility_from > 0 or filter.credibility_to < 1:
        found.append(_credibility_between(connection, filter, book))
    if filter.text.strip():
        words = _WORD.findall(filter.text.casefold())[:MAX_TERMS]
        found.append(word_index(connection, passages).having(words))
    return found


def credibility_by_domain(connection: Connection, book: CredibilityBook) -> tuple[dict[str, float], dict[int, float]]:
    """How credible each domain is; and, by ``seq``, the passages of domains that have more than one rating.

    Credibility is a matter of the address and not stored. Nearly all domains have one rating for all their addresses,
    so that the passages need not be looked at.
    """
    domains = _domains(connection)
    whole = {domain: rating for domain in domains if (rating := book.of_domain(domain)) is not None}
    mixed = [domain for domain in domains if domain not in whole]
    query = select(passages.c.seq, passages.c.source_url).where(among(passages.c.domain, mixed))
    rows = connection.execute(query).all() if mixed else []
    return whole, {row.seq: book.credibility(row.source_url) for row in rows}


def _domains(connection: Connection) -> list[str]:
    """The domains that there are, each looked up in the index after the one before: passages are a thousand times as
    many, and neither database passes over equal ones by itself."""
    domain = passages.c.domain
    found = select(func.min(domain).label("domain")).cte("found", recursive=True)
    following = select(func.min(domain)).where(domain > found.c.domain).scalar_subquery()
    found = found.union_all(select(following).where(found.c.domain.is_not(None)))
    query = select(found.c.domain).where(found.c.domain.is_not(None))
    return list(connection.execute(query).scalars())


def _credibility_between(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> Condition:
    low, high = filter.credibility_from - 1e-9, filter.credibility_to + 1e-9
    whole, single = credibility_by_domain(connection, book)
    domains = [domain for domain, rating in whole.items() if low <= rating <= high]
    seqs = [seq for seq, rating in single.items() if low <= rating <= high]
    # Not looked up by the domain: most filters have others too, and an index that has all of them is quicker.
    return or_(among(unindexed(passages.c.domain), domains), among(passages.c.seq, seqs))


_MANY = 10
"""A rating that one passage in so many has is that of many."""

_ORDERS: dict[Sort, tuple[Any, ...]] = {
    Sort.NEWEST: (passages.c.seq.desc(),),
    Sort.OLDEST: (passages.c.seq,),
    Sort.PUBLISHED: (passages.c.published_at.is_(None), passages.c.published_at.desc(), passages.c.seq.desc()),
    Sort.USED: (passages.c.verification_count.desc(), passages.c.seq.desc()),
}


def by_ids(connection: Connection, ids: Sequence[str], book: CredibilityBook) -> list[Passage]:
    """The passages with these ids, in this order; unknown ids are left out."""
    rows = connection.execute(select(*READABLE).where(passages.c.id.in_(list(ids))))
    found = {row.id: to_passage(row, book) for row in rows}
    return [found[i] for i in dict.fromkeys(ids) if i in found]


def each(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> Iterator[Passage]:
    """Every passage that passes the filter, oldest first, without holding all of them in memory."""
    query = select(*READABLE).where(*conditions(connection, filter, book)).order_by(passages.c.seq)
    for row in connection.execute(query.execution_options(yield_per=500)):
        yield to_passage(row, book)


def listed(
    connection: Connection, filter: PassageFilter, sort: Sort, limit: int, offset: int, book: CredibilityBook
) -> list[Passage]:
    """A page of the passages that pass the filter, in the order asked for."""
    which = conditions(connection, filter, book)
    if sort in (Sort.CREDIBLE, Sort.DOUBTFUL):
        seqs = _by_credibility(connection, which, sort, book, limit, offset)
    else:
        query = select(passages.c.seq).where(*which).order_by(*_ORDERS[sort]).limit(limit).offset(offset)
        seqs = list(connection.execute(query).scalars())
    # In two steps, so that what is passed over is passed over in an index and not in the rows, which are wide.
    rows = {row.seq: row for row in connection.execute(select(*READABLE).where(passages.c.seq.in_(seqs)))}
    return [to_passage(rows[seq], book) for seq in seqs]


def count(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> int:
    """How many passages pass the filter."""
    query = select(func.count(passages.c.seq)).where(*conditions(connection, filter, book))
    return connection.execute(query).scalar_one()


_BROWSED = ("status", "origin", "source_type", "language", "topic")
"""The first columns of the index by which passages are browsed, in its order."""


def tally(connection: Connection, name: str, *which: Condition) -> "Counter[str]":
    """The values of a field, and how many of the passages that meet the conditions have each."""
    # With the columns before it the rows come in the order of the index, and need not be sorted to be counted.
    named = _BROWSED[: _BROWSED.index(name) + 1] if name in _BROWSED else (name,)
    columns = [passages.c[each] for each in named]
    counts = Counter[str]()
    for *_, value, n in connection.execute(select(*columns, func.count()).where(*which).group_by(*columns)):
        counts[value] += n
    return counts


def values_of(connection: Connection, name: str) -> list[tuple[str, int]]:
    """The values that a field has in the knowledge base and how many passages have each, the most frequent first."""
    counts = tally(connection, name)
    return sorted(((value, n) for value, n in counts.items() if value), key=lambda pair: (-pair[1], pair[0]))


def stats(connection: Connection, domains: int) -> KnowledgeStats:
    """The knowledge base in figures, counted in indexes."""
    facets = (passages.c.status, passages.c.origin, passages.c.source_type)
    counts = (func.count(passages.c.seq), func.count(passages.c.published_at))
    rows = connection.execute(select(*facets, *counts).group_by(*facets)).all()
    active = (passages.c.status == Status.ACTIVE.value, passages.c.domain != "")
    hosts = connection.execute(select(passages.c.domain, func.count()).where(*active).group_by(passages.c.domain)).all()
    living = [row for row in rows if row[0] == Status.ACTIVE]
    return KnowledgeStats(
        by_status=_sums(rows, 0),
        by_origin=_sums(living, 1),
        by_source_type=_sums(living, 2),
        domains=tuple(sorted(((host, n) for host, n in hosts), key=lambda pair: (-pair[1], pair[0]))[:domains]),
        domain_count=len(hosts),
        dated=sum(row[4] for row in living),
        undated=sum(row[3] - row[4] for row in living),
    )


def history_of(connection: Connection, passage_id: str) -> list[HistoryEntry]:
    """What happened to a passage, oldest first."""
    query = select(history).where(history.c.passage_id == passage_id).order_by(history.c.id)
    rows = connection.execute(query).all()
    gone = change_log.undone_among(connection, {row.change for row in rows if row.change})
    now = change_log.states(connection, [passage_id])[passage_id][1] if rows else {}
    found = []
    for row in rows:
        before, after = json.loads(row.before or "{}"), json.loads(row.after or "{}")
        can = bool(before) and row.change not in gone and change_log.can_be_undone(row.action, after, now)
        at, change = from_column(row.at), row.change if can else ""
        found.append(HistoryEntry(at, row.action, row.note, row.old_text, change, _replaced_fields(before, after)))
    return found


def why_quarantined(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """By passage id the reason that the history gives, the latest where there are several."""
    query = select(history.c.passage_id, history.c.action, history.c.note).where(history.c.passage_id.in_(list(ids)))
    found: dict[str, str] = {}
    for row in connection.execute(query.order_by(history.c.id)):
        _, marked, reason = row.note.rpartition(QUARANTINED)
        if marked:
            found[row.passage_id] = reason
        elif row.action == "quarantined":
            found[row.passage_id] = row.note
    return found


def uses_of(connection: Connection, passage_id: str, limit: int) -> list[PassageUse]:
    """The uses of a passage and of the duplicates it speaks for, newest first."""
    query = (
        select(uses)
        .where(uses.c.passage_id.in_(family(connection, passage_id)))
        .order_by(uses.c.at.desc())
        .limit(limit)
    )
    return [
        PassageUse(row.run_id, row.passage_id, row.relevance, StanceLabel(row.stance), row.cited, from_column(row.at))
        for row in connection.execute(query)
    ]


def _by_credibility(
    connection: Connection, which: Sequence[Condition], sort: Sort, book: CredibilityBook, limit: int, offset: int
) -> list[int]:
    """A page of what passes, by what the source is worth now, which the database does not know.

    It is counted by domain, and only the ratings that the page shows are looked into, passage by passage.
    """
    whole, single = credibility_by_domain(connection, book)
    c = passages.c
    # With a condition the index of the domains would lead to each row; one that has all of the filter's columns not.
    domain = unindexed(c.domain) if which else c.domain
    counts = connection.execute(select(c.domain, func.count()).where(*which).group_by(domain)).all()
    domains: dict[float, list[str]] = {}
    sizes = Counter[float]()
    for domain, n in counts:
        if domain in whole:
            domains.setdefault(whole[domain], []).append(domain)
            sizes[whole[domain]] += n
    apart: dict[float, list[int]] = {}
    if single:
        for seq in connection.execute(select(c.seq).where(*which, among(c.seq, single))).scalars():
            apart.setdefault(single[seq], []).append(seq)
            sizes[single[seq]] += 1
    found: list[int] = []
    for rating in sorted(sizes, reverse=sort is Sort.CREDIBLE):
        if offset >= sizes[rating]:
            offset -= sizes[rating]
            continue
        # Where many have this rating, going through all in their order soon finds enough; else they are looked up.
        column = unindexed(c.domain) if sizes[rating] * _MANY > sizes.total() else c.domain
        its = or_(among(column, domains.get(rating, ())), among(c.seq, apart.get(rating, ())))
        query = select(c.seq).where(*which, its).order_by(c.seq.desc()).limit(limit - len(found)).offset(offset)
        found += connection.execute(query).scalars()
        offset = 0
        if len(found) >= limit:
            break
    return found


def _replaced_fields(before: change_log.State, after: change_log.State) -> tuple[tuple[str, str, str], ...]:
    """What a change replaced besides text and status, which a line shows in other ways."""
    names = (name for name in before if name not in ("text", "status", "merged_into"))
    return tuple((name, before[name], after.get(name, "")) for name in names)


def _sums(rows: Iterable[Any], column: int) -> dict[str, int]:
    sums = Counter[str]()
    for row in rows:
        sums[row[column]] += row[3]
    return dict(sums)
