"""Claim cards, and where the answers to questions were taken from."""

from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Float, Index, Integer, LargeBinary, Table

from ghost.records.tables.base import String, Text, metadata

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
