"""Keys of the API, and requests that may come twice."""

from sqlalchemy import Boolean, Column, DateTime, Integer, LargeBinary, Table

from ghost.records.tables.base import String, metadata

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
