"""Where a visitor can be, and how to know that the page has arrived there."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.conftest import STEP_MS, Served

MAIN = ":is([data-testid=stMain], [data-testid=stAppScrollToBottomContainer])"
"""What scrolls; a page with a field for a chat has a container of its own."""
_READY = f"""() => {{
    const app = document.querySelector('[data-testid=stApp]')
    return app && app.dataset.testScriptState === 'notRunning' && document.querySelector('{MAIN} :is(h1, h2)')
        && !document.querySelector('[data-testid=stSkeleton], [data-testid=stSpinner]')
}}"""
_RUN = "?run=" + "e" * 32


@dataclass(frozen=True, slots=True)
class Place:
    """A view of a page: its address, and what is clicked to see all of it."""

    path: Callable[[Served], str]
    opens: tuple[str, ...] = ()
    """Words of expanders to open."""
    tab: str = ""
    draws: str = ""
    """A button that draws what is slow, unless somebody has clicked it before."""


def _at(path: str, *opens: str, tab: str = "") -> Place:
    return Place(lambda served: path, opens, tab)


EMPTY = {
    "verify": _at("/"),
    "ask": _at("/ask"),
    "research": _at("/research"),
    **{f"research {s}": _at(f"/research?section={s}", *(("Add your own",) if s == "skills" else ()))
       for s in ("facts", "pages", "skills")},
    "batch": _at("/batch"),
    "cases": _at("/cases"),
    **{f"knowledge {s}": _at(f"/knowledge?section={s}")
       for s in ("browse", "cards", "quarantine", "duplicates", "seeds", "import", "domains", "readings",
                 "changes")},
    "analytics": _at("/analytics"),
    "trace": _at("/trace"),
    "questions": _at("/trace?list=questions"),
    "researches": _at("/trace?list=research"),
    "settings": _at("/settings"),
}  # fmt: skip
FILLED = {
    **{name: place for name, place in EMPTY.items() if name != "analytics"},
    "report": _at(f"/{_RUN}", "1 citation rejected", "How it was checked", "Export"),
    "report of a run that searched": _at("/?run=" + "8" * 32, "Other evidence", "Searches · 2", "Details"),
    "report of a failure": _at("/?run=" + "a" * 32),
    "report of a conversation": _at("/?run=" + "5" * 32, "Conversation · 3 turns", "How it was checked"),
    "report of a conversation that was left": _at("/?run=" + "6" * 32, "Conversation · 1 turn"),
    "one research": _at(
        "/research?research=" + "1" * 32, "Steps", "Memory", "Export"
    ),
    "hostile research": _at("/research?research=" + "2" * 32, "Skill: ", "Memory"),
    "stopped research": _at("/research?research=" + "3" * 32),
    "unknown research": _at("/research?research=nonsense"),
    "article": Place(lambda served: f"/?article={served.id_of('article')}"),
    "one batch": Place(lambda served: f"/batch?batch={served.id_of('batch')}"),
    "one case": Place(lambda served: f"/cases?case={served.id_of('case')}"),
    "passage": Place(lambda served: f"/knowledge?passage={served.id_of('passage')}"),
    "passage being edited": Place(lambda served: f"/knowledge?passage={served.id_of('passage')}&form=edit"),
    "new passage": _at("/knowledge?form=add"),
    "one card": Place(lambda served: f"/knowledge?card={served.id_of('card')}", ("Sources and limits",)),
    "unknown card": _at("/knowledge?card=nonsense"),
    "conversation": _at("/ask?conversation=talk", "How this was routed", "Sources and limits"),
    "unknown conversation": _at("/ask?conversation=nonsense"),
    "domain": _at("/knowledge?section=domains&rate=example.org"),
    **{f"analytics {view.lower()}": _at(f"/analytics?analytics_view={view}")
       for view in ("Sources", "Time", "Use", "Health")},
    "analytics map": Place(lambda served: "/analytics?analytics_view=Map", draws="Draw the map"),
    "one trace": _at(f"/trace{_RUN}"),
    "candidates": _at(f"/trace?run={'8' * 32}", tab="Candidates"),
    "what if": _at(f"/trace?run={'f' * 32}", tab="What if"),
    "a conversation": _at(f"/trace?run={'5' * 32}"),
    "two pipelines": _at(f"/trace?run={'5' * 32}&with={'f' * 32}", tab="Compare"),
    "two runs": _at(f"/trace{_RUN}&with={'f' * 32}", tab="Compare"),
    **{f"quality {view.lower()}": _at(f"/quality?quality_view={view}")
       for view in ("Near misses", "Confidence", "Verdicts", "Stance", "Retrieval", "Live investigation", "Speed",
                    "Your verdicts")},
    **{f"settings {section}": _at(f"/settings?section={section}")
       for section in ("models", "stores", "web", "sources", "connect", "all")},
}  # fmt: skip


def go(page: Page, served: Served, place: Place) -> None:
    """Be there, with everything drawn."""
    page.goto(served.address + place.path(served))
    settle(page)
    for words in place.opens:
        page.get_by_text(words).first.click()
    if place.tab:
        page.get_by_role("tab", name=place.tab).click()
        expect(page.locator("[role=tabpanel]:visible").locator("h2, p").first).to_be_visible()
        settle(page)
    if place.draws:
        button = page.get_by_role("button", name=place.draws)
        expect(button.or_(page.locator(".js-plotly-plot")).first).to_be_visible()
        if button.count():
            button.click()
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        settle(page)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)


def settle(page: Page) -> None:
    """Wait until nothing is being drawn any more."""
    page.wait_for_function(_READY, timeout=STEP_MS * 4)
    page.wait_for_timeout(50)
    page.wait_for_function(_READY, timeout=STEP_MS * 4)
