"""The measured shares of a judge: which of its verdicts on claims with known answers are right, in steps that rise."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.everyday import read_claims
from ghost.budget import Budget, Limits
from ghost.events import VerdictReached, result_of
from ghost.judges import Count, EmbeddedJudge, Odds, Rule, Shares, Step
from ghost.pipelines import Tools, verify
from ghost.steps import verdict
from ghost.types import Basis, Claim, Evidence, JudgeInfo, Label, Statement, Verdict
from ghost.workbench import Workbench

STEP = 25
"""The fewest verdicts of one step: below it the share is mostly chance."""


@dataclass(frozen=True, slots=True)
class MeasuredVerdict:
    """A verdict on a claim whose answer is known."""

    label: Label
    basis: Basis
    probability: float
    """The judge's own."""
    right: bool


def everyday_verdicts(
    workbench: Workbench, half: str, progress: Callable[[str, int, int], None]
) -> Iterator[MeasuredVerdict]:
    """The verdicts that everyday claims get."""
    claims = [(row.claim, row.label) for row in read_claims(half)]
    return whole_verdicts(workbench.tools, claims, f"everyday claims, {half} half", progress)


def whole_verdicts(
    tools: Tools, claims: Sequence[tuple[str, Label]], name: str, progress: Callable[[str, int, int], None]
) -> Iterator[MeasuredVerdict]:
    """The verdicts that claims get from step 1 on; no label is withheld for what was measured before."""
    tools = replace(tools, shares=())
    for done, (claim, label) in enumerate(claims, start=1):
        for event in verify(Claim(claim), tools, f"{done:032x}"):
            if isinstance(event, VerdictReached):
                yield from measured(event.verdict, label)
        progress(f"Measuring verdicts, {name}", done, len(claims))


def verdict_on(claim: str, evidence: Sequence[Evidence], tools: Tools, odds: Odds) -> Verdict:
    """The verdict of the embedded judge with ``odds`` on evidence that was read before."""
    judge = EmbeddedJudge("", rule=Rule(decides=odds.bound), odds=odds)
    step = verdict(
        Claim(claim), (Statement(1, claim),), evidence, (), (), judge, Budget(Limits()), bound=odds.bound,
        reader=tools.reader, plain=tools.plain,
    )  # fmt: skip
    return result_of(step).value.verdict


def measured(found: Verdict, label: Label) -> Iterator[MeasuredVerdict]:
    """The verdict with whether it is ``label``; nothing for an abstention."""
    if found.basis and found.probability is not None:
        yield MeasuredVerdict(found.label, found.basis, found.probability, found.label is label)


def fit_shares(
    verdicts: Sequence[MeasuredVerdict], sealed: Sequence[MeasuredVerdict], judge: JudgeInfo, reader: str
) -> Shares:
    """The shares of a judge from ``verdicts``; those that are ``sealed`` only count beside them."""
    bases = {basis: _rising([v for v in verdicts if v.basis is basis]) for basis in Basis}
    pooled = _rising(verdicts)
    return Shares(
        judge=judge.name,
        model=judge.model,
        reader=reader,
        bases={b: _checked(steps, [v for v in sealed if v.basis is b]) for b, steps in bases.items()},
        pooled=_checked(pooled, sealed),
        labels={label: _count(v for v in verdicts if v.label is label) for label in {v.label for v in verdicts}},
    )


def _rising(verdicts: Sequence[MeasuredVerdict]) -> tuple[Step, ...]:
    """Steps of at least ``STEP`` verdicts whose shares rise: neighbours that do not are one (pool adjacent violators).

    Equal probabilities stay in one step.
    """
    steps: list[Step] = []
    for low in sorted({v.probability for v in verdicts}):
        count = _count(v for v in verdicts if v.probability == low)
        steps.append(Step(low=low, **count.model_dump()))
        while len(steps) > 1 and (steps[-2].n < STEP or (steps[-1].n >= STEP and steps[-2].share >= steps[-1].share)):
            steps[-2:] = [_joined(*steps[-2:])]
    while len(steps) > 1 and (steps[-1].n < STEP or steps[-2].share >= steps[-1].share):
        steps[-2:] = [_joined(*steps[-2:])]
    return tuple(steps)


def _joined(one: Step, other: Step) -> Step:
    return Step(low=one.low, n=one.n + other.n, right=one.right + other.right)


def _checked(steps: Sequence[Step], sealed: Sequence[MeasuredVerdict]) -> tuple[Step, ...]:
    """The steps with what became of the sealed verdicts that fall on each."""
    bounds = [0.0, *(step.low for step in steps[1:]), 2.0]
    return tuple(
        step.model_copy(update={"sealed": _count(v for v in sealed if low <= v.probability < high)})
        for step, low, high in zip(steps, bounds, bounds[1:], strict=False)
    )


def _count(verdicts: Iterable[MeasuredVerdict]) -> Count:
    right = [v.right for v in verdicts]
    return Count(n=len(right), right=sum(right))
