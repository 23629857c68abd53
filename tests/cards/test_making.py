"""Which runs become cards, and what the cards say."""

import json
import shutil
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from ghost.cards import expires, holds_for, refusal
from ghost.errors import ClaimError, StoreError
from ghost.types import (
    CardOrigin,
    CardState,
    Category,
    Claim,
    ClaimType,
    ErrorKind,
    Label,
    Reason,
    ReasonCode,
    RunStatus,
    StanceLabel,
)
from tests.cards.bench import AT, CLAIM, DENIAL, IN_A_FOLDER, SECOND, Bench, opened

EXPIRY = [
    json.loads(line) for line in (PROJECT / "tests/data/card_expiry.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_a_decided_run_becomes_a_card_that_says_what_it_said(cards_bench: Bench) -> None:
    run = cards_bench.run()
    card = cards_bench.cards.from_run(run)
    assert card is not None
    assert (card.claim, card.label, card.confidence, card.origin) == (CLAIM, Label.FALSE, 0.95, CardOrigin.RUN)
    assert card.answer == f"[1] A passage entered by hand from nhs.uk reads “{DENIAL.rstrip('.')}”."
    (cited,) = card.citations
    assert (cited.quote, cited.stance, cited.title) == (DENIAL, StanceLabel.REFUTES, "A page")
    assert (card.run_id, card.checked_at, card.category) == (run.id, AT, Category.MEDICAL)
    assert card.expires_at == AT + timedelta(days=30)
    assert not card.reviewed
    assert card.limitations == "Only the knowledge base was searched."
    assert "supports the claim" in card.would_change
    assert cards_bench.cards.store.of_run(run.id) == card
    assert [(c.action, c.who, c.note) for c in cards_bench.cards.history(card.id)] == [
        ("made", "ghost", f"check {run.id}")
    ]


def test_what_a_person_stands_behind_holds_longer_than_what_nobody_has_reviewed(cards_bench: Bench) -> None:
    card, cards = cards_bench.cards.from_run(cards_bench.run()), cards_bench.cards
    assert card is not None
    assert card.expires_at == AT + timedelta(days=30)
    for change in (cards.approve, lambda card_id: cards.edit(card_id, answer="No, they do not [1].")):
        changed = change(card.id)
        assert changed.reviewed
        assert changed.expires_at
        assert changed.expires_at >= AT + timedelta(days=365)
        cards.undo(cards.history(card.id)[0].id)
        assert cards.get(card.id) == card


def test_the_answer_has_at_most_three_sentences_and_says_what_limits_it(cards_bench: Bench) -> None:
    told = "[1] One says “No. Never.”, it says. It is so [1]. A third one [1]. A fourth one [1]."
    reason = Reason(ReasonCode.TOO_OLD, "The sources are old.", "A newer one would help.")
    run = cards_bench.run(Claim(CLAIM, as_of=date(2020, 1, 1)), explanation=told, contested=True, reasons=(reason,))
    assert run.classification
    mixed = replace(run, classification=replace(run.classification, type=ClaimType.MIXED), settings={"searched": ["x"]})
    card = cards_bench.cards.from_run(mixed)
    assert card is not None
    assert card.answer == "[1] One says “No. Never.”, it says. It is so [1]. A third one [1]."
    assert card.limitations == (
        "Sources disagree. Only what can be checked in it was checked. "
        "Sources published after 2020-01-01 were left out. The sources are old."
    )
    assert card.would_change.endswith("A newer one would help.")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "failed": ({"status": RunStatus.FAILED}, "no verdict"),
    "open": ({"label": Label.NOT_ENOUGH_EVIDENCE, "confidence": None}, "decides nothing"),
    "no claim": ({"label": Label.NOT_VERIFIABLE, "confidence": None}, "decides nothing"),
    "not cited": ({"citations": ()}, "no accepted citation"),
    "sites": ({"settings": {"allowed_here": ["nhs.uk"]}}, "sites were left out"),
    "not these sites": ({"settings": {"denied_here": ["nhs.uk"]}}, "sites were left out"),
    "context": ({"claim": Claim(CLAIM, context="He said so.")}, "needs its context"),
    "statements": ({"claim": Claim(CLAIM, statements=("Something else.",))}, "other statements"),
}


@IN_A_FOLDER
@pytest.mark.parametrize("name", REFUSED)
def test_a_run_that_does_not_speak_for_the_claim_as_it_stands_becomes_none(name: str, cards_bench: Bench) -> None:
    changes, why = REFUSED[name]
    run = cards_bench.run(**changes)
    assert why in refusal(run)
    assert cards_bench.cards.from_run(run) is None
    assert cards_bench.cards.count() == 0


def test_a_citation_of_another_stance_or_a_refused_one_carries_nothing(cards_bench: Bench) -> None:
    run = cards_bench.run()
    assert run.verdict
    (cited,) = run.verdict.citations
    for wrong in (replace(cited, stance=StanceLabel.NEUTRAL), replace(cited, accepted=False)):
        assert cards_bench.cards.from_run(replace(run, verdict=replace(run.verdict, citations=(wrong,)))) is None


def test_a_run_whose_sources_are_gone_or_were_changed_meanwhile_becomes_none(cards_bench: Bench) -> None:
    run = cards_bench.run(passages=[cards_bench.add(), cards_bench.add(SECOND, "https://en.wikipedia.org/wiki/V")])
    change = cards_bench.knowledge.curation.retire([run.evidence[1].passage.id])
    assert cards_bench.cards.from_run(run) is None
    assert change
    cards_bench.knowledge.curation.undo(change.id)
    assert cards_bench.cards.from_run(run) is not None
    unread = tuple(replace(e, passage=replace(e.passage, id=f"p_{e.number}", snippet=True)) for e in run.evidence)
    assert run.verdict
    cited = tuple(replace(c, passage_id=f"p_{c.n}") for c in run.verdict.citations)
    other = replace(run, claim=Claim("Other"), evidence=unread, verdict=replace(run.verdict, citations=cited))
    assert cards_bench.cards.from_run(other) is None  # nobody could see them change


def test_a_failure_never_reaches_the_run(cards_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    run = cards_bench.run()
    for error in (StoreError("The disk is full."), ZeroDivisionError("a bug")):

        def fail(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(cards_bench.cards.store, "add", fail)
        assert cards_bench.cards.from_run(run) is None


def test_one_claim_has_one_card_which_the_newer_check_replaces(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    first = cards.from_run(cards_bench.run())
    again = cards.from_run(cards_bench.run("  vaccines CAUSE autism. "))
    assert first is not None
    assert again is not None
    assert (again.id, cards.count()) == (first.id, 1)
    change = cards.history(first.id)[0]
    assert (change.action, change.before["run_id"], change.after["run_id"]) == ("replaced", first.run_id, again.run_id)
    assert cards.undo(change.id) == first
    # As of a day it is another claim, and found by whoever asks as of that day only.
    dated = cards.from_run(cards_bench.run(Claim(CLAIM, as_of=date(2020, 1, 1))))
    assert dated is not None
    assert [f.card.id for f in cards.search(CLAIM)] == [first.id]
    assert [f.card.id for f in cards.search(CLAIM, as_of=date(2020, 1, 1))] == [dated.id]
    assert cards.search(CLAIM, as_of=date(2020, 1, 2)) == []


def test_what_an_analyst_approved_or_retired_is_not_replaced_by_a_check(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    passage = cards_bench.add()
    card = cards.from_run(cards_bench.run(passages=[passage]))
    assert card is not None
    edited = cards.edit(card.id, answer="No, they do not [1].")
    assert cards.from_run(cards_bench.run(passages=[passage])) == edited
    cards.expire(card.id)
    renewed = cards.from_run(cards_bench.run(passages=[passage]))
    assert renewed is not None
    assert (renewed.id, renewed.answer == edited.answer, renewed.approved_at) == (card.id, False, None)
    cards.retire(card.id)
    assert cards.from_run(cards_bench.run(passages=[passage])) is None
    assert cards.get(card.id) == replace(renewed, retired=True)


def test_an_analyst_makes_a_card_of_what_would_be_none(cards_bench: Bench) -> None:
    narrowed = cards_bench.run(Claim("They cause it", context="About vaccines and autism."))
    card = cards_bench.cards.approve_run(narrowed.id, claim=CLAIM)
    assert (card.claim, card.label, card.approved_at is not None) == (CLAIM, Label.FALSE, True)
    assert card.category is Category.MEDICAL


def test_the_analysts_own_verdict_gives_the_label_and_the_answer_agrees(cards_bench: Bench) -> None:
    cards, reviews = cards_bench.cards, cards_bench.reviews
    run = cards_bench.run()
    reviews.override(run.id, Label.TRUE, "The claim is true. All of my sources say so.")
    card = cards.approve_run(run.id)
    assert (card.label, card.confidence, card.citations) == (Label.TRUE, None, ())
    assert card.answer == "The claim is true. All of my sources say so."
    assert card.stale == ""
    reviews.override(run.id, Label.FALSE, "The claim is true.")  # a slip
    card = cards.approve_run(run.id)
    assert (card.label, card.confidence) == (Label.FALSE, 0.95)
    assert card.answer == f"[1] A passage entered by hand from nhs.uk reads “{DENIAL.rstrip('.')}”."
    reviews.override(run.id, Label.MISLEADING, "The sources leave out what matters.")
    assert cards.approve_run(run.id).answer == "The sources leave out what matters."


def test_a_judge_that_argues_against_its_own_label_is_answered_by_its_sources(cards_bench: Bench) -> None:
    card = cards_bench.cards.from_run(cards_bench.run(explanation="So the claim is true [1]."))
    assert card is not None
    assert card.answer == f"[1] A passage entered by hand from nhs.uk reads “{DENIAL.rstrip('.')}”."


def test_no_card_says_another_thing_than_its_label(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    run = cards_bench.run()
    with pytest.raises(ClaimError, match="says the opposite of “False”"):
        cards.approve_run(run.id, answer="Yes, the claim is true.")
    card = cards.from_run(run)
    assert card is not None
    with pytest.raises(ClaimError, match="says the opposite"):
        cards.edit(card.id, answer="As we know, the claim is true.")
    assert cards.get(card.id) == card


def test_a_claim_cannot_be_turned_round(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    run = cards_bench.run()
    card = cards.from_run(run)
    assert card is not None
    with pytest.raises(ClaimError, match="says otherwise"):
        cards.edit(card.id, claim="Vaccines do not cause autism")
    with pytest.raises(ClaimError, match="says otherwise"):
        cards.approve_run(run.id, claim="Vaccines do not cause autism")
    assert cards.get(card.id) == card
    assert cards.edit(card.id, claim="Vaccination causes autism").label is Label.FALSE


def test_on_a_made_up_web_no_run_becomes_a_card_by_itself(tmp_path: Path, empty_cards: Path) -> None:
    shutil.copytree(empty_cards, tmp_path, dirs_exist_ok=True)
    bench = opened(tmp_path, [], from_runs=False)
    run = bench.run()
    assert bench.cards.from_run(run) is None
    assert bench.cards.approve_run(run.id).label is Label.FALSE
    bench.knowledge.close()


def test_what_cannot_become_a_card_says_why(cards_bench: Bench) -> None:
    cards = cards_bench.cards
    with pytest.raises(StoreError, match="no such check"):
        cards.approve_run("x")
    with pytest.raises(ClaimError, match="answers nothing"):
        cards.approve_run(cards_bench.run(label=Label.NOT_ENOUGH_EVIDENCE).id)
    with pytest.raises(ClaimError, match="no verdict"):
        cards.approve_run(cards_bench.run(status=RunStatus.FAILED).id)
    run = cards_bench.run(citations=(), explanation="")
    with pytest.raises(ClaimError, match="Write the answer yourself"):
        cards.approve_run(run.id)
    assert cards.approve_run(run.id, answer="No.").answer == "No."
    run = cards_bench.run("Another claim")
    cards_bench.reviews.report_error(run.id, ErrorKind.MISREAD)
    reported = cards_bench.runs.get(run.id)
    assert reported
    assert cards.from_run(reported) is None
    assert cards.approve_run(run.id).state(datetime(2026, 3, 2, tzinfo=UTC)) is CardState.ACTIVE


@pytest.mark.parametrize("row", EXPIRY, ids=lambda row: row["claim"][:40])
def test_an_answer_holds_as_long_as_facts_of_its_kind(row: dict[str, Any]) -> None:
    assert holds_for(row["claim"], Category(row["category"])) == timedelta(days=row["days"])


def test_what_was_known_on_a_day_does_not_change_with_the_news() -> None:
    claim, category = "Unemployment is at 4 percent", Category.STATISTICAL
    assert expires(claim, category, AT, date(2019, 1, 1)) - AT > expires(claim, category, AT) - AT
