"""The Verify page before a run: a claim or an article is entered, with examples, orientation and the latest runs."""

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import Runner
from ghost.types import Claim, lone_address
from ghost.ui.settings import stance_warning
from ghost.ui.shared import flash, theme
from ghost.ui.shared.text import plain
from ghost.ui.verify import draft, statements
from ghost.ui.verify.article_form import article_form
from ghost.ui.verify.place import open_run
from ghost.ui.verify.recent import recent_articles, recent_runs
from ghost.ui.verify.verdict import privacy_line

if TYPE_CHECKING:
    from ghost.workbench import Workbench

EXAMPLES = (
    "The Great Wall of China is visible from the Moon",
    "Vaccines cause autism",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    "Minecraft is the best 2D game",
)
_STEPS = (
    ("manage_search", "Looks it up", "In a knowledge base that you own and can read, correct and add to."),
    ("travel_explore", "Searches for the rest", "If you allow it: trusted sources, then fact-checkers, then everyone."),
    ("balance", "Weighs each passage", "Does it support or contradict? Who says so, and who only repeats it?"),
    ("format_quote", "Quotes word for word", "When the sources do not settle it, it says that, and what would."),
)


def claim_form(workbench: "Workbench", runner: Runner) -> None:
    """The page before a run: the form, and beside it what was checked before."""
    draft.tidy()
    flash.show("verify")
    stance_warning(workbench)
    if statements.waiting():
        statements.panel(runner)
        return
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.title("Check a claim", anchor=False)
        tagline = st.empty()
        st.session_state.setdefault("verify_mode", draft.ONE_CLAIM)
        mode = st.segmented_control(
            "What to check", draft.MODES, key="verify_mode", required=True,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if mode == draft.ARTICLE:
            tagline.markdown("Paste an article. See what in it can be checked, and check what matters.")
            article_form(workbench)
        else:
            tagline.markdown(
                "Paste a sentence. Get a verdict in which every line points at evidence that really says so."
            )
            _form(workbench, runner)
            st.caption(privacy_line(workbench.judge_info, workbench.search_recipients))
            _examples()
    with right, st.container(border=True, key="verify_before"):
        recent_runs(workbench)
        recent_articles(workbench)
    _orientation()


def _form(workbench: "Workbench", runner: Runner) -> None:
    limit = workbench.settings.max_claim_chars
    # No form: its fields would be handed over with the button only, and what was typed would be lost on a page switch.
    with st.container(border=True, key="verify_form"):
        text = st.text_area(
            "Claim",
            key="verify_claim",
            placeholder="For example: The Great Wall of China is visible from the Moon",
            max_chars=limit,
            height=120,
            persist_state="session",
        )
        context, found_at = _around(limit)
        as_of, without, only = scope_fields("verify")
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.button(
                "Check this claim", key="verify_check", type="primary", icon=":material/fact_check:",
                shortcut="Ctrl+Enter",
            )  # fmt: skip
            web = web_switch(workbench, "verify_web")
            first = st.toggle(
                "Review statements first", key="verify_review_first", persist_state="session",
                help="See what will be checked in the claim, and correct it, before anything is searched.",
            )  # fmt: skip
    if sent:
        _start(workbench, runner, (text, context, as_of, found_at, without, only, web), first)


def _around(limit: int) -> tuple[str, str]:
    """Context and source of the claim."""
    open_now = draft.is_set("verify_context", "verify_found_at")
    with st.expander("Context and source", icon=":material/notes:", type="compact", expanded=open_now):
        context = st.text_area(
            "Context",
            key="verify_context",
            placeholder="Who said it, when, about what. Helps to read the claim; it is not checked itself.",
            max_chars=limit,
            height=80,
            persist_state="session",
        )
        found_at = st.text_input(
            "Found at",
            key="verify_found_at",
            placeholder="https://…",
            help="Where you found the claim. That page never counts as evidence for it.",
            persist_state="session",
        )
    return context, found_at


def scope_fields(prefix: str) -> tuple[date | None, str, str]:
    """As-of date, sites to leave out, sites to keep to: what may count as evidence in a check."""
    names = (f"{prefix}_as_of", f"{prefix}_without", f"{prefix}_only")
    with st.expander(
        "What may count as evidence", icon=":material/tune:", type="compact", expanded=draft.is_set(*names)
    ):
        as_of = st.date_input(
            "As of",
            value=None,
            key=names[0],
            min_value=date(1900, 1, 1),
            max_value="today",
            format="YYYY-MM-DD",
            help="Evidence published after this day is left out.",
            persist_state="session",
        )
        left, right = st.columns(2)
        without = left.text_input(
            "Leave out these sites",
            key=names[1],
            placeholder="example.org, example.com/blog",
            help="Nothing from these sites counts in this check: no page, no search hit, no passage of your knowledge "
            "base. A host covers everything below it; a path narrows it.",
            persist_state="session",
        )
        only = right.text_input(
            "Use only these sites",
            key=names[2],
            placeholder="who.int, nature.com",
            help="Where you name any, nothing else counts in this check.",
            persist_state="session",
        )
    return as_of, without, only


def web_switch(workbench: "Workbench", key: str) -> bool:
    """Whether this check may search; the settings can rule it out for all."""
    possible = bool(workbench.search_recipients)
    st.session_state.setdefault(key, possible)
    why = "Off: nothing is searched, only your knowledge base is read."
    off = "Searches are switched off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key=key, disabled=not possible, help=why if possible else off, persist_state="session"
    ) and possible  # fmt: skip


Fields = tuple[str, str, date | None, str, str, str, bool]


def _start(workbench: "Workbench", runner: Runner, fields: Fields, review_first: bool) -> None:
    if url := lone_address(fields[0] or ""):
        draft.as_article(url)
        st.rerun()
    try:
        entry = draft.entered(*fields)
        if review_first:
            statements.begin(workbench, entry)
        else:
            open_run(runner.start(entry.claim, entry.web, entry.allowed, entry.denied))
            draft.started(draft.ONE_CLAIM)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        st.rerun()


def _examples() -> None:
    st.markdown("**Try one of these**")
    with st.container(horizontal=True, gap="small"):
        for number, text in enumerate(EXAMPLES):
            st.button(text, key=f"verify_example_{number}", on_click=draft.fill, args=(Claim(text),))


def _orientation() -> None:
    theme.kicker("What Ghost does with a claim")
    for column, (icon, title, words) in zip(st.columns(len(_STEPS)), _STEPS, strict=True):
        with column, st.container(border=True, height="stretch", gap="small"):
            st.markdown(f":blue[:material/{icon}:] **{title}**")
            st.caption(words)
