"""The facts a new knowledge base starts with: ``SEED_FACTS``, and ``seed()`` to put them in."""

import hashlib
from pathlib import Path
from typing import Any

from ghost.knowledge import seed_facts
from ghost.knowledge.base import AddReport, KnowledgeBase
from ghost.knowledge.seed_facts import Draft
from ghost.knowledge.writes import get_meta, set_meta

_FILE = Path(__file__).resolve().parent / "seed_facts.jsonl"


def _read() -> list[dict[str, Any]]:
    return seed_facts.parse(_FILE.read_text(encoding="utf-8"))


SEED_FACTS: list[dict[str, Any]] = _read()
"""Each with ``text``, ``source`` (an address) and ``details`` (title, publisher, topic)."""


def seed(knowledge: KnowledgeBase, facts: list[dict[str, Any]] | None = None) -> AddReport:
    """Put the facts in. Safe to repeat: what is there merges, and what the analyst retired or edited stays so."""
    return knowledge.add(seed_facts.offered(knowledge, SEED_FACTS if facts is None else facts))


def seed_if_changed(knowledge: KnowledgeBase) -> AddReport | None:
    """Seed when these facts have not been put in yet: into a new knowledge base, or after an upgrade brought others."""
    with knowledge.database.read() as connection:
        if get_meta(connection, "seed") == _digest():
            return None
    report = seed(knowledge)
    _note_seeded(knowledge)
    return report


def path() -> Path:
    """The file of these facts."""
    return _FILE


def draft(knowledge: KnowledgeBase) -> Draft:
    """The file as this knowledge base would have it; nothing is written."""
    return seed_facts.draft(knowledge, _FILE.read_text(encoding="utf-8"))


def write_back(knowledge: KnowledgeBase, new: Draft) -> Path:
    """Write the draft to the file and return the copy of the old one. Raises StoreError when it cannot be done."""
    backup = seed_facts.write(_FILE, new)
    _written(knowledge, new.unknown)
    return backup


def take_back(knowledge: KnowledgeBase) -> None:
    """Put the file back as it was before it was written last. Raises StoreError."""
    seed_facts.take_back(_FILE)
    _written(knowledge, draft(knowledge).unknown)


def _written(knowledge: KnowledgeBase, unknown: int) -> None:
    """Facts that the knowledge base all has need not be put in at the next start; ``unknown`` ones have to be."""
    SEED_FACTS[:] = _read()
    if not unknown:
        _note_seeded(knowledge)


def _note_seeded(knowledge: KnowledgeBase) -> None:
    with knowledge.database.write() as connection:
        set_meta(connection, "seed", _digest())


def _digest() -> str:
    return hashlib.sha256(_FILE.read_bytes()).hexdigest()
