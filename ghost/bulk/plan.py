"""Dividing a list into parts, and finding the lines that may say the same. What is known of all lines is on disk."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ghost.bulk.claim_file import ClaimFile, ClaimRow, item_row
from ghost.bulk.folder import PLAN, BulkFolder
from ghost.bulk.tables import PlannedClaim, claims_table, jsonl
from ghost.jobs import Columns, Sheet, claims_of, same_claim_key
from ghost.knowledge import Progress
from ghost.matching import block_keys

PART = 200
"""Claims in a part at most: some minutes of one core, which a kill loses at most."""
MOST_NEAR = 3
"""Earlier lines that one line is held against."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The lines of a list."""

    lines: int = 0
    refused: int = 0
    """Cannot be checked."""
    repeated: int = 0
    """Say what an earlier line says, word for word."""
    near: int = 0
    """May say what an earlier line says in other words."""
    parts: int = 0

    @property
    def claims(self) -> int:
        """Lines that are checked unless they turn out to repeat another one."""
        return self.lines - self.refused - self.repeated

    def with_part(self, claims: Sequence[PlannedClaim], refused: Sequence[object]) -> "Counts":
        """These counts and those of one more part."""
        return Counts(
            self.lines + len(claims) + len(refused),
            self.refused + len(refused),
            self.repeated + sum(claim.same_as is not None for claim in claims),
            self.near + sum(bool(claim.near) for claim in claims),
            self.parts + 1,
        )


@dataclass(frozen=True, slots=True)
class Repeat:
    """A line that says what an earlier one says."""

    line: int
    id: str
    claim: str
    first: int
    """The line that is checked instead."""


class Plan:
    """What is known of the lines of one list, in a file in its folder."""

    def __init__(self, folder: BulkFolder) -> None:
        """Opens or makes it."""
        self._folder = folder
        self._database = sqlite3.connect(folder.path / PLAN, isolation_level=None)
        self._database.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID;"
            "CREATE TABLE IF NOT EXISTS blocks (key INTEGER, line INTEGER, PRIMARY KEY (key, line)) WITHOUT ROWID;"
            "CREATE TABLE IF NOT EXISTS claims (line INTEGER PRIMARY KEY, claim TEXT);"
            "CREATE TABLE IF NOT EXISTS repeats (line INTEGER PRIMARY KEY, id TEXT, claim TEXT, first INTEGER, "
            "part INTEGER);"
            "CREATE INDEX IF NOT EXISTS repeats_by_first ON repeats (first);"
            "CREATE INDEX IF NOT EXISTS repeats_by_part ON repeats (part);"
            "CREATE TABLE IF NOT EXISTS verdicts (line INTEGER PRIMARY KEY, row TEXT);"
            "CREATE TABLE IF NOT EXISTS parts (part INTEGER PRIMARY KEY, labels TEXT);"
        )

    def close(self) -> None:
        """Give the file back."""
        self._database.close()

    def make(self, file: ClaimFile, size: int, max_chars: int, progress: Progress) -> Counts:
        """Read the list and write its parts of at most ``size`` claims. Raises ClaimError and GhostError."""
        counts, part = Counts(), 0
        for rows in _some(file.rows(), size):
            claims: list[PlannedClaim] = []
            refused: list[dict[str, Any]] = []
            with self._kept():
                for row, text, problem in _tidied(rows, max_chars):
                    if problem:
                        refused.append({"line": row.line, "id": row.id, "claim": row.text, "reason": problem})
                    else:
                        claims.append(self._planned(row, text, part))
            self._write(part, claims, refused)
            counts, part = counts.with_part(claims, refused), part + 1
            progress("Reading the list:", counts.lines, 0)
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return counts

    def _write(self, part: int, claims: Sequence[PlannedClaim], refused: Sequence[dict[str, Any]]) -> None:
        self._folder.write(self._folder.claims(part), [claims_table(claims)])
        self._folder.write(self._folder.refused(part), [jsonl(refused)])
        if not any(claim.near for claim in claims):
            self._folder.write(self._folder.repeats(part), [b"[]"])

    def _planned(self, row: ClaimRow, text: str, part: int) -> PlannedClaim:
        run = self._database.execute
        key = hashlib.blake2b(same_claim_key(text).encode("utf-8", "replace"), digest_size=16).digest()
        if found := run("SELECT line FROM texts WHERE key = ?", (key,)).fetchone():
            run("INSERT INTO repeats VALUES (?, ?, ?, ?, ?)", (row.line, row.id, text, found[0], part))
            return PlannedClaim(row.line, row.id, text, same_as=found[0])
        keys = block_keys(text)
        near: set[int] = set()
        for block in keys:
            near |= {line for (line,) in run(
                "SELECT line FROM blocks WHERE key = ? ORDER BY line LIMIT ?", (block, MOST_NEAR))}  # fmt: skip
        earliest = sorted(near)[:MOST_NEAR]
        texts = [run("SELECT claim FROM claims WHERE line = ?", (line,)).fetchone()[0] for line in earliest]
        run("INSERT INTO texts VALUES (?, ?)", (key, row.line))
        run("INSERT INTO claims VALUES (?, ?)", (row.line, text))
        self._database.executemany("INSERT OR IGNORE INTO blocks VALUES (?, ?)", [(block, row.line) for block in keys])
        return PlannedClaim(row.line, row.id, text, near=tuple(earliest), near_claims=tuple(texts))

    def join(self, same: Sequence[tuple[int, int]], claims: Sequence[PlannedClaim], part: int) -> None:
        """Note that these lines of a part repeat an earlier one: pairs of the two. Safe to repeat.

        Never by way of a third one: what is the same as the same may be something else. Parts are joined in order.
        """
        of = {claim.line: claim for claim in claims}
        with self._kept() as run:
            for line, first in sorted(same):
                if self.first_of(first) is None:
                    row = (line, of[line].id, of[line].claim, first, part)
                    run("INSERT OR IGNORE INTO repeats VALUES (?, ?, ?, ?, ?)", row)

    def first_of(self, line: int) -> int | None:
        """The line that is checked in place of this one; None where it is checked itself."""
        row = self._database.execute("SELECT first FROM repeats WHERE line = ?", (line,)).fetchone()
        if row is None:
            return None
        # What repeats a line word for word follows it to where that is checked.
        return self.first_of(row[0]) or int(row[0])

    def repeats_in(self, part: int) -> list[Repeat]:
        """The lines of a part that are not checked themselves."""
        rows = self._database.execute("SELECT line, id, claim FROM repeats WHERE part = ? ORDER BY line", (part,))
        return [Repeat(line, id, claim, self.first_of(line) or 0) for line, id, claim in rows.fetchall()]

    def repeated(self) -> int:
        """How many lines repeat another one."""
        return int(self._database.execute("SELECT count(*) FROM repeats").fetchone()[0])

    def shared(self) -> int:
        """How many of those lines have the verdict of the other one: it may have none."""
        return int(self._database.execute(
            "SELECT count(*) FROM repeats r LEFT JOIN repeats up ON up.line = r.first "
            "JOIN verdicts v ON v.line = coalesce(up.first, r.first)").fetchone()[0])  # fmt: skip

    def keep_part(self, part: int, rows: Sequence[dict[str, Any]]) -> None:
        """Keep of a part that was checked what its repeats need, and how many verdicts of each kind it has."""
        with self._kept() as run:
            for row in rows:
                if run("SELECT 1 FROM repeats WHERE first = ?", (row["line"],)).fetchone():
                    run("INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (row["line"], jsonl([row]).decode()))
            labels = json.dumps(Counter(row["verdict"] for row in rows))
            run("INSERT OR REPLACE INTO parts VALUES (?, ?)", (part, labels))

    def verdict_of(self, line: int) -> dict[str, Any] | None:
        """The row of a line that others repeat; None where it has no verdict."""
        row = self._database.execute("SELECT row FROM verdicts WHERE line = ?", (line,)).fetchone()
        if row is None:
            return None
        found: dict[str, Any] = json.loads(row[0])
        return found | {"checked_at": datetime.fromisoformat(found["checked_at"])}

    def labels(self) -> Counter[str]:
        """How many of the lines that were checked have each verdict."""
        total: Counter[str] = Counter()
        for (labels,) in self._database.execute("SELECT labels FROM parts"):
            total.update(json.loads(labels))
        return total

    @contextmanager
    def _kept(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """One transaction."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield self._database.execute
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")


def _some(rows: Iterator[ClaimRow], size: int) -> Iterator[list[ClaimRow]]:
    some: list[ClaimRow] = []
    for row in rows:
        some.append(row)
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some


def _tidied(rows: Sequence[ClaimRow], max_chars: int) -> Iterator[tuple[ClaimRow, str, str]]:
    """Each row with its claim, or with the reason why it cannot be checked."""
    found = claims_of(Sheet("", ("claim",), tuple(item_row(row) for row in rows), False, ""), Columns(0), max_chars)
    for row, item in zip(rows, found.items, strict=True):
        yield row, item.claim, item.refused
