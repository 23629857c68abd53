"""Counting the knowledge base for the Analytics page. Reads indexes, changes nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, case, func, select

from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.figures import (
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
    RunNote,
    SourceFigures,
    TimeFigures,
    Topic,
    UsedPassage,
    UseFigures,
)
from ghost.knowledge.map import MapDrawer
from ghost.knowledge.queries import tally
from ghost.knowledge.rows import source_name, watermark
from ghost.records import Database, SupportStore, VerdictSupport, day_of, passages, runs, shown_label, unindexed, uses
from ghost.types import Kind, RunStatus, StanceLabel, Status

_ACTIVE = passages.c.status == Status.ACTIVE.value
LISTED = 300
"""Domains that are listed one by one."""
LARGEST = 12
"""Texts with the most copies that are listed one by one."""
MOST_USED = 15
STALE_YEARS = 10
"""Evidence that was published longer ago may be overtaken."""
TOPIC_AT_LEAST = 3
"""Passages; a topic with fewer is not called one-sided."""
RUNS_NAMED = 50
"""Runs of one kind that are named among the alerts."""


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
        ended = select(func.count()).where(runs.c.status == RunStatus.FINISHED.value)
        with self._database.read() as connection:
            used = connection.execute(select(func.max(uses.c.at))).scalar_one()
            counted = f"{watermark(connection)}.{used and used.isoformat()}.{connection.execute(ended).scalar_one()}"
        return f"{counted}.{self._book.edition}.{self._today().isoformat()}"

    def sources(self) -> SourceFigures:
        """Where the active passages come from."""
        with self._database.read() as connection:
            domains, rated = _domains(connection, self._book)
            note = passages.c.kind == Kind.NOTE.value
            notes = _count(connection, _ACTIVE, note)
            _, their_pages = _domains(connection, self._book, note, passages.c.domain != "")
            languages = _counts(connection, "language")
            topics = _counts(connection, "topic")
        active = sum(d.passages for d in domains)
        types = Counter[str]()
        for domain in domains:
            types[domain.source_type] += domain.passages
        return SourceFigures(
            active,
            domains[:LISTED],
            sum(bool(d.name) for d in domains),
            _bins(rated),
            _mean(rated),
            tuple(types.most_common()),
            languages,
            topics,
            sum(d.passages for d in domains if not d.name),
            sum(d.passages for d in domains if d.name and d.credibility == self._book.unknown),
            notes,
            _mean(their_pages),
            self._book.library,
        )

    def time(self) -> TimeFigures:
        """When passages came in, and how old they are."""
        day = day_of(passages.c.indexed_at)
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

    def alerts_about(self, sources: SourceFigures) -> Alerts:
        """What deserves attention; ``sources`` are the source figures."""
        weak, weak_in_all = self._supports.weak(RUNS_NAMED), self._supports.count_weak()
        before = years_before(self._today(), STALE_YEARS)
        top = sources.domains[0] if sources.domains else None
        leans = top is not None and top.name and sources.domain_count > 1 and top.passages * 2 > sources.active
        with self._database.read() as connection:
            topics, topics_in_all = _topics(connection)
            retired, retired_in_all = _retired(connection)
            return Alerts(
                active=sources.active,
                stale=_count(connection, _ACTIVE, passages.c.published_at < before),
                stale_before=before,
                undated=_count(connection, _ACTIVE, passages.c.published_at.is_(None)),
                unrated=sources.unrated,
                without_address=sources.without_address,
                quarantined=_count(connection, passages.c.status == Status.QUARANTINED.value),
                dominant=(top.name, top.passages) if top and leans else None,
                topics=topics,
                topics_in_all=topics_in_all,
                weak=_weak(connection, weak),
                weak_in_all=weak_in_all,
                retired=retired,
                retired_in_all=retired_in_all,
            )


def _domains(
    connection: Connection, book: CredibilityBook, *narrower: Any
) -> tuple[tuple[Domain, ...], list[tuple[float, int, bool]]]:
    """The domains of the active passages, and for each rating: value, passages, whether a domain of its own.

    A rating belongs to an address. Most domains have one rating for all of theirs; the few that are divided by the
    list of ratings are counted address by address.
    """
    kinds: dict[str, Counter[str]] = {}
    query = select(passages.c.domain, passages.c.source_type, func.count()).where(_ACTIVE, *narrower)
    for name, kind, n in connection.execute(query.group_by(passages.c.domain, passages.c.source_type)):
        kinds.setdefault(name, Counter())[kind] += n
    found: list[Domain] = []
    rated: list[tuple[float, int, bool]] = []
    for name, of in kinds.items():
        parts = _ratings(connection, name, of.total(), book, narrower)
        rated += [(value, n, i == 0) for i, (value, n) in enumerate(parts)]
        mean = sum(value * n for value, n in parts) / of.total()
        found.append(Domain(name, of.most_common(1)[0][0], of.total(), mean))
    return tuple(sorted(found, key=lambda d: (-d.passages, d.name))), rated


def _mean(rated: Sequence[tuple[float, int, bool]]) -> float | None:
    return sum(value * n for value, n, _ in rated) / sum(n for _, n, _ in rated) if rated else None


def _ratings(
    connection: Connection, domain: str, count: int, book: CredibilityBook, narrower: Sequence[Any]
) -> list[tuple[float, int]]:
    """The credibilities of a domain's passages and how many have each, most first."""
    if not domain or book.of_domain(domain) is not None:
        return [(book.credibility(domain), count)]
    query = select(passages.c.source_url, func.count()).where(_ACTIVE, passages.c.domain == domain, *narrower)
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
    edges = [round(i / CREDIBILITY_STEPS, 2) for i in range(CREDIBILITY_STEPS + 1)]
    return tuple(map(Bin, edges, edges[1:], counts, domains))


def _count(connection: Connection, *conditions: Any) -> int:
    return connection.execute(select(func.count()).select_from(passages).where(*conditions)).scalar_one()


def _counts(connection: Connection, name: str) -> Counts:
    counts = tally(connection, name, _ACTIVE)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


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
    active, c = _count(connection, _ACTIVE), passages.c
    of = select(c.kin, func.count().label("copies"), func.count(c.domain.distinct()).label("domains"))
    copied = of.where(_ACTIVE, c.kin != "").group_by(c.kin).subquery()
    first = passages.alias("first")
    living = case((first.c.status == Status.ACTIVE.value, 1), else_=0)
    own = case((living == 0, 0), (first.c.domain == "", 0), else_=1)
    number = (copied.c.copies + living).label("number")
    groups = (
        select(copied.c.kin, number, (copied.c.domains + own).label("domains"))
        .select_from(copied.outerjoin(first, first.c.id == copied.c.kin))
        .subquery()
    )
    repeated = connection.execute(select(func.coalesce(func.sum(groups.c.number - 1), 0))).scalar_one()
    several = groups.c.number > 1
    sizes = select(groups.c.number, func.count()).where(several).group_by(groups.c.number).order_by(groups.c.number)
    largest = select(groups, first.c.text).outerjoin(first, first.c.id == groups.c.kin).where(several)
    rows = connection.execute(largest.order_by(groups.c.number.desc(), groups.c.kin).limit(LARGEST)).all()
    return CopyFigures(
        active,
        active - int(repeated),
        tuple((row[0], row[1]) for row in connection.execute(sizes)),
        tuple(Copies(row.kin, row.text or "", row.number, row.domains) for row in rows),
    )


def _use_figures(connection: Connection) -> UseFigures:
    """How much is used, by which sources, and which side it takes."""
    by_origin, c = dict(_counts(connection, "origin")), passages.c
    # Each from the uses on: there are far fewer used passages than passages.
    once = select(uses.c.passage_id).distinct().subquery()
    found = select(c.origin, func.count()).select_from(once.join(passages, c.id == once.c.passage_id))
    found = found.where(unindexed(c.status) == Status.ACTIVE.value)
    used = {row[0]: row[1] for row in connection.execute(found.group_by(c.origin))}
    never = tuple((origin, n - used.get(origin, 0), n) for origin, n in by_origin.items())
    by = (c.source_type, c.domain, uses.c.stance)
    both = uses.join(passages, c.id == uses.c.passage_id)
    rows = connection.execute(select(*by, func.count()).select_from(both).group_by(*by)).all()
    by_type = _balances((row[0], row[2], row[3]) for row in rows)
    by_domain = _balances((row[1], row[2], row[3]) for row in rows if row[1])
    sides = [sum(getattr(b, side) for b in by_type) for side in ("supports", "refutes", "neutral", "off_topic")]
    return UseFigures(
        active=sum(by_origin.values()),
        never=sum(n for _, n, _ in never),
        never_by_origin=never,
        runs=connection.execute(select(func.count(uses.c.run_id.distinct()))).scalar_one(),
        uses=sum(balance.total for balance in by_type),
        most=_most(connection),
        balance=Balance("All sources", *sides),
        by_type=by_type,
        by_domain=by_domain[:MOST_USED],
    )


def _most(connection: Connection) -> tuple[UsedPassage, ...]:
    """The passages of any status that most runs used."""

    def times(condition: Any) -> Any:
        return func.sum(case((condition, 1), else_=0))

    often, pro, con = func.count(), times(uses.c.stance == "SUPPORTS"), times(uses.c.stance == "REFUTES")
    figures = (often.label("often"), times(uses.c.cited).label("cited"), pro.label("pro"), con.label("con"))
    best = select(uses.c.passage_id, *figures).group_by(uses.c.passage_id)
    top = best.order_by(often.desc(), uses.c.passage_id).limit(MOST_USED).subquery()
    columns = [passages.c[n] for n in ("id", "text", "publisher", "domain", "title", "kind", "intake")]
    query = select(*columns, top).join(top, top.c.passage_id == passages.c.id)
    return tuple(
        UsedPassage(row.id, row.text, source_name(row), row.often, row.cited, row.pro, row.con)
        for row in connection.execute(query.order_by(top.c.often.desc(), passages.c.id))
    )


def _balances(rows: Iterable[tuple[str, str, int]]) -> tuple[Balance, ...]:
    """The uses under each name with the side they take, most uses first."""
    table: dict[str, Counter[str]] = {}
    for name, stance, times in rows:
        table.setdefault(name, Counter())[stance] += times
    found = [Balance(name, *(row[stance.value] for stance in StanceLabel)) for name, row in table.items()]
    return tuple(sorted(found, key=lambda b: (-b.total, b.name)))


def _topics(connection: Connection) -> tuple[tuple[Topic, ...], int]:
    """Topics that only one domain speaks about, most passages first; and how many topics there are."""
    domains = func.count(passages.c.domain.distinct())
    query = select(passages.c.topic, func.count(), domains, func.min(passages.c.domain))
    rows = connection.execute(query.where(_ACTIVE, passages.c.topic != "").group_by(passages.c.topic)).all()
    lone = [Topic(name, domain, n) for name, n, of, domain in rows if of == 1 and domain and n >= TOPIC_AT_LEAST]
    return tuple(sorted(lone, key=lambda t: (-t.passages, t.name))), len(rows)


def _weak(connection: Connection, supports: Sequence[VerdictSupport]) -> tuple[RunNote, ...]:
    """Each with its verdict as it is shown now: the analyst may have decided otherwise since the check."""
    query = select(runs.c.id, shown_label().label("label")).where(runs.c.id.in_([f.run_id for f in supports]))
    labels = {row.id: row.label for row in connection.execute(query)}
    return tuple(
        RunNote(f.run_id, f.claim, labels.get(f.run_id, f.label), f"only {f.source}, credibility {f.credibility:.2f}")
        for f in supports
    )


def _retired(connection: Connection) -> tuple[tuple[RunNote, ...], int]:
    """Runs whose verdict cites a passage that was retired since, newest first, and how many there are."""
    # Joined with the runs, which a use may have outlived.
    both = passages.join(uses, uses.c.passage_id == passages.c.id).join(runs, runs.c.id == uses.c.run_id)
    gone = passages.c.status == Status.RETIRED.value, uses.c.cited
    in_all = connection.execute(select(func.count(uses.c.run_id.distinct())).select_from(both).where(*gone))
    columns = (runs.c.id, runs.c.claim_text, shown_label(), func.count(), func.min(passages.c.domain))
    query = select(*columns).select_from(both).where(*gone).group_by(runs.c.id).order_by(runs.c.started_at.desc())
    notes = []
    for run_id, claim, label, n, domain in connection.execute(query.limit(RUNS_NAMED)):
        what = f"{n} cited {'passage' if n == 1 else 'passages'} retired since ({domain or 'no address'})"
        notes.append(RunNote(run_id, claim, label, what))
    return tuple(notes), in_all.scalar_one()


def years_before(day: date, years: int) -> date:
    """The same day some years earlier; 28 February for a leap day."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
