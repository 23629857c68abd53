"""What a sentence calls the claim, and what it only says that others do or do not call it."""

import pytest

from ghost.steps.on_claim import called
from ghost.steps.sentences import against_label
from ghost.types import Label


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("The claim is true.", {True}),
        ("So the statement is entirely correct.", {True}),
        ("The claim is not false.", {True}),
        ("It would be wrong to say that the claim is false.", {True}),
        ("The claim is false.", {False}),
        ("The claim is completely and utterly false.", {False}),
        ("The claim isn't true.", {False}),
        ("The claim isn’t quite accurate.", {False}),
        ("The claim is anything but true.", {False}),
        ("The claim has been debunked.", {False}),
        ("The claim is a popular myth.", {False}),
        ("This is false.", {False}),
        ("There is no such bridge, so the claim is false.", {False}),
        ("The source says that it is untrue.", {False}),
        ("It is not the case that the claim is true.", {False}),
        ("No source says that the claim is true.", set()),
        ("This does not mean that the claim is false.", set()),
        ("It asks whether the claim is true.", set()),
        ("If the statement is false, nobody has said so.", set()),
        ("The opposite claim is false.", set()),
        ("It is false information about the bridge.", set()),
        ("The claim is refuted by one of the sources.", set()),
        ("It is a bridge.", set()),
    ],
)
def test_what_a_sentence_calls_the_claim(text: str, says: set[bool]) -> None:
    assert called(text) == says


def test_words_of_the_claim_are_no_verdict_on_it() -> None:
    assert called("It is false.", ("The report is false.",)) == set()


@pytest.mark.parametrize(
    ("label", "text", "refused"),
    [
        (Label.TRUE, "The claim isn't true [1].", True),
        (Label.TRUE, "The claim is true [1].", False),
        (Label.FALSE, "The claim is true [1].", True),
        (Label.FALSE, "No source says that the claim is true [1].", False),
        (Label.FALSE, "[1] says “the claim is true”, which is not so.", False),
        (Label.MISLEADING, "The claim is true [1].", False),
    ],
)
def test_a_verdict_on_the_claim_must_be_that_of_the_label(label: Label, text: str, refused: bool) -> None:
    assert (against_label(text, label) is not None) is refused
