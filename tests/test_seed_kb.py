"""The starter library put into a knowledge base, kept up to date there, and switched off pack by pack."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import seed_kb
from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY
from ghost.knowledge import CredibilityBook, KnowledgeBase, PassageFilter, SwitchedBy, backup_path, switched_off
from ghost.knowledge.packs import parse, passage_of
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, Origin, SourceType, Status
from tests.knowledge.helpers import edit

OTTERS, BATS, WHALES, BEES = (
    '{"text": "Otters hold hands while they sleep.", "source": "https://a.org/otters"}',
    '{"text": "Bats hang upside down at night.", "source": "https://a.org/bats"}',
    '{"text": "Whales sing under water.", "source": "https://b.org/whales"}',
    '{"text": "Bees dance to show the way to flowers.", "source": "https://b.org/bees"}',
)
Write = Callable[..., Path]


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """An empty knowledge base."""
    book = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS)
    with KnowledgeBase.open(tmp_path / "ghost.db", tmp_path / "chroma_db", "", HashingEncoder(), book) as knowledge:
        yield knowledge


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a pack of the library of this test."""
    folder = tmp_path / "packs"
    folder.mkdir()
    monkeypatch.setattr(seed_kb, "FOLDER", folder)

    def write(name: str, *lines: str) -> Path:
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


def texts(kb: KnowledgeBase) -> set[str]:
    """What can be found."""
    return {p.text for p in kb.each(PassageFilter(status=Status.ACTIVE))}


def text(line: str) -> str:
    return str(json.loads(line)["text"])


def test_all_facts_go_in_and_can_be_found(kb: KnowledgeBase) -> None:
    seen: list[tuple[int, int]] = []
    report = seed_kb.seed(kb, progress=lambda _, done, of: seen.append((done, of)))
    assert report.added == len(seed_kb.SEED_FACTS) == kb.count(PassageFilter(origin=Origin.SEED))
    assert len(seen) >= len(seed_kb.SEED_FACTS) // 200
    assert seen[-1] == (len(seed_kb.SEED_FACTS), len(seed_kb.SEED_FACTS))
    first = seed_kb.SEED_FACTS[0]
    best = kb.search(first["text"], 1)[0].passage
    assert (best.text, best.source_url) == (first["text"], first["source"])
    assert (best.publisher, best.topic) == (first["details"]["publisher"], first["details"]["topic"])
    assert kb.count(PassageFilter(source_type=SourceType.UNKNOWN)) < report.added / 4


def test_seeding_twice_changes_nothing(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS)
    ids = seed_kb.seed(kb).ids
    before = kb.list()
    again = seed_kb.seed(kb)
    assert (again.added, again.merged) == (0, len(ids))
    assert kb.list() == before
    assert len(kb.history(ids[0])) == 1


def test_what_was_retired_or_edited_stays_so(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS, WHALES)
    retired, edited, _ = seed_kb.seed(kb).ids
    kb.retire([retired])
    edit(kb, edited, "This was said differently by the analyst.")
    write("animals", OTTERS, BATS, WHALES, BEES)  # an update
    report = seed_kb.seed_if_changed(kb)
    assert report is not None
    assert report.added == 1
    assert texts(kb) == {"This was said differently by the analyst.", text(WHALES), text(BEES)}
    assert kb.count() == 4


def test_packs_go_in_once_and_again_when_they_change(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS)
    write("insects", BEES)
    first = seed_kb.seed_if_changed(kb)
    assert first is not None
    assert first.added == 2
    assert seed_kb.seed_if_changed(kb) is None
    write("animals", OTTERS, BATS)
    more = seed_kb.seed_if_changed(kb)
    assert more is not None
    assert (more.added, more.merged) == (1, 1)  # the pack that did not change is not read again


def test_a_knowledge_base_of_the_time_before_there_were_packs_gets_no_duplicates(
    kb: KnowledgeBase, write: Write
) -> None:
    """Then all facts stood in one file, and its digest was kept as it was."""
    ids = kb.add([passage_of(fact) for line in (OTTERS, BATS, WHALES) for fact in parse(line)]).ids
    with kb.database.write() as connection:
        seed_kb.set_meta(connection, "seed", "0" * 64)
    kb.retire([ids[0]])
    edit(kb, ids[1], "This was said differently by the analyst.")
    write("animals", OTTERS, BATS)
    write("sea", WHALES)
    report = seed_kb.seed_if_changed(kb)
    assert report is not None
    assert (report.added, report.ids) == (0, ids)
    assert kb.count() == 3
    assert texts(kb) == {"This was said differently by the analyst.", text(WHALES)}
    assert seed_kb.seed_if_changed(kb) is None


def test_what_was_edited_twice_does_not_come_back(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS)
    edited, *_ = seed_kb.seed(kb).ids
    edit(kb, edited, "This was said differently by the analyst.")
    write("animals", *seed_kb.drafts(kb)["animals"].text.splitlines())
    edit(kb, edited, "This was said differently by the analyst, twice.")
    assert seed_kb.seed(kb).added == 0
    assert kb.count() == 2


def test_facts_that_the_knowledge_base_does_not_have_are_put_in_after_the_file_was_written(
    kb: KnowledgeBase, write: Write
) -> None:
    file = write("animals", OTTERS)
    assert seed_kb.seed_if_changed(kb)
    write("animals", OTTERS, BATS)
    edit(kb, kb.list()[0].id, "Sea otters hold hands while they sleep.")
    seed_kb.write_back(kb, seed_kb.drafts(kb)["animals"])
    again = seed_kb.seed_if_changed(kb)
    assert again is not None
    assert (again.added, kb.count()) == (1, 2)
    seed_kb.write_back(kb, seed_kb.drafts(kb)["animals"])
    assert seed_kb.seed_if_changed(kb) is None
    seed_kb.take_back(kb, "animals")
    assert seed_kb.seed_if_changed(kb) is None
    backup_path(file).write_text(f"{OTTERS}\n{BATS}\n{WHALES}\n", "utf-8")
    seed_kb.take_back(kb, "animals")
    more = seed_kb.seed_if_changed(kb)
    assert more is not None
    assert more.added == 1


def test_a_pack_is_switched_off_and_on_without_what_the_analyst_did(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS, WHALES)
    write("insects", BEES)
    otters, bats, whales, bees = seed_kb.seed(kb).ids
    kb.retire([otters])
    edit(kb, bats, "Bats sleep upside down.")
    change = seed_kb.switch_off(kb, "animals")
    assert change is not None
    assert (change.passages, change.action) == (1, "retired")
    assert texts(kb) == {"Bats sleep upside down.", text(BEES)}
    assert switched_off(kb) == {"animals": SwitchedBy.PAGE}
    # An update brings it another fact, which does not come in before it is on again.
    write("animals", OTTERS, BATS, WHALES, OTTERS.replace("hold hands", "float"))
    assert seed_kb.seed_if_changed(kb) is None
    assert kb.count() == 4
    back = seed_kb.switch_on(kb, "animals")
    assert back is not None
    assert back.passages == 1
    assert switched_off(kb) == {}
    assert texts(kb) == {"Bats sleep upside down.", text(WHALES), text(BEES), "Otters float while they sleep."}
    assert kb.get([otters])[0].status is Status.RETIRED
    assert seed_kb.seed_if_changed(kb) is None
    assert kb.get([bees, whales])[1].status is Status.ACTIVE


def test_undoing_the_change_is_the_same_as_switching_back(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS)
    seed_kb.seed(kb)
    off = seed_kb.switch_off(kb, "animals")
    assert off is not None
    undone = kb.curation.undo(off.id)
    assert switched_off(kb) == {}
    assert texts(kb) == {text(OTTERS), text(BATS)}
    kb.curation.undo(undone.change.id)
    assert list(switched_off(kb)) == ["animals"]
    assert texts(kb) == set()
    assert seed_kb.seed_if_changed(kb) is None
    assert seed_kb.switch_on(kb, "animals")
    assert texts(kb) == {text(OTTERS), text(BATS)}


def test_what_speaks_for_others_or_stands_in_another_pack_is_not_switched_off(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS, BATS, WHALES)
    write("sea", WHALES)
    otters, *_ = seed_kb.seed(kb).ids
    (own,) = kb.add([NewPassage("Otters hold hands when asleep, I have seen it.", "https://own.org")]).ids
    kb.curation.merge(otters, [own])
    assert seed_kb.switch_off(kb, "animals")
    assert texts(kb) == {text(OTTERS), text(WHALES)}


def test_the_settings_switch_packs_off_and_on(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS)
    write("insects", BEES)
    first = seed_kb.seed_if_changed(kb, ["insects"])
    assert first is not None
    assert first.added == 1
    assert switched_off(kb) == {"insects": SwitchedBy.SETTING}
    assert seed_kb.seed_if_changed(kb, ["insects"]) is None
    second = seed_kb.seed_if_changed(kb)  # no longer named: it comes in
    assert second is not None
    assert texts(kb) == {text(OTTERS), text(BEES)}
    assert seed_kb.seed_if_changed(kb, ["insects"]) is None
    assert texts(kb) == {text(OTTERS)}
    assert seed_kb.seed_if_changed(kb) is None
    assert texts(kb) == {text(OTTERS), text(BEES)}


def test_what_the_page_has_switched_off_stays_off_whatever_the_settings_named_before(
    kb: KnowledgeBase, write: Write
) -> None:
    write("animals", OTTERS)
    seed_kb.seed(kb)
    seed_kb.switch_off(kb, "animals")
    assert seed_kb.seed_if_changed(kb, ["animals"]) is None
    assert seed_kb.seed_if_changed(kb) is None
    assert switched_off(kb) == {"animals": SwitchedBy.PAGE}
    assert texts(kb) == set()


def test_a_pack_of_which_everything_was_restored_by_hand_can_be_switched_on(kb: KnowledgeBase, write: Write) -> None:
    write("animals", OTTERS)
    ids = seed_kb.seed(kb).ids
    seed_kb.switch_off(kb, "animals")
    kb.restore(ids)
    assert seed_kb.switch_on(kb, "animals") is None
    assert switched_off(kb) == {}
    assert texts(kb) == {text(OTTERS)}
