"""A workbench for the command line: real stores in a temporary folder, scripted models, no weights."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ghost.workbench
from config import UNKNOWN_CREDIBILITY, Settings
from ghost.judges import EmbeddedJudge, Judges
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import RunStore
from ghost.testing import OFF_TOPIC, REFUTING, HashingEncoder, ScriptedReader
from ghost.types import NewPassage
from ghost.workbench import Workbench

WALL = "From low Earth orbit the Great Wall of China is hardly visible to the naked eye."


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Put the scripted workbench where the commands look for it; returns how it was asked for."""
    asked: list[dict[str, Any]] = []

    def build(
        settings: Settings,
        *,
        judge: str | None = None,
        web: bool = True,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Workbench:
        asked.append({"judge": judge, "web": web})
        encoder = HashingEncoder()
        reader = ScriptedReader(lambda _, statement: REFUTING if "Great Wall" in statement else OFF_TOPIC)
        book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
        knowledge = KnowledgeBase.open(settings.database_path, settings.chroma_path, "", encoder, book, progress)
        knowledge.add([NewPassage(WALL, "https://www.nasa.gov/wall", "China's Wall", publisher="NASA")])
        runs = RunStore(knowledge.database)
        return Workbench(
            settings, knowledge, runs, Judges("embedded", EmbeddedJudge(reader.name)), encoder, reader, None, book
        )

    monkeypatch.setattr(ghost.workbench, "build", build)
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    return asked
