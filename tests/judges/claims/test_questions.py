"""Questions turned into statements."""

import pytest

from ghost.judges.embedded.claims.questions import declarative, is_open_question


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Is the Great Wall visible from the Moon?", "The Great Wall is visible from the Moon."),
        ("Did Einstein fail maths?", "Einstein failed maths."),
        ("Does sugar make kids hyperactive?", "Sugar makes kids hyperactive."),
        ("Does the Moon have water?", "The Moon has water."),
        ("Did Rome not fall in 476?", "Rome did not fall in 476."),
        ("Did Bob zorp the cat?", "Bob did zorp the cat."),
        ("Has anyone ever walked on Mars?", "Someone has walked on Mars."),
        ("Is there any water on Mars?", "There is water on Mars."),
        ("Isn't Paris the capital of France?", "Paris is the capital of France."),
        ("Is the coffee in Italy stronger than in Spain?", "The coffee in Italy is stronger than in Spain."),
        ("The Earth is flat?", "The Earth is flat."),
        ("Do you think that bats are blind?", "Bats are blind."),
    ],
)
def test_yes_no_question_becomes_a_statement(question: str, statement: str):
    assert declarative(question) == statement


@pytest.mark.parametrize("question", ["Is Pluto a planet or a moon?", "Really?", "Is it?", "Do you know who won?"])
def test_question_that_asserts_nothing(question: str):
    assert declarative(question) is None


@pytest.mark.parametrize("text", ["What is the capital of France?", "how old is the universe", "Why do cats purr?"])
def test_open_question(text: str):
    assert is_open_question(text)


@pytest.mark.parametrize(
    "text", ["What we eat affects the climate", "When water freezes, it expands", "Where Rome stands was a swamp"]
)
def test_statement_that_opens_like_a_question(text: str):
    assert not is_open_question(text)
