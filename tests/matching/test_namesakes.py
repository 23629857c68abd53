"""A thing of a like name is another thing."""

import pytest

from ghost.matching import has_namesake


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("When did the Velby Tunnel open?", "The Ormsund Tunnel opened in 2024."),
        ("How high is Mount Everest?", "Mount Kenya is 5,199 metres high."),
        ("What does the World Health Organization say?", "The World Bank has published a report."),
        ("What is known about the Skerrin Wind Farm?", "The Velby Wind Farm has 48 turbines."),
    ],
)
def test_a_like_name_of_something_else_is_told(question: str, passage: str) -> None:
    assert has_namesake(question, passage)


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("When did the Velby Tunnel open?", "The Velby Tunnel is longer than the Ormsund Tunnel."),
        ("When did the Velby Tunnel open?", "The tunnel was opened in Velby in May."),
        ("What is known about the Skerrin Offshore Wind Farm?", "The Skerrin wind park has 48 turbines."),
        ("Who is the President of France?", "Emmanuel Macron is the President of the French Republic."),
        ("How high is Mount Everest?", "Everest is 8,849 metres high."),
        ("Who was Marie Curie?", "Marie Skłodowska-Curie won the Nobel Prize twice."),
        ("Is New York City the capital of the state?", "Albany is the capital of New York State."),
        ("Which effects of vaccines are reported?", "The World Health Organization lists mild side effects."),
        ("", ""),
    ],
)
def test_the_same_thing_in_other_words_is_no_namesake(question: str, passage: str) -> None:
    assert not has_namesake(question, passage)
