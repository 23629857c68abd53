"""A workbench without models: stances follow from the words of a pair, so that many claims are checked in a second."""

import hashlib
import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from config import Settings
from ghost.judges import EmbeddedJudge, Judges
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.matching import ClaimMatcher
from ghost.records import RunStore
from ghost.testing import HashingEncoder, ScriptedReader
from ghost.types import Category, ClaimMatch, NewPassage, Origin, Relation, Stance
from ghost.workbench import Workbench

WORDS = """
    river bridge harbour council museum factory school market tower station glacier forest orchard railway hospital
""".split()
VERBS = "opened closed moved burned flooded expanded collapsed reopened".split()
POISON = "poison"


def stance_of(passage: str, statement: str) -> Stance:
    """Any distribution, and always the same for a pair."""
    rng = random.Random(hashlib.md5(f"{passage}|{statement}".encode()).digest())
    parts = [rng.random() ** 16 for _ in range(4)]
    return Stance(*(part / sum(parts) for part in parts))


class KillingReader(ScriptedReader):
    """Ends the process at a claim with the word ``poison``."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        if any(POISON in statement for _, statement in pairs):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(pairs)


class SlowReader(ScriptedReader):
    """Takes its time, so that something can happen meanwhile."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        time.sleep(0.1)
        return super().read(pairs)


class WordMatcher(ClaimMatcher):
    """The same are claims of the same words, in whatever order."""

    name = "words"
    checksum = "words"

    def __init__(self) -> None:
        """Knows no model."""

    def category_of(self, texts: Sequence[str]) -> list[Category]:
        return [Category.OTHER] * len(texts)

    def match(self, pairs: Sequence[tuple[str, str]]) -> list[ClaimMatch]:
        return [
            ClaimMatch(Relation.SAME if _bag(one) == _bag(other) else Relation.DIFFERENT, 1.0, 1.0, (), "")
            for one, other in pairs
        ]


def _bag(text: str) -> list[str]:
    return sorted(text.lower().strip(".").split())


def passages(count: int) -> list[NewPassage]:
    rng = random.Random(1)
    return [
        NewPassage(
            f"{_event(rng)} in {1950 + n % 70}. The {rng.choice(WORDS)} was seen.",
            source_url=f"https://site{n % 17}.example.org/page/{n}", origin=Origin.CURATED, trusted=True,
        )
        for n in range(count)
    ]  # fmt: skip


def claims(count: int) -> list[str]:
    rng = random.Random(2)
    return [f"{_event(rng)} in {1950 + n}." for n in range(count)]


def _event(rng: random.Random) -> str:
    one, other, third = rng.sample(WORDS, 3)
    return f"The {one} {other} {rng.choice(VERBS)} near the {third}"


def opened(folder: Path, reader_of: type[ScriptedReader] = ScriptedReader, **servers: str) -> Workbench:
    """The workbench over the data folder, or over ``database_url`` and ``chroma_url``, filled where it is new."""
    settings = Settings(data_dir=folder, judge="embedded", web=False, **servers)
    encoder, book = HashingEncoder(), CredibilityBook({}, ())
    knowledge = KnowledgeBase.open(settings.database_place, settings.chroma_path, settings.chroma_url, encoder, book)
    if not knowledge.count():
        knowledge.add(passages(120))
    reader = reader_of(stance_of)
    judges = Judges("embedded", EmbeddedJudge("scripted"))
    runs = RunStore(knowledge.database)
    return Workbench(
        settings, knowledge, runs, judges, encoder, reader, sources=book, matcher=WordMatcher(), plain=reader
    )
