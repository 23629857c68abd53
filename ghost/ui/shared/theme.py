"""Words, icons and colours: each meaning has all three, so that none depends on seeing a colour."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ghost.records import BatchState, ItemState
from ghost.reports import percent as percent
from ghost.text import Period
from ghost.types import ClaimType, Label, Origin, Passage, ReasonCode, RunStatus, SourceType, StanceLabel, Status

PAGE_WIDTH = 1120
"""Pixels; wider screens get margins instead of endless lines."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a meaning is shown."""

    word: str
    icon: str
    colour: str
    note: str = ""
    """A sentence about it."""

    @property
    def badge(self) -> str:
        """Markdown for an inline badge."""
        return badge(self.word, self.icon, self.colour)


VERDICTS: dict[Label, Look] = {
    Label.TRUE: Look("True", "check_circle", "green", "The evidence supports the claim."),
    Label.FALSE: Look("False", "cancel", "red", "The evidence contradicts the claim."),
    Label.PARTIALLY_TRUE: Look("Partially True", "contrast", "orange", "Some of it holds, some of it does not."),
    Label.MISLEADING: Look("Misleading", "warning", "orange", "Literally supported, but a source shows it deceives."),
    Label.NOT_ENOUGH_EVIDENCE: Look(
        "Not Enough Evidence", "help", "gray", "What was found does not settle the claim either way."
    ),
    Label.NOT_VERIFIABLE: Look("Not Verifiable", "do_not_disturb_on", "violet", "Evidence cannot settle this claim."),
}

STANCES: dict[StanceLabel, Look] = {
    StanceLabel.SUPPORTS: Look("Supports", "thumb_up", "green"),
    StanceLabel.REFUTES: Look("Contradicts", "thumb_down", "red"),
    StanceLabel.NEUTRAL: Look("Related", "adjust", "gray"),
    StanceLabel.OFF_TOPIC: Look("Off topic", "remove_circle_outline", "gray"),
}

TYPES: dict[ClaimType, Look] = {
    ClaimType.FACTUAL: Look("Factual claim", "fact_check", "blue"),
    ClaimType.OPINION: Look("Opinion", "chat_bubble", "violet"),
    ClaimType.MIXED: Look("Fact and opinion", "call_split", "blue"),
    ClaimType.AMBIGUOUS: Look("Ambiguous", "question_mark", "violet"),
}

STATUSES: dict[RunStatus, Look] = {
    RunStatus.RUNNING: Look("Running", "progress_activity", "blue"),
    RunStatus.FINISHED: Look("Finished", "check", "gray"),
    RunStatus.CANCELLED: Look("Cancelled", "cancel_presentation", "gray"),
    RunStatus.FAILED: Look("Failed", "error", "red"),
    RunStatus.INTERRUPTED: Look("Interrupted", "power_off", "orange"),
}

BATCH_STATES: dict[BatchState, Look] = {
    BatchState.RUNNING: Look("Running", "progress_activity", "blue"),
    BatchState.PAUSED: Look("Paused", "pause_circle", "orange"),
    BatchState.CANCELLED: Look("Cancelled", "cancel_presentation", "gray"),
    BatchState.DONE: Look("Done", "check", "green"),
}

ITEM_STATES: dict[ItemState, Look] = {
    ItemState.QUEUED: Look("Waiting", "hourglass_empty", "gray"),
    ItemState.RUNNING: Look("Being checked", "progress_activity", "blue"),
    ItemState.DONE: Look("Done", "check", "green"),
    ItemState.FAILED: Look("Failed", "error", "red"),
    ItemState.CANCELLED: Look("Cancelled", "cancel_presentation", "gray"),
    ItemState.REFUSED: Look("Cannot be checked", "block", "orange"),
}

ORIGINS: dict[Origin, Look] = {
    Origin.SEED: Look("Seed collection", "potted_plant", "gray", "Came with Ghost"),
    Origin.CURATED: Look("Curated", "edit_note", "gray", "Entered by hand"),
    Origin.IMPORT: Look("Import", "upload_file", "gray", "From a file"),
    Origin.WEB: Look("Web", "language", "gray", "Read on the web during a run"),
    Origin.FACT_CHECK: Look("Fact-check", "verified", "gray", "Read on a fact-checker's site"),
}

PASSAGE_STATUSES: dict[Status, Look] = {
    Status.ACTIVE: Look("Active", "check", "green"),
    Status.QUARANTINED: Look("Quarantined", "shield", "orange"),
    Status.RETIRED: Look("Retired", "archive", "gray"),
}

SOURCE_TYPES: dict[SourceType, str] = {
    SourceType.NEWS: "news",
    SourceType.ACADEMIC: "academic or reference",
    SourceType.FACT_CHECKER: "fact-checker",
    SourceType.GOVERNMENT: "government or public body",
    SourceType.UNKNOWN: "kind not known",
}

REASONS: dict[ReasonCode, str] = {
    ReasonCode.OPINION: "This is an opinion",
    ReasonCode.AMBIGUOUS: "The claim can be read in several ways",
    ReasonCode.UNSUPPORTED_LANGUAGE: "The language is not supported",
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


def kicker(words: str) -> None:
    """The small line above a heading."""
    st.markdown(f":small[:blue[**{words.upper()}**]]")


def stars(credibility: float, rated: bool = True) -> str:
    """Five stars and the number; a source that nobody has rated has no stars."""
    if not rated:
        return f":gray[unrated, counts {credibility:.2f}]"
    full = round(max(0.0, min(1.0, credibility)) * 5)
    return f":orange[{'★' * full}]{'☆' * (5 - full)} {credibility:.2f}"


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


def seconds(value: float) -> str:
    """``0.04 s``, ``3.2 s``, ``75 s``."""
    if value < 0.005:
        return "< 0.01 s"
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
