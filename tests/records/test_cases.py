"""Cases: grouping runs, finding cases, and taking back what was done to them."""

import pytest

from ghost.errors import ClaimError, StoreError
from ghost.records import MAX_CASE_NAME, MAX_CASE_NOTES, CaseStore, Database, ReviewStore
from ghost.records import cases as module
from ghost.types import Label
from tests.records.kept import keep

NOTES = (
    # seen by the analyst, stored meanwhile, typed, kept
    ("Old", "Old", "New", "New"), ("Old", "Old", "", ""), ("Old", "Theirs", "Mine", "Theirs\n\nMine"),
    ("Old", "Old\nTheirs", "Old\nMine", "Old\nTheirs\n\nMine"), ("Old", "Theirs", "Older", "Theirs\n\nOlder"),
    ("Old", "Same", "Same", "Same"), ("Old", "", "Old\nMine", "Mine"), ("Old", "Theirs", "Old", "Theirs"),
    ("", "Theirs", "Mine", "Theirs\n\nMine"),
)  # fmt: skip


@pytest.fixture
def store(database: Database) -> CaseStore:
    keep(database, "r1", "The wall is visible.")
    keep(database, "r2", "Honey keeps.", Label.TRUE, minutes=1)
    return CaseStore(database)


def test_a_case_groups_runs_under_a_name_with_notes(
    store: CaseStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = store.create("  Election \n 2026 ", "Ask the ministry.")
    assert (case.name, case.notes, case.runs, case.deleted) == ("Election 2026", "Ask the ministry.", 0, False)
    assert store.add(case.id, ["r1", "r2", "r1", "unknown"]) == 2
    assert store.add(case.id, ["r1"]) == 0
    ReviewStore(database).override("r1", Label.MISLEADING, "x")
    listed = [(r.id, r.label, r.override) for r in store.runs(case.id)]
    assert listed == [("r1", Label.FALSE, Label.MISLEADING), ("r2", Label.TRUE, None)]
    assert [c.name for c in store.holding("r1")] == ["Election 2026"]
    assert store.remove(case.id, ["r1"]) == 1
    assert store.holding("r1") == []
    monkeypatch.setattr(module, "MAX_RUNS", 1)
    with pytest.raises(ClaimError, match="at most 1 checks"):
        store.add(case.id, ["r1"])
    assert [r.id for r in store.runs(case.id)] == ["r2"]


def test_a_case_can_be_renamed_and_its_notes_changed(store: CaseStore) -> None:
    case, other = store.create("One"), store.create("Two")
    assert store.change(case.id, "Eins", "Notes").name == "Eins"
    assert store.change(case.id, "EINS").notes == "Notes"
    assert store.change(case.id, notes="").name == "EINS"
    with pytest.raises(ClaimError, match="another case has this name"):
        store.change(other.id, "eins", "")
    with pytest.raises(StoreError, match="no such case"):
        store.change("unknown", "Three", "")
    for name, notes, words in (
        ("", "", "needs a name"), (" \u200b\n", "", "needs a name"), ("x" * (MAX_CASE_NAME + 1), "", "at most 120"),
        ("x", "y" * (MAX_CASE_NOTES + 1), "at most 20,000"),
    ):  # fmt: skip
        with pytest.raises(ClaimError, match=words):
            store.create(name, notes)
    assert store.count() == 2


def test_notes_that_somebody_else_has_kept_meanwhile_stay(store: CaseStore) -> None:
    for number, (seen, stored, typed, kept) in enumerate(NOTES):
        case = store.create(f"Case {number}", stored)
        assert store.keep_notes(case.id, typed, seen) == (stored, kept)
        assert store.change(case.id).notes == kept
        with pytest.raises(ClaimError, match="notes have at most"):
            store.keep_notes(case.id, "x" * MAX_CASE_NOTES, "something else")


def test_an_undo_leaves_what_was_written_since(store: CaseStore) -> None:
    case = store.create("One", "Old")
    mine = store.keep_notes(case.id, "Old\nMine", "Old")
    store.keep_notes(case.id, "Old\nTheirs", "Old")
    with pytest.raises(StoreError, match="notes of the case changed again"):
        store.put_back(case.id, "notes", *mine)
    assert store.change(case.id).notes == "Old\nMine\n\nTheirs"
    store.change(case.id, "Two")
    store.put_back(case.id, "name", "One", "Two")
    assert store.change(case.id).name == "One"
    with pytest.raises(StoreError, match="name of the case changed again"):
        store.put_back(case.id, "name", "Zero", "Two")


def test_a_deleted_case_is_found_nowhere_not_changed_and_comes_back_whole(store: CaseStore) -> None:
    case = store.create("One", "Notes")
    store.add(case.id, ["r1"])
    store.delete(case.id)
    store.delete(case.id)
    for act in (
        lambda: store.change(case.id, "Two"), lambda: store.keep_notes(case.id, "More", "Notes"),
        lambda: store.add(case.id, ["r1"]), lambda: store.remove(case.id, ["r1"]),
    ):  # fmt: skip
        with pytest.raises(StoreError, match="or it was deleted"):
            act()
    assert (store.list(), store.count(), store.holding("r1")) == ([], 0, [])
    assert (store.deleted_count(), [c.name for c in store.deleted()], store.deleted(1, 1)) == (1, ["One"], [])
    kept = store.get(case.id)
    assert kept
    assert kept.deleted
    store.create("one")
    back = store.restore(case.id)
    assert (back.name, back.notes, back.deleted, back.runs) == ("One (2)", "Notes", False, 1)


def test_cases_are_searched_by_name_notes_and_claims(store: CaseStore) -> None:
    space, food = store.create("Space", "100% _sure_, sagt die Москва"), store.create("Food")
    store.add(food.id, ["r2"])
    store.add(space.id, ["r1"])
    assert [c.name for c in store.list()] == ["Space", "Food"]
    for words, name in (("HONEY", "Food"), ("space", "Space"), ("100% _", "Space"), ("МОСКВА", "Space")):
        assert [c.name for c in store.list(words)] == [name]
    assert store.count("nothing of the kind") == 0
    assert [c.name for c in store.list(limit=1, offset=1)] == ["Food"]


def test_hostile_names_are_kept_as_text(store: CaseStore) -> None:
    name = "<script>alert(1)</script> '; DROP TABLE cases; -- \u202etxt"
    assert store.create(name).name == name.replace("\u202e", "")
    assert store.create("\ud800 half").name == "half"
