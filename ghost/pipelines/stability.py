"""How stable a decision is: the smallest change that turns it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ghost.judges import CREDIBILITY_WEIGHT
from ghost.pipelines.what_if import Change, KeptRun, NewDecision, decide
from ghost.types import Label

PAIRS_OF = 10
"""Pairs are tried among this many of the heaviest sources; more would take seconds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The decision after one change."""

    change: Change
    words: str
    """The change as the beginning of a sentence: "Without nasa.gov"."""
    label: Label
    confidence: float | None
    changes_label: bool
    """Whether the change turns the decision."""


@dataclass(frozen=True, slots=True)
class Stability:
    """The changes that were tried, and which of them turn the decision."""

    now: NewDecision
    sources: tuple[Trial, ...]
    """Each source left out alone, heaviest first."""
    pairs: tuple[Trial, ...]
    """Pairs of sources that turn it when left out; tried only when no single source does."""
    dials: tuple[Trial, ...]
    """The smallest change of each number, up and down, that turns the decision."""
    tried: int
    """Number of decisions made."""

    @property
    def decisive_sources(self) -> tuple[Trial, ...]:
        """Single sources that turn the decision when left out, lightest first."""
        return tuple(t for t in reversed(self.sources) if t.changes_label)

    @property
    def sentence(self) -> str:
        """What turns it most easily, in a sentence or two."""
        if not self.sources:
            return "It rests on no source, so none can be taken away from it."
        number, decisive = len(self.sources), self.decisive_sources
        if decisive:
            said = [_would_be(decisive[0])]
            if len(decisive) > 1:
                said.append(f"It hangs on {len(decisive)} of its {number} sources, each by itself.")
        else:
            said = [f"None of its {number} sources turns it when left out alone."]
            if number == 1:
                said = ["The one source does not turn it when it is left out."]
            if self.pairs:
                said.append(_would_be(self.pairs[0]))
            elif number > 2:
                said.append("No two of them together do either.")
        return " ".join([*said, *map(_would_be, self.dials[:1])])


def stability(kept: KeptRun, check: Callable[[], None] = lambda: None) -> Stability:
    """Try single sources, pairs, and each number in steps; ``check`` is called before each and may raise to stop."""
    trial = _Trials(kept, check)
    single = [trial.turn(_without(source), f"Without {source}") for source in kept.sources]
    pairs: list[Trial] = []
    if not any(t.changes_label for t in single):
        for one, other in combinations(kept.sources[:PAIRS_OF], 2):
            found = trial.turn(_without(one, other), f"Without {one} and {other}")
            pairs += [found] if found.changes_label else []
    dials = [turn for dial in _dials(kept) if (turn := _first(trial, dial)) is not None]
    return Stability(trial.now, tuple(single), tuple(pairs), tuple(dials), trial.tried)


class _Trials:
    """Makes decisions and counts them."""

    def __init__(self, kept: KeptRun, check: Callable[[], None]) -> None:
        self._kept = kept
        self._check = check
        self.tried = 1
        self.now = decide(kept)

    def turn(self, change: Change, words: str) -> Trial:
        self._check()
        self.tried += 1
        found = decide(self._kept, change)
        return Trial(change, words, found.label, found.confidence, found.label is not self.now.label)


_Dial = Sequence[tuple[Change, str]]
"""Changes of one number in one direction, smallest first."""


def _dials(kept: KeptRun) -> Iterator[_Dial]:
    bound = kept.rule.decides
    # Only upwards: no verdict is ever given below the bound.
    words = "If a verdict needed a probability of {:.0%} instead of {:.0%}"
    yield [(Change(decides=v), words.format(v, bound)) for v in _grid(0.05, 0.95, 0.05) if v > bound + 1e-9]
    for values in _steps(CREDIBILITY_WEIGHT, 0.0, 2 * CREDIBILITY_WEIGHT, 0.25):
        words = "If credibility counted {:.0%} of what it does in the decision"
        yield [(Change(credibility_weight=v), words.format(v / CREDIBILITY_WEIGHT)) for v in values]
    relevance, boost = kept.rules.min_relevance, kept.rules.credibility_boost
    for values in _steps(relevance, 0.0, 0.95, 0.05):
        words = "If evidence needed a relevance of {:.2f} instead of {:.2f}"
        yield [(Change(min_relevance=v), words.format(v, relevance)) for v in values]
    for values in _steps(boost, 0.0, 1.0, 0.1):
        words = "If credibility counted {:.2f} instead of {:.2f} when evidence is chosen"
        yield [(Change(boost=v), words.format(v, boost)) for v in values]


def _steps(now: float, least: float, most: float, step: float) -> Iterator[list[float]]:
    """The values below ``now`` and those above, nearest first."""
    grid = _grid(least, most, step)
    yield [v for v in reversed(grid) if v < now - 1e-9]
    yield [v for v in grid if v > now + 1e-9]


def _grid(least: float, most: float, step: float) -> list[float]:
    return [round(least + step * i, 4) for i in range(round((most - least) / step) + 1)]


def _first(trial: _Trials, dial: _Dial) -> Trial | None:
    for change, words in dial:
        found = trial.turn(change, words)
        if found.changes_label:
            return found
    return None


def _without(*sources: str) -> Change:
    return Change(without_sources=frozenset(sources))


def _would_be(turn: Trial) -> str:
    return f"{turn.words} it would be {turn.label}."
