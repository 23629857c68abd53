"""A workbench over real stores in a temporary folder, with models that need no weights."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY, UNKNOWN_CREDIBILITY, Settings
from ghost.judges import EmbeddedJudge, Judges
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import RunStore
from ghost.testing import OFF_TOPIC, HashingEncoder, ScriptedReader
from ghost.types import Stance
from ghost.web import PageFetcher
from ghost.workbench import Workbench
from tests.ui.asking import ScriptedMatcher


def real_bench(
    folder: Path, stance: Callable[[str, str], Stance] = lambda *_: OFF_TOPIC, stores: tuple[str, str] = ("", ""),
    fetcher: PageFetcher | None = None,
) -> Workbench:  # fmt: skip
    """An empty one; ``stance`` is what a passage says about a statement, ``stores`` are addresses of servers."""
    settings, encoder = Settings(data_dir=folder, **({"web": True} if fetcher else {})), HashingEncoder()
    reader = ScriptedReader(stance)
    book = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS, UNKNOWN_CREDIBILITY)
    place = stores[0] or settings.database_path
    knowledge = KnowledgeBase.open(place, settings.chroma_path, stores[1], encoder, book)
    judges = Judges("embedded", EmbeddedJudge(reader.name))
    matcher: Any = ScriptedMatcher()
    return Workbench(
        settings, knowledge, RunStore(knowledge.database), judges, encoder, reader, None, book, matcher=matcher,
        fetcher=fetcher,
    )  # fmt: skip
