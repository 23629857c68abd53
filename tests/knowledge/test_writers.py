"""Many writers on one passage at once: there is one passage, its history is complete, and the index is in step."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from ghost.errors import StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase, Revision
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, Origin
from tests.knowledge.helpers import in_step

TEXT = "The old harbour bridge was closed to all traffic on the third Monday of May 1987, the council said."
URL = "https://news.example.org/bridge"
WRITERS = 8


@pytest.fixture
def writers(stores: tuple[str, str], tmp_path: Path) -> Iterator[list[KnowledgeBase]]:
    """A knowledge base for each writer: of two openings on PostgreSQL, as two processes have, of one on SQLite."""
    place, chroma = stores[0] or tmp_path / "data" / "ghost.db", tmp_path / "chroma_db"
    with ExitStack() as closing:

        def opened() -> KnowledgeBase:
            return closing.enter_context(
                KnowledgeBase.open(place, chroma, stores[1], HashingEncoder(), CredibilityBook({}, []))
            )

        openings = [opened() for _ in range(2 if stores[0] else 1)]
        yield [openings[n % len(openings)] for n in range(WRITERS)]


def at_once(writers: list[KnowledgeBase], work: Callable[[int, KnowledgeBase], Any]) -> list[Any]:
    """What the work of each writer gives, or the error that it raises."""
    start = Barrier(len(writers))

    def one(number: int) -> Any:
        start.wait()
        try:
            return work(number, writers[number])
        except StoreError as error:
            return error

    with ThreadPoolExecutor(len(writers)) as pool:
        return list(pool.map(one, range(len(writers))))


def test_the_same_text_is_there_once(writers: list[KnowledgeBase]) -> None:
    done = at_once(writers, lambda n, kb: kb.add([NewPassage(TEXT, URL, origin=Origin.CURATED)] * 2))
    (passage,) = writers[0].list()
    assert {outcome.passage_id for report in done for outcome in report.outcomes} == {passage.id}
    assert [outcome.action for report in done for outcome in report.outcomes].count("added") == 1
    assert in_step(writers[0], 1)


def test_copies_from_many_places_are_kept_as_one_origin(writers: list[KnowledgeBase]) -> None:
    said = [f"{TEXT} It {'has' if n % 2 else 'had'} been there for {n} years." for n in range(WRITERS)]
    at_once(writers, lambda n, kb: kb.add([NewPassage(said[n], f"https://site{n}.example.org/bridge")]))
    assert {passage.text for passage in writers[0].list()} == set(said)
    assert in_step(writers[0], WRITERS)


def test_edits_at_once_lose_nothing_of_one_another(writers: list[KnowledgeBase]) -> None:
    (added,) = writers[0].add([NewPassage(TEXT, URL)]).outcomes
    texts = [f"{TEXT} {n} people were there." for n in range(WRITERS)]
    edited = at_once(
        writers, lambda n, kb: kb.curation.revise(added.passage_id, Revision(texts[n], URL), f"by {n}")
    )  # fmt: skip
    refused = [error for error in edited if isinstance(error, StoreError)]
    assert all("by somebody else at the same moment" in str(error) for error in refused)
    kept = [texts[n] for n, change in enumerate(edited) if not isinstance(change, StoreError)]
    assert kept
    (passage,) = writers[0].list()
    history = [entry for entry in writers[0].history(passage.id) if entry.action == "edited"]
    # Each edit begins with what another one has left: nothing was written over unseen.
    assert {entry.old_text for entry in history} | {passage.text} == {TEXT, *kept}
    assert len(history) == len(kept)
    assert in_step(writers[0], 1)


def test_an_edit_and_a_retirement_at_once_are_both_in_the_history(writers: list[KnowledgeBase]) -> None:
    (added,) = writers[0].add([NewPassage(TEXT, URL)]).outcomes
    id, edits = added.passage_id, Revision(f"{TEXT} Many were there.", URL)

    def work(number: int, kb: KnowledgeBase) -> Any:
        return kb.curation.revise(id, edits) if number % 2 else kb.retire([id])

    done = at_once(writers, work)
    actions = [entry.action for entry in writers[0].history(id)]
    assert sorted(actions[1:]) == sorted(
        ["retired"] * sum(each == 1 for each in done[::2])
        + ["edited"] * sum(each is not None and not isinstance(each, StoreError) for each in done[1::2])
    )
    assert actions.count("retired") == 1
    assert in_step(writers[0], 0)
    restored = at_once(writers, lambda n, kb: kb.restore([id]))
    assert sorted(restored) == [0] * (WRITERS - 1) + [1]
    assert in_step(writers[0], 1)


def test_a_change_is_taken_back_once(writers: list[KnowledgeBase]) -> None:
    (added,) = writers[0].add([NewPassage(TEXT, URL)]).outcomes
    change = writers[0].curation.revise(added.passage_id, Revision(f"{TEXT} Nobody was there.", URL))
    assert change
    undone = at_once(writers, lambda n, kb: kb.curation.undo(change.id))
    assert sum(not isinstance(each, StoreError) for each in undone) == 1
    assert [passage.text for passage in writers[0].list()] == [TEXT]
    assert [entry.action for entry in writers[0].history(added.passage_id)].count("undone") == 1
