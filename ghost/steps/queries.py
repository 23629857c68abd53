"""What to search for: the queries of a stage, statement by statement."""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.types import Statement, Sufficiency
from ghost.web import Stage

BROAD_QUERIES = 2
"""For each statement: one for what it says, one for its opposite."""
OPPOSITE = "false denied corrected"
"""Added to a statement to find who contradicts it, where the judge names no query for that."""


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for."""

    statement: int
    text: str


def queries(stage: Stage, statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[Query]:
    """What to search for in a stage: the first query of every open statement, in the order of the claim, then others.

    What is settled among these comes after them. The judge names the queries; without any the statement's own words
    are searched. The whole web is also asked for the opposite.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    settled = {o.statement for o in open_ones if o.enough}
    turns = BROAD_QUERIES if stage is Stage.BROAD else 1
    lists = []
    for s in sorted(statements, key=lambda s: s.number in settled):
        if s.number in wanted:
            texts = list(dict.fromkeys(wanted[s.number])) or [s.text]
            texts = texts if len(texts) > 1 else [*texts, f"{s.text.rstrip('.!? ')} {OPPOSITE}"]
            lists.append([Query(s.number, text) for text in texts])
    return [mine[turn] for turn in range(turns) for mine in lists]
