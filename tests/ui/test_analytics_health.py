"""The findings about a knowledge base in words."""

from datetime import date

import pytest

from ghost.knowledge import Alerts, RunNote
from ghost.ui.analytics import findings

DAY = date(2016, 11, 22)
NOTE = RunNote("r", "A claim.", "True", "only kelp-blog.net")


def test_all_verdicts_are_counted_although_some_are_named() -> None:
    notes = (NOTE,) * 50
    found = {f.key: f for f in findings(Alerts(9, 0, DAY, 0, 0, 0, 0, None, (), 0, notes, 73, notes, 1_200))}
    assert found["weak"].says.startswith("**73 verdicts** rest on")
    assert found["retired"].says.startswith("**1,200 verdicts** cite")
    assert (found["weak"].more, found["retired"].more) == (63, 1_190)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, ("was published before", "carries no publication date", "comes from domains", "names no page")),
        (2, ("were published before", "carry no publication date", "come from domains", "name no page")),
    ],
)
def test_one_passage_is_one(number: int, words: tuple[str, ...]) -> None:
    said = " ".join(f.says for f in findings(Alerts(9, number, DAY, *(number,) * 3, 0, None, (), 0, (), 0, (), 0)))
    for word in words:
        assert word in said
