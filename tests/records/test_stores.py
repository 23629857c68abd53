"""Articles, answers of the web, and what supports stored verdicts: small stores."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import insert, text

from ghost.errors import StoreError
from ghost.records import Article, ArticleCheck, ArticleStore, Database, DatabaseCache, Sentence, SupportStore, runs

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ARTICLE = Article(
    "a1", "Bridge <b>shut</b>", "https://a.example/x", NOON,
    (Sentence(1, "The bridge is shut.", "The bridge is shut.", 0.8), Sentence(2, "Sad!", why="An opinion.")),
    "The Gazette", "Jane", date(2026, 2, 28), ("It was cut.",),
)  # fmt: skip


@pytest.fixture
def articles(database: Database) -> ArticleStore:
    store = ArticleStore(database)
    store.add(ARTICLE)
    return store


def test_an_article_is_kept_as_it_was(articles: ArticleStore) -> None:
    assert articles.get("a1") == ARTICLE
    assert [s.position for s in ARTICLE.checkable] == [1]
    assert articles.get("nonsense") is None


def test_the_latest_come_first_and_the_newest_check_of_a_sentence_counts(articles: ArticleStore) -> None:
    articles.add(replace(ARTICLE, id="a2", title="Newer", added_at=NOON.replace(hour=13)))
    articles.checked("a1", [(1, "r1", "The bridge is shut."), (2, "r2", "Sad.")])
    articles.checked("a1", [(1, "r3", "The bridge was shut.")])
    articles.checked("a1", [])
    latest = [(a.id, a.title, a.checks) for a in articles.latest(5)]
    assert latest == [("a2", "Newer", 0), ("a1", "Bridge <b>shut</b>", 2)]
    assert [a.id for a in articles.latest(1, 1)] == ["a1"]
    assert articles.count() == 2
    assert articles.checks("a1") == {
        1: ArticleCheck(1, "r3", "The bridge was shut."), 2: ArticleCheck(2, "r2", "Sad."),
    }  # fmt: skip
    assert articles.checks("a2") == {}


def test_an_article_of_another_version_is_an_error_that_says_so(database: Database, articles: ArticleStore) -> None:
    with database.write() as connection:
        connection.execute(text("UPDATE articles SET article = '{}'"))
    with pytest.raises(StoreError, match="this Ghost cannot read"):
        articles.get("a1")
    assert articles.count() == 1


def test_an_answer_of_the_web_comes_back_as_it_was_put_until_a_newer_one_replaces_it(database: Database) -> None:
    cache = DatabaseCache(database)
    cache.put("page", "https://example.org/ä", {"etag": '"x"'}, b"\x00body", 60)
    kept = DatabaseCache(database).get("page", "https://example.org/ä")
    assert kept
    assert (kept.fresh, kept.body, kept.head) == (True, b"\x00body", {"etag": '"x"'})
    assert cache.get("search", "https://example.org/ä") is None  # kinds do not see one another
    cache.put("page", "https://example.org/ä", {}, b"new", -1)
    kept = cache.get("page", "https://example.org/ä")
    assert kept
    assert (kept.fresh, kept.body) == (False, b"new")


def test_the_oldest_answers_go_when_there_is_too_much(database: Database) -> None:
    cache = DatabaseCache(database, max_bytes=250)
    for name in "abc":
        cache.put("page", name, {}, b"x" * 100, 60)
    assert [bool(cache.get("page", name)) for name in "abc"] == [False, True, True]
    assert cache.clear() == 2
    assert cache.get("page", "c") is None


def keep(
    database: Database, run_id: str, label: str, known: list[tuple[int, int, float]], cited: list[int],
    at: int = 0, **instead: str,
) -> None:  # fmt: skip
    """A stored run; ``known`` as (number, group, credibility), ``instead`` as columns."""
    weighed = [
        {"number": n, "group": g, "credibility": c, "passage": {"publisher": "", "domain": f"d{n}.org", "title": ""}}
        for n, g, c in known
    ]
    citations = [{"n": n, "accepted": True, "stance": "SUPPORTS"} for n in cited]
    values: dict[str, object] = dict.fromkeys(("claim", "judge", "settings", "usage"), "{}")
    values |= {"id": run_id, "status": "finished", "claim_text": f"Claim {run_id}", "label": label, "owner": "x"}
    values |= {"started_at": datetime(2026, 1, 1) + timedelta(hours=at), "error": ""}
    values |= {"evidence": json.dumps(weighed), "verdict": json.dumps({"citations": citations})}
    with database.write() as connection:
        connection.execute(insert(runs).values(**(values | instead)))


@pytest.fixture
def store(database: Database) -> SupportStore:
    return SupportStore(database)


def test_one_weak_origin_is_weak(database: Database, store: SupportStore) -> None:
    keep(database, "weak", "True", [(1, 1, 0.5), (2, 1, 0.4)], [1, 2], at=1)
    keep(database, "two", "True", [(1, 1, 0.5), (2, 2, 0.5)], [1, 2])
    keep(database, "good", "False", [(1, 1, 0.9)], [1])
    keep(database, "open", "Not Enough Evidence", [(1, 1, 0.5)], [1])
    keep(database, "uncited", "True", [(1, 1, 0.5)], [])
    keep(database, "newer", "False", [(1, 1, 0.3), (2, 2, 0.9)], [1], at=2)
    found = store.weak()
    assert [f.run_id for f in found] == ["newer", "weak"]
    assert (found[1].origins, found[1].credibility, found[1].source) == (1, 0.5, "d1.org")
    assert ([f.run_id for f in store.weak(1)], store.count_weak()) == (["newer"], 2)
    keep(database, "later", "False", [(1, 1, 0.2)], [1], at=3)
    assert ([f.run_id for f in store.weak(1)], store.count_weak()) == (["later"], 3)


@pytest.mark.parametrize(
    "instead",
    [{"verdict": '{"citations": [{"n": 1, "accepted": false, "stance": "SUPPORTS"}]}'},
     {"verdict": '{"citations": [{"n": 1, "accepted": true, "stance": "NEUTRAL"}]}'},
     {"verdict": '{"citations": [{"n": 1}]}'}, {"evidence": "not json"}],
    ids=["not accepted", "no side", "another version", "broken"],
)  # fmt: skip
def test_what_carries_nothing_or_cannot_be_read_is_left_out(
    database: Database, store: SupportStore, instead: dict[str, str]
) -> None:
    keep(database, "odd", "True", [(1, 1, 0.3)], [1], **instead)
    keep(database, "fine", "True", [(1, 1, 0.3)], [1])
    assert [f.run_id for f in store.weak()] == ["fine"]
