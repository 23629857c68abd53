"""The rounds of a run: which open statements it looks into on the web, and which it does not come to."""

from collections.abc import Iterator, Sequence

from ghost.types import Reason, ReasonCode, Statement, Sufficiency


def begun(before: tuple[Sufficiency, ...], open_ones: Sequence[Sufficiency], most: int) -> tuple[Sufficiency, ...]:
    """The statements that the run looks into: those it has begun with, then others that are open, ``most`` at most."""
    known = {o.statement for o in before}
    others = [o for o in open_ones if o.statement not in known]
    return (*before, *others[: max(0, most - len(before))])


def still(asked_about: Sequence[Sufficiency], open_ones: Sequence[Sufficiency]) -> Sequence[Sufficiency]:
    """Those of them that are open, with their newest queries."""
    numbers = {o.statement for o in asked_about}
    return [o for o in open_ones if o.statement in numbers]


def with_settled(
    wanted: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], statements: Sequence[Statement], most: int
) -> tuple[Sufficiency, ...]:
    """Those ``wanted``, then what is settled, ``most`` at most: a fact-check may say otherwise of that."""
    known = {o.statement for o in (*wanted, *open_ones)}
    settled = (Sufficiency(s.number, enough=True, reason="") for s in statements if s.number not in known)
    return (*wanted, *settled)[:most]


def beyond(asked_about: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], most: int) -> Iterator[Reason]:
    """Why open statements were not looked into; ``most`` is the limit."""
    if len(asked_about) < most:  # what is open beside them opened again after the last search
        return
    known = {o.statement for o in asked_about}
    if left := sum(o.statement not in known for o in open_ones):
        were = "statement was" if left == 1 else "statements were"
        limit = f"{most} round{'' if most == 1 else 's'}"
        yield Reason(
            ReasonCode.BUDGET,
            f"{left} {were} not looked into on the web: limit of {limit} for one run.",
            "Raise GHOST_MAX_ROUNDS and verify the claim again.",
        )
