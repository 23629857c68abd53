"""Step 3: what becomes evidence, in what order, and what is said of the rest."""

from dataclasses import replace
from datetime import date

import pytest

from ghost.steps import RerankContext, RerankRules, rerank
from ghost.steps.rerank.step import ACCESS_CAP
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, passage
from ghost.types import Candidate, DropCode, Passage, Stance, Statement, Timing
from ghost.web import Notice, NoticeKind

S = Statement(1, "Honey does not spoil.")
RULES = RerankRules(keep=5, min_relevance=0.3, credibility_boost=0.3, max_per_domain=2)


def run(passages: list[Passage], answer=lambda text, statement: SUPPORTING, rules: RerankRules = RULES, **kwargs):
    candidates = {1: [Candidate(p, rank, 1 / (60 + rank)) for rank, p in enumerate(passages, 1)]}
    reader = ScriptedReader(answer)
    return rerank([S], candidates, reader, reader, rules, RerankContext(**kwargs))


def page(n: int, **kwargs: object) -> Passage:
    words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"]
    return passage(" ".join(f"{w}{n}" for w in words), f"p{n}", url=f"https://s{n}.org/a", domain=f"s{n}.org", **kwargs)


def test_nothing_in_nothing_out() -> None:
    found = run([])
    assert found.value.evidence == ()
    assert "no candidates" in found.reason


def test_off_topic_passages_are_dropped_with_the_reason() -> None:
    found = run([page(1), page(2)], lambda text, _: OFF_TOPIC if "alpha2" in text else ON_TOPIC)
    assert [e.passage.id for e in found.value.evidence] == ["p1"]
    assert found.value.dropped[0].passage_id == "p2"
    assert "below 0.30" in found.value.dropped[0].why


def test_final_is_relevance_plus_credibility_plus_a_capped_bonus() -> None:
    popular = page(1, credibility=0.9, access_count=1000)
    e = run([popular]).value.evidence[0]
    assert e.access_bonus == ACCESS_CAP
    assert e.final == pytest.approx(e.relevance + 0.4 * 0.3 + ACCESS_CAP)


def test_credibility_decides_between_equals_and_popularity_cannot_outweigh_relevance() -> None:
    trusted, popular = page(1, credibility=0.95), page(2, credibility=0.3, access_count=99)
    assert [e.passage.id for e in run([popular, trusted]).value.evidence] == ["p1", "p2"]
    weak = Stance(0.04, 0.03, 0.03, 0.9)
    found = run([page(1, access_count=99), page(2)], lambda text, _: weak if "alpha1" in text else SUPPORTING)
    assert found.value.evidence[0].passage.id == "p2"


def test_places_go_to_what_tells_and_the_first_stage_decides_between_equals() -> None:
    headline, sentence, other = page(1), page(2), page(3)
    one = replace(RULES, keep=1)
    found = run([headline, sentence], lambda text, _: REFUTING if "alpha2" in text else ON_TOPIC, one)
    assert [e.passage.id for e in found.value.evidence] == ["p2"]
    assert [e.passage.id for e in run([headline, sentence, other], rules=one).value.evidence] == ["p1"]
    rows = found.outputs["candidates"]
    assert rows[1]["telling"] > rows[0]["telling"], "the trace tells it"


def test_a_rating_tells_as_much_as_a_side() -> None:
    rated = passage("The claim that honey spoils is misleading.", "r", url="https://check.org/a", domain="check.org")
    found = run([page(1), rated], lambda text, _: ON_TOPIC, replace(RULES, keep=1))
    assert [e.passage.id for e in found.value.evidence] == ["r"]


def test_at_most_two_per_domain_and_five_in_all() -> None:
    same = [passage(f"word{n} other{n} thing{n}", f"d{n}", domain="one.org", publisher=f"P{n}") for n in range(4)]
    found = run(same)
    assert len(found.value.evidence) == 2
    assert {d.why for d in found.value.dropped} == {"2 passages of one.org are already in"}
    many = run([page(n) for n in range(9)])
    assert len(many.value.evidence) == 5
    assert len(many.value.dropped) == 4


def test_passages_without_a_domain_count_per_document() -> None:
    notes = [passage(f"note{n} about{n} honey{n}", f"n{n}", title="My notes") for n in range(3)]
    others = [passage(f"memo{n} about{n} sugar{n}", f"m{n}", title=f"Memo {n}") for n in range(3)]
    assert len(run(notes).value.evidence) == 2
    assert len(run(others).value.evidence) == 3


def test_copies_of_one_text_are_one_origin_and_come_after_other_origins() -> None:
    wire = "The agency reported on Monday that the bridge had been closed after the storm damaged two of its piers."
    copies = [passage(wire, f"w{n}", domain=f"site{n}.com") for n in range(5)]
    found = run([*copies, page(1)])
    kept = found.value.evidence
    assert "p1" in [e.passage.id for e in kept]
    assert len({e.group for e in kept}) == 2
    assert "2 independent origins" in found.decision


def test_the_page_the_claim_was_found_at_never_counts() -> None:
    found = run([page(1), page(2)], found_at="http://www.S1.org/a/?utm=1#top")
    assert [e.passage.id for e in found.value.evidence] == ["p2"]
    assert "found at" in found.value.dropped[0].why


def test_another_page_of_the_same_script_does_count() -> None:
    one, two = (passage(f"video{n} shows honey{n}", f"v{n}", url=f"https://tube.org/watch?v={n}") for n in (1, 2))
    found = run([one, two], found_at="https://tube.org/watch?v=1&utm_source=x")
    assert [e.passage.id for e in found.value.evidence] == ["v2"]


def test_a_passage_has_one_number_across_statements() -> None:
    shared, other = page(1), page(2)
    statements = [S, Statement(2, "Honey is sweet.")]
    candidates = {1: [Candidate(shared, 1, 0.1)], 2: [Candidate(other, 1, 0.1), Candidate(shared, 2, 0.1)]}
    reader = ScriptedReader(lambda text, statement: SUPPORTING)
    kept = rerank(statements, candidates, reader, reader, RULES).value.evidence
    assert {(e.statement, e.passage.id): e.number for e in kept} == {(1, "p1"): 1, (2, "p1"): 1, (2, "p2"): 2}


def test_a_separate_relevance_model_decides_what_is_relevant() -> None:
    reader = ScriptedReader(lambda text, statement: SUPPORTING)
    scorer = ScriptedReader(lambda text, statement: OFF_TOPIC)
    found = rerank([S], {1: [Candidate(page(1), 1, 0.1)]}, reader, scorer, RULES)
    assert found.value.evidence == ()


SAID = "The harbour bridge of Northport will be closed for good next week, a man who works there has told his cousin."


def at(n: int, text: str) -> Passage:
    return passage(text, f"c{n}", url=f"https://c{n}.example/a", domain=f"c{n}.example")


@pytest.mark.parametrize("known_by", ["its own passage", "its text"])
def test_copies_of_the_page_the_claim_was_found_at_never_count(known_by: str) -> None:
    found_at, own = "https://c1.example/a", [at(1, SAID)]
    copies = [at(2, SAID.upper()), at(3, SAID + " Share this!"), at(4, f"Have you heard? {SAID}")]
    check = at(5, f"We rate this False: “{SAID}” Nothing of the kind is planned, said the council.")
    passages = [*(own if known_by == "its own passage" else []), *copies, check, page(1)]
    text = "" if known_by == "its own passage" else f"Hello all. {SAID} Take care."
    found = run(
        passages, lambda text, _: REFUTING if "rate this" in text else SUPPORTING, found_at=found_at, found_text=text
    )
    assert {e.passage.id for e in found.value.evidence} == {"c5", "p1"}
    assert {d.passage_id for d in found.value.dropped if "found at" in d.why} >= {"c2", "c3", "c4"}
    without = run(passages, found_at="https://elsewhere.example/")
    assert {"c2", "c3"} & {e.passage.id for e in without.value.evidence}


def test_evidence_of_one_origin_says_why() -> None:
    found = run([at(1, SAID), at(2, SAID + " It is sad."), page(1)])
    kin = {e.passage.id: e.kin for e in found.value.evidence}
    assert "c1.example" in kin["c2"]
    assert kin["c1"] == kin["p1"] == ""


def test_dates_take_weight_away_and_the_step_says_so() -> None:
    mayor = Statement(1, "Ann Holt is the mayor of Northport.")
    old = replace(page(1), published_at=date(2015, 1, 1))
    new = replace(page(2), published_at=date(2026, 1, 1))
    reader = ScriptedReader(lambda text, _: REFUTING if "alpha2" in text else SUPPORTING)
    candidates = {1: [Candidate(old, 1, 0.1), Candidate(new, 2, 0.1), Candidate(page(3), 3, 0.1)]}
    found = rerank([mayor], candidates, reader, reader, RULES, RerankContext(today=date(2026, 6, 1)))
    assert {e.passage.id: e.timing for e in found.value.evidence} == {
        "p1": Timing.OUTDATED, "p2": Timing.FINE, "p3": Timing.UNDATED,
    }  # fmt: skip
    assert "1 passage is older than what contradicts it" in found.reason
    as_of = rerank([S], candidates, reader, reader, RULES, RerankContext(as_of=date(2026, 6, 1)))
    assert {e.passage.id for e in as_of.value.evidence if e.timing is Timing.UNDATED} == {"p3"}
    changed = {1: [Candidate(replace(old, as_late_as=date(2020, 1, 1)), 1, 0.1), Candidate(page(3), 3, 0.1)]}
    late = rerank([S], changed, reader, reader, RULES, RerankContext(as_of=date(2016, 1, 1)))
    assert {e.timing for e in late.value.evidence} == {Timing.UNDATED}
    assert "1 passage may be from after the as-of day, which counts less here." in late.reason
    assert "1 passage is without a date, which counts less here." in late.reason


def test_what_was_kept_of_a_page_before_its_retraction_counts_no_more() -> None:
    notice = "This paper has been retracted by its authors."
    texts = ["Honey keeps for 3,000 years.", "The retraction concerns the age of the honey.", "Sealed honey keeps."]
    old = [replace(at(n, text), source_url="https://journal.org/a") for n, text in enumerate(texts, 1)]
    other = replace(at(9, "Honey that is kept dry keeps."), source_url="https://journal.org/b")
    outcome = run(
        [*old, other],
        lambda text, _: ON_TOPIC if "retraction" in text else SUPPORTING,
        disowned={"https://journal.org/a": (Notice(NoticeKind.RETRACTION, notice),)},
        rules=replace(RULES, max_per_domain=9),
    )
    assert {e.passage.id for e in outcome.value.evidence} == {old[1].id, other.id}
    assert {(d.code, d.why) for d in outcome.value.dropped} == {
        (DropCode.RETRACTED, "the page says that it was retracted")
    }
    assert "2 counted no more, because the page says that it was retracted." in outcome.reason
    assert len(run([*old, other], rules=replace(RULES, max_per_domain=9)).value.evidence) == 4


def test_a_retracted_page_supports_nothing_but_that_it_was_retracted() -> None:
    notice = Notice(NoticeKind.RETRACTION, "This paper has been retracted by its authors.")
    text = "The authors withdraw their finding that honey does not spoil."
    withdrawn = replace(at(1, text), source_url="https://journal.org/a")
    disowned = {"https://journal.org/a": (notice,)}
    assert run([withdrawn], disowned=disowned).value.evidence == ()
    assert run([withdrawn], lambda *_: REFUTING, disowned=disowned).value.evidence
    about = Statement(1, "A paper on honey was retracted.")
    reader = ScriptedReader(lambda *_: SUPPORTING)
    found = rerank(
        [about], {1: [Candidate(withdrawn, 1, 0.1)]}, reader, reader, RULES, RerankContext(disowned=disowned)
    )
    assert [e.passage.id for e in found.value.evidence] == [withdrawn.id]


@pytest.mark.parametrize(
    ("title", "url", "why"),
    [
        ("RETRACTED: Honey and its age", "https://journal.org/a", "the page says that it was retracted"),
        ("Honey and its age [Satire]", "https://journal.org/a", "the page says that it is satire"),
        ("Expression of concern: Honey", "https://journal.org/a", "has expressed concern about it"),
        ("Honey and its age", "https://www.theonion.com/honey", "its site publishes satire"),
    ],
)
def test_what_its_title_or_its_site_disowns_is_no_evidence_though_its_page_was_not_read(
    title: str, url: str, why: str
) -> None:
    outcome = run([replace(at(1, "Honey keeps for 3,000 years."), title=title, source_url=url)])
    assert outcome.value.evidence == ()
    assert why in outcome.value.dropped[0].why
    assert why in outcome.reason
    news = at(2, "Honey keeps for 3,000 years.")
    for other in ("Journal retracts study on honey", "Satire: a short history", "Retracted studies are still cited"):
        assert run([replace(news, title=other)]).value.evidence
