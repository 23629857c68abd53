"""Groups of active passages that say nearly the same in the same words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import Connection, select, text

from ghost.knowledge.likeness import one_text
from ghost.knowledge.mirror import Progress, no_progress
from ghost.knowledge.near import HOLDERS, Lookup, bands
from ghost.knowledge.said import Said
from ghost.records import Database, passages
from ghost.types import Status

_SHARED = text("SELECT group_concat(seq) FROM passage_bands GROUP BY band HAVING count(*) > 1")
_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class Group:
    """Passages of nearly one text."""

    ids: tuple[str, ...]
    """Oldest first."""
    domains: tuple[str, ...]
    """Their domains, each once; passages without an address have the empty one."""


def groups(database: Database, progress: Progress = no_progress) -> list[Group]:
    """All groups, the largest first. Reads the bands of all passages, and the texts of those that share one.

    ``progress`` may raise to stop; nothing is changed here.
    """
    what = "Comparing passages"
    progress(what, 0, 1)
    with database.read() as connection:
        shared = sorted({tuple(map(int, row[0].split(","))) for row in connection.execute(_SHARED)})
        read = _read(connection, sorted({seq for together in shared for seq in together}), progress)
    root = {seq: seq for seq in read}
    for done, together in enumerate(shared, start=1):
        present = [seq for seq in together if seq in read]
        # A text that stands on a thousand sites is compared with the first of them.
        for one, other in combinations(present, 2) if len(present) <= HOLDERS else _with_first(present):
            if _root(root, one) != _root(root, other) and one_text(read[one].said, read[other].said):
                root[max(_root(root, one), _root(root, other))] = min(_root(root, one), _root(root, other))
        if done % _CHUNK == 0:
            progress(what, done, len(shared))
    together_by: dict[int, list[int]] = {}
    for seq in sorted(read):
        together_by.setdefault(_root(root, seq), []).append(seq)
    found = [
        Group(tuple(read[seq].id for seq in seqs), tuple(dict.fromkeys(read[seq].domain for seq in seqs)))
        for seqs in together_by.values()
        if len(seqs) > 1
    ]
    return sorted(found, key=lambda group: -len(group.ids))


def alike(connection: Connection, passage_id: str) -> list[str]:
    """Ids of the other passages of nearly the same text, whatever their status, oldest first."""
    said = connection.execute(select(passages.c.text).where(passages.c.id == passage_id)).scalar()
    if said is None:
        return []
    of = bands([said])
    return [row.id for row in Lookup(connection, of).alike(said, of[0]) if row.id != passage_id]


@dataclass(frozen=True, slots=True)
class _Read:
    id: str
    domain: str
    said: Said


def _read(connection: Connection, seqs: Sequence[int], progress: Progress) -> dict[int, _Read]:
    """Those of them that are active, as they are compared."""
    found: dict[int, _Read] = {}
    for start in range(0, len(seqs), _CHUNK):
        query = select(passages.c.seq, passages.c.id, passages.c.domain, passages.c.text).where(
            passages.c.seq.in_(seqs[start : start + _CHUNK]), passages.c.status == Status.ACTIVE.value
        )
        for row in connection.execute(query):
            found[row.seq] = _Read(row.id, row.domain, Said.of(row.text))
        progress("Reading passages that may be alike", min(start + _CHUNK, len(seqs)), len(seqs))
    return found


def _with_first(seqs: Sequence[int]) -> list[tuple[int, int]]:
    return [(first, other) for first in seqs[:HOLDERS] for other in seqs if other > first]


def _root(root: dict[int, int], seq: int) -> int:
    while root[seq] != seq:
        root[seq] = root[root[seq]]
        seq = root[seq]
    return seq
