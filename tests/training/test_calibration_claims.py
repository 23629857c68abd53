"""The claims whose whole verdicts are measured are those of their file, and half of their topics are sealed."""

from collections import Counter

from bench.examples import read_examples
from ghost.types import Label
from training.calibration_claims import measured


def test_what_is_measured_whole_is_what_was_written_and_is_never_fitted_on() -> None:
    assert [e for e in read_examples() if e.half] == list(measured())
    assert not any(e.checks for e in read_examples() if not e.half)


def test_a_topic_is_sealed_or_open_and_either_half_has_enough_of_each_kind() -> None:
    halves: dict[str, set[str]] = {}
    for e in measured():
        halves.setdefault(e.topic, set()).add(e.half)
    assert all(len(found) == 1 for found in halves.values())
    counted = Counter((e.half, e.label) for e in measured())
    assert all(
        counted[half, label] >= 25 for half in ("open", "sealed") for label in (Label.PARTIALLY_TRUE, Label.MISLEADING)
    )


def test_no_claim_is_misleading_without_a_fact_check_and_not_every_fact_check_makes_one_so() -> None:
    checked = [e for e in measured() if e.checks]
    assert {e.label for e in measured() if not e.checks} == set(Label) - {Label.MISLEADING, Label.NOT_VERIFIABLE}
    assert sum(e.label is not Label.MISLEADING for e in checked) >= 20
