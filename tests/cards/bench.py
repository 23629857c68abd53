"""Claim cards over a real database and Chroma, with an encoder and a stance reader that need no weights."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ghost.cards import Cards
from ghost.events import ClaimClassified, EvidenceWeighed, RunEnded, RunStarted, VerdictReached
from ghost.knowledge import CredibilityBook, KnowledgeBase, Pack, Ratings
from ghost.records import ReviewStore, RunStore
from ghost.steps import QuoteReader
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, HashingEncoder, ScriptedReader, evidence
from ghost.types import (
    Category,
    Citation,
    Claim,
    ClaimType,
    Classification,
    JudgeInfo,
    Label,
    NewPassage,
    Run,
    RunStatus,
    Stance,
    StanceLabel,
    Statement,
    Usage,
    Verdict,
)

AT = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
"""The day of the checks. What nobody has reviewed holds for a month only."""
JUDGE = JudgeInfo("embedded", "scripted")
CLAIM = "Vaccines cause autism"
DENIAL = "Vaccines do not cause autism, as large studies of many children have found."
SECOND = "Children who were vaccinated are not autistic more often than others."
BOOK = {"nhs.uk": 0.9, "wikipedia.org": 0.8, "politifact.com": 0.9}
STANCES = {StanceLabel.SUPPORTS: SUPPORTING, StanceLabel.REFUTES: REFUTING}


IN_A_FOLDER = pytest.mark.parametrize("stores", [("", "")], ids=["sqlite"])
"""The test changes the files of the index, or has many cases that do not differ in what the database is asked."""


def reads(text: str, other: str) -> Stance:
    """“The claim is true.” and the like are read as they stand; nothing else takes a side."""
    words = text.lower()
    if "the claim is " in words and other.startswith("The claim is "):
        return SUPPORTING if ("is true" in words) == ("is true" in other.lower()) else REFUTING
    if text == DENIAL and other == "Vaccines do not cause autism":
        return SUPPORTING
    return ON_TOPIC


@dataclass
class Bench:
    """What a test works with."""

    knowledge: KnowledgeBase
    runs: RunStore
    reviews: ReviewStore
    ratings: Ratings
    cards: Cards
    packs: list[Pack] = field(default_factory=list)
    runs_made: int = 0

    def add(self, text: str = DENIAL, url: str = "https://www.nhs.uk/vaccines", **more: Any) -> str:
        """A passage; returns its id."""
        (added,) = self.knowledge.add([NewPassage(text, url, "A page", **more)]).ids
        return added

    def run(
        self, claim: Claim | str = CLAIM, passages: Sequence[str] = (), label: Label = Label.FALSE, **changes: Any
    ) -> Run:
        """A finished run on record whose verdict cites these passages, each read as the label wants."""
        ids = passages or [self.add()]
        found = self.knowledge.get(ids)
        stance = StanceLabel.SUPPORTS if label is Label.TRUE else StanceLabel.REFUTES
        weighed = tuple(
            replace(evidence(n, p.text, STANCES[stance], credibility=p.credibility), passage=p)
            for n, p in enumerate(found, 1)
        )
        cited = tuple(
            Citation(n, p.id, p.text, stance, True, "", url=p.source_url, title=p.title, domain=p.domain)
            for n, p in enumerate(found, 1)
        )
        told = " ".join(f"[{n}] A source says “{p.text.rstrip('.')}”." for n, p in enumerate(found, 1))
        claim = Claim(claim) if isinstance(claim, str) else claim
        self.runs_made += 1
        run = Run(
            f"{self.runs_made:032x}", RunStatus.FINISHED, claim, AT, JUDGE, {"odds": {"bound": 0.8}},
            Classification(ClaimType.FACTUAL, 0.9, (Statement(1, claim.text),), ""), weighed,
            Verdict(label, 0.95, told, cited, probability=0.97), finished_at=AT,
        )  # fmt: skip
        verdict = {name: changes.pop(name) for name in list(changes) if hasattr(run.verdict, name)}
        assert run.verdict
        run = replace(run, verdict=replace(run.verdict, **verdict), **changes)
        self.record(run)
        return run

    def record(self, run: Run) -> None:
        """Write a run down as its events would."""
        self.runs.apply(RunStarted(run.id, run.claim, run.started_at, run.judge, run.settings))
        if run.classification:
            self.runs.apply(ClaimClassified(run.classification), run.id)
        self.runs.apply(EvidenceWeighed(run.evidence), run.id)
        if run.verdict:
            self.runs.apply(VerdictReached(run.verdict, run.judge), run.id)
        self.runs.apply(RunEnded(run.id, run.status, run.finished_at or AT, Usage(), run.error))


def opened(home: Path, packs: list[Pack], from_runs: bool = True, stores: tuple[str, str] = ("", "")) -> Bench:
    """Everything on a folder, or on the servers in ``stores``."""
    encoder, reader = HashingEncoder(), ScriptedReader(reads)
    book = CredibilityBook(BOOK, ["politifact.com"])
    knowledge = KnowledgeBase.open(
        stores[0] or home / "data" / "ghost.db", home / "chroma_db", stores[1], encoder, book
    )
    runs, ratings = RunStore(knowledge.database), Ratings(knowledge)
    cards = Cards(knowledge, runs, ratings, encoder, QuoteReader(reader, {}), categories, lambda: packs, from_runs)
    cards.start()
    return Bench(knowledge, runs, ReviewStore(knowledge.database), ratings, cards, packs)


def categories(claims: Sequence[str]) -> list[Category]:
    """By a word that the tests know."""
    return [Category.MEDICAL if "accine" in claim else Category.OTHER for claim in claims]
