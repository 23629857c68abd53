"""Figures go between the markers of a page and nowhere else."""

from pathlib import Path

from bench.page_block import BEGIN, END, FIGURES, GROWTH, has_block, markers, put
from config import PROJECT


def test_only_the_block_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    put("new", page)
    put("newer\n\nstill", page)
    assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}\nnewer\n\nstill\n{END}\nafter\n"
    assert has_block(page)


def test_a_page_without_a_place_is_recognised(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    assert not has_block(page)
    page.write_text(f"{END}\n{BEGIN}\n", encoding="utf-8")
    assert not has_block(page)


def test_the_parts_of_a_page_are_kept_apart(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    begin, end = markers(GROWTH)
    page.write_text(f"{BEGIN}\nfigures\n{END}\nbetween\n{begin}\nold\n{end}\n", encoding="utf-8")
    put("new", page, GROWTH)
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\nfigures\n{END}\nbetween\n{begin}\nnew\n{end}\n"
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    assert not has_block(page, GROWTH)


def test_the_page_of_speed_has_both_places() -> None:
    assert has_block(PROJECT / "docs" / "speed.md", FIGURES)
    assert has_block(PROJECT / "docs" / "speed.md", GROWTH)
