"""Packs as files: what is read of them, and what is said of a file that cannot be read."""

from pathlib import Path

import pytest

from ghost.errors import StoreError
from ghost.knowledge import KnowledgeBase, pack_title, read_packs
from ghost.knowledge.library.packs import fact_of, parse, passage_of, same_fact

RECORD = (
    '{"text": "As of May 2024, the tower is the tallest building of Ellerby.", "source": "https://a.org/tower", '
    '"details": {"title": "Tower", "publisher": "A", "topic": "records", "language": "en", "as_of": "2024-05"}}'
)


def test_packs_are_the_files_of_a_folder_by_name(tmp_path: Path) -> None:
    (tmp_path / "old-myths.jsonl").write_text(f"{RECORD}\n\n", encoding="utf-8")
    (tmp_path / "animals.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "animals.jsonl.bak").write_text("{", encoding="utf-8")
    (tmp_path / "README.md").write_text("About packs", encoding="utf-8")
    packs = read_packs(tmp_path)
    assert [(p.name, p.title, len(p.facts)) for p in packs] == [
        ("animals", "Animals", 0), ("old-myths", "Old myths", 1),
    ]  # fmt: skip
    assert packs[0].digest != packs[1].digest
    assert pack_title("world_records") == "World records"


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\xff\xfe\x00", r"bad\.jsonl cannot be read"), (b"\n{", r"bad\.jsonl: Line 2 is no fact")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(content)
    with pytest.raises(StoreError, match=why):
        read_packs(tmp_path)


def test_without_the_folder_nothing_is_taken_for_an_empty_library(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is missing"):
        read_packs(tmp_path / "packs")


def test_the_time_for_which_a_fact_holds_comes_in_and_goes_out_and_is_no_day_of_publication(kb: KnowledgeBase) -> None:
    (fact,) = parse(RECORD)
    (p,) = kb.get(kb.add([passage_of(fact)]).ids)
    assert (p.as_of, p.published_at) == ("2024-05", None)
    assert same_fact(fact_of(p, fact), fact)
    del fact["details"]["as_of"]
    assert fact_of(p, fact)["details"]["as_of"] == "2024-05"


@pytest.mark.parametrize("period", ["soon", "2024-13", "2024-02-30", "24", "2024-00"])
def test_a_period_that_is_none_is_refused(period: str) -> None:
    with pytest.raises(StoreError, match="Line 1 is no fact"):
        parse(RECORD.replace("2024-05", period))
