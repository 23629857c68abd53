"""Writing what the analyst made of the facts of a pack back to its file."""

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ghost.errors import StoreError, StoreReadOnlyError
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.packs import YOURS, Pack, fact_of, parse, read_pack, same_fact, stored_passages
from ghost.knowledge.values import PassageFilter
from ghost.text import write_whole
from ghost.types import Origin, Passage, Status

_DROPPED = {Status.RETIRED: "it was retired", Status.QUARANTINED: "it waits in quarantine"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that would not be in the file as it is there now."""

    kind: str
    """added, changed, dropped."""
    old: str
    """The text in the file; empty when it is added."""
    new: str
    """The text that would be there; empty when it is dropped."""
    why: str
    passage_id: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be written to one file."""

    path: Path
    text: str
    """The whole file."""
    differences: tuple[Difference, ...]
    facts: int
    """How many facts there would be."""
    made_from: str
    """SHA-256 of the file that it was compared with."""
    unknown: int
    """Facts of the file that are not in the knowledge base; they stay as they are."""


def draft_packs(
    knowledge: KnowledgeBase, packs: Sequence[Pack], folder: Path, off: Collection[str] = ()
) -> dict[str, Draft]:
    """By name: the packs as the knowledge base would have them, edited facts as they read now, without retired ones.

    A fact that was not touched keeps its line to the letter, and its place. What was made a seed fact and is in no
    pack is written to one of its own. Packs that are ``off`` are left out.
    """
    yours = next((pack for pack in packs if pack.name == YOURS), None) or read_pack(folder / f"{YOURS}.jsonl")
    found = {pack.name: stored_passages(knowledge, pack.facts) for pack in (*packs, yours)}
    seen = {p.id for passages in found.values() for p in passages if p}
    active = knowledge.each(PassageFilter(status=Status.ACTIVE, origin=Origin.SEED))
    added = [p for p in active if p.id not in seen]
    made = {
        pack.name: _draft(pack, found[pack.name], added if pack.name == YOURS else ())
        for pack in {pack.name: pack for pack in (*packs, yours)}.values()
        if pack.name not in off
    }
    return {name: draft for name, draft in made.items() if draft.facts or draft.differences}


def write_draft(new: Draft) -> Path:
    """Put the draft in the place of its file, whole or not at all, and return the copy of the old one beside it.

    Raises StoreError when the file is not the one that the draft was compared with, or cannot be written.
    """
    parse(new.text)
    path, backup = new.path, backup_path(new.path)
    try:
        now = path.read_bytes() if path.exists() else b""
        if hashlib.sha256(now).hexdigest() != new.made_from:
            raise StoreError(f"Nothing was written: {path} has changed since. Look at the differences again.")
        if path.exists():
            shutil.copy2(path, backup)
        else:
            write_whole(backup, [b""])
        write_whole(path, [new.text.encode()])
    except OSError as error:
        raise StoreReadOnlyError(f"Nothing was written: {path} cannot be written ({error.strerror}).") from error
    return backup


def take_back_draft(path: Path) -> None:
    """Put the copy in the place of the file, and the file in the place of the copy. Raises StoreError."""
    backup = backup_path(path)
    try:
        now, before = path.read_bytes(), backup.read_bytes()
        write_whole(path, [before])
        write_whole(backup, [now])
    except OSError as error:
        raise StoreError(f"{path} could not be put back from {backup} ({error.strerror}).") from error


def backup_path(path: Path) -> Path:
    """Where the last state of a file is kept."""
    return path.with_name(path.name + ".bak")


def is_writable(path: Path) -> bool:
    """Whether the file can be replaced, or made where there is none."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _draft(pack: Pack, found: Sequence[Passage | None], added: Sequence[Passage]) -> Draft:
    lines = [line for line in pack.text.splitlines() if line.strip()]
    kept: list[str] = []
    differences: list[Difference] = []
    seen: set[str] = set()
    for line, fact, p in zip(lines, pack.facts, found, strict=True):
        if p is None:
            kept.append(line)
            continue
        why = _why_dropped(p, p.id in seen)
        seen.add(p.id)
        new = fact_of(p, fact)
        if why:
            differences.append(Difference("dropped", fact["text"], "", why, p.id))
        elif same_fact(fact, new):
            kept.append(line)
        else:
            kept.append(json.dumps(new, ensure_ascii=False))
            changed = [name for name in ("text", "source", "details") if new.get(name) != fact.get(name)]
            differences.append(Difference("changed", fact["text"], new["text"], ", ".join(changed), p.id))
    for p in added:
        kept.append(json.dumps(fact_of(p, {}), ensure_ascii=False))
        differences.append(Difference("added", "", p.text, "it is a seed fact now", p.id))
    text = "".join(f"{line}\n" for line in kept)
    return Draft(pack.path, text, tuple(differences), len(kept), pack.digest, list(found).count(None))


def _why_dropped(p: Passage, again: bool) -> str:
    if p.status in _DROPPED:
        return _DROPPED[p.status]
    if p.origin is not Origin.SEED:
        return "it was taken out of the seed facts"
    return "it is the same passage as an earlier line" if again else ""
