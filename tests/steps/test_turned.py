"""Whoever only speaks about a claim has not said the opposite of his quote; whoever supports the opposite has."""

import pytest

from ghost.steps.turned import turned

CLOSED = "The bridge was closed in March."
WALL = "The Great Wall of China is not visible to the naked eye from the Moon."
KNOWN = ("The Great Wall is visible from the Moon.",)


@pytest.mark.parametrize(
    ("quote", "own"),
    [
        (CLOSED, "The bridge was not closed in March."),
        (CLOSED, "Sources support that the bridge was not closed in March."),
        (CLOSED, "The statement that the bridge was not closed is what sources say."),
        (CLOSED, "Sources say that the bridge was not closed in March, which contradicts the claim."),
        (CLOSED, "Evidence shows that the bridge was never closed in March."),
        (CLOSED, "No source refutes that the bridge was not closed in March."),
        (CLOSED, "It is not wrong that the bridge was not closed in March."),
        (CLOSED, "It is false that the bridge was closed in March."),
        (CLOSED, "The source contradicts the claim that the bridge was closed in March."),
        (WALL, "The source supports the claim that the Great Wall is visible from the Moon."),
        (WALL, "The claim says that the Great Wall is visible, and sources agree: the wall is visible from the Moon."),
        ("Vaccines do not cause autism.", "Sources agree that vaccines cause autism."),
        ("The minister denied that he had resigned.", "The minister did not deny that he had resigned."),
    ],
)
def test_the_opposite_is_found_behind_words_about_it(quote: str, own: str) -> None:
    assert turned(quote, own, KNOWN)


@pytest.mark.parametrize(
    ("quote", "own"),
    [
        (CLOSED, "The source confirms that the bridge was closed in March."),
        (CLOSED, "The source does not deny that the bridge was closed in March."),
        (CLOSED, "The claim that the bridge was not closed in March is false."),
        (CLOSED, "This contradicts the claim that the bridge was not closed in March."),
        (CLOSED, "The source does not support that the bridge was not closed in March."),
        (CLOSED, "No source supports the claim that the bridge was not closed in March."),
        (CLOSED, "The claim is false, as the bridge was closed in March."),
        (CLOSED, "This refutes the claim because the bridge was closed in March."),
        ("The bridge reopened in March.", "The claim that the bridge was closed in March is false."),
        (WALL, "It refutes that the Great Wall of China is visible to the naked eye from the Moon."),
        (WALL, "It is a myth, debunked by NASA, that the Great Wall is visible from the Moon."),
        (WALL, "There is no evidence that the Great Wall is visible from the Moon."),
        (WALL, "The claim says that the Great Wall is visible from the Moon."),
        (WALL, "The claim says that the Great Wall is visible from the Moon, but the source says that it is not."),
        (WALL, "The passage says that the wall is not visible from the Moon, contradicting the claim."),
        ("Canberra is the capital of Australia.", "Canberra is the capital of Australia rather than Sydney."),
        (
            "There is no evidence that vaccines cause autism.",
            "The source finds no evidence that vaccines cause autism.",
        ),
        ("There is no evidence that vaccines cause autism.", "The claim that vaccines cause autism is unsupported."),
        ("The minister denied that he had resigned.", "The minister denied having resigned."),
    ],
)
def test_what_rejects_or_doubts_what_it_names_does_not_say_it(quote: str, own: str) -> None:
    assert not turned(quote, own, KNOWN)
