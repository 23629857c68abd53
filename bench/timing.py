"""Times as they are measured and summed up here: seconds in, percentiles out."""

import time
from collections.abc import Callable, Sequence

import numpy as np


def percentile(values: Sequence[float], q: float) -> float:
    """The ``q``-th percentile (0..100), between two values by linear interpolation; ValueError without values."""
    if not values:
        raise ValueError("there is no percentile of nothing")
    return float(np.percentile(values, q))


def seconds(work: Callable[[], object]) -> float:
    """How long ``work`` takes on the wall."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def interleaved(
    first: Callable[[int], object], second: Callable[[int], object], rounds: int
) -> tuple[list[float], list[float]]:
    """Seconds per round of two works that do the same; each is told the round, from 0.

    They take turns and also take turns at going first, so that whatever else the machine does meets both.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        for which in order:
            work = (first, second)[which]
            started = time.perf_counter()
            work(number)
            times[which].append(time.perf_counter() - started)
    return times
