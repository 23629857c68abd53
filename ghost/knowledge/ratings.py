"""The analyst's view of sources: rating domains, marking sources as bad, and taking either back."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from ghost.errors import ClaimError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.credibility import LIBRARY, HostRules, split_address, suffixes
from ghost.knowledge.rows import next_watermark
from ghost.knowledge.storage import set_columns
from ghost.records import (
    DomainRating,
    DomainRatings,
    RatingChange,
    ReviewStore,
    among,
    batched,
    passages,
    runs,
    shown_label,
    uses,
)
from ghost.text import normalise
from ghost.types import Kind, SourceMark, SourceType, Status

RUNS_SHOWN = 20
REASON_CHARS = 500
_AT_ONCE = 400
_CITED = select(uses.c.run_id).where(uses.c.cited, among(uses.c.passage_id, (), "ids")).distinct()


@dataclass(frozen=True, slots=True)
class CitedRun:
    """A run whose verdict cites a passage that is concerned."""

    run_id: str
    claim: str
    label: str


@dataclass(frozen=True, slots=True)
class RatingEffect:
    """What ratings would change. Runs keep the values they were made with; only later ones use the new ones."""

    passages: int
    """Whose credibility, or kind of source, would be another one."""
    active: int
    """How many of those a verification can find."""
    domains: Mapping[str, int]
    """Passages by registered domain, most first."""
    before: Mapping[float, int]
    """Passages by the credibility they have now."""
    runs: int
    """Runs whose verdicts cite any of them."""
    shown: tuple[CitedRun, ...]
    """The newest of those runs."""
    under: int
    """All passages from sources under these entries, whether or not anything changes for them."""


class Ratings:
    """The analyst's ratings, in force for the credibility book of a knowledge base. Safe to use from any thread."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Puts what was rated before into force."""
        self.store = DomainRatings(knowledge.database)
        self._knowledge = knowledge
        self._lock = threading.Lock()
        self._stamp: str | None = None
        self._now: dict[str, DomainRating] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read what another process has changed. Costs next to nothing when there is nothing new."""
        with self._lock:
            stamp = self.store.stamp()
            if stamp == self._stamp:
                return
            self._now, self._stamp = self.store.all(), stamp
            self._knowledge.book.override(*_rules(self._now))

    def all(self) -> dict[str, DomainRating]:
        """Every rating by its entry."""
        self.refresh()
        return dict(self._now)

    def summary(self) -> dict[str, Any]:
        """What a run keeps of them: how many there are, and a stamp of their state. Empty without any.

        The values that a run used stand in its evidence.
        """
        self.refresh()
        return {"count": len(self._now), "stamp": self._stamp} if self._now else {}

    def rate(self, entry: str, credibility: float, reason: str = "", source_type: SourceType | None = None) -> str:
        """Rate a domain; returns the id of the change, empty when it is rated so already.

        ``entry`` is a host suffix with an optional path, or an address, whose host and path are taken. Raises
        ClaimError when it is none, or the credibility is not between 0 and 1.
        """
        rating = rating_of(entry, credibility, source_type, reason)
        return self.change({rating.entry: rating}, reason)

    def remove(self, entry: str, reason: str = "") -> str:
        """Take a rating back, so that the settings count again; returns the id of the change."""
        return self.change({entry: None}, reason)

    def change(self, ratings: Mapping[str, DomainRating | None], reason: str = "") -> str:
        """Set or remove (None) ratings together; returns the id of the change, empty when nothing changed."""
        change_id = self.store.change(ratings, normalise(reason)[:REASON_CHARS])
        if change_id:
            self._put_in_force(ratings)
        return change_id

    def undo(self, change_id: str) -> tuple[str, ...]:
        """Bring back what was before a change; returns the entries that were rated again since, which stay.

        Raises StoreError when there is no such change, it was undone already, or all of it was rated again since.
        """
        change = self.store.get(change_id)
        since = self.store.undo(change_id)
        if change:
            self._put_in_force([entry for entry, _, _ in change.entries])
        return since

    def count_changes(self) -> int:
        """How many changes there were, those that were undone included."""
        return self.store.count_changes()

    def changes(self, limit: int = 20, offset: int = 0) -> list[RatingChange]:
        """Changes, newest first."""
        return self.store.changes(limit, offset)

    def effect(
        self, ratings: Mapping[str, DomainRating | None], looked: Callable[[int], None] = lambda _: None
    ) -> RatingEffect:
        """What these ratings would change; reads the passages under them and changes nothing.

        ``looked`` is called now and then with the number of passages read so far, and may raise to stop.
        """
        now = self.all()
        then = {e: r for e, r in {**now, **ratings}.items() if r is not None}
        book, other = self._knowledge.book, self._knowledge.book.with_ratings(*_rules(then))
        ids: list[str] = []
        under = active = 0
        domains: Counter[str] = Counter()
        before: Counter[float] = Counter()
        with self._knowledge.database.read() as connection:
            for row in _under(connection, self._knowledge, ratings):
                under += 1
                if under % _AT_ONCE == 0:
                    looked(under)
                library = LIBRARY in ratings and row.kind == Kind.NOTE
                old, new = (b.library if library else b.credibility(row.source_url) for b in (book, other))
                if old == new and other.source_type(row.source_url).value == row.source_type:
                    continue
                ids.append(row.id)
                active += row.status == Status.ACTIVE
                domains[row.domain] += 1
                before[old] += 1
            count, shown = _cited(connection, ids)
        return RatingEffect(
            len(ids), active, dict(domains.most_common()), dict(sorted(before.items())), count, shown, under
        )  # fmt: skip

    def _put_in_force(self, entries: Collection[str]) -> None:
        """Take the ratings over, and bring the kind of source of the passages concerned up to date."""
        self.refresh()
        other: dict[SourceType, list[str]] = {}
        with self._knowledge.database.read() as connection:
            for row in _under(connection, self._knowledge, entries):
                if (kind := self._knowledge.book.source_type(row.source_url)).value != row.source_type:
                    other.setdefault(kind, []).append(row.id)
        with self._knowledge.writing() as connection:
            next_watermark(connection)  # even without passages, so that cached figures are counted again
            for kind, ids in other.items():
                set_columns(connection, ids, source_type=kind.value)
        self._knowledge.catch_up()


def rating_of(entry: str, credibility: float, source_type: SourceType | None = None, note: str = "") -> DomainRating:
    """A rating in normal form. Raises ClaimError saying what is wrong with it."""
    if not 0.0 <= credibility <= 1.0:
        raise ClaimError(f"A credibility is a number from 0 to 1, not {credibility:g}. Nothing was changed.")
    return DomainRating(entry_of(entry), round(float(credibility), 4), source_type, normalise(note)[:REASON_CHARS])


def entry_of(written: str) -> str:
    """``host`` or ``host/path`` in comparable form, from that or from an address. Raises ClaimError when it is none."""
    address = written.strip().split("?")[0].split("#")[0]
    host, path = split_address(address)
    # Before an @ in the authority comes a name with a password. In a path it names an author's column.
    named = "@" in (address.partition("://")[2] or address.removeprefix("//")).partition("/")[0]
    if not host or named or len(host) > 253 or not all(_is_label(part) for part in host.split(".")):
        raise ClaimError(
            f"“{normalise(written)[:80]}” is no domain. Write it as example.org, or example.org/opinion for a part of "
            "a site. Nothing was changed."
        )
    host = host.removeprefix("www.") if host.count(".") > 1 else host
    return f"{host}/{path}" if path else host


def _is_label(part: str) -> bool:
    return 0 < len(part) <= 63 and all(c.isalnum() or c in "-_" for c in part)


def _rules(ratings: Mapping[str, DomainRating]) -> tuple[dict[str, float], dict[str, SourceType]]:
    return (
        {e: r.credibility for e, r in ratings.items()},
        {e: r.source_type for e, r in ratings.items() if r.source_type},
    )


def _under(connection: Connection, knowledge: KnowledgeBase, entries: Collection[str]) -> Iterator[Any]:
    """The passages from sources under any of these entries: found by domain, then filtered by address."""
    rules = HostRules(dict.fromkeys(entries, True))
    hosts = {entry.partition("/")[0] for entry in entries}
    # An entry is a domain, a host below one (news.example.org), or what several have in common (gov).
    near = {knowledge.book.domain(host) for host in hosts} | hosts
    there = connection.execute(select(passages.c.domain).distinct()).scalars()
    concerned = [domain for domain in there if domain and (domain in near or not hosts.isdisjoint(suffixes(domain)))]
    names = ("id", "source_url", "domain", "status", "source_type", "kind")
    columns = [passages.c[name] for name in names]
    if LIBRARY in entries:
        yield from connection.execute(select(*columns).where(passages.c.kind == Kind.NOTE.value))
    left = [passages.c.kind != Kind.NOTE.value] if LIBRARY in entries else []
    for domains in batched(concerned, _AT_ONCE):
        query = select(*columns).where(passages.c.domain.in_(domains), *left)
        yield from (row for row in connection.execute(query) if rules.matches(row.source_url))


def _cited(connection: Connection, ids: list[str]) -> tuple[int, tuple[CitedRun, ...]]:
    found = connection.execute(_CITED, {"ids": among.given(ids)}).scalars().all() if ids else []
    if not found:
        return 0, ()
    named = among(runs.c.id, found)
    query = select(runs.c.id, runs.c.claim_text, shown_label().label("label")).where(named)
    rows = connection.execute(query.order_by(runs.c.started_at.desc()).limit(RUNS_SHOWN))
    total = connection.execute(select(func.count()).select_from(runs).where(named)).scalar_one()
    return total, tuple(CitedRun(row.id, row.claim_text, row.label) for row in rows)


PASSAGE_MARK, DOMAIN_MARK = "passage", "domain"
MARKED_CREDIBILITY = 0.1
"""Credibility of a domain that was marked as bad, unless another value is given."""


class SourceMarks:
    """Marks sources as bad and takes that back. Safe to use from any thread."""

    def __init__(self, knowledge: KnowledgeBase, reviews: ReviewStore, ratings: Ratings) -> None:
        self._knowledge = knowledge
        self._reviews = reviews
        self._ratings = ratings

    def passage(self, run_id: str, passage_id: str, reason: str) -> SourceMark:
        """Retire a passage, so that no later check finds it; raises ClaimError when that cannot be done."""
        reason = _reason(reason)
        found = self._knowledge.get([passage_id])
        if not found:
            raise ClaimError("Nothing was changed: this passage is not in your knowledge base, so no check finds it.")
        if found[0].status is not Status.ACTIVE:
            raise ClaimError(f"Nothing was changed: this passage is {found[0].status.value}, so no check finds it.")
        mark = self._reviews.mark(run_id, PASSAGE_MARK, passage_id, reason, found[0].status.value)
        try:
            self._knowledge.retire([passage_id], f"marked as bad in check {run_id}: {reason}")
        except BaseException:
            self._reviews.withdraw(mark.id)  # a mark that says what did not happen is worse than none
            raise
        return mark

    def domain(self, run_id: str, domain: str, reason: str, credibility: float = MARKED_CREDIBILITY) -> SourceMark:
        """Lower the credibility of a domain for later checks; this run keeps the value it was made with."""
        reason = _reason(reason)
        if not domain:
            raise ClaimError("Nothing was changed: the credibility of this source cannot be changed here.")
        change = self._ratings.rate(domain, credibility, f"marked as bad in check {run_id}: {reason}")
        try:
            return self._reviews.mark(run_id, DOMAIN_MARK, domain, reason, change)
        except BaseException:
            if change:
                self._ratings.undo(change)
            raise

    def undo(self, mark: SourceMark) -> None:
        """Take a mark back and bring the source to what it was; harmless when that was done before."""
        if not self._reviews.withdraw(mark.id):
            return
        try:
            if mark.target == PASSAGE_MARK:
                self._knowledge.restore([mark.name], "the mark as bad was taken back")
            elif mark.before:
                self._ratings.undo(mark.before)
        except BaseException:
            self._reviews.reinstate(mark.id)
            raise


def _reason(text: str) -> str:
    if not text.strip():
        raise ClaimError("Nothing was changed: say why the source is bad. The reason is kept with it.")
    return text.strip()
