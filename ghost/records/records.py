"""All that is kept of runs, for whoever needs no knowledge base: it opens at once, also while a page is open."""

from pathlib import Path
from types import TracebackType
from typing import Self

from ghost.errors import StoreError
from ghost.records.cases import CaseStore
from ghost.records.database import Database
from ghost.records.reviews import ReviewStore
from ghost.records.runs import RunStore


class Records:
    """The runs, what the analyst says of them, and their cases."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.runs = RunStore(database)
        self.reviews = ReviewStore(database)
        self.cases = CaseStore(database)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open what is there; raises StoreError, also when there is nothing yet."""
        if not path.is_file():
            raise StoreError(f"Nothing has been checked yet: there is no {path}. Check a claim, or set GHOST_DATA_DIR.")
        return cls(Database.open(path))

    def close(self) -> None:
        """Give the file back."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
