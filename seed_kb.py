"""The facts a new knowledge base starts with: ``SEED_FACTS``, and ``seed()`` to put them in."""

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

from ghost.knowledge.base import AddReport, KnowledgeBase
from ghost.knowledge.writes import get_meta, set_meta
from ghost.types import NewPassage, Origin

_FILE = Path(__file__).resolve().parent / "seed_facts.jsonl"


def _read() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines() if line.strip()]


SEED_FACTS: list[dict[str, Any]] = _read()
"""Each with ``text``, ``source`` (an address) and ``details`` (title, publisher, topic)."""


def seed(knowledge: KnowledgeBase, facts: list[dict[str, Any]] | None = None) -> AddReport:
    """Put the facts in. Safe to repeat: what is there merges, and what the analyst retired stays retired."""
    return knowledge.add(passage_of(fact) for fact in (SEED_FACTS if facts is None else facts))


def seed_if_changed(knowledge: KnowledgeBase) -> AddReport | None:
    """Seed when these facts have not been put in yet: into a new knowledge base, or after an upgrade brought others."""
    digest = hashlib.sha256(_FILE.read_bytes()).hexdigest()
    with knowledge.database.read() as connection:
        if get_meta(connection, "seed") == digest:
            return None
    report = seed(knowledge)
    with knowledge.database.write() as connection:
        set_meta(connection, "seed", digest)
    return report


def passage_of(fact: dict[str, Any]) -> NewPassage:
    """A fact as a passage."""
    details = fact.get("details", {})
    published = details.get("published_at")
    return NewPassage(
        text=fact["text"],
        source_url=fact.get("source", ""),
        title=details.get("title", ""),
        origin=Origin.SEED,
        publisher=details.get("publisher", ""),
        topic=details.get("topic", ""),
        published_at=date.fromisoformat(published) if published else None,
        note="came with Ghost",
    )
