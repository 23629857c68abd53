"""The decision made again with something changed, and the smallest change that turns it."""

import json
from dataclasses import asdict, replace
from datetime import date
from typing import Any

import pytest

from ghost.errors import Cancelled
from ghost.judges import shipped
from ghost.pipelines import Change, KeptRun, can_decide_again, decide, read_kept_run, returnable_passages, stability
from ghost.steps import RerankRules
from ghost.testing import OFF_TOPIC
from ghost.types import Label, Run, RunStatus, Stance, Timing
from tests.pipelines.runs import made, page

OPEN = Label.NOT_ENOUGH_EVIDENCE
TWO = RerankRules(keep=2)


def used(found: KeptRun, change: Change | None = None) -> list[str]:
    """Ids of the evidence."""
    return [e.passage.id for e in decide(found, change or Change()).evidence]


def without(*sources: str) -> Change:
    return Change(without_sources=frozenset(sources))


def again(*passages: Any, back: Any = (), **more: Any) -> KeptRun:
    """A run over these passages, with what may come back."""
    return read_kept_run(made(passages, **more), back)


def test_nothing_changed_is_the_run_itself() -> None:
    run = made([page(1), page(2, "no"), page(3, "off")])
    found = decide(read_kept_run(run))
    assert (found.evidence, found.returned) == (run.evidence, ())


def test_a_source_left_out_takes_its_word_with_it() -> None:
    found = again(page(1), page(2, "so"))
    assert decide(found).label is decide(found, without("elsewhere.org")).label is Label.TRUE
    assert decide(found, without("s1.org")).label is OPEN
    assert decide(found, Change(without_passages=frozenset({"p1"}))).label is OPEN
    alone = decide(again(page(1)), without("s1.org"))
    assert (alone.label, alone.evidence, alone.confidence) == (OPEN, (), None)


def test_the_next_candidate_takes_the_free_place() -> None:
    run = made([page(1), page(2), page(3)], rules=TWO)
    assert returnable_passages(run) == ("p3",)
    found = read_kept_run(run, [page(3)])
    assert (used(found), found.missing) == (["p1", "p2"], 0)
    new = decide(found, without("s1.org"))
    assert [e.passage.id for e in new.evidence] == ["p2", "p3"]
    assert [(e.passage.id, e.number) for e in new.returned] == [("p3", 3)]


def test_what_was_only_screened_gets_no_place_but_one_that_the_change_has_freed() -> None:
    found = again(page(1), page(2), page(3), back=[page(3)], rules=RerankRules(read=2, keep=2))
    assert [p.read for p in found.pieces] == [True, True, False]
    assert used(found, Change(boost=found.rules.credibility_boost)) == ["p1", "p2"]
    assert used(found, Change(boost=1.0)) == ["p1", "p2"]
    assert used(found, without("s1.org")) == ["p2", "p3"]
    assert used(found, without("s1.org", "s2.org")) == ["p3"]


@pytest.mark.parametrize("back", [[], [page(3, text="Quite another text.")]], ids=["deleted", "edited"])
def test_a_passage_whose_text_is_gone_or_changed_does_not_come_back(back: list[Any]) -> None:
    found = again(page(1), page(2), page(3), back=back, rules=TWO)
    assert (found.missing, used(found, without("s1.org"))) == (1, ["p2"])


def test_the_page_the_claim_was_found_at_and_what_is_off_topic_never_come_back() -> None:
    for run, other in (
        (made([page(1), page(2)], found_at="https://s2.org/a"), page(2)),
        (made([page(1), page(2, "off")]), page(2, "off")),
    ):
        assert returnable_passages(run) == ()
        assert used(read_kept_run(run, [other]), Change(min_relevance=0.0)) == ["p1"]
    run = made([page(1), page(2)])
    older = read_kept_run(replace(run, evidence=(run.evidence[0], replace(run.evidence[1], stance=OFF_TOPIC))))
    assert used(older) == ["p1"], "older runs kept it as evidence"
    assert used(older, without("s1.org")) == []


def test_no_verdict_is_given_below_the_bound_for_the_sake_of_argument() -> None:
    run = made([page(1)], reading=lambda *_: Stance(0.5, 0.05, 0.42, 0.03))
    found = read_kept_run(replace(run, settings={"odds": json.loads(json.dumps(asdict(shipped().odds)))}))
    assert decide(found).label is decide(found, Change(decides=0.05)).label is OPEN


def test_a_run_is_decided_again_by_its_own_odds_and_numbers() -> None:
    run = made([page(1)])
    stored = json.loads(json.dumps(asdict(replace(shipped().odds, bound=0.99))))
    assert decide(read_kept_run(run)).label is Label.TRUE
    assert decide(read_kept_run(replace(run, settings={"odds": stored}))).label is OPEN
    assert read_kept_run(replace(run, settings={"odds": {"bias": "broken"}})).odds is None
    rules = RerankRules(keep=2, min_relevance=0.2, credibility_boost=0.1, max_per_domain=1)
    assert again(page(1), rules=rules).rules == rules
    broken = replace(run, steps=(), settings={"top_k_rerank": 3, "credibility_boost": "broken"})
    assert read_kept_run(broken).rules == RerankRules(keep=3)


def test_credibility_counts_in_the_selection_and_in_the_decision() -> None:
    passages = [page(1, credibility=0.4), page(2, credibility=0.95)]
    found = again(*passages, back=passages, rules=RerankRules(keep=1, credibility_boost=0.0))
    assert (used(found), used(found, Change(boost=1.0))) == (["p1"], ["p2"])
    hunch = again(page(1, credibility=0.95), reading=lambda *_: Stance(0.93, 0.01, 0.05, 0.01))
    sure = decide(hunch, Change(credibility_weight=4.0)).verdict.probability
    assert decide(hunch, Change(credibility_weight=0.0)).verdict.probability != sure
    assert decide(again(page(1)), Change(decides=0.99)).label is OPEN


def test_what_was_outdated_counts_again_without_the_newer_source() -> None:
    old, new = page(1, published_at=date(2025, 1, 1)), page(2, "no", published_at=date(2026, 2, 1))
    found = again(old, new, claim="Ann Holt is the mayor of Northport.")
    assert [e.timing for e in decide(found).evidence] == [Timing.OUTDATED, Timing.FINE]
    assert [e.timing for e in decide(found, without("s2.org")).evidence] == [Timing.FINE]


def test_copies_stay_one_origin_and_a_returning_copy_joins_them() -> None:
    text = "yes the agency reported on Monday that the bridge had been closed after the storm damaged two of its piers"
    copies = [page(n, text=text) for n in (1, 2, 3)]
    found = decide(again(*copies, back=copies, rules=TWO), without("s1.org"))
    assert [e.passage.id for e in found.evidence] == ["p2", "p3"]
    assert len({e.group for e in found.evidence}) == 1


def test_a_run_of_an_older_ghost_is_decided_on_its_evidence_alone() -> None:
    run = made([page(1), page(2, "no"), page(3)])
    step = replace(run.steps[0], outputs={"evidence": [], "dropped": []})
    older = read_kept_run(replace(run, steps=(step,)), [page(3)])
    assert not older.has_candidates
    assert decide(older).evidence == run.evidence
    assert used(older, without("s1.org")) == ["p2", "p3"]


def test_where_there_is_nothing_to_decide_again() -> None:
    run = made([page(1)])
    assert can_decide_again(run)
    assert not can_decide_again(replace(run, status=RunStatus.RUNNING))
    assert not can_decide_again(replace(run, classification=None))
    empty: Run = made([])
    assert decide(read_kept_run(empty)).label is OPEN
    nothing = stability(read_kept_run(empty))
    assert nothing.sources == ()
    assert nothing.sentence == "It rests on no source, so none can be taken away from it."


# The smallest change that turns the decision.
def test_the_one_source_that_decides_is_named() -> None:
    found = stability(again(page(1), page(2, "so"), page(3, "so")))
    assert found.now.label is Label.TRUE
    assert [(t.words, t.changes_label) for t in found.sources] == [
        ("Without s1.org", True), ("Without s2.org", False), ("Without s3.org", False),
    ]  # fmt: skip
    assert found.sentence.startswith("Without s1.org it would be Not Enough Evidence.")
    assert found.pairs == ()


def test_where_no_single_source_turns_it_pairs_are_tried() -> None:
    found = stability(again(page(1), page(2)))
    assert [t.words for t in found.pairs] == ["Without s1.org and s2.org"]
    assert "None of its 2 sources turns it when left out alone." in found.sentence
    assert "Without s1.org and s2.org it would be Not Enough Evidence." in found.sentence
    assert "No two of them together do either." in stability(again(*(page(n) for n in range(4)))).sentence


def test_the_numbers_that_turn_it_are_the_nearest() -> None:
    found = stability(again(page(1, credibility=0.4), reading=lambda *_: Stance(0.93, 0.01, 0.05, 0.01)))
    turned = next(t for t in found.dials if t.change.decides is not None)
    assert turned.change.decides is not None
    sure = found.now.verdict.probability
    assert sure <= turned.change.decides <= sure + 0.05
    assert "If a verdict needed a probability of" in found.sentence


def test_the_number_of_trials_is_bounded_and_it_can_be_stopped() -> None:
    many = again(*(page(n, domain="" if n % 2 else f"d{n}.org", title=f"T{n}") for n in range(20)))
    assert stability(many).tried <= 1 + len(many.sources) + 45 + 90

    def stop() -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        stability(many, stop)
