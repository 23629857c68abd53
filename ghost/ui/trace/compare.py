"""Two runs side by side."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.records import RunFilter, RunSummary
from ghost.reports import ComparedPassage, Comparison, StepTimes, compare, confidence, money
from ghost.types import Evidence, Run
from ghost.ui.shared import theme
from ghost.ui.shared.text import clean, count, plain, shorten
from ghost.ui.trace.run_list import look_of, open_run
from ghost.ui.verify.step_list import STEPS
from ghost.ui.verify.verdict import judge_badge

if TYPE_CHECKING:
    from ghost.workbench import Workbench

OFFERED = 100
"""Runs in the box: those of the same claim first, then the latest."""
_TITLES = {step.name: step.title for step in STEPS}


def compare_section(workbench: "Workbench", run: Run) -> None:
    """Choose another run, and see what differs."""
    try:
        other = _other(workbench, run)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if other is None:
        st.caption("Choose a run to see both beside each other.")
        return
    found = compare(run, other)
    _heads(run, other)
    _evidence(found)
    left, right = st.columns(2, gap="large")
    with left:
        _settings(found)
    with right:
        _times(found, run, other)


def _other(workbench: "Workbench", run: Run) -> Run | None:
    offered = _offered(workbench, run)
    wanted = st.query_params.get("with", "")
    if not offered and not wanted:
        st.info(
            "There is no other run yet. Check a claim again, and compare the two.", icon=":material/compare_arrows:"
        )
        return None
    names = {s.id: _name(s) for s in offered}
    if wanted and wanted != run.id and wanted not in names:
        known = workbench.runs.get(wanted)
        if known is None:
            st.warning("The run to compare with is not on this machine.", icon=":material/search_off:")
        else:
            names[wanted] = f"{shorten(known.claim.text, 80)} · {theme.moment(known.started_at)}"
    key = f"trace_with_{run.id}"
    if wanted in names:
        st.session_state[key] = wanted

    def chosen() -> None:
        open_run(run.id, st.session_state.get(key) or "")

    picked = st.selectbox(
        "Compare with", list(names), index=None, key=key, format_func=lambda i: names[i], on_change=chosen,
        placeholder="Another run", help="Runs of the same claim come first, then the latest ones.",
    )  # fmt: skip
    return workbench.runs.get(picked) if picked else None


def _offered(workbench: "Workbench", run: Run) -> list[RunSummary]:
    same = workbench.runs.browse(RunFilter(text=run.claim.text), OFFERED // 2)
    latest = workbench.runs.browse(limit=OFFERED // 2)
    found = {s.id: s for s in (*same, *latest)}
    return [s for s in found.values() if s.id != run.id]


def _name(run: RunSummary) -> str:
    # Shown in a box of options, which draws its text as it is.
    told = (look_of(run).word, confidence(run.confidence), shorten(run.claim_text, 80), run.judge)
    return " · ".join([*filter(None, told), theme.moment(run.started_at)])


def _heads(one: Run, other: Run) -> None:
    for column, run, words in zip(st.columns(2, gap="large"), (one, other), ("This run", "The other run"), strict=True):
        with column, st.container(border=True, gap="small", height="stretch"):
            theme.kicker(f"{words} · {theme.moment(run.started_at)}")
            st.markdown(f"“{plain(shorten(run.claim.text, 220))}”")
            if run.verdict:
                mine, machine = run.review.override, theme.VERDICTS[run.verdict.label]
                look = theme.VERDICTS[mine.label] if mine else machine
                st.header(f":{look.colour}[:material/{look.icon}: {look.word}]", anchor=False)
                sure = confidence(run.verdict.confidence)
                if mine is None:
                    told = f"**{sure}**" if sure else ""
                elif mine.label is run.verdict.label:
                    told = " ".join(filter(None, (":material/gavel: Confirmed by you.", sure)))
                else:
                    told = " ".join(filter(None, (":material/gavel: **Your verdict.** Ghost:", machine.badge, sure)))
                if told:
                    st.markdown(told)
            else:
                st.markdown(theme.STATUSES[run.status].badge)
            st.markdown(judge_badge(run.judge))
            used = run.usage
            spent = [theme.seconds(used.seconds), count(used.searches, "search").replace("searchs", "searches")]
            spent.append(f"{count(used.fetches, 'page')} asked for")
            cost = money(used.tokens, used.cost_usd, used.unpriced_tokens) if used.tokens else "no language model asked"
            st.caption(" · ".join([*spent, plain(cost)]))
            if run is other:
                st.button(
                    "Open this run", key=f"trace_compare_open_{run.id}", icon=":material/chevron_right:",
                    type="tertiary", icon_position="right", on_click=open_run, args=(run.id,),
                )  # fmt: skip


def _evidence(found: Comparison) -> None:
    st.header("Evidence", anchor=False)
    if not found.evidence:
        st.caption("Neither run weighed any passage.")
        return
    changed = sum(h.changed for h in found.both)
    read = f", {changed} of them read differently" if changed else ""
    st.markdown(
        f"**{len(found.both)} in both**{read} · **{len(found.only_one)} only in this run** · "
        f"**{len(found.only_other)} only in the other**"
    )
    groups: tuple[tuple[str, Sequence[ComparedPassage]], ...] = (
        ("Read differently", [h for h in found.both if h.changed]),
        ("Only in this run", found.only_one),
        ("Only in the other run", found.only_other),
        ("In both, read alike", [h for h in found.both if not h.changed]),
    )
    for words, held in groups:
        if held:
            st.markdown(f"**{words}** :gray[· {len(held)}]")
            st.table(
                {
                    "Passage": [_passage(h) for h in held],
                    "This run": [_reading(h.one) for h in held],
                    "The other run": [_reading(h.other) for h in held],
                },
                border="horizontal",
            )


def _passage(held: ComparedPassage) -> str:
    p = held.passage
    return f"**{plain(shorten(p.source_name, 60))}** {plain(shorten(p.text, 160))}"


def _reading(e: Evidence | None) -> str:
    if e is None:
        return ":gray[not there]"
    look = theme.STANCES[e.stance.label]
    most = max(e.stance.supports, e.stance.refutes, e.stance.neutral, e.stance.off_topic)
    word = f":{look.colour}[:material/{look.icon}: {look.word}]"
    return f"\\[{e.number}\\] {word} {theme.percent(most)}, weight {e.final:.2f}"


def _settings(found: Comparison) -> None:
    st.header("Settings that differ", anchor=False)
    if not found.settings:
        st.caption("None: both runs were made with the same settings, models and prompts.")
        return
    st.table(
        {
            "Setting": [plain(d.name) for d in found.settings],
            "This run": [_value(d.one) for d in found.settings],
            "The other run": [_value(d.other) for d in found.settings],
        },
        border="horizontal",
    )


def _value(text: str) -> str:
    return plain(shorten(clean(text), 120)) if text else ":gray[not kept]"


def _times(found: Comparison, one: Run, other: Run) -> None:
    st.header("Steps and seconds", anchor=False)
    if not found.steps:
        st.caption("Neither run has ended a step.")
        return
    pick: tuple[Callable[[StepTimes], float | None], ...] = (lambda s: s.one, lambda s: s.other)
    total = [theme.seconds(one.usage.seconds), theme.seconds(other.usage.seconds)]
    columns = [[_took(value(s)) for s in found.steps] + [f"**{total[i]}**"] for i, value in enumerate(pick)]
    st.table(
        {
            "Step": [*(_TITLES.get(s.name, plain(s.name)) for s in found.steps), "**The whole run**"],
            "This run": columns[0],
            "The other run": columns[1],
        },
        border="horizontal",
    )


def _took(value: float | None) -> str:
    return ":gray[not needed]" if value is None else theme.seconds(value)
