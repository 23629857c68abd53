"""Packs of facts: files in JSON Lines, one fact a line.

A fact has ``text``, ``source`` (an address) and ``details`` (title, publisher, topic, language, published_at, as_of,
and whatever else somebody has put there). ``packs/README.md`` describes the form for people.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ghost.errors import StoreError
from ghost.knowledge.admission import normal_form
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.change_log import CHUNK, earlier_seeds
from ghost.knowledge.rows import key_of
from ghost.knowledge.storage import stored_rows
from ghost.text import Period
from ghost.types import NewPassage, Origin, Passage

Fact = dict[str, Any]
YOURS = "yours"
"""The pack that takes the passages which the analyst has made seed facts."""


class _Fact(BaseModel):
    """A line of a pack."""

    model_config = ConfigDict(extra="allow", strict=True)

    text: str
    source: str = ""
    details: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Pack:
    """One file of the library."""

    path: Path
    text: str
    """The whole file; empty when there is none yet."""
    facts: tuple[Fact, ...]

    @property
    def name(self) -> str:
        """What it is called in the settings: the name of the file without its ending."""
        return self.path.stem

    @property
    def title(self) -> str:
        """What it is called on the page."""
        return pack_title(self.name)

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def pack_title(name: str) -> str:
    """The name of a pack for people: ``common-misconceptions`` is Common misconceptions."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def read_packs(folder: Path) -> tuple[Pack, ...]:
    """All packs of a folder by name. Raises StoreError naming the file, and the first line that is no fact."""
    if not folder.is_dir():
        raise StoreError(f"The folder {folder} with the packs of facts is missing. Get it back from where Ghost came.")
    return tuple(read_pack(path) for path in sorted(folder.glob("*.jsonl")))


def read_pack(path: Path) -> Pack:
    """One pack; a file that is not there is an empty one. Raises StoreError."""
    try:
        # Line endings stay as they are: the digest of a file is that of its bytes.
        text = path.read_bytes().decode("utf-8") if path.exists() else ""
        return Pack(path, text, tuple(parse(text)))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path.name} cannot be read: {error}.") from error
    except StoreError as error:
        raise StoreError(f"{path.name}: {error}") from error


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
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise StoreError(f"Line {number} is no fact: {where + ': ' if where else ''}{first['msg']}.") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise StoreError(f"Line {number} is no fact: {error}.") from None
        facts.append(json.loads(line))
    return facts


def passage_of(fact: Fact) -> NewPassage:
    """A fact as a passage. Raises ValueError when a date is none."""
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
        as_of=str(Period.parse(details["as_of"])) if details.get("as_of") else "",
        note="came with Ghost",
    )


def fact_of(p: Passage, old: Fact) -> Fact:
    """A passage as a fact; what else the old fact says of it stays."""
    details = {**old.get("details", {}), "title": p.title, "publisher": p.publisher, "topic": p.topic}
    for name, value in (("published_at", p.published_at.isoformat() if p.published_at else ""), ("as_of", p.as_of)):
        if value:
            details[name] = value
        else:
            details.pop(name, None)
    if p.language != "en" or "language" in details:
        details["language"] = p.language
    return {**old, "text": p.text, "source": p.source_url, "details": details}


def pack_passages(knowledge: KnowledgeBase, facts: Sequence[Fact]) -> list[NewPassage]:
    """The facts as passages to add. One that the analyst has edited is taken as edited, so that it merges."""
    new = [passage_of(fact) for fact in facts]
    found = stored_passages(knowledge, facts)
    return [replace(one, text=p.text, source_url=p.source_url) if p else one for one, p in zip(new, found, strict=True)]


def stored_passages(knowledge: KnowledgeBase, facts: Sequence[Fact]) -> list[Passage | None]:
    """For each fact the passage that it became, whatever was made of it since."""
    normal = [normal_form(passage_of(fact)) for fact in facts]
    keys = [key_of(p.text, p.source_url) for p in normal]
    ids: dict[str, str] = {}
    with knowledge.database.read() as connection:
        for start in range(0, len(keys), CHUNK):
            ids |= {key: row.id for key, row in stored_rows(connection, keys[start : start + CHUNK]).items()}
        ids |= earlier_seeds(connection, {key for key in keys if key not in ids})
    unique = list(dict.fromkeys(ids.values()))
    found = {p.id: p for start in range(0, len(unique), CHUNK) for p in knowledge.get(unique[start : start + CHUNK])}
    return [found.get(ids.get(key, "")) for key in keys]


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two facts make the same passage: an empty field and one that is not there are the same."""
    return normal_form(passage_of(one)) == normal_form(passage_of(other))
