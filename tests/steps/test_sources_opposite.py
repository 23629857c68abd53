"""What a page says beside the quotes that a language model chose from it."""

from ghost.steps.investigate.page_passages import Finding, opposing_findings
from ghost.testing import ON_TOPIC, REFUTING, SUPPORTING, passage
from ghost.types import Stance


def found(name: str, stance: Stance, cosine: float = 0.8) -> Finding:
    return Finding(1, passage(f"Text {name}.", name), cosine, stance)


NEAR, FAR, WEAK = found("near", REFUTING), found("far", REFUTING, 0.3), found("weak", Stance(0.1, 0.4, 0.5, 0.0))
FOR = found("for", SUPPORTING)


def test_the_plainest_sentence_against_the_quotes_is_added() -> None:
    assert opposing_findings([FOR], [FAR, NEAR, WEAK, FOR]) == [NEAR]
    assert opposing_findings([NEAR], [FAR, FOR]) == [FOR]


def test_quotes_that_take_no_side_leave_both_sides_to_be_told() -> None:
    assert opposing_findings([found("none", ON_TOPIC)], [NEAR, FOR]) == [FOR, NEAR]


def test_nothing_is_added_to_no_quotes_or_where_no_side_is_taken() -> None:
    assert opposing_findings([], [NEAR, FOR]) == []
    assert opposing_findings([FOR], [WEAK, FOR]) == []
    assert opposing_findings([FOR, NEAR], [FOR, NEAR]) == []


def test_a_quote_among_other_sentences_is_no_denial_but_a_sentence_of_a_longer_quote_is_one() -> None:
    more = Finding(1, passage("Text for. More.", "more"), 0.9, REFUTING)
    assert opposing_findings([FOR], [more]) == []
    first = Finding(1, passage("More.", "first"), 0.9, REFUTING)
    assert opposing_findings([Finding(1, more.passage, 0.9, SUPPORTING)], [first]) == [first]
