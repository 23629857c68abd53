"""The text of the last file of skills that could be used, so that a broken one does not take them away."""

from sqlalchemy import insert, select, update

from ghost.records.database import Database
from ghost.records.tables.base import meta

_KEY = "skills_last_used"


class SkillsText:
    """Keeps one text. Safe to use from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last_skills(self) -> str:
        """The text; empty when there was none. Raises StoreError."""
        with self._database.read() as connection:
            return str(connection.execute(select(meta.c.value).where(meta.c.key == _KEY)).scalar() or "")

    def keep_skills(self, text: str) -> None:
        """Keep it in place of the one before. Raises StoreError."""
        with self._database.write() as connection:
            changed = connection.execute(update(meta).where(meta.c.key == _KEY).values(value=text))
            if changed.rowcount == 0:
                connection.execute(insert(meta).values(key=_KEY, value=text))
