"""What is said of passages that were added by hand."""

from ghost.knowledge import Action, AddReport
from ghost.knowledge.values import Outcome
from ghost.ui.knowledge.passage_form import _told


def test_the_reason_begins_with_a_capital_and_is_left_as_it_is() -> None:
    outcome = Outcome(Action.QUARANTINED, "p_1", "reads like an order to an AI")
    assert _told(AddReport((outcome,))) == "1 passage put into quarantine. Reads like an order to an AI."
