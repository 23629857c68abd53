"""The tables of ``ghost.db``. The migrations create them; this is how the code names them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
)
from sqlalchemy import String as SqlString
from sqlalchemy import Text as SqlText

metadata = MetaData()


def String(length: int) -> SqlText | SqlString:
    """Short text. PostgreSQL is made to compare it by its bytes and to take what is too long, as SQLite does."""
    return SqlString(length).with_variant(SqlText(collation="C"), "postgresql")


Text = SqlText().with_variant(SqlText(collation="C"), "postgresql")
"""Text of any length, compared by its bytes."""

passages = Table(
    "passages",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),  # row of the full-text index
    Column("id", String(32), nullable=False, unique=True),
    Column("merge_key", String(64), nullable=False, unique=True),  # same text, same source: one passage
    Column("text", Text, nullable=False),
    Column("source_url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("domain", String(255), nullable=False, index=True),
    Column("publisher", Text, nullable=False),
    Column("topic", String(80), nullable=False),
    Column("origin", String(16), nullable=False, index=True),
    Column("status", String(16), nullable=False, index=True),
    Column("source_type", String(16), nullable=False),
    Column("language", String(16), nullable=False),
    Column("published_at", Date),
    Column("retrieved_at", DateTime),
    Column("indexed_at", DateTime, nullable=False),
    Column("verification_count", Integer, nullable=False, default=0),
    Column("avg_relevance", Float, nullable=False, default=0.0),
    Column("access_count", Integer, nullable=False, default=0),
    Column("last_accessed", DateTime),
    Column("text_length", Integer, nullable=False),
    Column("embedding_model", String(200), nullable=False),
    Column("changed", BigInteger, nullable=False, index=True),  # watermark of the last write that concerns the vectors
    Column("embedding", LargeBinary, nullable=False),  # float16; last, so that reading the rest does not pass over it
    Column("kin", String(32), nullable=False, default="", server_default=""),
    Column("as_late_as", Date),  # null: its day of publication is that of its text
    Column("as_of", String(10), nullable=False, default="", server_default=""),  # 2024, 2024-05 or 2024-05-31
    # What is counted is counted in an index, never in the table, whose rows are wide.
    Index("ix_passages_facets", "status", "origin", "source_type", "published_at"),
    Index("ix_passages_status_domain", "status", "domain"),
    Index(
        "ix_passages_browse",
        *("status", "origin", "source_type", "language", "topic", "domain", "published_at", "verification_count"),
    ),
    Index(
        "ix_passages_figures",
        *("status", "topic", "domain", "origin", "source_type", "language", "published_at", "indexed_at", "kin"),
    ),
)

passage_bands = Table(
    "passage_bands",
    metadata,
    Column("band", BigInteger, primary_key=True),
    Column("seq", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
"""Parts of the MinHash of each passage, by which those of nearly the same text are found."""

explanation_shingles = Table(
    "explanation_shingles",
    metadata,
    Column("shingle", BigInteger, primary_key=True),
    Column("run_id", String(40), primary_key=True),
    sqlite_with_rowid=False,
)
"""Fingerprints of what our explanations say in words of their own."""

history = Table(
    "passage_history",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("passage_id", String(32), ForeignKey("passages.id"), nullable=False, index=True),
    Column("at", DateTime, nullable=False),
    Column("action", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("old_text", Text, nullable=False),
    Column("change", String(32), nullable=False, default="", server_default="", index=True),
    Column("before", Text, nullable=False, default="", server_default=""),  # JSON: what the change replaced
    Column("after", Text, nullable=False, default="", server_default=""),  # JSON: what it put there
)

changes = Table(
    "passage_changes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("at", DateTime, nullable=False),
    Column("action", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("passages", Integer, nullable=False),
    Column("undone_by", String(32), nullable=False, default="", server_default=""),
)
"""What was done to the knowledge base at one time, to any number of passages; their history has a line for each."""

merges = Table(
    "passage_merges",
    metadata,
    Column("passage_id", String(32), primary_key=True),
    Column("kept_id", String(32), nullable=False, index=True),
)
"""Retired duplicates, and the passage that speaks for them."""

uses = Table(
    "passage_uses",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("passage_id", String(32), primary_key=True),
    Column("relevance", Float, nullable=False),
    Column("stance", String(16), nullable=False),
    Column("cited", Boolean, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_passage_uses_passage", "passage_id"),
    Index("ix_passage_uses_at", "at"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("status", String(16), nullable=False, index=True),
    Column("claim_text", Text, nullable=False),
    Column("label", String(32), nullable=False, default=""),
    Column("started_at", DateTime, nullable=False, index=True),
    Column("finished_at", DateTime),
    Column("owner", String(80), nullable=False),  # process that writes it: host, process id, start time
    Column("claim", Text, nullable=False),  # this and the following are JSON of ghost.types values
    Column("judge", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("classification", Text),
    Column("evidence", Text, nullable=False, default="[]"),
    Column("verdict", Text),
    Column("usage", Text, nullable=False),
    Column("error", Text, nullable=False, default=""),
    Column("judge_name", String(40), nullable=False, server_default=""),
    Column("attempt", Integer, nullable=False, server_default="1"),  # the worker's that writes it; others may not
    # Has all that the list of runs asks for, so that what the runs hold is not read to find them.
    Index("ix_runs_listed", "started_at", "id", "status", "label", "judge_name", "claim_text"),
)

run_steps = Table(
    "run_steps",
    metadata,
    Column("run_id", String(40), ForeignKey("runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String(40), nullable=False),
    Column("step", Text, nullable=False),
)

verdict_supports = Table(
    "verdict_supports",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("origins", Integer, nullable=False),
    Column("credibility", Float, nullable=False),
    Column("source", Text, nullable=False),
    Index("ix_verdict_supports_weak", "origins", "credibility"),
)
"""What the verdicts of decided runs rest on, so that no run is read again to find the weak ones."""

pruned_runs = Table(
    "pruned_runs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("started_at", DateTime, nullable=False),
    Column("pruned_at", DateTime, nullable=False),
    Column("label", String(32), nullable=False),
    Column("claim_text", Text, nullable=False),
    Column("verdict", Text),  # by which Ghost recognises its own words
)
"""What is left of runs that were removed."""

articles = Table(
    "articles",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("title", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("added_at", DateTime, nullable=False, index=True),
    Column("article", Text, nullable=False),  # JSON, last: lists are made without reading it
)
"""Articles whose statements were listed."""

article_checks = Table(
    "article_checks",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("article_id", String(40), ForeignKey("articles.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("run_id", String(40), nullable=False),
    Column("statement", Text, nullable=False),
    Column("at", DateTime, nullable=False),
    Index("ix_article_checks_article", "article_id", "position"),
)
"""Which run checked which sentence of an article."""
reviews = Table(
    "reviews",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(40), nullable=False),
    Column("kind", String(16), nullable=False),  # override, error or mark
    Column("at", DateTime, nullable=False),
    Column("value", String(32), nullable=False),  # the label, the kind of error, or what is marked
    Column("name", Text, nullable=False, default=""),  # of a mark: the passage or the domain
    Column("note", Text, nullable=False, default=""),
    Column("before", Text, nullable=False, default=""),
    Column("withdrawn_at", DateTime),
    Index("ix_reviews_run", "run_id", "kind"),
    Index("ix_reviews_kind", "kind", "withdrawn_at"),
)
"""What the analyst says of runs. Nothing is deleted: what is taken back gets a time."""

cases = Table(
    "cases",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("notes", Text, nullable=False, default=""),
    Column("created_at", DateTime, nullable=False),
    Column("changed_at", DateTime, nullable=False, index=True),
    Column("deleted_at", DateTime),
)

case_runs = Table(
    "case_runs",
    metadata,
    Column("case_id", String(32), ForeignKey("cases.id"), primary_key=True),
    Column("run_id", String(40), primary_key=True),
    Column("added_at", DateTime, nullable=False),
    Index("ix_case_runs_run", "run_id"),
)

web_cache = Table(
    "web_cache",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("stored_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Column("size", Integer, nullable=False),
    Column("head", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),  # last, so that what is pruned is found without reading it
    Index("ix_web_cache_stored_at", "stored_at"),
)

imports = Table(
    "imports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("form", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("owner", String(80), nullable=False),  # process that works on it: host, process id, start time
    Column("started_at", DateTime, nullable=False),
    Column("finished_at", DateTime),
    Column("rows", Integer, nullable=False, default=0),
    Column("added", Integer, nullable=False, default=0),
    Column("merged", Integer, nullable=False, default=0),
    Column("quarantined", Integer, nullable=False, default=0),
    Column("refused", Integer, nullable=False, default=0),
    Column("note", Text, nullable=False, default=""),
    Index("ix_imports_started_at", "started_at"),
)

import_passages = Table(
    "import_passages",
    metadata,
    Column("import_id", String(32), ForeignKey("imports.id"), primary_key=True),
    Column("passage_id", String(32), ForeignKey("passages.id"), primary_key=True),
    Column("action", String(16), nullable=False),
    Column("before", String(16), nullable=False, default=""),  # the status it gets, or gets back
    Column("filled", Text, nullable=False, default=""),  # JSON: what it filled in on a passage that was there
    Index("ix_import_passages_passage", "passage_id"),
    sqlite_with_rowid=False,
)
"""What an import brought, so that all of it can be undone together."""

domain_ratings = Table(
    "domain_ratings",
    metadata,
    Column("entry", Text, primary_key=True),  # host suffix with an optional path
    Column("credibility", Float, nullable=False),
    Column("source_type", String(16), nullable=False, default=""),  # empty: as Ghost knows it
    Column("note", Text, nullable=False, default=""),
    Column("changed_at", DateTime, nullable=False),
)
"""The analyst's own ratings; they go before those of the settings."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", DateTime, nullable=False),
    Column("reason", Text, nullable=False, default=""),
    Column("undone_at", DateTime),
    Index("ix_rating_changes_at", "at"),
)

rating_change_entries = Table(
    "rating_change_entries",
    metadata,
    Column("change_id", String(32), ForeignKey("rating_changes.id"), primary_key=True),
    Column("entry", Text, primary_key=True),
    Column("before", Text, nullable=False, default=""),  # JSON of the rating, empty where there was none
    Column("after", Text, nullable=False, default=""),
    sqlite_with_rowid=False,
)

batches = Table(
    "batches",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("as_of", Date),
    Column("web", Boolean, nullable=False),
    Column("pipeline", String(32), nullable=False, server_default=""),  # empty: as the settings say
    Column("columns", Text, nullable=False),  # JSON list: the heads of the columns that came with the claims
    Column("remarks", Text, nullable=False),  # JSON list: what was left out or changed when the list was read
    Column("owner", String(80), nullable=False),  # process that works on it, as in runs
    Column("created_at", DateTime, nullable=False, index=True),
    Column("finished_at", DateTime),
    Column("removed_at", DateTime),
    Column("turn", BigInteger, nullable=False, server_default="0"),  # when a worker last took a claim from it
    Column("failures", Integer, nullable=False, server_default="0"),  # in a row, as workers met them
)

batch_items = Table(
    "batch_items",
    metadata,
    Column("batch_id", String(40), ForeignKey("batches.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("line", Integer, nullable=False),
    Column("claim", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("found_at", Text, nullable=False),
    Column("same_as", Integer),  # position of the same claim further up, which is the one that is checked
    Column("state", String(16), nullable=False),
    Column("run_id", String(40), nullable=False),
    Column("label", String(32), nullable=False),
    Column("confidence", Float),
    Column("seconds", Float),
    Column("error", Text, nullable=False),
    Column("owner", String(80), nullable=False, server_default=""),  # the worker that checks it, as in runs
    Column("attempts", Integer, nullable=False, server_default="0"),  # workers that it was given to
    Column("cells", Text, nullable=False),  # JSON list, one for each column; last, as it can be long
    Index("ix_batch_items_state", "batch_id", "state", "position", "label"),
    Index("ix_batch_items_same_as", "batch_id", "same_as"),
    Index("ix_batch_items_run", "run_id"),
)

claim_cards = Table(
    "claim_cards",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),  # row of the full-text index
    Column("id", String(32), nullable=False, unique=True),
    Column("key", String(64), nullable=False, unique=True),  # same claim, same day, same author: one card
    Column("claim", Text, nullable=False),
    Column("category", String(20), nullable=False),
    Column("label", String(32), nullable=False),
    Column("confidence", Float),
    Column("origin", String(16), nullable=False),
    Column("checked_at", DateTime, nullable=False, index=True),
    Column("run_id", String(40), nullable=False),
    Column("publisher", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("as_of", Date),
    Column("expires_at", DateTime),
    Column("approved_at", DateTime),
    Column("retired", Boolean, nullable=False),
    Column("margin", Float, nullable=False),
    Column("changed", BigInteger, nullable=False, index=True),  # watermark of the last write that concerns the vectors
    Column("sources", Text, nullable=False),  # JSON: the passages it rests on, as they were when it was made
    Column("answer", Text, nullable=False),
    Column("citations", Text, nullable=False),  # JSON
    Column("limitations", Text, nullable=False),
    Column("would_change", Text, nullable=False),
    Column("embedding_model", String(200), nullable=False),  # empty until its claim was encoded
    Column("embedding", LargeBinary, nullable=False),  # float16; last, as for passages
    Index("ix_claim_cards_run", "run_id"),
    # Has all by which cards are filtered and their states counted, so that what they say is not read for that.
    Index(
        "ix_claim_cards_listed",
        *("retired", "expires_at", "approved_at", "run_id", "label", "origin", "category", "id", "as_of"),
    ),
)
"""Finished answers that later questions can reuse."""

card_sources = Table(
    "card_sources",
    metadata,
    Column("card_id", String(32), primary_key=True),
    Column("passage_id", String(32), primary_key=True),
    Column("key", String(64), nullable=False),
    Index("ix_card_sources_passage", "passage_id"),
    sqlite_with_rowid=False,
)
"""The passages that each card rests on, as in ``claim_cards.sources``; those that were never stored are left out."""

card_history = Table(
    "card_history",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("card_id", String(32), nullable=False, index=True),
    Column("at", DateTime, nullable=False),
    Column("who", String(80), nullable=False),
    Column("action", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Column("before", Text, nullable=False),  # JSON: the columns that the change replaced; empty for a new card
    Column("after", Text, nullable=False),  # JSON: what it put there
    Column("undone_by", String(32), nullable=False, default="", server_default=""),
)
"""Every change of a card, with which it can be taken back."""

router_decisions = Table(
    "router_decisions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("question", Text, nullable=False),
    Column("reformulated", Text, nullable=False),
    Column("conversation_id", String(40), nullable=False, index=True),
    Column("mode", String(16), nullable=False),
    Column("cards", Text, nullable=False),  # JSON list of card ids
    Column("candidates", Text, nullable=False),  # JSON: the cards that were looked at, with slots and scores
    Column("reasoning", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("run_id", String(40), nullable=False),
    Column("decided_by", String(40), nullable=False),
    Column("answer", Text, nullable=False),
    Column("wrong", Boolean, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Index("ix_router_decisions_created_at", "created_at", "mode", "wrong"),
    Index("ix_router_decisions_mode", "mode", "created_at"),
)
"""Where the answer to each question was taken from."""

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

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("role", String(16), nullable=False),
    Column("hash", String(64), nullable=False),  # SHA-256 of the key; the key itself is nowhere
    Column("created_at", DateTime, nullable=False),
    Column("expires_at", DateTime),
    Column("last_used_at", DateTime),
    Column("revoked_at", DateTime),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("owner", String(80), primary_key=True),
    Column("route", String(80), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("begun_at", DateTime, nullable=False, index=True),
    Column("process", String(80), nullable=False),  # that works on it, as the owner in runs
    Column("run_id", String(40), nullable=False),
    Column("done", Boolean, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Requests that may come twice, and their answers."""

processes = Table(
    "processes",
    metadata,
    Column("owner", String(80), primary_key=True),  # as in runs
    Column("kind", String(16), nullable=False),  # worker, or anything else that has the records open
    Column("slots", Integer, nullable=False),  # how much a worker does at a time
    Column("started_at", DateTime, nullable=False),
    Column("alive_until", DateTime, nullable=False),  # unless it says so again; by the database server's clock
)
"""The processes that have a shared database open, each with its latest sign of life."""

run_events = Table(
    "run_events",
    metadata,
    Column("run_id", String(40), primary_key=True),  # or of a question, or of a research
    Column("position", Integer, primary_key=True),
    Column("at", DateTime, nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("event", Text, nullable=False),  # JSON
    sqlite_with_rowid=False,
)
"""What workers report while they work, for those who watch; deleted some time after."""

run_links = Table(
    "run_links",
    metadata,
    Column("run_id", String(40), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("url", Text, nullable=False),  # empty: no more are taken
    sqlite_with_rowid=False,
)
"""Pages that analysts name while a worker checks a claim."""

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Small facts about the database itself: its id, the write watermark, the embedding model."""


def record_tables() -> list[Table]:
    """The tables that a copy of the records has, those first that others refer to.

    All but those about the processes of the moment and what they report.
    """
    return [table for table in metadata.sorted_tables if table not in (processes, run_events)]
