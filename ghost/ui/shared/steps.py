"""The seven steps of a run: a short list of them, one step as answers to what a reader asks, and its searches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import money, offline
from ghost.types import Pipeline, RunStatus, TraceStep
from ghost.ui.shared.conversation import doing_in_turn, is_turn, left_because, truth_rows, turn_detail
from ghost.ui.shared.parts import table
from ghost.ui.shared.sharing import WAITING, waiting
from ghost.ui.shared.text import count, host_link, plain, shorten
from ghost.ui.shared.theme import PAGE_STATES, TYPES, UNKNOWN_STATE, seconds


@dataclass(frozen=True, slots=True)
class Step:
    """A step as the pages show it."""

    name: str
    title: str
    short: str
    """Fits beside a bar on a telephone."""
    icon: str
    colour: str
    doing: str
    """Shown while it is at work."""
    questions: tuple[str, str, str]
    """What it was given, what came out (its decision), and why."""


STEPS = (
    Step("classify", "Understand the claim", "Understand", "psychology", "gray",
         "What kind of claim is it, and what in it can be checked?",
         ("What was claimed?", "What can be checked?", "Why?")),
    Step("retrieve", "Search the knowledge base", "Search", "manage_search", "blue", "By meaning and by words.",
         ("What was searched for?", "What was found?", "How?")),
    Step("rerank", "Read and weigh", "Weigh", "balance", "violet",
         "Does each passage support or contradict the claim, and how credible is its source?",
         ("What was read?", "What was kept?", "What was left out?")),
    Step("sufficiency", "Enough evidence?", "Enough?", "rule", "yellow", "Would this settle the claim?",
         ("What had to be settled?", "Was the evidence enough?", "Why?")),
    Step("investigate", "Search the web", "Web", "travel_explore", "orange",
         "Trusted sources first, then fact-checkers, then the whole web.",
         ("Where was it searched?", "What was found?", "What happened?")),
    Step("index", "Save what was learnt", "Save", "library_add", "gray", "Only what was read and is relevant.",
         ("What was used?", "What was saved?", "Why?")),
    Step("verdict", "Decide and check citations", "Decide", "gavel", "green",
         "Every quote must be in its source, word for word.",
         ("What was decided on?", "What was decided?", "Why?")),
)  # fmt: skip
BY_NAME = {step.name: step for step in STEPS}
_CONVERSING = Step(
    "investigate", "The model searches and reads", "Turns", "forum", "orange",
    "It searches, reads pages, and keeps facts word for word.",
    ("What was it asked?", "What did it do?", "What happened?"),
)  # fmt: skip
CONVERSATION = (
    BY_NAME["classify"], BY_NAME["retrieve"], _CONVERSING, BY_NAME["rerank"], BY_NAME["index"], BY_NAME["verdict"],
)  # fmt: skip
"""The steps of a conversation in order; if it falls back, STEPS follow."""
_STAGES = {
    "found_page": "On the page where the claim was found", "link": "On the pages you added",
    "note": "On the pages of the notes",
    "trusted": "At trusted sources", "fact_check": "At fact-checkers", "broad": "On the whole web",
}  # fmt: skip


def decision_of(step: TraceStep) -> str:
    """What a step decided (hostile), with the kind of claim in the words of the page."""
    kind, dot, rest = step.decision.partition(" · ")
    return f"{TYPES[kind].word}{dot}{rest}" if step.name == "classify" and kind in TYPES else step.decision


def step_list(view: RunView) -> None:
    """The steps of its pipeline with their state, what each found, and its seconds."""
    steps: tuple[Step, ...] = STEPS
    if view.pipeline is Pipeline.SINGLE_CONVERSATION:
        if why := left_because(view.steps):
            st.markdown(f":orange[:material/alt_route: **The seven steps took over.**] {plain(shorten(why, 400))}")
        elif view.step != "sufficiency" and not any(s.name == "sufficiency" for s in view.steps):
            steps = CONVERSATION
    for position, step in enumerate(steps):
        later = {s.name for s in steps[position + 1 :]}
        icon, title, note = _state(view, step, later, [s for s in view.steps if s.name == step.name])
        with st.container(horizontal=True, gap="small", wrap=False):
            st.markdown(icon, width="content")
            with st.container(gap=None):
                st.markdown(title)
                if note:
                    st.caption(note)


def _state(view: RunView, step: Step, later: set[str], ended: list[TraceStep]) -> tuple[str, str, str]:
    """Icon, title and note of one step; a later round replaces an earlier one."""
    if view.step == step.name:
        again = f" (round {view.round})" if view.round > 1 else ""
        doing = f"Searching {plain(view.detail)}" if view.detail else step.doing
        if waiting(view.detail) == WAITING:
            doing = WAITING
        elif step is _CONVERSING:
            doing = plain(doing_in_turn(view.detail))
        return ":blue[:material/clock_loader_40:]", f"**{step.title}**{again}", f":shimmer[{doing}]"
    if ended:
        failed = ended[-1].decision == "stopped" or any(s.decision.endswith("the search failed") for s in ended)
        icon = ":orange[:material/error:]" if failed else ":green[:material/check_circle:]"
        # The turns of a search are stages of one investigation; of other steps the last round counts.
        turns = ended if step.name == "investigate" else ended[-1:]
        decisions = "; ".join(plain(shorten(decision_of(s), 160)) for s in turns)
        return icon, f"**{step.title}**", f"{decisions} · {seconds(sum(s.seconds for s in ended))}"
    skipped = view.step in later or any(s.name in later for s in view.steps)
    if view.ended or skipped:
        note = "Not needed" if skipped or view.status is RunStatus.FINISHED else "Not reached"
        return ":gray[:material/remove:]", f":gray[{step.title}]", note
    return ":gray[:material/radio_button_unchecked:]", f":gray[{step.title}]", ""


def usage_line(view: RunView) -> str:
    """What the run has spent, as Markdown."""
    used = view.usage
    parts = [seconds(used.seconds or view.seconds)]
    if used.searches or used.fetches:
        parts.append(f"{count(used.searches, 'search', 'searches')}, {count(used.fetches, 'page')} fetched")
    if used.tokens:
        parts.append(plain(money(used.tokens, used.cost_usd, used.unpriced_tokens)))
    return " · ".join(parts)


def step_answers(step: TraceStep) -> None:
    """What a step was given, what came out and why, each under the question that a reader has."""
    if is_turn(step):
        turn_detail(step)
        searches_table(step)
        return
    known = BY_NAME.get(step.name)
    given, outcome, why = known.questions if known else ("What was given?", "What came out?", "Why?")
    _answer(given, _given(step))
    _answer(outcome, plain(shorten(decision_of(step), 400)) or "Nothing")
    found = rows_of(step.outputs.get("statements")) if step.name == "sufficiency" else []
    lines = [
        f"**{plain(str(row.get('statement')))}** · {'enough' if row.get('enough') else 'not enough'}: "
        + plain(shorten(" ".join(filter(None, (str(row.get("reason") or ""), str(row.get("missing") or "")))), 600))
        for row in found
    ]
    _answer(why, "  \n".join(lines) if lines else plain(shorten(step.reason, 2_000)))
    if weighed := truth_rows(step):
        st.markdown(":gray[:small[Truth percentage: statements by weight]]")
        table(weighed)
    searches_table(step)


def _answer(question: str, answer: str) -> None:
    if answer:
        st.markdown(f":gray[:small[{question}]]  \n{answer}")


def _given(step: TraceStep) -> str:
    """What a step was given, as Markdown; the trace may be from another version."""
    given = step.inputs
    if claim := given.get("claim"):
        return f"“{plain(shorten(str(claim), 400))}”"
    statements, candidates, evidence = given.get("statements"), given.get("candidates"), given.get("evidence")
    if step.name in ("index", "verdict") and isinstance(evidence, list | tuple):
        return count(len(evidence), "passage")
    if isinstance(candidates, int):
        return count(candidates, "candidate")
    if isinstance(statements, list | tuple):
        return "  \n".join(f"**{n}** · {plain(shorten(str(s), 300))}" for n, s in enumerate(statements, start=1))
    return _STAGES.get(str(given.get("stage")), "")


_SEARCH_STATES = {
    "failed": ":orange[:material/error:]",
    "not asked": ":gray[:material/remove:]",
    "from the cache": ":blue[:material/history:]",
}


def searches_table(step: TraceStep) -> None:
    """Every search of one step with its hits, and the pages it read; nothing for a step that did not search."""
    if step.name != "investigate":
        return
    for search in rows_of(step.outputs.get("searches")):
        state = str(search.get("state"))
        if state == "not asked" and offline([step]):
            continue
        why = f"  \n:gray[{plain(shorten(str(search.get('why')), 300))}]" if search.get("why") else ""
        query = plain(shorten(str(search.get("query")), 400))
        receiver = plain(str(search.get("sent_to") or "Not sent"))
        st.markdown(
            f"{_SEARCH_STATES.get(state, ':blue[:material/search:]')} **{receiver}**, {plain(state)}: {query}{why}"
        )
        if hits := rows_of(search.get("hits")):
            _table(hits)
    if pages := rows_of(step.outputs.get("sources")):
        st.markdown(":material/article: **Pages**")
        _table(pages, with_size=True)


def rows_of(value: object) -> list[Mapping[str, Any]]:
    """The rows of a stored trace, which another version may have written."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _table(rows: Sequence[Mapping[str, Any]], with_size: bool = False) -> None:
    table([
        {"Page": _page(row), "Published": _published(row), **({"Size": _size(row)} if with_size else {}),
         "Result": _result(row)}
        for row in rows
    ])  # fmt: skip


def _page(row: Mapping[str, Any]) -> str:
    url = str(row.get("url") or "")
    return f"{plain(shorten(str(row.get('title') or 'no title'), 120))}, {host_link(url) or plain(shorten(url, 80))}"


def _published(row: Mapping[str, Any]) -> str:
    day, sure = plain(str(row.get("published_at") or "unknown")), str(row.get("date_sure") or "")
    return f"{day} ({plain(sure)})" if row.get("published_at") and sure in ("likely", "guess") else day


def _size(row: Mapping[str, Any]) -> str:
    numbers = (row.get("bytes"), row.get("seconds"))
    size, took = (float(n) if isinstance(n, int | float) else 0.0 for n in numbers)
    return f"{size:,.0f} bytes, {took:.2f} s"


def _result(row: Mapping[str, Any]) -> str:
    """What happened to a hit or page, with what a reader should know of it."""
    state, why = str(row.get("fate") or row.get("state")), row.get("why")
    quotes, hidden = rows_of(row.get("quotes")), row.get("hidden")
    parts = [f"{PAGE_STATES.get(state, UNKNOWN_STATE).sign} {plain(state)}"]
    if quotes:
        side = row.get("verdict") or "takes no side"
        parts.append(plain(f"{count(len(quotes), 'passage')} on the statement, {side}"))
    if why:
        parts.append(plain(shorten(str(why), 200)))
    parts += [f":orange[{plain(shorten(str(n.get('kind')), 40))}]" for n in rows_of(row.get("notices"))]
    if isinstance(hidden, Mapping) and hidden:
        parts.append(plain(f"{len(hidden)} kinds of hidden text removed"))
    return ": ".join(parts[:2]) + "".join(f"; {part}" for part in parts[2:])
