"""Counting the knowledge base for the Analytics page. Reads indexes, changes nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, String, case, func, select, text, type_coerce

from ghost.knowledge.analytics import alerts
from ghost.knowledge.analytics.alerts import years_before
from ghost.knowledge.analytics.map import MapDrawer
from ghost.knowledge.analytics.results import (
    AGES,
    CREDIBILITY_STEPS,
    Age,
    Alerts,
    Balance,
    Bin,
    Copies,
    CopyFigures,
    Counts,
    Domain,
    SourceFigures,
    TimeFigures,
    UsedPassage,
    UseFigures,
)
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.rows import watermark
from ghost.records import Database, SupportStore, passages, runs, uses
from ghost.types import RunStatus, StanceLabel, Status

_ACTIVE = passages.c.status == Status.ACTIVE.value
LISTED = 300
"""Domains that are listed one by one."""
_LARGEST = 12
"""Texts with the most copies that are listed one by one."""


class Analytics:
    """Figures about one knowledge base. Safe to use from any thread; every method raises StoreError."""

    def __init__(self, database: Database, book: CredibilityBook, today: Callable[[], date] = date.today) -> None:
        self._database = database
        self._book = book
        self._today = today
        self._supports = SupportStore(database)
        self.map = MapDrawer(database, book)

    def mark(self) -> str:
        """Changes whenever figures may have changed: by a write, a check, or a new day. Cheap to ask."""
        with self._database.read() as connection:
            counted = f"{watermark(connection)}.{_use_mark(connection)}"
        return f"{counted}.{self._book.edition}.{self._today().isoformat()}"

    def sources(self) -> SourceFigures:
        """Where the active passages come from."""
        with self._database.read() as connection:
            domains, rated = _domains(connection, self._book)
            languages = _counts(connection, passages.c.language)
            topics = _counts(connection, passages.c.topic)
        active = sum(d.passages for d in domains)
        types = Counter[str]()
        for domain in domains:
            types[domain.source_type] += domain.passages
        weighed = sum(value * n for value, n, _ in rated)
        return SourceFigures(
            active,
            domains[:LISTED],
            sum(bool(d.name) for d in domains),
            _bins(rated),
            weighed / active if active else None,
            tuple(types.most_common()),
            languages,
            topics,
            sum(d.passages for d in domains if not d.name),
            sum(d.passages for d in domains if d.name and d.credibility == self._book.unknown),
        )

    def time(self) -> TimeFigures:
        """When passages came in, and how old they are."""
        day = func.substr(type_coerce(passages.c.indexed_at, String), 1, 10)
        living = passages.c.status.in_([Status.ACTIVE.value, Status.QUARANTINED.value])
        arrivals = select(day, passages.c.origin, func.count()).where(living).group_by(day, passages.c.origin)
        days = select(passages.c.published_at, func.count()).where(_ACTIVE).group_by(passages.c.published_at)
        with self._database.read() as connection:
            came = sorted((date.fromisoformat(row[0]), row[1], row[2]) for row in connection.execute(arrivals))
            published = {row[0]: row[1] for row in connection.execute(days)}
        undated = published.pop(None, 0)
        ages = _ages(published, self._today())
        return TimeFigures(tuple(came), ages, undated, min(published, default=None), max(published, default=None))

    def copies(self) -> CopyFigures:
        """How much of the knowledge base says the same again."""
        with self._database.read() as connection:
            return _copies(connection)

    def use(self) -> UseFigures:
        """What the checks made of the passages."""
        with self._database.read() as connection:
            return _use_figures(connection)

    def alerts(self) -> Alerts:
        """What deserves attention."""
        return self.alerts_about(self.sources())

    def alerts_about(self, sources: SourceFigures) -> Alerts:
        """``alerts`` for a caller that has the source figures already."""
        weak = self._supports.weak()
        with self._database.read() as connection:
            return alerts.alerts(connection, sources, weak, self._today())


def _domains(connection: Connection, book: CredibilityBook) -> tuple[tuple[Domain, ...], list[tuple[float, int, bool]]]:
    """The domains of the active passages, and for each rating: value, passages, whether a domain of its own.

    A rating belongs to an address. Most domains have one rating for all of theirs; the few that are divided by the
    list of ratings are counted address by address.
    """
    kinds: dict[str, Counter[str]] = {}
    query = select(passages.c.domain, passages.c.source_type, func.count()).where(_ACTIVE)
    # Named, since the planner would take an index that it knows the status in and read each row for the rest.
    query = query.with_hint(passages, "INDEXED BY ix_passages_figures", "sqlite")
    for name, kind, n in connection.execute(query.group_by(passages.c.domain, passages.c.source_type)):
        kinds.setdefault(name, Counter())[kind] += n
    found: list[Domain] = []
    rated: list[tuple[float, int, bool]] = []
    for name, of in kinds.items():
        parts = _ratings(connection, name, of.total(), book)
        rated += [(value, n, i == 0) for i, (value, n) in enumerate(parts)]
        mean = sum(value * n for value, n in parts) / of.total()
        found.append(Domain(name, of.most_common(1)[0][0], of.total(), mean))
    return tuple(sorted(found, key=lambda d: (-d.passages, d.name))), rated


def _ratings(connection: Connection, domain: str, count: int, book: CredibilityBook) -> list[tuple[float, int]]:
    """The credibilities of a domain's passages and how many have each, most first."""
    if not domain or book.of_domain(domain) is not None:
        return [(book.credibility(domain), count)]
    query = select(passages.c.source_url, func.count()).where(_ACTIVE, passages.c.domain == domain)
    parts = Counter[float]()
    for url, n in connection.execute(query.group_by(passages.c.source_url)):
        parts[book.credibility(url)] += n
    return parts.most_common()


def _bins(rated: Iterable[tuple[float, int, bool]]) -> tuple[Bin, ...]:
    counts, domains = [0] * CREDIBILITY_STEPS, [0] * CREDIBILITY_STEPS
    for value, n, first in rated:
        # 0.3 * 10 is a little less than 3; a rating belongs to the bin that begins with it.
        at = min(int(round(value * CREDIBILITY_STEPS, 6)), CREDIBILITY_STEPS - 1)
        counts[at] += n
        domains[at] += first
    step = 1 / CREDIBILITY_STEPS
    return tuple(
        Bin(round(i * step, 2), round((i + 1) * step, 2), counts[i], domains[i]) for i in range(CREDIBILITY_STEPS)
    )


def _counts(connection: Connection, column: Any) -> Counts:
    rows = connection.execute(select(column, func.count()).where(_ACTIVE).group_by(column))
    return tuple(sorted(((row[0], row[1]) for row in rows), key=lambda pair: (-pair[1], pair[0])))


def _ages(published: dict[date, int], today: date) -> tuple[Age, ...]:
    ages: list[Age] = []
    last: date | None = None
    for name, years in AGES:
        first = years_before(today, years) + timedelta(days=1) if years is not None else None
        within = [n for day, n in published.items() if (not first or day >= first) and (not last or day <= last)]
        ages.append(Age(name, first, last, sum(within)))
        last = first - timedelta(days=1) if first else None
    return tuple(ages)


def _copies(connection: Connection) -> CopyFigures:
    active = connection.execute(select(func.count()).where(_ACTIVE)).scalar_one()
    rows = connection.execute(
        select(passages.c.kin, func.count(), func.count(passages.c.domain.distinct()))
        .where(_ACTIVE, passages.c.kin != "")
        .group_by(passages.c.kin)
    ).all()
    first = _firsts(connection, [row[0] for row in rows])
    sizes, repeated = Counter[int](), 0
    groups = []
    for kin, copies, domains in rows:
        text_, domain, living = first.get(kin, ("", "", False))
        n = copies + int(living)
        repeated += n - 1
        if n > 1:
            sizes[n] += 1
            groups.append(Copies(kin, text_, n, domains + bool(living and domain)))
    largest = sorted(groups, key=lambda g: (-g.passages, g.id))[:_LARGEST]
    return CopyFigures(active, active - repeated, tuple(sorted(sizes.items())), tuple(largest))


def _firsts(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[str, str, bool]]:
    """Text, domain and whether it is active, of the passages that others are copies of."""
    found = {}
    columns = (passages.c.id, passages.c.text, passages.c.domain, passages.c.status)
    for start in range(0, len(ids), 500):
        for row in connection.execute(select(*columns).where(passages.c.id.in_(ids[start : start + 500]))):
            found[row.id] = (row.text, row.domain, row.status == Status.ACTIVE)
    return found


MOST_USED = 15
DOMAINS = 15


def _use_mark(connection: Connection) -> str:
    """Changes with every use that is booked and every run that ends."""
    newest = connection.execute(text("SELECT coalesce(max(rowid), 0) FROM passage_uses")).scalar_one()
    ended = select(func.count()).where(runs.c.status == RunStatus.FINISHED.value)
    return f"{newest}.{connection.execute(ended).scalar_one()}"


def _use_figures(connection: Connection) -> UseFigures:
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
