"""What in the knowledge base, and in the verdicts that rest on it, deserves a second look."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, func, select

from ghost.knowledge.analytics.results import Alerts, RunNote, SourceFigures, Topic
from ghost.records import VerdictSupport, passages, runs, shown_label, uses
from ghost.types import Status

STALE_YEARS = 10
"""Evidence that was published longer ago may be overtaken."""
TOPIC_AT_LEAST = 3
"""Passages; a topic with fewer is not called one-sided."""
SHOWN = 50
"""Runs of one kind that are named."""
_ACTIVE = passages.c.status == Status.ACTIVE.value


def alerts(connection: Connection, sources: SourceFigures, weak: Sequence[VerdictSupport], today: date) -> Alerts:
    """Count and name what deserves attention."""
    before = years_before(today, STALE_YEARS)
    topics, in_all = _topics(connection)
    top = sources.domains[0] if sources.domains else None
    leans = top is not None and top.name and sources.domain_count > 1 and top.passages * 2 > sources.active
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
        topics_in_all=in_all,
        weak=_weak(connection, weak[:SHOWN]),
        weak_in_all=len(weak),
        retired=_retired(connection),
        retired_in_all=_retired_in_all(connection),
    )


def _weak(connection: Connection, supports: Sequence[VerdictSupport]) -> tuple[RunNote, ...]:
    """Each with its verdict as it is shown now: the analyst may have decided otherwise since the check."""
    query = select(runs.c.id, shown_label().label("label")).where(runs.c.id.in_([f.run_id for f in supports]))
    labels = {row.id: row.label for row in connection.execute(query)}
    return tuple(
        RunNote(f.run_id, f.claim, labels.get(f.run_id, f.label), f"only {f.source}, credibility {f.credibility:.2f}")
        for f in supports
    )


def _gone(count: int, domain: str) -> str:
    return f"{count} cited {'passage' if count == 1 else 'passages'} retired since ({domain or 'no address'})"


def _count(connection: Connection, *conditions: object) -> int:
    return connection.execute(select(func.count()).select_from(passages).where(*conditions)).scalar_one()  # type: ignore[arg-type]


def _topics(connection: Connection) -> tuple[tuple[Topic, ...], int]:
    """Topics that only one domain speaks about, most passages first; and how many topics there are."""
    domains = func.count(passages.c.domain.distinct())
    query = select(passages.c.topic, func.count(), domains, func.min(passages.c.domain))
    rows = connection.execute(query.where(_ACTIVE, passages.c.topic != "").group_by(passages.c.topic)).all()
    lone = [Topic(name, domain, n) for name, n, of, domain in rows if of == 1 and domain and n >= TOPIC_AT_LEAST]
    return tuple(sorted(lone, key=lambda t: (-t.passages, t.name))), len(rows)


_RETIRED = (passages.c.status == Status.RETIRED.value, uses.c.cited)


def _retired_in_all(connection: Connection) -> int:
    query = select(func.count(uses.c.run_id.distinct())).join(passages, uses.c.passage_id == passages.c.id)
    # Joined, as in the list: a use may have outlived its run.
    return connection.execute(query.join(runs, runs.c.id == uses.c.run_id).where(*_RETIRED)).scalar_one()


def _retired(connection: Connection) -> tuple[RunNote, ...]:
    """Runs whose verdict cites a passage that was retired since, newest first."""
    query = (
        select(runs.c.id, runs.c.claim_text, shown_label(), func.count(), func.min(passages.c.domain))
        .select_from(passages.join(uses, uses.c.passage_id == passages.c.id).join(runs, runs.c.id == uses.c.run_id))
        .where(*_RETIRED)
        .group_by(runs.c.id)
        .order_by(runs.c.started_at.desc())
        .limit(SHOWN)
    )
    return tuple(
        RunNote(run_id, claim, label, _gone(n, domain)) for run_id, claim, label, n, domain in connection.execute(query)
    )


def years_before(day: date, years: int) -> date:
    """The same day some years earlier; 28 February for a leap day."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
