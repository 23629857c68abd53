"""Copies are found when they come in, marked, and never read the whole collection."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select, update

from ghost.events import RunStarted, VerdictReached
from ghost.knowledge import Action, KnowledgeBase
from ghost.knowledge import near_duplicates as near
from ghost.records import RunStore, meta, passage_bands, passages
from ghost.types import Claim, JudgeInfo, Label, NewPassage, Origin, Passage, Verdict
from tests.knowledge.helpers import edit, groups

AT = datetime(2026, 5, 1, tzinfo=UTC)
WIRE = (
    "The ministry said on Monday that the bridge will be closed for three months while engineers replace "
    "the damaged steel cables that were found during an inspection in March."
)
REPRINT = WIRE.replace("said on Monday", "told reporters on Monday")
OTHER = "A new survey of the river shows that salmon have returned to its upper reaches after forty years."


def fetched(text: str, url: str, origin: Origin = Origin.WEB) -> NewPassage:
    return NewPassage(text, url, origin=origin, retrieved_at=AT)


def one(kb: KnowledgeBase, text: str) -> Passage:
    return next(p for p in kb.list(limit=500) if p.text == text)


def bands_kept(kb: KnowledgeBase) -> int:
    with kb.database.read() as connection:
        return connection.execute(select(func.count()).select_from(passage_bands)).scalar_one()


@pytest.mark.parametrize("at_once", [True, False])
def test_a_copy_from_another_source_is_kept_marked_and_told(kb: KnowledgeBase, at_once: bool) -> None:
    offered = [fetched(WIRE, "https://a.example/1"), fetched(OTHER, "https://b.example/1"),
               fetched(REPRINT, "https://c.example/1")]  # fmt: skip
    outcomes = kb.add(offered).outcomes if at_once else [kb.add([n]).outcomes[0] for n in offered]
    assert [o.action for o in outcomes] == [Action.ADDED] * 3
    first, other, copy = (one(kb, t) for t in (WIRE, OTHER, REPRINT))
    assert (first.kin, other.kin, copy.kin) == ("", "", first.id)
    assert outcomes[2].reason == f"nearly the same text as {first.id} from a.example: the two count as one origin"
    assert groups([copy, first]) == [1, 1]


def test_the_mark_joins_texts_that_are_alike_only_through_a_third(kb: KnowledgeBase) -> None:
    words = [f"word{i}" for i in range(60)]
    texts = [" ".join(words[start : start + 40]) for start in (0, 8, 16, 24)]
    kb.add([fetched(text, f"https://s{n}.example/") for n, text in enumerate(texts)])
    assert one(kb, texts[3]).kin == one(kb, texts[0]).id


def test_the_same_words_from_the_same_page_merge_and_other_figures_do_not(kb: KnowledgeBase) -> None:
    kb.add([fetched(WIRE, "https://a.example/1")])
    again = kb.add([fetched(WIRE.replace(" on Monday", ", on Monday,"), "http://www.a.example/1?utm_source=x")])
    assert again.outcomes[0].action is Action.MERGED
    changed = kb.add([fetched(WIRE.replace("three months", "four months"), "https://a.example/1")])
    assert changed.outcomes[0].action is Action.ADDED
    assert kb.count() == 2
    assert one(kb, WIRE.replace("three", "four")).kin == ""  # one page is one origin anyway


def test_what_the_analyst_enters_is_never_refused_for_its_likeness_but_told(kb: KnowledgeBase) -> None:
    kb.add([fetched(WIRE, "https://a.example/1")])
    outcome = kb.add([NewPassage(REPRINT)]).outcomes[0]
    assert outcome.action is Action.ADDED
    assert "count as one origin" in outcome.reason


def conclude(kb: KnowledgeBase, text: str) -> None:
    runs = RunStore(kb.database)
    runs.apply(RunStarted("r1", Claim("The bridge closes."), AT, JudgeInfo("e", "m"), {}))
    runs.apply(VerdictReached(Verdict(Label.TRUE, 0.9, text), JudgeInfo("e", "m")))


@pytest.mark.parametrize("origin", [Origin.WEB, Origin.FACT_CHECK, Origin.IMPORT])
def test_a_verdict_of_ours_never_comes_in_again(kb: KnowledgeBase, origin: Origin) -> None:
    ours = "Both accounts that were weighed point the same way, and nothing at hand speaks against the closure in May."
    conclude(kb, ours)
    outcome = kb.add([fetched(f"As a site has it: {ours}", "https://a.example/1", origin)]).outcomes[0]
    assert outcome.action is Action.REFUSED
    assert "r1" in outcome.reason
    by_hand = kb.add([NewPassage(ours)]).outcomes[0]
    assert by_hand.action is Action.ADDED
    assert "run r1" in by_hand.reason


def test_an_edit_moves_a_passage_to_its_new_kin(kb: KnowledgeBase) -> None:
    first, other = kb.add([fetched(WIRE, "https://a.example/1"), fetched(OTHER, "https://b.example/1")]).ids
    before = bands_kept(kb)
    edit(kb, other, REPRINT)
    assert kb.get([other])[0].kin == first
    edit(kb, other, OTHER)
    assert kb.get([other])[0].kin == ""
    assert bands_kept(kb) == before
    kb.add([fetched(REPRINT, "https://c.example/1")])
    assert one(kb, REPRINT).kin == first


@pytest.mark.parametrize("cut", [False, True])
def test_passages_from_before_there_were_bands_are_caught_up(
    open_kb: Callable[..., KnowledgeBase], monkeypatch: pytest.MonkeyPatch, cut: bool
) -> None:
    kb = open_kb()
    kb.add(
        [
            fetched(WIRE, "https://a.example/1"),
            fetched(OTHER, "https://b.example/1"),
            fetched(REPRINT, "https://c.example/1"),
        ]
    )
    kept = bands_kept(kb)
    with kb.database.write() as connection:
        connection.execute(delete(passage_bands))
        connection.execute(delete(meta).where(meta.c.key == "bands"))
        connection.execute(update(passages).values(kin=""))
    monkeypatch.setattr(near, "_PAGE", 2)
    if cut:  # killed after the first page
        calls: list[int] = []
        note = near.set_meta

        def die(connection: Any, key: str, state: str) -> None:
            note(connection, key, state)
            calls.append(1)
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


def test_a_new_passage_reads_its_likes_and_not_the_collection(kb: KnowledgeBase) -> None:
    kb.add(NewPassage(" ".join(f"w{n}x{i}" for i in range(20)), f"https://s{n}.example/") for n in range(300))
    kb.add([fetched(WIRE, "https://a.example/1")])
    read: list[int] = []
    alike = near.Lookup.find

    def spy(self: near.Lookup, of: str, its: tuple[int, ...]) -> list[Any]:
        rows = alike(self, of, its)
        read.append(len(rows))
        return rows

    steps: list[str] = []
    engine = kb.database._engine
    event.listen(engine, "before_cursor_execute", lambda c, cur, statement, *_: steps.append(statement))
    real_find, near.Lookup.find = near.Lookup.find, spy  # type: ignore[method-assign]
    try:
        kb.add([fetched(REPRINT, "https://c.example/1")])
    finally:
        near.Lookup.find = real_find  # type: ignore[method-assign]
    assert read == [1]
    with kb.database.read() as connection:
        for statement in (s for s in steps if s.lstrip().upper().startswith("SELECT") and "passage_bands" in s):
            values = {"bands": "[1]"} | {f"b{i}": 1 for i in range(near.BANDS)}
            plan = " ".join(str(row) for row in connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", tuple([1] * statement.count("?")) if "?" in statement else values
            ))  # fmt: skip
            assert "SCAN passage_bands" not in plan
            assert "SCAN passages" not in plan


def test_bands_tell_likes_from_others() -> None:
    first, copy, other, none = near.bands([WIRE, REPRINT, OTHER, ""])
    assert len(first) == near.BANDS
    assert set(first) & set(copy)
    assert not set(first) & set(other)
    assert none == ()
