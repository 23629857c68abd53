"""What a research may spend, on the whole and for one question, and what memory has saved."""

from collections.abc import Sequence
from dataclasses import replace

from ghost.budget import Limits
from ghost.judges import ResearchWriter
from ghost.types import Coverage, Estimate, GateDecision, GateState, Policy, Savings, TraceStep, Usage

MOST_SEARCHES = 6
MOST_SECONDS = 60.0
"""Of one question, each."""
ANSWER_TOKENS = 6_000
"""That writing one answer takes at most, the excerpts included."""
ANSWER_SHARE = 0.25
"""Of those tokens that are written rather than read, which cost more."""
SECONDS_EACH = 5.0
"""For reading and answering one question without the web."""


def question_limits(whole: Limits, spent: Usage, seconds_left: float, policy: Policy, questions: int) -> Limits:
    """The limits of the next of ``questions`` that need the web: a fair share of what is left, and never too much."""
    each = max(1, questions)
    return Limits(
        min(MOST_SEARCHES, _share(whole.searches - spent.searches, each)),
        min(policy.max_sources, _share(whole.fetches - spent.fetches, each)),
        whole.tokens,
        whole.cost_usd,
        max(0.0, min(MOST_SECONDS, seconds_left / each)),
    )


def estimate(
    decisions: Sequence[GateDecision], policy: Policy, web: bool, limits: Limits, writer: ResearchWriter | None
) -> Estimate:
    """What answering will spend at most."""
    from_memory = sum(d.state is GateState.SATISFIED for d in decisions)
    from_web = len(decisions) - from_memory if web else 0
    tokens = min(limits.tokens, ANSWER_TOKENS * len(decisions)) if writer else 0
    cost: float | None = 0.0
    if writer:
        written = round(tokens * ANSWER_SHARE)
        cost = min(limits.cost_usd, writer.price.of(tokens - written, written)) if writer.price else None
    seconds = MOST_SECONDS * from_web + SECONDS_EACH * len(decisions)
    return Estimate(
        from_memory, from_web, min(limits.searches, MOST_SEARCHES * from_web),
        min(limits.fetches, policy.max_sources * from_web), tokens, cost, min(limits.seconds, seconds),
    )  # fmt: skip


def savings_of(covered: Sequence[Coverage], research_id: str) -> Savings:
    """What the questions cost when the web was asked for them, without those that this research has asked itself."""
    mine = [c for c in covered if c.same_as or c.research_id != research_id]
    return Savings(len(mine), sum(c.searches for c in mine), sum(c.fetches for c in mine))


def spent_by(steps: Sequence[TraceStep]) -> Usage:
    """What the steps of an earlier attempt have spent."""
    return Usage(
        sum(int(s.outputs.get("searches", 0)) for s in steps if s.name == "web"),
        sum(int(s.outputs.get("fetches", 0)) for s in steps if s.name == "web"),
        sum(s.tokens for s in steps),
        round(sum(s.cost_usd for s in steps), 6),
        round(sum(s.seconds for s in steps), 4),
        sum(s.unpriced_tokens for s in steps),
    )


def limits_left(limits: Limits, spent: Usage) -> Limits:
    """The limits less what was spent; the time begins anew."""
    return replace(
        limits,
        searches=max(0, limits.searches - spent.searches),
        fetches=max(0, limits.fetches - spent.fetches),
        tokens=max(0, limits.tokens - spent.tokens),
        cost_usd=max(0.0, limits.cost_usd - spent.cost_usd),
    )


def together(one: Usage, other: Usage) -> Usage:
    """What both have spent."""
    return Usage(
        one.searches + other.searches,
        one.fetches + other.fetches,
        one.tokens + other.tokens,
        round(one.cost_usd + other.cost_usd, 6),
        round(one.seconds + other.seconds, 4),
        one.unpriced_tokens + other.unpriced_tokens,
    )


def _share(left: int, questions: int) -> int:
    """Rounded up, so that the last ones are left what the first ones did not use."""
    return max(0, -(-left // questions))
