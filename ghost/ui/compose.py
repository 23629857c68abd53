"""Where a claim is entered: the form, examples, what Ghost does, and the latest runs."""

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.runner import Runner
from ghost.types import Claim
from ghost.ui import theme
from ghost.ui.recent import open_run, recent_runs
from ghost.ui.text import plain
from ghost.ui.verdict import privacy_line

if TYPE_CHECKING:
    from ghost.workbench import Workbench

EXAMPLES = (
    "The Great Wall of China is visible from the Moon",
    "Vaccines cause autism",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    "Minecraft is the best 2D game",
)
FIELDS = ("verify_claim", "verify_context", "verify_as_of", "verify_found_at")


def fill(claim: Claim) -> None:
    """Put a claim into the form (a callback, because widgets can only be filled before they are drawn)."""
    st.session_state["verify_claim"] = claim.text
    st.session_state["verify_context"] = claim.context
    st.session_state["verify_as_of"] = claim.as_of
    st.session_state["verify_found_at"] = claim.found_at or ""
    open_run("")


def claim_form(bench: "Workbench", runner: Runner) -> None:
    """The page before a run: form on the left, orientation on the right."""
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.title("Check a claim", anchor=False)
        st.markdown("Paste a sentence. Get a verdict in which every line points at evidence that really says so.")
        _form(bench, runner)
        st.caption(privacy_line(bench.judge_info, bench.search_recipients))
        _examples()
    with right:
        _orientation()
        recent_runs(bench)


def _form(bench: "Workbench", runner: Runner) -> None:
    limit = bench.settings.max_claim_chars
    with st.form("verify_form"):
        text = st.text_area(
            "Claim",
            key="verify_claim",
            placeholder="For example: The Great Wall of China is visible from the Moon",
            max_chars=limit,
            height=120,
            persist_state="session",
        )
        with st.expander("Context, date and source", icon=":material/tune:", type="compact"):
            context = st.text_area(
                "Context",
                key="verify_context",
                placeholder="Who said it, when, about what. Helps to read the claim; it is not checked itself.",
                max_chars=limit,
                height=80,
                persist_state="session",
            )
            dates, source = st.columns(2)
            as_of = dates.date_input(
                "As of",
                value=None,
                key="verify_as_of",
                min_value=date(1900, 1, 1),
                max_value="today",
                format="YYYY-MM-DD",
                help="Evidence published after this day is left out.",
                persist_state="session",
            )
            found_at = source.text_input(
                "Found at",
                key="verify_found_at",
                placeholder="https://…",
                help="Where you found the claim. That page never counts as evidence for it.",
                persist_state="session",
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.form_submit_button(
                "Check this claim", key="verify_check", type="primary", icon=":material/fact_check:"
            )
            web = _web_switch(bench)
    if sent:
        _start(runner, Claim(text or "", context or "", as_of, found_at or None), web)


def _web_switch(bench: "Workbench") -> bool:
    """Whether this check may search; the settings can rule it out for all."""
    possible = bool(bench.search_recipients)
    st.session_state.setdefault("verify_web", possible)
    why = "Off: nothing is searched, only your knowledge base is read."
    off = "Searches are switched off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key="verify_web", disabled=not possible, help=why if possible else off,
        persist_state="session",
    ) and possible  # fmt: skip


def _start(runner: Runner, claim: Claim, web: bool) -> None:
    try:
        run_id = runner.start(claim, web)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        open_run(run_id)
        st.rerun()


def _examples() -> None:
    st.markdown("**Try one of these**")
    with st.container(horizontal=True, gap="small"):
        for number, text in enumerate(EXAMPLES):
            st.button(text, key=f"verify_example_{number}", on_click=fill, args=(Claim(text),))


def _orientation() -> None:
    with st.container(border=True):
        theme.kicker("What Ghost does")
        st.markdown(
            ":blue[:material/manage_search:] Looks up your claim in a knowledge base that you own.\n\n"
            ":blue[:material/travel_explore:] Searches for what is missing, if you allow it: trusted sources, then "
            "fact-checkers, then everyone.\n\n"
            ":blue[:material/balance:] Reads each passage: does it support or contradict, and who says so?\n\n"
            ":blue[:material/format_quote:] Decides, and quotes its sources word for word. When they do not settle "
            "it, it says that."
        )
