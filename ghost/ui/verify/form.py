"""The forms of the Verify page: for a claim, with examples, and for an article whose sentences are listed."""

from datetime import date

import streamlit as st

from ghost.demo_web import claims_to_try
from ghost.jobs import ArticleReader, ArticleView, Jobs
from ghost.types import Claim, Pipeline, lone_address
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import shared_records
from ghost.ui.shared.text import plain
from ghost.ui.verify import earlier, reading, statements, visit

EXAMPLES = (
    "The Great Wall of China is visible from the Moon",
    "Vaccines cause autism",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    "Minecraft is the best 2D game",
)


def claim_form(workbench: Workbench, jobs: Jobs) -> None:
    """One claim with all that can be set for its check; starts it, or its review."""
    limit = workbench.settings.max_claim_chars
    # No st.form: its fields are sent with the button only, and what was typed would be lost on a page switch.
    with st.container(border=True, key="verify_form"):
        text = st.text_area(
            "Claim", key="verify_claim", max_chars=limit, height=120, persist_state="session",
            placeholder="For example: The Great Wall of China is visible from the Moon",
        )  # fmt: skip
        expanded = visit.is_set("verify_context", "verify_found_at")
        with st.expander("Context and source", icon=":material/notes:", type="compact", expanded=expanded):
            context = st.text_area(
                "Context", key="verify_context", max_chars=limit, height=80, persist_state="session",
                placeholder="Who said it, when, about what. It helps to read the claim and is not checked itself.",
            )  # fmt: skip
            found_at = st.text_input(
                "Found at", key="verify_found_at", placeholder="https://…", persist_state="session",
                help="The page with the claim. It never counts as evidence for it.",
            )  # fmt: skip
        as_of, without, only = scope_fields("verify")
        pipeline = pipeline_field(workbench)
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = button("Check this claim", "verify_check", "fact_check", type="primary", shortcut="Ctrl+Enter")
            web = web_switch(workbench)
            review = st.toggle(
                "Review statements first", key="verify_review_first", persist_state="session",
                help="See what will be checked in the claim, and correct it, before anything is searched.",
            )  # fmt: skip
    if sent:
        if url := lone_address(text or ""):
            visit.open_as_article(url)
            st.rerun()
        with theme.errors_shown():
            entry = visit.entry_of(text, context, as_of, found_at, without, only, web, pipeline)
            if review:
                statements.begin_review(workbench, jobs.lookups, entry)
            elif not earlier.offer(jobs.lookups, entry):
                visit.open_run(jobs.runner.start(entry.claim, entry.options))
                visit.started(visit.ONE_CLAIM)
            st.rerun()
    st.caption(
        privacy_line(
            workbench.judge_info, workbench.search_recipients, pipeline=pipeline, records=shared_records(workbench)
        )
    )
    st.markdown("**Try one of these**")
    examples = [c.claim for c in claims_to_try()] if workbench.settings.demo_web else EXAMPLES
    with st.container(horizontal=True, gap="small"):
        for number, example in enumerate(examples):
            button(example, f"verify_example_{number}", "", visit.fill, Claim(example))


def scope_fields(prefix: str) -> tuple[date | None, str, str]:
    """As-of date, sites to leave out, sites to keep to: what may count as evidence in a check."""
    names = (f"{prefix}_as_of", f"{prefix}_without", f"{prefix}_only")
    with st.expander("Evidence filters", icon=":material/tune:", type="compact", expanded=visit.is_set(*names)):
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


def pipeline_field(workbench: Workbench) -> str:
    """How the claim is checked; without a language model, what a conversation needs."""
    choices = {choice.name: choice for choice in workbench.pipelines}
    usable = [name for name, choice in choices.items() if choice.usable]
    if st.session_state.get("verify_pipeline") not in usable:
        preferred = Pipeline(workbench.settings.pipeline)
        st.session_state["verify_pipeline"] = preferred if preferred in usable else Pipeline.SEVEN_STEPS
    chosen = theme.PIPELINES[st.session_state["verify_pipeline"]]
    name = f"Pipeline: {chosen.word.lower()}"
    with st.expander(name, icon=f":material/{chosen.icon}:", type="compact", key="verify_pipelines"):
        if len(usable) > 1:
            pipeline = st.radio(
                "Pipeline", list(choices), key="verify_pipeline", persist_state="session", label_visibility="collapsed",
                format_func=lambda name: theme.PIPELINES[name].word,
                captions=[plain(choice.why) for choice in choices.values()],
            )  # fmt: skip
            return str(pipeline or "")
        for choice in choices.values():
            st.markdown(f"{theme.PIPELINES[choice.name].text}  \n:small[{plain(choice.why)}]")
        st.page_link(
            "pages/settings.py", label="Set up a language model", icon=":material/settings:",
            query_params={"section": "judge"},
        )  # fmt: skip
    return str(st.session_state["verify_pipeline"])


def web_switch(workbench: Workbench) -> bool:
    """Whether this check may search; the settings can rule it out for all."""
    possible = bool(workbench.search_recipients)
    st.session_state.setdefault("verify_web", possible)
    on = "Off: only your knowledge base is searched."
    off = "Searches are switched off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key="verify_web", disabled=not possible, help=on if possible else off, persist_state="session"
    ) and possible  # fmt: skip


def article_form(workbench: Workbench, reader: ArticleReader, unread: ArticleView | None) -> None:
    """Text or address of an article; leads to its statements. ``unread`` is the one that could not be read."""
    with st.container(border=True, key="verify_article_form"):  # no st.form, as for a claim
        text = st.text_area(
            "Text of the article", key="verify_article_text", height=220, persist_state="session",
            placeholder="Paste the whole text. Each sentence that makes a factual claim will be listed.",
        )  # fmt: skip
        url = st.text_input(
            "Address of the article", key="verify_article_url", placeholder="https://…", persist_state="session",
            help="Without a text, the page is fetched from here. With a text, the address only says where it was "
            "found. Either way the page never counts as evidence for itself.",
        )  # fmt: skip
        sent = button("List its statements", "verify_article_list", "checklist", type="primary", shortcut="Ctrl+Enter")
    fetched = (
        "Only when you enter an address without a text, the page is fetched from its site."
        if workbench.settings.web
        else "The web is switched off for this workbench (GHOST_WEB), so no page is fetched: paste the text."
    )
    records = shared_records(workbench)
    where = f"by the workers of {records}, with their own models" if records else "on this machine"
    st.caption(f":material/computer: Sentences are read and rated {where}. {fetched}")
    if sent:
        reading.begin(reader, text or "", url or "", workbench.settings.web)
    elif unread:
        reading.why_unread(unread)
