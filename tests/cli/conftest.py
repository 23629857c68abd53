"""A workbench for the command line: real stores in a temporary folder, scripted models, no weights."""

import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ghost.workbench
from config import UNKNOWN_CREDIBILITY, Settings
from ghost.cli.main import main
from ghost.judges import EmbeddedJudge, Judges
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import RunStore
from ghost.testing import OFF_TOPIC, REFUTING, HashingEncoder, ScriptedReader
from ghost.types import NewPassage
from ghost.workbench import Workbench
from tests.some_pages import SomePages
from tests.ui.asking import ScriptedMatcher

WALL = "From low Earth orbit the Great Wall of China is hardly visible to the naked eye."
LONG = json.dumps({
    "claim": " ".join(f"The Great Wall of China has {n} towers of stone." for n in range(1, 9)), "web": False
}).encode()  # fmt: skip
"""The body of a request for a check that takes seconds, since it has many statements."""
Captured = pytest.CaptureFixture[str]
Run = Callable[..., dict[str, Any]]


PAGES = {
    "https://example.org/otters": "Otters hold hands while they sleep. They live on the coast of the northern Pacific."
}
"""All that there is of the web."""


class Bytes(io.TextIOWrapper):
    """Standard input of these bytes."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


def status_of(folder: Path, run_id: str = "") -> str:
    """The status of a run, or of the only one, as it is stored; empty when there is none. Changes nothing."""
    file = folder / "data" / "ghost.db"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=5)) as connection:
        found = connection.execute("SELECT status FROM runs WHERE id LIKE ?", (run_id or "%",)).fetchone()
    return str(found[0]) if found else ""


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Put the scripted workbench where the commands look for it; yields how it was asked for.

    It is opened once and kept until the end of the test, as opening takes longer than most commands.
    """
    asked: list[dict[str, Any]] = []
    kept: list[tuple[Workbench, Callable[[], None]]] = []

    def build(
        settings: Settings,
        *,
        judge: str | None = None,
        web: bool = True,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Workbench:
        asked.append({"judge": judge, "web": web})
        if kept:
            return kept[0][0]
        encoder = HashingEncoder()
        reader = ScriptedReader(lambda _, statement: REFUTING if "Great Wall" in statement else OFF_TOPIC)
        book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
        knowledge = KnowledgeBase.open(settings.database_path, settings.chroma_path, "", encoder, book, progress)
        knowledge.add([NewPassage(WALL, "https://www.nasa.gov/wall", "China's Wall", publisher="NASA")])
        judges = Judges("embedded", EmbeddedJudge(reader.name))
        matcher: Any = ScriptedMatcher()
        made = Workbench(
            settings, knowledge, RunStore(knowledge.database), judges, encoder, reader, None, book, matcher=matcher,
            fetcher=SomePages(PAGES),
        )  # fmt: skip
        kept.append((made, made.close))
        monkeypatch.setattr(made, "close", lambda: None)
        return made

    monkeypatch.setattr(ghost.workbench, "build", build)
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    yield asked
    for _, close in kept:
        close()


@pytest.fixture
def run(capsys: Captured) -> Run:
    """Runs a command with ``--json`` and returns what it printed."""

    def done(*words: str, code: int = 0) -> dict[str, Any]:
        assert main([*words, "--json"]) == code
        out: dict[str, Any] = json.loads(capsys.readouterr().out)
        return out

    return done
