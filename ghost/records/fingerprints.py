"""Texts as fingerprints, by which copies are known: of each other, and of what Ghost itself has written.

No verdict of ours may come back as evidence. What an explanation quotes is not its own, though: a page with the same
source must not be taken for a copy of ours. So only the explanation's own runs of words are kept. A text is a
repetition when most of it is in the explanation and a fair part of that is our own wording, or when it has the words by
which the embedded judge ends a quotation: around a long quotation those few are all that is ours.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, delete, func, insert, select

from ghost.errors import StoreError
from ghost.records.database import Database, from_json
from ghost.records.tables.base import meta
from ghost.records.tables.runs import explanation_shingles, pruned_runs, runs
from ghost.types import Verdict

SHINGLE_WORDS = 3
"""Words of a shingle."""
WINDOW = 8
"""Of so many neighbouring shingles a table keeps one: a common run of ``WINDOW + SIZE - 1`` words always has one."""

# Scripts without spaces between words are taken character by character, or a sentence would be one word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")

MOST = 0.5
"""Share of a text's shingles in an explanation above which the text may be a repetition of it."""
OWN = 0.2
"""Share of a text's shingles that are the explanation's own wording from which it is one."""
OWN_AT_LEAST = 4
"""So many shingles of our own wording are no chance."""
HOLDERS = 50
"""Runs that are kept for one shingle: what stands in more explanations is a phrase of ours and tells nothing new."""
FRAMES = ("which supports", "which contradicts", "which does not", "which says how")
"""How the embedded judge goes on after a quotation (``judges/embedded/wording.py``), as far as a shingle holds it."""
_LOOKED_AT = 5
"""Runs with the most fingerprints in common whose explanations are compared word by word."""
_PAGE = 200
_STATE = "explanations"
_VERSION = "2"
_ASKED = 500
"""Fingerprints that are looked up at a time."""
_NUMBER = re.compile(r"\[\d+\]")
"""Who repeats an explanation leaves the numbers of our evidence out."""
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


def split_words(text: str) -> list[str]:
    """The words of a text in order, case and punctuation aside."""
    return _WORD.findall(text.casefold())


def shingles(of: Sequence[str]) -> list[str]:
    """Runs of ``SIZE`` words in order; a shorter text is one run, an empty one has none."""
    if len(of) <= SHINGLE_WORDS:
        return [" ".join(of)] if of else []
    return [f"{a} {b} {c}" for a, b, c in zip(of, of[1:], of[2:], strict=False)]


def fingerprint(shingle: str) -> int:
    """A number for a shingle, the same in every process and small enough for a database."""
    return int.from_bytes(hashlib.blake2b(shingle.encode(), digest_size=8).digest(), "big") >> 1


def winnowed(of: Sequence[str]) -> set[int]:
    """Fingerprints of about two in nine shingles, chosen so that a long enough run common to two texts shares one."""
    numbers = [fingerprint(s) for s in of]
    return {min(numbers[i : i + WINDOW]) for i in range(max(1, len(numbers) - WINDOW + 1))} if numbers else set()


def remember_explanation(connection: Connection, run_id: str, claim: str, verdict: Verdict) -> None:
    """Keep the fingerprints of an explanation; reads no other run."""
    kept = {number for run in _own_runs(claim, verdict) for number in _kept(run)}
    if not kept:
        return
    table = explanation_shingles.c
    held = connection.execute(
        select(table.shingle, func.count()).where(table.shingle.in_(kept)).group_by(table.shingle)
    ).all()
    kept -= {row[0] for row in held if row[1] >= HOLDERS}
    there = set(
        connection.execute(select(table.shingle).where(table.shingle.in_(kept), table.run_id == run_id)).scalars()
    )
    rows = [{"shingle": number, "run_id": run_id} for number in sorted(kept - there)]
    if rows:
        connection.execute(insert(explanation_shingles), rows)


def repeated_explanations(connection: Connection, texts: Sequence[str]) -> list[str]:
    """For each text the id of the run whose explanation it repeats; empty where it repeats none."""
    table = explanation_shingles.c
    if connection.execute(select(table.shingle).limit(1)).first() is None:
        return [""] * len(texts)
    read = [{s: fingerprint(s) for s in shingles(_words(text))} for text in texts]
    held = _held(connection, {number for mine in read for number in mine.values()})
    return [_repeats(connection, mine) if not held.isdisjoint(mine.values()) else "" for mine in read]


def remember_earlier_explanations(database: Database) -> int:
    """Keep the fingerprints of runs that ended before there were any; returns how many were read."""
    with database.read() as connection:
        state = connection.execute(select(meta.c.value).where(meta.c.key == _STATE)).scalar()
    if state == _VERSION:
        return 0
    done, last = 0, ""
    while True:
        query = select(runs.c.id, runs.c.claim_text, runs.c.verdict)
        query = query.where(runs.c.verdict.is_not(None), runs.c.id > last).order_by(runs.c.id).limit(_PAGE)
        with database.write() as connection:
            rows = connection.execute(query).all()
            for row in rows:
                if (verdict := _verdict(row.verdict)) is not None:
                    remember_explanation(connection, row.id, row.claim_text, verdict)
            if not rows:
                connection.execute(delete(meta).where(meta.c.key == _STATE))
                connection.execute(insert(meta).values(key=_STATE, value=_VERSION))
                return done
        done, last = done + len(rows), rows[-1].id


def _held(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Which fingerprints are those of an explanation; most texts have none, and cost nothing more."""
    column, ordered = explanation_shingles.c.shingle, sorted(numbers)
    parts = (ordered[i : i + _ASKED] for i in range(0, len(ordered), _ASKED))
    return {n for part in parts for n in connection.execute(select(column).where(column.in_(part))).scalars()}


def _repeats(connection: Connection, numbers: Mapping[str, int]) -> str:
    """``numbers`` are the shingles of the text with their fingerprints."""
    mine = set(numbers)
    if len(mine) < OWN_AT_LEAST:
        return ""
    table, number = explanation_shingles.c, func.count()
    query = select(table.run_id).where(table.shingle.in_(sorted(numbers.values()))).group_by(table.run_id)
    found = connection.execute(query.order_by(number.desc(), table.run_id).limit(_LOOKED_AT)).scalars().all()
    # Also those of runs that were removed: their words are still ours.
    stored = (select(t.c.id, t.c.claim_text, t.c.verdict).where(t.c.id.in_(found)) for t in (runs, pruned_runs))
    for row in [row for query in stored for row in connection.execute(query)]:
        verdict = _verdict(row.verdict)
        if verdict is None:
            continue
        own = mine & {s for run in _own_runs(row.claim_text, verdict) for s in run}
        shared = mine & set(shingles(_words(verdict.explanation)))
        enough = OWN_AT_LEAST if _framed(own) else max(OWN_AT_LEAST, OWN * len(mine))
        if len(shared) > MOST * len(mine) and len(own) >= enough:
            return str(row.id)
    return ""


def _framed(own: Iterable[str]) -> bool:
    return any(frame in shingle for shingle in own for frame in FRAMES)


def _own_runs(claim: str, verdict: Verdict) -> list[list[str]]:
    """The shingles of an explanation that are our own wording, in runs: neither quoted nor the claim's."""
    said = [claim, *(c.quote for c in verdict.citations), *_QUOTED.findall(verdict.explanation)]
    others, found = _all(said), list[list[str]]()
    before = False
    for shingle in shingles(_words(verdict.explanation)):
        ours = shingle not in others
        if ours and not before:
            found.append([])
        if ours:
            found[-1].append(shingle)
        before = ours
    return found


def _kept(run: Sequence[str]) -> set[int]:
    """The fingerprints of a run; all of a short one, which is what stands around a quotation."""
    return winnowed(run) if len(run) >= WINDOW else {fingerprint(s) for s in run}


def _words(text: str) -> list[str]:
    return split_words(_NUMBER.sub(" ", text))


def _all(texts: Iterable[str]) -> set[str]:
    return {s for text in texts for s in shingles(_words(text))}


def _verdict(data: str | None) -> Verdict | None:
    """None for what another version has stored in a form that this one cannot read; it is no copy then."""
    try:
        return from_json(Verdict, data) if data else None
    except StoreError:
        return None
