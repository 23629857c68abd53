"""What is said of passages that were added by hand."""

from ghost.knowledge import Action, AddReport
from ghost.knowledge.values import Outcome
from ghost.ui.knowledge.form import added_text


def test_the_reason_begins_with_a_capital_and_is_left_as_it_is() -> None:
    outcome = Outcome(Action.QUARANTINED, "p_1", "reads like an order to an AI")
    assert added_text(AddReport((outcome,))) == "1 passage put into quarantine. Reads like an order to an AI."
