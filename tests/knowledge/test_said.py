import pytest

from ghost.knowledge import ComparableText, KnowledgeBase
from ghost.knowledge.similarity import MAX_COMPARED_WORDS, nearly_same
from ghost.testing import passage
from ghost.types import NewPassage
from tests.knowledge.helpers import groups

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
    assert ComparableText.of(FALLEN).denies(ComparableText.of(other))
    assert ComparableText.of(other).denies(ComparableText.of(FALLEN))
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
    assert not ComparableText.of(FALLEN).denies(ComparableText.of(other))
    assert groups([passage(FALLEN, domain="a.org"), passage(other, domain="b.org")]) == [1, 1]


def test_the_knowledge_base_takes_neither_for_a_copy_of_the_other(kb: KnowledgeBase) -> None:
    denial = FALLEN.replace("has fallen", "has not fallen")
    urls = [f"https://{site}.org/1" for site in "abc"]
    said, denying, again = kb.add(NewPassage(*row) for row in zip((FALLEN, denial, denial), urls, strict=True)).ids
    assert {p.id: p.kin for p in kb.list(limit=10)} == {said: "", denying: "", again: denying}
    assert [group.ids for group in kb.duplicates()] == [(denying, again)]
    assert not nearly_same(ComparableText.of(FALLEN), ComparableText.of(denial))
    assert nearly_same(ComparableText.of(FALLEN), ComparableText.of(FALLEN.upper()))


def test_denials_are_told_apart_from_words_like_them() -> None:
    assert ComparableText.of("Nobody didn't know of the knot in the northern T-bar.").denials == ("nobody", "t")
    assert ComparableText.of("").denials == ()


@pytest.mark.parametrize(
    ("length", "denied"), [(MAX_COMPARED_WORDS - 1, True), (MAX_COMPARED_WORDS, False), (20_000, False)]
)
def test_in_a_long_text_a_denial_is_one_point_among_many(length: int, denied: bool) -> None:
    said = [f"word{i % 61}" for i in range(length)]
    denying = [*said[:20], "not", *said[20:]]
    one, other = ComparableText.of(" ".join(said)), ComparableText.of(" ".join(denying))
    assert (one.denies(other), other.denies(one)) == (denied, denied)
    assert nearly_same(one, other) is not denied


def test_a_text_without_words_is_no_copy_of_another_one() -> None:
    assert not nearly_same(ComparableText.of(""), ComparableText.of("…"))
    assert groups([passage("…", domain="a.org"), passage("?!", domain="b.org")]) == [1, 2]
