"""Articles that an analyst has taken apart, and which of their sentences were checked in which run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import func, insert, select

from ghost.records.database import Database, from_json, from_row, to_column, to_json, utc_now
from ghost.records.dialect import upsert
from ghost.records.tables.cases import article_checks, articles


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an article, and what could be checked of it."""

    position: int
    """1-based place in the article."""
    text: str
    """As it stands there."""
    statement: str = ""
    """What a check would be about; empty where evidence can settle nothing in it."""
    worth: float = 0.0
    """How much a check is worth, 0..1."""
    why: str = ""
    """Why nothing in it can be checked."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text with its sentences."""

    id: str
    title: str
    url: str
    """Where it was found, so that it never supports itself; empty where nobody has said."""
    added_at: datetime
    sentences: tuple[Sentence, ...]
    site: str = ""
    author: str = ""
    published_at: date | None = None
    notes: tuple[str, ...] = ()
    """What a reader should know of how it was read: what was cut, one sentence each."""

    @property
    def checkable(self) -> tuple[Sentence, ...]:
        """The sentences that evidence can say something about, in the order of the article."""
        return tuple(s for s in self.sentences if s.statement)


@dataclass(frozen=True, slots=True)
class ArticleSummary:
    """An article in a list."""

    id: str
    title: str
    url: str
    added_at: datetime
    checks: int
    """Sentences of it that were checked."""


@dataclass(frozen=True, slots=True)
class ArticleCheck:
    """The newest check of a sentence."""

    position: int
    run_id: str
    statement: str
    """The words that are checked, which the analyst may have edited."""


class ArticleStore:
    """Keeps articles. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, article: Article) -> None:
        """Keep an article. One that is kept under its id already stays as it is."""
        body = to_json(Article, replace(article, id=""))
        row = {"id": article.id, "title": article.title, "url": article.url, "article": body}
        with self._database.write() as connection:
            put = upsert(connection, articles).values(**row, added_at=to_column(article.added_at))
            connection.execute(put.on_conflict_do_nothing())

    def get(self, article_id: str) -> Article | None:
        """The article, or None when there is none with this id."""
        with self._database.read() as connection:
            row = connection.execute(select(articles.c.article).where(articles.c.id == article_id)).first()
        return replace(from_json(Article, row.article, "An article"), id=article_id) if row else None

    def count(self) -> int:
        """How many articles are kept."""
        with self._database.read() as connection:
            return connection.execute(select(func.count(articles.c.id))).scalar_one()

    def latest(self, limit: int, offset: int = 0) -> list[ArticleSummary]:
        """Articles without their sentences, newest first."""
        counted = (
            select(article_checks.c.article_id, func.count(article_checks.c.position.distinct()).label("checks"))
            .group_by(article_checks.c.article_id)
            .subquery()
        )
        query = (
            select(articles.c.id, articles.c.title, articles.c.url, articles.c.added_at, counted.c.checks)
            .outerjoin(counted, counted.c.article_id == articles.c.id)
            .order_by(articles.c.added_at.desc(), articles.c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [from_row(ArticleSummary, row, checks=row.checks or 0) for row in rows]

    def checked(self, article_id: str, checks: Sequence[tuple[int, str, str]]) -> None:
        """Keep which sentences are checked in which runs: (position, run id, the words that are checked)."""
        now = to_column(utc_now())
        rows = [
            {"article_id": article_id, "position": position, "run_id": run_id, "statement": text, "at": now}
            for position, run_id, text in checks
        ]
        if rows:
            with self._database.write() as connection:
                connection.execute(insert(article_checks), rows)

    def checks(self, article_id: str) -> dict[int, ArticleCheck]:
        """The newest check of each sentence that was checked, by its position."""
        t = article_checks.c
        query = select(t.position, t.run_id, t.statement).where(t.article_id == article_id).order_by(t.at, t.id)
        with self._database.read() as connection:
            return {row.position: ArticleCheck(*row) for row in connection.execute(query)}
