"""How often the analyst agrees with Ghost, from the verdicts that they gave beside those of the machine."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Protocol

from ghost.types import Label

_Z = 1.96
"""Standard deviations of a 95 % interval."""


class Overridden(Protocol):
    """A run with a verdict of the analyst beside the machine's."""

    @property
    def run_id(self) -> str:
        """The run."""

    @property
    def machine(self) -> Label:
        """What Ghost said."""

    @property
    def analyst(self) -> Label:
        """What the analyst says; the same where they confirm it."""

    @property
    def at(self) -> datetime:
        """When they said it."""


class Reviews(Protocol):
    """Whoever keeps the verdicts of the analyst."""

    def overrides(self) -> Sequence[Overridden]:
        """Each run once, the latest first; raises StoreError."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Machine and analyst compared."""

    n: int
    agree: int
    interval: tuple[float, float]
    """Between which values the share of agreement lies with 95 % (Wilson); (0, 1) when there is nothing to go by."""
    counts: dict[Label, dict[Label, int]]
    """What the analyst said -> what the machine said -> how often."""
    differing: tuple[Overridden, ...]
    """The latest first."""

    @property
    def share(self) -> float | None:
        """How often they agree, 0..1."""
        return self.agree / self.n if self.n else None


def agreement(overrides: Iterable[Overridden]) -> Agreement:
    """Compare them."""
    rows = list(overrides)
    counts: dict[Label, Counter[Label]] = {}
    for row in rows:
        counts.setdefault(row.analyst, Counter())[row.machine] += 1
    differing = tuple(row for row in rows if row.analyst is not row.machine)
    agree = len(rows) - len(differing)
    return Agreement(
        len(rows), agree, wilson(agree, len(rows)), {label: dict(row) for label, row in counts.items()}, differing
    )


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share; wide where little is known, and never beyond 0 and 1."""
    if not n:
        return 0.0, 1.0
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
