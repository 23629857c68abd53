"""What the analyst does, and taking it back."""

from dataclasses import replace
from datetime import date

import pytest

from ghost.errors import ClaimError, StoreError
from ghost.knowledge import KnowledgeBase, Revision, Use, admit, base, change_log, storage
from ghost.types import NewPassage, Passage, StanceLabel, Status
from tests.knowledge.helpers import ORDER, WALL, edit

TEXTS = (
    "The first thing that is said here is short.",
    "A second thing is told about otters.",
    "The third one is on whales.",
)


@pytest.fixture
def three(kb: KnowledgeBase) -> list[str]:
    """Ids of three passages of three sources."""
    return list(kb.add(NewPassage(text, f"https://site{n}.org/page") for n, text in enumerate(TEXTS)).ids)


def one(kb: KnowledgeBase, passage_id: str) -> Passage:
    return kb.get([passage_id])[0]


def everything(kb: KnowledgeBase) -> list[Passage]:
    """All passages, which must not differ after something was undone; and the index must say the same."""
    health = kb.check()
    assert health.in_step
    assert health.sql_active == health.vectors
    return kb.list(limit=1_000)


def revised(kb: KnowledgeBase, passage_id: str, **fields: object) -> str:
    change = kb.curation.revise(passage_id, replace(Revision.of(one(kb, passage_id)), **fields), "why")  # type: ignore[arg-type]
    assert change
    return change.id


@pytest.mark.parametrize("deed", ["retire", "edit", "facts", "merge", "add"])
def test_whatever_is_done_can_be_undone_and_done_again(kb: KnowledgeBase, three: list[str], deed: str) -> None:
    use = Use(three[0], 0.5, StanceLabel.SUPPORTS, False)
    kb.record_use("run", [use, replace(use, passage_id=three[1], relevance=0.9)])
    before = everything(kb)
    match deed:
        case "retire":
            found = kb.curation.retire(three[:2], "why")
            assert found
            change = found.id
        case "edit":
            change = revised(kb, three[0], text="It says something else entirely now.")
        case "facts":
            change = revised(
                kb, three[0], source_url="https://www.nasa.gov/x", title="T", topic="t", published_at=date(2020, 1, 2)
            )
        case "merge":
            found = kb.curation.merge(three[0], three)
            assert found
            change = found.id
        case _:
            change = kb.add([NewPassage("A fourth thing is said.", "https://site4.org")]).change
    after = everything(kb)
    assert after != before
    undone = kb.curation.undo(change)
    assert undone.left == ()
    if deed == "add":
        assert [p.status for p in everything(kb)] == [Status.RETIRED, *[Status.ACTIVE] * 3]
    else:
        assert everything(kb) == before
    assert kb.curation.undo(undone.change.id).left == ()
    assert everything(kb) == after
    assert kb.curation.undo(change).left == ()  # what was done again can be undone again
    with pytest.raises(StoreError, match="taken back already"):
        kb.curation.undo(change)


def test_what_cannot_be_a_passage_changes_nothing(kb: KnowledgeBase, three: list[str]) -> None:
    before = everything(kb)
    for text in ("", "short", "x" * 3_000, "\x00" * 50):
        with pytest.raises(ClaimError, match="was not changed"):
            revised(kb, three[0], text=text)
    with pytest.raises(StoreError, match="has this text from the same source already"):
        revised(kb, three[0], text=TEXTS[1], source_url="https://site1.org/page")
    with pytest.raises(StoreError, match="there is no passage p_none"):
        kb.curation.revise("p_none", Revision("Something long enough."))
    assert kb.curation.revise(three[0], Revision.of(one(kb, three[0]))) is None
    assert everything(kb) == before
    assert kb.curation.count() == 1


def test_an_order_to_an_ai_puts_an_edited_passage_into_quarantine(kb: KnowledgeBase, three: list[str]) -> None:
    change = revised(kb, three[0], text=ORDER)
    assert one(kb, three[0]).status is Status.QUARANTINED
    assert kb.why_quarantined(three)[three[0]] == admit(NewPassage(ORDER)).reason
    kb.curation.undo(change)
    assert one(kb, three[0]).status is Status.ACTIVE


def test_what_was_changed_again_since_is_left(kb: KnowledgeBase, three: list[str]) -> None:
    first = kb.curation.retire(three[:2])
    assert first
    kb.curation.restore(three[:1])
    kb.curation.retire(three[:1], "again")
    kb.curation.restore(three[:1])
    undone = kb.curation.undo(first.id)
    assert undone.left == (three[0],)
    assert [one(kb, i).status for i in three] == [Status.ACTIVE] * 3
    edited = revised(kb, three[2], text="The third one is on dolphins.")
    revised(kb, three[2], text="The third one is on seals.")
    with pytest.raises(StoreError, match="Undo the later change first"):
        kb.curation.undo(edited)


def test_one_passage_of_a_change_can_be_put_back(kb: KnowledgeBase, three: list[str]) -> None:
    change = kb.curation.retire(three)
    assert change
    assert [h.change for h in kb.history(three[0])] == ["", change.id]
    kb.curation.undo(change.id, three[0])
    assert [one(kb, i).status for i in three] == [Status.ACTIVE, Status.RETIRED, Status.RETIRED]
    assert kb.history(three[0])[1].change == ""  # it is no longer what the change made it
    assert kb.history(three[1])[1].change == change.id
    assert kb.curation.undo(change.id).left == (three[0],)
    assert [one(kb, i).status for i in three] == [Status.ACTIVE] * 3


def test_changes_are_listed_newest_first(kb: KnowledgeBase, three: list[str]) -> None:
    kb.add([NewPassage(ORDER, "https://x.org")])
    kb.restore([kb.list(limit=1)[0].id])
    kb.retire(three, "no longer")
    assert [(c.action, c.passages, c.note) for c in kb.curation.changes()] == [
        ("retired", 3, "no longer"), ("accepted", 1, ""), ("added", 1, "came in as curated"),
        ("added", 3, "came in as curated"),
    ]  # fmt: skip
    assert kb.curation.concerned(kb.curation.changes()[0].id) == three
    assert kb.curation.retire(three) is None
    assert kb.curation.count() == 4


def test_duplicates_that_are_merged_share_their_statistics(kb: KnowledgeBase, three: list[str]) -> None:
    kb.record_use("a", [Use(three[0], 0.4, StanceLabel.SUPPORTS, False), Use(three[1], 0.8, StanceLabel.REFUTES, True)])
    kb.record_use("b", [Use(three[1], 0.6, StanceLabel.REFUTES, True)])
    kb.curation.merge(three[0], [three[1]], "the same")
    kept, gone = kb.get(three[:2])
    assert (kept.verification_count, round(kept.avg_relevance, 3), kept.access_count) == (2, 0.7, 2)
    assert gone.status is Status.RETIRED
    assert {use.run_id for use in kb.runs_using(three[0])} == {"a", "b"}
    assert kb.merged(three[1]) == (three[0], [])
    assert kb.merged(three[0]) == ("", [three[1]])
    # A second merge reaches through the first one.
    kb.curation.merge(three[2], [three[0]])
    assert one(kb, three[2]).verification_count == 2
    assert set(kb.merged(three[2])[1]) == set(three[:2])
    # Whoever is brought back speaks for itself again.
    kb.restore([three[1]])
    assert kb.merged(three[1]) == ("", [])
    assert one(kb, three[2]).verification_count == one(kb, three[0]).verification_count == 1
    assert one(kb, three[1]).verification_count == 2


def test_many_at_once(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((change_log, "CHUNK"), (storage, "CHUNK"), (storage, "STAMPED"), (base, "BATCH")):
        monkeypatch.setattr(module, name, 30)
    report = kb.add(NewPassage(f"Passage number {n} says little.", f"https://a.org/{n}") for n in range(100))
    change = kb.curation.retire(report.ids)
    assert change
    assert change.passages == 100
    assert kb.search("passage number", 5) == []
    kb.curation.undo(change.id)
    assert kb.stats().active == 100
    assert kb.curation.changes()[-1].passages == 100  # in several transactions, and one change


def test_an_edited_passage_keeps_its_id_and_its_old_text(kb: KnowledgeBase) -> None:
    (wall,) = kb.add([NewPassage(WALL, "https://a.org")]).ids
    edited = edit(kb, wall, "Beavers build dams out of branches.", "replaced")
    assert edited.id == wall
    assert edited.text_length == len(edited.text)
    entry = kb.history(wall)[-1]
    assert (entry.action, entry.note, entry.old_text) == ("edited", "replaced", WALL)

    found = kb.search("beavers and dams", 1)[0]
    assert found.passage.id == wall
    assert found.lexical is not None
    assert found.semantic is not None
    assert found.semantic > 0.3
    assert kb.search("Great Wall of China", 1)[0].lexical is None
    # Neither text makes a second passage.
    assert kb.add([NewPassage(WALL, "https://a.org"), NewPassage(edited.text, "https://a.org")]).ids == (wall,)
    assert kb.count() == 1
