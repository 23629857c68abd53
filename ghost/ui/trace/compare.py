"""Two runs side by side."""

from collections.abc import Callable, Sequence

import streamlit as st

from ghost.records import RunFilter, RunSummary
from ghost.reports import ComparedPassage, Comparison, compare, confidence, money, source
from ghost.types import Evidence, Run
from ghost.ui.shared import theme
from ghost.ui.shared.conversation import left_because
from ghost.ui.shared.parts import Workbench, button, table
from ghost.ui.shared.runs import judge_badge, run_badge, run_confidence, stance_share
from ghost.ui.shared.statements import statements_section
from ghost.ui.shared.steps import BY_NAME, rows_of
from ghost.ui.shared.text import clean, count, plain, shorten
from ghost.ui.trace.run_list import open_run

OFFERED = 100
"""Runs in the box: those of the same claim first, then the latest."""


def compare_section(workbench: Workbench, run: Run) -> None:
    """Choose another run, and see what differs. Raises StoreError."""
    other = _other(workbench, run)
    if other is None:
        st.caption("Choose a run to see both side by side.")
        return
    found = compare(run, other)
    left, right = st.columns(2, gap="large")
    with left:
        _head(run, "This run")
    with right:
        _head(other, "The other run", with_link=True)
    _glance(run, other)
    _statements(run, other)
    _evidence(found)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Settings that differ", anchor=False)
        if found.settings:
            _table("Setting", [(plain(d.name), _value(d.one), _value(d.other)) for d in found.settings])
        else:
            st.caption("None: both runs were made with the same settings, models and prompts.")
    with right:
        st.header("Steps and seconds", anchor=False)
        if found.steps:
            rows = [(_title(s.name), _seconds(s.one), _seconds(s.other)) for s in found.steps]
            one, two = (f"**{theme.seconds(each.usage.seconds)}**" for each in (run, other))
            _table("Step", [*rows, ("**The whole run**", one, two)])
        else:
            st.caption("Neither run has ended a step.")


def _other(workbench: Workbench, run: Run) -> Run | None:
    same = workbench.runs.browse(RunFilter(text=run.claim.text), OFFERED // 2)
    names = {s.id: _name(s) for s in (*same, *workbench.runs.browse(limit=OFFERED // 2)) if s.id != run.id}
    wanted = st.query_params.get("with", "")
    if not names and not wanted:
        st.info(
            "There is no other run yet. Check a claim again, and compare the two.", icon=":material/compare_arrows:"
        )
        return None
    if wanted and wanted != run.id and wanted not in names:
        if known := workbench.runs.get(wanted):
            names[wanted] = f"{shorten(known.claim.text, 80)} · {theme.moment(known.started_at)}"
        else:
            st.warning("The run to compare with is not in these records.", icon=":material/search_off:")
    key = f"trace_with_{run.id}"
    if wanted in names:
        st.session_state[key] = wanted
    chosen = st.selectbox(
        "Compare with", list(names), index=None, key=key, format_func=lambda i: names[i], placeholder="Another run",
        help="Runs of the same claim come first, then the latest ones.",
        on_change=lambda: open_run(run.id, st.session_state.get(key) or ""),
    )  # fmt: skip
    return workbench.runs.get(chosen) if chosen else None


def _name(run: RunSummary) -> str:
    # Shown in a box of options, which draws its text as it is.
    facts = (run_badge(run).word, run_confidence(run), shorten(run.claim_text, 80), run.judge)
    return " · ".join([*filter(None, facts), theme.moment(run.started_at)])


def _head(run: Run, words: str, with_link: bool = False) -> None:
    with st.container(border=True, gap="small", height="stretch"):
        theme.kicker(f"{words} · {theme.moment(run.started_at)}")
        st.markdown(f"“{plain(shorten(run.claim.text, 220))}”")
        if verdict := run.verdict:
            mine, machine, sure = run.review.override, theme.VERDICTS[verdict.label], confidence(verdict)
            st.header((theme.VERDICTS[mine.label] if mine else machine).text, anchor=False)
            note = f"**{sure}**" if sure else ""
            if mine:
                confirmed = mine.label is verdict.label
                whose = "Confirmed by you." if confirmed else f"**Your verdict.** Ghost: {machine.badge}"
                note = f":material/gavel: {whose} {sure}"
            if note:
                st.markdown(note)
        else:
            st.markdown(theme.STATUSES[run.status].badge)
        st.markdown(judge_badge(run.judge))
        used = run.usage
        searched = f"{count(used.searches, 'search', 'searches')} · {count(used.fetches, 'page')} fetched"
        cost = money(used.tokens, used.cost_usd, used.unpriced_tokens) if used.tokens else "no language model used"
        st.caption(f"{theme.seconds(used.seconds)} · {searched} · {plain(cost)}")
        if with_link:
            button(
                "Open this run", f"trace_compare_open_{run.id}", "chevron_right", open_run, run.id, type="tertiary",
                icon_position="right",
            )  # fmt: skip


def _glance(run: Run, other: Run) -> None:
    """The figures of both in a table; of two pipelines it is the first thing to look at."""
    differ = run.pipeline is not other.pipeline
    st.header("Two pipelines" if differ else "At a glance", anchor=False)
    if differ:
        st.markdown("Both pipelines end at the same citation gate.")
    rows = [(name, of(run), of(other)) for name, of in _FIGURES.items()]
    _table("Measure", [(name, one or _NONE, two or _NONE) for name, one, two in rows if one or two])


def _statements(run: Run, other: Run) -> None:
    """What each run checked, with its verdicts: two pipelines may take a claim apart differently."""
    found = [(each.classification.statements if each.classification else ()) for each in (run, other)]
    if not any(found):
        return
    st.header("Statements", anchor=False)
    for column, each, statements in zip(st.columns(2, gap="large"), (run, other), found, strict=True):
        with column:
            if statements:
                statements_section(statements, each.verdict.statements if each.verdict else (), leanings=False)
            else:
                st.caption("No statements.")


def _pipeline(run: Run) -> str:
    left = ", then the seven steps" if left_because(run.steps) else ""
    return f"{theme.PIPELINES[run.pipeline].text}{left}"


def _verdict(run: Run) -> str:
    return theme.VERDICTS[run.verdict.label].text if run.verdict else theme.STATUSES[run.status].text


def _truth(run: Run) -> str:
    share = run.verdict.truth_percentage if run.verdict else None
    return "" if share is None else f"{share:.0f}%"


def _accepted(run: Run) -> str:
    if run.verdict is None:
        return ""
    return f"{sum(c.accepted for c in run.verdict.citations)} of {len(run.verdict.citations)}"


def _calls(run: Run) -> str:
    calls = [call for step in run.steps for call in rows_of(step.outputs.get("calls"))]
    return f"{len(calls):,}" if calls else ""


_NONE = ":gray[–]"
_FIGURES: dict[str, Callable[[Run], str]] = {
    "Pipeline": _pipeline,
    "Verdict": _verdict,
    "Confidence": lambda run: confidence(run.verdict) if run.verdict else "",
    "Truth percentage": _truth,
    "Potential harm": lambda run: theme.HARMS[run.verdict.harm].text if run.verdict and run.verdict.harm else "",
    "Citations accepted": _accepted,
    "Searches": lambda run: f"{run.usage.searches:,}",
    "Pages fetched": lambda run: f"{run.usage.fetches:,}",
    "Language model calls": _calls,
    "Tokens": lambda run: f"{run.usage.tokens:,}" if run.usage.tokens else "",
    "Seconds": lambda run: theme.seconds(run.usage.seconds),
}
"""What is compared at a glance; a row that neither run has is left out."""


def _table(first: str, rows: Sequence[tuple[str, str, str]]) -> None:
    table([dict(zip((first, "This run", "The other run"), row, strict=True)) for row in rows])


def _evidence(found: Comparison) -> None:
    st.header("Evidence", anchor=False)
    if not found.evidence:
        st.caption("Neither run weighed any passage.")
        return
    changed = [h for h in found.both if h.changed]
    read = f", {len(changed)} of them read differently" if changed else ""
    st.markdown(
        f"**{len(found.both)} in both**{read} · **{len(found.only_one)} only in this run** · "
        f"**{len(found.only_other)} only in the other**"
    )
    groups: tuple[tuple[str, Sequence[ComparedPassage]], ...] = (
        ("Read differently", changed),
        ("Only in this run", found.only_one),
        ("Only in the other run", found.only_other),
        ("In both, read alike", [h for h in found.both if not h.changed]),
    )
    for words, held in groups:
        if held:
            st.markdown(f"**{words}** :gray[· {len(held)}]")
            _table("Passage", [(_passage(h), _reading(h.one), _reading(h.other)) for h in held])


def _passage(held: ComparedPassage) -> str:
    p = held.passage
    return f"**{plain(shorten(source(p), 120))}** {plain(shorten(p.text, 160))}"


def _reading(e: Evidence | None) -> str:
    if e is None:
        return ":gray[not there]"
    return f"\\[{e.number}\\] {theme.STANCES[e.stance.label].text} {stance_share(e.stance)}, weight {e.final:.2f}"


def _value(text: str) -> str:
    return plain(shorten(clean(text), 120)) if text else ":gray[not set]"


def _title(step: str) -> str:
    return BY_NAME[step].title if step in BY_NAME else plain(step)


def _seconds(value: float | None) -> str:
    return ":gray[not needed]" if value is None else theme.seconds(value)
