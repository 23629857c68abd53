"""That a fact-checker calls the claim deceptive, told from the word standing somewhere in his text."""

import pytest

from ghost.judges.deceit import called_deceptive
from ghost.web.rating import worded

PRICE = "The price of honey rose by 40 percent in May."
LABELS = "Ostwick Foods was fined 2 million pounds over misleading labels in 2021."


@pytest.mark.parametrize(
    "text",
    [
        "The figure is real but misleading: prices had fallen by half the month before.",
        "The claim is misleading.",
        "The claim that the price of honey rose by 40 percent is misleading. It had fallen before.",
        "In short, the claim that honey did not get cheaper when it was sold is deceptive, because it had before.",
        "It is true that the price rose. But the post is also misleading, as it had fallen before.",
        "The post is not false, but misleading.",
        "The claim is not just false but misleading.",
        "There is no doubt that the claim is misleading.",
        "The number is shown without context.",
        "The claim lacks important context.",
        "The post is missing key context.",
        "The photo was taken out of context.",
        "The post takes the figure out of context.",
        "The chart gives a misleading impression of the market.",
        "The price rose in May. This is misleading.",
        "Rating: Missing context.",
        "We rate this claim Misleading.",
        worded("ClaimLens", PRICE, "Misleading"),
        worded("ClaimLens", "Honey costs more", "True, but misleading"),
    ],
)
def test_a_verdict_on_the_claim_counts(text: str) -> None:
    assert called_deceptive(text, PRICE)


@pytest.mark.parametrize(
    "text",
    [
        "It is true that the price of honey rose by 40 percent in May. The claim is not misleading.",
        "The claim isn’t misleading.",
        "The post was never taken out of context.",
        "Nobody says that the claim is misleading.",
        "We looked at whether the claim is misleading.",
        "The beekeepers were fined over misleading labels.",
        "The claim is true. The beekeepers' labels were misleading.",
        "The claim is right because the labels were misleading.",
        "The price rose in the context of a shortage.",
        "Misleading claims about honey are common.",
        worded("ClaimLens", PRICE, "True"),
        worded("ClaimLens", PRICE, "Not misleading"),
        worded("ClaimLens", "The price of honey did not rise by 40 percent in May.", "Misleading"),
        worded("ClaimLens", "The label is misleading", "True"),
    ],
)
def test_the_word_alone_does_not(text: str) -> None:
    assert not called_deceptive(text, PRICE)


@pytest.mark.parametrize(
    ("text", "statement", "deceives"),
    [
        (f"The Marland watchdog says: {LABELS}", LABELS, False),
        ("The labels and the wording were misleading.", LABELS, False),
        (f"{LABELS} But the claim is misleading, as the fine was taken back.", LABELS, True),
        ("The firm's claim was misleading.", "A court ruled that the firm's claim was misleading.", False),
    ],
)
def test_words_of_the_statement_itself_are_what_happened(text: str, statement: str, deceives: bool) -> None:
    assert called_deceptive(text, statement) is deceives
