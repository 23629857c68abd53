"""Knowledge bases in a temporary folder, with an encoder that needs no weights."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path

import numpy as np
import pytest

from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY, UNKNOWN_CREDIBILITY
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.testing import HashingEncoder


class CountingEncoder(HashingEncoder):
    """Knows how many texts it has read."""

    def __init__(self, dimensions: int = 384) -> None:
        super().__init__(dimensions)
        self.texts_read = 0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """As ever, but counted."""
        self.texts_read += len(texts)
        return super().encode(texts)


@pytest.fixture
def encoder() -> CountingEncoder:
    """The encoder of ``kb``."""
    return CountingEncoder()


@pytest.fixture(scope="session")
def shipped_book() -> CredibilityBook:
    """The ratings that Ghost ships with."""
    return CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS, UNKNOWN_CREDIBILITY)


@pytest.fixture
def book(shipped_book: CredibilityBook) -> CredibilityBook:
    """The same for one test, which may add ratings of its own."""
    return copy(shipped_book)


@pytest.fixture
def open_kb(
    tmp_path: Path, stores: tuple[str, str], book: CredibilityBook, encoder: CountingEncoder
) -> Iterator[Callable[..., KnowledgeBase]]:
    """Opens the knowledge base of this test, as often as wanted; whatever is left open is closed."""
    opened: list[KnowledgeBase] = []

    def open_(with_encoder: HashingEncoder | None = None, url: str = "", folder: str = "") -> KnowledgeBase:
        home = tmp_path / folder
        place, chroma = (home / "data" / "ghost.db", url) if folder or not stores[0] else stores
        knowledge = KnowledgeBase.open(place, home / "chroma_db", chroma, with_encoder or encoder, book)
        opened.append(knowledge)
        return knowledge

    yield open_
    for knowledge in opened:
        knowledge.close()


@pytest.fixture
def kb(open_kb: Callable[..., KnowledgeBase]) -> KnowledgeBase:
    """An empty knowledge base."""
    return open_kb()
