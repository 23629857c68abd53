"""The evidence of a run by passage and by side, as every report and page lists it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.reports.plain import on_topic
from ghost.types import Citation, Evidence, StanceLabel

SIDES = (
    (StanceLabel.REFUTES, "Contradicts"),
    (StanceLabel.SUPPORTS, "Supports"),
    (StanceLabel.NEUTRAL, "Related, not decisive"),
)


@dataclass(frozen=True, slots=True)
class Card:
    """One passage of a run with all statements that it bears on."""

    number: int
    main: Evidence
    """The statement on which it says most."""
    all: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The passages of one stance."""

    stance: StanceLabel
    words: str
    cards: tuple[Card, ...]
    """The weightiest first."""

    @property
    def origins(self) -> int:
        """How many of them are independent of one another."""
        return len({card.main.group for card in self.cards})


def cards(evidence: Sequence[Evidence]) -> list[Card]:
    """One card per number, the weightiest first; what is off topic has none."""
    evidence = on_topic(evidence)
    numbers = dict.fromkeys(e.number for e in evidence)
    made = []
    for number in numbers:
        rows = tuple(e for e in evidence if e.number == number)
        main = max(rows, key=lambda e: max(e.stance.supports, e.stance.refutes))
        made.append(Card(number, main, rows))
    return sorted(made, key=lambda card: (-card.main.final, card.number))


def sides(made: Sequence[Card], citations: Sequence[Citation]) -> list[Side]:
    """The cards by stance, the side that the verdict cites most first; stances without any are left out."""
    cited = [c.stance for c in citations if c.accepted]
    order = sorted(SIDES, key=lambda side: -cited.count(side[0]))
    found = (
        Side(stance, words, tuple(card for card in made if card.main.stance.label is stance)) for stance, words in order
    )
    return [side for side in found if side.cards]
