"""The steps of a run: on a time line, each as answers, with the route, the limits and the judge."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ghost.jobs import view_of
from ghost.reports import LimitUsage, TimelineStep, limit_usage, money, timeline
from ghost.types import Run, TraceStep
from ghost.ui.shared import charts, theme
from ghost.ui.shared.conversation import is_turn, turn_title
from ghost.ui.shared.parts import button, table
from ghost.ui.shared.runs import judge_section
from ghost.ui.shared.steps import BY_NAME, STEPS, decision_of, rows_of, step_answers, step_list
from ghost.ui.shared.text import coloured, plain, shorten

_TEXTS = (("prompt", "Prompt", "chat"), ("answer", "Answer", "notes"))
MOST_CHARS = 60_000
"""Of one text that is drawn: more than Ghost keeps, but a database may come from elsewhere."""
SHORTEST = 0.004
"""Part of the width that the shortest bar gets, to be seen at all."""
_LIMITS = {
    "searches": ("Searches", "{:,.0f}"),
    "fetches": ("Pages fetched", "{:,.0f}"),
    "tokens": ("Tokens", "{:,.0f}"),
    "cost_usd": ("US dollars", "{:,.4f}"),
    "seconds": ("Seconds", "{:,.1f}"),
}


def steps_section(run: Run) -> None:
    """The time line and one step of it; beside them the route, the limits and the judge."""
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
            theme.kicker("Limits")
            for each in limit_usage(run):
                _limit(each, run)
        with st.container(border=True):
            judge_section(run.judge)


def _key(run: Run) -> str:
    return f"trace_step_{run.id}"


def _chosen(run: Run, bars: Sequence[TimelineStep]) -> int:
    """Position of the step that is shown: the first one that stopped, else the last one that weighed evidence."""
    kept = st.session_state.get(_key(run))
    if isinstance(kept, int) and 1 <= kept <= len(bars):
        return kept
    stopped = next((b.position for b in bars if b.stopped), 0)
    return stopped or next((b.position for b in reversed(bars) if b.name == "rerank"), 1)


def _time_line(run: Run, bars: Sequence[TimelineStep], chosen: int) -> None:
    chart = f"trace_timeline_{run.id}"

    def clicked() -> None:
        state = st.session_state.get(chart)
        if points := state["selection"]["points"] if state else []:
            st.session_state[_key(run)] = int(points[0]["point_index"]) + 1

    longest, end = max(bars, key=lambda b: b.seconds), max(b.start + b.seconds for b in bars)
    with st.container(border=True, gap="small"):
        st.header("Time line", anchor=False)
        st.plotly_chart(
            _figure(run, bars, chosen), key=chart, on_select=clicked, selection_mode="points",
            config={"displayModeBar": False, "scrollZoom": False},
            alt=f"Time line of {len(bars)} steps over {theme.seconds(end)}; the longest is "
            f"{_row_name(run, longest)} with {theme.seconds(longest.seconds)}.",
        )  # fmt: skip
        st.caption("Select a bar, or a step below. Very short steps are drawn a little longer.")


def _figure(run: Run, bars: Sequence[TimelineStep], selected: int) -> charts.Figure:
    """One row for each step from top to bottom, with its reason (hostile) on hover; the selected one is outlined."""
    end = max(b.start + b.seconds for b in bars) or 1.0
    notes = [f"{decision_of(s)}. {s.reason}"[:400] for s in run.steps]
    colours = ["red" if b.stopped else BY_NAME[b.name].colour if b.name in BY_NAME else "gray" for b in bars]
    data = {
        "type": "bar",
        "orientation": "h",
        "y": [_row_name(run, b) for b in bars],
        "base": [b.start for b in bars],
        "x": [max(b.seconds, SHORTEST * end) for b in bars],
        "text": [theme.seconds(b.seconds) + (" · stopped" if b.stopped else "") for b in bars],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": [charts.colour(name) for name in colours],
            "pattern": {"shape": ["x" if b.stopped else "" for b in bars], "size": 6, "fillmode": "overlay"},
            "line": {"width": [2 if b.position == selected else 0 for b in bars], "color": charts.colour("text")},
        },
        "hovertext": [
            f"{_row_name(run, b)}: {theme.seconds(b.seconds)}<br>{charts.wrapped(note)}"
            for b, note in zip(bars, notes, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return charts.figure(
        [data], "", 76 + 30 * len(bars), margin={"l": 8, "r": 8, "t": 8, "b": 8, "pad": 4}, bargap=0.3,
        xaxis={"title": {"text": "seconds after the start"}, "range": [0, end * 1.16], "zeroline": False},
        yaxis={"autorange": "reversed", "type": "category"},
    )  # fmt: skip


def _row_name(run: Run, bar: TimelineStep) -> str:
    """``3 Weigh`` by the number of the step, with the turn where it was at work more than once: ``3 Weigh (2)``."""
    turn = f" ({bar.turn})" if bar.turns > 1 else ""
    if bar.name not in BY_NAME:
        return f"{bar.position} Other{turn}"
    short = "Turn" if is_turn(run.steps[bar.position - 1]) else BY_NAME[bar.name].short
    return f"{STEPS.index(BY_NAME[bar.name]) + 1} {short}{turn}"


def _inspector(run: Run, bars: Sequence[TimelineStep], chosen: int) -> None:
    key, names = _key(run), {b.position: f"{_row_name(run, b)} · {theme.seconds(b.seconds)}" for b in bars}
    if st.session_state.get(key) not in names:
        st.session_state[key] = chosen

    def go(position: int) -> None:
        st.session_state[key] = position

    with st.container(border=True, gap="small", key="trace_inspector"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            position = st.selectbox(
                "Step", list(names), key=key, format_func=lambda p: names[p], required=True, width="stretch"
            )
            with st.container(horizontal=True, width="content"):
                for words, icon, by in (("Previous step", "chevron_left", -1), ("Next step", "chevron_right", 1)):
                    button(
                        words, f"trace_step_by_{by}", icon, go, position + by, type="tertiary",
                        disabled=not 1 <= position + by <= len(bars),
                    )  # fmt: skip
        _step(run, run.steps[position - 1])


def _step(run: Run, step: TraceStep) -> None:
    known = BY_NAME.get(step.name)
    title = f":material/{known.icon}: {known.title}" if known else plain(step.name)
    if is_turn(step):
        title = f":material/forum: {turn_title(step)}"
    st.header(title, anchor=False)
    cost = money(step.tokens, step.cost_usd, step.unpriced_tokens) if step.tokens or step.cost_usd else ""
    facts = (theme.moment(step.started_at), theme.seconds(step.seconds), plain(cost) or "no language model used")
    st.caption(" · ".join(facts))
    step_answers(step)
    if step.name == "rerank" and "candidates" in step.outputs:
        st.caption(":material/table_rows: The scores of each candidate are under **Candidates**.")
    _model_calls(run, step)
    with st.expander("Inputs and outputs as JSON", icon=":material/data_object:", key="trace_step_json"):
        for name, values in (("Inputs", step.inputs), ("Outputs", step.outputs)):
            st.markdown(f"**{name}**")
            st.json(_without_texts(values), expanded=1)


def _model_calls(run: Run, step: TraceStep) -> None:
    """The calls to language models in a step: prompt, answer, tokens, cost and result."""
    calls = rows_of(step.outputs.get("calls"))
    if not calls:
        return
    st.markdown(":material/smart_toy: **What was the language model asked?**")
    table([_call(run, call) for call in calls])
    for position, call in enumerate(calls, start=1):
        for name, title, icon in _TEXTS:
            if call.get(name):
                with st.expander(f"{title} ({position})", icon=f":material/{icon}:"):
                    st.text(str(call[name])[:MOST_CHARS])
    if not any(call.get("prompt") for call in calls):
        st.caption("An older version of Ghost made this check. It kept the checksum of each prompt, not its text.")


def _call(run: Run, call: Mapping[str, Any]) -> dict[str, str]:
    """A row of the table: the beginning of the prompt's checksum shows whether a prompt was changed."""
    purpose, cost = str(call.get("purpose", "")), call.get("cost_usd")
    checksum = str((run.settings.get("prompts") or {}).get(purpose) or "")
    about = "about " if call.get("estimated") else ""
    return {
        "Question": plain(purpose),
        "Model": f"{plain(shorten(str(call.get('model', '')), 60))}, {plain(str(call.get('host', '')))}",
        "Prompt": plain(checksum[:12]) or "not kept",
        "Tokens": f"{about}{call.get('tokens_in') or 0:,} in, {call.get('tokens_out') or 0:,} out",
        "Cost": "not known" if cost is None else f"US\\$ {cost:.4f}",
        "Time": theme.seconds(call.get("seconds") or 0.0),
        "Result": plain(shorten(str(call.get("problem") or "used"), 200)),
    }


def _without_texts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs or outputs without the prompts and answers that stand above, word for word and unfolded."""
    if "calls" not in values:
        return dict(values)
    texts = {name for name, _, _ in _TEXTS}
    calls = [{k: v for k, v in call.items() if k not in texts} for call in rows_of(values["calls"])]
    return {**values, "calls": calls}


def _limit(each: LimitUsage, run: Run) -> None:
    name, form = _LIMITS[each.name]
    used = form.format(each.used)
    if each.limit is None:
        st.caption(f"{name}: {used}, limit not recorded")
        return
    words = f"{name}: {used} of {form.format(each.limit)}"
    if each.name == "tokens" and not run.usage.tokens:
        words += ", no language model used"
    if each.limit and each.used >= each.limit:
        words += " :orange[:material/warning: limit reached]"
    st.progress(each.share, text=f":small[{words}]")
    if each.name == "cost_usd" and run.usage.unpriced_tokens:
        st.caption(coloured("orange", f"{run.usage.unpriced_tokens:,} tokens have no known price."))
