"""What passages were before they were changed."""

import json
from collections.abc import Collection

from sqlalchemy import Connection, or_, select

from ghost.knowledge.changes import CHUNK, states
from ghost.knowledge.rows import key_of
from ghost.records import history
from ghost.types import Origin

_TOLD = ("text", "source_url", "origin")


def former_seeds(connection: Connection, keys: Collection[str]) -> dict[str, str]:
    """For each merge key that a passage had while it was a seed fact: the id of that passage.

    A passage is known by the key it has and by the one it came with; this finds what it was between two changes.
    """
    wanted = set(keys)
    if not wanted:
        return {}
    mine = history.c
    moved = or_(mine.old_text != "", mine.before.contains('"source_url"', autoescape=True))
    ids = list(connection.execute(select(mine.passage_id).where(moved).distinct()).scalars())
    was = {i: {name: state[name] for name in _TOLD} for i, (_, state) in states(connection, ids).items()}
    found: dict[str, str] = {}
    for start in range(0, len(ids), CHUNK):
        of = mine.passage_id.in_(ids[start : start + CHUNK])
        lines = select(mine.passage_id, mine.old_text, mine.before).where(of).order_by(mine.id.desc())
        for line in connection.execute(lines):
            state = was[line.passage_id]
            state |= {name: value for name, value in json.loads(line.before or "{}").items() if name in _TOLD}
            state["text"] = line.old_text or state["text"]
            if state["origin"] == Origin.SEED and (key := key_of(state["text"], state["source_url"])) in wanted:
                found.setdefault(key, line.passage_id)
    return found
