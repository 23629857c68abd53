"""Switching packs off and on again: their passages are retired in one change, and that change is taken back."""

import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, or_, select

from ghost.errors import StoreError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.change_log import Change, change_of, new_change
from ghost.knowledge.packs import Pack, stored_passages
from ghost.knowledge.rows import get_meta, set_meta
from ghost.records import changes, history, merges
from ghost.types import Origin, Passage, Status

_STATE = "packs_off"


class SwitchedBy(StrEnum):
    """Who has switched a pack off."""

    PAGE = "page"
    SETTING = "setting"


@dataclass(frozen=True, slots=True)
class _Off:
    by: SwitchedBy
    change: str
    """By which its passages were retired; empty when there were none to be retired."""


_STATES = TypeAdapter(dict[str, _Off])


def switched_off(knowledge: KnowledgeBase) -> dict[str, SwitchedBy]:
    """The packs that are off, and by whom. A pack whose switching off was undone among the changes is on again."""
    with knowledge.database.read() as connection:
        return {name: off.by for name, off in _states(connection).items() if _holds(connection, off)}


def switch_pack_off(
    knowledge: KnowledgeBase, pack: Pack, others: Iterable[Pack], by: SwitchedBy = SwitchedBy.PAGE
) -> Change | None:
    """Retire what came with a pack, as one change; None when there is nothing to be retired.

    What the analyst has edited, retired, merged or made another kind of passage stays as it is, and what one of the
    ``others`` has too, which are on, stays where it is.
    """
    elsewhere = {
        p.id for other in others if other.name != pack.name for p in stored_passages(knowledge, other.facts) if p
    }
    found = [p for p in stored_passages(knowledge, pack.facts) if p and p.id not in elsewhere]
    ids = _untouched(knowledge, found)
    change = new_change() if ids else ""
    # First the state, which counts for nothing while there is no such change: a process killed in between loses
    # nothing, and leaves no retired passages that belong to no pack.
    _note(knowledge, pack.name, _Off(by, change))
    return knowledge.curation.retire_as(change, ids, f"the pack {pack.title} was switched off") if ids else None


def switch_pack_on(knowledge: KnowledgeBase, name: str) -> Change | None:
    """Restore what switching off has retired and what was not changed since. None when there is no such passage.

    The facts that came into the pack meanwhile are for the caller to put in.
    """
    with knowledge.database.read() as connection:
        off = _states(connection).get(name)
        if off is None or not _holds(connection, off):
            return None
    if off.change:
        with suppress(StoreError):  # all of them were changed since
            # The state stays, so that undoing this switches the pack off again.
            return knowledge.curation.undo(off.change).change
    _note(knowledge, name, None)
    return None


def apply_packs_off(knowledge: KnowledgeBase, packs: Sequence[Pack], named: Collection[str]) -> list[str]:
    """Switch off what the settings name, and on what they named before; returns the packs that were switched on."""
    off = switched_off(knowledge)
    on = [pack for pack in packs if pack.name not in {*off, *named}]
    for pack in packs:
        if pack.name in named and pack.name not in off:
            switch_pack_off(knowledge, pack, on, SwitchedBy.SETTING)
    again = [name for name, by in off.items() if by is SwitchedBy.SETTING and name not in named]
    for name in again:
        switch_pack_on(knowledge, name)
    return again


def _untouched(knowledge: KnowledgeBase, found: Sequence[Passage]) -> list[str]:
    """Those of the passages that are as they came."""
    ids = list(dict.fromkeys(p.id for p in found if p.status is Status.ACTIVE and p.origin is Origin.SEED))
    with knowledge.database.read() as connection:
        deeds = select(history.c.passage_id).outerjoin(changes, changes.c.id == history.c.change)
        edited = deeds.where(
            history.c.action == "edited", or_(changes.c.undone_by.is_(None), changes.c.undone_by == "")
        )
        touched = {*connection.execute(edited).scalars(), *connection.execute(select(merges.c.kept_id)).scalars()}
    return [i for i in ids if i not in touched]


def _holds(connection: Connection, off: _Off) -> bool:
    """Whether the pack is off still: undoing the change that switched it off has switched it on."""
    if not off.change:
        return True
    change = change_of(connection, off.change)
    return change is not None and not change.undone_by


def _states(connection: Connection) -> dict[str, _Off]:
    try:
        return _STATES.validate_json(get_meta(connection, _STATE) or "{}")
    except ValidationError:  # written by another version
        return {}


def _note(knowledge: KnowledgeBase, name: str, off: _Off | None) -> None:
    with knowledge.database.write() as connection:
        kept = {other: state for other, state in _states(connection).items() if other != name}
        kept |= {name: off} if off else {}
        set_meta(connection, _STATE, json.dumps(_STATES.dump_python(kept, mode="json")))
