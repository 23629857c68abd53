"""Two runs side by side: what differs in how they were made, what they found, and what it took."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ghost.reports.formatting import on_topic
from ghost.types import Evidence, Passage, Run

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """A value of both runs."""

    name: str
    """Of a setting, with dots for what is within it (``models.stance.sha256``), or of a step."""
    one: T
    other: T


@dataclass(frozen=True, slots=True)
class ComparedPassage:
    """A passage in the evidence of either run, or of both."""

    passage: Passage
    one: Evidence | None
    """Where it says most in the first run; None where it is not among its evidence."""
    other: Evidence | None

    @property
    def changed(self) -> bool:
        """Whether it was read differently."""
        return bool(self.one and self.other and self.one.stance.label is not self.other.stance.label)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs share and what not."""

    settings: tuple[Pair[str], ...]
    """Those that differ; empty where a run does not have one."""
    evidence: tuple[ComparedPassage, ...]
    """Weightiest first."""
    steps: tuple[Pair[float | None], ...]
    """Seconds of each kind of step, all its turns together; None where a run did not come to it."""

    @property
    def both(self) -> tuple[ComparedPassage, ...]:
        """What both runs weighed."""
        return tuple(h for h in self.evidence if h.one and h.other)

    @property
    def only_one(self) -> tuple[ComparedPassage, ...]:
        """What only the first run weighed."""
        return tuple(h for h in self.evidence if not h.other)

    @property
    def only_other(self) -> tuple[ComparedPassage, ...]:
        """What only the second run weighed."""
        return tuple(h for h in self.evidence if not h.one)


def compare(one: Run, other: Run) -> Comparison:
    """The two runs beside each other; they may be of different claims."""
    first, second = dict(_flat(one.settings)), dict(_flat(other.settings))
    settings = (Pair(name, first.get(name, ""), second.get(name, "")) for name in first | second)
    mine, theirs = _by_passage(one), _by_passage(other)
    held = [ComparedPassage(e.passage, mine.get(i), theirs.get(i)) for i, e in (theirs | mine).items()]
    names = dict.fromkeys(s.name for run in (one, other) for s in run.steps)
    return Comparison(
        tuple(pair for pair in settings if pair.one != pair.other),
        tuple(sorted(held, key=lambda h: -max(e.final for e in (h.one, h.other) if e))),
        tuple(Pair(name, _seconds(one, name), _seconds(other, name)) for name in names),
    )


def _flat(settings: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for key, value in settings.items():
        name = f"{within}{key}"
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{name}.")
        else:
            yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _by_passage(run: Run) -> dict[str, Evidence]:
    """Each passage where it says most."""
    plainest = sorted(on_topic(run.evidence), key=lambda e: max(e.stance.supports, e.stance.refutes))
    return {e.passage.id: e for e in plainest}


def _seconds(run: Run, name: str) -> float | None:
    took = [s.seconds for s in run.steps if s.name == name]
    return sum(took) if took else None
