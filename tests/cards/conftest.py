"""A workbench of claim cards for each test, begun as a copy of an empty one."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ghost.knowledge import Pack
from tests.cards.bench import Bench, opened


@pytest.fixture(scope="session")
def empty_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed one without a card."""
    home = tmp_path_factory.mktemp("cards")
    opened(home, []).knowledge.close()
    return home


@pytest.fixture
def open_cards(tmp_path: Path, empty_cards: Path, stores: tuple[str, str]) -> Iterator[Callable[..., Bench]]:
    """Opens that of this test, as often as wanted; what is left open is closed."""
    if not stores[0]:
        shutil.copytree(empty_cards, tmp_path, dirs_exist_ok=True)
    made: list[Bench] = []

    def open_(packs: list[Pack] | None = None) -> Bench:
        made.append(opened(tmp_path, packs if packs is not None else [], stores=stores))
        return made[-1]

    yield open_
    for bench in made:
        bench.knowledge.close()


@pytest.fixture
def cards_bench(open_cards: Callable[..., Bench]) -> Bench:
    """One without a starter library."""
    return open_cards()
