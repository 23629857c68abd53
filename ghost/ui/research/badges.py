"""Words, icons and colours of a research: its phases, and the gate's decision on each question."""

from dataclasses import dataclass

import streamlit as st

from ghost.types import Collection, GateDecision, GateState, RunStatus, TraceStep
from ghost.ui.shared import theme
from ghost.ui.shared.sharing import WAITING, waiting
from ghost.ui.shared.text import capitalized, count, plain, shorten

GATES: dict[GateState, theme.Badge] = {
    GateState.SATISFIED: theme.Badge("From memory", "inventory_2", "green"),
    GateState.NEEDS_WEB: theme.Badge("Needs the web", "travel_explore", "blue"),
}
UNANSWERED = theme.Badge("Gap", "indeterminate_question_box", "orange")
NEW = theme.Badge("New", "fiber_new", "blue", "Memory did not answer it; the knowledge base or the web did.")
COLLECTIONS: dict[Collection, theme.Badge] = {
    Collection.SEMANTIC: theme.Badge("Facts", "format_quote", "gray"),
    Collection.EPISODIC: theme.Badge("Pages read", "article", "gray"),
    Collection.PROCEDURAL: theme.Badge("Skills", "menu_book", "gray"),
}
_OFF = theme.Badge("Not in memory", "cloud_off", "orange")
"""Of a question that needs the web where the web is off."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A step of a research as the pages show it."""

    title: str
    doing: str
    """Shown while it is at work."""


PHASES: dict[str, Phase] = {
    "context": Phase("Search memory", "Looking for facts, pages and skills that may help."),
    "policy": Phase("Choose a skill", "Deciding how old evidence may be and which sources count."),
    "plan": Phase("Plan the questions", "Breaking the topic into questions."),
    "gate": Phase("Ask memory first", "Checking which questions it answers already."),
    "memory": Phase("Answer from memory", "Using evidence that is fresh and unchanged."),
    "web": Phase("Search for the rest", "Searching only what memory does not answer."),
    "record": Phase("Save what was found", "Saving it for the next research."),
    "answers": Phase("Write the answers", "Checking that every sentence cites its source word for word."),
    "report": Phase("Assemble the report", "Listing sources, disagreements and gaps."),
}
"""By the names in RESEARCH_STEPS, in their order."""


def gate_badge(decision: GateDecision, web: bool) -> theme.Badge:
    """The gate's decision as a badge; ``web`` is whether this research may search at all."""
    return _OFF if decision.state is GateState.NEEDS_WEB and not web else GATES[decision.state]


def phase_list(names: tuple[str, ...], steps: tuple[TraceStep, ...], number: int, detail: str, ended: bool) -> None:
    """These phases with their state; ``number`` is the one in progress, 0 for none."""
    for position, name in enumerate(names, start=1):
        phase, done = PHASES[name], [step for step in steps if step.name == name]
        if position == number:
            doing = f"{capitalized(detail)}. {phase.doing}" if detail else phase.doing
            if waiting(detail) == WAITING:
                doing = WAITING
            icon, title, note = ":blue[:material/clock_loader_40:]", f"**{phase.title}**", f":shimmer[{plain(doing)}]"
        elif done:
            failed = done[-1].decision == "stopped"
            icon = ":orange[:material/error:]" if failed else ":green[:material/check_circle:]"
            title, took = f"**{phase.title}**", theme.seconds(sum(step.seconds for step in done))
            # The later phases come once for each question; what each found stands in its answer.
            what = plain(shorten(done[-1].decision, 160)) if len(done) == 1 or failed else count(len(done), "question")
            note = f"{what} · {took}"
        elif ended:
            icon, title, note = ":gray[:material/remove:]", f":gray[{phase.title}]", "Not reached"
        else:
            icon, title, note = ":gray[:material/radio_button_unchecked:]", f":gray[{phase.title}]", ""
        with st.container(horizontal=True, gap="small", wrap=False):
            st.markdown(icon, width="content")
            with st.container(gap=None):
                st.markdown(title)
                if note:
                    st.caption(note)


def status_badge(status: RunStatus, answered: int, gaps: int) -> theme.Badge:
    """How a research ended, for lists."""
    if status is not RunStatus.FINISHED:
        return theme.STATUSES[status]
    if not answered:
        return theme.Badge("No answers", UNANSWERED.icon, "orange")
    return theme.Badge("Some gaps", "contrast", "orange") if gaps else theme.Badge("Answered", "check_circle", "green")
