"""What if: leave out a source, turn a weight or a threshold, and see what the embedded rule would say."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

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
from ghost.reports import confidence
from ghost.types import Evidence, Label, Run, RunStatus, StatementVerdict
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

_STABLE = "trace_stability"
_DIALS = ("boost", "relevance", "standing", "decides")


def what_if_section(workbench: "Workbench", run: Run) -> None:
    """The controls, what they change, and how stable the decision is; says so where there is nothing to decide."""
    if not can_decide_again(run):
        st.info(_why_not(run), icon=":material/remove:")
        return
    try:
        passages = workbench.knowledge.get(returnable_passages(run))
    except GhostError as error:
        st.warning(f"{plain(str(error))} What was dropped cannot come back now.", icon=":material/error:")
        passages = []
    material = read_kept_run(run, passages)
    st.markdown(
        "The decision made again over what this run has read: the **embedded rule**, on the stances, dates and scores "
        "that it kept."
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
        return "This check still goes on. When it has ended, its decision can be made again here."
    if run.classification:
        return "This claim ended at step 1, so there is no decision over evidence to make again."
    return "This check ended before a statement was found in the claim, so there is nothing to decide again."


def _key(run: Run, name: str) -> str:
    return f"trace_whatif_{name}_{run.id}"


def _controls(run: Run, material: KeptRun) -> Change:
    theme.kicker("Change something")
    sources = st.multiselect(
        "Leave out sources", material.sources, key=_key(run, "sources"), placeholder="None",
        help="All passages of a site.", format_func=lambda s: shorten(s, 60), persist_state="session",
    )  # fmt: skip
    shown = {p.evidence.passage.id: p.evidence for p in material.pieces if p.kept}
    passages = st.multiselect(
        "Leave out passages", list(shown), key=_key(run, "passages"), placeholder="None",
        format_func=lambda i: f"[{shown[i].number}] {shorten(shown[i].passage.source_name, 40)}: "
        f"{shorten(shown[i].passage.text, 60)}", persist_state="session",
    )  # fmt: skip
    rules, least = material.rules, round(100 * material.rule.decides)
    usual = {
        "boost": rules.credibility_boost, "relevance": rules.min_relevance, "standing": 100,
        "decides": least,
    }  # fmt: skip
    for name in _DIALS:
        st.session_state.setdefault(_key(run, name), usual[name])
    boost = st.slider(
        "Credibility when evidence is chosen", 0.0, max(1.0, rules.credibility_boost), step=0.05,
        key=_key(run, "boost"), help="GHOST_CREDIBILITY_BOOST: how far the source counts beside relevance.",
        persist_state="session",
    )  # fmt: skip
    relevance = st.slider(
        "Least relevance", 0.0, 1.0, step=0.05, key=_key(run, "relevance"),
        help="GHOST_MIN_RELEVANCE_SCORE: what is below is dropped.",
        persist_state="session",
    )  # fmt: skip
    standing = st.slider(
        "Credibility in the decision", 0, 200, step=10, format="%d%%", key=_key(run, "standing"),
        help="100% is the rule as it is. At 0% every source counts alike.",
        persist_state="session",
    )  # fmt: skip
    decides = st.slider(
        "Probability a verdict needs", least, 95, step=5, format="%d%%", key=_key(run, "decides"),
        help="Below this probability the claim stays open.",
        persist_state="session",
    )  # fmt: skip
    st.button(
        "Reset", key="trace_whatif_reset", icon=":material/undo:", on_click=_reset, args=(run, usual), width="stretch"
    )
    return Change(
        frozenset(sources),
        frozenset(passages),
        None if boost == usual["boost"] else boost,
        None if relevance == usual["relevance"] else relevance,
        None if standing == 100 else CREDIBILITY_WEIGHT * standing / 100,
        None if decides == least else decides / 100,
    )


def _reset(run: Run, usual: dict[str, float]) -> None:
    for name, value in usual.items():
        st.session_state[_key(run, name)] = value
    for name in ("sources", "passages"):
        st.session_state[_key(run, name)] = []


def _results(run: Run, now: NewDecision, then: NewDecision, change: Change) -> None:
    changed = change != Change()
    embedded = run.judge.name == "embedded"
    cards: list[tuple[str, Label | None, float | None, str]] = []
    if run.verdict is None:
        cards.append(("The run", None, None, "It ended without a verdict."))
    elif not embedded or run.verdict.label is not now.label:
        cards.append(("The run", run.verdict.label, run.verdict.confidence, f"{plain(run.judge.name)} judge"))
    words = "The embedded rule would say" if cards else "The run, and the embedded rule again"
    cards.append((words, now.label, now.confidence, "unchanged"))
    note = "with your change" if changed else "change something to see what becomes of it"
    cards.append(("With your change", then.label if changed else None, then.confidence, note))
    for column, (title, label, sure, under) in zip(st.columns(len(cards)), cards, strict=True):
        with column:
            _card(title, label, sure, under)
    if changed:
        st.markdown(_told(now, then))
    if embedded and run.verdict and run.verdict.label is not now.label:
        st.caption(
            ":material/info: The rule does not come to the verdict of the run: it ended at a limit, or was decided by "
            "another version of the rule."
        )
    _statements(run, now.verdict.statements, then.verdict.statements)
    _evidence(now, then)


def _card(title: str, label: Label | None, sure: float | None, under: str) -> None:
    with st.container(border=True, gap="small", height="stretch"):
        theme.kicker(title)
        if label is None:
            st.markdown("## :gray[–]")
            st.caption(under)
            return
        look = theme.VERDICTS[label]
        st.markdown(f"## :{look.colour}[:material/{look.icon}: {look.word}]")
        st.caption(" · ".join(filter(None, (confidence(sure), under))))


def _told(now: NewDecision, then: NewDecision) -> str:
    """The difference in a sentence."""
    if now.label is then.label:
        before, after = confidence(now.confidence), confidence(then.confidence)
        how = f": {after.lower()} instead of {before.lower()}" if before != after else ""
        return f":material/check: It **stays {theme.VERDICTS[then.label].word}**{how}."
    return (
        f":orange[:material/swap_horiz:] It **turns from {theme.VERDICTS[now.label].word} to "
        f"{theme.VERDICTS[then.label].word}**."
    )


def _statements(run: Run, now: Iterable[StatementVerdict], then: Iterable[StatementVerdict]) -> None:
    """One line for each statement, where there are several."""
    texts = {s.number: s.text for s in run.classification.statements} if run.classification else {}
    if len(texts) < 2:
        return
    after = {s.statement: s for s in then}
    for before in now:
        one, other = theme.VERDICTS[before.label], theme.VERDICTS[after.get(before.statement, before).label]
        turned = f" → {other.badge}" if other is not one else ""
        st.markdown(f"**{before.statement}** · {plain(shorten(texts[before.statement], 160))}  \n{one.badge}{turned}")


def _evidence(now: NewDecision, then: NewDecision) -> None:
    """What was decided on, and what became of it."""
    before = {(e.statement, e.passage.id): e for e in now.evidence}
    after = {(e.statement, e.passage.id): e for e in then.evidence}
    rows = [(e, key in before, key in after) for key, e in {**before, **after}.items()]
    if not rows:
        st.caption("The run has no evidence.")
        return
    st.table(
        {
            "Evidence": [f"\\[{e.number}\\] **{plain(shorten(e.passage.source_name, 50))}**" for e, _, _ in rows],
            "Here": [_here(was, stays) for _, was, stays in rows],
            "Stance": [_stance(e) for e, _, _ in rows],
            "Credibility": [f"{e.credibility:.2f}" for e, _, _ in rows],
            "Weight": [f"{e.final:.2f}" for e, _, _ in rows],
        },
        border="horizontal",
    )


def _stance(e: Evidence) -> str:
    look, s = theme.STANCES[e.stance.label], e.stance
    most = max(s.supports, s.refutes, s.neutral, s.off_topic)
    return f":{look.colour}[:material/{look.icon}: {look.word}] {theme.percent(most)}"


def _here(was: bool, stays: bool) -> str:
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
    if found.sources:
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown("**Each source left out by itself**")
            st.table(
                {
                    "Without": [plain(shorten(t.words.removeprefix("Without "), 60)) for t in found.sources],
                    "it would be": [_outcome(t) for t in found.sources],
                },
                border="horizontal",
            )
        with right:
            _further(found)


def _outcome(turn: Trial) -> str:
    look = theme.VERDICTS[turn.label]
    mark = ":orange[:material/swap_horiz: turns to]" if turn.changes_label else "stays"
    sure = f", {confidence(turn.confidence).lower()}" if turn.confidence is not None else ""
    return f"{mark} :{look.colour}[:material/{look.icon}: {look.word}]{sure}"


def _further(found: Stability) -> None:
    st.markdown("**What else turns it**")
    turns = [*found.pairs[:5], *found.dials]
    if not turns:
        st.caption("No weight and no threshold that was tried turns it.")
    for turn in turns:
        look = theme.VERDICTS[turn.label]
        st.markdown(f"- {plain(shorten(turn.words, 200))}: :{look.colour}[:material/{look.icon}: {look.word}]")


def _tried(run: Run, material: KeptRun) -> Stability:
    """Tried once for each run and visitor; the bar shows how far it is, and any click ends it."""
    key = (run.id, run.finished_at, len(material.pieces), material.missing)
    known = st.session_state.get(_STABLE)
    if known and known[0] == key:
        return known[1]
    bar, done = st.progress(0.0, text="Trying what turns it …"), 0

    def tell() -> None:
        nonlocal done
        done += 1
        if done % 10 == 0:
            bar.progress(min(0.95, done / 120), text=f"Trying what turns it … {done} decisions")

    found = stability(material, tell)
    bar.empty()
    st.session_state[_STABLE] = (key, found)
    return found


def _limits(run: Run, material: KeptRun) -> None:
    lines = [
        "It does not search, read a page, or ask a language model.",
        "With weaker evidence a real check might have searched on and found more.",
        "Stances, relevance and credibility are those of the run.",
        "What comes back counts with its first reading: it was not read sentence by sentence.",
    ]
    if run.judge.name != "embedded":
        lines.append(f"The run was decided by the {run.judge.name} judge; what is shown here is the embedded rule.")
    if not material.has_candidates:
        lines.append("This run was made by an older Ghost that did not keep its candidates, so nothing can come back.")
    elif material.missing:
        lines.append(f"{count(material.missing, 'dropped candidate')} cannot come back: the text is not kept any more.")
    with st.expander("What this does not do", icon=":material/info:"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))
