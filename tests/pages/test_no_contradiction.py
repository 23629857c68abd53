"""The report page does not contradict itself: drawn runs, read with the same eyes as the exports."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ghost.types import Review
from tests.pages.visits import Keep, Use, open_page, shown
from tests.reports.contradictions import WORDS, contradictions
from tests.reports.random_runs import random_run
from tests.ui.bench import ScriptedBench


@pytest.fixture
def at(use: Use, stored: ScriptedBench) -> AppTest:
    return use(stored)


@pytest.mark.parametrize("first", [0, 10, 20])
def test_every_sentence_of_the_page_agrees_with_every_other(
    at: AppTest, keep: Keep, stored: ScriptedBench, first: int
) -> None:
    for seed in range(first, first + 10):
        run = random_run(seed)
        keep(replace(run, review=Review()))
        if mine := run.review.override:
            stored.reviews.override(run.id, mine.label, mine.reason)
        page = open_page(at, run.id)
        words = shown(page)
        assert not page.exception
        counted = {
            stance: int(found.group(1))
            for stance, word in WORDS.items()
            if (found := re.search(rf"{word}\*\*\] (\d+) passage", words))
        }
        assert not list(contradictions(run, words, counted, _tags(page))), seed


def _tags(page: AppTest) -> dict[int, str]:
    """The badges beside the heading of each passage, which are the first text after it."""
    found: dict[int, str] = {}
    number = 0
    for node in page.main:
        if node.type == "subheader" and str(node.anchor).startswith("evidence-"):
            number = int(node.anchor.removeprefix("evidence-"))
        elif node.type == "markdown" and number not in found:
            found[number] = node.value
    return found
