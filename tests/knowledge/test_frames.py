"""What a page says around a passage stays with it in the knowledge base, whatever is done to the passage."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ghost.knowledge import KnowledgeBase, Revision, read_import_file
from ghost.types import Frame, FrameKind, Passage
from tests.knowledge.helpers import BEES, MOON, edit, fetched, one

MYTH = Frame(FrameKind.MYTH, "Myths", ("The Moon", "Myths"))
QUOTE = Frame(FrameKind.QUOTE, "A keeper")


def frame_of(kb: KnowledgeBase, text: str = MOON) -> Frame:
    return one(kb, text).frame


@pytest.fixture
def moon(kb: KnowledgeBase) -> Passage:
    kb.add([fetched(MOON, frame=MYTH), fetched(BEES)])
    return one(kb, MOON)


def test_it_is_found_with_the_passage_and_after_the_folder_is_opened_again(
    kb: KnowledgeBase, moon: Passage, open_kb: Callable[..., KnowledgeBase]
) -> None:
    assert moon.frame == kb.search(MOON, 1)[0].passage.frame == MYTH
    assert frame_of(kb, BEES) == Frame()
    kb.close()
    assert frame_of(open_kb()) == MYTH


def test_edits_keep_it_and_changing_it_can_be_undone(kb: KnowledgeBase, moon: Passage) -> None:
    text = f"{MOON} So it is said."
    assert edit(kb, moon.id, text).frame == MYTH
    change = kb.curation.revise(moon.id, replace(Revision.of(one(kb, text)), frame=QUOTE))
    assert change
    assert frame_of(kb, text) == QUOTE
    kb.curation.undo(change.id)
    assert frame_of(kb, text) == MYTH


def test_a_page_that_is_read_again_adds_it_but_does_not_replace_it(kb: KnowledgeBase, moon: Passage) -> None:
    kb.add([fetched(MOON, frame=QUOTE), fetched(BEES, frame=QUOTE)])
    assert (frame_of(kb), frame_of(kb, BEES)) == (MYTH, QUOTE)
    kb.curation.merge(moon.id, [one(kb, BEES).id])
    assert frame_of(kb) == MYTH


def test_a_file_may_bring_one_and_what_is_none_is_left_out_with_the_reason() -> None:
    rows = f'{{"text": "{MOON}", "frame": "{{\\"kind\\": \\"myth\\"}}"}}\n{{"text": "{BEES}", "frame": "spell"}}'
    found = read_import_file(rows.encode(), "a.jsonl")
    assert [new.frame for entry in found.entries for new in entry.passages] == [Frame(FrameKind.MYTH), Frame()]
    assert [problem.field for problem in found.problems] == ["frame"]
