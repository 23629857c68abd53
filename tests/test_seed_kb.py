from collections.abc import Iterator
from pathlib import Path

import pytest

import seed_kb
from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY
from ghost.knowledge import seed_facts
from ghost.knowledge.base import KnowledgeBase, PassageFilter
from ghost.knowledge.credibility import CredibilityBook
from ghost.testing import HashingEncoder
from ghost.types import Origin, SourceType, Status


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """An empty knowledge base."""
    book = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS)
    with KnowledgeBase.open(tmp_path / "ghost.db", tmp_path / "chroma_db", "", HashingEncoder(), book) as knowledge:
        yield knowledge


def test_every_fact_has_a_text_of_its_own_and_a_source() -> None:
    assert len(seed_kb.SEED_FACTS) >= 100
    assert len({fact["text"] for fact in seed_kb.SEED_FACTS}) == len(seed_kb.SEED_FACTS)
    for fact in seed_kb.SEED_FACTS:
        assert fact["source"].startswith("https://"), fact
        assert all(fact["details"][key] for key in ("title", "publisher", "topic")), fact


def test_all_facts_go_in_and_can_be_found(kb: KnowledgeBase) -> None:
    report = seed_kb.seed(kb)
    assert report.added == len(seed_kb.SEED_FACTS) == kb.count(PassageFilter(origin=Origin.SEED))
    first = seed_kb.SEED_FACTS[0]
    best = kb.search(first["text"], 1)[0].passage
    assert (best.text, best.source_url) == (first["text"], first["source"])
    assert (best.publisher, best.topic) == (first["details"]["publisher"], first["details"]["topic"])
    assert kb.count(PassageFilter(source_type=SourceType.UNKNOWN)) < report.added / 5


def test_seeding_twice_changes_nothing(kb: KnowledgeBase) -> None:
    ids = seed_kb.seed(kb).ids
    before = kb.list(limit=500)
    again = seed_kb.seed(kb)
    assert (again.added, again.merged) == (0, len(ids))
    assert kb.list(limit=500) == before
    assert len(kb.history(ids[0])) == 1


def test_what_was_retired_or_edited_stays_so(kb: KnowledgeBase) -> None:
    retired, edited, *_ = seed_kb.seed(kb).ids
    kb.retire([retired])
    kb.edit(edited, "This was said differently by the analyst.")
    seed_kb.seed(kb)
    assert kb.get([retired])[0].status is Status.RETIRED
    assert kb.get([edited])[0].text == "This was said differently by the analyst."
    assert kb.count() == len(seed_kb.SEED_FACTS)


def test_seeding_is_done_once_and_again_when_the_facts_change(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = seed_kb.seed_if_changed(kb)
    assert first is not None
    assert first.added == len(seed_kb.SEED_FACTS)
    assert seed_kb.seed_if_changed(kb) is None

    file = tmp_path / "facts.jsonl"
    file.write_text('{"text": "Otters hold hands while they sleep.", "source": "https://a.org"}\n', encoding="utf-8")
    monkeypatch.setattr(seed_kb, "_FILE", file)
    monkeypatch.setattr(seed_kb, "SEED_FACTS", seed_kb._read())
    more = seed_kb.seed_if_changed(kb)
    assert more is not None
    assert more.added == 1


def test_what_was_edited_twice_does_not_come_back(kb: KnowledgeBase) -> None:
    edited, *_ = seed_kb.seed(kb).ids
    kb.edit(edited, "This was said differently by the analyst.")
    written = seed_kb.draft(kb)
    kb.edit(edited, "This was said differently by the analyst, twice.")
    assert seed_kb.seed(kb, seed_facts.parse(written.text)).added == 0
    assert kb.count() == len(seed_kb.SEED_FACTS)


def test_facts_that_the_knowledge_base_does_not_have_are_put_in_after_the_file_was_written(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "facts.jsonl"
    otters, bats = '{"text": "Otters hold hands while they sleep."}', '{"text": "Bats hang upside down at night."}'
    file.write_text(f"{otters}\n", encoding="utf-8")
    monkeypatch.setattr(seed_kb, "_FILE", file)
    monkeypatch.setattr(seed_kb, "SEED_FACTS", seed_kb._read())
    assert seed_kb.seed_if_changed(kb)
    file.write_text(f"{otters}\n{bats}\n", encoding="utf-8")
    kb.edit(kb.list()[0].id, "Sea otters hold hands while they sleep.")
    seed_kb.write_back(kb, seed_kb.draft(kb))
    again = seed_kb.seed_if_changed(kb)
    assert again is not None
    assert (again.added, kb.count()) == (1, 2)
    seed_kb.write_back(kb, seed_kb.draft(kb))
    assert seed_kb.seed_if_changed(kb) is None
    seed_kb.take_back(kb)
    assert seed_kb.seed_if_changed(kb) is None
    seed_facts.backup_of(file).write_text(f'{otters}\n{bats}\n{{"text": "Whales sing under water."}}\n', "utf-8")
    seed_kb.take_back(kb)
    more = seed_kb.seed_if_changed(kb)
    assert more is not None
    assert more.added == 1
