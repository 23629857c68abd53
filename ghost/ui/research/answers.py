"""The answers of a report: sentences whose ``[n]`` lead to their quotes, disagreements side by side, and gaps."""

from collections.abc import Mapping, Sequence

import streamlit as st

from ghost.types import Citation, Disagreement, GateDecision, GateState, ResearchAnswer, SubQuestion, host_of
from ghost.ui.research.badges import FROM_WEB, GATES, UNANSWERED
from ghost.ui.shared import theme
from ghost.ui.shared.text import cited, count, link, plain, safe_url, shorten

QUOTE = 600
_SOURCES = "source"
"""Begins the anchors of the list of sources."""


def answer_card(
    question: SubQuestion, decision: GateDecision | None, answer: ResearchAnswer | None, numbers: frozenset[int]
) -> None:
    """One question with its answer, its quotes and what disagrees; ``numbers`` are those of the listed sources."""
    with st.container(border=True, gap="small", key=f"research_answer_{question.number}"):
        st.subheader(f"{question.number} · {plain(shorten(question.text, 300))}", anchor=f"question-{question.number}")
        if answer is None:
            st.markdown(
                f"{theme.badge('Not reached', 'remove', 'gray')} :gray[The research ended before this question.]"
            )
            return
        if answer.text:
            origin = GATES[GateState.SATISFIED] if answer.from_memory else FROM_WEB
            st.markdown(f"{origin.badge} :gray[:small[{_why(answer, decision)}]]")
            st.markdown(cited(answer.text, numbers, _SOURCES))
            _quotes(question.number, answer.citations)
        sources = {c.n: c for c in answer.citations}
        for position, found in enumerate(answer.disagreements):
            _disagreement(found, sources, f"{question.number}_{position}")
        if answer.gap:
            st.markdown(f"{UNANSWERED.badge} {plain(shorten(answer.gap, 400))}")


def sources_section(answers: Sequence[ResearchAnswer]) -> None:
    """Every accepted citation with its quote, each once; the answers lead here."""
    found = listed(answers)
    if not found:
        return
    st.header("Sources", anchor="sources")
    asked = {c.n: answer.question for answer in answers for c in answer.citations}
    with st.container(gap="xsmall"):
        for c in found.values():
            with st.container(border=True, gap="xsmall", key=f"research_source_{c.n}"):
                name = f"{c.n} · {plain(shorten(c.domain or host_of(c.url) or c.title, 80))}"
                st.subheader(name, anchor=f"{_SOURCES}-{c.n}")
                _quote(c, f" :gray[·] [question {asked[c.n]}](#question-{asked[c.n]})")


def listed(answers: Sequence[ResearchAnswer]) -> dict[int, Citation]:
    """The accepted citations of all answers by their numbers."""
    return {c.n: c for answer in answers for c in answer.citations if c.accepted}


def _why(answer: ResearchAnswer, decision: GateDecision | None) -> str:
    """Why it comes from there, as Markdown."""
    reason = plain(shorten(decision.reason, 240)) if decision else ""
    if not answer.from_memory:
        return f"Found now. Memory: {reason[:1].lower()}{reason[1:]}" if reason else "Found now."
    return reason


def _quotes(question: int, citations: Sequence[Citation]) -> None:
    """A button for each source, which opens its quote."""
    accepted = [c for c in citations if c.accepted]
    with st.container(horizontal=True, gap="xsmall"):
        for c in accepted:
            label = f"\\[{c.n}\\] {plain(shorten(c.domain or host_of(c.url) or c.title or 'source', 40))}"
            with st.popover(label, icon=":material/format_quote:", key=f"research_quote_{question}_{c.n}"):
                _quote(c)
    if refused := len(citations) - len(accepted):
        st.caption(
            f"{count(refused, 'citation')} rejected by the gate: nothing rests on {'it' if refused == 1 else 'them'}."
        )


def _quote(c: Citation, more: str = "") -> None:
    """The quote, where it stands, and the way to its passage; ``more`` is Markdown of ours."""
    st.markdown(f"> {plain(shorten(c.quote, QUOTE))}")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        title = plain(shorten(c.title, 120))
        where = link(c.domain or shorten(c.url, 60), c.url) if safe_url(c.url) else "no address"
        published = f":gray[published {theme.day(c.published_at)} ·]"
        st.markdown(f":small[{title}{' · ' if title else ''}{published} {where}{more}]", width="content")
        if c.passage_id:
            st.page_link(
                "pages/knowledge.py", label="Passage", icon=":material/library_books:",
                query_params={"passage": c.passage_id}, width="content",
            )  # fmt: skip


def _disagreement(found: Disagreement, sources: Mapping[int, Citation], key: str) -> None:
    """The two quotes side by side; a citation that is not there is named by its number."""
    with st.container(border=True, gap="small", key=f"research_disagreement_{key}"):
        st.markdown(f":orange[:material/balance: **Sources disagree.**] {plain(shorten(found.why, 400))}")
        for column, n in zip(st.columns(2), (found.one, found.other), strict=True):
            with column, st.container(gap="xsmall"):
                if c := sources.get(n):
                    st.markdown(f"**[\\[{n}\\]](#{_SOURCES}-{n}) {plain(shorten(c.domain or c.title, 60))}**")
                    st.markdown(f"> {plain(shorten(c.quote, QUOTE))}")
                    st.caption(f"Published {theme.day(c.published_at)}")
                else:
                    st.markdown(f"**\\[{n}\\]**")
