"""The embedded judge on hand-made stances: what it says, and that it always says the same."""

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled
from ghost.judges import EmbeddedJudge
from ghost.steps import is_verbatim, pass_gate
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, drafted, evidence
from ghost.types import Claim, Evidence, Label, ReasonCode, SourceType, Stance, StanceLabel, Statement
from ghost.web import worded
from tests.judges.test_decision import contested_odds

CLAIM = Claim("Honey spoils within a year.")
S = Statement(1, CLAIM.text)
JUDGE = EmbeddedJudge("evidence-cross-encoder")


def decide(rows: list[Evidence], statements: tuple[Statement, ...] = (S,)):
    return drafted(JUDGE.decide(CLAIM, statements, rows, Budget(Limits())))


def test_the_explanation_quotes_the_source_and_says_what_it_does_to_the_claim() -> None:
    draft = decide([evidence(1, "Sealed honey keeps for centuries.", REFUTING, publisher="Smithsonian")])
    assert draft.label is Label.FALSE
    assert [s.text for s in draft.sentences] == [
        "[1] Smithsonian says “Sealed honey keeps for centuries”, which contradicts the claim."
    ]
    assert draft.sentences[0].citations[0].stance is StanceLabel.REFUTES


def test_with_several_statements_each_sentence_names_the_one_it_is_about() -> None:
    statements = (Statement(1, "Honey spoils."), Statement(2, "Honey is sweet."))
    rows = [
        evidence(1, "Sealed honey keeps for centuries.", REFUTING, statement=1),
        evidence(2, "Honey tastes sweet because of fructose.", SUPPORTING, statement=2),
    ]
    draft = decide(rows, statements)
    assert draft.label is Label.PARTIALLY_TRUE
    assert "“Honey spoils”" in draft.sentences[0].text
    assert "“Honey is sweet”" in draft.sentences[1].text
    assert [v.label for v in draft.statements] == [Label.FALSE, Label.TRUE]


def test_an_open_claim_shows_the_nearest_passage_as_not_settling_it() -> None:
    draft = decide([evidence(1, "Bees make honey from nectar.", ON_TOPIC)])
    assert draft.label is Label.NOT_ENOUGH_EVIDENCE
    assert "does not settle" in draft.sentences[0].text
    assert draft.sentences[0].citations[0].stance is StanceLabel.NEUTRAL


def test_contested_claims_show_both_sides_and_say_so() -> None:
    rows = [
        evidence(1, "Honey keeps for centuries when sealed.", REFUTING, credibility=0.95),
        evidence(2, "Honey spoils within a year of opening.", SUPPORTING, credibility=0.95),
    ]
    judge = EmbeddedJudge("evidence-cross-encoder", odds=contested_odds())
    draft = drafted(judge.decide(CLAIM, (S,), rows, Budget(Limits())))
    assert draft.contested
    assert draft.label is Label.PARTIALLY_TRUE
    assert ReasonCode.CONFLICT in [r.code for r in draft.reasons]
    assert {s.citations[0].stance for s in draft.sentences} == {StanceLabel.SUPPORTS, StanceLabel.REFUTES}


def test_misleading_only_when_a_fact_checker_says_so() -> None:
    support = evidence(1, "The price of honey rose by 40 percent in May.", SUPPORTING)
    check = worded("ClaimLens", S.text, "Misleading")
    calm = evidence(2, check, ON_TOPIC)
    checker = evidence(2, check, ON_TOPIC, source_type=SourceType.FACT_CHECKER)
    assert decide([support, calm]).label is Label.TRUE
    draft = decide([support, checker])
    assert draft.label is Label.MISLEADING
    assert pass_gate(draft, [support, checker]).verdict.label is Label.MISLEADING


def test_every_sentence_passes_the_gate() -> None:
    long = (
        " ".join(f"Sentence number {n} speaks of jars and bees." for n in range(40)) + " Honey never spoils in a jar."
    )
    rows = [evidence(1, "Sealed honey keeps.", REFUTING), evidence(2, long, REFUTING), evidence(3, "x" * 900, REFUTING)]
    report = pass_gate(decide(rows), rows)
    assert (report.accepted, report.dropped_sentences) == (3, 0)


def test_a_long_passage_is_quoted_by_its_fitting_sentence() -> None:
    other = " ".join(f"Sentence number {n} speaks of other things entirely." for n in range(40))
    texts = (f"{other} Honey spoils when water gets in. {other}", "honey " * 500)
    fitting, cut = (decide([evidence(1, text, REFUTING)]).sentences[0].citations[0].quote for text in texts)
    assert fitting == "Honey spoils when water gets in."
    assert is_verbatim(cut, texts[1])
    assert len(cut) <= 320


def test_the_same_input_gives_the_same_answer() -> None:
    rows = [
        evidence(n, f"Passage {n} on honey.", s) for n, s in enumerate([REFUTING, ON_TOPIC, SUPPORTING, REFUTING], 1)
    ]
    assert len({repr(decide(rows)) for _ in range(5)}) == 1


def test_sufficiency_follows_the_same_rule_as_the_verdict() -> None:
    (enough,) = JUDGE.sufficiency(CLAIM, (S,), [evidence(1, "no", REFUTING)], Budget(Limits()))
    assert enough.enough
    assert "1 independent origin takes a side" in enough.reason
    (open_,) = JUDGE.sufficiency(CLAIM, (S,), [evidence(1, "about", ON_TOPIC)], Budget(Limits()))
    assert not open_.enough
    assert open_.code is ReasonCode.NOT_DECISIVE
    assert open_.missing


def test_a_cancelled_run_is_not_judged() -> None:
    with pytest.raises(Cancelled):
        drafted(JUDGE.decide(CLAIM, (S,), [], Budget(Limits(), cancelled=lambda: True)))


def test_only_what_says_it_plainly_is_quoted_beside_the_strongest() -> None:
    hint = Stance(0.05, 0.55, 0.35, 0.05)
    plain = [evidence(1, "Sealed honey keeps for centuries.", REFUTING), evidence(2, "Honey is old.", hint)]
    assert {c.number for s in decide(plain).sentences for c in s.citations} == {1}


def test_an_open_statement_puts_no_weak_side_forward() -> None:
    leans = Stance(0.5, 0.05, 0.4, 0.05), Stance(0.05, 0.6, 0.3, 0.05)
    rows = [evidence(n, f"Text {n}.", stance, credibility=0.5) for n, stance in enumerate(leans, start=1)]
    draft = decide(rows)
    assert draft.label is Label.NOT_ENOUGH_EVIDENCE
    assert [c.stance for s in draft.sentences for c in s.citations] == [StanceLabel.NEUTRAL]
    assert [r.code for r in draft.reasons] == [ReasonCode.WEAK_ORIGIN]  # not CONFLICT
