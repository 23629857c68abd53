"""The candidates of a run: for each passage its scores, and why it became evidence or not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.reports import DROP_REASONS, CandidateRow, candidates
from ghost.text import csv_bytes, safe_cell
from ghost.types import Run
from ghost.ui.shared import theme
from ghost.ui.shared.text import capitalized, clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_SHOWN = ("All", "Kept", "Dropped")
_HELP = {
    "Result": "Whether it became evidence, and under which number the report shows it.",
    "Source": "The site, or the title where there is none.",
    "Stance": "What the stance model reads in it: whether it supports or contradicts the statement.",
    "Semantic": "Similarity of meaning to the statement (cosine): 1 is the same.",
    "Lexical": "Similarity of words (BM25): higher is better. Empty: only the search by meaning found it.",
    "Relevance": "How far it is about the statement, 0 to 1: from the reading, its rank and its similarity.",
    "Credibility": "Of the source, 0 to 1.",
    "Final": "Relevance + (credibility - 0.5) × its weight + a small bonus for use.",
    "Stance strength": "How much it says about the statement, 0 to 1. Final + stance strength decides the places.",
    "Why": "The reason why it was kept or dropped.",
    "Title": "Of the page.",
}
"""What each column means; shown when the pointer is over its head, and in full below the table."""


def candidates_section(workbench: "Workbench", run: Run) -> None:
    """One table for each statement; says so where a run has none, or was made before they were kept."""
    rows = candidates(run.steps)
    if not rows:
        weighed = any(s.name == "rerank" for s in run.steps)
        if rows is not None:
            st.info("Nothing was found that could have been weighed.", icon=":material/search_off:")
        elif weighed:
            st.info(
                "An older version of Ghost made this run and did not keep the scores. Check the claim again to have "
                "them. What was kept and dropped, and why, is under **Steps**, in “Weigh”.",
                icon=":material/history:",
            )
        else:
            st.info("No passage was weighed: the check ended before step 3.", icon=":material/remove:")
        return
    kept = sum(r.kept for r in rows)
    st.markdown(
        f"**{count(len(rows), 'candidate')}** of the last round, **{kept} kept as evidence**. Select a row to read the "
        "passage and how its score came about."
    )
    wanted = _filtered(run, rows)
    for statement in run.classification.statements if run.classification else ():
        mine = [r for r in wanted if r.statement == statement.number]
        st.header(f"{statement.number} · {plain(shorten(statement.text, 200))}", anchor=False)
        if mine:
            _table(workbench, run, statement.number, mine)
        else:
            st.caption("No candidate to show.")
    with st.expander("What the columns mean", icon=":material/help:"):
        st.markdown("\n".join(f"- **{name}**: {text}" for name, text in _HELP.items()))


def _filtered(run: Run, rows: Sequence[CandidateRow]) -> list[CandidateRow]:
    """The controls above the tables, and the candidates that pass them."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
            shown = st.segmented_control(
                "Show", _SHOWN, default=_SHOWN[0], required=True, key="trace_candidates_shown", persist_state="session"
            )
            codes = [code for code in DROP_REASONS if any(r.code == code for r in rows)]
            reason = None
            if len(codes) > 1 and shown != "Kept":
                reason = st.selectbox(
                    "Reason", codes, index=None, key=f"trace_candidates_reason_{run.id}", placeholder="Any", width=260,
                    format_func=lambda code: DROP_REASONS[code], persist_state="session",
                )  # fmt: skip
        st.download_button(
            "Download CSV", lambda: _csv(rows), f"ghost-candidates-{run.id[:8]}.csv", "text/csv",
            key="trace_candidates_csv", icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    wanted = [r for r in rows if shown == _SHOWN[0] or r.kept == (shown == _SHOWN[1])]
    return [r for r in wanted if reason is None or r.code == reason]


def _table(workbench: "Workbench", run: Run, statement: int, rows: Sequence[CandidateRow]) -> None:
    def text(name: str, width: str | None = None):  # type: ignore[no-untyped-def]
        return st.column_config.TextColumn(help=_HELP[name], width=width)  # type: ignore[arg-type]

    def number(name: str, form: str = "%.2f"):  # type: ignore[no-untyped-def]
        return st.column_config.NumberColumn(format=form, help=_HELP[name], width="small")

    state = st.dataframe(
        {
            "Result": [f"[{r.n}] kept" if r.kept else "dropped" for r in rows],
            # The table has a download of its own, which takes the cells as they are.
            "Source": [safe_cell(clean(r.domain) or shorten(r.title, 60) or "unnamed") for r in rows],
            "Stance": [theme.STANCES[r.stances.label].word for r in rows],
            "Semantic": [r.semantic for r in rows],
            "Lexical": [r.lexical for r in rows],
            "Relevance": [r.relevance for r in rows],
            "Credibility": [r.credibility for r in rows],
            "Final": [r.final for r in rows],
            "Stance strength": [r.telling for r in rows],
            "Why": [safe_cell(DROP_REASONS.get(r.code) or capitalized(shorten(r.why, 120))) for r in rows],
            "Title": [safe_cell(shorten(r.title, 120)) for r in rows],
        },
        key=f"trace_candidates_{run.id}_{statement}_{len(rows)}",
        hide_index=True,
        placeholder="–",
        height=min(38 + 35 * len(rows), 420),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            **{name: text(name) for name in ("Result", "Source", "Stance", "Title")},
            **{name: number(name) for name in ("Semantic", "Relevance", "Credibility", "Stance strength")},
            "Lexical": number("Lexical", "%.1f"),
            "Why": text("Why", "medium"),
            "Final": st.column_config.ProgressColumn(
                format="%.2f", help=_HELP["Final"], min_value=0.0, max_value=max(1.0, *(r.final for r in rows)),
                width="small",
            ),
        },
        alt=f"Candidates for statement {statement}: {len(rows)}, {sum(r.kept for r in rows)} of them kept.",
    )  # fmt: skip
    chosen = state["selection"]["rows"] if state else []
    if chosen and chosen[0] < len(rows):
        _candidate(workbench, run, rows[chosen[0]])


def _candidate(workbench: "Workbench", run: Run, row: CandidateRow) -> None:
    """The passage, and how its score came about."""
    boost = next((s.inputs.get("credibility_boost") for s in reversed(run.steps) if s.name == "rerank"), None)
    with st.container(border=True, gap="small", key=f"trace_candidate_{row.statement}"):
        result = theme.badge("Kept", "check", "green") if row.kept else theme.badge("Dropped", "block", "gray")
        title = plain(shorten(row.title or row.domain, 160)) or "No title"
        st.markdown(f"{result} {theme.STANCES[row.stances.label].badge} **{title}**")
        _text(workbench, run, row)
        if isinstance(boost, int | float):
            st.markdown(
                f"Final **{row.final:.2f}** = relevance {row.relevance:.2f} "
                f"+ (credibility {row.credibility:.2f} − 0.5) × {boost:.2f} + bonus for use {row.access_bonus:.2f}"
            )
        if row.telling is not None:
            st.markdown(f"Its stance strength **{row.telling:.2f}** is added when the places are given.")
        s = row.stances
        st.caption(
            f"Rank {row.rank} in the search · supports {theme.percent(s.supports)}, "
            f"contradicts {theme.percent(s.refutes)}, related {theme.percent(s.neutral)}, "
            f"off topic {theme.percent(s.off_topic)} · found in: {plain(row.found_in)} · "
            + (f"as of {theme.as_of(row.as_of)}" if row.as_of else f"published {theme.day(row.published_at)}")
        )
        st.markdown(f"{'Kept' if row.kept else 'Dropped'}: {plain(row.why)}.")


def _text(workbench: "Workbench", run: Run, row: CandidateRow) -> None:
    """The text as the run read it where it was kept, else as it is in the knowledge base now."""
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
            st.caption("Its text was not kept: it did not become evidence, and it is not in the knowledge base.")
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
    cells = (
        (r.statement, r.kept, r.n, r.why, r.passage_id, r.domain, r.title, r.found_in, r.published_at, r.as_of,
         r.stances.label.value, r.stances.supports, r.stances.refutes, r.stances.neutral, r.stances.off_topic, r.rank,
         r.semantic, r.lexical, r.fused, r.relevance, r.credibility, r.access_bonus, r.final, r.telling, r.origin)
        for r in rows
    )  # fmt: skip
    return csv_bytes(head, cells)
