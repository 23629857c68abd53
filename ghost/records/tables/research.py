"""Researches, and what is remembered of them."""

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Index, Integer, LargeBinary, Table

from ghost.records.tables.base import String, Text, metadata

researches = Table(
    "researches",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("topic", Text, nullable=False),
    Column("status", String(16), nullable=False, index=True),
    Column("judge", String(40), nullable=False),
    Column("web", Boolean, nullable=False),
    Column("owner", String(80), nullable=False),  # process that works on it, as in runs
    Column("started_at", DateTime, nullable=False, index=True),
    Column("finished_at", DateTime),
    Column("plan", Text, nullable=False),  # this and the following two are JSON; empty until it is known
    Column("savings", Text, nullable=False),
    Column("usage", Text, nullable=False),
    Column("error", Text, nullable=False),
)

research_steps = Table(
    "research_steps",
    metadata,
    Column("research_id", String(40), ForeignKey("researches.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("step", Text, nullable=False),  # JSON
)

research_answers = Table(
    "research_answers",
    metadata,
    Column("research_id", String(40), ForeignKey("researches.id"), primary_key=True),
    Column("question", Integer, primary_key=True),
    Column("answer", Text, nullable=False),  # JSON
)

research_facts = Table(
    "research_facts",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("topic", Text, nullable=False),
    Column("topic_key", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("question_key", String(64), nullable=False),
    Column("excerpt", Text, nullable=False),
    Column("passage_id", String(32), nullable=False, index=True),
    Column("passage_key", String(64), nullable=False),  # its merge key when the fact was found: an edit changes it
    Column("page", String(64), nullable=False),  # hash of the page's key
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("found_at", DateTime, nullable=False, index=True),
    Column("research_id", String(40), nullable=False),
    Index("ix_research_facts_once", "topic_key", "question_key", "passage_id", "passage_key", unique=True),
)
"""Semantic memory: excerpts that answer a question. Whether one still holds is compared with its passage when read."""

research_coverage = Table(
    "research_coverage",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("topic", Text, nullable=False),
    Column("topic_key", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("question_key", String(64), nullable=False, index=True),
    Column("covered_at", DateTime, nullable=False),
    Column("research_id", String(40), nullable=False),
    Column("searches", Integer, nullable=False),
    Column("fetches", Integer, nullable=False),
    Column("same_as", String(32), nullable=False),
    Column("embedding_model", String(200), nullable=False),
    Column("embedding", LargeBinary, nullable=False),  # float16; last, as for passages
    Index("ix_research_coverage_once", "topic_key", "question_key", unique=True),
)
"""Which questions were answered from the web, or found to ask the same as one that was."""

research_coverage_facts = Table(
    "research_coverage_facts",
    metadata,
    Column("coverage_id", String(32), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("fact_id", String(32), nullable=False, index=True),
    sqlite_with_rowid=False,
)

research_episodes = Table(
    "research_episodes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("topic", Text, nullable=False),
    Column("page", String(64), nullable=False, index=True),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("read_at", DateTime, nullable=False, index=True),
    Column("digest", String(64), nullable=False),
    Column("facts", Integer, nullable=False),
    Column("research_id", String(40), nullable=False),
    Column("embedding_model", String(200), nullable=False),
    Column("embedding", LargeBinary, nullable=False),  # float16; last, as for passages
    Index("ix_research_episodes_once", "research_id", "page", unique=True),
)
"""Episodic memory: pages that were read for a topic."""
