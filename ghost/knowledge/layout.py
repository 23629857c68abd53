"""From vectors to a place on a sheet: what means nearly the same comes to lie close together.

A start by principal components, then neighbours attract and strangers repel each other for some rounds, as UMAP does
it. Plain numpy and a fixed seed: the same vectors give the same map on the same machine.
"""

from collections.abc import Callable

import numpy as np

NEIGHBOURS = 12
ROUNDS = 300
_STRANGERS = 4
"""Others that each point is pushed from in a round."""
_SEED = 7
_A, _B = 1.577, 0.895
"""Shape of attraction and repulsion: UMAP's for a least distance of 0.1."""
_CHUNK = 512
_STEP = 4.0

Progress = Callable[[int, int], bool]
"""``progress(done, total)`` says whether to go on."""


def _on(_done: int, _total: int) -> bool:
    return True


def layout(vectors: np.ndarray, progress: Progress = _on) -> np.ndarray | None:
    """A place (x, y) for each row, roughly within -1..1; None when ``progress`` said to stop."""
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
        if not progress(round_, ROUNDS):
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
    """Where each point wants to go in this round."""
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
