"""Packs of facts: files in JSON Lines, one fact a line.

A fact has ``text``, ``source`` (an address), ``answers`` (the claims that it settles, where it names any) and
``details`` (title, publisher, topic, language, published_at, as_of, frame, and whatever else somebody has put there).
``packs/README.md`` describes the form for people.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from ghost.errors import StoreError
from ghost.knowledge.admission import admit, normal_form, unreadable
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.change_log import CHUNK, earlier_seeds
from ghost.knowledge.credibility import CredibilityBook, split_address
from ghost.knowledge.injection import suspicious
from ghost.knowledge.near_duplicates import bands
from ghost.knowledge.rows import key_of
from ghost.knowledge.similarity import ComparableText, nearly_same
from ghost.knowledge.storage import stored_rows
from ghost.knowledge.transfer.rows import read_frame
from ghost.records import batched
from ghost.text import Period, normalise
from ghost.types import Kind, NewPassage, Origin, Passage, canonical

Fact = dict[str, Any]
YOURS = "yours"
"""The pack that takes the passages which the analyst has made seed facts."""
CLAIM_CHARS = 200
"""A claim that a fact answers is shorter than a fact."""


class _Fact(BaseModel):
    """A line of a pack."""

    model_config = ConfigDict(extra="allow", strict=True)

    text: str
    source: str = ""
    details: dict[str, Any] = {}
    answers: dict[Annotated[str, StringConstraints(min_length=1, max_length=CLAIM_CHARS)], bool] = {}
    """Claims that the fact settles by itself, and whether they are true."""


@dataclass(frozen=True, slots=True)
class Pack:
    """One file of the library."""

    path: Path
    text: str
    """The whole file; empty when there is none yet."""
    facts: tuple[Fact, ...]
    screened: bool = False
    """Whether it is as it came with Ghost, and therefore needs no screening."""

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
        return _pack(path, path.read_bytes().decode("utf-8") if path.exists() else "")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path.name} cannot be read: {error}.") from error
    except StoreError as error:
        raise StoreError(f"{path.name}: {error}") from error


@lru_cache(maxsize=256)
def _pack(path: Path, text: str) -> Pack:
    """Kept, since a start asks for all packs several times, and their facts are only read."""
    return Pack(path, text, tuple(parse(text)))


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
    """A fact as a passage. Raises ValueError when a date or a frame is none."""
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
        frame=read_frame(details.get("frame")),
        note="came with Ghost",
        kind=Kind(details.get("kind", Kind.NOTE)),
    )


def answers_of(fact: Fact) -> dict[str, bool]:
    """The claims that a fact answers, and whether they are true."""
    return {normalise(claim): true for claim, true in fact.get("answers", {}).items()}


def fact_of(p: Passage, old: Fact) -> Fact:
    """A passage as a fact; what else the old fact says of it stays."""
    if p.text != old.get("text"):
        old = {name: value for name, value in old.items() if name != "answers"}  # they were those of another text
    details = {**old.get("details", {}), "title": p.title, "publisher": p.publisher, "topic": p.topic}
    day = p.published_at.isoformat() if p.published_at else ""
    kind = "" if p.kind is Kind.NOTE else p.kind.value
    frame = json.loads(str(p.frame) or "null")
    for name, value in (("published_at", day), ("as_of", p.as_of), ("kind", kind), ("frame", frame)):
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
        for some in batched(keys, CHUNK):
            ids |= {key: row.id for key, row in stored_rows(connection, some).items()}
        ids |= earlier_seeds(connection, {key for key in keys if key not in ids})
    found = {p.id: p for some in batched(dict.fromkeys(ids.values()), CHUNK) for p in knowledge.get(some)}
    return [found.get(ids.get(key, "")) for key in keys]


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two facts make the same passage: an empty field and one that is not there are the same."""
    return normal_form(passage_of(one)) == normal_form(passage_of(other))


FACT_CHARS = 320
"""One or two sentences; longer ones are read less well, and what they say is harder to cite."""
_DETAILS = ("title", "publisher", "topic", "language")


def pack_problems(packs: Sequence[Pack], book: CredibilityBook) -> list[str]:
    """What is wrong with the packs before they are seeded, a line for each; texts that are there twice come last."""
    facts = _numbered(packs)
    found = [f"{where}: {problem}" for where, fact in facts for problem in _of_one(fact, book)]
    first: dict[str, str] = {}
    for where, fact in facts:
        said = " ".join(fact["text"].casefold().split())
        if said in first:
            found.append(f"{where}: its text stands in {first[said]} too")
        first.setdefault(said, where)
    return found + _answered_twice(facts)


def similar_facts(packs: Sequence[Pack]) -> list[str]:
    """A line for each pair of nearly one text, as the knowledge base finds it.

    It is for people to look at: such a pair counts as one origin, so the second one adds nothing, unless it is there
    for its other source.
    """
    facts = _numbered(packs)
    sharing: dict[int, list[int]] = defaultdict(list)
    for place, its in enumerate(bands([fact["text"] for _, fact in facts])):
        for band in its:
            sharing[band].append(place)
    found = []
    for one, other in sorted({pair for places in sharing.values() for pair in combinations(places, 2)}):
        (where, mine), (there, theirs) = facts[one], facts[other]
        different = mine["text"].casefold() != theirs["text"].casefold()
        if different and nearly_same(ComparableText.of(mine["text"]), ComparableText.of(theirs["text"])):
            found.append(f"{there}: it is nearly the text of {where}: {theirs['text']!r} and {mine['text']!r}")
    return found


def _numbered(packs: Sequence[Pack]) -> list[tuple[str, Fact]]:
    """All facts, each with its place (``space.jsonl:12``)."""
    return [(f"{pack.path.name}:{number}", fact) for pack in packs for number, fact in enumerate(pack.facts, 1)]


def _answered_twice(facts: Sequence[tuple[str, Fact]]) -> list[str]:
    first: dict[str, str] = {}
    found = []
    for where, fact in facts:
        for claim in answers_of(fact):
            said = claim.casefold().rstrip(" .!?")
            if said in first:
                found.append(f"{where}: it answers “{claim}”, as {first[said]} does")
            first.setdefault(said, where)
    return found


def _of_one(fact: Fact, book: CredibilityBook) -> Iterator[str]:
    text, source, details = fact["text"], fact.get("source", ""), fact.get("details", {})
    if missing := [name for name in _DETAILS if not details.get(name)]:
        yield f"it has no {', '.join(missing)}"
    if len(text) > FACT_CHARS:
        yield f"its text has {len(text)} characters, at most {FACT_CHARS} are read well"
    if not text.rstrip("\"'”’)").endswith((".", "!", "?")):
        yield "its text does not end like a sentence"
    if not source.startswith("https://") or not canonical(source):
        yield f"its source is no address that starts with https://: {source!r}"
    elif not book.rated(source):
        yield f"nobody has rated its source: {split_address(source)[0]} (sites.toml)"
    if details.get("as_of") and str(Period.parse(details["as_of"]).year) not in text:
        yield f"its text does not say that it holds as of {details['as_of']}"
    for claim, said in zip(fact.get("answers", {}), answers_of(fact), strict=True):
        if claim != said:
            yield f"the claim it answers has white space or characters that are not kept: {claim!r}"
        elif why := suspicious(claim):
            yield f"the claim it answers would not come in: {why}"
    admission = admit(passage_of(fact))
    if why := admission.reason or unreadable(text):
        yield f"it would not come in: {why}"
    elif admission.passage and admission.passage.text != text:
        yield "its text has white space or characters that are not kept"
