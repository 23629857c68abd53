"""Fakes that ship with Ghost, for its own tests and for those of anyone who builds on it.

Only the judge and the models are faked, so that tests are fast and say what they mean; the stores are real ones in a
temporary folder.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

import numpy as np

from ghost.budget import Budget
from ghost.events import result_of
from ghost.judges import Drafting, ReadsByStance
from ghost.types import (
    Claim,
    ClaimType,
    Classification,
    Draft,
    Evidence,
    JudgeInfo,
    Origin,
    Passage,
    SourceType,
    Stance,
    Statement,
    Status,
    Sufficiency,
)
from ghost.web import ALL_STAGES, Hit, Stage

SUPPORTING = Stance(0.96, 0.01, 0.02, 0.01)
REFUTING = Stance(0.01, 0.96, 0.02, 0.01)
ON_TOPIC = Stance(0.05, 0.05, 0.85, 0.05)
OFF_TOPIC = Stance(0.01, 0.01, 0.03, 0.95)


class HashingEncoder:
    """Bag of words hashed into unit vectors: texts that share words are near; no model is loaded."""

    name = "hashing"

    def __init__(self, dimensions: int = 384) -> None:
        self.dimensions = dimensions

    @property
    def checksum(self) -> str:
        return f"hashing-{self.dimensions}"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                vectors[row, int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimensions] += 1.0
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class ScriptedReader:
    """A stance reader and relevance scorer that answers from a function of (passage text, statement text)."""

    name = "scripted-reader"
    checksum = "scripted"

    def __init__(self, answer: Callable[[str, str], Stance]) -> None:
        self._answer = answer
        self.pairs_read = 0

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.pairs_read += len(pairs)
        return [self._answer(passage, statement) for passage, statement in pairs]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [stance.relevance for stance in self.read(pairs)]


class ScriptedJudge(ReadsByStance):
    """A judge that gives the answers it was made with, and remembers what it was asked.

    An answer that is an exception is raised. ``draft`` may be a function of the evidence.
    """

    def __init__(
        self,
        draft: Draft | Exception | Callable[[Sequence[Evidence]], Draft],
        classification: Classification | Exception | None = None,
        enough: bool = True,
    ) -> None:
        self._draft = draft
        self._classification = classification
        self._enough = enough
        self.asked: list[str] = []

    @property
    def info(self) -> JudgeInfo:
        return JudgeInfo("scripted", "none", ("scripted: a test",))

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        self.asked.append("classify")
        if isinstance(self._classification, Exception):
            raise self._classification
        return self._classification or Classification(
            ClaimType.FACTUAL, 0.9, (Statement(1, claim.text),), "It says something about the world."
        )

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        self.asked.append("sufficiency")
        return tuple(
            Sufficiency(s.number, self._enough, "scripted", "" if self._enough else "more") for s in statements
        )

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        self.asked.append("decide")
        if isinstance(self._draft, Exception):
            raise self._draft
        draft = self._draft(evidence) if callable(self._draft) else self._draft
        yield from draft.sentences
        return draft


def drafted(drafting: Drafting) -> Draft:
    """What a judge comes to when nobody looks at its sentences one by one."""
    return result_of(drafting)


class ScriptedSearch:
    """A search engine that gives the hits it was made with, and remembers what it was asked.

    ``hits`` may be a function of (query, sites); a result that is an exception is raised.
    """

    def __init__(
        self,
        hits: Sequence[Hit] | Exception | Callable[[str, tuple[str, ...]], Sequence[Hit] | Exception] = (),
        name: str = "scripted",
        recipient: str = "Scripted Search",
        only: tuple[str, ...] = (),
        stages: frozenset[Stage] = ALL_STAGES,
    ) -> None:
        """``only`` are the sites that it can search, where it cannot search all."""
        self.name = name
        self.recipient = recipient
        self.stages = stages
        self._hits = hits
        self._only = only
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        return "" if self._only and sites and not set(self._only) & set(sites) else query

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        self.asked.append((query, sites))
        found = self._hits(query, sites) if callable(self._hits) else self._hits
        if isinstance(found, Exception):
            raise found
        return list(found)


def passage(
    text: str,
    id: str = "",
    *,
    url: str = "",
    domain: str = "",
    publisher: str = "",
    title: str = "",
    credibility: float = 0.8,
    access_count: int = 0,
    published_at: date | None = None,
    source_type: SourceType = SourceType.UNKNOWN,
) -> Passage:
    """A passage as the knowledge base would hand it out."""
    return Passage(
        id=id or "p_" + hashlib.sha256((text + url).encode()).hexdigest()[:16],
        text=text,
        source_url=url,
        title=title,
        domain=domain,
        publisher=publisher,
        topic="",
        origin=Origin.CURATED,
        status=Status.ACTIVE,
        source_type=source_type,
        language="en",
        published_at=published_at,
        retrieved_at=None,
        indexed_at=datetime(2026, 1, 1, tzinfo=UTC),
        credibility=credibility,
        access_count=access_count,
        text_length=len(text),
    )


def evidence(
    number: int,
    text: str,
    stance: Stance,
    *,
    statement: int = 1,
    group: int | None = None,
    credibility: float = 0.8,
    domain: str = "",
    publisher: str = "",
    source_type: SourceType = SourceType.UNKNOWN,
) -> Evidence:
    """Evidence as step 3 would make it; each number is its own origin unless ``group`` says otherwise."""
    return Evidence(
        number=number,
        statement=statement,
        passage=passage(
            text,
            f"p_{number}",
            domain=domain,
            publisher=publisher,
            credibility=credibility,
            source_type=source_type,
        ),
        stance=stance,
        relevance=stance.relevance,
        credibility=credibility,
        access_bonus=0.0,
        final=stance.relevance,
        group=number if group is None else group,
        rank=number,
    )
