"""Fingerprints of what Ghost itself has written, so that no verdict of ours comes back as evidence.

What an explanation quotes is not its own: whoever has the same source must not be taken for a copy of ours. So only
its own runs of words are kept, and a text is a repetition when most of it stands in the explanation and a fair part of
that is our own wording.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from pydantic import TypeAdapter
from sqlalchemy import Connection, func, insert, select

from ghost.records.database import Database
from ghost.records.shingles import fingerprint, shingles, winnowed, words
from ghost.records.tables import explanation_shingles, meta, runs
from ghost.types import Verdict

MOST = 0.5
"""Share of a text's shingles in an explanation above which the text may be a repetition of it."""
OWN = 0.2
"""Share of a text's shingles that are the explanation's own wording from which it is one."""
OWN_AT_LEAST = 4
"""So many shingles of our own wording are no chance."""
HOLDERS = 50
"""Runs that are kept for one shingle: what stands in more explanations is a phrase of ours and tells nothing new."""
_LOOKED_AT = 5
"""Runs with the most fingerprints in common whose explanations are compared word by word."""
_PAGE = 200
_STATE = "explanations"
_VERSION = "1"
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


def remember(connection: Connection, run_id: str, claim: str, verdict: Verdict) -> None:
    """Keep the fingerprints of an explanation; reads no other run."""
    own = _own(claim, verdict)
    if not own:
        return
    kept = winnowed(own)
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


def repeated(connection: Connection, texts: Sequence[str]) -> list[str]:
    """For each text the id of the run whose explanation it repeats; empty where it repeats none."""
    table = explanation_shingles.c
    if connection.execute(select(table.shingle).limit(1)).first() is None:
        return [""] * len(texts)
    return [_repeats(connection, text) for text in texts]


def catch_up(database: Database) -> int:
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
                    remember(connection, row.id, row.claim_text, verdict)
            if not rows:
                connection.execute(insert(meta).values(key=_STATE, value=_VERSION))
                return done
        done, last = done + len(rows), rows[-1].id


def _repeats(connection: Connection, text: str) -> str:
    mine = set(shingles(words(text)))
    if len(mine) < OWN_AT_LEAST:
        return ""
    table, number = explanation_shingles.c, func.count()
    query = select(table.run_id).where(table.shingle.in_([fingerprint(s) for s in mine])).group_by(table.run_id)
    found = connection.execute(query.order_by(number.desc(), table.run_id).limit(_LOOKED_AT)).scalars().all()
    kept = connection.execute(select(runs.c.id, runs.c.claim_text, runs.c.verdict).where(runs.c.id.in_(found)))
    for row in kept:
        verdict = _verdict(row.verdict)
        if verdict is None:
            continue
        own = mine & set(_own(row.claim_text, verdict))
        shared = mine & set(shingles(words(verdict.explanation)))
        if len(shared) > MOST * len(mine) and len(own) >= max(OWN_AT_LEAST, OWN * len(mine)):
            return str(row.id)
    return ""


def _own(claim: str, verdict: Verdict) -> list[str]:
    """The shingles of an explanation that are our own wording, in order: neither quoted nor the claim's."""
    said = [claim, *(c.quote for c in verdict.citations), *_QUOTED.findall(verdict.explanation)]
    others = _all(said)
    return [s for s in shingles(words(verdict.explanation)) if s not in others]


def _all(texts: Iterable[str]) -> set[str]:
    return {s for text in texts for s in shingles(words(text))}


def _verdict(data: str | None) -> Verdict | None:
    """None for what another version has stored in a form that this one cannot read; it is no copy then."""
    try:
        return _adapter().validate_json(data) if data else None
    except ValueError:
        return None


@cache
def _adapter() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)
