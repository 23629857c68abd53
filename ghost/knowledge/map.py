"""The map of the knowledge base: a sample of its passages laid out by meaning, drawn in the background."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlalchemy import func, select, text

from ghost.errors import GhostError
from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.rows import source_name, unpack, watermark
from ghost.records import Database, batched, passages
from ghost.types import Status

MAP_SAMPLE = 3_000
"""Passages on the map at most; more would be a blot, and take minutes."""
EXCERPT = 160
_PAGE = 500
_NAMES = ("id", "text", "title", "domain", "source_url", "publisher", "topic", "kind", "intake", "embedding")
_COLUMNS = [passages.c[name] for name in _NAMES]
_DRAWN = text("SELECT seq FROM passages WHERE status = :status ORDER BY (seq * 2654435761) % 4294967296 LIMIT :many")
"""By a hash of the row: as the knowledge base grows, most of the sample stays."""


@dataclass(frozen=True, slots=True)
class MapPoint:
    """One passage on the map."""

    id: str
    x: float
    y: float
    excerpt: str
    source: str
    domain: str
    topic: str
    credibility: float


@dataclass(frozen=True, slots=True)
class KnowledgeMap:
    """Passages laid out so that similar meanings are close together."""

    mark: int
    """Watermark of the knowledge base that was drawn."""
    places: tuple[MapPoint, ...]
    active: int
    """Active passages there were; more than ``places`` when only a sample is shown."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The progress of the drawing."""

    running: bool = False
    done: int = 0
    total: int = 0
    what: str = ""
    error: str = ""
    map: KnowledgeMap | None = None
    """The newest one that was finished."""


class MapDrawer:
    """Draws the map in a thread of its own, one at a time for everybody. Safe to use from any thread."""

    def __init__(self, database: Database, book: CredibilityBook, sample: int = MAP_SAMPLE) -> None:
        self._database = database
        self._book = book
        self._sample = sample
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._drawing = Drawing()

    def drawing(self) -> Drawing:
        """Its progress now."""
        with self._lock:
            return self._drawing

    def mark(self) -> int:
        """The watermark that a map drawn now would have; raises StoreError."""
        with self._database.read() as connection:
            return watermark(connection)

    def start(self) -> None:
        """Begin to draw; nothing happens while a map is being drawn."""
        with self._lock:
            if self._drawing.running:
                return
            self._stop.clear()
            self._drawing = Drawing(running=True, what="Reading passages", map=self._drawing.map)
            self._thread = threading.Thread(target=self._draw, name="ghost-map", daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """Stop drawing; the map before stays."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Until the drawing has ended, or the time is over."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Stop drawing and wait for it."""
        self.cancel()
        self.wait(10.0)

    def _draw(self) -> None:
        made, failure = None, ""
        try:
            made = self._made()
        except GhostError as error:
            failure = str(error)
        except Exception as error:  # a thread that ends unseen would leave the page waiting for ever
            failure = f"Unexpected {type(error).__name__}: {error}"
        with self._lock:
            self._drawing = Drawing(error=failure, map=made or self._drawing.map)

    def _made(self) -> KnowledgeMap | None:
        """The map, or None when it was cancelled."""
        with self._database.read() as connection:
            mark = watermark(connection)
            query = select(func.count()).where(passages.c.status == Status.ACTIVE.value)
            active = connection.execute(query).scalar_one()
            chosen = connection.execute(_DRAWN, {"status": Status.ACTIVE.value, "many": self._sample}).scalars().all()
            rows: list[Any] = []
            for seqs in batched(chosen, _PAGE):
                if not self._go_on("Reading passages", len(rows), len(chosen)):
                    return None
                rows += connection.execute(select(*_COLUMNS).where(passages.c.seq.in_(seqs)).order_by(passages.c.seq))
        if not rows:
            return KnowledgeMap(mark, (), active)
        # While the model is changed there are vectors of two lengths.
        lengths = [len(row.embedding) for row in rows]
        usual = max(set(lengths), key=lengths.count)
        rows = [row for row in rows if len(row.embedding) == usual]
        vectors = np.stack([unpack(row.embedding) for row in rows])
        places = layout(vectors, lambda done, total: self._go_on("Arranging them by meaning", done, total))
        if places is None:
            return None
        points = (self._point(row, x, y) for row, (x, y) in zip(rows, places.tolist(), strict=True))
        return KnowledgeMap(mark, tuple(points), active)

    def _point(self, row: Any, x: float, y: float) -> MapPoint:
        excerpt = row.text if len(row.text) <= EXCERPT else row.text[: EXCERPT - 1].rstrip() + "…"
        credibility = self._book.credibility(row.source_url)
        place = round(x, 4), round(y, 4)
        return MapPoint(row.id, *place, excerpt, source_name(row), row.domain, row.topic, credibility)

    def _go_on(self, what: str, done: int, total: int) -> bool:
        with self._lock:
            self._drawing = replace(self._drawing, what=what, done=done, total=total)
        return not self._stop.is_set()


NEIGHBOURS = 12
ROUNDS = 300
_STRANGERS = 4
"""Others that each point is pushed from in a round."""
_SEED = 7
_A, _B = 1.577, 0.895
"""Shape of attraction and repulsion: UMAP's for a least distance of 0.1."""
_CHUNK = 512
_STEP = 4.0


def layout(vectors: np.ndarray, go_on: Callable[[int, int], bool] = lambda _done, _total: True) -> np.ndarray | None:
    """A place (x, y) for each row, roughly within -1..1; None when ``go_on(done, total)`` says to stop."""
    count = len(vectors)
    if count < 4:
        return np.zeros((count, 2)) if count < 2 else np.linspace([-0.5, 0.0], [0.5, 0.0], count)
    places = principal(vectors)
    spread = places.std() or 1.0
    places = places / spread * 5.0
    pairs = _neighbours(vectors, min(NEIGHBOURS, count - 1))
    rng = np.random.default_rng(_SEED)
    places += rng.normal(0, 1e-3, places.shape)  # texts with one vector must not stay in one place for ever
    for round_ in range(ROUNDS):
        if not go_on(round_, ROUNDS):
            return None
        places += (1.0 - round_ / ROUNDS) * _move(places, pairs, rng)
    places -= np.median(places, axis=0)
    return np.asarray(places / (np.percentile(np.abs(places), 99.5) or 1.0))


def principal(vectors: np.ndarray) -> np.ndarray:
    """The two principal components; their direction is fixed, so that the map is not mirrored by chance."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    best = axes[:, -2:][:, ::-1]
    signs = np.sign(best[np.abs(best).argmax(axis=0), range(best.shape[1])])
    return np.asarray(centred @ (best * np.where(signs == 0, 1, signs)))


def _neighbours(vectors: np.ndarray, k: int) -> np.ndarray:
    """Pairs (row, near row), each row with its ``k`` nearest."""
    near = np.empty((len(vectors), k), dtype=np.int64)
    for start in range(0, len(vectors), _CHUNK):
        likeness = vectors[start : start + _CHUNK] @ vectors.T
        rows = np.arange(len(likeness))
        likeness[rows, start + rows] = -np.inf
        near[start : start + _CHUNK] = np.argpartition(-likeness, k - 1, axis=1)[:, :k]
    return np.stack([np.repeat(np.arange(len(vectors)), k), near.ravel()])


def _move(places: np.ndarray, pairs: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """How far each point moves in this round."""
    count = len(places)
    head, tail = pairs[:, rng.random(pairs.shape[1]) < 0.4]
    apart = places[head] - places[tail]
    far = np.maximum((apart**2).sum(axis=1), 1e-9)
    pull = -2 * _A * _B * far ** (_B - 1) / (1 + _A * far**_B)
    step = np.clip(pull[:, None] * apart, -_STEP, _STEP)
    wish = _sums(head, step, count) - _sums(tail, step, count)
    one = np.repeat(np.arange(count), _STRANGERS)
    other = rng.integers(0, count, len(one))
    apart = places[one] - places[other]
    far = (apart**2).sum(axis=1)
    push = 2 * _B / ((0.01 + far) * (1 + _A * far**_B))
    wish += _sums(one, np.clip(push[:, None] * apart, -_STEP, _STEP), count)
    return np.clip(wish * 0.25, -_STEP, _STEP)


def _sums(where: np.ndarray, steps: np.ndarray, count: int) -> np.ndarray:
    return np.stack([np.bincount(where, steps[:, axis], count) for axis in (0, 1)], axis=1)
