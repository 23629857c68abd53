"""The candidates of a run: for each passage its scores, and why it became evidence or not."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ghost.errors import GhostError
from ghost.reports import DROP_REASONS, UNREADABLE, CandidateRow, candidates
from ghost.text import safe_cell
from ghost.types import Run
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import capitalized, clean, count, plain, shorten

_SHOWN = ("All", "Kept", "Dropped")
_COLUMNS: dict[str, tuple[Callable[[CandidateRow], Any], str]] = {
    "Result": (lambda r: f"[{r.n}] kept" if r.kept else "dropped",
               "Whether it became evidence, and under which number the report shows it."),
    # The table has a download of its own, which takes the cells as they are.
    "Source": (lambda r: safe_cell(clean(r.domain) or shorten(r.title, 60) or "unnamed"),
               "The site, or the title where there is none."),
    "Stance": (lambda r: theme.STANCES[r.stances.label].word,
               "What the stance model reads in it: whether it supports or contradicts the statement."),
    "Semantic": (lambda r: r.semantic, "Similarity of meaning to the statement (cosine): 1 is the same."),
    "Lexical": (lambda r: r.lexical,
                "Similarity of words (BM25): higher is better. Empty: only the search by meaning found it."),
    "Relevance": (lambda r: r.relevance,
                  "How far it is about the statement, 0 to 1: from the reading, its rank and its similarity."),
    "Credibility": (lambda r: r.credibility, "Of the source, 0 to 1."),
    "Final": (lambda r: r.final, "Relevance + (credibility - 0.5) × its weight + a small bonus for use."),
    "Stance strength": (lambda r: r.telling,
                        "How much it says about the statement, 0 to 1. Final + stance strength decides the places."),
    "Why": (lambda r: safe_cell(DROP_REASONS.get(r.code) or capitalized(shorten(r.why, 120))),
            "The reason why it was kept or dropped."),
    "Title": (lambda r: safe_cell(shorten(r.title, 120)), "Of the page."),
}  # fmt: skip
"""Each column's cell, and what it means: shown when the pointer is over its head, and in full below the table."""
_NUMBERS = {
    "Semantic": "%.2f", "Lexical": "%.1f", "Relevance": "%.2f", "Credibility": "%.2f", "Stance strength": "%.2f",
}  # fmt: skip


def candidates_section(workbench: Workbench, run: Run) -> None:
    """One table for each statement; says so where a run has none, or was made before they were kept."""
    rows = candidates(run.steps)
    if not rows:
        if rows is not None:
            st.info("Nothing was found that could have been weighed.", icon=":material/search_off:")
        elif any(s.name == "rerank" for s in run.steps):
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
        st.header(f"{statement.number} · {plain(shorten(statement.text, 200))}", anchor=False)
        if mine := [r for r in wanted if r.statement == statement.number]:
            _table(workbench, run, statement.number, mine)
        else:
            st.caption("No candidate to show.")
    with st.expander("What the columns mean", icon=":material/help:"):
        st.markdown("\n".join(f"- **{name}**: {text}" for name, (_, text) in _COLUMNS.items()))


def _filtered(run: Run, rows: Sequence[CandidateRow]) -> list[CandidateRow]:
    """The controls above the tables, and the candidates that pass them."""
    codes, reason = [code for code in DROP_REASONS if any(r.code == code for r in rows)], None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = st.segmented_control(
            "Show", _SHOWN, default=_SHOWN[0], required=True, key="trace_candidates_shown", persist_state="session"
        )
        if len(codes) > 1 and shown != "Kept":
            reason = st.selectbox(
                "Reason", codes, index=None, key=f"trace_candidates_reason_{run.id}", placeholder="Any", width=260,
                format_func=lambda code: DROP_REASONS[code], persist_state="session",
            )  # fmt: skip
    wanted = [r for r in rows if shown == _SHOWN[0] or r.kept == (shown == _SHOWN[1])]
    return [r for r in wanted if reason is None or r.code == reason]


def _table(workbench: Workbench, run: Run, statement: int, rows: Sequence[CandidateRow]) -> None:
    config: dict[str, Any] = {name: st.column_config.TextColumn(help=text) for name, (_, text) in _COLUMNS.items()}
    for name, form in _NUMBERS.items():
        config[name] = st.column_config.NumberColumn(format=form, help=_COLUMNS[name][1], width="small")
    config["Why"] = st.column_config.TextColumn(help=_COLUMNS["Why"][1], width="medium")
    config["Final"] = st.column_config.ProgressColumn(
        format="%.2f", help=_COLUMNS["Final"][1], min_value=0.0, max_value=max(1.0, *(r.final for r in rows)),
        width="small",
    )  # fmt: skip
    state = st.dataframe(
        {name: [cell(r) for r in rows] for name, (cell, _) in _COLUMNS.items()},
        key=f"trace_candidates_{run.id}_{statement}_{len(rows)}",
        hide_index=True,
        placeholder="–",
        height=min(38 + 35 * len(rows), 420),
        on_select="rerun",
        selection_mode="single-row",
        column_config=config,
        alt=f"Candidates for statement {statement}: {len(rows)}, {sum(r.kept for r in rows)} of them kept.",
    )
    chosen = state["selection"]["rows"] if state else []
    if chosen and chosen[0] < len(rows):
        _candidate(workbench, run, rows[chosen[0]])


def _candidate(workbench: Workbench, run: Run, row: CandidateRow) -> None:
    """The passage, and how its score came about."""
    boost = next((s.inputs.get("credibility_boost") for s in reversed(run.steps) if s.name == "rerank"), None)
    with st.container(border=True, gap="small", key=f"trace_candidate_{row.statement}"):
        result = theme.badge("Kept", "check", "green") if row.kept else theme.badge("Dropped", "block", "gray")
        title = plain(shorten(row.title or row.domain, 160)) or "No title"
        st.markdown(f"{result} {theme.STANCES[row.stances.label].badge} **{title}**")
        _words(workbench, run, row)
        if isinstance(boost, int | float):
            st.markdown(
                f"Final **{row.final:.2f}** = relevance {row.relevance:.2f} "
                f"+ (credibility {row.credibility:.2f} − 0.5) × {boost:.2f} + bonus for use {row.access_bonus:.2f}"
            )
        if row.telling is not None:
            st.markdown(f"Its stance strength **{row.telling:.2f}** is added when the places are given.")
        if row.unreadable or row.corrected:
            st.markdown("Read by you, in place of Ghost." if row.corrected else f"{UNREADABLE}: it takes no side.")
        s = row.stances
        st.caption(
            f"Rank {row.rank} in the search · supports {theme.percent(s.supports)}, "
            f"contradicts {theme.percent(s.refutes)}, related {theme.percent(s.neutral)}, "
            f"off topic {theme.percent(s.off_topic)} · found in: {plain(row.found_in)} · "
            + (f"as of {theme.as_of(row.as_of)}" if row.as_of else f"published {theme.day(row.published_at)}")
        )
        st.markdown(f"{'Kept' if row.kept else 'Dropped'}: {plain(row.why)}.")


def _words(workbench: Workbench, run: Run, row: CandidateRow) -> None:
    """The passage as the run read it where it was kept, else as it is in the knowledge base now."""
    p = next((e.passage for e in run.evidence if e.passage.id == row.passage_id), None)
    if p is None:
        try:
            p = next(iter(workbench.knowledge.get([row.passage_id])), None)
        except GhostError as error:
            st.caption(f"Its text cannot be read now. {plain(str(error))}")
            return
        if p is None:
            st.caption("Its text was not kept: it did not become evidence, and it is not in the knowledge base.")
            return
        if len(p.text) != row.characters:
            st.caption(":material/edit: The passage has been edited since.")
    st.markdown(theme.intake_badge(p))
    st.markdown(theme.quotation(p.text, p.kind, len(p.text)))
    if not row.passage_id.startswith("web:"):
        st.page_link(
            "pages/knowledge.py", label="Open the passage", icon=":material/library_books:",
            query_params={"passage": row.passage_id},
        )  # fmt: skip
