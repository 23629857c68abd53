"""Articles: which sentences can be checked, in which words, and what is left out."""

import pytest

from ghost.errors import Cancelled
from ghost.judges import Reading, taken_apart
from ghost.records import Sentence

TEXT = """Bridge shut after inspection
By Jane Doe, 12 March 2024
PORT ANSEL (Coast News) — The Saltgate Bridge was closed on Monday. It was built in 1931 and carries 40,000 cars a day.

Experts say that the repair will cost 12 million crowns. I think the city should have acted sooner!
The bridge is the most beautiful in the country. What happens next? They had been warned.
Share
"""


class Reader:
    """Rates a text by its figures."""

    def read(self, texts: list[str]) -> list[Reading]:
        return [_reading(text) for text in texts]


def _reading(text: str) -> Reading:
    if "beautiful" in text or "should" in text:
        return Reading(0.0, 0.9, 0.1, 0.0, 0.0)
    return Reading(0.9, 0.05, 0.03, 0.02, 0.9 if any(c.isdigit() for c in text) else 0.4)


def of(text: str) -> dict[str, Sentence]:
    return {s.text: s for s in taken_apart(text, Reader())[0]}


def test_each_sentence_says_what_would_be_checked_or_why_nothing_is() -> None:
    found, notes = taken_apart(TEXT, Reader())
    assert notes == ()
    assert [s.position for s in found] == list(range(1, len(found) + 1))
    statements = [s.statement for s in found if s.statement]
    assert statements == [
        "Bridge shut after inspection.",
        "The Saltgate Bridge was closed on Monday.",
        "The Saltgate Bridge was built in 1931. The Saltgate Bridge carries 40,000 cars a day.",
        "The repair will cost 12 million crowns.",
    ]
    whys = {s.text: s.why for s in found if not s.statement}
    assert "who wrote it" in whys["By Jane Doe, 12 March 2024"]
    assert "should" in whys["I think the city should have acted sooner!"]
    assert "most beautiful" in whys["The bridge is the most beautiful in the country."]
    assert whys["What happens next?"] == "It is a question that asserts nothing."
    assert whys["Share"] == "It is too short to say something."
    assert "does not name" in whys["They had been warned."]


def test_sentences_are_rated_and_what_cannot_be_checked_is_not() -> None:
    found = of(TEXT)
    assert found["The bridge is the most beautiful in the country."].worth == 0.0
    assert found["Experts say that the repair will cost 12 million crowns."].worth == 0.9
    assert all(0.0 <= s.worth <= 1.0 for s in found.values())


def test_what_is_said_twice_is_listed_once() -> None:
    first, again = taken_apart("The Moon orbits the Earth.\nThe Moon orbits the Earth.", None)[0]
    assert first.statement
    assert (again.statement, again.why) == ("", "The article has said it before.")


def test_what_it_stands_for_does_not_cross_a_paragraph() -> None:
    found = taken_apart("Iceland lies in the Atlantic.\n\nIt has no mosquitoes.", None)[0]
    assert [s.statement for s in found] == ["Iceland lies in the Atlantic.", ""]


def test_huge_articles_are_cut_and_it_is_said() -> None:
    found, notes = taken_apart("".join(f"The town of A{n} has {n} wells. " for n in range(20_000)), None)
    assert len(found) == 800
    assert [note.split(" of ")[0] for note in notes] == ["Only the first 200,000", "Only the first 800"]


@pytest.mark.parametrize(
    "text",
    [
        "", " \n ", "\x00\x01\x02", "?" * 5_000, "a" * 50_000, ". " * 20_000,
        "<b>The Moon</b> [x](javascript:alert(1)).",
        "地球は太陽の周りを回っている。月は地球の周りを回っている。", "الأرض تدور حول الشمس.",
        "🧪 " * 500, "\ud800 broken \udcff",
    ],
)  # fmt: skip
def test_anything_can_be_taken_apart(text: str) -> None:
    for sentence in taken_apart(text, Reader())[0]:
        assert bool(sentence.statement) != bool(sentence.why)


def test_other_languages_are_listed() -> None:
    found = taken_apart("Die Erde dreht sich um die Sonne. Der Mond dreht sich um die Erde.", None)[0]
    assert [s.statement for s in found] == ["Die Erde dreht sich um die Sonne.", "Der Mond dreht sich um die Erde."]


def test_progress_is_told_and_whoever_is_told_may_stop_it() -> None:
    told: list[tuple[int, int]] = []
    taken_apart("The Moon orbits the Earth. " * 40, None, lambda done, total: told.append((done, total)))
    assert told == [(0, 40), (16, 40), (32, 40), (40, 40)]

    def stop(done: int, total: int) -> None:
        if done:
            raise Cancelled("Enough.")

    with pytest.raises(Cancelled):
        taken_apart("The Moon orbits the Earth. " * 40, None, stop)


def test_lines_that_were_broken_at_a_margin_are_read_as_one() -> None:
    text = (
        "The Saltgate Bridge was closed on 14 March 2024, because inspectors had\n"
        "found cracks in two cables. The repair took six months, and the bridge\n"
        "Minister Dallow opened again stands in Port Ansel.\n\n"
        "Traffic\n"
        "The bridge carries 40,000 cars a day, which is more than was expected when\n"
        "it was built."
    )
    found, _ = taken_apart(text, None)
    assert [s.text for s in found] == [
        "The Saltgate Bridge was closed on 14 March 2024, because inspectors had found cracks in two cables.",
        "The repair took six months, and the bridge Minister Dallow opened again stands in Port Ansel.",
        "Traffic",
        "The bridge carries 40,000 cars a day, which is more than was expected when it was built.",
    ]


@pytest.mark.parametrize("mark", ["- ", "• ", "{n}. ", "({n}) ", ""])
def test_the_items_of_a_list_are_not_one_text(mark: str) -> None:
    items = [
        "Honey from the Saltgate hives was sold under a wrong name",
        "The council of Port Ansel has closed two of its three schools since 2019",
        "No ferry has left for the islands in more than a month",
        "Minister Dallow opened the bridge again",
    ]
    text = "\n".join(mark.format(n=n) + item for n, item in enumerate(items, start=1))
    found, _ = taken_apart(text, None)
    assert len(found) == 4
    assert [item in s.text for item, s in zip(items, found, strict=True)] == [True] * 4


def test_items_and_lines_that_are_whole_stay_apart() -> None:
    lines = ["Cats sleep most of the day and hunt at dusk.", "Dogs were tamed before cats were, experts say."]
    text = "\n".join([*lines, "- Honey", "- Salt"])
    assert [s.text for s in taken_apart(text, None)[0]][:2] == lines
    assert len(taken_apart(text, None)[0]) == 4
