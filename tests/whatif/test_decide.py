"""The decision made again with something changed."""

import json
from dataclasses import asdict, replace
from datetime import date

from ghost.judges import shipped
from ghost.pipelines import Change, Kept, decide, kept, wanted, weighed_again
from ghost.pipelines.what_if.decide import NOTHING
from ghost.steps import RerankRules
from ghost.testing import OFF_TOPIC
from ghost.types import Label, Run, RunStatus, Stance, Timing
from tests.whatif.runs import made, page, stance

FAINT = Stance(0.1, 0.1, 0.45, 0.35)
"""On the topic, by a hair."""


def numbers(found: Kept, change: Change = NOTHING) -> list[str]:
    return [e.passage.id for e in decide(found, change).evidence]


def without(source: str) -> Change:
    return Change(without_sources=frozenset({source}))


def test_nothing_changed_is_the_run_itself() -> None:
    run = made([page(1), page(2, "no"), page(3, "off")])
    found = decide(kept(run))
    assert found.evidence == run.evidence
    assert found.returned == ()


def test_a_source_left_out_takes_its_word_with_it() -> None:
    found = kept(made([page(1), page(2, "so")]))
    assert decide(found).label is Label.TRUE
    assert decide(found, without("s1.org")).label is Label.NOT_ENOUGH_EVIDENCE
    assert decide(found, Change(without_passages=frozenset({"p1"}))).label is Label.NOT_ENOUGH_EVIDENCE
    assert decide(found, without("elsewhere.org")).label is Label.TRUE


def test_without_any_source_nothing_is_decided() -> None:
    found = decide(kept(made([page(1)])), without("s1.org"))
    assert (found.label, found.evidence, found.confidence) == (Label.NOT_ENOUGH_EVIDENCE, (), None)


def test_the_next_candidate_takes_the_free_place() -> None:
    run = made([page(1), page(2), page(3)], rules=RerankRules(keep=2))
    assert wanted(run) == ("p3",)
    back = kept(run, [page(3)])
    assert numbers(back) == ["p1", "p2"]
    found = decide(back, without("s1.org"))
    assert [e.passage.id for e in found.evidence] == ["p2", "p3"]
    assert [(e.passage.id, e.number) for e in found.returned] == [("p3", 3)]
    assert back.gone == 0


def test_what_was_only_screened_gets_no_place_but_one_that_the_change_has_freed() -> None:
    run = made([page(1), page(2), page(3)], rules=RerankRules(read=2, keep=2))
    back = kept(run, [page(3)])
    assert [p.read for p in back.pieces] == [True, True, False]
    assert numbers(back, Change(boost=back.rules.credibility_boost)) == ["p1", "p2"]
    assert numbers(back, Change(boost=1.0)) == ["p1", "p2"]
    assert numbers(back, without("s1.org")) == ["p2", "p3"]
    assert numbers(back, Change(without_sources=frozenset({"s1.org", "s2.org"}))) == ["p3"]


def test_what_has_no_text_any_more_or_another_one_does_not_come_back() -> None:
    run = made([page(1), page(2), page(3)], rules=RerankRules(keep=2))
    assert (kept(run).gone, numbers(kept(run), without("s1.org"))) == (1, ["p2"])
    edited = kept(run, [replace(page(3), text="Quite another text.")])
    assert (edited.gone, numbers(edited, without("s1.org"))) == (1, ["p2"])


def test_the_page_the_claim_was_found_at_never_comes_back() -> None:
    run = made([page(1), page(2)], found_at="https://s2.org/a")
    assert wanted(run) == ()
    assert numbers(kept(run, [page(2)]), Change(min_relevance=0.0)) == ["p1"]


def test_a_lower_threshold_lets_in_what_was_too_far() -> None:
    def reading(text: str, statement: str) -> Stance:
        return FAINT if text.startswith("faint") else stance(text, statement)

    run = made([page(1), page(2, "faint")], rules=RerankRules(min_relevance=0.99), reading=reading)
    found = kept(run, [page(2, "faint")])
    assert numbers(found) == ["p1"]
    assert numbers(found, Change(min_relevance=0.0)) == ["p1", "p2"]
    assert numbers(kept(made([page(1), page(2, "faint")], reading=reading)), Change(min_relevance=0.99)) == ["p1"]


def test_what_is_off_topic_never_comes_back() -> None:
    run = made([page(1), page(2, "off")])
    found = kept(run, [page(2, "off")])
    assert wanted(run) == ()
    assert numbers(found, Change(min_relevance=0.0)) == ["p1"]


def test_what_an_older_run_kept_though_off_topic_does_not_count() -> None:
    run = made([page(1), page(2)])
    older = replace(run, evidence=(run.evidence[0], replace(run.evidence[1], stance=OFF_TOPIC)))
    assert numbers(kept(older)) == ["p1"]
    assert decide(kept(older), without("s1.org")).evidence == ()


def test_no_verdict_is_given_below_the_bound_for_the_sake_of_argument() -> None:
    hunch = Stance(0.5, 0.05, 0.42, 0.03)
    run = made([page(1)], reading=lambda *_: hunch)
    found = kept(replace(run, settings={"odds": json.loads(json.dumps(asdict(shipped().odds)))}))
    assert decide(found).label is Label.NOT_ENOUGH_EVIDENCE
    assert decide(found, Change(decides=0.05)).label is Label.NOT_ENOUGH_EVIDENCE


def test_a_run_is_decided_again_by_its_own_odds() -> None:
    run = made([page(1)])
    strict = replace(shipped().odds, bound=0.99)
    stored = json.loads(json.dumps(asdict(strict)))
    assert decide(kept(run)).label is Label.TRUE
    assert decide(kept(replace(run, settings={"odds": stored}))).label is Label.NOT_ENOUGH_EVIDENCE
    assert kept(replace(run, settings={"odds": {"bias": "broken"}})).odds is None


def test_credibility_in_the_choice_changes_who_gets_a_place() -> None:
    passages = [page(1, credibility=0.4), page(2, credibility=0.95)]
    run = made(passages, rules=RerankRules(keep=1, credibility_boost=0.0))
    found = kept(run, passages)
    assert numbers(found) == ["p1"]
    assert numbers(found, Change(boost=1.0)) == ["p2"]


def test_credibility_in_the_decision_and_the_needed_probability() -> None:
    hunch = Stance(0.62, 0.05, 0.3, 0.03)
    found = kept(made([page(1, credibility=0.95)], reading=lambda *_: hunch))
    sure = decide(found, Change(standing=4.0)).confidence
    assert decide(found, Change(standing=0.0)).confidence != sure
    assert decide(kept(made([page(1)])), Change(decides=0.99)).label is Label.NOT_ENOUGH_EVIDENCE


def test_what_was_outdated_counts_again_without_the_newer_source() -> None:
    claim = "Ann Holt is the mayor of Northport."
    old = page(1, published_at=date(2025, 1, 1))
    new = page(2, "no", published_at=date(2026, 2, 1))
    run = made([old, new], claim)
    found = kept(run)
    assert [e.timing for e in decide(found).evidence] == [Timing.OUTDATED, Timing.FINE]
    assert [e.timing for e in decide(found, without("s2.org")).evidence] == [Timing.FINE]


def test_copies_stay_one_origin_and_a_returning_copy_joins_them() -> None:
    text = "yes the agency reported on Monday that the bridge had been closed after the storm damaged two of its piers"
    copies = [page(n, text=text) for n in (1, 2, 3)]
    run = made(copies, rules=RerankRules(keep=2))
    found = decide(kept(run, copies), without("s1.org"))
    assert [e.passage.id for e in found.evidence] == ["p2", "p3"]
    assert len({e.group for e in found.evidence}) == 1


def test_a_run_of_an_older_ghost_is_decided_on_its_evidence_alone() -> None:
    run = made([page(1), page(2, "no"), page(3)])
    step = replace(run.steps[0], outputs={"evidence": [], "dropped": []})
    older = kept(replace(run, steps=(step,)), [page(3)])
    assert not older.told
    assert decide(older).evidence == run.evidence
    assert numbers(older, without("s1.org")) == ["p2", "p3"]


def test_the_numbers_are_those_of_the_run() -> None:
    rules = RerankRules(keep=2, min_relevance=0.2, credibility_boost=0.1, max_per_domain=1)
    assert kept(made([page(1)], rules=rules)).rules == rules
    run = replace(made([page(1)]), steps=(), settings={"top_k_rerank": 3, "credibility_boost": "broken"})
    assert kept(run).rules == RerankRules(keep=3)


def test_where_there_is_nothing_to_decide_again() -> None:
    run = made([page(1)])
    assert weighed_again(run)
    assert not weighed_again(replace(run, status=RunStatus.RUNNING))
    assert not weighed_again(replace(run, classification=None))
    empty: Run = made([])
    assert decide(kept(empty)).label is Label.NOT_ENOUGH_EVIDENCE
