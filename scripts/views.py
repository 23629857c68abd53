"""Which pages are taken: the address of each, what is there when it is ready, and what is clicked before."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from filled import Filled
from playwright.sync_api import Page

LINK = urlencode({"claim": "The Great Wall of China is visible from the Moon.", "found_at": "https://example.org/wall"})


@dataclass(frozen=True, slots=True)
class View:
    """One picture's subject."""

    name: str
    path: str
    ready: str
    """Text that stands on the page when it is drawn."""
    before: Callable[[Page], None] = lambda _: None
    """What is done on the page first."""


def _unfold(page: Page) -> None:
    """Open what is folded in the answers."""
    for words in ("How this was routed", "Sources and limits"):
        for fold in page.get_by_text(words).all():
            fold.click()


def _plan(page: Page) -> None:
    """Plan a topic that was researched before."""
    page.get_by_label("Topic").fill("The Saltgate Bridge")
    page.get_by_label("Topic").blur()
    page.get_by_role("button", name="Plan this research").click()
    page.get_by_text("COST AT MOST").wait_for()


PACK = b"""text,url,title,kind
"Otters hold hands while they sleep, so that they do not drift apart.",https://example.org/otters,Otters,excerpt
"Sea otters live on the coasts of the northern Pacific Ocean.",https://example.org/otters,Otters,note
"Otters dive for up to five minutes.",https://example.org/otters,Otters,rumour
"Too short",https://example.org/otters,,excerpt
"""


def _upload(page: Page) -> None:
    """Choose a file to import, and unfold how it is read."""
    page.locator("input[type=file]").set_input_files({"name": "otters.csv", "mimeType": "text/csv", "buffer": PACK})
    page.get_by_text("Preview: nothing has been changed").wait_for()
    page.get_by_text("Import options").click()


def _correct(page: Page) -> None:
    """Click how a passage really reads; a later picture finds it corrected and changes it to the other."""
    page.get_by_role("radio", checked=False).first.click()
    page.get_by_text("as you read it").first.wait_for()


def views(made: Filled) -> list[View]:
    """All pages of a filled workbench."""
    runs = made.runs
    found = [View(f"verify-{name}", f"?run={run}", "Open the trace") for name, run in runs.items()]
    found += [
        View("verify", "", "Try one of these"),
        View("verify-corrected", f"?run={runs['notes']}", "Open the trace", _correct),
        View("verify-from-link", f"?{LINK}", "comes from a link"),
        View("verify-article", f"?article={made.article}", "Saltgate Bridge"),
        View("verify-unknown", "?run=nothing", "is not"),
        View("ask", "ask", "RECENT CONVERSATIONS"),
        View("ask-conversation", f"ask?conversation={made.conversation}", "Newly checked"),
        View("ask-opened", f"ask?conversation={made.conversation}", "Newly checked", _unfold),
        View("research", "research", "EARLIER RESEARCH"),
        View("research-report", f"research?research={made.research}", "SAVED AND SPENT"),
        View("research-interrupted", f"research?research={made.interrupted}", "Resume"),
        View("research-plan", "research", "EARLIER RESEARCH", _plan),
        *(View(f"research-{section}", f"research?section={section}", ready)
          for section, ready in (("facts", "Retire"), ("pages", "Open research"), ("skills", "Comes with Ghost"))),
        View("batch", "batch", "harbour"),
        View("batch-open", f"batch?batch={made.batch}", "Twelve people"),
        View("cases", "cases", "Space quiz"),
        View("cases-open", f"cases?case={made.case}", "Add checks"),
        View("knowledge", "knowledge", "Added last"),
        View("knowledge-search", "knowledge?section=browse&q=Saltgate%20Bridge", "Saltgate"),
        *(View(f"knowledge-note-{name}", f"knowledge?passage={note}", "History") for name, note in made.notes.items()),
        View("knowledge-import-preview", "knowledge?section=import", "starter-pack", _upload),
        View("knowledge-passage", f"knowledge?passage={made.passage}", "History"),
        View("knowledge-add", "knowledge?form=add", "Text"),
        View("knowledge-cards", "knowledge?section=cards", "Active"),
        View("knowledge-card", f"knowledge?card={made.card}", "History"),
        *(
            View(f"knowledge-{section}", f"knowledge?section={section}", ready)
            for section, ready in (
                ("quarantine", "instructions"),
                ("duplicates", "nearly the same wording"),
                ("seeds", "Starter library"),
                ("import", "starter-pack"),
                ("domains", "kelp-wonders"),
                ("readings", "Export as training pairs"),
                ("changes", "A better title"),
            )
        ),
        *(View(f"analytics-{view.lower()}", f"analytics?analytics_view={view}", "Active passages")
          for view in ("Sources", "Time", "Use", "Map", "Health")),
        View("trace", "trace", "Saltgate"),
        View("trace-research", "trace?list=research", "newest first"),
        View("trace-questions", "trace?list=questions", "newest first"),
        View("trace-run", f"trace?run={runs['mixed']}", "Time line"),
        View("trace-compare", f"trace?run={runs['then']}&with={runs['now']}", "Compare"),
        *(View(f"quality-{view.split()[0].lower()}", f"quality?quality_view={view.replace(' ', '%20')}", "Quality")
          for view in ("Everyday claims", "Near misses", "Confidence", "Verdicts", "Live investigation", "Stance",
                       "Retrieval", "Speed", "Your verdicts")),
        *(View(f"settings-{section}", f"settings?section={section}", "Settings")
          for section in ("judge", "models", "stores", "web", "sources", "connect", "all")),
    ]  # fmt: skip
    return found


EMPTY = [
    View("empty-verify", "", "Try one of these"),
    View("empty-ask", "ask", "Try one of these"),
    View("empty-research", "research", "Try one of these"),
    View("empty-research-facts", "research?section=facts", "No fact has been kept yet"),
    View("empty-trace-research", "trace?list=research", "Nothing has been researched yet"),
    View("empty-batch", "batch", "Batch"),
    View("empty-cases", "cases", "No case yet"),
    View("empty-knowledge", "knowledge", "Added last"),
    View("empty-quarantine", "knowledge?section=quarantine", "uarantine"),
    View("empty-import", "knowledge?section=import", "Import"),
    View("empty-readings", "knowledge?section=readings", "not corrected a reading"),
    View("empty-domains", "knowledge?section=domains", "Domains"),
    View("empty-changes", "knowledge?section=changes", "Changes"),
    View("empty-analytics-use", "analytics?analytics_view=Use", "Active passages"),
    View("empty-analytics-health", "analytics?analytics_view=Health", "Active passages"),
    View("empty-questions", "trace?list=questions", "No question has been asked yet"),
    View("empty-trace", "trace", "No claim has been checked yet"),
    View("empty-quality-your", "quality?quality_view=Your%20verdicts", "Quality"),
]
"""The same workbench on its first day."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of docs/tour.md: a part of a page."""

    file: str
    view: str
    begins: str = ""
    """A text that stands at the top of the picture; empty: the top of the page."""
    height: int = 800
    """CSS pixels."""
    scheme: str = "light"


TOUR = (
    Shown("claim", "verify"),
    Shown("verify-light", "verify-mixed", height=900),
    Shown("evidence", "verify-mixed", "Evidence", 900),
    Shown("article", "verify-article"),
    Shown("batch", "batch-open", height=960),
    Shown("case", "cases-open", height=700),
    Shown("knowledge", "knowledge-search", height=1200),
    Shown("quarantine", "knowledge-quarantine", height=700),
    Shown("analytics", "analytics-sources", height=1150, scheme="dark"),
    Shown("ask", "ask-conversation", height=1000),
    Shown("research", "research-report", height=1000),
    Shown("trace", "trace-run", height=900),
    Shown("quality", "quality-everyday", height=1150, scheme="dark"),
)
