"""Passages of nearly one text."""

import pytest

from ghost.knowledge import KnowledgeBase
from ghost.types import NewPassage

STORY = "The bridge over the river was closed on Monday after inspectors had found cracks in two of its pillars."
NEARLY = STORY.replace("on Monday ", "on Monday, ").replace("two of", "three of")
OTHER = "Otters hold hands while they sleep so that they do not drift apart from each other in the night."


def test_copies_are_found_wherever_they_stand(kb: KnowledgeBase) -> None:
    ids = kb.add(
        [
            NewPassage(STORY, "https://a.org/1"), NewPassage(OTHER, "https://b.org/1"),
            NewPassage(NEARLY, "https://c.org/1"), NewPassage(NEARLY, "https://a.org/1"),
            NewPassage(OTHER, "https://b.org/2"), NewPassage("A lonely sentence.", "https://d.org"),
        ]
    ).ids  # fmt: skip
    seen: list[int] = []
    story, other = kb.duplicates(lambda _, done, total: seen.append(total))
    assert (story.ids, story.domains) == ((ids[0], ids[2], ids[3]), ("a.org", "c.org"))
    assert (other.ids, other.domains) == ((ids[1], ids[4]), ("b.org",))
    assert seen
    assert kb.alike(ids[0]) == [ids[2], ids[3]]
    assert kb.alike("p_none") == []


def test_what_is_retired_is_no_duplicate_any_more(kb: KnowledgeBase) -> None:
    ids = kb.add(NewPassage(STORY, f"https://site{n}.org") for n in range(3)).ids
    kb.curation.merge(ids[0], ids)
    assert kb.duplicates() == []
    assert kb.alike(ids[0]) == list(ids[1:])


def test_a_text_that_stands_on_very_many_sites_is_one_group(kb: KnowledgeBase) -> None:
    kb.add(NewPassage(STORY, f"https://site{n}.org") for n in range(60))
    (group,) = kb.duplicates()
    assert len(group.ids) == 60


def test_looking_can_be_stopped(kb: KnowledgeBase) -> None:
    kb.add(NewPassage(STORY, f"https://site{n}.org") for n in range(3))

    def stop(_what: str, _done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kb.duplicates(stop)
    assert len(kb.duplicates()) == 1
