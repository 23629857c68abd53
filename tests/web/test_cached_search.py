"""An answer is used again for the same words, sites and limit, while it is fresh; a broken cache stops no search."""

from datetime import date
from pathlib import Path

import pytest

from ghost.errors import RateLimitError
from ghost.records import Database, DatabaseCache
from ghost.testing import ScriptedSearch
from ghost.web import CachedSearch, ClaimReview, Hit, Remembering, Stage
from tests.web.sites import FullDisk, MemoryCache

REVIEW = ClaimReview(
    "Honey <b>spoils</b>", "False", "Snopes", "https://snopes.com/a", reviewed_at=date(2024, 3, 5), value=0.0
)
HIT = Hit("https://a.org/ü", "Honey \u202e", "It keeps.", "scripted", date(2024, 3, 5), REVIEW)
SITES = ("a.org",)


@pytest.fixture
def cache(tmp_path: Path):
    database = Database.open(tmp_path / "ghost.db")
    yield DatabaseCache(database)
    database.close()


def test_it_is_the_provider_with_a_memory(cache: DatabaseCache) -> None:
    engine = ScriptedSearch([HIT], "x", "The X", stages=frozenset({Stage.BROAD}))
    kept = CachedSearch(engine, cache, 60)
    assert (kept.name, kept.recipient, kept.stages) == ("x", "The X", frozenset({Stage.BROAD}))
    assert isinstance(kept, Remembering)
    assert not isinstance(engine, Remembering)
    assert kept.wording("honey", ()) == "honey"
    assert kept.remembered("honey", SITES, 10) is None
    assert kept.search("honey", SITES, 10, 5) == [HIT]
    again = CachedSearch(engine, cache, 60).remembered("honey", SITES, 10)
    assert again
    assert again.hits == (HIT,)
    assert again.stored_at.tzinfo
    assert len(engine.asked) == 1


def test_other_words_sites_limits_providers_and_places_are_other_searches(cache: DatabaseCache) -> None:
    CachedSearch(ScriptedSearch([HIT]), cache, 60, "en").search("honey", SITES, 10, 5)
    same = CachedSearch(ScriptedSearch(), cache, 60, "en")
    assert same.remembered("honey", SITES, 10)
    assert not same.remembered("wax", SITES, 10)
    assert not same.remembered("honey", (), 10)
    assert not same.remembered("honey", SITES, 9)
    assert not CachedSearch(ScriptedSearch(), cache, 60, "de").remembered("honey", SITES, 10)
    assert not CachedSearch(ScriptedSearch(name="other"), cache, 60, "en").remembered("honey", SITES, 10)


def test_failures_empty_answers_and_old_ones_are_not_used(cache: DatabaseCache) -> None:
    failing = CachedSearch(ScriptedSearch(RateLimitError("later")), cache, 60)
    with pytest.raises(RateLimitError):
        failing.search("honey", (), 10, 5)
    CachedSearch(ScriptedSearch([]), cache, 60).search("honey", (), 10, 5)
    assert failing.remembered("honey", (), 10) is None
    CachedSearch(ScriptedSearch([HIT]), cache, -1).search("honey", (), 10, 5)
    assert failing.remembered("honey", (), 10) is None


def test_a_cache_that_fails_is_as_good_as_none() -> None:
    kept = CachedSearch(ScriptedSearch([HIT]), FullDisk(), 60)
    assert kept.remembered("honey", (), 10) is None
    assert kept.search("honey", (), 10, 5) == [HIT]


@pytest.mark.parametrize("body", [b"", b"{", b'[{"link": 7}]', b"\xff"])
def test_what_another_version_wrote_is_asked_for_again(body: bytes) -> None:
    memory = MemoryCache()
    kept = CachedSearch(ScriptedSearch([HIT]), memory, 60)
    kept.search("honey", (), 10, 5)
    assert kept.remembered("honey", (), 10)
    for row in memory.kept.values():
        row.body = body
    assert kept.remembered("honey", (), 10) is None
