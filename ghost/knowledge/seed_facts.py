"""The file of seed facts: reading it, and writing what the analyst made of the facts back to it.

One JSON object per line: ``text``, ``source`` (an address), ``details`` (title, publisher, topic, published_at,
language, and whatever else somebody has put there).
"""

import difflib
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ghost.errors import StoreError, StoreReadOnlyError
from ghost.files import write_whole
from ghost.knowledge.admission import admit
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.changes import CHUNK
from ghost.knowledge.former import former_seeds
from ghost.knowledge.rows import key_of
from ghost.knowledge.values import PassageFilter
from ghost.knowledge.writes import known
from ghost.types import NewPassage, Origin, Passage, Status

Fact = dict[str, Any]
_DROPPED = {Status.RETIRED: "it was retired", Status.QUARANTINED: "it waits in quarantine"}


class _Fact(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(extra="allow", strict=True)

    text: str
    source: str = ""
    details: dict[str, Any] = {}


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
    """What would be written."""

    text: str
    """The whole file."""
    differences: tuple[Difference, ...]
    facts: int
    """How many facts there would be."""
    made_from: str
    """SHA-256 of the file that it was compared with."""
    unknown: int
    """Facts of the file that are not in the knowledge base; they stay as they are."""


def parse(text: str) -> list[Fact]:
    """The facts in a file. Raises StoreError naming the first line that is none."""
    facts = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            fact = _Fact.model_validate_json(line)
            passage_of(fact.model_dump())
        except ValidationError as error:
            told = error.errors()[0]
            where = ".".join(map(str, told["loc"]))
            raise StoreError(f"Line {number} is no seed fact: {where + ': ' if where else ''}{told['msg']}.") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise StoreError(f"Line {number} is no seed fact: {error}.") from None
        facts.append(json.loads(line))
    return facts


def passage_of(fact: Fact) -> NewPassage:
    """A fact as a passage."""
    details = fact.get("details", {})
    published = details.get("published_at")
    return NewPassage(
        text=fact["text"],
        source_url=fact.get("source", ""),
        title=details.get("title", ""),
        origin=Origin.SEED,
        language=details.get("language", "en"),
        publisher=details.get("publisher", ""),
        topic=details.get("topic", ""),
        published_at=date.fromisoformat(published) if published else None,
        note="came with Ghost",
    )


def offered(knowledge: KnowledgeBase, facts: Sequence[Fact]) -> list[NewPassage]:
    """The facts as passages to be put in: what the analyst has made of one stands in its place, so that they merge."""
    new = [passage_of(fact) for fact in facts]
    stored = _stored(knowledge, facts)
    return [
        replace(one, text=p.text, source_url=p.source_url) if p else one for one, p in zip(new, stored, strict=True)
    ]


def draft(knowledge: KnowledgeBase, text: str) -> Draft:
    """The file as the knowledge base would have it: edited facts as they read now, without what was retired.

    A fact that was not touched keeps its line to the letter, and its place. Raises StoreError when the file has a
    line that is no fact.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    facts = parse(text)
    stored = _stored(knowledge, facts)
    kept: list[str] = []
    differences: list[Difference] = []
    seen: set[str] = set()
    for line, fact, p in zip(lines, facts, stored, strict=True):
        if p is None:
            kept.append(line)
            continue
        why = _why_dropped(p, p.id in seen)
        seen.add(p.id)
        new = fact_of(p, fact)
        if why:
            differences.append(Difference("dropped", fact["text"], "", why, p.id))
        elif _same(fact, new):
            kept.append(line)
        else:
            kept.append(_line(new))
            changed = [name for name in ("text", "source", "details") if new.get(name) != fact.get(name)]
            differences.append(Difference("changed", fact["text"], new["text"], ", ".join(changed), p.id))
    for p in reversed(_seeds(knowledge)):
        if p.id not in seen:
            kept.append(_line(fact_of(p, {})))
            differences.append(Difference("added", "", p.text, "it is a seed fact now", p.id))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Draft("".join(f"{line}\n" for line in kept), tuple(differences), len(kept), digest, stored.count(None))


def diff(old: str, new: str) -> str:
    """Two states of the file, line by line, as ``diff -u`` shows them."""
    return "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), "now", "new", n=0, lineterm=""))


def fact_of(p: Passage, old: Fact) -> Fact:
    """A passage as a fact; what else the old fact says of it stays."""
    details = {**old.get("details", {}), "title": p.title, "publisher": p.publisher, "topic": p.topic}
    details |= {"published_at": p.published_at.isoformat()} if p.published_at else {}
    if not p.published_at:
        details.pop("published_at", None)
    if p.language != "en" or "language" in details:
        details["language"] = p.language
    return {**old, "text": p.text, "source": p.source_url, "details": details}


def write(path: Path, new: Draft) -> Path:
    """Put the draft in the place of the file, whole or not at all, and return the copy of the old one beside it.

    Raises StoreError when the file is not the one that the draft was compared with, or cannot be written.
    """
    parse(new.text)
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != new.made_from:
            raise StoreError(f"Nothing was written: {path} has changed since. Look at the differences again.")
        backup = backup_of(path)
        shutil.copy2(path, backup)
        write_whole(path, [new.text.encode()])
    except OSError as error:
        raise StoreReadOnlyError(f"Nothing was written: {path} cannot be written ({error.strerror}).") from error
    return backup


def take_back(path: Path) -> None:
    """Put the copy in the place of the file, and the file in the place of the copy. Raises StoreError."""
    backup = backup_of(path)
    try:
        now, before = path.read_bytes(), backup.read_bytes()
        write_whole(path, [before])
        write_whole(backup, [now])
    except OSError as error:
        raise StoreError(f"{path} could not be put back from {backup} ({error.strerror}).") from error


def backup_of(path: Path) -> Path:
    """Where the last state of the file is kept."""
    return path.with_name(path.name + ".bak")


def writable(path: Path) -> bool:
    """Whether the file can be replaced."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _seeds(knowledge: KnowledgeBase) -> list[Passage]:
    """All active seed facts, newest first."""
    which = PassageFilter(status=Status.ACTIVE, origin=Origin.SEED)
    found: list[Passage] = []
    while page := knowledge.list(which, CHUNK, len(found)):
        found += page
    return found


def _stored(knowledge: KnowledgeBase, facts: Sequence[Fact]) -> list[Passage | None]:
    """For each fact the passage that it became, whatever was made of it since."""
    admitted = [admit(passage_of(fact)).passage for fact in facts]
    keys = [key_of(p.text, p.source_url) if p else "" for p in admitted]
    ids: dict[str, str] = {}
    with knowledge.database.read() as connection:
        for start in range(0, len(keys), CHUNK):
            part = [key for key in keys[start : start + CHUNK] if key]
            ids |= {key: row.id for key, row in known(connection, part).items()}
        ids |= former_seeds(connection, {key for key in keys if key and key not in ids})
    unique = list(dict.fromkeys(ids.values()))
    found = {p.id: p for start in range(0, len(unique), CHUNK) for p in knowledge.get(unique[start : start + CHUNK])}
    return [found.get(ids.get(key, "")) for key in keys]


def _why_dropped(p: Passage, again: bool) -> str:
    if p.status in _DROPPED:
        return _DROPPED[p.status]
    if p.origin is not Origin.SEED:
        return "it was taken out of the seed facts"
    return "it is the same passage as an earlier line" if again else ""


def _same(old: Fact, new: Fact) -> bool:
    """Whether two facts make the same passage: an empty field and one that is not there are the same."""
    one, other = admit(passage_of(old)).passage, admit(passage_of(new)).passage
    return one == other


def _line(fact: Fact) -> str:
    return json.dumps(fact, ensure_ascii=False)
