"""The answers of a report: sentences whose ``[n]`` link to their quotes, disagreements side by side, and gaps."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from ghost.reports import research_sources, source
from ghost.types import Citation, Disagreement, GateDecision, GateState, ResearchAnswer, SubQuestion, host_of
from ghost.ui.research.badges import GATES, NEW, UNANSWERED
from ghost.ui.shared import theme
from ghost.ui.shared.text import cited, count, link, plain, safe_url, shorten

QUOTE = 600
_AFTER_MARK = re.compile(r"(?<=\]) (?=[^\[])|(?<=\]\.) (?=[^\[])")
_SOURCES = "source"
"""Begins the anchors of the list of sources."""


def answer_card(
    question: SubQuestion, decision: GateDecision | None, answer: ResearchAnswer | None, numbers: frozenset[int]
) -> None:
    """One question with its answer, where it comes from, and what disagrees.

    ``numbers`` are those of the listed sources.
    """
    with st.container(border=True, gap="small", key=f"research_answer_{question.number}"):
        st.subheader(f"{question.number} · {plain(shorten(question.text, 300))}", anchor=f"question-{question.number}")
        if answer is None:
            st.markdown(
                f"{theme.badge('Not reached', 'remove', 'gray')} :gray[The research ended before this question.]"
            )
            return
        if answer.text:
            origin = GATES[GateState.SATISFIED] if answer.from_memory else NEW
            st.markdown(f"{origin.badge} :gray[:small[{_why(answer, decision)}]]")
            # The embedded judge quotes one source after the other; what a model writes is prose.
            quoted = answer.written_by == "embedded"
            for paragraph in _AFTER_MARK.split(answer.text) if quoted else [answer.text]:
                st.markdown(cited(paragraph, numbers, _SOURCES))
            _names(answer.citations, named=quoted)
        sources = {c.n: c for c in answer.citations}
        for position, found in enumerate(answer.disagreements):
            _disagreement(found, sources, f"{question.number}_{position}")
        if answer.gap:
            st.markdown(f"{UNANSWERED.badge} {plain(shorten(answer.gap, 400))}")


def sources_section(answers: Sequence[ResearchAnswer]) -> None:
    """Every source once, with all that is quoted from it; the numbers in the answers link here."""
    asked = {n: [a.question for a in answers if any(c.n == n for c in a.citations)] for n in listed(answers)}
    found = [(c, quotes) for c, quotes in research_sources(answers) if c.n in asked]
    if not found:
        return
    st.header("Sources", anchor="sources")
    with st.container(gap="xsmall"):
        for c, quotes in found:
            with st.container(border=True, gap="xsmall", key=f"research_source_{c.n}"):
                name = f"{c.n} · {plain(shorten(_name(c), 120))}"
                st.subheader(name, anchor=f"{_SOURCES}-{c.n}")
                questions = ", ".join(f"[{q}](#question-{q})" for q in asked[c.n])
                _quote(c, quotes, f" :gray[· question] {questions}")


def listed(answers: Sequence[ResearchAnswer]) -> frozenset[int]:
    """The numbers of the sources that are listed."""
    return frozenset(c.n for answer in answers for c in answer.citations if c.accepted)


def _why(answer: ResearchAnswer, decision: GateDecision | None) -> str:
    """Why it comes from memory, or why not, as Markdown."""
    reason = plain(shorten(decision.reason, 240)) if decision else ""
    if reason and not answer.from_memory:
        return f"Not from memory: {reason[:1].lower()}{reason[1:]}"
    return reason


def _names(citations: Sequence[Citation], named: bool) -> None:
    """The names of the sources, which link to their quotes, unless the text has ``named`` them."""
    accepted = {c.n: c for c in citations if c.accepted}
    if accepted and not named:
        names = [f"[\\[{n}\\] {plain(shorten(_name(c), 40))}](#{_SOURCES}-{n})" for n, c in accepted.items()]
        st.markdown(f":material/format_quote: :small[{' · '.join(names)}]")
    if refused := sum(not c.accepted for c in citations):
        st.caption(f"{count(refused, 'citation')} rejected by the gate, and not used.")


def _name(c: Citation) -> str:
    """What a source is called: its site, else its title."""
    return source(replace(c, domain=c.domain or host_of(c.url)))


def _quote(c: Citation, quotes: Sequence[str], more: str) -> None:
    """What is quoted, where it stands, and a link to its passage; ``more`` is Markdown of ours."""
    for quote in quotes:
        st.markdown(theme.quotation(quote, c.kind, QUOTE))
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        title = plain(shorten(c.title, 120))
        where = link(c.domain or shorten(c.url, 60), c.url) if safe_url(c.url) else "no address"
        published = f":gray[published {theme.day(c.published_at)} ·]"
        st.markdown(f":small[{title}{' · ' if title else ''}{published} {where}{more}]", width="stretch")
        if c.passage_id:
            st.page_link(
                "pages/knowledge.py", label="Passage", icon=":material/library_books:",
                query_params={"passage": c.passage_id}, width="content",
            )  # fmt: skip


def _disagreement(found: Disagreement, sources: Mapping[int, Citation], key: str) -> None:
    """The two quotes side by side; where a citation is missing, only its number."""
    with st.container(border=True, gap="small", key=f"research_disagreement_{key}"):
        st.markdown(f":orange[:material/balance: **Sources disagree.**] {plain(shorten(found.why, 400))}")
        for column, n in zip(st.columns(2), (found.one, found.other), strict=True):
            with column, st.container(gap="xsmall"):
                if c := sources.get(n):
                    st.markdown(f"**[\\[{n}\\]](#{_SOURCES}-{n}) {plain(shorten(_name(c), 120))}**")
                    st.markdown(theme.quotation(c.quote, c.kind, QUOTE))
                    st.caption(f"Published {theme.day(c.published_at)}")
                else:
                    st.markdown(f"**\\[{n}\\]**")
