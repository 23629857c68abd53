"""What if: leave out a source or change a weight or a threshold, and see what the embedded rule would decide."""

from collections.abc import Iterable
from typing import Any, cast

import streamlit as st

from ghost.errors import GhostError
from ghost.judges import CREDIBILITY_WEIGHT
from ghost.pipelines import (
    Change,
    KeptRun,
    NewDecision,
    Stability,
    Trial,
    can_decide_again,
    decide,
    read_kept_run,
    returnable_passages,
    stability,
)
from ghost.reports import confidence, source
from ghost.types import Run, RunStatus, StatementVerdict, Verdict
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button, table
from ghost.ui.shared.runs import stance_share
from ghost.ui.shared.text import count, plain, shorten

_USUAL_WEIGHT = 100


def what_if_section(workbench: Workbench, run: Run) -> None:
    """The controls, what they change, and how stable the decision is; says so where there is nothing to decide."""
    if not can_decide_again(run):
        st.info(_why_not(run), icon=":material/remove:")
        return
    try:
        passages = workbench.knowledge.get(returnable_passages(run))
    except GhostError as error:
        st.warning(f"{plain(str(error))} Dropped passages cannot come back now.", icon=":material/error:")
        passages = []
    material = read_kept_run(run, passages)
    st.markdown(
        "Decides again over what this run has read: the **embedded rule**, on the stances, dates and scores of the run."
    )
    controls, results = st.columns([1, 2], gap="large")
    with controls, st.container(border=True):
        change = _controls(run, material)
    with results:
        _results(run, decide(material), decide(material, change), change)
    _stability(run, material)
    _limits(run, material)


def _why_not(run: Run) -> str:
    if run.status is RunStatus.RUNNING:
        return "This check is still running. When it has ended, its decision can be made again here."
    if run.classification:
        return "This claim ended at step 1, so there is no decision over evidence to make again."
    return "This check ended before a statement was found in the claim, so there is nothing to decide again."


def _controls(run: Run, material: KeptRun) -> Change:
    rules, least = material.rules, round(100 * material.rule.decides)

    def key(name: str) -> str:
        return f"trace_whatif_{name}_{run.id}"

    theme.kicker("Change something")
    sources = st.multiselect(
        "Leave out sources", material.sources, key=key("sources"), placeholder="None", help="All passages of a site.",
        format_func=lambda s: shorten(s, 60), persist_state="session",
    )  # fmt: skip
    shown = {p.evidence.passage.id: p.evidence for p in material.pieces if p.kept}
    passages = st.multiselect(
        "Leave out passages", list(shown), key=key("passages"), placeholder="None", persist_state="session",
        format_func=lambda i: f"[{shown[i].number}] {shorten(source(shown[i].passage), 40)}: "
        f"{shorten(shown[i].passage.text, 60)}",
    )  # fmt: skip
    usual: dict[str, float] = {
        "boost": rules.credibility_boost, "relevance": rules.min_relevance, "standing": _USUAL_WEIGHT, "decides": least,
    }  # fmt: skip
    for name, value in usual.items():
        st.session_state.setdefault(key(name), value)

    def slider(name: str, label: str, low: float, high: float, step: float, note: str) -> Any:
        form = "%d%%" if isinstance(low, int) else None
        return st.slider(label, low, high, step=step, format=form, key=key(name), help=note, persist_state="session")

    boost = slider(
        "boost", "Credibility when evidence is chosen", 0.0, max(1.0, rules.credibility_boost), 0.05,
        "GHOST_CREDIBILITY_BOOST: how much the source counts beside relevance.",
    )  # fmt: skip
    relevance = slider(
        "relevance", "Minimum relevance", 0.0, 1.0, 0.05, "GHOST_MIN_RELEVANCE_SCORE: what is below is dropped."
    )
    note = "100% is the rule as it is. At 0% every source counts alike."
    standing = slider("standing", "Credibility in the decision", 0, 200, 10, note)
    note = "Below this probability the claim stays open."
    decides = slider("decides", "Probability a verdict needs", least, 95, 5, note)

    def reset() -> None:
        for name, value in {**usual, "sources": [], "passages": []}.items():
            st.session_state[key(name)] = value

    button("Reset", "trace_whatif_reset", "undo", reset, width="stretch")
    return Change(
        frozenset(sources),
        frozenset(passages),
        None if boost == usual["boost"] else boost,
        None if relevance == usual["relevance"] else relevance,
        None if standing == _USUAL_WEIGHT else CREDIBILITY_WEIGHT * standing / _USUAL_WEIGHT,
        None if decides == least else decides / 100,
    )


def _results(run: Run, now: NewDecision, then: NewDecision, change: Change) -> None:
    changed, embedded = change != Change(), run.judge.name == "embedded"
    cards: list[tuple[str, Verdict | None, str]] = []
    if run.verdict is None:
        cards.append(("The run", None, "It ended without a verdict."))
    elif not embedded or run.verdict.label is not now.label:
        cards.append(("The run", run.verdict, f"{plain(run.judge.name)} judge"))
    words = "The embedded rule would say" if cards else "The run, and the embedded rule again"
    cards.append((words, now.verdict, "unchanged"))
    note = "with your change" if changed else "change something to see the effect"
    cards.append(("With your change", then.verdict if changed else None, note))
    for column, (title, shown, under) in zip(st.columns(len(cards)), cards, strict=True):
        with column, st.container(border=True, gap="small", height="stretch"):
            theme.kicker(title)
            st.markdown(f"## {theme.VERDICTS[shown.label].text if shown else ':gray[–]'}")
            st.caption(" · ".join(filter(None, (confidence(shown) if shown else "", under))))
    if changed:
        st.markdown(_difference(now, then))
    if embedded and run.verdict and run.verdict.label is not now.label:
        st.caption(
            ":material/info: The rule does not reach the verdict of the run: the run stopped at a limit, or another "
            "version of the rule decided it."
        )
    _statements(run, now.verdict.statements, then.verdict.statements)
    _evidence(now, then)


def _difference(now: NewDecision, then: NewDecision) -> str:
    """The difference in a sentence."""
    before, after = theme.VERDICTS[now.label].word, theme.VERDICTS[then.label].word
    if now.label is not then.label:
        return f":orange[:material/swap_horiz:] It **changes from {before} to {after}**."
    old, new = confidence(now), confidence(then)
    return f":material/check: It **stays {after}**{f': {new.lower()} instead of {old.lower()}' if old != new else ''}."


def _statements(run: Run, now: Iterable[StatementVerdict], then: Iterable[StatementVerdict]) -> None:
    """One line for each statement, where there are several."""
    texts = {s.number: s.text for s in run.classification.statements} if run.classification else {}
    if len(texts) < 2:
        return
    after = {s.statement: s for s in then}
    for before in now:
        one, other = theme.VERDICTS[before.label], theme.VERDICTS[after.get(before.statement, before).label]
        change = f" → {other.badge}" if other is not one else ""
        st.markdown(f"**{before.statement}** · {plain(shorten(texts[before.statement], 160))}  \n{one.badge}{change}")


def _evidence(now: NewDecision, then: NewDecision) -> None:
    """The evidence of both decisions, and what the change does to it."""
    before = {(e.statement, e.passage.id): e for e in now.evidence}
    after = {(e.statement, e.passage.id): e for e in then.evidence}
    if not before and not after:
        st.caption("The run has no evidence.")
        return
    table([
        {
            "Evidence": f"\\[{e.number}\\] **{plain(shorten(source(e.passage), 120))}**",
            "Effect": _effect(key in before, key in after),
            "Stance": f"{theme.STANCES[e.stance.label].text} {stance_share(e.stance)}",
            "Credibility": f"{e.credibility:.2f}",
            "Weight": f"{e.final:.2f}",
        }
        for key, e in {**before, **after}.items()
    ])  # fmt: skip


def _effect(was: bool, stays: bool) -> str:
    if was and stays:
        return ":material/check: counts"
    return ":orange[:material/block: left out]" if was else ":green[:material/add: comes back]"


def _stability(run: Run, material: KeptRun) -> None:
    st.header("How stable is it?", anchor=False)
    found = _tried(run, material)
    with st.container(border=True, gap="small", key="trace_stability_card"):
        icon = "balance" if found.decisive_sources or found.pairs else "verified"
        st.markdown(f":blue[:material/{icon}:] **{plain(found.sentence)}**")
        st.caption(f"Tried: {count(found.tried, 'decision')}, each over what the run has kept.")
    if not found.sources:
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Without one source**")
        table([
            {"Without": plain(shorten(t.words.removeprefix("Without "), 60)), "the verdict": _outcome(t)}
            for t in found.sources
        ])  # fmt: skip
    with right:
        st.markdown("**What else changes it**")
        turns = [*found.pairs[:5], *found.dials]
        if not turns:
            st.caption("No weight and no threshold that was tried changes it.")
        for turn in turns:
            st.markdown(f"- {plain(shorten(turn.words, 200))}: {theme.VERDICTS[turn.label].text}")


def _outcome(turn: Trial) -> str:
    sure = confidence(turn).lower()
    mark = ":orange[:material/swap_horiz: changes to]" if turn.changes_label else "stays"
    return ", ".join(filter(None, (f"{mark} {theme.VERDICTS[turn.label].text}", sure)))


def _tried(run: Run, material: KeptRun) -> Stability:
    """Computed once for each run and visitor."""
    key = (run.id, run.finished_at, len(material.pieces), material.missing)
    known = st.session_state.get("trace_stability")
    if known and known[0] == key:
        return cast(Stability, known[1])
    with st.spinner("Trying what changes it …"):
        found = stability(material)
    st.session_state["trace_stability"] = (key, found)
    return found


def _limits(run: Run, material: KeptRun) -> None:
    lines = [
        "It does not search, read a page, or ask a language model. A real check might have searched on and found more.",
        "Stances, relevance and credibility are those of the run; what comes back counts with its first reading.",
    ]
    if run.judge.name != "embedded":
        lines.append(f"The run was decided by the {run.judge.name} judge; this page shows the embedded rule.")
    if not material.has_candidates:
        lines.append("An older version of Ghost made this run and kept no candidates, so nothing can come back.")
    elif material.missing:
        lines.append(f"{count(material.missing, 'dropped candidate')} cannot come back: the text is no longer there.")
    with st.expander("Limits of this page", icon=":material/info:"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))
