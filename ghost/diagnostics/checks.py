"""Whether everything works: the stores, and one harmless question to a language model or a search provider."""

import json
import os
import shutil
import time
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from config import SEARCH_PROVIDERS, Settings
from ghost.budget import Budget, Limits
from ghost.errors import Cancelled, JudgeError, ProviderError
from ghost.jobs import Report
from ghost.judges import ChatClient, Endpoint, LocalServer, Question
from ghost.knowledge import KnowledgeBase
from ghost.web import SearchProvider, Stage

MODEL_QUESTION = "Say that you are ready."
SEARCH_QUESTION = "Moon"
"""Both questions say nothing about anyone's work."""
HITS = 3
TOKENS, COST_USD = 5_000, 0.05
"""Limits for the question to a language model."""
SLACK_SECONDS = 5.0
"""Added to the endpoint's own time-out, so that the error is the endpoint's."""
_STAGES = {Stage.TRUSTED: "trusted sources", Stage.FACT_CHECK: "fact-checkers", Stage.BROAD: "the whole web"}
_SCHEMA = {
    "type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"],
    "additionalProperties": False,
}  # fmt: skip
_PROMPT = ({"role": "user", "content": f'{MODEL_QUESTION} Answer as JSON: {{"answer": "…"}}'},)
_QUESTION = Question("check", _PROMPT, _SCHEMA, 200)


def ask_model(endpoint: Endpoint, report: Report) -> str:
    """Send the question once and describe the answer. Raises JudgeError where there is none, Cancelled when stopped."""
    endpoint = replace(endpoint, model=endpoint.model or _first_model(endpoint), retries=0)
    limits = Limits(tokens=TOKENS, cost_usd=COST_USD, seconds=endpoint.timeout + SLACK_SECONDS)

    def stopped() -> bool:
        try:
            report(f"Waiting for {endpoint.host}", 0, 0)
        except Cancelled:
            return True
        return False

    started = time.monotonic()
    with closing(ChatClient(endpoint)) as client:
        answer = "".join(client.ask(_QUESTION, Budget(limits, stopped)))
    seconds = time.monotonic() - started
    if not answer.strip():
        raise JudgeError(f"The {endpoint.judge} model at {endpoint.host} sent an empty answer.")
    try:
        form = "" if isinstance(json.loads(answer)["answer"], str) else _NO_FORM
    except (ValueError, RecursionError, TypeError, LookupError):
        form = _NO_FORM
    return f"{endpoint.model} at {endpoint.host} answered in {seconds:.1f} s.{form}"


_NO_FORM = " It ignored the requested JSON form, which a judge needs."


def _first_model(endpoint: Endpoint) -> str:
    server = LocalServer(endpoint.base_url)
    if model := server.first_model():
        return model
    raise JudgeError(server.problem() or f"The server at {endpoint.host} lists no model. Set GHOST_LOCAL_MODEL.")


def ask_provider(provider: SearchProvider, seconds: float) -> str:
    """Send the question once and describe the answer. Raises ProviderError where there is none."""
    try:
        hits = provider.search(SEARCH_QUESTION, (), HITS, seconds)
    except ProviderError:
        raise
    except Exception as error:  # an adapter should raise nothing else, but this page must not fail when one does
        raise ProviderError(f"{provider.recipient} could not be asked: {type(error).__name__}.") from error
    if not hits:
        return f"It answered, but found nothing for “{SEARCH_QUESTION}”."
    return f"It answered with {len(hits)} {'result' if len(hits) == 1 else 'results'}."


def stage_words(provider: SearchProvider) -> str:
    """The search stages that a provider serves."""
    named = [words for stage, words in _STAGES.items() if stage in provider.stages]
    return "in every stage" if len(named) == len(_STAGES) else f"for {' and '.join(named)}"


def unused_providers(named: Collection[str], settings: Settings) -> dict[str, tuple[str, ...]]:
    """The known providers that are not named, each with the settings that it needs and that are not set."""
    return {
        name: tuple(field for field in needs if not getattr(settings, field))
        for name, needs in SEARCH_PROVIDERS.items()
        if name not in named
    }


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of the workbench."""

    what: str
    path: Path
    note: str

    @property
    def bytes(self) -> int | None:
        """None when it is missing or cannot be read."""
        return size_of(self.path)


def places(database: Path | None, index: Path, index_url: str) -> tuple[Place, ...]:
    """The stores on this disk; reads no contents. ``database`` is None where a server has the records."""
    found = []
    if database:
        log = database.with_name(database.name + "-wal")
        found += [
            Place("Database", database, "Passages, history, runs and batches. Back up this one."),
            Place("Write-ahead log", log, "The latest writes, until SQLite merges them."),
        ]
    if not index_url:
        found.append(Place("Vector index", index, "Chroma. It can be rebuilt from the database."))
    return tuple(found)


def size_of(path: Path) -> int | None:
    """Bytes of a file or of all files in a folder; None when it is missing or cannot be read."""
    try:
        if path.is_file():
            return path.stat().st_size
        if not path.is_dir():
            return None
        return sum((Path(folder) / name).stat().st_size for folder, _, names in os.walk(path) for name in names)
    except OSError:  # it may be changing right now
        return None


def free_bytes(path: Path) -> int | None:
    """Free bytes on the disk of a path, which need not exist yet; None when unknown."""
    for folder in (path, *path.parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None


def size_words(size: int | None) -> str:
    """``3.4 MB``; ``–`` when it is unknown."""
    if size is None:
        return "–"
    value, units = float(size), ["bytes", "KB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:,.0f} {units[0]}" if units[0] in ("bytes", "KB") else f"{value:,.1f} {units[0]}"


def check_stores(knowledge: KnowledgeBase, report: Report) -> str:
    """Read the whole database, compare it with the index, and describe the result."""
    report("Reading the whole database", 0, 0)
    health = knowledge.check()
    lines = [*health.problems]
    if health.vectors >= 0:
        counts = f"The database has {health.sql_active:,} active passages, the index {health.vectors:,} vectors"
        lines.append(f"{counts}, and both have the last write." if health.in_step else f"{counts}: they differ.")
    if not health.in_step:
        lines.append("Rebuild the index; the passages themselves are in the database.")
    if not health.problems and health.in_step:
        lines.insert(0, "All is well.")
    return " ".join(lines)


def rebuild_index(knowledge: KnowledgeBase, report: Report) -> str:
    """Rebuild the vector index. The old one answers until then, and stays when this is stopped."""
    return f"The index was rebuilt with {knowledge.rebuild(report):,} vectors."
