"""The smallest change that turns a decision."""

import pytest

from ghost.errors import Cancelled
from ghost.pipelines import kept, stability
from ghost.pipelines.what_if.stability import PAIRS_OF
from ghost.types import Label, Stance
from tests.whatif.runs import made, page


def test_the_one_source_that_decides_is_named() -> None:
    found = stability(kept(made([page(1), page(2, "so"), page(3, "so")])))
    assert found.now.label is Label.TRUE
    assert [(t.words, t.turns) for t in found.sources] == [
        ("Without s1.org", True), ("Without s2.org", False), ("Without s3.org", False),
    ]  # fmt: skip
    assert found.sentence.startswith("Without s1.org it would be Not Enough Evidence.")
    assert found.pairs == ()


def test_where_no_single_source_turns_it_pairs_are_tried() -> None:
    found = stability(kept(made([page(1), page(2)])))
    assert [t.words for t in found.pairs] == ["Without s1.org and s2.org"]
    assert "None of its 2 sources turns it when left out alone." in found.sentence
    assert "Without s1.org and s2.org it would be Not Enough Evidence." in found.sentence


def test_what_nothing_turns_is_said_to_be_so() -> None:
    found = stability(kept(made([page(n) for n in range(4)])))
    assert "No two of them together do either." in found.sentence


def test_the_numbers_that_turn_it_are_the_nearest() -> None:
    found = stability(kept(made([page(1)], reading=lambda *_: Stance(0.6, 0.05, 0.3, 0.05))))
    turned = next(t for t in found.dials if t.change.decides is not None)
    assert turned.change.decides is not None
    assert found.now.confidence <= turned.change.decides <= found.now.confidence + 0.05
    assert "If a verdict needed a probability of" in found.sentence


def test_nothing_rests_on_nothing() -> None:
    found = stability(kept(made([])))
    assert found.sources == ()
    assert found.sentence == "It rests on no source, so none can be taken away from it."


def test_the_number_of_trials_is_bounded_and_it_can_be_stopped() -> None:
    many = kept(made([page(n, domain="" if n % 2 else f"d{n}.org", title=f"T{n}") for n in range(20)]))
    found = stability(many)
    assert found.tried <= 1 + len(many.sources) + PAIRS_OF * (PAIRS_OF - 1) / 2 + 90

    def stop() -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        stability(many, stop)
