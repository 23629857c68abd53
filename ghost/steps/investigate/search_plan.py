"""What to search for: which open statements, and with which queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ghost.types import Reason, ReasonCode, Statement, Sufficiency
from ghost.web import Stage

BROAD_QUERIES = 2
"""Per statement: one for what it says, one for its opposite."""
OPPOSITE = "false denied corrected"
"""Added to a statement to find what contradicts it, where the judge names no query for that."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One query, for one statement."""

    statement: int
    text: str


def stage_queries(stage: Stage, statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[SearchQuery]:
    """The queries of a stage: first one for each open statement in the order of the claim, then the others.

    Statements that are settled come last. The judge names the queries; without any the statement itself is the query.
    The whole web is also searched for the opposite.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    settled = {o.statement for o in open_ones if o.enough}
    turns = BROAD_QUERIES if stage is Stage.BROAD else 1
    lists = []
    for s in sorted(statements, key=lambda s: s.number in settled):
        if s.number in wanted:
            texts = list(dict.fromkeys(wanted[s.number])) or [s.text]
            texts = texts if len(texts) > 1 else [*texts, f"{s.text.rstrip('.!? ')} {OPPOSITE}"]
            lists.append([SearchQuery(s.number, text) for text in texts])
    return [mine[turn] for turn in range(turns) for mine in lists]


def select_statements(
    before: tuple[Sufficiency, ...], open_ones: Sequence[Sufficiency], most: int
) -> tuple[Sufficiency, ...]:
    """The statements that the run searches for: those of earlier stages, then other open ones, at most ``most``."""
    known = {o.statement for o in before}
    others = [o for o in open_ones if o.statement not in known]
    return (*before, *others[: max(0, most - len(before))])


def remaining(selected: Sequence[Sufficiency], open_ones: Sequence[Sufficiency]) -> Sequence[Sufficiency]:
    """The selected statements that are still open, with their latest queries."""
    numbers = {o.statement for o in selected}
    return [o for o in open_ones if o.statement in numbers]


def with_settled(
    wanted: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], statements: Sequence[Statement], most: int
) -> tuple[Sufficiency, ...]:
    """The ``wanted`` statements, then the settled ones, at most ``most``: a fact-check may contradict those."""
    known = {o.statement for o in (*wanted, *open_ones)}
    settled = (Sufficiency(s.number, enough=True, reason="") for s in statements if s.number not in known)
    return (*wanted, *settled)[:most]


def over_limit(selected: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], most: int) -> Iterator[Reason]:
    """Why open statements were not searched for; ``most`` is the limit."""
    if len(selected) < most:  # the other open statements were reopened after the last search
        return
    known = {o.statement for o in selected}
    if left := sum(o.statement not in known for o in open_ones):
        were = "statement was" if left == 1 else "statements were"
        limit = f"{most} round{'' if most == 1 else 's'}"
        yield Reason(
            ReasonCode.BUDGET,
            f"{left} {were} not looked into on the web: limit of {limit} for one run.",
            "Raise GHOST_MAX_ROUNDS and verify the claim again.",
        )
