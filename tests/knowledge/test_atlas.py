"""Drawing the map in the background: the same each time, cancelled on a wish, and never left hanging."""

import threading

import numpy as np
import pytest

from ghost.knowledge import CredibilityBook, KnowledgeBase, MapDrawer
from ghost.knowledge.analytics import map as module
from ghost.knowledge.analytics.map import Progress, layout
from ghost.types import NewPassage

LONG = (
    "the sea at the pier of Port Ansel rose higher than ever before, and the harbour master had the lower quay closed "
    "until the carpenters of the town had raised it by two rows of oak planks."
)


def clusters(count: int) -> np.ndarray:
    """Vectors around three directions, in turn."""
    rng = np.random.default_rng(3)
    vectors = np.eye(3, 24)[np.arange(count) % 3] + rng.normal(0, 0.05, (count, 24))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_neighbours_come_to_lie_together_and_always_in_the_same_place() -> None:
    vectors = clusters(90)
    places, again = layout(vectors), layout(vectors)
    assert places is not None
    assert again is not None
    assert np.array_equal(places, again)
    assert np.isfinite(places).all()
    middles = np.stack([places[k::3].mean(axis=0) for k in range(3)])
    spread = max(np.linalg.norm(places[k::3] - middles[k], axis=1).mean() for k in range(3))
    apart = min(np.linalg.norm(middles[a] - middles[b]) for a, b in ((0, 1), (0, 2), (1, 2)))
    assert apart > 2 * spread


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_a_few_passages_are_laid_out_too(count: int) -> None:
    places = layout(clusters(count))
    assert places is not None
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()


def test_equal_vectors_do_not_break_it() -> None:
    places = layout(np.ones((40, 8), dtype=np.float32) / np.sqrt(8))
    assert places is not None
    assert np.isfinite(places).all()


def test_progress_can_stop_it() -> None:
    told: list[int] = []

    def stop(done: int, total: int) -> bool:
        told.append(done)
        return done < 3

    assert layout(clusters(30), stop) is None
    assert told == [0, 1, 2, 3]


def test_the_map_knows_its_passages(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(f"In {n + 1900} {LONG}", f"https://sea.org/{n}", topic="sea") for n in range(8)])
    kb.retire([kb.list(limit=1)[0].id])
    drawn = kb.analytics.map
    drawn.start()
    drawn.wait(30)
    found = drawn.drawing()
    assert not found.running
    assert found.error == ""
    assert found.map is not None
    assert {p.id for p in found.map.places} == {p.id for p in kb.list() if p.status == "active"}
    assert found.map.mark == drawn.mark()
    place = found.map.places[0]
    assert (place.topic, place.domain, place.source) == ("sea", "sea.org", "sea.org")
    assert len(place.excerpt) <= module.EXCERPT
    kb.add([NewPassage("One more.", "https://sea.org/more")])
    assert found.map.mark != drawn.mark()


def test_a_large_knowledge_base_is_sampled_the_same_way_each_time(kb: KnowledgeBase, book: CredibilityBook) -> None:
    kb.add([NewPassage(f"Fact number {n}.", f"https://sea.org/{n}") for n in range(60)])
    seen = []
    for _ in range(2):
        drawn = MapDrawer(kb.database, book, sample=20)
        drawn.start()
        drawn.wait(30)
        made = drawn.drawing().map
        assert made is not None
        assert (len(made.places), made.active) == (20, 60)
        seen.append(made.places)
    assert seen[0] == seen[1]


def test_an_empty_knowledge_base_has_an_empty_map(kb: KnowledgeBase) -> None:
    kb.analytics.map.start()
    kb.analytics.map.wait(30)
    made = kb.analytics.map.drawing().map
    assert made is not None
    assert made.places == ()


def test_cancelling_keeps_the_map_before(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kb.add([NewPassage(f"Fact number {n}.", f"https://sea.org/{n}") for n in range(10)])
    drawn = kb.analytics.map
    drawn.start()
    drawn.wait(30)
    before = drawn.drawing().map
    begun = threading.Event()

    def slow(vectors: np.ndarray, progress: Progress) -> np.ndarray | None:
        while progress(1, 2):
            begun.set()
        return None

    monkeypatch.setattr(module, "layout", slow)
    drawn.start()
    assert begun.wait(30)
    assert drawn.drawing().running
    drawn.start()  # does not begin a second one
    drawn.cancel()
    drawn.wait(30)
    assert not drawn.drawing().running
    assert drawn.drawing().map is before


def test_a_failure_is_told(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kb.add([NewPassage("The sea is salty and deep.", "https://sea.org/")])

    def broken(*_: object) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(module, "layout", broken)
    kb.analytics.map.start()
    kb.analytics.map.wait(30)
    assert "no room" in kb.analytics.map.drawing().error
