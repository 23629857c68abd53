"""What all tables are made with, and the one about the database itself."""

from sqlalchemy import Column, MetaData, Table
from sqlalchemy import String as SqlString
from sqlalchemy import Text as SqlText

metadata = MetaData()


def String(length: int) -> SqlText | SqlString:
    """Short text. PostgreSQL is made to compare it by its bytes and to take what is too long, as SQLite does."""
    return SqlString(length).with_variant(SqlText(collation="C"), "postgresql")


Text = SqlText().with_variant(SqlText(collation="C"), "postgresql")
"""Text of any length, compared by its bytes."""

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Small facts about the database itself: its id, the write watermark, the embedding model."""
