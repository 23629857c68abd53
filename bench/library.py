"""A corpus as a temporary knowledge base of its own: indexed once, then measured through the workbench."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import quote

from bench.results import cores
from bench.rows import DocumentRow, Table
from config import Settings
from ghost.knowledge import KnowledgeBase, PassageFilter, Use, cut, group_sentences, normalise
from ghost.types import Intake, NewPassage, Origin, Status
from ghost.workbench import Workbench, build

NAME_CHARS = 300

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Library:
    """A workbench over one corpus."""

    workbench: Workbench
    documents: dict[str, tuple[str, ...]]
    """Passage id -> the documents it stands in; empty for the seed facts, which are no documents."""
    corpus: dict[str, Any]
    """What a result says of the corpus."""

    def ranked(self, passages: Sequence[str]) -> list[str]:
        """The documents of these passages, each at the place of its best one."""
        return list(dict.fromkeys(doc_id for i in passages for doc_id in self.documents.get(i, ())))


class Unbooked:
    """A knowledge base whose statistics stand still.

    Runs book what they used, and that helps a passage a little the next time. Here each claim must find what the
    first one found, whatever was asked before, beside it or in an earlier measurement.
    """

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._knowledge, name)

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        """Nothing is booked."""


@contextmanager
def library(
    settings: Settings, corpus: Table[DocumentRow] | None, workers: int, progress: Progress
) -> Iterator[Library]:
    """The corpus indexed in a temporary folder and nothing else; without one, the seed facts.

    ``workers`` threads will use the workbench, so the cores are shared out among them. Raises GhostError.
    """
    offered = [(row.doc_id, passage) for row in corpus.rows for passage in passages_of(row)] if corpus else []
    with TemporaryDirectory(prefix="ghost-bench-") as folder:
        settings = settings.model_copy(
            update={"data_dir": Path(folder).resolve(), "database_url": "", "chroma_url": ""}
        )
        # Opened apart from the measuring, since reading a corpus goes best with all cores on one text.
        with build(settings, web=False, progress=progress) as workbench:
            documents, counts = _indexed(workbench.knowledge, offered, progress)
        threads = settings.threads or max(1, cores() // workers)
        with build(settings.model_copy(update={"threads": threads}), web=False, progress=progress) as workbench:
            about: dict[str, Any] = {"passages": workbench.knowledge.stats().active, **counts}
            if corpus:
                about = {"file": corpus.path.name, "sha256": corpus.sha256, "documents": len(corpus.rows), **about}
            workbench.knowledge = cast(KnowledgeBase, Unbooked(workbench.knowledge))
            yield Library(workbench, documents, about)


def passages_of(row: DocumentRow) -> list[NewPassage]:
    """A document as passages; one without an address gets one that nobody else has, so that it is its own source."""
    texts = group_sentences(filter(None, map(normalise, row.abstract))) if row.abstract else cut(row.text)
    return [
        NewPassage(
            text=text,
            source_url=row.url or address(row.doc_id),
            title=row.title,
            origin=Origin.IMPORT,
            intake=Intake.READ,
            publisher="" if row.url else (row.title or row.doc_id)[:NAME_CHARS],
            note="put in to be measured",
        )
        for text in texts or cut(row.title)
    ]


def address(doc_id: str) -> str:
    """An address on a site of its own, which nobody can visit."""
    site = hashlib.sha256(doc_id.encode()).hexdigest()[:20]
    return f"https://d{site}.example/{quote(doc_id[:NAME_CHARS], safe='')}"


def _indexed(
    knowledge: KnowledgeBase, offered: Sequence[tuple[str, NewPassage]], progress: Progress
) -> tuple[dict[str, tuple[str, ...]], dict[str, Any]]:
    """Put the corpus in, and take out what came with Ghost: it would be found and would help."""
    if not offered:
        return {}, {}
    report = knowledge.add([passage for _, passage in offered], progress)
    documents: dict[str, list[str]] = {}
    for (doc_id, _), outcome in zip(offered, report.outcomes, strict=True):
        if outcome.passage_id and doc_id not in documents.setdefault(outcome.passage_id, []):
            documents[outcome.passage_id].append(doc_id)
    seeds = [p.id for p in knowledge.list(PassageFilter(origin=Origin.SEED, status=Status.ACTIVE), limit=100_000)]
    knowledge.retire([i for i in seeds if i not in documents], "not part of the corpus that is measured")
    waiting = knowledge.stats().by_status.get(Status.QUARANTINED, 0)
    return {i: tuple(names) for i, names in documents.items()}, {"quarantined": waiting, "refused": report.refused}
