"""Two runs side by side: what differs in how they were made, what they found, and what it took."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ghost.reports.formatting import on_topic
from ghost.types import Evidence, Passage, Run


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that the two runs do not share."""

    name: str
    """With dots for what lies within: ``models.stance.sha256``."""
    one: str
    other: str
    """Empty where that run does not have it."""


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
class StepTimes:
    """How long both runs were at one kind of step, all its turns together; None where a run did not come to it."""

    name: str
    one: float | None
    other: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs share and what not."""

    settings: tuple[Difference, ...]
    evidence: tuple[ComparedPassage, ...]
    """What both have first, then what only the first has, then what only the second has; weightiest first."""
    steps: tuple[StepTimes, ...]

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
    return Comparison(tuple(_differences(one, other)), _evidence(one, other), _steps(one, other))


def _differences(one: Run, other: Run) -> Iterator[Difference]:
    first, second = dict(_flat(one.settings)), dict(_flat(other.settings))
    for name in dict.fromkeys((*first, *second)):
        if first.get(name) != second.get(name):
            yield Difference(name, first.get(name, ""), second.get(name, ""))


def _flat(settings: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for key, value in settings.items():
        name = f"{within}{key}"
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{name}.")
        else:
            yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _evidence(one: Run, other: Run) -> tuple[ComparedPassage, ...]:
    first, second = _by_passage(one), _by_passage(other)
    held = []
    for passage_id in dict.fromkeys((*first, *second)):
        mine, theirs = first.get(passage_id), second.get(passage_id)
        known = mine or theirs
        assert known is not None
        held.append(ComparedPassage(known.passage, mine, theirs))
    return tuple(sorted(held, key=lambda h: (not (h.one and h.other), not h.one, -_weight(h))))


def _by_passage(run: Run) -> dict[str, Evidence]:
    """Each passage where it says most."""
    found: dict[str, Evidence] = {}
    for e in on_topic(run.evidence):
        known = found.get(e.passage.id)
        if known is None or _side(e) > _side(known):
            found[e.passage.id] = e
    return found


def _side(e: Evidence) -> float:
    return max(e.stance.supports, e.stance.refutes)


def _weight(held: ComparedPassage) -> float:
    return max(e.final for e in (held.one, held.other) if e)


def _steps(one: Run, other: Run) -> tuple[StepTimes, ...]:
    names = dict.fromkeys(s.name for run in (one, other) for s in run.steps)
    return tuple(StepTimes(name, _seconds(one, name), _seconds(other, name)) for name in names)


def _seconds(run: Run, name: str) -> float | None:
    took = [s.seconds for s in run.steps if s.name == name]
    return sum(took) if took else None
