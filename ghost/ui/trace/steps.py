"""The steps of a run: on a time line, each open to look into, with the route, the limits and who was asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ghost.jobs import view_of
from ghost.reports import LimitUsage, TimelineStep, limit_usage, money, timeline
from ghost.types import Run, TraceStep
from ghost.ui.shared import theme
from ghost.ui.shared.text import coloured, plain, shorten
from ghost.ui.trace.timeline import described, figure, row_name
from ghost.ui.verify.searches import searches_table
from ghost.ui.verify.step_list import STEPS, decision_of, step_list
from ghost.ui.verify.verdict import judge_section

_TITLES = {step.name: step.title for step in STEPS}
_ICONS = {
    "classify": "psychology", "retrieve": "manage_search", "rerank": "balance", "sufficiency": "rule",
    "investigate": "travel_explore", "index": "library_add", "verdict": "gavel",
}  # fmt: skip
_TEXTS = (("prompt", "What it was asked", "chat"), ("answer", "What it wrote", "notes"))
MOST_CHARS = 60_000
"""Of one text that is drawn: more than Ghost keeps, but a database may come from elsewhere."""
_LIMITS = {
    "searches": ("Searches", "{:,.0f}"),
    "fetches": ("Pages asked for", "{:,.0f}"),
    "tokens": ("Tokens", "{:,.0f}"),
    "cost_usd": ("US dollars", "{:,.4f}"),
    "seconds": ("Seconds", "{:,.1f}"),
}


def steps_section(run: Run) -> None:
    """The time line and one step of it; beside them the route, what was spent and who judged."""
    bars = timeline(run)
    main, side = st.columns([2, 1], gap="large")
    with main:
        if bars:
            chosen = _chosen(run, bars)
            _time_line(run, bars, chosen)
            _inspector(run, bars, chosen)
        else:
            st.info("No step of this check has ended.", icon=":material/hourglass_empty:")
    with side:
        with st.container(border=True):
            theme.kicker("Route")
            step_list(view_of(run))
        with st.container(border=True):
            theme.kicker("Spent of each limit")
            for each in limit_usage(run):
                _bar(each, run)
        with st.container(border=True):
            judge_section(run.judge)


def _key(run: Run) -> str:
    return f"trace_step_{run.id}"


def _chosen(run: Run, bars: Sequence[TimelineStep]) -> int:
    """Position of the step that is looked into; the first one that stopped, else that in which evidence was weighed."""
    kept = st.session_state.get(_key(run))
    if isinstance(kept, int) and 1 <= kept <= len(bars):
        return kept
    stopped = next((b.position for b in bars if b.stopped), 0)
    return stopped or next((b.position for b in reversed(bars) if b.name == "rerank"), 1)


def _time_line(run: Run, bars: Sequence[TimelineStep], chosen: int) -> None:
    chart = f"trace_timeline_{run.id}"

    def clicked() -> None:
        state = st.session_state.get(chart)
        points = state["selection"]["points"] if state else []
        if points:
            st.session_state[_key(run)] = int(points[0]["point_index"]) + 1

    with st.container(border=True, gap="small"):
        st.header("Time line", anchor=False)
        notes = [f"{decision_of(s)}. {s.reason}" for s in run.steps]
        st.plotly_chart(
            figure(bars, notes, chosen), key=chart, alt=described(bars), on_select=clicked, selection_mode="points",
            config={"displayModeBar": False, "scrollZoom": False},
        )  # fmt: skip
        st.caption("Choose a bar, or a step below, to look into it. Very short steps are drawn a little longer.")


def _inspector(run: Run, bars: Sequence[TimelineStep], chosen: int) -> None:
    names = {b.position: f"{row_name(b)} · {theme.seconds(b.seconds)}" for b in bars}
    st.session_state.setdefault(_key(run), chosen)
    if st.session_state[_key(run)] not in names:
        st.session_state[_key(run)] = chosen
    with st.container(border=True, gap="small", key="trace_inspector"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            position = st.selectbox(
                "Step", list(names), key=_key(run), format_func=lambda p: names[p], required=True, width="stretch"
            )
            with st.container(horizontal=True, width="content"):
                for words, icon, by in (("Previous step", "chevron_left", -1), ("Next step", "chevron_right", 1)):
                    st.button(
                        words, key=f"trace_step_by_{by}", icon=f":material/{icon}:", type="tertiary",
                        disabled=not 1 <= position + by <= len(bars), on_click=_go, args=(_key(run), position + by),
                    )  # fmt: skip
        _step(run, run.steps[position - 1])


def _go(key: str, position: int) -> None:
    st.session_state[key] = position


def _step(run: Run, step: TraceStep) -> None:
    icon = _ICONS.get(step.name, "circle")
    st.header(f":material/{icon}: {_TITLES.get(step.name, plain(step.name))}", anchor=False)
    st.markdown(f"**Decision.** {plain(shorten(decision_of(step), 400)) or 'none'}")
    if step.reason:
        st.markdown(f"**Reason.** {plain(shorten(step.reason, 2_000))}")
    facts = [f"`{step.name}`" if step.name in _TITLES else plain(step.name), theme.moment(step.started_at)]
    facts.append(theme.seconds(step.seconds))
    if step.tokens or step.cost_usd:
        facts.append(plain(money(step.tokens, step.cost_usd, step.unpriced_tokens)))
    else:
        facts.append("no language model asked")
    st.caption(" · ".join(facts))
    _questions(run, step)
    searches_table(step)
    if step.name == "rerank" and "candidates" in step.outputs:
        st.caption(":material/table_rows: Each candidate with its numbers is under **Candidates**.")
    for title, values in (("Inputs", step.inputs), ("Outputs", step.outputs)):
        st.markdown(f"**{title}**")
        if values:
            st.json(_without_texts(values), expanded=1)
        else:
            st.caption("None.")


def _questions(run: Run, step: TraceStep) -> None:
    """What language models were asked in a step: model, prompt, tokens, cost, and what they wrote."""
    calls = [c for c in step.outputs.get("calls") or () if isinstance(c, Mapping)]
    if not calls:
        return
    st.markdown(":material/smart_toy: **Questions to a language model**")
    st.table(
        {
            "Question": [plain(str(c.get("purpose", ""))) for c in calls],
            "Model": [f"{plain(shorten(str(c.get('model', '')), 60))}, {plain(str(c.get('host', '')))}" for c in calls],
            "Checksum": [_checksum(run, str(c.get("purpose", ""))) for c in calls],
            "Tokens": [_tokens(c) for c in calls],
            "Cost": [_cost(c.get("cost_usd")) for c in calls],
            "Time": [theme.seconds(_number(c.get("seconds"))) for c in calls],
            "Outcome": [plain(shorten(str(c.get("problem") or "used"), 200)) for c in calls],
        },
        border="horizontal",
    )
    for position, call in enumerate(calls, start=1):
        for name, title, icon in _TEXTS:
            if call.get(name):
                with st.expander(f"{title} ({position})", icon=f":material/{icon}:"):
                    st.text(str(call[name])[:MOST_CHARS])
    if not any(call.get("prompt") for call in calls):
        st.caption("An older Ghost made this check; it kept the checksum of each prompt and not its words.")


def _without_texts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs or outputs without what can be read above, word for word and unfolded."""
    calls = values.get("calls")
    if not isinstance(calls, list | tuple):
        return dict(values)
    texts = {name for name, _, _ in _TEXTS}
    kept = [{k: v for k, v in c.items() if k not in texts} if isinstance(c, Mapping) else c for c in calls]
    return {**values, "calls": kept}


def _checksum(run: Run, purpose: str) -> str:
    """The beginning of the prompt's checksum, by which a changed prompt is told."""
    kept = run.settings.get("prompts")
    told = str(kept.get(purpose) or "") if isinstance(kept, Mapping) else ""
    return plain(told[:12]) or "not kept"


def _tokens(call: Mapping[str, Any]) -> str:
    about = "about " if call.get("estimated") else ""
    return f"{about}{_number(call.get('tokens_in')):,.0f} in, {_number(call.get('tokens_out')):,.0f} out"


def _cost(value: object) -> str:
    return f"US\\$ {_number(value):.4f}" if isinstance(value, int | float) else "not known"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _bar(each: LimitUsage, run: Run) -> None:
    name, form = _LIMITS[each.name]
    used = form.format(each.used)
    if each.limit is None:
        st.caption(f"{name}: {used}, limit not kept")
        return
    words = f"{name}: {used} of {form.format(each.limit)}"
    if each.name == "tokens" and not run.usage.tokens:
        words += ", no language model asked"
    if each.limit and each.used >= each.limit:
        words += " :orange[:material/warning: limit reached]"
    st.progress(each.share, text=f":small[{words}]")
    if each.name == "cost_usd" and run.usage.unpriced_tokens:
        st.caption(coloured("orange", f"{run.usage.unpriced_tokens:,} tokens have no known price."))
