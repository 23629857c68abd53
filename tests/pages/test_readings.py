"""The list of readings in the library, over real records."""

from ghost.types import Label, StanceLabel
from ghost.workbench import Workbench
from tests.pages.sections import Page, bench, page
from tests.pages.visits import assert_no_markup, click, shown
from tests.records.kept import keep_run
from tests.ui.samples import false_run, hostile_run

__all__ = ["bench", "page"]


def test_readings_are_listed_undone_and_restored(page: Page, bench: Workbench) -> None:
    at, run = page("knowledge", section="readings"), false_run()
    assert "You have not corrected a reading yet." in shown(at)
    keep_run(bench.database, run)
    made = bench.readings.add(run.id, "p1", 1, StanceLabel.NEUTRAL)
    at.run()
    words = shown(at)
    assert run.claim.text in words
    assert "Ghost: contradicts" in words
    newer = bench.readings.add(run.id, "p1", 1, StanceLabel.SUPPORTS)
    assert "Replaced by a newer one" in shown(at.run())
    bench.readings.set(newer.id, False)
    at.run()
    assert "Replaced by a newer one" not in shown(at)
    click(at, f"knowledge_reading_set_{made.id}")
    assert "Undone. Its check was decided again." in shown(at)
    kept = bench.runs.get(run.id)
    assert kept
    assert kept.label is Label.FALSE
    click(at, "knowledge_undo")
    assert [r.stands for r in bench.readings.store.all()] == [False, True]


def test_what_comes_from_outside_is_text(page: Page, bench: Workbench) -> None:
    run = hostile_run()
    keep_run(bench.database, run)
    bench.readings.add(run.id, run.evidence[0].passage.id, run.evidence[0].statement, StanceLabel.NEUTRAL)
    assert_no_markup(page("knowledge", section="readings"))
