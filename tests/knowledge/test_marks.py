"""Marking sources as bad, over a real knowledge base."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.errors import ClaimError, StoreError
from ghost.knowledge import MARKED_CREDIBILITY, CredibilityBook, KnowledgeBase, SourceMarks
from ghost.records import ReviewStore
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, Status
from tests.records.kept import keep


class ScriptedRatings:
    """Ratings in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, float] = {}
        self.reasons: list[str] = []

    def rate(self, entry: str, credibility: float, reason: str = "") -> str:
        if self.kept.get(entry) == credibility:
            return ""
        self.kept[entry] = credibility
        self.reasons.append(reason)
        return entry

    def undo(self, change_id: str) -> None:
        del self.kept[change_id]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(
        tmp_path / "ghost.db", tmp_path / "chroma", "", HashingEncoder(), CredibilityBook({}, ())
    ) as base:
        keep(base.database, "r1")
        yield base


@pytest.fixture
def passage_id(base: KnowledgeBase) -> str:
    return base.add([NewPassage("Bees dance to tell where the flowers are.", "https://bees.example/")]).ids[0]


def test_a_marked_passage_is_retired_with_the_reason_and_comes_back(base: KnowledgeBase, passage_id: str) -> None:
    reviews = ReviewStore(base.database)
    marks = SourceMarks(base, reviews, ScriptedRatings())
    mark = marks.passage("r1", passage_id, " Made up. ")
    assert base.get([passage_id])[0].status is Status.RETIRED
    assert base.history(passage_id)[-1].note == "marked as bad in check r1: Made up."
    assert reviews.of("r1").marks == (mark,)
    marks.undo(mark)
    marks.undo(mark)
    assert base.get([passage_id])[0].status is Status.ACTIVE
    assert [h.action for h in base.history(passage_id)] == ["added", "retired", "restored"]
    assert reviews.of("r1").marks == ()


def test_what_cannot_be_marked_says_why_and_changes_nothing(base: KnowledgeBase, passage_id: str) -> None:
    reviews = ReviewStore(base.database)
    marks = SourceMarks(base, reviews, ScriptedRatings())
    with pytest.raises(ClaimError, match="say why"):
        marks.passage("r1", passage_id, " ")
    with pytest.raises(ClaimError, match="not in your knowledge base"):
        marks.passage("r1", "web:1", "a snippet")
    base.retire([passage_id])
    with pytest.raises(ClaimError, match="is retired"):
        marks.passage("r1", passage_id, "again")
    with pytest.raises(ClaimError, match="cannot be changed here"):
        marks.domain("r1", "", "x")
    assert reviews.acts("r1") == []


def test_a_domain_is_rated_lower_and_its_rating_taken_away_again(base: KnowledgeBase) -> None:
    ratings, reviews = ScriptedRatings(), ReviewStore(base.database)
    marks = SourceMarks(base, reviews, ratings)
    mark = marks.domain("r1", "bees.example", "Sells honey.")
    assert ratings.kept == {"bees.example": MARKED_CREDIBILITY}
    assert ratings.reasons == ["marked as bad in check r1: Sells honey."]
    again = marks.domain("r1", "bees.example", "Twice.")
    marks.undo(again)
    assert ratings.kept == {"bees.example": MARKED_CREDIBILITY}
    marks.undo(mark)
    marks.undo(mark)
    assert ratings.kept == {}
    with pytest.raises(StoreError):
        marks.domain("nobody", "bees.example", "x")
    assert ratings.kept == {}


def test_a_store_that_fails_leaves_no_mark_behind(base: KnowledgeBase, passage_id: str) -> None:
    class Broken:
        def get(self, ids: object) -> object:
            return base.get([passage_id])

        def retire(self, ids: object, note: str = "") -> int:
            raise StoreError("The disk is full.")

        restore = retire

    reviews = ReviewStore(base.database)
    with pytest.raises(StoreError):
        SourceMarks(Broken(), reviews, ScriptedRatings()).passage("r1", passage_id, "x")  # type: ignore[arg-type]
    assert reviews.of("r1").marks == ()
    mark = SourceMarks(base, reviews, ScriptedRatings()).passage("r1", passage_id, "x")
    with pytest.raises(StoreError):
        SourceMarks(Broken(), reviews, ScriptedRatings()).undo(mark)  # type: ignore[arg-type]
    assert reviews.of("r1").marks == (mark,)
