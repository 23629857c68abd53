"""Nothing is half imported: what is stopped, fails or is killed leaves nothing; what was imported can be undone."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from ghost.errors import Cancelled, StoreError, TakenOverError
from ghost.knowledge import (
    Action,
    AddReport,
    ImportCheck,
    KnowledgeBase,
    PassageFilter,
    Use,
    check_import,
    discard_interrupted,
    read_import_file,
    restore_import,
    run_import,
    storage,
    undo_import,
)
from ghost.knowledge import index_sync as mirror
from ghost.knowledge.transfer import imports as keeping
from ghost.records import ImportRecord, ImportStatus, ImportStore, history, import_passages, passage_bands, passages
from ghost.types import NewPassage, Origin, StanceLabel, Status
from tests.knowledge.helpers import AT, BEES, ORDER, WALL, exit_code, in_step

OTTERS = "Otters hold hands while they sleep so that they do not drift apart."
ID = "a" * 32


def lines(*rows: dict[str, object]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def checked(kb: KnowledgeBase, *rows: dict[str, object]) -> ImportCheck:
    return check_import(kb, read_import_file(lines(*rows), "pack.jsonl"))


def many(n: int) -> list[dict[str, object]]:
    return [{"text": f"Passage number {n} of many speaks of river {n * 7}.", "url": f"https://example.org/{n}"}
            for n in range(n)]  # fmt: skip


def left(kb: KnowledgeBase) -> list[int]:
    with kb.database.read() as connection:
        return [len(connection.execute(t.select()).all()) for t in (passages, history, passage_bands, import_passages)]


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a hundred rows are several transactions, and several pages for the index."""
    for module in (keeping, storage):
        monkeypatch.setattr(module, "STAMPED", 40)
    monkeypatch.setattr(mirror, "PAGE", 50)


@pytest.fixture
def store(kb: KnowledgeBase) -> ImportStore:
    return ImportStore(kb.database)


def test_the_check_says_what_would_become_of_each_row_and_writes_nothing(kb: KnowledgeBase) -> None:
    kept, gone = kb.add([NewPassage(WALL), NewPassage(BEES)]).ids
    kb.retire([gone])
    before = left(kb)
    found = checked(
        kb,
        {"text": WALL},
        {"text": BEES},
        {"text": OTTERS, "url": "https://www.nasa.gov/otters"},
        {"text": OTTERS, "url": "https://www.nasa.gov/otters"},
        {"text": ORDER},
        {"text": "Short"},
        {"text": "Das ist ein deutscher Satz über den Fluss und die Stadt.", "language": "de"},
    )
    assert found.counts == {Action.ADDED: 2, Action.MERGED: 3, Action.QUARANTINED: 1, Action.REFUSED: 1}
    assert (found.new, found.passages, found.retired) == (3, 7, 1)
    assert found.domains == {"nasa.gov": 1, "": 2}
    assert found.languages == {"en": 2, "de": 1}
    assert [(p.row, p.fatal) for p in found.problems] == [(5, False), (6, True)]
    assert "waits in quarantine" in found.problems[0].problem
    assert "too short" in found.problems[1].problem
    assert left(kb) == before
    assert kb.get([kept])[0].text == WALL


def test_an_import_brings_all_at_once(kb: KnowledgeBase, store: ImportStore) -> None:
    kb.add([NewPassage(WALL)])
    seen: list[int] = []

    def look(what: str, done: int, total: int) -> None:
        if what == keeping.TAKING:
            seen.append(kb.count(PassageFilter(status=Status.ACTIVE)))

    rows = [*many(90), {"text": WALL, "topic": "space"}, {"text": ORDER}, {"text": "Short"}]
    record = run_import(kb, store, checked(kb, *rows), ID, look)
    assert (record.rows, record.added, record.merged, record.quarantined, record.refused) == (93, 90, 1, 1, 1)
    assert record.status is ImportStatus.FINISHED
    assert set(seen) == {1}
    assert kb.stats().by_status == {"active": 91, "quarantined": 1}
    assert in_step(kb, 91)
    found = kb.search("passage number 57 speaks of river 399", 1)[0].passage
    assert (found.origin, found.source_url) == (Origin.IMPORT, "https://example.org/57")
    assert kb.history(found.id)[0].note == "imported from pack.jsonl"
    assert store.list() == [record]


def test_what_was_imported_can_be_undone_and_brought_back(kb: KnowledgeBase, store: ImportStore) -> None:
    (wall,) = kb.add([NewPassage(WALL)]).ids
    rows = [*many(60), {"text": WALL, "topic": "space", "date": "2020-05-03"}, {"text": ORDER}]
    run_import(kb, store, checked(kb, *rows), ID)
    mine = kb.search("passage number 5 river 35", 1)[0].passage.id
    kb.retire([mine], "no longer right")
    assert (kb.get([wall])[0].topic, kb.get([wall])[0].published_at) == ("space", date(2020, 5, 3))

    assert undo_import(kb, store, ID) == 60
    assert "retired and stays so" in kb.add([NewPassage(ORDER)]).outcomes[0].reason
    assert kb.stats().by_status == {"active": 1, "retired": 61}
    assert (kb.get([wall])[0].topic, kb.get([wall])[0].published_at) == ("", None)
    assert kb.check().in_step
    assert kb.search("passage number 57 speaks of river 399", 1)[0].passage.id == wall
    with pytest.raises(StoreError, match="is undone"):
        undo_import(kb, store, ID)

    assert restore_import(kb, store, ID) == 60
    assert kb.stats().by_status == {"active": 60, "quarantined": 1, "retired": 1}
    assert kb.get([mine])[0].status is Status.RETIRED
    assert kb.get([wall])[0].topic == "space"
    assert kb.check().in_step
    with pytest.raises(StoreError, match="is finished"):
        restore_import(kb, store, ID)
    with pytest.raises(StoreError, match="no import"):
        undo_import(kb, store, "nonesuch")


@pytest.mark.parametrize(("stopped", "by_hand"), [(True, True), (False, False)])
def test_what_is_added_while_an_import_has_it_out_of_sight_stays(
    kb: KnowledgeBase, store: ImportStore, stopped: bool, by_hand: bool
) -> None:
    url, text = "https://www.nasa.gov/wall", WALL
    added: list[AddReport] = []

    def look(what: str, at: int, total: int) -> None:
        if at >= 40 and not added:
            origin = Origin.CURATED if by_hand else Origin.WEB
            again = NewPassage(text, url, origin=origin, retrieved_at=AT)
            used = [] if by_hand else [Use("", 0.9, StanceLabel.SUPPORTS, True)] * 2
            added.append(kb.add([again, again], run_id="" if by_hand else "r1", uses=used))

    found = checked(kb, {"text": text, "url": url}, *many(90))
    if stopped:
        with pytest.raises(Cancelled):
            run_import(kb, store, found, ID, look, lambda: bool(added))
    else:
        assert run_import(kb, store, found, ID, look).status is ImportStatus.FINISHED
        undo_import(kb, store, ID)
    (report,) = added
    assert [o.action for o in report.outcomes] == [Action.ADDED, Action.MERGED]
    assert "retired" not in report.outcomes[1].reason
    (here,) = kb.get([report.ids[0]])
    assert (here.text, here.status) == (text, Status.ACTIVE)
    assert kb.count(PassageFilter(status=Status.ACTIVE)) == 1
    assert kb.search(text, 1)[0].passage.id == here.id
    assert kb.check().in_step
    assert report.change
    kb.curation.undo(report.change)
    assert kb.get([here.id])[0].status is Status.RETIRED


@pytest.mark.parametrize("pages", [0, 1])
def test_a_cancelled_import_leaves_nothing(kb: KnowledgeBase, store: ImportStore, pages: int) -> None:
    (wall,) = kb.add([NewPassage(WALL)]).ids
    before, done = left(kb), [0]

    def look(what: str, at: int, total: int) -> None:
        done[0] = at

    with pytest.raises(Cancelled):
        run_import(
            kb, store, checked(kb, {"text": WALL, "topic": "a"}, *many(90)), ID, look, lambda: done[0] >= 40 * pages
        )
    assert left(kb)[:3] == [before[0], before[1] + pages, before[2]]  # the history tells of the merge
    assert left(kb)[3] == 0
    assert kb.get([wall])[0].topic == ""
    assert [r.status for r in store.list()] == [ImportStatus.CANCELLED]
    assert kb.check().in_step


def test_an_import_that_fails_leaves_nothing_and_says_why(
    kb: KnowledgeBase, store: ImportStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = checked(kb, *many(90))

    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(keeping, "_reveal", fail)
    with pytest.raises(StoreError):
        run_import(kb, store, found, ID)
    assert left(kb) == [0, 0, 0, 0]
    assert [(r.status, r.note) for r in store.list()] == [(ImportStatus.FAILED, "The disk is full.")]


KILLED = """
from ghost.knowledge import check_import, read_import_file
from ghost.knowledge.transfer import imports
from ghost.knowledge.vectors import VectorIndex
from ghost.records import ImportStore
def die(*_):
    os.kill(os.getpid(), 9)
def look(what, done, total):
    if {hook!r} == "pages" and (what, done) == (imports.TAKING, 80):
        die()
if {hook!r} == "index":
    VectorIndex.upsert = die
found = check_import(kb, read_import_file(Path({file!r}).read_bytes(), "pack.jsonl"))
imports.STAMPED = 40
imports.run_import(kb, ImportStore(kb.database), found, "b" * 32, look)
"""


@pytest.mark.parametrize("hook", ["pages", "index"])
def test_a_killed_import_is_taken_back_or_finished_at_the_next_start(
    open_kb: Callable[..., KnowledgeBase], tmp_path: Path, stores: tuple[str, str], hook: str
) -> None:
    kb = open_kb()
    (wall,) = kb.add([NewPassage(WALL)]).ids
    kb.close()
    file = tmp_path / "pack.jsonl"
    file.write_bytes(lines(*many(90), {"text": WALL, "topic": "space"}))
    assert exit_code(tmp_path, KILLED.format(file=str(file), hook=hook), stores) == -9

    again = open_kb()
    store = ImportStore(again.database)
    if hook == "index":
        assert discard_interrupted(again, store) == 0
        assert store.list()[0].status is ImportStatus.FINISHED
        assert again.stats().by_status == {"active": 91}
    else:
        assert discard_interrupted(again, store) == 1
        assert discard_interrupted(again, store) == 0
        assert store.list()[0].status is ImportStatus.INTERRUPTED
        assert "import the file again" in store.list()[0].note
        assert again.stats().by_status == {"active": 1}
        assert again.get([wall])[0].topic == ""
        assert left(again)[0] == 1
        assert run_import(again, store, checked(again, *many(90)), ID).added == 90
    assert in_step(again, 91)


def test_an_attempt_that_another_one_has_taken_over_writes_nothing_more(kb: KnowledgeBase, store: ImportStore) -> None:
    found, others = checked(kb, *many(90)), list[ImportRecord]()

    def take_over(what: str, done: int, total: int) -> None:
        if done == 80 and not others:
            others.append(run_import(kb, store, found, ID))

    with pytest.raises(TakenOverError):
        run_import(kb, store, found, ID, take_over)
    with pytest.raises(TakenOverError):  # it has ended
        run_import(kb, store, found, ID)
    assert others[0].added == 90
    assert store.list() == others
    assert kb.stats().by_status == {"active": 90}
    assert left(kb)[3] == 90
    assert in_step(kb, 90)
