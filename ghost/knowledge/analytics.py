"""Counting the knowledge base for the Analytics page: sources, time and copies. Reads indexes, changes nothing.

What the checks did with the passages is counted in ``usage.py``, what deserves attention in ``alerts.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, String, func, select, type_coerce

from ghost.knowledge import alerts, usage
from ghost.knowledge.atlas import Atlas
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.dates import years_before
from ghost.knowledge.figures import (
    AGES,
    CREDIBILITY_STEPS,
    Age,
    Alerts,
    Bin,
    Copies,
    CopyFigures,
    Counts,
    Domain,
    SourceFigures,
    TimeFigures,
    UseFigures,
)
from ghost.knowledge.writes import watermark
from ghost.records import Database, SupportStore, passages
from ghost.types import Status

_ACTIVE = passages.c.status == Status.ACTIVE.value
LISTED = 300
"""Domains that are told one by one."""
_LARGEST = 12
"""Texts with the most copies that are told one by one."""


class Analytics:
    """Figures about one knowledge base. Safe to use from any thread; every method raises StoreError."""

    def __init__(self, database: Database, book: CredibilityBook, today: Callable[[], date] = date.today) -> None:
        self._database = database
        self._book = book
        self._today = today
        self._supports = SupportStore(database)
        self.atlas = Atlas(database, book)

    def mark(self) -> str:
        """Changes whenever figures may have changed: by a write, a check, or a new day. Cheap to ask."""
        with self._database.read() as connection:
            counted = f"{watermark(connection)}.{usage.mark(connection)}"
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
            return usage.figures(connection)

    def alerts(self) -> Alerts:
        """What deserves attention."""
        return self.alerts_about(self.sources())

    def alerts_about(self, sources: SourceFigures) -> Alerts:
        """``alerts`` for somebody who has counted the sources already."""
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
