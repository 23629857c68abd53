"""What a page says around a passage stays with it in the knowledge base, whatever is done to the passage."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from ghost.knowledge import EXPORT_FORMATS, KnowledgeBase, Revision, export_passages, passage_of, read_import_file
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


WRITTEN = {"kind": "myth", "words": "Myths", "headings": ["The Moon", "Myths"]}
NONE: tuple[object, ...] = (
    "spell", '{"kind": "spell"}', "[]", "7", 7, ["myth"], {"words": {"a": "b"}}, {"words": "x" * 5_001},
    {"headings": "Myths"}, {"headings": ["x"] * 51}, {"headings": [["Myths"]]}, "[" * 4_000, '{"kind": "myth"',
)  # fmt: skip


@pytest.mark.parametrize("written", [WRITTEN, json.dumps(WRITTEN), f" {json.dumps(WRITTEN)} "])
def test_a_file_and_a_pack_may_bring_one(written: object) -> None:
    found = read_import_file(json.dumps({"text": MOON, "frame": written}).encode(), "a.jsonl")
    assert [new.frame for entry in found.entries for new in entry.passages] == [MYTH]
    assert passage_of({"text": MOON, "details": {"frame": written}}).frame == MYTH


@pytest.mark.parametrize("written", NONE, ids=lambda value: str(value)[:20])
def test_what_is_no_frame_is_left_out_with_the_reason(written: object) -> None:
    found = read_import_file(json.dumps({"text": MOON, "frame": written}).encode(), "a.jsonl")
    assert [new.frame for entry in found.entries for new in entry.passages] == [Frame()]
    assert [problem.field for problem in found.problems] == ["frame"]


def test_the_words_of_one_from_outside_are_cut_and_cleaned() -> None:
    written = {"kind": "quotation", "words": "A\u202e keeper " * 90, "headings": [f"H\n{n}" for n in range(20)]}
    frame = passage_of({"text": MOON, "details": {"frame": written}}).frame
    assert (len(frame.words), frame.words[:20]) == (200, "A keeper A keeper A ")
    assert frame.headings == tuple(f"H {n}" for n in range(14, 20))


@pytest.mark.parametrize("form", EXPORT_FORMATS)
def test_it_goes_out_and_comes_in_again(
    moon: Passage, kb: KnowledgeBase, form: str, open_kb: Callable[..., KnowledgeBase]
) -> None:
    data = b"".join(export_passages(kb, form))
    found = read_import_file(data, f"a.{form}")
    assert not found.problems
    other = open_kb(folder="other")
    other.add(new for entry in found.entries for new in entry.passages)
    assert (frame_of(other), frame_of(other, BEES)) == (MYTH, Frame())
