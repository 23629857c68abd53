"""What a passage is, how it came by its words, and what that makes it count."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from ghost.knowledge import (
    LIBRARY,
    LIBRARY_CREDIBILITY,
    CredibilityBook,
    KnowledgeBase,
    NoteCheck,
    PassageFilter,
    Ratings,
    Revision,
    export_passages,
    origins,
    passage_of,
    rating_of,
    read_import_file,
)
from ghost.types import NO_FRAME, Frame, FrameKind, Intake, Kind, NewPassage, PageCheck, citing
from tests.knowledge.helpers import MOON, WALL, fetched, one

PAGE = "https://www.nasa.gov/moon"
HASH = "a" * 64


def read(text: str = MOON, url: str = PAGE) -> NewPassage:
    return fetched(text, url, intake=Intake.READ, text_hash=HASH)


def test_how_each_comes_in(kb: KnowledgeBase) -> None:
    fact = {"text": "Bees dance in the dark hive.", "source": PAGE, "details": {}}
    kb.add([
        NewPassage(MOON, PAGE), NewPassage(WALL), NewPassage("Whales sing.", PAGE, kind=Kind.NOTE), passage_of(fact),
        read("Otters hold hands in their sleep."), fetched("Owls turn their heads far round.", PAGE),
    ])  # fmt: skip
    assert [(p.kind, p.intake, p.text_hash) for p in reversed(kb.list())] == [
        (Kind.EXCERPT, Intake.ENTERED, ""),
        (Kind.NOTE, Intake.ENTERED, ""),
        (Kind.NOTE, Intake.ENTERED, ""),
        (Kind.NOTE, Intake.ENTERED, ""),
        (Kind.EXCERPT, Intake.READ, HASH),
        (Kind.EXCERPT, Intake.READ_EARLIER, ""),
    ]
    assert kb.count(PassageFilter(kind=Kind.NOTE)) == 3


def test_the_very_words_read_at_their_address_are_an_excerpt_from_then_on(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(MOON, PAGE, kind=Kind.NOTE)])
    kb.add([read()])
    assert [(p.kind, p.intake, p.text_hash) for p in kb.list()] == [(Kind.EXCERPT, Intake.READ, HASH)]
    kb.add([NewPassage(MOON, PAGE, kind=Kind.NOTE)])
    assert one(kb, MOON).intake is Intake.READ


def test_nobody_typed_in_says_what_was_read(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(MOON, PAGE, publisher="Reuters")])
    kb.add([read()])
    kb.add([NewPassage(MOON, PAGE, publisher="Reuters")])
    assert citing(one(kb, MOON), MOON) == f"nasa.gov says “{MOON.rstrip('.')}”"
    kb.add([replace(read(), publisher="NASA")])
    assert one(kb, MOON).publisher == "NASA"


def test_only_its_page_says_what_stands_around_what_was_read(kb: KnowledgeBase) -> None:
    myth = Frame(FrameKind.MYTH, "Myths")
    kb.add([read(), NewPassage(WALL, PAGE, frame=myth)])
    kb.add([NewPassage(MOON, PAGE, frame=myth), read(WALL)])
    assert [p.frame for p in kb.list()] == [NO_FRAME, NO_FRAME]
    kb.add([replace(read(), frame=myth)])
    assert one(kb, MOON).frame == myth


def test_other_words_were_not_read_and_an_edit_can_be_undone(kb: KnowledgeBase) -> None:
    (passage_id,) = kb.add([read()]).ids
    found = kb.get([passage_id])[0]
    assert (found.settles, citing(found, MOON)) == (True, f"nasa.gov says “{MOON.rstrip('.')}”")
    change = kb.curation.revise(passage_id, replace(Revision.of(found), text=f"{MOON} Roughly."))
    edited = kb.get([passage_id])[0]
    assert (edited.intake, edited.text_hash) == (Intake.ENTERED, "")
    assert citing(edited, MOON).startswith("A passage entered by hand from nasa.gov reads “")
    assert change
    kb.curation.undo(change.id)
    assert kb.get([passage_id])[0] == found


@pytest.mark.parametrize("kind", Kind)
def test_an_edit_that_is_undone_after_its_words_were_read_leaves_them_unread(kb: KnowledgeBase, kind: Kind) -> None:
    (passage_id,) = kb.add([NewPassage(WALL, PAGE, kind=kind)]).ids
    before = kb.get([passage_id])[0]
    change = kb.curation.revise(passage_id, replace(Revision.of(before), text=MOON))
    kb.add([read()])
    assert kb.get([passage_id])[0].intake is Intake.READ
    assert change
    kb.curation.undo(change.id)
    undone = kb.get([passage_id])[0]
    assert (undone.text, undone.kind, undone.intake, undone.text_hash) == (WALL, kind, Intake.ENTERED, "")


def test_a_check_is_of_the_words_that_were_compared_and_goes_with_them(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(MOON, PAGE, kind=Kind.NOTE)])
    note = kb.list()[0]
    edit = kb.curation.revise(note.id, replace(Revision.of(note), text=WALL))
    assert edit
    assert kb.record_checks([NoteCheck(note.id, note.text, PAGE, PageCheck.FOUND, "It says so.")]) is None
    assert kb.list()[0].page_check is None
    assert kb.record_checks([NoteCheck(note.id, WALL, PAGE, PageCheck.FOUND, "It says so.", "2026-11-28")])
    assert kb.list()[0].page_check is PageCheck.FOUND
    kb.curation.undo(edit.id)
    assert (kb.list()[0].text, kb.list()[0].page_check, kb.list()[0].page_checked) == (MOON, None, "")


def test_the_analyst_marks_what_was_typed_in_as_trusted(kb: KnowledgeBase) -> None:
    (passage_id,) = kb.add([NewPassage(MOON, "https://unrated.example/x")]).ids
    found = kb.get([passage_id])[0]
    assert not found.settles
    change = kb.curation.revise(passage_id, replace(Revision.of(found), trusted=True))
    assert kb.get([passage_id])[0].settles
    assert change
    kb.curation.undo(change.id)
    assert not kb.get([passage_id])[0].settles


def test_a_file_keeps_the_kind_and_cannot_say_that_ghost_has_read_it(kb: KnowledgeBase) -> None:
    kb.add([read(), NewPassage(WALL, PAGE, kind=Kind.NOTE)])
    rows = [json.loads(line) for line in b"".join(export_passages(kb, "jsonl")).splitlines()]
    assert [(row["kind"], row["intake"]) for row in rows] == [("excerpt", "read"), ("note", "entered")]
    found = read_import_file("\n".join(map(json.dumps, rows)).encode(), "back.jsonl")
    assert [(p.kind, p.intake, p.text_hash) for entry in found.entries for p in entry.passages] == [
        (Kind.EXCERPT, Intake.ENTERED, ""),
        (Kind.NOTE, Intake.ENTERED, ""),
    ]


def test_a_note_counts_what_the_library_counts_and_keeps_its_page(
    open_kb: Callable[..., KnowledgeBase], book: CredibilityBook
) -> None:
    kb = open_kb()
    kb.add([NewPassage(MOON, PAGE, kind=Kind.NOTE), NewPassage(WALL, PAGE)])
    ratings = Ratings(kb)
    note, excerpt = one(kb, MOON), one(kb, WALL)
    assert (note.standing, note.credibility, note.domain) == (LIBRARY_CREDIBILITY, book.credibility(PAGE), "nasa.gov")
    assert excerpt.standing == book.credibility(PAGE)
    effect = ratings.effect({LIBRARY: rating_of(LIBRARY, 0.3)})
    assert (effect.passages, effect.under) == (1, 1)
    both = ratings.effect({name: rating_of(name, 0.3) for name in (LIBRARY, "nasa.gov")})
    assert (both.passages, both.under) == (2, 2)
    change = ratings.rate(LIBRARY, 0.3)
    assert (one(kb, MOON).standing, one(kb, WALL).standing) == (0.3, book.credibility(PAGE))
    ratings.undo(change)
    assert one(kb, MOON).standing == LIBRARY_CREDIBILITY


def test_the_library_is_one_origin_and_makes_no_pages_one(kb: KnowledgeBase) -> None:
    other = "https://www.britannica.com/place/Moon"
    kb.add([
        NewPassage("The Moon circles the Earth once a month.", PAGE, kind=Kind.NOTE),
        NewPassage("Tides follow the Moon and the Sun.", other, kind=Kind.NOTE),
        fetched("Craters cover the far side of the Moon.", PAGE), fetched("Dust covers the plains there.", other),
        NewPassage("A note of the analyst without any page."),
    ])  # fmt: skip
    first, second, nasa, britannica, third = origins(list(reversed(kb.list())))
    assert first.group == second.group == third.group == nasa.group != britannica.group
    assert second.why == "both are notes in the library"


def test_a_copy_of_what_was_not_read_names_it_as_that(kb: KnowledgeBase) -> None:
    kb.add([
        NewPassage(MOON, "https://www.britannica.com/moon", "Moon", kind=Kind.NOTE, publisher="Britannica"),
        fetched(MOON, PAGE), NewPassage(WALL, "https://a.example/wall", publisher="Reuters"), fetched(WALL, "https://b.example/wall"),
    ])  # fmt: skip
    _, moon, _, wall = origins(list(reversed(kb.list())))
    alike = "nearly the same text as that of"
    assert moon.why == f"{alike} a note in the library (check it at Britannica: Moon)"
    assert wall.why == f"{alike} a passage entered by hand from a.example"


def test_a_seed_fact_settles_and_a_typed_note_without_a_rated_page_does_not(kb: KnowledgeBase) -> None:
    kb.add([passage_of({"text": MOON, "source": "https://unrated.example/x"}), NewPassage(WALL)])
    kb.add([NewPassage("Bees dance in the dark.", PAGE, kind=Kind.NOTE)])
    assert [p.settles for p in reversed(kb.list())] == [True, False, True]
