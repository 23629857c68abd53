"""The Verify page before a run: the form for a claim or an article, examples, and what was checked before."""

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.jobs import Runner
from ghost.types import Claim, lone_address
from ghost.ui.settings import stance_warning
from ghost.ui.shared import theme
from ghost.ui.shared.runs import privacy_line
from ghost.ui.verify import draft, statements
from ghost.ui.verify.address import open_run
from ghost.ui.verify.article_form import article_form
from ghost.ui.verify.recent import recent_articles, recent_runs

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
    ("manage_search", "Searches your library", "Evidence comes from a knowledge base you control, correct and extend."),
    ("travel_explore", "Then the web", "If you allow it: trusted sources, then fact-checkers, then everyone."),
    ("balance", "Weighs each passage", "Does it support or contradict? Who says so, and who only repeats it?"),
    ("format_quote", "Quotes word for word", "Every sentence links to its source. Without a clear answer, it says so."),
)


def form_page(workbench: "Workbench", runner: Runner) -> None:
    """The page before a run: the form, and beside it what was checked before."""
    draft.prepare()
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
            tagline.markdown("Paste an article. See which sentences can be checked, and check what matters.")
            article_form(workbench)
        else:
            tagline.markdown("Paste a sentence. Get a verdict in which every sentence links to its source.")
            _claim_form(workbench, runner)
            st.caption(privacy_line(workbench.judge_info, workbench.search_recipients))
            _examples()
    with right, st.container(border=True, key="verify_before"):
        recent_runs(workbench)
        recent_articles(workbench)
    theme.kicker("How a check works")
    for column, (icon, title, words) in zip(st.columns(len(_STEPS)), _STEPS, strict=True):
        with column, st.container(border=True, height="stretch", gap="small"):
            st.markdown(f":blue[:material/{icon}:] **{title}**")
            st.caption(words)


def _claim_form(workbench: "Workbench", runner: Runner) -> None:
    limit = workbench.settings.max_claim_chars
    # No st.form: its fields are sent with the button only, and what was typed would be lost on a page switch.
    with st.container(border=True, key="verify_form"):
        text = st.text_area(
            "Claim", key="verify_claim", max_chars=limit, height=120, persist_state="session",
            placeholder="For example: The Great Wall of China is visible from the Moon",
        )  # fmt: skip
        context, found_at = _context_fields(limit)
        scope = scope_fields("verify")
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.button(
                "Check this claim", key="verify_check", type="primary", icon=":material/fact_check:",
                shortcut="Ctrl+Enter",
            )  # fmt: skip
            web = web_switch(workbench, "verify_web")
            review = st.toggle(
                "Review statements first", key="verify_review_first", persist_state="session",
                help="See what will be checked in the claim, and correct it, before anything is searched.",
            )  # fmt: skip
    if not sent:
        return
    if url := lone_address(text or ""):
        draft.open_as_article(url)
        st.rerun()
    with theme.errors_shown():
        as_of, without, only = scope
        entry = draft.entry_of(text, context, as_of, found_at, without, only, web)
        if review:
            statements.begin_review(workbench, entry)
        else:
            open_run(runner.start(entry.claim, entry.web, entry.allowed, entry.denied))
            draft.started(draft.ONE_CLAIM)
        st.rerun()


def _context_fields(limit: int) -> tuple[str, str]:
    """Context of the claim, and the page it was found on."""
    expanded = draft.is_set("verify_context", "verify_found_at")
    with st.expander("Context and source", icon=":material/notes:", type="compact", expanded=expanded):
        context = st.text_area(
            "Context", key="verify_context", max_chars=limit, height=80, persist_state="session",
            placeholder="Who said it, when, about what. It helps to read the claim and is not checked itself.",
        )  # fmt: skip
        found_at = st.text_input(
            "Found at", key="verify_found_at", placeholder="https://…", persist_state="session",
            help="The page with the claim. It never counts as evidence for it.",
        )  # fmt: skip
    return context, found_at


def scope_fields(prefix: str) -> tuple[date | None, str, str]:
    """As-of date, sites to leave out, sites to keep to: what may count as evidence in a check."""
    names = (f"{prefix}_as_of", f"{prefix}_without", f"{prefix}_only")
    with st.expander("Evidence filters", icon=":material/tune:", type="compact", expanded=draft.is_set(*names)):
        as_of = st.date_input(
            "As of", value=None, key=names[0], min_value=date(1900, 1, 1), max_value="today", format="YYYY-MM-DD",
            help="Evidence published after this day is left out.", persist_state="session",
        )  # fmt: skip
        left, right = st.columns(2)
        without = left.text_input(
            "Exclude sites", key=names[1], placeholder="example.org, example.com/blog", persist_state="session",
            help="Nothing from these sites counts in this check: no page, no search hit, no passage of your knowledge "
            "base. A host includes its subdomains and all its pages; a path narrows it.",
        )  # fmt: skip
        only = right.text_input(
            "Use only these sites", key=names[2], placeholder="who.int, nature.com", persist_state="session",
            help="If you name any, nothing else counts in this check.",
        )  # fmt: skip
    return as_of, without, only


def web_switch(workbench: "Workbench", key: str) -> bool:
    """Whether this check may search; the settings can rule it out for all."""
    possible = bool(workbench.search_recipients)
    st.session_state.setdefault(key, possible)
    on = "Off: only your knowledge base is searched."
    off = "Searches are switched off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key=key, disabled=not possible, help=on if possible else off, persist_state="session"
    ) and possible  # fmt: skip


def _examples() -> None:
    st.markdown("**Try one of these**")
    with st.container(horizontal=True, gap="small"):
        for number, text in enumerate(EXAMPLES):
            st.button(text, key=f"verify_example_{number}", on_click=draft.fill, args=(Claim(text),))
