"""One passage: as a card in a list, and with everything that is known about it."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.types import HistoryEntry, Passage, Status
from ghost.ui import theme
from ghost.ui.evidence import source_line
from ghost.ui.text import coloured, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE_FILE = "pages/knowledge.py"
RUNS_SHOWN = 25


def open_passage(passage_id: str) -> None:
    """Show this passage; an empty id leads back to the list."""
    if passage_id:
        st.query_params["passage"] = passage_id
    else:
        st.query_params.pop("passage", None)


def passage_card(passage: Passage) -> None:
    """A passage in a list."""
    with st.container(border=True, gap="small", key=f"knowledge_card_{passage.id}"):
        st.markdown(f"**{plain(shorten(passage.source_name, 80))}** {coloured('gray', _title(passage))}")
        st.markdown(plain(shorten(passage.text, 500)))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.caption(
                " · ".join(
                    [
                        f"{theme.stars(passage.credibility)}",
                        f"Published {theme.day(passage.published_at)}",
                        f"Used in {count(passage.verification_count, 'check')}",
                    ]
                ),
                width="content",
            )
            st.button(
                "Details", key=f"knowledge_open_{passage.id}", type="tertiary", icon=":material/chevron_right:",
                icon_position="right", on_click=open_passage, args=(passage.id,),
            )  # fmt: skip


def _title(passage: Passage) -> str:
    return shorten(passage.title, 120) if passage.title != passage.source_name else ""


def detail(bench: "Workbench", passage_id: str) -> None:
    """All fields, the history, and the runs that used the passage."""
    st.button(
        "All passages", key="knowledge_back", type="tertiary", icon=":material/arrow_back:", on_click=open_passage,
        args=("",),
    )  # fmt: skip
    try:
        found = bench.knowledge.get([passage_id])
        if not found:
            st.header("This passage is not here", icon=":material/search_off:", anchor=False)
            st.markdown("The link may come from another machine, or the data folder has changed. Nothing was changed.")
            return
        _fields(found[0])
        _runs(bench, passage_id)
        _history(bench.knowledge.history(passage_id))
    except StoreError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _fields(p: Passage) -> None:
    theme.kicker("Passage")
    st.header(plain(shorten(p.title or p.source_name, 160)), anchor=False)
    look = theme.PASSAGE_STATUSES[p.status]
    kind = theme.badge(theme.SOURCE_TYPES[p.source_type], "apartment", "gray")
    st.markdown(f"{look.badge} {theme.ORIGINS[p.origin].badge} {kind}")
    with st.container(border=True):
        st.markdown(plain(p.text))
        source_line(p.source_url)
    if p.status is not Status.ACTIVE:
        st.warning("This passage is not found when a claim is checked.", icon=":material/visibility_off:")
    rows = {
        "Source": plain(p.source_name),
        "Domain": plain(p.domain) or "none",
        "Credibility": theme.stars(p.credibility),
        "Topic": plain(p.topic) or "none",
        "Language": plain(p.language),
        "Published": theme.day(p.published_at),
        "Retrieved": theme.moment(p.retrieved_at),
        "Indexed": theme.moment(p.indexed_at),
        "Used in checks": str(p.verification_count),
        "Mean relevance there": f"{p.avg_relevance:.2f}" if p.verification_count else "never used",
        "Looked up": count(p.access_count, "time"),
        "Last looked up": theme.moment(p.last_accessed) if p.last_accessed else "never",
        "Length": count(p.text_length, "character"),
        "Id": plain(p.id),
    }
    st.table(rows, border="horizontal", hide_header=True)


def _runs(bench: "Workbench", passage_id: str) -> None:
    st.header("Checks that used it", anchor=False)
    used = bench.knowledge.runs_using(passage_id, RUNS_SHOWN)
    if not used:
        st.caption("No check has used it yet.")
    for use in used:
        run = bench.runs.get(use.run_id)
        words = plain(shorten(run.claim.text, 100)) if run else f"Run {plain(use.run_id)}"
        look = theme.STANCES[use.stance]
        st.page_link("pages/verify.py", label=words, icon=":material/fact_check:", query_params={"run": use.run_id})
        cited = ", cited" if use.cited else ""
        st.caption(
            f":{look.colour}[{look.word}]{cited} · relevance {theme.percent(use.relevance)} · {theme.moment(use.at)}"
        )


def _history(entries: list[HistoryEntry]) -> None:
    st.header("History", anchor=False)
    if not entries:
        st.caption("Nothing has happened to it since it came in.")
    for entry in reversed(entries):
        note = f": {plain(shorten(entry.note, 300))}" if entry.note else ""
        st.markdown(f"**{plain(entry.action.capitalize())}** · {theme.moment(entry.at)}{note}")
        if entry.old_text:
            st.markdown(f"> {coloured('gray', entry.old_text)}")
