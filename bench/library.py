"""A corpus as a knowledge base of its own, temporary or kept: indexed once, then measured through the workbench."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import quote

from bench.results import cores, write_json
from bench.rows import DataError, DocumentRow, Table
from config import Settings
from ghost.knowledge import KnowledgeBase, PassageFilter, Use, cut, group_sentences, normalise
from ghost.types import NewPassage, Origin, Status
from ghost.workbench import Workbench, build

MARKER = "bench.json"
"""File of a kept folder that says which corpus lies there."""
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
    settings: Settings, corpus: Table[DocumentRow] | None, keep: Path | None, workers: int, progress: Progress
) -> Iterator[Library]:
    """The corpus indexed and nothing else; without one, the seed facts.

    ``keep`` names a folder where the index stays for the next time. ``workers`` threads will use the workbench, so
    the cores are shared out among them. Raises DataError when the folder holds something else, and GhostError.
    """
    if keep is not None:
        yield from _opened(settings, corpus, keep.resolve(), workers, progress)
        return
    with TemporaryDirectory(prefix="ghost-bench-") as temporary:
        yield from _opened(settings, corpus, Path(temporary).resolve(), workers, progress)


def _opened(
    settings: Settings, corpus: Table[DocumentRow] | None, folder: Path, workers: int, progress: Progress
) -> Iterator[Library]:
    settings = settings.model_copy(update={"data_dir": folder, "chroma_url": ""})
    offered = [(row.doc_id, passage) for row in corpus.rows for passage in passages_of(row)] if corpus else []
    marker = _marker(folder)
    if not marker.get("complete"):
        # Opened apart from the measuring, since reading a corpus goes best with all cores on one text.
        with build(settings, web=False, progress=progress) as workbench:
            print_ = fingerprint(offered, workbench)
            _check(folder, marker, print_)
            write_json({"fingerprint": print_, "complete": False}, folder / MARKER)
            marker = {"fingerprint": print_, "complete": True, **_indexed(workbench, offered, progress)}
        write_json(marker, folder / MARKER)
    threads = settings.threads or max(1, cores() // workers)
    with build(settings.model_copy(update={"threads": threads}), web=False, progress=progress) as workbench:
        _check(folder, marker, fingerprint(offered, workbench))
        documents = {i: tuple(names) for i, names in marker["documents"].items()}
        if corpus:
            _retire_seeds(workbench.knowledge, documents)
        about: dict[str, Any] = {"passages": workbench.knowledge.stats().active, **marker["counts"]}
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
            publisher="" if row.url else (row.title or row.doc_id)[:NAME_CHARS],
            note="put in to be measured",
        )
        for text in texts or cut(row.title)
    ]


def address(doc_id: str) -> str:
    """An address on a site of its own, which nobody can visit."""
    site = hashlib.sha256(doc_id.encode()).hexdigest()[:20]
    return f"https://d{site}.example/{quote(doc_id[:NAME_CHARS], safe='')}"


def fingerprint(offered: Sequence[tuple[str, NewPassage]], workbench: Workbench) -> str:
    """What an index depends on: the passages of the corpus and the encoder."""
    digest = hashlib.sha256(json.dumps(workbench.tools.settings["models"]["encoder"], sort_keys=True).encode())
    for doc_id, passage in offered:
        digest.update(json.dumps([doc_id, passage.source_url, passage.title, passage.text]).encode())
    return digest.hexdigest()


def _marker(folder: Path) -> dict[str, Any]:
    """What is known of the folder; refuses one that somebody uses for something else."""
    file = folder / MARKER
    try:
        if file.is_file():
            return dict(json.loads(file.read_text(encoding="utf-8")))
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except (OSError, ValueError) as error:
        raise DataError(f"{folder} cannot be used to keep an index ({error}). Name another folder.") from error
    if taken:
        raise DataError(f"{folder} holds something that is not an index of the benchmark. Name an empty or new folder.")
    begun = {"complete": False}  # from now on whatever lies here is ours
    write_json(begun, file)
    return begun


def _check(folder: Path, marker: dict[str, Any], print_: str) -> None:
    if marker.get("fingerprint", print_) != print_:
        raise DataError(
            f"{folder} holds the index of another corpus or another encoder. Name another folder with --keep, or "
            "delete this one."
        )


def _indexed(
    workbench: Workbench, offered: Sequence[tuple[str, NewPassage]], progress: Progress
) -> dict[str, dict[str, Any]]:
    """Put the corpus in. What an interrupted attempt has put in already is found and not encoded again."""
    if not offered:
        return {"documents": {}, "counts": {}}
    report = workbench.knowledge.add([passage for _, passage in offered], progress)
    documents: dict[str, list[str]] = {}
    for (doc_id, _), outcome in zip(offered, report.outcomes, strict=True):
        if outcome.passage_id and doc_id not in documents.setdefault(outcome.passage_id, []):
            documents[outcome.passage_id].append(doc_id)
    seeds = [p.id for p in workbench.knowledge.list(_SEEDS, limit=_ALL) if p.id in documents]
    if seeds:  # the corpus has this very text from this very page
        workbench.knowledge.restore(seeds)
    waiting = workbench.knowledge.stats().by_status.get(Status.QUARANTINED, 0)
    return {"documents": documents, "counts": {"quarantined": waiting, "refused": report.refused}}


_SEEDS = PassageFilter(origin=Origin.SEED)
_ALL = 100_000


def _retire_seeds(knowledge: KnowledgeBase, documents: dict[str, tuple[str, ...]]) -> None:
    """What came with Ghost is not part of the corpus; it would be found and would help."""
    seeds = knowledge.list(PassageFilter(origin=Origin.SEED, status=Status.ACTIVE), limit=_ALL)
    if foreign := [p.id for p in seeds if p.id not in documents]:
        knowledge.retire(foreign, "not part of the corpus that is measured")
