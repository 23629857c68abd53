"""Dates matter for what may have changed, and for nothing else."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from ghost.judges import decide_statement, timed
from ghost.testing import REFUTING, SUPPORTING, evidence
from ghost.types import Evidence, Label, ReasonCode, Stance, Statement, Timing
from tests.judges.test_decision import contested_odds
from training.measure_rules import dates
from training.train_claim_types import read

MAYOR = Statement(1, "Ann Holt is the mayor of Northport.")
MOON = Statement(1, "The Moon orbits the Earth.")
TODAY = date(2026, 6, 1)


def dated(number: int, stance: Stance, day: date | None, credibility: float = 0.8) -> Evidence:
    e = evidence(number, f"text {number}", stance, credibility=credibility)
    return replace(e, passage=replace(e.passage, published_at=day))


OLD_YES, NEW_NO = dated(1, SUPPORTING, date(2019, 4, 1)), dated(2, REFUTING, date(2026, 2, 1))


def test_a_newer_source_wins_over_an_older_one_on_the_present_and_only_with_the_rule() -> None:
    without = decide_statement(MAYOR, [OLD_YES, NEW_NO], contested_odds())
    assert (without.label, without.contested) == (Label.PARTIALLY_TRUE, True)
    weighed = timed(MAYOR, [OLD_YES, NEW_NO], None, TODAY)
    assert [(e.timing, e.time_weight) for e in weighed] == [(Timing.OUTDATED, 0.25), (Timing.FINE, 1.0)]
    assert decide_statement(MAYOR, weighed).label is Label.FALSE
    newer = [dated(1, REFUTING, date(2019, 4, 1)), dated(2, SUPPORTING, date(2026, 2, 1))]
    assert decide_statement(MAYOR, timed(MAYOR, newer, None, TODAY)).label is Label.TRUE


def test_what_always_holds_is_not_weighed_by_date() -> None:
    pair = [OLD_YES, NEW_NO]
    assert timed(MOON, pair, None, TODAY) == pair
    ancient = [dated(1, SUPPORTING, date(1969, 7, 20))]
    assert timed(MOON, ancient, None, TODAY) == ancient
    assert decide_statement(MOON, ancient).label is Label.TRUE


def test_a_newer_source_that_says_no_longer_makes_any_statement_one_about_the_present() -> None:
    ninth = Statement(1, "Pell is the ninth station of the line.")
    assert timed(ninth, [OLD_YES, NEW_NO], None, TODAY) == [OLD_YES, NEW_NO]
    over = replace(NEW_NO, passage=replace(NEW_NO.passage, text="Pell is no longer counted among the stations."))
    assert [e.timing for e in timed(ninth, [OLD_YES, over], None, TODAY)] == [Timing.OUTDATED, Timing.FINE]
    opened = Statement(1, "Pell station opened in 1985.")
    other = "The station opened in 1990. It is no longer the busiest."
    for statement, text in ((ninth, other), (opened, other), (opened, "Pell station is no longer open.")):
        beside = replace(NEW_NO, passage=replace(NEW_NO.passage, text=text))
        assert timed(statement, [OLD_YES, beside], None, TODAY) == [OLD_YES, beside]


def test_a_page_of_lower_standing_cannot_outdate_a_better_one_by_its_date() -> None:
    blog = dated(2, REFUTING, date(2026, 5, 31), credibility=0.5)
    assert timed(MAYOR, [OLD_YES, blog], None, TODAY) == [OLD_YES, blog]


def test_where_everything_is_old_the_present_stays_open_with_the_reason() -> None:
    old = [OLD_YES, dated(2, SUPPORTING, date(2020, 1, 1))]
    assert decide_statement(MAYOR, old).label is Label.TRUE
    found = decide_statement(MAYOR, timed(MAYOR, old, None, TODAY))
    assert found.label is Label.NOT_ENOUGH_EVIDENCE
    assert [r.code for r in found.reasons] == [ReasonCode.TOO_OLD]
    assert "2020-01-01" in found.reasons[0].text
    for other in (NEW_NO, dated(2, SUPPORTING, None)):  # something recent, or something that may be recent
        assert all(e.timing is not Timing.OLD for e in timed(MAYOR, [OLD_YES, other], None, TODAY))


def test_old_is_meant_from_the_as_of_day() -> None:
    assert timed(MAYOR, [OLD_YES], date(2019, 12, 31), TODAY) == [OLD_YES]


def test_without_a_date_evidence_counts_less_under_an_as_of_day_and_beside_a_dated_rival() -> None:
    undated = dated(1, SUPPORTING, None)
    assert timed(MOON, [undated], None, TODAY) == [undated]
    found = timed(MOON, [undated], date(2020, 1, 1), TODAY)[0]
    assert (found.timing, found.time_weight) == (Timing.UNDATED, 0.9)
    assert decide_statement(MOON, [found]).support < decide_statement(MOON, [undated]).support
    assert [e.timing for e in timed(MAYOR, [undated, NEW_NO], None, TODAY)] == [Timing.UNDATED, Timing.FINE]


def test_what_may_be_from_after_the_as_of_day_counts_as_what_has_no_date() -> None:
    of_2019 = dated(1, SUPPORTING, date(2019, 5, 1))
    changed = replace(of_2019, passage=replace(of_2019.passage, as_late_as=date(2024, 5, 1)))
    found = timed(MOON, [changed], date(2020, 1, 1), TODAY)[0]
    assert (found.timing, found.time_weight) == (Timing.UNDATED, 0.9)
    assert timed(MOON, [changed], date(2024, 5, 1), TODAY) == [changed]
    assert timed(MOON, [changed], None, TODAY) == [changed]


def of(e: Evidence, as_of: str) -> Evidence:
    """The same from a source that says for when it holds."""
    return replace(e, passage=replace(e.passage, as_of=as_of))


def test_a_fact_counts_by_the_time_for_which_it_holds_and_not_by_the_day_it_was_published() -> None:
    printed_late = of(dated(1, SUPPORTING, date(2026, 5, 1)), "2019")
    assert [e.timing for e in timed(MAYOR, [printed_late, NEW_NO], None, TODAY)] == [Timing.OUTDATED, Timing.FINE]
    newer = of(dated(2, REFUTING, None), "2026-02")
    assert [e.timing for e in timed(MAYOR, [OLD_YES, newer], None, TODAY)] == [Timing.OUTDATED, Timing.FINE]
    assert decide_statement(MAYOR, timed(MAYOR, [OLD_YES, newer], None, TODAY)).label is Label.FALSE
    found = decide_statement(MAYOR, timed(MAYOR, [of(dated(1, SUPPORTING, None), "2019")], None, TODAY))
    assert (found.label, found.reasons[0].code) == (Label.NOT_ENOUGH_EVIDENCE, ReasonCode.TOO_OLD)
    assert "is as of 2019." in found.reasons[0].text


def test_a_year_is_newer_or_older_only_when_all_of_it_is() -> None:
    of_2025 = of(dated(1, SUPPORTING, None), "2025")
    for day, timing in ((date(2025, 11, 1), Timing.FINE), (date(2026, 1, 15), Timing.FINE),
                        (date(2026, 2, 15), Timing.OUTDATED)):  # fmt: skip
        assert timed(MAYOR, [of_2025, dated(2, REFUTING, day)], None, TODAY)[0].timing is timing, day
    for day, timing in ((date(2025, 1, 15), Timing.FINE), (date(2024, 11, 1), Timing.OUTDATED)):
        assert timed(MAYOR, [dated(2, REFUTING, day), of_2025], None, TODAY)[0].timing is timing, day


PASSING = [
    "Ann Holt is the mayor of Northport.", "Inflation is currently 3%.", "The latest census counted 4 million.",
    "The bridge is closed.", "Emil Rask is not the prime minister.", "The population of Northport is 90,000.",
    "He holds the office of governor.", "A litre of milk costs two dollars.", "The ban is no longer in force.",
    "Eggs cost four dollars.", "The cost of living is rising.",
]  # fmt: skip

RECORDS = [
    "Mount Kea is the highest mountain.", "She holds the world record in the high jump.",
    "Northport has banned bottles.", "The lost painting has not been found.", "Ann Holt has already resigned.",
]  # fmt: skip

LASTING = [
    "Water boils at 100 degrees.", "The Moon orbits the Earth.", "Vaccines do not cause autism.",
    "Ann Holt was the mayor of Northport.", "In 2010 the population of Northport was 80,000.",
    "Yuri Gagarin was the first human in space.", "Bees dance.",
    "Lia Brandt won the regatta of 2024.", "The winner of the 2024 regatta was Lia Brandt.",
    "Repairing the bridge cost 31 million crowns.", "The tallest building in 1931 had 102 floors.",
    "A spider has eight legs.", "Tomatoes have seeds.", "Northport has a red bridge.",
]  # fmt: skip


def test_what_passes_what_may_be_beaten_and_what_lasts() -> None:
    """A newer source outdates an older one on the first two; only on the first does age alone leave a claim open."""
    newer = [dated(1, SUPPORTING, date(2026, 1, 1)), dated(2, REFUTING, date(2026, 5, 1))]
    old = [dated(1, SUPPORTING, date(2019, 4, 1))]

    def timings(text: str) -> tuple[Timing, Timing]:
        return tuple(timed(Statement(1, text), rows, None, TODAY)[0].timing for rows in (newer, old))

    found = {text: timings(text) for text in (*PASSING, *RECORDS, *LASTING)}
    assert {found[text] for text in PASSING} == {(Timing.OUTDATED, Timing.OLD)}
    assert {found[text] for text in RECORDS} == {(Timing.OUTDATED, Timing.FINE)}
    assert {found[text] for text in LASTING} == {(Timing.FINE, Timing.FINE)}


def test_statements_over_dated_passages_that_nobody_wrote_for_the_rule() -> None:
    found = dates(read(Path(__file__).parents[1] / "data" / "dated_evidence.jsonl"))
    assert found["with"]["right"] >= found["without"]["right"] + 14, found
    assert found["with"]["wrong"] <= 16, found


def test_what_begins_after_the_as_of_day_says_nothing_of_that_day() -> None:
    pluto = Statement(1, "Pluto is a planet.")
    e = evidence(1, "Pluto has been classified as a dwarf planet since 2006 and is no longer a planet.", REFUTING)
    assert [found.timing for found in timed(pluto, [e], date(2001, 5, 1), TODAY)] == [Timing.OVER]
    assert timed(pluto, [e], None, TODAY) == [e]
    assert [found.timing for found in timed(pluto, [e], date(2010, 5, 1), TODAY)] == [Timing.UNDATED]
