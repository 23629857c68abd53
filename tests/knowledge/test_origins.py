import time

from ghost.knowledge.origins import groups
from ghost.testing import passage

WIRE = (
    "The ministry said on Monday that the bridge will be closed for three months while engineers replace "
    "the damaged steel cables that were found during an inspection in March."
)
OTHER = "A new survey of the river shows that salmon have returned to its upper reaches after forty years."


def test_a_story_that_others_reprint_is_one_source() -> None:
    reprint = WIRE.replace("The ministry said on Monday", "The ministry told AFP on Monday")
    excerpt = "The bridge will be closed for three months while engineers replace the damaged steel cables."
    found = groups(
        [
            passage(WIRE, url="https://a.org/1", domain="a.org"),
            passage(OTHER, url="https://b.org/1", domain="b.org"),
            passage(reprint.upper(), url="https://c.org/1", domain="c.org"),
            passage(excerpt, url="https://d.org/1", domain="d.org"),
        ]
    )
    assert found == [1, 2, 1, 1]


def test_one_page_and_one_publisher_on_one_domain_are_one_source() -> None:
    found = groups(
        [
            passage("Bees make honey in the summer", url="https://a.org/x", domain="a.org", publisher="A"),
            passage("Nothing like the others at all", url="https://a.org/x", domain="a.org", publisher="B"),
            passage("Something else again, said by A", url="https://a.org/y", domain="a.org", publisher="A"),
            passage("A guest writes about his garden", url="https://a.org/z", domain="a.org", publisher="C"),
            passage("Tea is drunk hot in the afternoon"),
            passage("Winter begins at the solstice"),
        ]
    )
    assert found == [1, 1, 1, 2, 3, 4]


def test_texts_that_differ_in_what_they_say_are_not_one() -> None:
    found = groups(
        [
            passage("The tower is 330 metres high.", domain="a.org"),
            passage("The bridge is 2,737 metres long.", domain="b.org"),
            passage("", domain="c.org"),
            passage("Tower", domain="d.org"),
        ]
    )
    assert found == [1, 2, 3, 4]
    assert groups([]) == []


def test_likeness_is_passed_on() -> None:
    words = [f"word{i}" for i in range(60)]
    chain = [" ".join(words[start : start + 30]) for start in (0, 12, 24)]
    assert groups([passage(text, domain=f"{i}.org") for i, text in enumerate(chain)]) == [1, 1, 1]
    assert groups([passage(chain[0], domain="a.org"), passage(chain[2], domain="b.org")]) == [1, 2]


def test_twenty_passages_take_no_time() -> None:
    many = [passage(WIRE.replace("bridge", f"bridge {i}") + f" {i}", domain=f"{i}.org") for i in range(20)]
    best = min(_timed(many) for _ in range(10))
    assert best < 0.02


def _timed(many: list) -> float:
    start = time.process_time()
    groups(many)
    return time.process_time() - start
