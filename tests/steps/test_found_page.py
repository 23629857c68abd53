"""The page a claim was found at, and pages of its text, never support the claim; who denies it is heard."""

import pytest

from ghost.steps.rerank.exclusions import FoundPageCopies, found_page_copies
from ghost.testing import REFUTING, SUPPORTING, passage
from ghost.types import Evidence, Stance

SHORT = "The Lingford bridge was closed on Monday."
REST = (
    "Nobody can cross the river now. Shops on the east bank have lost half of their customers since then, say three "
    "owners. The mayor has not answered our questions about the matter."
)
FOUND = f"{SHORT} {REST}"
LONG = "The Lingford bridge was closed to all traffic on Monday 12 March because rust had eaten eleven of its cables."
DENIED = LONG.replace("was closed", "was not closed")


def evidence(text: str, stance: Stance = SUPPORTING, host: str = "b.example") -> Evidence:
    url = f"https://{host}/a"
    return Evidence(1, 1, passage(text, f"p-{host}", url=url, domain=host), stance, 0.9, 0.5, 0.0, 0.9, 1, 1)


def dropped(e: Evidence, found_text: str, page: str = "") -> bool:
    copies = FoundPageCopies.among({e.passage.source_url: page} if page else {}, found_text)
    return e.passage.id in found_page_copies([e], "https://found.example/a", found_text, copies)


@pytest.mark.parametrize(
    ("page", "is_copy"),
    [
        (FOUND, True),
        (FOUND.replace("half", "most"), True),
        (REST, True),  # an excerpt of it
        (f"Good morning. {FOUND} The mill at Upper Hatton was sold to its neighbour. He will tear it down.", True),
        (f"{SHORT} Engineers of the county had found that one of its bearings moves.", False),
    ],
    ids=["copy", "edited", "excerpt", "among other words", "another page with the same short sentence"],
)  # fmt: skip
def test_a_short_sentence_is_known_by_the_page_that_it_stands_on(page: str, is_copy: bool) -> None:
    assert dropped(evidence(SHORT), FOUND, page) is is_copy
    assert not dropped(evidence(SHORT), FOUND), "by itself anybody may say it"


def test_of_a_page_that_has_the_text_beside_others_only_the_text_is_left_out() -> None:
    own = "The mill at Upper Hatton was sold to its neighbour, who is going to tear it down next year."
    other = "In the market hall forty sellers of cheese met on Saturday, and the best of them won a cow and a bell."
    assert not dropped(evidence(own), FOUND, f"{FOUND} {own} {other}")
    assert dropped(evidence(SHORT), FOUND, f"{FOUND} {own} {other}")


def test_a_copy_with_a_not_in_it_is_a_denial_where_it_refutes() -> None:
    assert not dropped(evidence(DENIED, REFUTING), f"{LONG} {REST}")
    assert dropped(evidence(DENIED, SUPPORTING), f"{LONG} {REST}"), "it never supports, whatever it says"
    assert dropped(evidence(LONG, REFUTING), f"{LONG} {REST}"), "the found page itself does not refute either"
    assert dropped(evidence(DENIED, REFUTING), f"{REST} {DENIED} That is what {LONG}"), "the same denial stands there"


def test_what_a_copy_adds_to_contradict_the_text_is_heard() -> None:
    page = f"{FOUND} Correction: that is not so."
    assert not dropped(evidence("Correction: that is not so.", REFUTING), FOUND, page)
    assert dropped(evidence("Correction: that is not so.", SUPPORTING), FOUND, page)
    assert dropped(evidence(SHORT, REFUTING), FOUND, page)


def test_without_a_found_page_nothing_is_left_out() -> None:
    assert found_page_copies([evidence(LONG)], None) == {}
    assert FoundPageCopies.among({"https://b.example/a": FOUND}, "") == FoundPageCopies()
