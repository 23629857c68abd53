import pytest

from ghost.knowledge import KnowledgeBase, Said
from ghost.knowledge.origins import groups
from ghost.knowledge.similarity import PASSAGE, one_text
from ghost.testing import passage
from ghost.types import NewPassage

FALLEN = "The number of otters in the Hollin estuary has fallen since the new ferry harbour was opened in May."


@pytest.mark.parametrize(
    "other",
    [
        FALLEN.replace("has fallen", "has not fallen"),
        FALLEN.replace("has fallen", "hasn’t fallen"),
        FALLEN.replace("has fallen", "did not fall"),
        FALLEN.replace("The number", "Never the number"),
    ],
)
def test_a_text_that_denies_what_the_other_says_is_no_copy_of_it(other: str) -> None:
    assert Said.of(FALLEN).denies(Said.of(other))
    assert Said.of(other).denies(Said.of(FALLEN))
    assert groups([passage(FALLEN, domain="a.org"), passage(other, domain="b.org")]) == [1, 2]
    # Who prints the denial again is no third voice.
    again = [passage(text, domain=f"{i}.org") for i, text in enumerate((FALLEN, other, other, FALLEN))]
    assert groups(again) == [1, 2, 2, 1]


@pytest.mark.parametrize(
    "other",
    [
        FALLEN,
        FALLEN.replace("new ferry harbour", "ferry harbour"),
        FALLEN + " Nobody from the harbour office wanted to talk about the count on Monday.",
    ],
)
def test_a_copy_stays_one_whatever_is_added_or_left_out(other: str) -> None:
    assert not Said.of(FALLEN).denies(Said.of(other))
    assert groups([passage(FALLEN, domain="a.org"), passage(other, domain="b.org")]) == [1, 1]


def test_the_knowledge_base_takes_neither_for_a_copy_of_the_other(kb: KnowledgeBase) -> None:
    denial = FALLEN.replace("has fallen", "has not fallen")
    urls = [f"https://{site}.org/1" for site in "abc"]
    said, denying, again = kb.add(NewPassage(*row) for row in zip((FALLEN, denial, denial), urls, strict=True)).ids
    assert {p.id: p.kin for p in kb.list(limit=10)} == {said: "", denying: "", again: denying}
    assert [group.ids for group in kb.duplicates()] == [(denying, again)]
    assert not one_text(Said.of(FALLEN), Said.of(denial))
    assert one_text(Said.of(FALLEN), Said.of(FALLEN.upper()))


def test_denials_are_told_apart_from_words_like_them() -> None:
    assert Said.of("Nobody didn't know of the knot in the northern T-bar.").denials == ("nobody", "t")
    assert Said.of("").denials == ()


@pytest.mark.parametrize(("length", "denied"), [(PASSAGE - 1, True), (PASSAGE, False), (20_000, False)])
def test_in_a_long_text_a_denial_is_one_point_among_many(length: int, denied: bool) -> None:
    said = [f"word{i % 61}" for i in range(length)]
    denying = [*said[:20], "not", *said[20:]]
    one, other = Said.of(" ".join(said)), Said.of(" ".join(denying))
    assert (one.denies(other), other.denies(one)) == (denied, denied)
    assert one_text(one, other) is not denied


def test_a_text_without_words_is_no_copy_of_another_one() -> None:
    assert not one_text(Said.of(""), Said.of("…"))
    assert groups([passage("…", domain="a.org"), passage("?!", domain="b.org")]) == [1, 2]
