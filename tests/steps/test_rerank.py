"""Step 3: what becomes evidence, in what order, and what the trace says about the rest."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from ghost.steps import RerankContext, RerankRules, rerank, select_evidence
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING, ScriptedReader, evidence, passage
from ghost.types import Candidate, DropCode, Evidence, Passage, Stance, Statement, Timing
from ghost.web import Notice, NoticeKind

S = Statement(1, "Honey does not spoil.")
RULES = RerankRules(keep=5, min_relevance=0.3, credibility_boost=0.3, max_per_domain=2)
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()
SAID = "The harbour bridge of Northport will be closed for good next week, a man who works there has told his cousin."


def run(
    passages: list[Passage],
    answer: Callable[[str, str], Stance] = lambda text, statement: SUPPORTING,
    rules: RerankRules = RULES,
    statement: Statement = S,
    **context: Any,
) -> Any:
    candidates = {1: [Candidate(p, n, 1 / (60 + n), context.pop("cosine", None)) for n, p in enumerate(passages, 1)]}
    reader = ScriptedReader(answer)
    return rerank([statement], candidates, reader, reader, rules, RerankContext(**context))


def page(n: int, **changes: Any) -> Passage:
    """A passage of a site of its own."""
    made = passage(" ".join(f"{w}{n}" for w in WORDS), f"p{n}", url=f"https://s{n}.org/a", domain=f"s{n}.org")
    return replace(made, **changes)


def at(n: int, text: str) -> Passage:
    return passage(text, f"c{n}", url=f"https://c{n}.example/a", domain=f"c{n}.example")


def kept(outcome: Any) -> list[str]:
    return [e.passage.id for e in outcome.value.evidence]


def reads(**stances: Stance) -> Callable[[str, str], Stance]:
    """The stance of texts that contain a word; others support."""
    return lambda text, _: next((stance for word, stance in stances.items() if word in text), SUPPORTING)


def test_off_topic_passages_are_dropped_with_the_reason() -> None:
    found = run([page(1), page(2)], reads(alpha2=OFF_TOPIC, alpha1=ON_TOPIC))
    assert kept(found) == ["p1"]
    assert [(d.passage_id, "below 0.30" in d.why) for d in found.value.dropped] == [("p2", True)]
    scorer = ScriptedReader(lambda *_: OFF_TOPIC)
    assert kept(rerank([S], {1: [Candidate(page(1), 1, 0.1)]}, ScriptedReader(reads()), scorer, RULES)) == []


def test_popularity_is_capped_and_credibility_decides_between_equals() -> None:
    (e,) = run([page(1, credibility=0.9, access_count=1000)]).value.evidence
    assert e.access_bonus == 0.04
    assert e.final == pytest.approx(e.relevance + 0.4 * 0.3 + 0.04)
    trusted, popular = page(1, credibility=0.95), page(2, credibility=0.3, access_count=99)
    assert kept(run([popular, trusted])) == ["p1", "p2"]
    weak = Stance(0.04, 0.03, 0.03, 0.9)
    assert kept(run([page(1, access_count=99), page(2)], reads(alpha1=weak)))[0] == "p2"


def test_a_side_or_a_rating_comes_before_what_is_only_on_topic() -> None:
    one = replace(RULES, keep=1)
    found = run([page(1), page(2)], reads(alpha2=REFUTING, alpha1=ON_TOPIC), one)
    assert kept(found) == ["p2"]
    first, second = found.outputs["candidates"]
    assert second["telling"] > first["telling"]
    assert kept(run([page(1), page(2), page(3)], rules=one)) == ["p1"]
    rating = at(9, "The claim that honey spoils is misleading.")
    assert kept(run([page(1), rating], lambda *_: ON_TOPIC, one)) == ["c9"]


def test_at_most_two_per_domain_or_document_and_five_in_all() -> None:
    found = run([page(n, domain="one.org", publisher=f"P{n}") for n in range(4)])
    assert len(kept(found)) == 2
    assert {d.why for d in found.value.dropped} == {"2 passages of one.org are already in"}
    many = run([page(n) for n in range(9)])
    assert (len(kept(many)), len(many.value.dropped)) == (5, 4)
    notes = [passage(f"note{n} about{n} honey{n}", f"n{n}", title="My notes") for n in range(3)]
    assert len(kept(run(notes))) == 2
    assert len(kept(run([replace(p, title=f"Memo {p.id}") for p in notes]))) == 3


def test_copies_are_one_origin_and_come_after_other_origins() -> None:
    copies = [at(n, SAID) for n in range(5)]
    found = run([*copies, page(1)])
    assert "p1" in kept(found)
    assert len({e.group for e in found.value.evidence}) == 2
    assert "2 independent origins" in found.decision
    found = run([at(1, SAID), at(2, SAID + " It is sad."), page(1)])
    why = {e.passage.id: e.kin for e in found.value.evidence}
    assert "c1.example" in why["c2"]
    assert why["c1"] == why["p1"] == ""


def test_a_passage_keeps_its_number_across_statements_and_rounds() -> None:
    reader = ScriptedReader(reads())
    statements = [S, Statement(2, "Honey is sweet.")]
    candidates = {1: [Candidate(page(1), 1, 0.1)], 2: [Candidate(page(2), 1, 0.1), Candidate(page(1), 2, 0.1)]}
    found = rerank(statements, candidates, reader, reader, RULES)
    assert [(e.statement, e.passage.id, e.number) for e in found.value.evidence] == [
        (1, "p1", 1), (2, "p2", 2), (2, "p1", 1),
    ]  # fmt: skip
    better = {1: [Candidate(page(3, credibility=0.99), 1, 0.1), Candidate(page(2), 2, 0.1)]}
    numbers = {e.passage.id: e.number for e in found.value.evidence}
    found = rerank([S], better, reader, reader, RULES, numbers=numbers)
    assert [(e.passage.id, e.number) for e in found.value.evidence] == [("p3", 3), ("p2", 2)]
    assert {r["passage_id"]: r["n"] for r in found.outputs["candidates"]} == {"p3": 3, "p2": 2}


# Places among the evidence.
TWO = RerankRules(keep=2, max_per_domain=5)


def weighed(number: int, stance: Stance, group: int, final: float = 1.0, nearness: float = 0.7) -> Evidence:
    return replace(evidence(number, f"text {number}", stance, group=group), final=final, nearness=nearness)


FIRST, AGAIN = weighed(1, SUPPORTING, 1), weighed(2, SUPPORTING, 1, 0.9)
FAR = weighed(3, ON_TOPIC, 2, 2.0, nearness=0.2)


@pytest.mark.parametrize(
    ("rows", "numbers", "dropped"),
    [
        ([FIRST, AGAIN, weighed(3, ON_TOPIC, 2, 0.4)], {1, 3}, [DropCode.ORIGIN]),
        ([FIRST, weighed(2, ON_TOPIC, 1, 0.9), weighed(3, ON_TOPIC, 2, 0.4)], {1, 3}, [DropCode.ORIGIN]),
        ([FIRST, AGAIN, FAR], {1, 2}, [DropCode.PLACES]),
        ([FIRST, FAR], {1, 3}, []),
        ([weighed(1, OFF_TOPIC, 1, nearness=0.2), weighed(2, SUPPORTING, 2, nearness=0.2), FAR], {2, 3}, None),
    ],
)
def test_each_origin_on_the_matter_has_its_turn(
    rows: list[Evidence], numbers: set[int], dropped: list[DropCode] | None
) -> None:
    chosen, left = select_evidence(rows, TWO)
    assert {e.number for e in chosen} == numbers
    assert dropped is None or [d.code for d in left] == dropped


def test_the_sentence_in_which_a_page_denies_itself_always_has_a_place() -> None:
    def of_page(number: int, stance: Stance, nearness: float = 0.8) -> Evidence:
        row = weighed(number, stance, 1, 1.0 - number / 10, nearness)
        return replace(row, passage=replace(row.passage, source_url="https://a.example/page", domain="a.example"))

    full = [of_page(1, SUPPORTING), of_page(2, SUPPORTING)]
    for rules in (RerankRules(keep=2), RerankRules(keep=5, max_per_domain=2)):
        assert {e.number for e in select_evidence([*full, of_page(3, REFUTING, 0.75)], rules)[0]} == {1, 2, 3}
        assert {e.number for e in select_evidence([*full, of_page(3, REFUTING, 0.5)], rules)[0]} == {1, 2}
    denials = [of_page(n, REFUTING, 0.75) for n in (3, 4)]
    assert len(select_evidence([*full, *denials], RerankRules(keep=2))[0]) == 3


# What is never evidence.
@pytest.mark.parametrize("known_by", ["its own passage", "its text"])
def test_the_page_the_claim_was_found_at_and_its_copies_never_count(known_by: str) -> None:
    own = [at(1, SAID)] if known_by == "its own passage" else []
    copies = [at(2, SAID.upper()), at(3, SAID + " Share this!"), at(4, f"Have you heard? {SAID}")]
    check = at(5, f"We rate this False: “{SAID}” Nothing of the kind is planned, said the council.")
    found_text = "" if own else f"Hello all. {SAID} Take care."
    found_at = "http://www.C1.example/a/?utm_source=x#top"
    found = run([*own, *copies, check, page(1)], reads(We=REFUTING), found_at=found_at, found_text=found_text)
    assert set(kept(found)) == {"c5", "p1"}
    assert {d.passage_id for d in found.value.dropped if "found at" in d.why} >= {"c2", "c3", "c4"}
    elsewhere = run([*own, *copies, check, page(1)], found_at="https://elsewhere.example/")
    assert {"c2", "c3"} & set(kept(elsewhere))


SHORT = "The Lingford bridge was closed on Monday."
REST = (
    "Nobody can cross the river now. Shops on the east bank have lost half of their customers since then, say three "
    "owners. The mayor has not answered our questions about the matter."
)
LONG = "The Lingford bridge was closed to all traffic on Monday 12 March because rust had eaten eleven of its cables."
DENIED = LONG.replace("was closed", "was not closed")
MILL = "The mill at Upper Hatton was sold to its neighbour, who is going to tear it down next year."
MARKET = "In the market hall forty sellers of cheese met on Saturday, and the best of them won a cow and a bell."
FIX = "Correction: that is not so."


@pytest.mark.parametrize(
    ("text", "stance", "found_text", "page_text", "dropped"),
    [
        (SHORT, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} {REST}", True),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} {REST.replace('half', 'most')}", True),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", REST, True),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", f"Good morning. {SHORT} {REST} {MILL}", True),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} Engineers had found that one of its bearings moves.", False),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", "", False),
        (MILL, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} {REST} {MILL} {MARKET}", False),
        (SHORT, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} {REST} {MILL} {MARKET}", True),
        (DENIED, REFUTING, f"{LONG} {REST}", "", False),
        (DENIED, SUPPORTING, f"{LONG} {REST}", "", True),
        (LONG, REFUTING, f"{LONG} {REST}", "", True),
        (DENIED, REFUTING, f"{REST} {DENIED} That is what {LONG}", "", True),
        (FIX, REFUTING, f"{SHORT} {REST}", f"{SHORT} {REST} {FIX}", False),
        (FIX, SUPPORTING, f"{SHORT} {REST}", f"{SHORT} {REST} {FIX}", True),
        (SHORT, REFUTING, f"{SHORT} {REST}", f"{SHORT} {REST} {FIX}", True),
    ],
    ids=[
        "copy", "edited", "excerpt", "among other words", "another page with the sentence", "by itself anyone says it",
        "text of its own beside a copy", "the copy beside it", "a denial", "a denial never supports",
        "the page refutes nothing either", "the same denial on the page", "a correction is heard",
        "but not as support", "nor what it corrects",
    ],
)  # fmt: skip
def test_copies_are_known_by_their_page_and_denials_are_heard(
    text: str, stance: Stance, found_text: str, page_text: str, dropped: bool
) -> None:
    pages = {"https://c1.example/a": page_text} if page_text else {}
    found = run([at(1, text)], lambda *_: stance, found_at="https://f.example/", found_text=found_text, pages=pages)
    assert kept(found) == ([] if dropped else ["c1"])


def test_a_retracted_page_supports_nothing_but_that_it_was_retracted() -> None:
    notice = Notice(NoticeKind.RETRACTION, "This paper has been retracted by its authors.")
    texts = ["Honey keeps for 3,000 years.", "The retraction concerns the age of the honey.", "Sealed honey keeps."]
    old = [replace(at(n, text), source_url="https://journal.org/a") for n, text in enumerate(texts, 1)]
    other = replace(at(9, "Honey that is kept dry keeps."), source_url="https://journal.org/b")
    rules, disowned = replace(RULES, max_per_domain=9), {"https://journal.org/a": (notice,)}
    outcome = run([*old, other], reads(retraction=ON_TOPIC), rules, disowned=disowned)
    assert set(kept(outcome)) == {"c2", "c9"}
    why = "the page says that it was retracted"
    assert {(d.code, d.why) for d in outcome.value.dropped} == {(DropCode.RETRACTED, why)}
    assert f"2 counted no more, because {why}." in outcome.reason
    assert len(kept(run([*old, other], rules=rules))) == 4
    withdrawn = [replace(old[0], text="The authors withdraw their finding that honey does not spoil.")]
    assert kept(run(withdrawn, disowned=disowned)) == []
    assert kept(run(withdrawn, lambda *_: REFUTING, disowned=disowned)) == ["c1"]
    about = Statement(1, "A paper on honey was retracted.")
    assert kept(run(withdrawn, statement=about, disowned=disowned)) == ["c1"]


@pytest.mark.parametrize(
    ("title", "url", "why"),
    [
        ("RETRACTED: Honey and its age", "https://journal.org/a", "the page says that it was retracted"),
        ("Honey and its age [Satire]", "https://journal.org/a", "the page says that it is satire"),
        ("Expression of concern: Honey", "https://journal.org/a", "has expressed concern about it"),
        ("Honey and its age", "https://www.theonion.com/honey", "its site publishes satire"),
        ("Journal retracts study on honey", "https://news.org/a", ""),
        ("Satire: a short history", "https://news.org/a", ""),
        ("Retracted studies are still cited", "https://news.org/a", ""),
    ],
)
def test_a_title_or_a_site_can_disown_a_passage(title: str, url: str, why: str) -> None:
    outcome = run([replace(at(1, "Honey keeps for 3,000 years."), title=title, source_url=url)])
    assert kept(outcome) == ([] if why else ["c1"])
    assert why in outcome.reason
    assert not why or why in outcome.value.dropped[0].why


def test_dates_take_weight_away_and_the_step_says_so() -> None:
    mayor = Statement(1, "Ann Holt is the mayor of Northport.")
    old, new = page(1, published_at=date(2015, 1, 1)), page(2, published_at=date(2026, 1, 1))
    found = run([old, new, page(3)], reads(alpha2=REFUTING), statement=mayor, today=date(2026, 6, 1))
    timing = {e.passage.id: e.timing for e in found.value.evidence}
    assert timing == {"p1": Timing.OUTDATED, "p2": Timing.FINE, "p3": Timing.UNDATED}
    assert "1 passage is older than what contradicts it" in found.reason
    as_of = run([old, new, page(3)], as_of=date(2026, 6, 1))
    assert {e.passage.id for e in as_of.value.evidence if e.timing is Timing.UNDATED} == {"p3"}
    late = run([replace(old, as_late_as=date(2020, 1, 1)), page(3)], as_of=date(2016, 1, 1))
    assert {e.timing for e in late.value.evidence} == {Timing.UNDATED}
    assert "1 passage may be from after the as-of day, which counts less here." in late.reason
    assert "1 passage is without a date, which counts less here." in late.reason


# What the trace keeps of the candidates.
def table(*passages: Passage, rules: RerankRules = RULES, **context: Any) -> list[dict[str, Any]]:
    candidates = {1: [Candidate(p, n, 1 / (60 + n), 0.7 - n / 100, 3.5) for n, p in enumerate(passages, 1)]}
    reader = ScriptedReader(lambda text, _: OFF_TOPIC if "alpha9 " in text else SUPPORTING)
    found = rerank([S], candidates, reader, reader, rules, RerankContext(**context))
    return json.loads(json.dumps(found.outputs["candidates"]))


def test_a_dropped_candidate_says_why_and_keeps_its_numbers() -> None:
    rows = {r["passage_id"]: r for r in table(page(1), page(9), page(2, domain="s1.org"), page(3, domain="s1.org"))}
    assert {i: r["code"] for i, r in rows.items()} == {"p1": "", "p2": "", "p3": "domain", "p9": "relevance"}
    assert rows["p9"]["why"].endswith("is below 0.30")
    assert (rows["p9"]["origin"], rows["p3"]["origin"], rows["p1"]["origin"], rows["p3"]["n"]) == (None, 1, 1, None)
    assert table(page(1), found_at="https://s1.org/a")[0]["code"] == "found_page"
    rows_ = table(page(1), page(2, domain="s9.org"), page(3, domain="s9.org"), rules=replace(RULES, keep=2))
    assert [r["code"] for r in rows_] == ["", "", "origin"]
    assert "places" in {r["code"] for r in table(*(page(n) for n in range(10, 18)))}


def test_the_table_is_bounded_and_never_loses_evidence() -> None:
    many = [page(n) for n in range(100, 160)] + [page(n, indexed_at=None) for n in range(200, 260)]
    rows = table(*many, page(300, indexed_at=None, snippet=True))
    assert Counter(r["found_in"] for r in rows) == {"knowledge base": 20, "page read": 40}
    assert sum(r["kept"] for r in rows) == 5
    assert max(len(json.dumps(r)) for r in rows) < 700
    assert table(page(1, indexed_at=None, snippet=True))[0]["found_in"] == "search snippet"
