"""Finding stored passages of nearly the same text without reading the others: MinHash in bands.

Two texts share a band with a probability that rises steeply with their likeness: 98 of 100 texts with a Jaccard
similarity of 0.6 share one, 2 of 100 with 0.1. What shares a band is then compared word by word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

import rensa
from sqlalchemy import Connection, Row, delete, exists, func, select, text, update

from ghost.knowledge.rows import get_meta, set_meta
from ghost.knowledge.similarity import ComparableText, nearly_same, root_of
from ghost.knowledge.values import Progress, no_progress
from ghost.records import (
    Database,
    among,
    batched,
    fingerprint,
    joined,
    numbers,
    passage_bands,
    passages,
    shingles,
    split_words,
    upsert,
)
from ghost.types import Status, same_page

BANDS = 16
ROWS = 3
_SEED = 1
MAX_COMPARED = 8
"""Passages compared for one band: a text that a thousand sites have is found through the first ones."""
_PAGE = 500
_STATE = "bands"
_VERSION = f"rensa {rensa.RMinHash.ALGORITHM_VERSION} {BANDS}x{ROWS}"
_COLUMNS = [c for c in passages.c if c.name not in ("embedding", "changed", "embedding_model")]
_LOOK = text(
    " UNION ".join(
        f"SELECT seq FROM (SELECT seq FROM passage_bands WHERE band = :b{i} ORDER BY seq LIMIT {MAX_COMPARED}) AS b{i}"
        for i in range(BANDS)
    )
)

_ASKED = numbers("bands").table_valued("value")
_HELD = select(_ASKED.c.value).where(exists().where(passage_bands.c.band == _ASKED.c.value))


def bands(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The bands of each text; one without words has none."""
    triples = [shingles(split_words(t)) for t in texts]
    if not triples:
        return []
    rows = rensa.RMinHash.digest_matrix_from_token_sets(triples, BANDS * ROWS, _SEED).to_rows()
    parts = ([row[i * ROWS : (i + 1) * ROWS] for i in range(BANDS)] for row in rows)
    found = (tuple(fingerprint(f"{i} {part}") for i, part in enumerate(each)) for each in parts)
    return [its if of else () for of, its in zip(triples, found, strict=True)]


@dataclass(slots=True)
class Lookup:
    """Near-identical passages of a batch: those in the database, and those earlier in the batch."""

    connection: Connection
    of: InitVar[Sequence[tuple[int, ...]]]
    """The bands of all texts that will be looked up. Unknown ones are ruled out in one query."""
    _held: set[int] = field(init=False)
    _batch: list[tuple[tuple[int, ...], dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self, of: Sequence[tuple[int, ...]]) -> None:
        asked = among.given(band for its in of for band in its)
        self._held = set(self.connection.execute(_HELD, {"bands": asked}).scalars())

    def find(self, of: str, its_bands: tuple[int, ...]) -> list[Row[Any]]:
        """Stored passages of nearly this text, oldest first."""
        if self._held.isdisjoint(its_bands):
            return []
        found = self.connection.execute(_LOOK, {f"b{i}": band for i, band in enumerate(its_bands)}).scalars().all()
        if not found:
            return []
        query = select(*_COLUMNS).where(passages.c.seq.in_(found)).order_by(passages.c.seq)
        said = ComparableText.of(of)
        return [row for row in self.connection.execute(query) if nearly_same(said, ComparableText.of(row.text))]

    def find_in_batch(self, of: str, its_bands: tuple[int, ...], source_url: str) -> dict[str, Any] | None:
        """The first passage of the batch with nearly this text from another source."""
        together = [row for others, row in self._batch if not set(its_bands).isdisjoint(others)]
        elsewhere = [row for row in together if is_elsewhere(row["source_url"], source_url)]
        said = ComparableText.of(of) if elsewhere else None
        return next((row for row in elsewhere if said and nearly_same(said, ComparableText.of(row["text"]))), None)

    def remember(self, its_bands: tuple[int, ...], row: dict[str, Any]) -> None:
        """Note a new row of the batch."""
        self._batch.append((its_bands, row))

    def store(self) -> None:
        """Write the bands of the batch, whose rows are in the table by now."""
        by_id = {row["id"]: its for its, row in self._batch}
        seqs = self.connection.execute(select(passages.c.id, passages.c.seq).where(passages.c.id.in_(list(by_id))))
        store_bands(self.connection, ((row.seq, by_id[row.id]) for row in seqs))


def is_elsewhere(one: str, other: str) -> bool:
    """Whether two addresses are of different places; two passages without one are."""
    return not one or (one != other and not same_page(one, other))


def first_elsewhere(rows: Iterable[Row[Any]], source_url: str) -> Row[Any] | None:
    """Of passages of nearly one text the first that is from another source."""
    return next((row for row in rows if is_elsewhere(row.source_url, source_url)), None)


def store_bands(connection: Connection, of: Iterable[tuple[int, tuple[int, ...]]]) -> None:
    """Write bands by the ``seq`` of their passage."""
    rows = [{"band": band, "seq": seq} for seq, its in of for band in its]
    if rows:
        connection.execute(upsert(connection, passage_bands).on_conflict_do_nothing(), rows)


def drop_bands(connection: Connection, of: Sequence[tuple[int, str]]) -> None:
    """Remove the bands of passages, by ``seq`` and text."""
    for (seq, _), its in zip(of, bands([passage for _, passage in of]), strict=True):
        connection.execute(delete(passage_bands).where(passage_bands.c.band.in_(its), passage_bands.c.seq == seq))


def replace_bands(connection: Connection, seq: int, old: str, new: str) -> None:
    """Give a passage the bands of another text."""
    drop_bands(connection, [(seq, old)])
    store_bands(connection, zip([seq], bands([new]), strict=True))


def add_missing_bands(database: Database) -> int:
    """Write bands and kin of passages that came in before there were any, or with another version of the library.

    A process killed in between goes on where it was. Returns how many passages were read.
    """
    with database.read() as connection:
        state = get_meta(connection, _STATE) or ""
    if state == _VERSION:
        return 0
    version, _, at = state.partition("@")
    last, done = (int(at), 0) if version == _VERSION else (0, 0)
    if version != _VERSION:
        with database.write() as connection:
            connection.execute(delete(passage_bands))
            set_meta(connection, _STATE, f"{_VERSION}@0")
    while True:
        with database.write() as connection:
            query = select(passages.c.seq, passages.c.text, passages.c.source_url, passages.c.kin)
            rows = connection.execute(query.where(passages.c.seq > last).order_by(passages.c.seq).limit(_PAGE)).all()
            for row, its in zip(rows, bands([row.text for row in rows]), strict=True):
                if not row.kin and (
                    first := first_elsewhere(Lookup(connection, [its]).find(row.text, its), row.source_url)
                ):
                    values = {"kin": first.kin or first.id}
                    connection.execute(update(passages).where(passages.c.seq == row.seq).values(**values))
                store_bands(connection, [(row.seq, its)])
            set_meta(connection, _STATE, f"{_VERSION}@{rows[-1].seq}" if rows else _VERSION)
        if not rows:
            return done
        done, last = done + len(rows), rows[-1].seq


_SHARED = select(joined(passage_bands.c.seq)).group_by(passage_bands.c.band).having(func.count() > 1)
_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Passages of nearly one text."""

    ids: tuple[str, ...]
    """Oldest first."""
    domains: tuple[str, ...]
    """Their domains, each once; passages without an address have the empty one."""


def duplicate_groups(database: Database, progress: Progress = no_progress) -> list[DuplicateGroup]:
    """All groups, the largest first. Reads the bands of all passages, and the texts of those that share one.

    ``progress`` may raise to stop; nothing is changed here.
    """
    what = "Comparing passages"
    progress(what, 0, 1)
    with database.read() as connection:
        shared = sorted({tuple(sorted(map(int, row[0].split(",")))) for row in connection.execute(_SHARED)})
        read = _read(connection, sorted({seq for together in shared for seq in together}), progress)
    said = {seq: ComparableText.of(row.text) for seq, row in read.items()}
    root = {seq: seq for seq in read}
    for done, together in enumerate(shared, start=1):
        present = [seq for seq in together if seq in read]
        # A text that a thousand sites have is compared with the first of them.
        for one, other in ((a, b) for a in present[:MAX_COMPARED] for b in present if b > a):
            first, last = sorted((root_of(root, one), root_of(root, other)))
            if first != last and nearly_same(said[one], said[other]):
                root[last] = first
        if done % _CHUNK == 0:
            progress(what, done, len(shared))
    groups: dict[int, list[Row[Any]]] = {}
    for seq in sorted(read):
        groups.setdefault(root_of(root, seq), []).append(read[seq])
    found = [
        DuplicateGroup(tuple(row.id for row in rows), tuple(dict.fromkeys(row.domain for row in rows)))
        for rows in groups.values()
        if len(rows) > 1
    ]
    return sorted(found, key=lambda group: -len(group.ids))


def duplicates_of(connection: Connection, passage_id: str) -> list[str]:
    """Ids of the other passages of nearly the same text, whatever their status, oldest first."""
    said = connection.execute(select(passages.c.text).where(passages.c.id == passage_id)).scalar()
    if said is None:
        return []
    of = bands([said])
    return [row.id for row in Lookup(connection, of).find(said, of[0]) if row.id != passage_id]


def _read(connection: Connection, seqs: Sequence[int], progress: Progress) -> dict[int, Row[Any]]:
    """Those of them that are active."""
    found: dict[int, Row[Any]] = {}
    done = 0
    c = passages.c
    for some in batched(seqs, _CHUNK):
        active = select(c.seq, c.id, c.domain, c.text).where(c.seq.in_(some), c.status == Status.ACTIVE.value)
        found |= {row.seq: row for row in connection.execute(active)}
        done += len(some)
        progress("Reading passages that may be alike", done, len(seqs))
    return found
