"""The Analytics page over a real knowledge base: empty, filled, hostile, and with a store that fails."""

from datetime import date

from ghost.errors import StoreError
from ghost.knowledge import Alerts, KnowledgeBase, RunNote
from ghost.knowledge import Use as Used
from ghost.types import Kind, NewPassage, Origin, StanceLabel, Status
from ghost.ui.analytics import findings
from ghost.workbench import Workbench
from tests.pages.sections import Page, assert_plain, bench, choose, page
from tests.pages.visits import Patch, click, shown
from tests.ui.samples import HOSTILE

__all__ = ["bench", "page"]
VIEWS = {"Sources": 3, "Time": 1, "Use": 1, "Map": 0, "Health": 0}
"""With their charts of what ``fill`` puts in."""
DAY = date(2016, 11, 22)
NOTE = RunNote("r", "A claim.", "True", "only kelp-blog.net")


def fill(knowledge: KnowledgeBase) -> None:
    """Passages of several kinds, and a check that used one of them."""
    knowledge.add(
        [
            NewPassage("The Moon orbits the Earth once in about 27 days.", "https://www.nasa.gov/moon", topic="space",
                       published_at=date(2009, 3, 1), origin=Origin.SEED, kind=Kind.NOTE),
            NewPassage("The sea level rose by a few centimetres in ten years.", "https://www.reuters.com/sea"),
            *(NewPassage(f"Kelp tea number {n} tastes of iron and sea.", f"https://kelp-blog.net/{n}", topic="kelp")
              for n in range(4)),
            NewPassage("It waits for a decision of the analyst.", "https://example.org/w", status=Status.QUARANTINED),
        ]
    )  # fmt: skip
    moon = knowledge.search("The Moon orbits the Earth", 1)[0].passage.id
    knowledge.record_use("f" * 32, [Used(moon, 0.9, StanceLabel.REFUTES, True)])


def test_figures_charts_and_the_map_of_every_view(page: Page, bench: Workbench, monkeypatch: Patch) -> None:
    knowledge = bench.knowledge
    at = page("analytics")
    assert "There are no active passages yet." in shown(at)
    assert not at.get("plotly_chart")
    assert not at.metric
    fill(knowledge)
    at.run()
    assert {m.label: m.value for m in at.metric} == {
        "Active passages": "6", "Sources": "3", "Mean credibility": "0.64", "Different texts": "100%",
        "Dated": "17%", "Ever used": "17%",
    }  # fmt: skip
    words = {}
    for view, charts in VIEWS.items():
        choose(at, "analytics_view", view)
        assert len(at.get("plotly_chart")) == charts, view
        words[view] = shown(at)
    assert "The largest is **kelp-blog.net** with 4 passages" in words["Sources"]
    assert "**1 note** count 0.70, as the starter library" in words["Sources"]
    assert "1 check used stored passages 1 time." in words["Use"]
    assert "Draw the map" in words["Map"]
    assert "**1** of 2 topics depends on a single domain." in words["Health"]
    assert "**1 passage** waits for your decision." in words["Health"]
    with monkeypatch.context() as patch:
        for what in ("sources", "time", "use", "copies", "alerts_about"):
            patch.delattr(type(knowledge.analytics), what)
        at.run()  # nothing is counted twice
        assert not at.exception
        assert at.metric
    click(choose(at, "analytics_view", "Map"), "analytics_to_health")
    assert "What to review" in [h.value for h in at.header]
    click(choose(at, "analytics_view", "Map"), "analytics_map_draw")
    knowledge.analytics.map.wait(60)
    at.run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 1
    knowledge.add([NewPassage("Another passage about the harbour came in.", "https://example.org/h")])
    assert "The knowledge base has changed since this map was drawn." in shown(at.run())

    def fails() -> str:
        raise StoreError("The disk cannot be read. Check it and try again.")

    monkeypatch.setattr(knowledge.analytics, "mark", fails)
    assert "The disk cannot be read." in at.run().error[0].value.replace("\\", "")
    assert at.button(key="analytics_retry")


def test_hostile_text_stays_text(page: Page, bench: Workbench) -> None:
    knowledge = bench.knowledge
    knowledge.add(
        [
            NewPassage(f"{n} {HOSTILE} and more words for a passage", f"https://example{n}.org/", title=HOSTILE,
                       publisher=HOSTILE, topic="<b>x</b>[y](javascript:1)", language="<i>")
            for n in range(4)
        ]
    )  # fmt: skip
    ids = [p.id for p in knowledge.list()]
    knowledge.restore(ids)
    knowledge.record_use("r", [Used(i, 0.9, StanceLabel.SUPPORTS, True) for i in ids])
    knowledge.analytics.map.start()
    knowledge.analytics.map.wait(60)
    at = page("analytics")
    for view in VIEWS:
        assert_plain(choose(at, "analytics_view", view))
        for chart in at.get("plotly_chart"):
            assert "<script" not in chart.proto.spec
            assert "<img" not in chart.proto.spec


def test_findings_count_all_verdicts_although_some_are_named_and_one_passage_is_one() -> None:
    notes = (NOTE,) * 50
    found = {f.key: f for f in findings(Alerts(9, 0, DAY, 0, 0, 0, 0, None, (), 0, notes, 73, notes, 1_200))}
    assert found["weak"].says.startswith("**73 verdicts** rest on")
    assert found["retired"].says.startswith("**1,200 verdicts** cite")
    assert (found["weak"].more, found["retired"].more) == (63, 1_190)
    for number, words in (
        (1, ("was published before", "carries no publication date", "comes from domains", "names no page")),
        (2, ("were published before", "carry no publication date", "come from domains", "name no page")),
    ):
        said = " ".join(f.says for f in findings(Alerts(9, number, DAY, *(number,) * 3, 0, None, (), 0, (), 0, (), 0)))
        for word in words:
            assert word in said
