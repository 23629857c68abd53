"""Words, icons and colours (each meaning has all three, so that none depends on seeing a colour), and how they look."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ghost.errors import ClaimError, GhostError, StoreError
from ghost.records import BatchState, ItemState
from ghost.reports import intake
from ghost.reports import percent as percent
from ghost.text import Period
from ghost.types import (
    NOT_ENGLISH,
    ClaimType,
    Harm,
    Kind,
    Label,
    Origin,
    Passage,
    Pipeline,
    ReasonCode,
    RunStatus,
    SourceType,
    StanceLabel,
    Status,
)
from ghost.ui.shared.text import capitalized, link, plain, safe_url, shorten

PAGE_WIDTH = 1120
"""Pixels; wider screens get margins instead of endless lines."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Word, icon and colour of one meaning."""

    word: str
    icon: str
    colour: str
    note: str = ""
    """A sentence about it."""

    @property
    def badge(self) -> str:
        """Markdown for an inline badge."""
        return badge(self.word, self.icon, self.colour)

    @property
    def sign(self) -> str:
        """Markdown for the coloured icon alone, beside words that say the same."""
        return f":{self.colour}[:material/{self.icon}:]"

    @property
    def text(self) -> str:
        """Markdown for the coloured icon and word, without a background."""
        return f":{self.colour}[:material/{self.icon}: {self.word}]"


VERDICTS: dict[Label, Badge] = {
    Label.TRUE: Badge("True", "check_circle", "green", "The evidence supports the claim."),
    Label.FALSE: Badge("False", "cancel", "red", "The evidence contradicts the claim."),
    Label.PARTIALLY_TRUE: Badge("Partially True", "contrast", "orange", "Some of it holds, some of it does not."),
    Label.MISLEADING: Badge("Misleading", "warning", "orange", "Literally supported, but a source shows it deceives."),
    Label.NOT_ENOUGH_EVIDENCE: Badge(
        "Not Enough Evidence", "help", "gray", "What was found does not settle the claim either way."
    ),
    Label.NOT_VERIFIABLE: Badge("Not Verifiable", "do_not_disturb_on", "violet", "Evidence cannot settle this claim."),
}

STANCES: dict[StanceLabel, Badge] = {
    StanceLabel.SUPPORTS: Badge("Supports", "thumb_up", "green"),
    StanceLabel.REFUTES: Badge("Contradicts", "thumb_down", "red"),
    StanceLabel.NEUTRAL: Badge("Related", "adjust", "gray"),
    StanceLabel.OFF_TOPIC: Badge("Off topic", "remove_circle_outline", "gray"),
}

HARMS: dict[Harm, Badge] = {
    Harm.LOW: Badge("Low potential harm", "health_and_safety", "gray"),
    Harm.MEDIUM: Badge("Medium potential harm", "health_and_safety", "orange"),
    Harm.HIGH: Badge("High potential harm", "health_and_safety", "red"),
}

PIPELINES: dict[Pipeline, Badge] = {
    Pipeline.SEVEN_STEPS: Badge("Seven steps", "checklist", "gray"),
    Pipeline.SINGLE_CONVERSATION: Badge("Single conversation", "forum", "blue"),
}

TYPES: dict[str, Badge] = {
    ClaimType.FACTUAL: Badge("Factual claim", "fact_check", "blue"),
    ClaimType.OPINION: Badge("Opinion", "chat_bubble", "violet"),
    ClaimType.MIXED: Badge("Fact and opinion", "call_split", "blue"),
    ClaimType.AMBIGUOUS: Badge("Ambiguous", "question_mark", "violet"),
    NOT_ENGLISH: Badge(NOT_ENGLISH, "translate", "violet"),
}

STATUSES: dict[RunStatus, Badge] = {
    RunStatus.RUNNING: Badge("Running", "progress_activity", "blue"),
    RunStatus.FINISHED: Badge("Finished", "check", "gray"),
    RunStatus.CANCELLED: Badge("Cancelled", "cancel_presentation", "gray"),
    RunStatus.FAILED: Badge("Failed", "error", "red"),
    RunStatus.INTERRUPTED: Badge("Interrupted", "power_off", "orange"),
}

BATCH_STATES: dict[BatchState, Badge] = {
    BatchState.RUNNING: Badge("Running", "progress_activity", "blue"),
    BatchState.PAUSED: Badge("Paused", "pause_circle", "orange"),
    BatchState.CANCELLED: Badge("Cancelled", "cancel_presentation", "gray"),
    BatchState.DONE: Badge("Done", "check", "green"),
}

ITEM_STATES: dict[ItemState, Badge] = {
    ItemState.QUEUED: Badge("Waiting", "hourglass_empty", "gray"),
    ItemState.RUNNING: Badge("Being checked", "progress_activity", "blue"),
    ItemState.DONE: Badge("Done", "check", "green"),
    ItemState.FAILED: Badge("Failed", "error", "red"),
    ItemState.CANCELLED: Badge("Cancelled", "cancel_presentation", "gray"),
    ItemState.REFUSED: Badge("Cannot be checked", "block", "orange"),
}

ORIGINS: dict[Origin, Badge] = {
    Origin.SEED: Badge("Starter library", "potted_plant", "gray", "Came with Ghost"),
    Origin.CURATED: Badge("Curated", "edit_note", "gray", "Entered by hand"),
    Origin.IMPORT: Badge("Import", "upload_file", "gray", "From a file"),
    Origin.WEB: Badge("Web", "language", "gray", "Read on the web during a run"),
    Origin.FACT_CHECK: Badge("Fact-check", "verified", "gray", "Read on a fact-checker's site"),
}

PASSAGE_STATUSES: dict[Status, Badge] = {
    Status.ACTIVE: Badge("Active", "check", "green"),
    Status.QUARANTINED: Badge("Quarantined", "shield", "orange"),
    Status.RETIRED: Badge("Retired", "archive", "gray"),
}

PAGE_STATES: dict[str, Badge] = {
    "kept": Badge("Found", "check", "green", "A search found it."),
    "to be read": Badge("To be read", "article", "blue"),
    "reading": Badge("Reading", "hourglass_top", "blue", "It is being fetched and read."),
    "read": Badge("Read", "article", "green"),
    "refused": Badge("Not fetched", "block", "orange"),
    "unreadable": Badge("Not readable", "visibility_off", "orange"),
    "dropped": Badge("Does not count", "block", "gray"),
    "not read": Badge("Not read", "remove", "gray"),
    "duplicate": Badge("Already known", "content_copy", "gray"),
    "fact-check": Badge("Fact-check", "fact_check", "green", "A published check of this claim."),
}
"""What happened to a search hit or a page, as the trace calls it."""
UNKNOWN_STATE = Badge("Seen", "public", "gray")

SOURCE_TYPES: dict[SourceType, str] = {
    SourceType.NEWS: "news",
    SourceType.ACADEMIC: "academic or reference",
    SourceType.FACT_CHECKER: "fact-checker",
    SourceType.GOVERNMENT: "government or public body",
    SourceType.UNKNOWN: "unknown kind of source",
}

REASONS: dict[ReasonCode, str] = {
    ReasonCode.OPINION: "This is an opinion",
    ReasonCode.AMBIGUOUS: "The claim can be read in several ways",
    ReasonCode.UNSUPPORTED_LANGUAGE: "The claim is not in English",
    ReasonCode.NO_SOURCES: "No source speaks about it",
    ReasonCode.OFF_TOPIC: "The sources found are about something else",
    ReasonCode.NOT_DECISIVE: "The sources do not decide it",
    ReasonCode.BELOW_BOUND: "The evidence is not clear enough for a verdict",
    ReasonCode.CONFLICT: "Good sources contradict each other",
    ReasonCode.WEAK_ORIGIN: "The sources are too weak or too few",
    ReasonCode.CITATIONS_REJECTED: "The citation gate rejected the answer",
    ReasonCode.NO_PROVIDER: "No search provider is set up",
    ReasonCode.PROVIDER_DOWN: "A search provider could not be reached",
    ReasonCode.BUDGET: "A limit of the run was reached",
    ReasonCode.TOO_OLD: "The sources are too old for a claim about the present",
    ReasonCode.JUDGE_FAILED: "The judge gave no usable answer",
}


def badge(words: str, icon: str, colour: str) -> str:
    """Markdown for an inline badge; ``words`` must be ours or already plain."""
    return f":{colour}-badge[:material/{icon}: {words}]"


def page() -> DeltaGenerator:
    """The column in the middle of the screen that everything is drawn in."""
    return st.container(horizontal_alignment="center").container(width=PAGE_WIDTH, gap="medium")


def show_error(error: object) -> None:
    """What went wrong, in a red box; the error's text may come from outside."""
    st.error(plain(str(error)), icon=":material/error:")


def not_here(what: str, identity: str) -> None:
    """The address names what is not in the records; where it leads on is drawn by the page."""
    st.title(f":material/search_off: This {what} is not here", anchor=False)
    st.markdown(
        f"There is no {what} **{plain(shorten(identity, 60))}** in these records. The link may come from another "
        "installation, or other records are open now (GHOST\\_DATA\\_DIR, GHOST\\_DATABASE\\_URL). Nothing was lost or "
        "changed."
    )


@contextmanager
def errors_shown() -> Iterator[None]:
    """Draw an error of the block instead of raising it: what the visitor can correct in orange, the rest in red."""
    try:
        yield
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
    except GhostError as error:
        show_error(error)


@contextmanager
def store_errors_noted(words: str) -> Iterator[None]:
    """Say in small print that records cannot be read now, instead of raising; the rest of the page is drawn."""
    try:
        yield
    except StoreError as error:
        st.caption(f"{words} {plain(str(error))}")


def source_line(url: str) -> None:
    """A link to the source that shows where it leads; an address that is not safe to offer stays text."""
    if safe_url(url):
        st.caption(f":material/open_in_new: {link(shorten(url, 90), url)}")
    else:
        st.caption(f"Source: {plain(shorten(url, 90))}" if url else "No address is known for this source.")


def kicker(words: str) -> None:
    """The small line above a heading."""
    st.markdown(f":small[:blue[**{words.upper()}**]]")


def stars(credibility: float, rated: bool = True) -> str:
    """Five stars and the number; a source that nobody has rated has no stars."""
    if not rated:
        return f":gray[unrated, counts as {credibility:.2f}]"
    full = round(max(0.0, min(1.0, credibility)) * 5)
    return f":orange[{'★' * full}]{'☆' * (5 - full)} {credibility:.2f}"


def standing(p: Passage) -> str:
    """The stars of what a passage counts, which for a note are those of the library."""
    return stars(p.standing, p.rated or p.library_rating is not None)


def intake_badge(p: Passage) -> str:
    """How a passage came by its words, as a badge."""
    icon = "sticky_note_2" if p.kind is Kind.NOTE else "format_quote"
    return badge(capitalized(intake(p, day)), icon, "gray")


def quotation(words: str, kind: Kind, longest: int) -> str:
    """Markdown for the words of a passage: those of a note are no quotation."""
    return f"{'' if kind is Kind.NOTE else '> '}{plain(shorten(words, longest))}"


def bar(share: float) -> str:
    """Ten blocks, filled from the left; the number stands beside it."""
    full = round(max(0.0, min(1.0, share)) * 10)
    return "▰" * full + "▱" * (10 - full)


def day(value: date | datetime | None) -> str:
    """``21 Nov 2025``, or ``unknown``."""
    return f"{value.day} {value:%b %Y}" if value else "unknown"


def dated(passage: Passage) -> str:
    """``Published 21 Nov 2025``, or ``As of May 2024`` where it says for when it holds."""
    published = f"ublished {day(passage.published_at)}"
    if not passage.as_of:
        return f"P{published}"
    return f"As of {as_of(passage.as_of)}" + (f", p{published}" if passage.published_at else "")


def as_of(text: str) -> str:
    """A year, a month or a day: ``2024``, ``May 2024``, ``31 May 2024``."""
    period = Period.parse(text)
    return day(period.first) if period.day else f"{period.first:%b %Y}" if period.month else f"{period.year}"


def moment(value: datetime | None) -> str:
    """``21 Nov 2025, 14:05 UTC``, or ``unknown``."""
    if value is None:
        return "unknown"
    value = value if value.tzinfo else value.replace(tzinfo=UTC)
    return f"{day(value)}, {value.astimezone(UTC):%H:%M} UTC"


def share(part: int, whole: int) -> str:
    """A share in words that never rounds to nothing or to all."""
    if not part or not whole:
        return "none"
    return "under 1%" if part * 100 < whole else percent(part / whole)


def seconds(value: float) -> str:
    """``0.04 s``, ``3.2 s``, ``75 s``."""
    if value < 0.005:
        return "< 0.01 s"
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s" if value < 10 else f"{value:.0f} s"


RULES = """<style>
/* Captions and quotations are drawn at 60% opacity, links and badges in them too; only plain words are paler here. */
[data-testid="stCaptionContainer"][data-testid], [data-testid="stMarkdownContainer"][data-testid] blockquote {
    opacity: 1;
    color: color-mix(in srgb, currentColor 72%, transparent);
}
/* The chosen one of several is written in the primary colour, too dark on the dark theme; tint and weight tell it. */
button[data-variant][data-selected="true"][type="button"] { color: inherit; font-weight: 600; }
/* So are the chosen tab, which has a line below it, and the value above a slider. */
[data-testid="stTab"][aria-selected="true"][role="tab"], [data-testid="stSliderThumbValue"][data-testid] {
    color: inherit;
}
/* A row that does not wrap becomes a box that scrolls by some pixels, which a keyboard cannot do. */
[data-testid="stHorizontalBlock"][data-test-wrap="false"][data-testid] { overflow: visible; }
/* Pointed at or open, these buttons are written in a darker primary colour, too dark on the dark theme. */
[data-testid="stPopoverButton"][aria-haspopup]:is(:hover, [aria-expanded="true"], :active, :focus),
[data-testid="stBaseButton-tertiary"][kind="tertiary"]:is(:hover, :active, :focus) {
    color: inherit;
    text-decoration: underline;
}
/* The keys that press a button are written paler than its words, too pale for its colour. */
[data-testid="stBaseButton-primary"] kbd[class] { color: inherit; opacity: 1; }
/* A link with a claim in it is cut off without a sign where it is longer than its line; it goes on in the next one. */
[data-testid="stPageLink-NavLink"][data-testid] { height: auto; }
[data-testid="stPageLink-NavLink"][data-testid] :is(span, div, p):not([data-testid="stIconMaterial"]) {
    white-space: normal;
    height: auto;
}
/* The cards of evidence are many, so their headings take little room. */
:is([class*="st-key-verify_evidence_"], [class*="st-key-research_source_"], [class*="st-key-research_answer_"]) h3 {
    padding: 0;
}
/* The bar of evidence for and against. */
.ghost-balance { display: flex; gap: 3px; height: 10px; border-radius: 5px; overflow: hidden;
    background: color-mix(in srgb, currentColor 12%, transparent); }
/* A topic in a list is a button; where it needs two lines they begin at the left. */
.st-key-research_earlier [data-testid="stBaseButton-tertiary"] p { text-align: left; }
/* On a phone the questions of a plan push the button that starts it off the screen. */
@media (max-width: 640px) {
    .st-key-research_start_bar[data-testid] { position: fixed; inset: auto 0 0 0; z-index: 10; padding: 0.75rem 1rem;
        width: 100%; background: var(--st-background-color); border-top: 1px solid var(--st-border-color); }
    .st-key-research_start_bar[data-testid] :is([data-testid="stElementContainer"], .stButton, button) { width: 100%; }
    .st-key-research_recalled { margin-bottom: 4rem; }
}
/* The field of a conversation stands outside of the column that everything else is in. */
[data-testid="stBottomBlockContainer"] [data-testid="stChatInput"] { max-width: 1120px; margin: 0 auto; }
/* The claim is the first heading of a report, but the verdict below it is the larger one. */
.st-key-verify_headline[data-testid] h1 { padding: 0; font-size: 1.625rem; letter-spacing: -0.005em; }
.st-key-verify_verdict[data-testid] h2 { padding: 0.5rem 0 0.75rem; font-size: 2.5rem; letter-spacing: normal; }
</style>"""
"""Constant and ours; nothing from outside may ever be put into it."""


def apply_rules() -> None:
    """Apply what the theme's settings cannot say: a few rules that make everything readable."""
    st.html(RULES)
