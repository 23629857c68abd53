"""What answers quote: whole sentences that answer, no headings, and numbers without gaps."""

import pytest

from ghost.records import utc_now
from ghost.research import AnswerReader
from ghost.steps import renumbered
from ghost.testing import ON_TOPIC, SUPPORTING, HashingEncoder, ScriptedReader, passage
from ghost.types import NewPassage, Origin
from ghost.workbench import Workbench
from tests.research.conftest import carried_out

URL = "https://tollgate.test/page"


def answered(bench: Workbench, topic: str, question: str) -> list[str]:
    """What is quoted in the answer to a question."""
    _, found = carried_out(bench.research, bench.research.plan(topic, questions=[question]))
    return [c.quote for c in found.answers[0].citations]


@pytest.mark.parametrize(
    ("place", "heading", "title"),
    [
        ("Ormsund", "Ormsund Tunnel open again after repair", "Ormsund Tunnel open again after repair"),
        ("Velby", "Velby Tunnel: open again after repair.", "Velby Tunnel: open again after repair - The News"),
        ("Kalmore", "Operation of the Kalmore Tunnel in 2025", "The year 2025"),
        ("Dunvik", "Office for the Dunvik Tunnel of Velmark.", "Annual report"),
    ],
)
def test_a_heading_is_no_answer(offline: Workbench, place: str, heading: str, title: str) -> None:
    told = f"The {place} Tunnel was opened again in May 2025 after a repair."
    question = f"When was the {place} Tunnel opened again after its repair?"
    offline.knowledge.add(
        [NewPassage(heading, f"https://one-{place}.test/", title, Origin.WEB, retrieved_at=utc_now())]
    )
    assert not any(quote in heading for quote in answered(offline, f"{place} Tunnel", question))
    offline.knowledge.add([NewPassage(told, f"https://two-{place}.test/", "News", Origin.WEB, retrieved_at=utc_now())])
    assert answered(offline, f"{place} Tunnel", question)[0] == told


def test_of_a_passage_only_what_answers_is_quoted(offline: Workbench) -> None:
    text = "The fair in Hallow began with a parade. The Hallow bell weighs 4,200 kilograms. Children ate ice cream."
    offline.knowledge.add([NewPassage(text, URL, "A day in Hallow", Origin.WEB, retrieved_at=utc_now())])
    assert answered(offline, "Hallow bell", "How much does the Hallow bell weigh?") == [
        "The Hallow bell weighs 4,200 kilograms."
    ]


def test_a_sentence_that_leans_on_another_one_is_quoted_with_it(offline: Workbench) -> None:
    text = "The Marrow lighthouse stands on a rock off Tarn. It was switched off for good in 1987 after a storm."
    offline.knowledge.add([NewPassage(text, URL, "Lights of the coast", Origin.WEB, retrieved_at=utc_now())])
    assert answered(offline, "Marrow lighthouse", "When was the Marrow lighthouse switched off for good?") == [text]


def test_a_sentence_counts_by_its_frame() -> None:
    myth, fact = "Myth: The Hallow bell weighs 9 tons.", "The Hallow bell weighs 4 tons."
    reader = ScriptedReader(lambda text, _: SUPPORTING if "9 tons" in text else ON_TOPIC)
    found = AnswerReader(HashingEncoder(), reader).quote("What does the Hallow bell weigh?", passage(f"{myth} {fact}"))
    assert found == fact


def test_the_title_in_front_of_a_sentence_is_cut(offline: Workbench) -> None:
    title, told = "Notes on the Brill canal", "The Brill canal carries 300 barges each day."
    offline.knowledge.add([NewPassage(f"{title} {told}", URL, title, Origin.WEB, retrieved_at=utc_now())])
    assert answered(offline, "Brill canal", "How many barges does the Brill canal carry each day?") == [told]


def test_what_people_wrote_down_needs_no_full_stop(offline: Workbench) -> None:
    told = "The Fenwick mast is 212 metres high"
    offline.knowledge.add([NewPassage(told, "", "A note", Origin.CURATED)])
    assert answered(offline, "Fenwick mast", "How high is the Fenwick mast?") == [told]


def test_only_marks_get_another_number() -> None:
    said = "The first [4] says “it rose [4] fast” and the other [12] denies it [3]."
    assert renumbered(said, {4: 1, 12: 2}) == "The first [1] says “it rose [4] fast” and the other [2] denies it [3]."
