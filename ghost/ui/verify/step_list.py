"""The seven steps of a run: a compact list while it goes on, every detail afterwards."""

from dataclasses import dataclass

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import money
from ghost.types import ClaimType, RunStatus, TraceStep
from ghost.ui.shared.text import coloured, count, plain, shorten
from ghost.ui.shared.theme import TYPES, moment, seconds
from ghost.ui.verify.searches import searches_table


@dataclass(frozen=True, slots=True)
class StepName:
    """What the analyst calls a step."""

    name: str
    title: str
    doing: str


STEPS = (
    StepName("classify", "Understand the claim", "What kind of claim is it, and what in it can be checked?"),
    StepName("retrieve", "Search the knowledge base", "By meaning and by words."),
    StepName("rerank", "Read and weigh", "What does each passage do to the claim, and how far is its source trusted?"),
    StepName("sufficiency", "Enough evidence?", "Would this settle the claim?"),
    StepName("investigate", "Look further", "Trusted sources first, then fact-checkers, then everyone."),
    StepName("index", "Keep what was learnt", "Only what was read and is relevant."),
    StepName("verdict", "Decide and check citations", "Every quote must stand in its source, word for word."),
)


def decision_of(step: TraceStep) -> str:
    """What a step decided (hostile), with the kind of claim in the words of the page."""
    kind, dot, rest = step.decision.partition(" · ")
    if step.name != "classify" or kind not in set(ClaimType):
        return step.decision
    return f"{TYPES[ClaimType(kind)].word}{dot}{rest}"


def step_list(view: RunView) -> None:
    """The seven steps with their state, what each found, and its seconds."""
    for number, step in enumerate(STEPS, start=1):
        done = [s for s in view.steps if s.name == step.name]
        icon, title, note = _state(view, number, step, done)
        with st.container(horizontal=True, gap="small", wrap=False):
            st.markdown(icon, width="content")
            with st.container(gap=None):
                st.markdown(title)
                if note:
                    st.caption(note)


def _state(view: RunView, number: int, step: StepName, done: list[TraceStep]) -> tuple[str, str, str]:
    """Icon, title and note of one step; a later round replaces an earlier one."""
    if view.number == number:
        again = f" (round {view.round})" if view.round > 1 else ""
        doing = f"Searching {plain(view.detail)}" if view.detail else step.doing
        return ":blue[:material/clock_loader_40:]", f"**{step.title}**{again}", f":shimmer[{doing}]"
    if done:
        last = done[-1]
        failed = last.decision == "stopped" or any(s.decision.endswith("the search failed") for s in done)
        icon = ":orange[:material/error:]" if failed else ":green[:material/check_circle:]"
        took = seconds(sum(s.seconds for s in done))
        # The turns of a search are stages of one investigation; of other steps the last round is what counts.
        turns = done if step.name == "investigate" else done[-1:]
        said = "; ".join(plain(shorten(decision_of(s), 160)) for s in turns)
        return icon, f"**{step.title}**", f"{said} · {took}"
    later = {s.name for s in STEPS[number:]}
    passed_over = view.number > number or any(s.name in later for s in view.steps)
    if view.ended or passed_over:
        words = "Not needed" if passed_over or view.status is RunStatus.FINISHED else "Not reached"
        return ":gray[:material/remove:]", f":gray[{step.title}]", words
    return ":gray[:material/radio_button_unchecked:]", f":gray[{step.title}]", ""


def full_trace(view: RunView) -> None:
    """Every step with time, decision, reason, inputs and outputs."""
    if not view.steps:
        st.caption("No step has ended.")
    titles = {s.name: s.title for s in STEPS}
    for position, step in enumerate(view.steps, start=1):
        with st.container(border=True, gap="small"):
            st.markdown(
                f"**{position} · {titles.get(step.name, plain(step.name))}** "
                f":gray[:small[{plain(step.name)} · {moment(step.started_at)} · {seconds(step.seconds)}]]"
            )
            st.markdown(f"{plain(decision_of(step))}  \n{coloured('gray', shorten(step.reason, 600))}")
            if step.tokens or step.cost_usd:
                st.caption(plain(money(step.tokens, step.cost_usd, step.unpriced_tokens)))
            searches_table(step)
            left, right = st.columns(2)
            with left:
                st.caption("Inputs")
                st.json(step.inputs, expanded=1)
            with right:
                st.caption("Outputs")
                st.json(step.outputs, expanded=1)


def usage_line(view: RunView) -> str:
    """What the run has spent, as Markdown."""
    used = view.usage
    words = [seconds(used.seconds or view.seconds)]
    if used.searches or used.fetches:
        searches = "1 search" if used.searches == 1 else f"{used.searches} searches"
        words.append(f"{searches}, {count(used.fetches, 'page')} asked for")
    if used.tokens:
        words.append(plain(money(used.tokens, used.cost_usd, used.unpriced_tokens)))
    return " · ".join(words)
