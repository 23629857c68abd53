"""The candidates of a run: for each passage its scores, and why it became evidence or not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.errors import GhostError
from ghost.reports import DROP_REASONS, CandidateRow, candidates
from ghost.text import csv_bytes, safe_cell
from ghost.types import Run
from ghost.ui.shared import theme
from ghost.ui.shared.text import begun, clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_SHOWN = ("All", "Kept", "Dropped")
BOX = 260
"""Pixels."""
_HELP = {
    "Semantic": "Cosine of passage and statement, by meaning: 1 is the same.",
    "Lexical": "BM25, by words; higher is better. Empty: only the vectors found it.",
    "Relevance": "0 to 1, from what the model read, the place in the search, and the nearness.",
    "Credibility": "Of the source, 0 to 1.",
    "Final": "Relevance + (credibility - 0.5) × its weight + a small bonus for use.",
    "Telling": "How much it says of the statement, 0 to 1: a side, or a rating. Final + telling gives the places.",
}


def candidates_section(workbench: "Workbench", run: Run) -> None:
    """One table for each statement; says so where a run has none, or was made before they were kept."""
    rows = candidates(run.steps)
    if rows is None:
        if any(s.name == "rerank" for s in run.steps):
            st.info(
                "This run was made by an older Ghost, which did not keep the scores of its candidates. Check the "
                "claim again to have them; what it kept and dropped, and why, is under **Steps**, in “Weigh”.",
                icon=":material/history:",
            )
        else:
            st.info("No passage was weighed: the check ended before step 3.", icon=":material/remove:")
        return
    if not rows:
        st.info("Nothing was found that could have been weighed.", icon=":material/search_off:")
        return
    kept = sum(r.kept for r in rows)
    st.markdown(
        f"**{count(len(rows), 'candidate')}** of the last round, **{kept} kept as evidence**. Choose a row to read the "
        "passage and how its weight came about."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
            shown = st.segmented_control(
                "Show", _SHOWN, default=_SHOWN[0], required=True, key="trace_candidates_shown", persist_state="session"
            )
            reason = _reason(run, rows) if shown != "Kept" else None
        st.download_button(
            "Download CSV", lambda: _csv(rows), f"ghost-candidates-{run.id[:8]}.csv", "text/csv",
            key="trace_candidates_csv", icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    wanted = [r for r in rows if shown == _SHOWN[0] or r.kept == (shown == _SHOWN[1])]
    wanted = [r for r in wanted if reason is None or r.code == reason]
    for statement in run.classification.statements if run.classification else ():
        mine = [r for r in wanted if r.statement == statement.number]
        st.header(f"{statement.number} · {plain(shorten(statement.text, 200))}", anchor=False)
        if mine:
            _table(workbench, run, statement.number, mine)
        else:
            st.caption("No candidate to show.")


def _reason(run: Run, rows: Sequence[CandidateRow]) -> str | None:
    """The one reason for which dropped candidates are shown; None for all."""
    codes = [code for code in DROP_REASONS if any(r.code == code for r in rows)]
    if len(codes) < 2:
        return None
    found: str | None = st.selectbox(
        "Reason", codes, index=None, key=f"trace_candidates_reason_{run.id}", placeholder="Any", width=BOX,
        format_func=lambda code: DROP_REASONS[code], persist_state="session",
    )  # fmt: skip
    return found


def _table(workbench: "Workbench", run: Run, statement: int, rows: Sequence[CandidateRow]) -> None:
    number = st.column_config.NumberColumn
    state = st.dataframe(
        {
            "": [f"[{r.n}] kept" if r.kept else "dropped" for r in rows],
            # The table has a download of its own, which takes the cells as they are.
            "Source": [safe_cell(clean(r.domain) or shorten(r.title, 60) or "unnamed") for r in rows],
            "Stance": [theme.STANCES[r.stances.label].word for r in rows],
            "Semantic": [r.semantic for r in rows],
            "Lexical": [r.lexical for r in rows],
            "Relevance": [r.relevance for r in rows],
            "Credibility": [r.credibility for r in rows],
            "Final": [r.final for r in rows],
            "Telling": [r.telling for r in rows],
            "Why": [safe_cell(DROP_REASONS.get(r.code) or begun(shorten(r.why, 120))) for r in rows],
            "Title": [safe_cell(shorten(r.title, 120)) for r in rows],
        },
        key=f"trace_candidates_{run.id}_{statement}_{len(rows)}",
        hide_index=True,
        placeholder="–",
        height=min(38 + 35 * len(rows), 420),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Semantic": number(format="%.2f", help=_HELP["Semantic"], width="small"),
            "Lexical": number(format="%.1f", help=_HELP["Lexical"], width="small"),
            "Relevance": number(format="%.2f", help=_HELP["Relevance"], width="small"),
            "Credibility": number(format="%.2f", help=_HELP["Credibility"], width="small"),
            "Final": st.column_config.ProgressColumn(
                format="%.2f", help=_HELP["Final"], min_value=0.0, max_value=max(1.0, *(r.final for r in rows)),
                width="small",
            ),
            "Telling": number(format="%.2f", help=_HELP["Telling"], width="small"),
            "Why": st.column_config.TextColumn(width="medium"),
        },
        alt=f"Candidates for statement {statement}: {len(rows)}, {sum(r.kept for r in rows)} of them kept.",
    )  # fmt: skip
    chosen = state["selection"]["rows"] if state else []
    if chosen and chosen[0] < len(rows):
        _one(workbench, run, rows[chosen[0]])


def _one(workbench: "Workbench", run: Run, row: CandidateRow) -> None:
    """The passage and the sum behind its weight."""
    boost = next((s.inputs.get("credibility_boost") for s in reversed(run.steps) if s.name == "rerank"), None)
    look = theme.STANCES[row.stances.label]
    with st.container(border=True, gap="small", key=f"trace_candidate_{row.statement}"):
        state = theme.badge("Kept", "check", "green") if row.kept else theme.badge("Dropped", "block", "gray")
        st.markdown(f"{state} {look.badge} **{plain(shorten(row.title or row.domain, 160)) or 'No title'}**")
        _text(workbench, run, row)
        if isinstance(boost, int | float):
            st.markdown(
                f"Final **{row.final:.2f}** = relevance {row.relevance:.2f} "
                f"+ (credibility {row.credibility:.2f} − 0.5) × {boost:.2f} + bonus for use {row.access_bonus:.2f}"
            )
        if row.telling is not None:
            st.markdown(f"What it says of the statement adds **{row.telling:.2f}** when places are given.")
        s = row.stances
        st.caption(
            f"Place {row.rank} in the search · supports {theme.percent(s.supports)}, "
            f"contradicts {theme.percent(s.refutes)}, related {theme.percent(s.neutral)}, "
            f"off topic {theme.percent(s.off_topic)} · found in: {plain(row.found_in)} · "
            + (f"as of {theme.as_of(row.as_of)}" if row.as_of else f"published {theme.day(row.published_at)}")
        )
        st.markdown(f"{'Kept' if row.kept else 'Dropped'}: {plain(row.why)}.")


def _text(workbench: "Workbench", run: Run, row: CandidateRow) -> None:
    """The text as the run read it where it was kept, else as it stands in the knowledge base now."""
    mine = next((e.passage for e in run.evidence if e.passage.id == row.passage_id), None)
    if mine is not None:
        st.markdown(f"> {plain(mine.text)}")
    else:
        try:
            found = workbench.knowledge.get([row.passage_id])
        except GhostError as error:
            st.caption(f"Its text cannot be read now. {plain(str(error))}")
            return
        if not found:
            st.caption("Its text was not kept: it became no evidence, and it is not in the knowledge base.")
            return
        st.markdown(f"> {plain(found[0].text)}")
        if len(found[0].text) != row.characters:
            st.caption(":material/edit: The passage has been edited since.")
    if not row.passage_id.startswith("web:"):
        st.page_link(
            "pages/knowledge.py", label="Open the passage", icon=":material/library_books:",
            query_params={"passage": row.passage_id},
        )  # fmt: skip


def _csv(rows: Sequence[CandidateRow]) -> bytes:
    head = (
        "statement", "kept", "n", "why", "passage", "domain", "title", "found in", "published", "as of", "stance",
        "supports", "refutes", "neutral", "off topic", "rank", "semantic", "lexical", "fused", "relevance",
        "credibility", "access bonus", "final", "telling", "origin",
    )  # fmt: skip
    return csv_bytes(head, (_cells(r) for r in rows))


def _cells(r: CandidateRow) -> tuple[Any, ...]:
    s = r.stances
    return (
        r.statement, r.kept, r.n, r.why, r.passage_id, r.domain, r.title, r.found_in, r.published_at, r.as_of,
        s.label.value, s.supports, s.refutes, s.neutral, s.off_topic, r.rank, r.semantic, r.lexical, r.fused,
        r.relevance, r.credibility, r.access_bonus, r.final, r.telling, r.origin,
    )  # fmt: skip
