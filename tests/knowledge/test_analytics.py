"""Figures about a knowledge base whose counts are known beforehand, and its map, drawn in the background."""

import json
import threading
from datetime import date
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert

from ghost.knowledge import LIBRARY_CREDIBILITY, Analytics, CredibilityBook, KnowledgeBase, MapDrawer, Use
from ghost.knowledge import analytics as counting
from ghost.knowledge import map as drawing
from ghost.records import ReviewStore, VerdictSupport, runs, utc_now
from ghost.types import Kind, Label, NewPassage, Origin, StanceLabel, Status
from tests.records.kept import keep

TODAY = date(2026, 11, 22)
STORY = "The bridge over the Saltgate was closed on Monday after inspectors found cracks in two of its main girders."


@pytest.fixture
def figures(kb: KnowledgeBase, book: CredibilityBook) -> Analytics:
    """Figures of a knowledge base in which every kind of passage occurs."""
    kb.add(
        [
            NewPassage("The Moon orbits the Earth once in about 27 days.", "https://www.nasa.gov/moon", topic="space",
                       published_at=date(2026, 3, 1), origin=Origin.SEED),
            NewPassage("Mars has two small moons, Phobos and Deimos.", "https://www.nasa.gov/mars", topic="space",
                       published_at=date(2012, 3, 1), origin=Origin.SEED),
            NewPassage("The sea level rose by some centimetres.", "https://www.reuters.com/world/sea", topic="climate"),
            NewPassage("The photo of a shark that swims on a flooded motorway is made of two pictures.", "https://www.reuters.com/fact-check/shark",
                       origin=Origin.IMPORT, topic="animals", published_at=date(2025, 6, 1)),
            NewPassage("Kelp tea tastes of iron.", "https://kelp-blog.net/a", topic="kelp", language="en"),
            NewPassage("Kelp tea was first sold in 2003.", "https://kelp-blog.net/b", topic="kelp"),
            NewPassage("Kelp tea lowers the blood pressure.", "https://kelp-blog.net/c", topic="kelp", language="de"),
            NewPassage("A note without any address.", ""),
            NewPassage("It waits for a decision.", "https://example.org/w", status=Status.QUARANTINED),
        ]
    )  # fmt: skip
    return Analytics(kb.database, book, lambda: TODAY)


def test_sources(figures: Analytics) -> None:
    found = figures.sources()
    assert found.active == 8
    assert found.domain_count == 3
    assert [(d.name, d.passages) for d in found.domains] == [
        ("kelp-blog.net", 3), ("nasa.gov", 2), ("reuters.com", 2), ("", 1),
    ]  # fmt: skip
    assert found.without_address == 1
    assert found.unrated == 3
    assert dict(found.languages) == {"en": 7, "de": 1}
    assert dict(found.topics) == {"kelp": 3, "space": 2, "climate": 1, "animals": 1, "": 1}
    assert dict(found.types)["government"] == 2
    assert (found.notes, found.notes_credibility, found.library) == (1, None, LIBRARY_CREDIBILITY)


def test_notes_have_the_rating_of_the_library_and_those_of_their_pages(figures: Analytics, kb: KnowledgeBase) -> None:
    kb.add([
        NewPassage("The Sun is a star.", "https://www.nasa.gov/sun", kind=Kind.NOTE),
        NewPassage("Kelp tea is green.", "https://kelp-blog.net/d", kind=Kind.NOTE),
    ])  # fmt: skip
    rated = {d.name: d.credibility for d in figures.sources().domains}
    found = figures.sources()
    assert (found.notes, found.library) == (3, LIBRARY_CREDIBILITY)
    assert found.notes_credibility == pytest.approx((rated["nasa.gov"] + rated["kelp-blog.net"]) / 2)


def test_credibility_goes_by_the_address_not_only_by_the_domain(figures: Analytics, book: CredibilityBook) -> None:
    found = figures.sources()
    by_bin = {(b.low, b.high): (b.passages, b.domains) for b in found.credibility}
    assert len(by_bin) == 10
    # reuters.com has 0.90 and its fact-check desk 0.95; both are in the last bin, with nasa.gov.
    assert by_bin[0.9, 1.0] == (4, 2)
    assert by_bin[0.5, 0.6] == (4, 2)
    reuters = next(d for d in found.domains if d.name == "reuters.com")
    assert reuters.credibility == pytest.approx((0.90 + 0.95) / 2)
    assert book.of_domain("reuters.com") is None


def test_time(figures: Analytics, kb: KnowledgeBase) -> None:
    found = figures.time()
    ages = {age.name: age for age in found.ages}
    assert {name: age.passages for name, age in ages.items()} == {
        "Under 1 year": 1, "1 to 2 years": 1, "2 to 5 years": 0, "5 to 10 years": 0, "10 to 20 years": 1,
        "Over 20 years": 0,
    }  # fmt: skip
    assert ages["Under 1 year"].first == date(2025, 11, 23)
    assert ages["1 to 2 years"].last == date(2025, 11, 22)
    assert ages["Over 20 years"].first is None
    assert found.undated == 5
    assert (found.oldest, found.newest) == (date(2012, 3, 1), date(2026, 3, 1))
    assert sum(n for _, _, n in found.arrivals) == 9  # quarantined ones came in, too
    kb.retire([p.id for p in kb.list(limit=1)])
    assert sum(n for _, _, n in figures.time().arrivals) == 8


def test_the_mark_changes_with_writes_checks_and_ratings(
    figures: Analytics, kb: KnowledgeBase, book: CredibilityBook
) -> None:
    first = figures.mark()
    assert figures.mark() == first
    moon = kb.search("The Moon orbits the Earth", 1)[0].passage.id
    kb.record_use("r1", [Use(moon, 0.9, StanceLabel.SUPPORTS, True)])
    used = figures.mark()
    assert used != first
    kb.retire([moon])
    retired = figures.mark()
    assert retired not in (first, used)
    book.override({}, {})
    assert figures.mark() != retired


def test_use_and_balance(figures: Analytics, kb: KnowledgeBase) -> None:
    empty = figures.use()
    assert (empty.runs, empty.uses, empty.never, empty.most, empty.balance.total) == (0, 0, 8, (), 0)
    ids = {p.text[:8]: p.id for p in kb.list()}
    kb.record_use("r1", [Use(ids["The Moon"], 0.9, StanceLabel.SUPPORTS, True),
                         Use(ids["Kelp tea"], 0.4, StanceLabel.NEUTRAL, False)])  # fmt: skip
    kb.record_use("r2", [Use(ids["The Moon"], 0.9, StanceLabel.REFUTES, False)])
    found = figures.use()
    assert (found.runs, found.uses, found.never) == (2, 3, 6)
    top = found.most[0]
    assert (top.id, top.runs, top.cited, top.supports, top.refutes) == (ids["The Moon"], 2, 1, 1, 1)
    assert (found.balance.supports, found.balance.refutes, found.balance.neutral) == (1, 1, 1)
    assert {b.name: b.total for b in found.by_type} == {"government": 2, "unknown": 1}
    assert [b.name for b in found.by_domain] == ["nasa.gov", "kelp-blog.net"]
    assert ("seed", 1, 2) in found.never_by_origin


def test_copies_count_as_one_origin(kb: KnowledgeBase, book: CredibilityBook) -> None:
    kb.add([NewPassage(STORY, f"https://{site}/story") for site in ("one.org", "two.org", "three.org")])
    kb.add([NewPassage("Something else altogether was said about the harbour.", "https://four.org/")])
    figures = Analytics(kb.database, book)
    found = figures.copies()
    assert (found.active, found.origins, found.sizes) == (4, 2, ((3, 1),))
    assert (found.largest[0].passages, found.largest[0].domains, found.largest[0].text) == (3, 3, STORY)
    kb.retire([found.largest[0].id])
    fewer = figures.copies()
    assert (fewer.active, fewer.origins, fewer.sizes) == (3, 2, ((2, 1),))


def test_alerts(figures: Analytics, kb: KnowledgeBase) -> None:
    found = figures.alerts_about(figures.sources())
    assert (found.stale, found.undated, found.unrated, found.without_address, found.quarantined) == (1, 5, 3, 1, 1)
    assert found.stale_before == date(2016, 11, 22)
    assert [(t.name, t.domain, t.passages) for t in found.topics] == [("kelp", "kelp-blog.net", 3)]
    assert found.dominant is None
    kb.add([NewPassage(f"Statement number {n} about kelp.", f"https://kelp-blog.net/{n}") for n in range(9)])
    assert figures.alerts_about(figures.sources()).dominant == ("kelp-blog.net", 12)


def test_alerts_name_the_analysts_verdict_before_ghosts(figures: Analytics, kb: KnowledgeBase) -> None:
    moon = kb.search("The Moon orbits the Earth", 1)[0].passage
    passage = {"publisher": "", "domain": "kelp-blog.net", "title": ""}
    evidence = [{"number": 1, "credibility": 0.4, "group": 1, "passage": passage}]
    verdict = {"citations": [{"n": 1, "accepted": True, "stance": StanceLabel.SUPPORTS.value}]}
    row = {"id": "run", "status": "finished", "claim_text": "Kelp tea helps", "label": "True", "started_at": utc_now()}
    row |= {"verdict": json.dumps(verdict), "evidence": json.dumps(evidence), "owner": "", "claim": "{}", "judge": "{}"}
    with kb.database.write() as connection:
        connection.execute(insert(runs).values(settings="{}", usage="{}", **row))
    kb.record_use("run", [Use(moon.id, 0.9, StanceLabel.SUPPORTS, True)])
    kb.retire([moon.id])
    found = figures.alerts_about(figures.sources())
    assert [(n.label, m.label) for n, m in zip(found.weak, found.retired, strict=True)] == [("True", "True")]
    ReviewStore(kb.database).override("run", Label.MISLEADING, "Half of it.")
    found = figures.alerts_about(figures.sources())
    assert [(n.label, m.label) for n, m in zip(found.weak, found.retired, strict=True)] == [
        ("Misleading", "Misleading")
    ]


def test_verdicts_on_retired_evidence_are_all_counted(
    figures: Analytics, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "RUNS_NAMED", 1)
    moon, mars = (kb.search(words, 1)[0].passage.id for words in ("The Moon orbits the Earth", "Mars has two moons"))
    for run_id in ("r1", "r2"):
        keep(kb.database, run_id)
        kb.record_use(run_id, [Use(p, 0.9, StanceLabel.SUPPORTS, True) for p in (moon, mars)])
    keep(kb.database, "r3")
    kb.record_use("r3", [Use(moon, 0.9, StanceLabel.SUPPORTS, False)])
    kb.retire([moon, mars])
    found = figures.alerts_about(figures.sources())
    assert (found.retired_in_all, len(found.retired)) == (2, 1)
    supports = [VerdictSupport(f"w{n}", "A claim.", Label.TRUE, 1, 0.3, "kelp-blog.net") for n in range(3)]
    monkeypatch.setattr(figures._supports, "weak", lambda limit: tuple(supports[:limit]))
    monkeypatch.setattr(figures._supports, "count_weak", lambda: len(supports))
    again = figures.alerts_about(figures.sources())
    assert (again.weak_in_all, len(again.weak)) == (3, 1)


def test_an_empty_knowledge_base_has_figures_too(kb: KnowledgeBase, book: CredibilityBook) -> None:
    figures = Analytics(kb.database, book)
    assert figures.sources().active == 0
    assert figures.sources().mean_credibility is None
    assert figures.time().arrivals == ()
    assert figures.copies().origins == 0
    assert figures.use().never == 0
    assert figures.alerts_about(figures.sources()).topics == ()
    kb.analytics.map.start()
    kb.analytics.map.wait(30)
    made = kb.analytics.map.drawing().map
    assert made is not None
    assert made.places == ()


LONG = (
    "the sea at the pier of Port Ansel rose higher than ever before, and the harbour master had the lower quay closed "
    "until the carpenters of the town had raised it by two rows of oak planks."
)


def test_the_map_knows_its_passages(kb: KnowledgeBase) -> None:
    kb.add([NewPassage(f"In {n + 1900} {LONG}", f"https://sea.org/{n}", topic="sea") for n in range(8)])
    kb.retire([kb.list(limit=1)[0].id])
    drawn = kb.analytics.map
    drawn.start()
    drawn.wait(30)
    found = drawn.drawing()
    assert not found.running
    assert found.error == ""
    assert found.map is not None
    assert {p.id for p in found.map.places} == {p.id for p in kb.list() if p.status == "active"}
    assert found.map.mark == drawn.mark()
    place = found.map.places[0]
    assert (place.topic, place.domain, place.source) == ("sea", "sea.org", "Entered by hand (sea.org)")
    assert len(place.excerpt) <= drawing.EXCERPT
    kb.add([NewPassage("One more.", "https://sea.org/more")])
    assert found.map.mark != drawn.mark()


def test_a_large_knowledge_base_is_sampled_the_same_way_each_time(kb: KnowledgeBase, book: CredibilityBook) -> None:
    kb.add([NewPassage(f"Fact number {n}.", f"https://sea.org/{n}") for n in range(60)])
    seen = []
    for _ in range(2):
        drawn = MapDrawer(kb.database, book, sample=20)
        drawn.start()
        drawn.wait(30)
        made = drawn.drawing().map
        assert made is not None
        assert (len(made.places), made.active) == (20, 60)
        seen.append(made.places)
    assert seen[0] == seen[1]


def test_cancelling_keeps_the_map_before(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kb.add([NewPassage(f"Fact number {n}.", f"https://sea.org/{n}") for n in range(10)])
    drawn = kb.analytics.map
    drawn.start()
    drawn.wait(30)
    before = drawn.drawing().map
    begun = threading.Event()

    def slow(vectors: np.ndarray, progress: Any) -> np.ndarray | None:
        while progress(1, 2):
            begun.set()
        return None

    monkeypatch.setattr(drawing, "layout", slow)
    drawn.start()
    assert begun.wait(30)
    assert drawn.drawing().running
    drawn.start()  # does not begin a second one
    drawn.cancel()
    drawn.wait(30)
    assert not drawn.drawing().running
    assert drawn.drawing().map is before


def test_a_failure_is_told(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    kb.add([NewPassage("The sea is salty and deep.", "https://sea.org/")])

    def broken(*_: object) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(drawing, "layout", broken)
    kb.analytics.map.start()
    kb.analytics.map.wait(30)
    assert "no room" in kb.analytics.map.drawing().error
