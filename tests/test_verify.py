"""The seven steps in order, and what a run reports when something goes wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

import pytest

from ghost.budget import Limits
from ghost.errors import JudgeError, ProviderError
from ghost.events import (
    ClaimClassified,
    Event,
    EvidenceWeighed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    StepFinished,
    StepStarted,
    VerdictReached,
)
from ghost.judges.embedded import EmbeddedJudge
from ghost.knowledge.values import AddReport, Use
from ghost.testing import OFF_TOPIC, REFUTING, SUPPORTING, ScriptedJudge, ScriptedReader, ScriptedSearch, passage
from ghost.types import (
    Candidate,
    Claim,
    ClaimType,
    Classification,
    Draft,
    DraftCitation,
    DraftSentence,
    Label,
    NewPassage,
    Passage,
    ReasonCode,
    RunStatus,
    StanceLabel,
    Statement,
)
from ghost.verify import STEPS, Tools, verify

TEXT = "Honey found in Egyptian tombs was still edible."
CLAIM = Claim("Honey does not spoil.")


class Shelf:
    """The three calls a run makes on a knowledge base, over a list."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.uses: list[tuple[str, list[Use]]] = []

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        hits = [Candidate(p, rank, 1 / (60 + rank)) for rank, p in enumerate(self.passages[:k], 1)]
        return [hits for _ in texts]

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        self.uses.append((run_id, list(uses)))

    def add(self, passages: Iterable[NewPassage]) -> AddReport:
        raise AssertionError("nothing was read, so nothing may be admitted")


def tools(passages: Sequence[Passage] = (), judge=None, answer=lambda text, statement: SUPPORTING, **changes) -> Tools:
    reader = ScriptedReader(answer)
    made = Tools(Shelf(passages), judge or EmbeddedJudge("scripted"), reader, reader, settings={"seed": 1})
    return replace(made, **changes)


def run(claim: Claim, with_: Tools, **kwargs) -> list[Event]:
    return list(verify(claim, with_, "run-1", **kwargs))


def only(events: Sequence[Event], kind: type):
    found = [e for e in events if isinstance(e, kind)]
    assert len(found) == 1
    return found[0]


def steps(events: Sequence[Event], name: str):
    """The trace of one step, all rounds."""
    return [e.step for e in events if isinstance(e, StepFinished) and e.step.name == name]


def test_a_settled_claim_goes_through_the_steps_in_order_without_a_search() -> None:
    events = run(CLAIM, tools([passage(TEXT, "p1")]))
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    assert [e.step.name for e in events if isinstance(e, StepFinished)] == [
        "classify", "retrieve", "rerank", "sufficiency", "index", "verdict",
    ]  # fmt: skip
    started = [e.name for e in events if isinstance(e, StepStarted)]
    assert all(name in STEPS for name in started)
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.TRUE
    assert verdict.citations[0].accepted
    assert TEXT.rstrip(".") in verdict.explanation
    assert [e.text for e in events if isinstance(e, SentenceAccepted)] == [verdict.explanation]
    assert events[-1].status is RunStatus.FINISHED


def test_a_refuted_claim_is_false() -> None:
    events = run(CLAIM, tools([passage(TEXT, "p1")], answer=lambda t, s: REFUTING))
    assert only(events, VerdictReached).verdict.label is Label.FALSE


def test_an_opinion_ends_at_step_one() -> None:
    shelf = tools([passage(TEXT)])
    events = run(Claim("Pineapple on pizza is delicious"), shelf)
    assert [e.step.name for e in events if isinstance(e, StepFinished)] == ["classify"]
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_VERIFIABLE
    assert verdict.reasons[0].code is ReasonCode.OPINION
    assert verdict.reasons[0].remedy
    assert shelf.knowledge.uses == []


def test_with_no_evidence_no_judge_is_asked_for_a_verdict() -> None:
    judge = ScriptedJudge(AssertionError("asked without evidence"))
    events = run(CLAIM, tools([passage(TEXT)], judge, answer=lambda t, s: OFF_TOPIC))
    verdict = only(events, VerdictReached).verdict
    assert judge.asked == ["classify"]
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert {r.code for r in verdict.reasons} == {ReasonCode.NO_SOURCES, ReasonCode.NO_PROVIDER}
    investigate = next(e.step for e in events if isinstance(e, StepFinished) and e.step.name == "investigate")
    assert "No search provider is set up" in investigate.reason


def test_a_search_that_fails_is_in_the_trace_and_never_a_verdict() -> None:
    events = run(CLAIM, tools([], providers=(ScriptedSearch(ProviderError("the server answered 500")),)))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.PROVIDER_DOWN in {r.code for r in verdict.reasons}
    first, *others = [s for s in steps(events, "investigate") if s.outputs["searches"]]
    assert first.decision.endswith("the search failed")
    assert first.outputs["searches"][0]["why"] == "the server answered 500"
    assert all(row["state"] == "not asked" for step in others for row in step.outputs["searches"])
    assert events[-1].usage.searches == 1


def test_a_judge_that_invents_a_citation_cannot_make_a_verdict() -> None:
    sentence = DraftSentence("NASA proved it [4].", (DraftCitation(4, "invented words", StanceLabel.SUPPORTS),))
    judge = ScriptedJudge(Draft(Label.TRUE, 0.99, (sentence,)))
    events = run(CLAIM, tools([passage(TEXT)], judge))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert verdict.explanation == ""
    assert [c.accepted for c in verdict.citations] == [False]


def test_a_failing_judge_fails_the_run_and_is_not_false() -> None:
    events = run(CLAIM, tools([passage(TEXT)], ScriptedJudge(JudgeError("no usable answer"))))
    assert not [e for e in events if isinstance(e, VerdictReached)]
    assert (events[-1].status, events[-1].error) == (RunStatus.FAILED, "no usable answer")
    stopped = [e.step for e in events if isinstance(e, StepFinished)][-1]
    assert (stopped.name, stopped.decision) == ("verdict", "stopped")


def test_an_unexpected_error_ends_the_run_visibly_with_what_it_had() -> None:
    def broken(text: str, statement: str):
        raise RuntimeError("boom")

    events = run(CLAIM, tools([passage(TEXT)], answer=broken))
    assert events[-1].status is RunStatus.FAILED
    assert "boom" in events[-1].error
    assert only(events, ClaimClassified).classification.statements


@pytest.mark.parametrize("after", range(1, 7))
def test_cancel_stops_before_the_next_step(after: int) -> None:
    seen: list[Event] = []

    def cancelled() -> bool:
        return sum(isinstance(e, StepFinished) for e in seen) >= after

    for event in verify(CLAIM, tools([passage(TEXT)]), "run-1", cancelled):
        seen += [event]
    done = [e.step for e in seen if isinstance(e, StepFinished)]
    assert isinstance(seen[-1], RunEnded)
    if after < 6:
        assert seen[-1].status is RunStatus.CANCELLED
        assert [s.decision for s in done].count("stopped") == 1
        assert len(done) == after + 1
    else:
        assert seen[-1].status is RunStatus.FINISHED


def test_a_limit_ends_the_run_with_what_it_has_and_asks_no_judge_more() -> None:
    class Spender(ScriptedJudge):
        def sufficiency(self, statement, evidence, budget):
            budget.spend(tokens=1)
            raise AssertionError("went on after the limit")

    judge = Spender(AssertionError("asked after the limit"))
    events = run(CLAIM, tools([passage(TEXT)], judge, limits=Limits(tokens=0)))
    verdict = only(events, VerdictReached).verdict
    assert verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert ReasonCode.BUDGET in {r.code for r in verdict.reasons}
    assert events[-1].status is RunStatus.FINISHED
    assert only(events, EvidenceWeighed).evidence


def test_without_searches_left_the_run_decides_with_what_it_has() -> None:
    judge = ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), enough=False)
    engine = ScriptedSearch()
    events = run(CLAIM, tools([passage(TEXT)], judge, providers=(engine,), limits=Limits(searches=0)))
    verdict = only(events, VerdictReached).verdict
    assert engine.asked == []
    assert judge.asked == ["classify", "sufficiency", "decide"]
    assert [r.code for r in verdict.reasons] == [ReasonCode.BUDGET]
    assert "limit of 0 searches" in verdict.reasons[0].text
    assert "limit of searches" in steps(events, "investigate")[-1].reason


def test_a_passage_used_for_two_statements_is_booked_once() -> None:
    found = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "Honey keeps."), Statement(2, "Honey is old.")), "two")
    with_ = tools([passage(TEXT, "p1")], judge=ScriptedJudge(Draft(Label.NOT_ENOUGH_EVIDENCE, 0.5, ()), found))
    run(CLAIM, with_)
    assert [(run_id, [u.passage_id for u in uses]) for run_id, uses in with_.knowledge.uses] == [("run-1", ["p1"])]


def test_what_the_verdict_quotes_is_booked_as_cited() -> None:
    with_ = tools([passage(TEXT, "p1")])
    run(CLAIM, with_)
    assert [[(u.passage_id, u.cited) for u in uses] for _, uses in with_.knowledge.uses] == [
        [("p1", False)],
        [("p1", True)],
    ]


def test_two_runs_share_nothing_but_the_knowledge_base() -> None:
    with_ = tools([passage(TEXT, "p1")])
    first = run(CLAIM, with_)
    run(Claim("Honey is made of plastic."), with_)
    again = run(CLAIM, with_)
    assert only(first, VerdictReached) == only(again, VerdictReached)
    assert only(first, EvidenceWeighed) == only(again, EvidenceWeighed)
