"""Ratings of domains: in force at once, seen before they are, and undone."""

from collections.abc import Callable

import pytest
from sqlalchemy import insert

from ghost.errors import ClaimError, StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase, Ratings, Use, entry_of, rating_of
from ghost.records import DomainRating, ReviewStore, runs, utc_now
from ghost.types import Label, NewPassage, SourceType, StanceLabel

NASA = "From low Earth orbit the Great Wall of China is hardly visible to the naked eye."
BBC = "The wall is not visible from the Moon, said the broadcaster in its long report."
OPINION = "The wall should be visible from everywhere, wrote the columnist in a long piece."
OTHER = "Otters hold hands while they sleep so that they do not drift apart."


@pytest.fixture
def book() -> CredibilityBook:
    """One of this test's own: ratings change it."""
    return CredibilityBook({"gov": 0.9, "nasa.gov": 0.95, "bbc.co.uk/news": 0.8}, [], 0.5)


@pytest.fixture
def filled(kb: KnowledgeBase) -> KnowledgeBase:
    kb.add(
        [
            NewPassage(NASA, "https://science.nasa.gov/wall"),
            NewPassage(BBC, "https://www.bbc.co.uk/news/wall"),
            NewPassage(OPINION, "https://www.bbc.co.uk/opinion/wall"),
            NewPassage(OTHER),
        ]
    )
    return kb


def worth(kb: KnowledgeBase) -> dict[str, float]:
    return {p.text: p.credibility for p in kb.list()}


def test_a_rating_counts_at_once_and_goes_before_the_settings(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    change = ratings.rate("bbc.co.uk", 0.3, "  partisan\u200b ")
    assert worth(filled) == {NASA: 0.95, BBC: 0.3, OPINION: 0.3, OTHER: 0.5}
    assert filled.search("wall moon broadcaster", 1)[0].passage.credibility == 0.3
    assert (filled.book.basis("https://bbc.co.uk/x"), filled.book.basis("https://nasa.gov")) == ("yours", "settings")
    assert filled.book.basis("https://example.org") == "unrated"
    assert ratings.all() == {"bbc.co.uk": DomainRating("bbc.co.uk", 0.3, None, "partisan")}
    assert ratings.rate("bbc.co.uk", 0.3, "partisan") == ""
    assert ratings.undo(change) == ()
    assert worth(filled)[BBC] == 0.8
    with pytest.raises(StoreError, match="already"):
        ratings.undo(change)


def test_of_several_ratings_the_longest_wins(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    ratings.rate("https://www.bbc.co.uk/opinion/?x=1", 0.1)
    ratings.rate("co.uk", 0.4)
    assert worth(filled) == {NASA: 0.95, BBC: 0.4, OPINION: 0.1, OTHER: 0.5}
    ratings.remove("co.uk")
    assert worth(filled)[BBC] == 0.8


def test_what_a_rating_would_change_is_told_before(filled: KnowledgeBase) -> None:
    wall, bbc = (filled.search(text, 1)[0].passage.id for text in (NASA, BBC))
    with filled.database.write() as connection:
        for number in range(3):
            row = {"id": f"run{number}", "status": "finished", "claim_text": f"Claim {number}", "label": "False"}
            row |= {"started_at": utc_now().replace(tzinfo=None), "owner": "", "claim": "{}", "judge": "{}"}
            connection.execute(insert(runs).values(settings="{}", usage="{}", **row))
    filled.record_use("run0", [Use(bbc, 0.9, StanceLabel.REFUTES, True), Use(wall, 0.9, StanceLabel.REFUTES, True)])
    filled.record_use("run1", [Use(bbc, 0.9, StanceLabel.REFUTES, False)])
    filled.record_use("run2", [Use(wall, 0.9, StanceLabel.REFUTES, True)])
    ratings = Ratings(filled)
    effect = ratings.effect({"bbc.co.uk": rating_of("bbc.co.uk", 0.8)})
    assert (effect.passages, effect.under, effect.runs) == (1, 2, 0)
    effect = ratings.effect({"bbc.co.uk": rating_of("bbc.co.uk", 0.2)})
    assert (effect.passages, effect.active, effect.runs) == (2, 2, 1)
    assert effect.before == {0.5: 1, 0.8: 1}
    assert [(r.run_id, r.claim, r.label) for r in effect.shown] == [("run0", "Claim 0", "False")]
    ReviewStore(filled.database).override("run0", Label.MISLEADING, "Half of it.")
    (cited,) = ratings.effect({"bbc.co.uk": rating_of("bbc.co.uk", 0.2)}).shown
    assert cited.label == "Misleading"  # the analyst's, as everywhere
    assert ratings.effect({"gov": rating_of("gov", 0.2)}).domains == {"nasa.gov": 1}
    assert ratings.effect({"nasa.gov/other": rating_of("nasa.gov/other", 0.2)}).under == 0
    assert worth(filled)[BBC] == 0.8
    ratings.rate("bbc.co.uk", 0.2)
    assert ratings.effect({"bbc.co.uk": None}).before == {0.2: 2}


def test_the_kind_of_source_changes_for_passages_that_are_there(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    assert filled.search(BBC, 1)[0].passage.source_type is SourceType.NEWS
    change = ratings.rate("bbc.co.uk/opinion", 0.4, "", SourceType.UNKNOWN)
    kinds = {p.text: p.source_type for p in filled.list()}
    assert (kinds[BBC], kinds[OPINION]) == (SourceType.NEWS, SourceType.UNKNOWN)
    assert filled.check().in_step
    ratings.undo(change)
    assert {p.text: p.source_type for p in filled.list()}[OPINION] is SourceType.NEWS


def test_an_undo_leaves_what_was_rated_again_since(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    first = ratings.change({e: rating_of(e, 0.2) for e in ("a.org", "b.org")}, "a list")
    ratings.rate("b.org", 0.7)
    assert ratings.undo(first) == ("b.org",)
    assert {e: r.credibility for e, r in ratings.all().items()} == {"b.org": 0.7}
    newest, oldest = ratings.changes()
    assert (newest.count, oldest.count, oldest.reason) == (1, 2, "a list")
    assert oldest.undone_at is not None
    with pytest.raises(StoreError, match="no change"):
        ratings.undo("nonesuch")


def test_an_undo_that_would_bring_nothing_back_is_refused_and_can_be_done_later(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    first, second = ratings.rate("a.org", 0.2), ratings.rate("a.org", 0.3)
    with pytest.raises(StoreError, match=r"rated again since\. Undo the later rating first"):
        ratings.undo(first)
    assert ratings.all()["a.org"].credibility == 0.3
    ratings.undo(second)
    ratings.undo(first)
    assert ratings.all() == {}


def test_ratings_are_there_after_a_restart_and_for_other_processes(open_kb: Callable[..., KnowledgeBase]) -> None:
    kb = open_kb()
    mine, theirs = Ratings(kb), Ratings(kb)
    mine.rate("example.org", 0.1)
    kb.book.override({}, {})
    theirs.refresh()
    assert kb.book.credibility("https://www.example.org/a") == 0.1


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        " ",
        "exa mple.org",
        "a@b.org",
        " https://a:b@c.org/@d",
        "//a@b.org",
        "http://",
        "a..b",
        "x" * 300,
        "-\0-",
        "[::1]",
    ],
)
def test_what_is_no_domain_is_refused(wrong: str) -> None:
    with pytest.raises(ClaimError, match="is no domain"):
        entry_of(wrong)


@pytest.mark.parametrize(
    ("written", "entry"),
    [
        ("Example.ORG.", "example.org"),
        ("https://www.example.org/", "example.org"),
        ("http://user.example.org:8080/Opinion/?q=1#x", "user.example.org/opinion"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("gov", "gov"),
        ("medium.com/@Author", "medium.com/@author"),
        ("https://www.youtube.com/@channel/videos?x=1", "youtube.com/@channel/videos"),
        ("a.org?to=b@c.org", "a.org"),
        ("//mastodon.social/@name", "mastodon.social/@name"),
    ],
)
def test_a_domain_in_any_form_is_understood(written: str, entry: str) -> None:
    assert entry_of(written) == entry


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_credibility_is_between_nought_and_one(wrong: float) -> None:
    with pytest.raises(ClaimError, match="from 0 to 1"):
        rating_of("example.org", wrong)
