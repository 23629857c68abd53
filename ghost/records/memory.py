"""What research remembers: facts, which questions they answer, and the pages that were read.

Nothing marks a fact when its passage changes. Each read compares the two instead, as for claim cards, so that no
change can be missed, whoever made it, and one that is undone counts no longer at once.
"""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Label, Row, and_, delete, func, insert, literal_column, or_, select, update

from ghost.records.database import Database, batched, from_row, to_column, utc_now
from ghost.records.dialect import contains_text
from ghost.records.tables.knowledge import passages
from ghost.records.tables.research import research_coverage, research_coverage_facts, research_episodes, research_facts
from ghost.types import Coverage, Episode, Fact, page_key

RETIRED: Label[str] = literal_column(
    "CASE WHEN passages.id IS NULL THEN 'Its passage is not in the knowledge base any more.' "
    "WHEN passages.status = 'quarantined' THEN 'Its passage was put into quarantine.' "
    "WHEN passages.status != 'active' THEN 'Its passage was retired.' "
    "WHEN passages.merge_key != research_facts.passage_key THEN 'Its passage was edited.' ELSE '' END"
).label("retired")
"""Why a fact does not count any more; empty while it does."""
_HOLDS = and_(passages.c.status == "active", passages.c.merge_key == research_facts.c.passage_key)
_WITH_PASSAGES = research_facts.outerjoin(passages, passages.c.id == research_facts.c.passage_id)
_PAGE = 400


class Remembered(StrEnum):
    """What has vectors."""

    COVERAGE = "coverage"
    EPISODES = "episodes"


_TABLES = {Remembered.COVERAGE: research_coverage, Remembered.EPISODES: research_episodes}


@dataclass(frozen=True, slots=True)
class Vector:
    """One memory with the vector that it is found by."""

    seq: int
    id: str
    embedding: bytes


@dataclass(frozen=True, slots=True)
class NewFact:
    """An excerpt that was found for a question; its passage is in the knowledge base."""

    excerpt: str
    passage_id: str
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class NewEpisode:
    """A page that was read for a question."""

    url: str
    title: str
    digest: str
    facts: int
    embedding: bytes


@dataclass(frozen=True, slots=True)
class NewCoverage:
    """What the web phase found for one question of a topic."""

    topic: str
    question: str
    topic_key: str
    question_key: str
    research_id: str
    facts: tuple[NewFact, ...] = ()
    episodes: tuple[NewEpisode, ...] = ()
    searches: int = 0
    fetches: int = 0
    embedding: bytes = b""
    """Of the question."""
    model: str = ""
    """That made the embeddings."""
    same_as: str = ""
    nothing: bool = False
    """Whether the web was asked without trouble and had no answer."""
    known: tuple[str, ...] = ()
    """Ids of the facts of ``same_as``, which this question then has too."""


def text_key(text: str) -> str:
    """A hash by which equal texts are found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class MemoryStore:
    """Keeps facts, coverage and episodes. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Writing

    def remember(self, found: NewCoverage) -> Coverage | None:
        """Keep what was found for a question, all of it or nothing; None where it has no facts to be covered by.

        That the web had ``nothing`` is kept as coverage without facts, unless there are some from before.
        Repeating it changes nothing but the day on which it was found: a fact is kept once for each question and text.
        """
        now = to_column(utc_now())
        with self._database.write() as connection:
            for episode in found.episodes:
                _add_episode(connection, found, episode, now)
            ids = [_add_fact(connection, found, fact, now) for fact in found.facts] or list(found.known)
            ids = [fact_id for fact_id in dict.fromkeys(ids) if fact_id]
            if not ids:
                if found.nothing and not _has_facts(connection, found):
                    _cover(connection, found, now)
                return None
            coverage_id = _cover(connection, found, now)
            mine = research_coverage_facts
            connection.execute(delete(mine).where(mine.c.coverage_id == coverage_id))
            rows = [{"coverage_id": coverage_id, "position": n, "fact_id": i} for n, i in enumerate(ids, 1)]
            connection.execute(insert(mine), rows)
            return _coverages(connection, research_coverage.c.id == coverage_id)[0]

    def set_vectors(self, kind: Remembered, model: str, vectors: Mapping[int, bytes]) -> None:
        """Give memories, by ``seq``, the vectors of another model."""
        table = _TABLES[kind]
        with self._database.write() as connection:
            for seq, embedding in vectors.items():
                values = {"embedding": embedding, "embedding_model": model}
                connection.execute(update(table).where(table.c.seq == seq).values(**values))

    # Finding

    def asked(self, question_keys: Sequence[str]) -> list[Coverage]:
        """The coverage of these very questions, whatever their topic."""
        with self._database.read() as connection:
            return _coverages(connection, research_coverage.c.question_key.in_(list(question_keys)))

    def coverages(self, ids: Sequence[str]) -> list[Coverage]:
        """Those with these ids, in this order; unknown ids are left out."""
        with self._database.read() as connection:
            found = {c.id: c for some in batched(ids, _PAGE) for c in _coverages(connection, _any_of(some))}
        return [found[i] for i in ids if i in found]

    def facts_with(self, ids: Sequence[str]) -> list[Fact]:
        """The facts with these ids, in this order, also those that do not count any more."""
        with self._database.read() as connection:
            found: dict[str, Fact] = {}
            for some in batched(ids, _PAGE):
                rows = connection.execute(_facts().where(research_facts.c.id.in_(some)))
                found |= {row.id: _fact(row) for row in rows}
        return [found[i] for i in ids if i in found]

    def facts(self, text: str = "", limit: int = 50, offset: int = 0, active: bool | None = None) -> list[Fact]:
        """A page of the facts with ``text`` in topic, question or excerpt, newest first.

        ``active``: only those that count, or only those that do not.
        """
        query = _narrowed(_facts(), text, active).order_by(research_facts.c.found_at.desc(), research_facts.c.seq)
        with self._database.read() as connection:
            return [_fact(row) for row in connection.execute(query.limit(limit).offset(offset))]

    def count_facts(self, text: str = "", active: bool | None = None) -> int:
        """How many facts ``facts`` would list."""
        query = _narrowed(select(func.count()).select_from(_WITH_PASSAGES), text, active)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def episodes(self, text: str = "", limit: int = 50, offset: int = 0) -> list[Episode]:
        """A page of the episodes with ``text`` in topic, title or address, newest first."""
        e = research_episodes.c
        query = _with_words(select(research_episodes), text, e.topic, e.title, e.url)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(e.read_at.desc(), e.seq).limit(limit).offset(offset))
            return [from_row(Episode, row) for row in rows]

    def count_episodes(self, text: str = "") -> int:
        """How many episodes ``episodes`` would list."""
        e = research_episodes.c
        query = _with_words(select(func.count()).select_from(research_episodes), text, e.topic, e.title, e.url)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def episodes_with(self, ids: Sequence[str]) -> list[Episode]:
        """The episodes with these ids, in this order."""
        with self._database.read() as connection:
            rows = connection.execute(select(research_episodes).where(research_episodes.c.id.in_(list(ids))))
            found = {row.id: from_row(Episode, row) for row in rows}
        return [found[i] for i in ids if i in found]

    # Vectors

    def mark(self, kind: Remembered) -> tuple[int, int]:
        """How many memories there are, and the last ``seq``: another pair after each change."""
        table = _TABLES[kind]
        with self._database.read() as connection:
            count, last = connection.execute(select(func.count(), func.max(table.c.seq)).select_from(table)).one()
        return count, last or 0

    def vectors(self, kind: Remembered, model: str, after: int = 0) -> list[Vector]:
        """The vectors of this model with a greater ``seq``, in that order."""
        t = _TABLES[kind].c
        query = select(t.seq, t.id, t.embedding).where(t.seq > after, t.embedding_model == model).order_by(t.seq)
        with self._database.read() as connection:
            return [Vector(*row) for row in connection.execute(query)]

    def without_vectors(self, kind: Remembered, model: str, limit: int) -> dict[int, str]:
        """What has no vector of this model: the text to encode by ``seq``."""
        t = _TABLES[kind].c
        text = t.question if kind is Remembered.COVERAGE else t.title
        query = select(t.seq, text).where(t.embedding_model != model).order_by(t.seq).limit(limit)
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}


def _any_of(ids: Sequence[str]) -> Any:
    return research_coverage.c.id.in_(ids)


def _coverages(connection: Connection, which: Any) -> list[Coverage]:
    rows = connection.execute(select(research_coverage).where(which).order_by(research_coverage.c.seq)).all()
    f = research_coverage_facts.c
    ids: dict[str, list[str]] = {row.id: [] for row in rows}
    query = select(f.coverage_id, f.fact_id).where(f.coverage_id.in_(list(ids))).order_by(f.coverage_id, f.position)
    for row in connection.execute(query):
        ids[row.coverage_id].append(row.fact_id)
    return [from_row(Coverage, row, facts=tuple(ids[row.id])) for row in rows]


def _facts() -> Any:
    return select(research_facts, passages.c.published_at, RETIRED).select_from(_WITH_PASSAGES)


def _fact(row: Row[Any]) -> Fact:
    return from_row(Fact, row)


def _narrowed(query: Any, text: str, active: bool | None) -> Any:
    f = research_facts.c
    query = _with_words(query, text, f.topic, f.question, f.excerpt)
    if active is None:
        return query
    return query.where(_HOLDS if active else or_(passages.c.id.is_(None), ~_HOLDS))


def _with_words(query: Any, text: str, *columns: Any) -> Any:
    wanted = text.strip()
    if not wanted:
        return query
    return query.where(or_(*(contains_text(column, wanted) for column in columns)))


def _add_fact(connection: Connection, found: NewCoverage, new: NewFact, now: datetime | None) -> str:
    """The id of the fact, new or known; empty where its passage does not count."""
    p, f, page = passages.c, research_facts.c, text_key(page_key(new.url))
    key = connection.execute(select(p.merge_key).where(p.id == new.passage_id, p.status == "active")).scalar()
    if key is None:
        return ""
    mine = and_(f.topic_key == found.topic_key, f.question_key == found.question_key)
    same = and_(mine, f.passage_id == new.passage_id, f.passage_key == key)
    if known := connection.execute(select(f.id).where(same)).scalar():
        connection.execute(update(research_facts).where(f.id == known).values(found_at=now))
        return str(known)
    earlier = and_(mine, f.page == page, f.research_id != found.research_id)
    version = connection.execute(select(func.coalesce(func.max(f.version), 0) + 1).where(earlier)).scalar_one()
    fact_id = uuid.uuid4().hex
    connection.execute(
        insert(research_facts).values(
            id=fact_id, version=version, topic=found.topic, topic_key=found.topic_key, question=found.question,
            question_key=found.question_key, excerpt=new.excerpt, passage_id=new.passage_id, passage_key=key,
            page=page, url=new.url, title=new.title, found_at=now, research_id=found.research_id,
        )
    )  # fmt: skip
    return fact_id


def _has_facts(connection: Connection, found: NewCoverage) -> bool:
    c, f = research_coverage.c, research_coverage_facts.c
    mine = and_(c.topic_key == found.topic_key, c.question_key == found.question_key)
    query = select(f.fact_id).join(research_coverage, c.id == f.coverage_id).where(mine).limit(1)
    return connection.execute(query).first() is not None


def _cover(connection: Connection, found: NewCoverage, now: datetime | None) -> str:
    """The id of the coverage of the question, new or brought up to date."""
    c = research_coverage.c
    mine = and_(c.topic_key == found.topic_key, c.question_key == found.question_key)
    values = {
        "covered_at": now, "research_id": found.research_id, "searches": found.searches, "fetches": found.fetches,
        "same_as": found.same_as,
    }  # fmt: skip
    if known := connection.execute(select(c.id, c.version, c.research_id).where(mine)).first():
        again = found.research_id != known.research_id and not found.same_as
        changed = update(research_coverage).where(c.id == known.id)
        connection.execute(changed.values(version=known.version + again, **values))
        return str(known.id)
    coverage_id = uuid.uuid4().hex
    connection.execute(
        insert(research_coverage).values(
            id=coverage_id, version=1, topic=found.topic, topic_key=found.topic_key, question=found.question,
            question_key=found.question_key, embedding_model=found.model, embedding=found.embedding, **values,
        )
    )  # fmt: skip
    return coverage_id


def _add_episode(connection: Connection, found: NewCoverage, new: NewEpisode, now: datetime | None) -> None:
    """One reading of a page by a research; a page that it reads for several questions is one episode."""
    e, page = research_episodes.c, text_key(page_key(new.url))
    mine = and_(e.research_id == found.research_id, e.page == page)
    if known := connection.execute(select(e.id).where(mine)).scalar():
        values = {"facts": e.facts + new.facts, "read_at": now, "digest": new.digest}
        connection.execute(update(research_episodes).where(e.id == known).values(**values))
        return
    version = connection.execute(select(func.coalesce(func.max(e.version), 0) + 1).where(e.page == page)).scalar_one()
    connection.execute(
        insert(research_episodes).values(
            id=uuid.uuid4().hex, version=version, topic=found.topic, page=page, url=new.url, title=new.title,
            read_at=now, digest=new.digest, facts=new.facts, research_id=found.research_id,
            embedding_model=found.model, embedding=new.embedding,
        )
    )  # fmt: skip
