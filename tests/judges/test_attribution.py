"""Who says a thing is taken off a claim where only the thing can be checked, and stays where it is the claim."""

import pytest

from ghost.judges import classify

FRAMED = [
    "Is it true, as critics say, that the bridge was opened in 1932?",
    "Supporters rightly point out that the bridge was opened in 1932.",
    "Critics of the mayor complain that the bridge was opened in 1932.",
    "Even the mayor's friends must admit that the bridge was opened in 1932.",
    "Opponents ask whether the bridge was opened in 1932.",
    "As historians have shown, the bridge was opened in 1932.",
    "It is well established that the bridge was opened in 1932.",
    "Everyone agrees that the bridge was opened in 1932.",
    "Do you really believe that the bridge was opened in 1932?",
    "Historians have it right: the bridge was opened in 1932.",
]
KEPT = [
    "NASA says that the bridge was opened in 1932.",
    "The unions argue that the bridge was opened in 1932.",
    "Critics deny that the bridge was opened in 1932.",
    "Critics wrongly claim that the bridge was opened in 1932.",
    "Most scientists agree that the bridge was opened in 1932.",
    "Officials of the council admitted in 1950 that the bridge was opened in 1932.",
    "Half of the experts say that the bridge was opened in 1932.",
    "Engineers at Siemens say that the bridge was opened in 1932.",
    "The law says that the bridge was opened in 1932.",
    "Critics say that they opened the bridge in 1932.",
    "The tests can tell whether the bridge was opened in 1932.",
    "Ministers say that the bridge was opened in 1932.",
]


@pytest.mark.parametrize("text", FRAMED)
def test_a_framing_leaves_what_it_frames(text: str) -> None:
    assert [s.text.rstrip(".") for s in classify(text).statements] == ["The bridge was opened in 1932"]


@pytest.mark.parametrize("text", KEPT)
def test_who_says_it_stays_where_that_is_the_claim(text: str) -> None:
    assert [s.text for s in classify(text).statements] == [text]
