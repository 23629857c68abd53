"""Notes that are compared with their pages on the demo web: when the analyst asks for it, and as stage 0 of a run."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.errors import Cancelled
from ghost.events import RunEnded, SourceUpdate
from ghost.knowledge import Revision
from ghost.reports import left_the_machine
from ghost.types import Claim, Intake, Kind, Label, NewPassage, Origin, PageCheck, Passage, Run, RunStatus
from ghost.workbench import Workbench, build
from tests.seeded import BASICS, PACKS_OFF

FALLING = "statistics.velmark-gov.test/unemployment"
RATED = {"members-only.test": 0.8, "brittle-host.test": 0.8, "bargain-corner.test": 0.8}


@pytest.fixture
def bench(web: DemoWeb, tmp_path: Path) -> Iterator[Workbench]:
    chosen = values(web, tmp_path)
    chosen |= {"packs_off": f"{PACKS_OFF},{BASICS}", "source_credibility": chosen["source_credibility"] | RATED}
    with build(Settings(**chosen), judge="embedded") as workbench:
        yield workbench


def noted(bench: Workbench, web: DemoWeb, text: str, page: str, kind: Kind = Kind.NOTE) -> Passage:
    """What somebody has entered, with its page on the demo web (``host/path``)."""
    host, _, path = page.partition("/")
    new = NewPassage(text, f"http://{host}:{web.port}/{path}", "A page", Origin.CURATED, kind=kind)
    (outcome,) = bench.knowledge.add([new]).outcomes
    return now(bench, outcome.passage_id)


def now(bench: Workbench, passage_id: str) -> Passage:
    (found,) = bench.knowledge.get([passage_id])
    return found


def fetched(web: DemoWeb, host: str) -> list[str]:
    return [a.path for a in web.asked if a.host.startswith(host) and a.path != "/robots.txt"]


def test_a_page_that_says_the_same_gives_excerpts_in_its_own_words(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Unemployment in Velmark has fallen three years in a row.", FALLING)
    done = bench.check_notes([note])
    (check,) = done.checks
    assert (check.outcome, done.summary) == (PageCheck.FOUND, "1 found")
    after = now(bench, note.id)
    assert (after.page_check, after.page_checked, after.kind) == (PageCheck.FOUND, check.day, Kind.NOTE)
    assert after.settles
    (excerpt,) = bench.knowledge.get(after.page_excerpts)
    assert excerpt.text == "Unemployment in Velmark has fallen for three years in a row."
    assert (excerpt.kind, excerpt.intake, excerpt.source_url) == (Kind.EXCERPT, Intake.READ, note.source_url)
    assert excerpt.retrieved_at
    assert len(excerpt.text_hash) == 64
    (line,) = [entry for entry in bench.knowledge.history(note.id) if entry.action == "checked"]
    assert line.note.startswith("found: ")
    assert ("page_check", "", "found") in line.fields


def test_a_check_is_one_change_that_is_undone_with_its_excerpts(bench: Workbench, web: DemoWeb) -> None:
    same = noted(bench, web, "Unemployment in Velmark has fallen three years in a row.", FALLING)
    other = noted(bench, web, "Unemployment in Velmark has risen for three years in a row.", FALLING)
    done = bench.check_notes([same, other])
    excerpts = now(bench, same.id).page_excerpts
    assert excerpts
    assert now(bench, other.id).page_check is PageCheck.CONTRADICTED
    bench.knowledge.curation.undo(done.change)
    assert [now(bench, p.id) for p in (same, other)] == [same, other]
    assert {now(bench, i).status.value for i in excerpts} == {"retired"}


def test_a_note_with_the_very_words_of_its_page_becomes_an_excerpt_of_it(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Trams have never used the bridge.", "openpedia.test/saltgate-bridge")
    done = bench.check_notes([note])
    after = now(bench, note.id)
    assert (after.kind, after.intake, after.page_check) == (Kind.EXCERPT, Intake.READ, PageCheck.FOUND)
    assert after.text_hash
    assert not after.can_be_checked
    bench.knowledge.curation.undo(done.change)
    assert now(bench, note.id) == replace(note, retrieved_at=after.retrieved_at)


def test_what_was_entered_by_hand_is_checked_like_a_note(bench: Workbench, web: DemoWeb) -> None:
    text = "Unemployment in Velmark has fallen three years in a row."
    entered = noted(bench, web, text, FALLING, kind=Kind.EXCERPT)
    assert entered.intake is Intake.ENTERED
    bench.check_notes([entered])
    after = now(bench, entered.id)
    assert (after.intake, after.page_check) == (Intake.ENTERED, PageCheck.FOUND)  # its own words are still nobody's
    assert after.page_excerpts


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("The Saltgate Bridge was painted blue by its owner.", "openpedia.test/saltgate-bridge"),
        ("The waterworks of Tillmere were designed by Sanna Roe.", "old-pages.test/tillmere-waterworks"),
        (
            "Unemployment in Velmark has fallen three years in a row. The finance minister of Velmark is Ada Lund.",
            FALLING,
        ),
    ],
)
def test_what_the_page_does_not_say_settles_nothing_any_more(
    bench: Workbench, web: DemoWeb, text: str, page: str
) -> None:
    note = noted(bench, web, text, page)
    bench.check_notes([note])
    after = now(bench, note.id)
    assert (after.page_check, after.settles, after.status) == (PageCheck.NOT_FOUND, False, note.status)


@pytest.mark.parametrize(
    ("text", "page", "says"),
    [
        ("Unemployment in Velmark has risen for three years in a row.", FALLING, "has fallen"),
        ("Street lamps cause Brack fever.", "karsovia-radio.test/fact-check/brack-fever-street-lamps", "do not cause"),
    ],
)
def test_what_the_page_denies_is_contradicted_in_its_words(
    bench: Workbench, web: DemoWeb, text: str, page: str, says: str
) -> None:
    note = noted(bench, web, text, page)
    bench.check_notes([note])
    after = now(bench, note.id)
    assert (after.page_check, after.settles) == (PageCheck.CONTRADICTED, False)
    assert any(says in excerpt.text for excerpt in bench.knowledge.get(after.page_excerpts))


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("The unemployment rate in Velmark fell to 5.7 percent in 2024.", FALLING),
        ("The bridge has eight main cables and four lanes.", "openpedia.test/saltgate-bridge"),
        ("The Hallowick Bridge has six main cables and four lanes.", "openpedia.test/saltgate-bridge"),
        ("The ban on plastic bags comes into force on 1 January 2025.",
         "parliament.velmark-gov.test/votes/2023-plastic-bags"),
    ],
)  # fmt: skip
def test_another_number_name_or_date_is_never_the_same(bench: Workbench, web: DemoWeb, text: str, page: str) -> None:
    note = noted(bench, web, text, page)
    bench.check_notes([note])
    after = now(bench, note.id)
    assert after.page_check in (PageCheck.NOT_FOUND, PageCheck.CONTRADICTED)
    assert not after.settles


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("members-only.test/saltgate-bridge-insider", "robots.txt"),
        ("brittle-host.test/missing/skerrin-star", "404"),
        ("brittle-host.test/moved/saltgate-bridge", "leads to another site, portansel-herald.test"),
        ("brittle-host.test/to-loopback", "127.0.0.1"),
        ("nowhere.test/a", "nowhere.test"),
    ],
)
def test_a_page_that_is_not_reached_changes_nothing(bench: Workbench, web: DemoWeb, page: str, why: str) -> None:
    note = noted(bench, web, "The Saltgate Bridge is safe and fully open.", page)
    done = bench.check_notes([note])
    (check,) = done.checks
    assert (check.outcome, done.change) == (PageCheck.NOT_REACHED, "")
    assert why in check.why
    assert now(bench, note.id) == note


def test_a_page_that_gives_orders_confirms_nothing(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Street lamps cause Brack fever.", "bargain-corner.test/fever-tea")
    bench.check_notes([note])
    after = now(bench, note.id)
    assert after.page_check is not PageCheck.FOUND
    assert not after.page_excerpts


def test_with_the_web_off_no_page_is_asked_for(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Unemployment in Velmark has fallen three years in a row.", FALLING)
    bench.settings = bench.settings.model_copy(update={"web": False})
    before = len(web.asked)
    (check,) = bench.check_notes([note]).checks
    assert check.outcome is PageCheck.NOT_REACHED
    assert "switched off" in check.why
    assert len(web.asked) == before


def test_an_edited_note_is_unchecked_again(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "The Saltgate Bridge was painted blue by its owner.", "openpedia.test/saltgate-bridge")
    bench.check_notes([note])
    checked = now(bench, note.id)
    bench.knowledge.curation.revise(note.id, replace(Revision.of(checked), topic="bridges"))
    assert now(bench, note.id).page_check is PageCheck.NOT_FOUND  # the same words
    bench.knowledge.curation.revise(note.id, replace(Revision.of(checked), text="The Saltgate Bridge is painted grey."))
    after = now(bench, note.id)
    assert (after.page_check, after.page_checked, after.page_excerpts, after.settles) == (None, "", (), True)


def test_a_check_that_is_stopped_keeps_what_was_compared_before(bench: Workbench, web: DemoWeb) -> None:
    pages = ["openpedia.test/saltgate-bridge", FALLING, "old-pages.test/tillmere-waterworks",
             "karsovia-radio.test/news/skerrin-star", "karsovia-radio.test/news/solvane-mayor"]  # fmt: skip
    notes = [noted(bench, web, f"The Saltgate Bridge was painted blue in 199{n}.", p) for n, p in enumerate(pages)]
    seen: list[tuple[int, int]] = []

    def told(what: str, done: int, total: int) -> None:
        seen.append((done, total))
        if done:
            raise Cancelled("enough")

    done = bench.check_notes(notes, told)
    assert seen == [(0, 5), (4, 5)]
    assert (len(done.checks), done.left) == (4, 1)
    assert [now(bench, note.id).page_check is None for note in notes] == [False, False, False, False, True]
    cancelled = threading.Event()
    cancelled.set()
    assert bench.check_notes(notes, cancelled=cancelled.is_set).left == 5


# Stage 0 of a run


def run(bench: Workbench, text: str, **options: object) -> Run:
    events = list(bench.verify(Claim(text), **options))  # type: ignore[arg-type]
    found = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
    assert found
    assert found.verdict
    return found


def notes_read(of: Run) -> list[dict[str, object]]:
    return [row for s in of.steps if s.inputs.get("stage") == "note" for row in s.outputs["notes"]]


def test_a_verdict_on_a_note_alone_is_carried_by_its_page(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Unemployment in Velmark has fallen three years in a row.", FALLING)
    done = run(bench, note.text)
    assert [(row["passage_id"], row["outcome"]) for row in notes_read(done)] == [(note.id, "found")]
    (step,) = [s for s in done.steps if s.inputs.get("stage") == "note"]
    assert step.outputs["searches"] == []
    assert [row["state"] for row in step.outputs["sources"]] == ["read"]
    assert done.verdict
    assert done.verdict.label is Label.TRUE
    assert Kind.EXCERPT in {c.kind for c in done.verdict.citations if c.accepted}
    assert any("statistics.velmark-gov.test" in line for line in left_the_machine(done))
    after = now(bench, note.id)
    assert after.page_check is PageCheck.FOUND
    assert [p.text for p in bench.knowledge.get(after.page_excerpts)]
    again = run(bench, note.text)
    (read,) = notes_read(again)  # it rests on what was read, which is read again
    assert (read["outcome"], read["passage_id"] != note.id) == ("found", True)


def test_a_note_that_its_page_does_not_say_settles_nothing_in_the_run(bench: Workbench, web: DemoWeb) -> None:
    text = "The Saltgate Bridge was painted blue by its owner."
    note = noted(bench, web, text, "openpedia.test/saltgate-bridge")
    alone = run(bench, text, web=False)
    assert alone.verdict
    assert alone.verdict.label is Label.TRUE
    assert notes_read(alone) == []
    done = run(bench, text)
    assert [row["outcome"] for row in notes_read(done)] == ["not found there"]
    assert done.verdict
    assert done.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert "the page that it names does not say it" in done.verdict.reasons[0].text
    assert now(bench, note.id).page_check is PageCheck.NOT_FOUND
    later = run(bench, text, web=False)
    assert later.verdict
    assert later.verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_what_contradicts_a_note_on_its_page_is_evidence_against(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Unemployment in Velmark has risen for three years in a row.", FALLING)
    done = run(bench, note.text)
    assert [row["outcome"] for row in notes_read(done)] == ["contradicted there"]
    assert any("has fallen" in e.passage.text and e.stance.refutes > 0.5 for e in done.evidence)
    assert done.verdict
    assert done.verdict.label is not Label.TRUE


def test_a_page_that_is_not_reached_leaves_the_note_as_it_is(bench: Workbench, web: DemoWeb) -> None:
    text = "The Saltgate Bridge was painted blue by its owner."
    note = noted(bench, web, text, "members-only.test/saltgate-bridge-insider")
    done = run(bench, text)
    (row,) = notes_read(done)
    assert row["outcome"] == "not reached"
    assert "robots.txt" in str(row["why"])
    assert done.verdict
    assert done.verdict.label is Label.TRUE
    assert now(bench, note.id).page_check is None


def test_a_run_reads_three_pages_of_notes_at_most(bench: Workbench, web: DemoWeb) -> None:
    text = "The Saltgate Bridge was painted blue by its owner."
    pages = ("openpedia.test/saltgate-bridge", "velmark-press.test/saltgate-bridge-closed",
             "portansel-herald.test/saltgate-bridge-reopens",
             "sundholm-times.test/education/hallowick-marks")  # fmt: skip
    for page in pages:
        noted(bench, web, text, page)
    done = run(bench, text)
    (step,) = [s for s in done.steps if s.inputs.get("stage") == "note"]
    assert len(step.outputs["sources"]) == 3


def test_no_page_is_read_for_notes_without_a_budget_for_it(bench: Workbench, web: DemoWeb) -> None:
    text = "The Saltgate Bridge was painted blue by its owner."
    noted(bench, web, text, "openpedia.test/saltgate-bridge")
    bench.settings = bench.settings.model_copy(update={"max_fetches": 0})
    before = len(fetched(web, "openpedia"))
    done = run(bench, text)
    assert [row["outcome"] for row in notes_read(done)] == ["not reached"]
    assert len(fetched(web, "openpedia")) == before
    assert done.verdict
    assert done.verdict.label is Label.TRUE


def test_a_run_that_is_stopped_while_it_reads_for_a_note_keeps_nothing(bench: Workbench, web: DemoWeb) -> None:
    note = noted(
        bench, web, "The Saltgate Bridge was painted blue by its owner.", "brittle-host.test/silent/brack-fever"
    )
    stop = threading.Event()
    events = bench.verify(Claim(note.text), cancelled=stop.is_set)
    for event in events:
        if isinstance(event, SourceUpdate) and event.stage == "note":
            stop.set()
    assert isinstance(event, RunEnded)
    assert event.status is RunStatus.CANCELLED
    assert now(bench, note.id).page_check is None


def test_a_page_newer_than_the_day_of_the_claim_is_no_test_of_a_note(bench: Workbench, web: DemoWeb) -> None:
    note = noted(bench, web, "Unemployment in Velmark has risen for three years in a row.", FALLING)
    events = list(bench.verify(Claim(note.text, as_of=date(2023, 1, 1))))
    done = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
    assert done
    assert [row["outcome"] for row in notes_read(done)] == ["not reached"]
    assert now(bench, note.id).page_check is None
