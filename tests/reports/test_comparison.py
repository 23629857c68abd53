"""Two runs side by side."""

from dataclasses import replace

from ghost.reports import compare
from ghost.types import Stance
from tests.ui.samples import LENGTH, ORBIT, evidence, false_run, opinion_run, passage

OTHER = passage("p7", "Another text.", domain="other.org")


def test_a_run_beside_itself_differs_in_nothing() -> None:
    run = false_run()
    found = compare(run, run)
    assert found.settings == ()
    assert [h.passage.id for h in found.both] == ["p1", "p3", "p2"]
    assert found.only_one == found.only_other == ()
    assert not any(h.changed for h in found.evidence)
    assert all(s.one == s.other for s in found.steps)


def test_settings_that_differ_are_named_to_the_leaf() -> None:
    one = replace(false_run(), settings={"web": False, "models": {"stance": {"sha256": "a"}}, "k": [1], "same": {}})
    other = replace(false_run(), settings={"web": True, "models": {"stance": {"sha256": "b"}}, "same": {}})
    assert [(d.name, d.one, d.other) for d in compare(one, other).settings] == [
        ("web", "false", "true"), ("models.stance.sha256", "a", "b"), ("k", "[1]", ""),
    ]  # fmt: skip


def test_evidence_of_both_and_of_either_and_what_was_read_differently() -> None:
    one, base = false_run(), false_run("a" * 32)
    turned = evidence(1, LENGTH, Stance(0.9, 0.02, 0.05, 0.03), 1)
    other = replace(base, evidence=(turned, evidence(2, OTHER, Stance(0.0, 0.9, 0.1, 0.0), 2)))
    found = compare(one, other)
    assert [(h.passage.id, h.changed) for h in found.both] == [("p3", True)]
    assert {h.passage.id for h in found.only_one} == {"p1", ORBIT.id}
    assert [h.passage.id for h in found.only_other] == ["p7"]


def test_a_run_that_ended_early_has_no_times_for_what_it_did_not_come_to() -> None:
    times = {s.name: (s.one is None, s.other is None) for s in compare(false_run(), opinion_run()).steps}
    assert times["classify"] == (False, False)
    assert times["verdict"] == (False, True)
