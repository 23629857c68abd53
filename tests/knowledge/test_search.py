"""Text cut into passages; two rankings made one; and browsing by filters, orders, pages and words."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest

from ghost.knowledge import KnowledgeBase, PassageFilter, Sort, Use, cut, fuse, normalise, search, sentences
from ghost.knowledge.admission import PASSAGE_CHARS
from ghost.types import NewPassage, Origin, SourceType, StanceLabel, Status
from tests.knowledge.helpers import table

DAY = date(2020, 1, 1)


@pytest.fixture
def filled(kb: KnowledgeBase) -> KnowledgeBase:
    """Twelve passages of four sources, one of which has sites of different credibility."""
    hosts = ("www.nasa.gov", "blog.example.org", "pubmed.ncbi.nlm.nih.gov", "www.nih.gov")
    ids = kb.add(
        NewPassage(
            f"Number {n} tells of {'otters' if n % 2 else 'whales'} in the sea.",
            f"https://{hosts[n % 4]}/{n}",
            topic="animals" if n < 6 else "sea",
            origin=(Origin.CURATED, Origin.IMPORT)[n % 2],
            language="de" if n == 11 else "en",
            published_at=DAY + timedelta(days=n) if n % 3 else None,
        )
        for n in range(12)
    ).ids
    kb.record_use("run", [Use(ids[4], 0.9, StanceLabel.SUPPORTS, True)])
    kb.retire(ids[:1])
    return kb


FILTERS: list[tuple[dict[str, Any], Iterable[int]]] = [
    ({}, range(12)),
    ({"status": Status.ACTIVE}, range(1, 12)),
    ({"status": Status.RETIRED}, [0]),
    ({"origin": Origin.IMPORT}, range(1, 12, 2)),
    ({"domain": "example.org"}, [1, 5, 9]),
    ({"source_type": SourceType.GOVERNMENT, "domain": "nasa.gov"}, [0, 4, 8]),
    ({"topic": "sea", "language": "de"}, [11]),
    ({"dated": False}, [0, 3, 6, 9]),
    ({"published_from": DAY + timedelta(days=4), "published_to": DAY + timedelta(days=7)}, [4, 5, 7]),
    ({"used": True}, [4]),
    ({"used": False, "domain": "nasa.gov"}, [0, 8]),
    ({"credibility_to": 0.6}, [1, 5, 9]),
    ({"text": "otte"}, range(1, 12, 2)),
    ({"text": "///"}, []),
]
"""What narrows the list, and the numbers of the passages that are left."""


def test_filters(filled: KnowledgeBase) -> None:
    for narrow, numbers in FILTERS:
        narrowing = PassageFilter(**narrow)
        found = filled.browse("", narrowing, limit=50)
        assert sorted(int(p.text.split()[1]) for p in found.passages) == list(numbers), narrow
        assert found.total == found.passing == filled.count(narrowing) == len(list(numbers)), narrow


def test_orders(filled: KnowledgeBase) -> None:
    def numbers(sort: Sort) -> list[int]:
        return [int(p.text.split()[1]) for p in filled.browse("", sort=sort, limit=50).passages]

    assert numbers(Sort.NEWEST) == list(range(11, -1, -1))
    assert numbers(Sort.OLDEST) == list(range(12))
    assert numbers(Sort.PUBLISHED) == [11, 10, 8, 7, 5, 4, 2, 1, 9, 6, 3, 0]
    assert numbers(Sort.USED)[0] == 4
    assert numbers(Sort.DOUBTFUL)[:3] == [9, 5, 1]
    ratings = [p.credibility for p in filled.browse("", sort=Sort.CREDIBLE, limit=50).passages]
    assert ratings == sorted(ratings, reverse=True)


@pytest.mark.parametrize("at_once", [2_000, 3])
def test_words_are_searched_among_what_passes_only(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(search, "_COMPARED", at_once)
    found = filled.browse("otters of number 9", PassageFilter(status=Status.ACTIVE, domain="example.org"))
    assert found.passages[0].text.startswith("Number 9")
    assert {p.domain for p in found.passages} == {"example.org"}
    assert (found.total, found.passing) == (3, 3)
    everything = filled.browse("whales", PassageFilter(status=Status.ACTIVE))
    assert (everything.total, everything.passing) == (11, 11)
    assert "whales" in everything.passages[0].text

    found = filled.browse("whales", PassageFilter(status=Status.RETIRED))
    assert [p.text.split()[1] for p in found.passages] == ["0"]


def test_a_search_shows_the_best_only(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_FOUND", 10)
    kb.add(NewPassage(f"Passage {n} is about nothing.", f"https://a.org/{n}") for n in range(60))
    kb.add([NewPassage("Penguins breed on the ice.", "https://b.org")])
    found = kb.browse("penguins", limit=5)
    assert (found.total, found.passing) == (10, 61)
    assert found.passages[0].text.startswith("Penguins")
    assert len(kb.browse("penguins", limit=5, offset=8).passages) == 2
    assert kb.browse("penguins", PassageFilter(domain="none.org")).total == 0
    assert kb.browse("  ", PassageFilter()).total == 61


def test_the_watermark_moves_with_every_change_and_not_with_use(filled: KnowledgeBase) -> None:
    mark = filled.watermark()
    filled.record_use("another", [Use(filled.list(limit=1)[0].id, 0.5, StanceLabel.NEUTRAL, False)])
    assert filled.watermark() == mark
    filled.retire([filled.list(limit=1)[0].id])
    assert filled.watermark() != mark


def test_the_joint_score_by_hand() -> None:
    found = fuse([("a", 0.8), ("b", 0.4)], [("b", 10.0), ("c", 5.0)], {"a": 1, "b": 1, "c": 1})
    assert [(f.id, f.semantic, f.lexical) for f in found] == [("b", 0.4, 10.0), ("a", 0.8, None), ("c", None, 5.0)]
    # b: 0.7 * 0.4 + 0.3 * 1; a: 0.7 * 0.8; c counts as near as b, and has half of the best words.
    assert [f.score for f in found] == pytest.approx([0.58, 0.56, 0.43])


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("  a \n\t b\u00a0c\u2003d ", "a b c d"),
        ("cafe\u0301", "café"),
        ("zero\u200bwidth\u2060\ufeff soft\u00adhyphen", "zerowidth softhyphen"),
        ("tag\U000e0041\U000e0042s", "tags"),
        ("right\u202eto\u2066left", "righttoleft"),
        ("bell\x07 null\x00 del\x7f c1\x9f", "bell null del c1"),
        ("lone\ud800 surrogate", "lone surrogate"),
        ("نمی\u200cخواهم 👩\u200d🔬", "نمی\u200cخواهم 👩\u200d🔬"),
        ("\r\n", ""),
    ],
)
def test_normal_form(raw: str, normal: str) -> None:
    assert normalise(raw) == normal
    assert normalise(normal) == normal


@pytest.mark.parametrize("row", table("sentences"), ids=lambda row: row["sentences"][0][:20])
def test_sentences_end_where_they_end(row: dict[str, Any]) -> None:
    assert sentences(row.get("between", " ").join(row["sentences"])) == row["sentences"]


def test_passages_have_up_to_three_sentences_and_end_with_their_paragraph() -> None:
    text = "One is one. Two is two. Three is three.\nFour is four.\n\nFive is five.\n \nSix is six."
    assert cut(text) == ["One is one. Two is two. Three is three.", "Four is four.", "Five is five.", "Six is six."]
    assert cut("") == cut(" \n\n ") == []


@pytest.mark.parametrize("text", ["word " * 1000, "x" * 5000, "Item one; item two, " * 200, "。" * 3000])
def test_what_has_no_sentences_is_cut_anyway_and_nothing_is_lost(text: str) -> None:
    passages = cut(text)
    assert all(0 < len(p) <= PASSAGE_CHARS for p in passages)
    assert "".join(passages).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("sort", [Sort.CREDIBLE, Sort.DOUBTFUL])
def test_pages_by_credibility_are_the_whole_list_in_parts(filled: KnowledgeBase, sort: Sort) -> None:
    whole = [p.id for p in filled.browse("", sort=sort, limit=50).passages]
    assert len(whole) == 12
    for size in (1, 5):
        pages = [filled.browse("", sort=sort, limit=size, offset=at).passages for at in range(0, 15, size)]
        assert [p.id for page in pages for p in page] == whole


@pytest.mark.parametrize("narrow", [{}, {"status": Status.ACTIVE}, {"status": Status.RETIRED}, {"topic": "sea"}])
def test_among_many_the_index_is_asked_and_finds_what_comparing_all_does(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, narrow: dict[str, Any]
) -> None:
    narrowing = PassageFilter(**narrow)
    compared = filled.browse("otters in the sea", narrowing, limit=50)
    monkeypatch.setattr("ghost.knowledge.search.SCANNED", 0)
    asked = filled.browse("otters in the sea", narrowing, limit=50)
    assert {p.id for p in asked.passages} == {p.id for p in compared.passages}
    assert [p.id for p in asked.passages[:3]] == [p.id for p in compared.passages[:3]]
    assert (asked.total, asked.passing) == (compared.total, compared.passing)


def test_of_very_many_that_match_those_with_the_rarer_words_are_ranked(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    (all_of_them,) = filled.rankings(["number 7 tells of otters in the sea"], 10)
    monkeypatch.setattr("ghost.records.rare_words.RANKED", 1)
    (rarer,) = filled.rankings(["number 7 tells of otters in the sea"], 10)
    assert rarer.lexical[0] == all_of_them.lexical[0]
    assert set(rarer.lexical) <= set(all_of_them.lexical)
    assert filled.search("number 0 tells of whales", 3)[0].passage.text.startswith("Number"), "the rarest is retired"
