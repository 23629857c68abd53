"""Copies are found and marked when they come in, without reading the whole collection."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from ghost.events import RunStarted, VerdictReached
from ghost.knowledge import Action, ComparableText, KnowledgeBase
from ghost.knowledge import near_duplicates as near
from ghost.records import RunStore, meta, passage_bands, passages
from ghost.testing import passage
from ghost.types import Claim, JudgeInfo, Label, NewPassage, Origin, Verdict
from tests.knowledge.helpers import AT, SALMON, WIRE, edit, fetched, groups, one

REPRINT = WIRE.replace("said on Monday", "told reporters on Monday")
THREE = [fetched(WIRE, "https://a.example/1"), fetched(SALMON, "https://b.example/1"),
         fetched(REPRINT, "https://c.example/1")]  # fmt: skip


def bands_kept(kb: KnowledgeBase) -> int:
    with kb.database.read() as connection:
        return connection.execute(select(func.count()).select_from(passage_bands)).scalar_one()


@pytest.mark.parametrize("at_once", [True, False])
def test_a_copy_from_another_source_is_kept_marked_and_told(kb: KnowledgeBase, at_once: bool) -> None:
    outcomes = kb.add(THREE).outcomes if at_once else [kb.add([n]).outcomes[0] for n in THREE]
    assert [o.action for o in outcomes] == [Action.ADDED] * 3
    first, other, copy = (one(kb, t) for t in (WIRE, SALMON, REPRINT))
    assert (first.kin, other.kin, copy.kin) == ("", "", first.id)
    assert outcomes[2].reason == f"nearly the same text as {first.id} from a.example: the two count as one origin"
    assert groups([copy, first]) == [1, 1]
    by_hand = kb.add([NewPassage(REPRINT)]).outcomes[0]  # never refused for its likeness
    assert (by_hand.action, "count as one origin" in by_hand.reason) == (Action.ADDED, True)


def test_the_same_words_from_the_same_page_merge_and_other_figures_do_not(kb: KnowledgeBase) -> None:
    kb.add(THREE[:1])
    again = kb.add([fetched(WIRE.replace(" on Monday", ", on Monday,"), "http://www.a.example/1?utm_source=x")])
    assert again.outcomes[0].action is Action.MERGED
    changed = kb.add([fetched(WIRE.replace("three months", "four months"), "https://a.example/1")])
    assert (changed.outcomes[0].action, kb.count()) == (Action.ADDED, 2)
    assert one(kb, WIRE.replace("three", "four")).kin == ""  # one page is one origin anyway


@pytest.mark.parametrize("origin", [Origin.WEB, Origin.FACT_CHECK, Origin.IMPORT])
def test_a_verdict_of_ours_never_comes_in_again(kb: KnowledgeBase, origin: Origin) -> None:
    ours = "Both accounts that were weighed point the same way, and nothing at hand speaks against the closure in May."
    runs = RunStore(kb.database)
    runs.apply(RunStarted("r1", Claim("The bridge closes."), AT, JudgeInfo("e", "m"), {}))
    runs.apply(VerdictReached(Verdict(Label.TRUE, 0.9, ours), JudgeInfo("e", "m")))
    outcome = kb.add([fetched(f"As a site has it: {ours}", "https://a.example/1", origin)]).outcomes[0]
    assert (outcome.action, "r1" in outcome.reason) == (Action.REFUSED, True)
    by_hand = kb.add([NewPassage(ours)]).outcomes[0]
    assert (by_hand.action, "run r1" in by_hand.reason) == (Action.ADDED, True)


def test_an_edit_moves_a_passage_to_its_new_kin(kb: KnowledgeBase) -> None:
    first, other = kb.add(THREE[:2]).ids
    before = bands_kept(kb)
    assert edit(kb, other, REPRINT).kin == first
    assert edit(kb, other, SALMON).kin == ""
    assert bands_kept(kb) == before
    kb.add(THREE[2:])
    assert one(kb, REPRINT).kin == first


@pytest.mark.parametrize("cut", [False, True])
def test_passages_from_before_there_were_bands_are_caught_up(
    open_kb: Callable[..., KnowledgeBase], monkeypatch: pytest.MonkeyPatch, cut: bool
) -> None:
    kb = open_kb()
    kb.add(THREE)
    kept = bands_kept(kb)
    with kb.database.write() as connection:
        connection.execute(delete(passage_bands))
        connection.execute(delete(meta).where(meta.c.key == "bands"))
        connection.execute(update(passages).values(kin=""))
    monkeypatch.setattr(near, "_PAGE", 2)
    if cut:  # killed after the first page
        calls: list[str] = []
        note = near.set_meta

        def die(connection: Any, key: str, state: str) -> None:
            note(connection, key, state)
            calls.append(state)
            if len(calls) == 3:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(near, "set_meta", die)
            with pytest.raises(KeyboardInterrupt):
                near.add_missing_bands(kb.database)
        assert 0 < bands_kept(kb) < kept
    kb.close()
    again = open_kb()
    assert bands_kept(again) == kept
    assert one(again, REPRINT).kin == one(again, WIRE).id
    assert near.add_missing_bands(again.database) == 0


def test_groups_of_duplicates_are_found_wherever_they_stand(kb: KnowledgeBase) -> None:
    ids = kb.add(
        [
            NewPassage(WIRE, "https://a.org/1"), NewPassage(SALMON, "https://b.org/1"),
            NewPassage(REPRINT, "https://c.org/1"), NewPassage(REPRINT, "https://a.org/1"),
            NewPassage(SALMON, "https://b.org/2"), NewPassage("A lonely sentence.", "https://d.org"),
        ]
    ).ids  # fmt: skip
    seen: list[int] = []
    story, other = kb.duplicates(lambda _, done, total: seen.append(total))
    assert (story.ids, story.domains) == ((ids[0], ids[2], ids[3]), ("a.org", "c.org"))
    assert (other.ids, other.domains) == ((ids[1], ids[4]), ("b.org",))
    assert seen
    assert (kb.alike(ids[0]), kb.alike("p_none")) == ([ids[2], ids[3]], [])


def test_many_copies_are_one_group_until_they_are_merged_and_looking_can_be_stopped(kb: KnowledgeBase) -> None:
    ids = kb.add(NewPassage(WIRE, f"https://site{n}.org") for n in range(60)).ids

    def stop(_what: str, _done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kb.duplicates(stop)
    assert [len(group.ids) for group in kb.duplicates()] == [60]
    kb.curation.merge(ids[0], ids)
    assert kb.duplicates() == []
    assert kb.alike(ids[0])[0] == ids[1]  # whatever their status


FALLEN = "The number of otters in the Hollin estuary has fallen since the new ferry harbour was opened in May."
DENIALS = [
    FALLEN.replace("has fallen", "has not fallen"), FALLEN.replace("has fallen", "hasn’t fallen"),
    FALLEN.replace("has fallen", "did not fall"), FALLEN.replace("The number", "Never the number"),
]  # fmt: skip
COPIES = [
    FALLEN, FALLEN.replace("new ferry harbour", "ferry harbour"),
    FALLEN + " Nobody from the harbour office wanted to talk about the count on Monday.",
]  # fmt: skip


@pytest.mark.parametrize("other", [*DENIALS, *COPIES])
def test_a_text_that_denies_what_the_other_says_is_no_copy_of_it(other: str) -> None:
    denied = other in DENIALS
    one, two = ComparableText.of(FALLEN), ComparableText.of(other)
    assert one.denies(two) is two.denies(one) is denied
    assert groups([passage(FALLEN, domain="a.org"), passage(other, domain="b.org")]) == [1, 2 if denied else 1]
    if denied:  # who prints the denial again is no third voice
        again = [passage(text, domain=f"{i}.org") for i, text in enumerate((FALLEN, other, other, FALLEN))]
        assert groups(again) == [1, 2, 2, 1]


def test_the_knowledge_base_takes_neither_for_a_copy_of_the_other(kb: KnowledgeBase) -> None:
    urls = [f"https://{site}.org/1" for site in "abc"]
    texts = (FALLEN, DENIALS[0], DENIALS[0])
    said, denying, again = kb.add(NewPassage(*row) for row in zip(texts, urls, strict=True)).ids
    assert {p.id: p.kin for p in kb.list(limit=10)} == {said: "", denying: "", again: denying}
    assert [group.ids for group in kb.duplicates()] == [(denying, again)]
