"""The progress while the knowledge base is opened, and how a source or a date is shown."""

import threading
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from ghost.ui.shared.opening import Opening

from ghost.testing import passage
from ghost.ui.shared import opening, theme


class Place:
    """A place on the page that remembers what was drawn there."""

    def __init__(self) -> None:
        self.drawn: list[tuple[float, str]] = []
        self.emptied = False

    def progress(self, value: float, text: str) -> None:
        self.drawn.append((value, text))

    def empty(self) -> None:
        self.emptied = True


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place()
    monkeypatch.setattr(opening, "POLL_SECONDS", 0.005)
    monkeypatch.setattr(opening, "st", SimpleNamespace(empty=lambda: made))
    return made


def wait_for(place: Place, number: int) -> None:
    for _ in range(1_000):
        if len(place.drawn) >= number:
            return
        threading.Event().wait(0.005)
    raise AssertionError(f"only {place.drawn} was drawn")


def test_progress_is_drawn_while_it_opens_and_gone_afterwards(place: Place) -> None:
    made = Opening()
    with made.shown():
        made.progress("Adding passages", 128, 512)
        wait_for(place, 1)
        made.progress("Adding passages", 512, 512)
        wait_for(place, 2)
    assert place.drawn == [(0.25, "Adding passages: 128 of 512"), (1.0, "Adding passages: 512 of 512")]
    assert place.emptied
    assert made.ready


def test_nothing_is_drawn_once_it_is_open_and_again_after_a_failure(place: Place) -> None:
    made = Opening()
    made.progress("Adding passages", 1, 2)
    with pytest.raises(OSError, match="disk"), made.shown():
        raise OSError("the disk is full")
    assert not made.ready
    assert made.step == opening.Step()
    with made.shown():
        pass
    place.emptied = False
    with made.shown():
        pass
    assert not place.emptied


def test_a_source_that_is_not_rated_has_no_stars() -> None:
    assert "★" in theme.stars(0.5)
    assert theme.stars(0.5, False) == ":gray[unrated, counts 0.50]"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Published unknown"),
        ({"published_at": date(2025, 11, 21)}, "Published 21 Nov 2025"),
        ({"as_of": "2024"}, "As of 2024"),
        ({"as_of": "2024-05"}, "As of May 2024"),
        ({"as_of": "2024-05-31", "published_at": date(2025, 1, 2)}, "As of 31 May 2024, published 2 Jan 2025"),
    ],
)
def test_when_a_fact_holds_is_separate_from_its_publication(fields: dict[str, Any], words: str) -> None:
    assert theme.dated(replace(passage("The tower is tall."), **fields)) == words
