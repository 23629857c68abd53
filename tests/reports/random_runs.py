"""Runs drawn by a seed: random evidence, a random draft that went through the gate, a random verdict of the analyst."""

import random
from dataclasses import replace
from datetime import timedelta

from ghost.judges import Count, Shares, Step
from ghost.steps import pass_gate
from ghost.types import (
    DECIDED,
    Basis,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    JudgeInfo,
    Kind,
    Label,
    Leaning,
    Override,
    Reason,
    ReasonCode,
    Review,
    Run,
    Stance,
    StanceLabel,
    Statement,
    StatementVerdict,
    citing,
)
from tests.reports.runs import NOON, evidence, finished, passage

_SAYS = {
    StanceLabel.SUPPORTS: "which supports", StanceLabel.REFUTES: "which contradicts",
    StanceLabel.NEUTRAL: "which is related but does not settle",
}  # fmt: skip
_CITED = {
    Label.TRUE: (StanceLabel.SUPPORTS,), Label.FALSE: (StanceLabel.REFUTES,),
    Label.PARTIALLY_TRUE: (StanceLabel.SUPPORTS, StanceLabel.REFUTES),
    Label.MISLEADING: (StanceLabel.SUPPORTS, StanceLabel.NEUTRAL), Label.NOT_ENOUGH_EVIDENCE: (StanceLabel.NEUTRAL,),
}  # fmt: skip
_REASONS = (
    Reason(ReasonCode.NOT_DECISIVE, "None of the passages settles it.", "A source that says this explicitly."),
    Reason(ReasonCode.WEAK_ORIGIN, "One origin only.", "A second source."),
)


def random_run(seed: int) -> Run:
    """A finished run; the same seed draws the same one."""
    rng = random.Random(seed)
    statements = tuple(Statement(n, f"Statement {n} holds.") for n in range(1, rng.choice((1, 1, 2, 3)) + 1))
    rows = _evidence(rng, statements)
    shares = None if rng.random() < 0.2 else _shares(rng)
    known = ("The claim.", "", *(s.text for s in statements))
    verdict = pass_gate(_draft(rng, statements, rows), rows, known, rng.choice((0.6, 0.83)), shares=shares).verdict
    base = finished()
    assert base.classification
    return replace(
        base,
        id=f"{seed:032x}",
        judge=JudgeInfo("embedded" if shares else "cloud", "model"),
        classification=replace(base.classification, statements=statements),
        evidence=rows,
        verdict=verdict,
        steps=(),
        review=_review(rng),
        finished_at=NOON + timedelta(seconds=1),
    )


def _evidence(rng: random.Random, statements: tuple[Statement, ...]) -> tuple[Evidence, ...]:
    rows = []
    for number in range(1, rng.randrange(1, 6) + 1):
        source = passage(
            id=f"p{number}", text=f"Passage {number} is about the matter and says what it says.", publisher="",
            source_url=f"https://s{number}.example/", domain=f"s{number}.example", title=f"Title {number}",
            kind=rng.choice(list(Kind)), rated=rng.random() < 0.5,
        )  # fmt: skip
        for statement in rng.sample(statements, rng.randrange(1, len(statements) + 1)):
            stance = [rng.random() ** 3 for _ in range(3)]
            supports, refutes, neutral = (0.98 * s / sum(stance) for s in stance)
            rows.append(
                evidence(
                    number=number, statement=statement.number, passage=source, group=rng.choice((1, number)),
                    stance=Stance(supports, refutes, neutral, 0.02), final=rng.random(),
                )
            )  # fmt: skip
    return tuple(rows)


def _draft(rng: random.Random, statements: tuple[Statement, ...], rows: tuple[Evidence, ...]) -> Draft:
    """A judge that often cites for its label, and may cite a passage otherwise than the stance model reads it."""
    label, sure = rng.choice((*DECIDED, *DECIDED, Label.NOT_ENOUGH_EVIDENCE)), round(rng.uniform(0.7, 1), 3)
    sentences = []
    for row in rng.sample(rows, rng.randrange(len(rows)) + 1):
        stance = rng.choice(
            (rng.choice(_CITED[label]), rng.choice(_CITED[label]), row.stance.label, rng.choice(list(_SAYS)))
        )
        quote = row.passage.text.rstrip(".")
        about = row.statement if rng.random() < 0.7 else 0
        text = f"[{row.number}] {citing(row.passage, quote)}, {_SAYS[stance]} the claim."
        sentences.append(DraftSentence(text, (DraftCitation(row.number, quote, stance, about),)))
    own = label if len(statements) == 1 or rng.random() < 0.7 else None
    decided = tuple(_decided(s.number, own or rng.choice((Label.TRUE, Label.FALSE, label)), rng) for s in statements)
    abstains = label is Label.NOT_ENOUGH_EVIDENCE
    leaning = Leaning(Label.FALSE, 0.7) if abstains and rng.random() < 0.5 else None
    reasons = tuple(rng.sample(_REASONS, rng.randrange(1, 3))) if abstains or rng.random() < 0.5 else ()
    return Draft(label, None if abstains else sure, tuple(sentences), decided, False, reasons, leaning)


def _decided(number: int, label: Label, rng: random.Random) -> StatementVerdict:
    sure = None if label is Label.NOT_ENOUGH_EVIDENCE else round(rng.uniform(0.7, 1), 3)
    return StatementVerdict(number, label, sure, rng.random(), rng.random())


def _shares(rng: random.Random) -> Shares:
    def steps() -> tuple[Step, ...]:
        return tuple(Step(low=low, n=60, right=round(60 * rng.uniform(0.5, 1))) for low in (0.5, 0.7, 0.9))

    return Shares(
        judge="embedded", model="model", reader="", bases={b: steps() for b in rng.sample(list(Basis), 3)},
        pooled=steps(), labels={Label.MISLEADING: Count(n=40, right=rng.choice((20, 39)))},
    )  # fmt: skip


def _review(rng: random.Random) -> Review:
    if rng.random() < 0.5:
        return Review()
    return Review(override=Override("o1", rng.choice(list(Label)), "I read the register.", NOON))
