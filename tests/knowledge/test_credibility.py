"""How credible sources are: by their address, by the analyst's ratings, and marked as bad."""

import pytest
from sqlalchemy import insert

from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY, UNKNOWN_CREDIBILITY
from ghost.errors import ClaimError, StoreError
from ghost.knowledge import (
    MARKED_CREDIBILITY,
    CredibilityBook,
    HostRules,
    KnowledgeBase,
    Ratings,
    SourceMarks,
    Use,
    entry_of,
    is_satire_site,
    rating_of,
)
from ghost.records import DomainRating, ReviewStore, runs, utc_now
from ghost.types import Label, NewPassage, SourceType, StanceLabel, Status
from tests.knowledge.helpers import BEES, one, table
from tests.records.kept import keep

RULES = HostRules(
    {"gov": 1, "afp.com": 2, "factcheck.afp.com": 3, "reuters.com": 4, "reuters.com/fact-check": 5, "bbc.co.uk": 6,
     "münchen.de": 7}
)  # fmt: skip
ODD = (
    "not a url at all", "http://", "http://[::1", "http://[not-an-ip]/", "http://a..b...c/",
    "http://" + "a." * 500 + "com", "http://" + "ä" * 300 + ".de", "http://exa mple.com", "http://\x00\x01",
    "javascript:alert(1)", "data:text/html,<b>x</b>", "mailto:a@b.c", "http://host:notaport/", "http://host:99999999/",
    "file:///etc/passwd", "http://\ud800.com/", "http://xn--/", "http://xn--a-ecp.ru", "///", "://", "?" * 5000,
    "http://☃.net/",
)  # fmt: skip
SATIRE = {
    "https://www.theonion.com/area-man-passionate-defender-1819571149": True, "https://babylonbee.com/news/x": True,
    "https://www.newyorker.com/humor/borowitz-report/x": True, "https://speld.nl": True,
    "https://www.newyorker.com/magazine/x": False, "https://theonion.com.example/x": False, "": False, "x": False,
}  # fmt: skip
NASA = "From low Earth orbit the Great Wall of China is hardly visible to the naked eye."
BBC = "The wall is not visible from the Moon, said the broadcaster in its long report."
OPINION = "The wall should be visible from everywhere, wrote the columnist in a long piece."
OTHER = "Otters hold hands while they sleep so that they do not drift apart."


def test_what_is_known_about_sources_by_their_address(book: CredibilityBook) -> None:
    for row in table("host_rules"):
        assert RULES.find(row["url"]) == row["value"], row
        assert RULES.matches(row["url"]) is (row["value"] is not None)
    shipped = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS, UNKNOWN_CREDIBILITY)
    for row in table("sources"):
        url, known = row["url"], (row["credibility"], row["kind"], row["domain"])
        assert (shipped.credibility(url), shipped.source_type(url), shipped.domain(url)) == known, url
    for url in ODD:
        assert 0 <= book.credibility(url) <= 1
        assert book.source_type(url) in SourceType
        assert len(book.domain(url)) <= 255
    assert {url: is_satire_site(url) for url in SATIRE} == SATIRE


@pytest.fixture
def book() -> CredibilityBook:
    """One of this test's own: ratings change it."""
    return CredibilityBook({"gov": 0.9, "nasa.gov": 0.95, "bbc.co.uk/news": 0.8}, [], 0.5)


@pytest.fixture
def filled(kb: KnowledgeBase) -> KnowledgeBase:
    hosts = ("science.nasa.gov", "www.bbc.co.uk/news", "www.bbc.co.uk/opinion")
    kb.add(map(NewPassage, (NASA, BBC, OPINION, OTHER), (*(f"https://{host}/wall" for host in hosts), "")))
    return kb


def worth(kb: KnowledgeBase) -> dict[str, float]:
    return {p.text: p.credibility for p in kb.list()}


def test_a_rating_counts_at_once_and_goes_before_the_settings(filled: KnowledgeBase) -> None:
    ratings, book = Ratings(filled), filled.book
    change = ratings.rate("bbc.co.uk", 0.3, "  partisan\u200b ")
    assert worth(filled) == {NASA: 0.95, BBC: 0.3, OPINION: 0.3, OTHER: 0.5}
    assert filled.search("wall moon broadcaster", 1)[0].passage.credibility == 0.3
    bases = [book.basis(f"https://{host}/x") for host in ("bbc.co.uk", "nasa.gov", "example.org")]
    assert bases == ["yours", "settings", "unrated"]
    assert ratings.all() == {"bbc.co.uk": DomainRating("bbc.co.uk", 0.3, None, "partisan")}
    assert ratings.rate("bbc.co.uk", 0.3, "partisan") == ""
    book.override({}, {})
    Ratings(filled)  # as after a restart
    assert book.credibility("https://www.bbc.co.uk/a") == 0.3
    assert ratings.undo(change) == ()
    assert worth(filled)[BBC] == 0.8
    with pytest.raises(StoreError, match="already"):
        ratings.undo(change)


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
    assert (effect.passages, effect.active, effect.runs, effect.before) == (2, 2, 1, {0.5: 1, 0.8: 1})
    assert [(r.run_id, r.claim, r.label) for r in effect.shown] == [("run0", "Claim 0", "False")]
    ReviewStore(filled.database).override("run0", Label.MISLEADING, "Half of it.")
    (cited,) = ratings.effect({"bbc.co.uk": rating_of("bbc.co.uk", 0.2)}).shown
    assert cited.label == "Misleading"  # the analyst's, as everywhere
    assert ratings.effect({"gov": rating_of("gov", 0.2)}).domains == {"nasa.gov": 1}
    assert ratings.effect({"nasa.gov/other": rating_of("nasa.gov/other", 0.2)}).under == 0
    assert worth(filled)[BBC] == 0.8


def test_the_kind_of_source_changes_for_passages_that_are_there(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    change = ratings.rate("https://www.bbc.co.uk/opinion/?x=1", 0.4, "", SourceType.UNKNOWN)
    kinds = {p.text: p.source_type for p in filled.list()}
    assert (kinds[BBC], kinds[OPINION]) == (SourceType.NEWS, SourceType.UNKNOWN)
    assert filled.check().in_step
    ratings.undo(change)
    assert {p.text: p.source_type for p in filled.list()}[OPINION] is SourceType.NEWS


def test_an_undo_leaves_what_was_rated_again_since(filled: KnowledgeBase) -> None:
    ratings = Ratings(filled)
    first = ratings.change({e: rating_of(e, 0.2) for e in ("a.org", "b.org")}, "a list")
    second = ratings.change({e: rating_of(e, 0.7) for e in ("a.org", "b.org")})
    with pytest.raises(StoreError, match=r"rated again since\. Undo the later rating first"):
        ratings.undo(first)
    ratings.undo(second)
    ratings.rate("b.org", 0.7)
    assert ratings.undo(first) == ("b.org",)
    assert {e: r.credibility for e, r in ratings.all().items()} == {"b.org": 0.7}
    newest, _, oldest = ratings.changes()
    assert (newest.count, oldest.count, oldest.reason) == (1, 2, "a list")
    assert oldest.undone_at is not None
    with pytest.raises(StoreError, match="no change"):
        ratings.undo("nonesuch")


def test_a_domain_in_any_form_is_understood_or_refused() -> None:
    for row in table("domain_entries"):
        if row["entry"] is not None:
            assert entry_of(row["written"]) == row["entry"]
            continue
        with pytest.raises(ClaimError, match="is no domain"):
            entry_of(row["written"])
    for wrong in (-0.1, 1.1, float("nan"), float("inf")):
        with pytest.raises(ClaimError, match="from 0 to 1"):
            rating_of("example.org", wrong)


Marked = tuple[SourceMarks, ReviewStore, Ratings, str]


@pytest.fixture
def marked(kb: KnowledgeBase) -> Marked:
    """Marks over a knowledge base with a run and one passage, whose id is the last."""
    keep(kb.database, "r1")
    reviews, ratings = ReviewStore(kb.database), Ratings(kb)
    (passage,) = kb.add([NewPassage(BEES, "https://bees.example/")]).ids
    return SourceMarks(kb, reviews, ratings), reviews, ratings, passage


def test_a_marked_passage_is_retired_with_the_reason_and_comes_back(
    kb: KnowledgeBase, marked: Marked, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks, reviews, _, passage = marked
    with pytest.raises(ClaimError, match="say why"):
        marks.passage("r1", passage, " ")
    with pytest.raises(ClaimError, match="not in your knowledge base"):
        marks.passage("r1", "web:1", "a snippet")

    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(kb, "retire", fail)
        with pytest.raises(StoreError):
            marks.passage("r1", passage, "x")
    assert reviews.of("r1").marks == ()  # no mark says what did not happen
    mark = marks.passage("r1", passage, " Made up. ")
    assert one(kb, BEES).status is Status.RETIRED
    assert kb.history(passage)[-1].note == "marked as bad in check r1: Made up."
    assert reviews.of("r1").marks == (mark,)
    with pytest.raises(ClaimError, match="is retired"):
        marks.passage("r1", passage, "again")
    with monkeypatch.context() as patch:
        patch.setattr(kb, "restore", fail)
        with pytest.raises(StoreError):
            marks.undo(mark)
    assert reviews.of("r1").marks == (mark,)
    marks.undo(mark)
    marks.undo(mark)
    assert one(kb, BEES).status is Status.ACTIVE
    assert [h.action for h in kb.history(passage)] == ["added", "retired", "restored"]
    assert reviews.of("r1").marks == ()


def test_a_domain_is_rated_lower_and_its_rating_taken_away_again(marked: Marked) -> None:
    marks, _, ratings, _ = marked
    note = "marked as bad in check r1: Honey."
    lower = {"bees.example": DomainRating("bees.example", MARKED_CREDIBILITY, None, note)}
    mark = marks.domain("r1", "bees.example", "Honey.")
    marks.undo(marks.domain("r1", "bees.example", "Honey."))
    assert ratings.all() == lower
    marks.undo(mark)
    marks.undo(mark)
    assert ratings.all() == {}
    with pytest.raises(StoreError):
        marks.domain("nobody", "bees.example", "x")
    with pytest.raises(ClaimError, match="cannot be changed here"):
        marks.domain("r1", "", "x")
    assert ratings.all() == {}
