"""What several pages say about a run: its verdict, its judge, what it sends out, and what all runs have spent."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.records import RunSummary
from ghost.reports import confidence, is_this_machine
from ghost.types import JudgeInfo, Pipeline, RunStatus, Stance, Usage
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def run_badge(run: RunSummary) -> theme.Badge:
    """Its verdict, the analyst's before Ghost's, or how it ended without one."""
    return theme.VERDICTS[run.override or run.label] if run.label else theme.STATUSES[run.status]


def verdict_text(run: RunSummary) -> str:
    """The verdict of a run in a list, as Markdown. With an override it has both, the analyst's first."""
    badge = run_badge(run)
    text = f":{badge.colour}[**{badge.word}**]"
    if run.label is None or run.override is None:
        return text
    return f"{text} :gray[{'(confirmed)' if run.override is run.label else f'(yours; Ghost: {run.label.value})'}]"


def run_confidence(run: RunSummary) -> str:
    """The confidence of the verdict that is shown; a verdict of the analyst's own has none."""
    return confidence(run) if run.override in (None, run.label) else ""


def stance_share(stance: Stance) -> str:
    """The probability of the likeliest stance, in per cent."""
    return theme.percent(max(stance.supports, stance.refutes, stance.neutral, stance.off_topic))


def judge_badge(judge: JudgeInfo) -> str:
    """The judge of a run, as Markdown."""
    if judge.name == "embedded":
        return theme.badge("Embedded judge, on this machine", "computer", "gray")
    icon = "computer" if is_this_machine(judge.host) else "cloud"
    return theme.badge(f"{plain(judge.name)} judge: {plain(shorten(judge.model, 60))}", icon, "blue")


def judge_section(judge: JudgeInfo) -> None:
    """The judge of a run, and why it was chosen."""
    theme.kicker("Judge")
    st.markdown(judge_badge(judge))
    for line in judge.route:
        st.caption(plain(line))


def privacy_line(
    judge: JudgeInfo,
    searched: Sequence[str] = (),
    what: str = "The claim and its evidence",
    asked: str = "Statements that your knowledge base does not settle",
    pipeline: str = "",
    records: str = "",
) -> str:
    """What leaves the machine, as Markdown; ``searched`` are those who receive searches.

    ``what`` goes to a language model where one judges, and what is ``asked`` goes to them. In a single conversation
    (``pipeline``) both are more. ``records`` is the address of a shared database, whose workers do the check.
    """
    if pipeline == Pipeline.SINGLE_CONVERSATION and judge.name != "embedded":
        what = "The claim, passages of your knowledge base, and text of pages"
        asked = "Words that the language model chooses"
    if judge.name == "embedded":
        if not searched and not records:
            return ":material/lock: Embedded judge: nothing you type leaves this machine."
        where = "is part of Ghost: no language model is asked" if records else "runs on this machine"
        text = f":material/{'travel_explore' if searched else 'database'}: The judge {where}."
    elif is_this_machine(judge.host):
        text = (
            f":material/lock: {what} go to {plain(shorten(judge.model, 60))} at "
            f"{plain(shorten(judge.host, 80))}, on this machine."
        )
    else:
        text = (
            f":material/cloud_upload: {what} are sent to {plain(shorten(judge.model, 60))} at "
            f"{plain(shorten(judge.host or judge.name, 80))} ({plain(judge.name)} judge)."
        )
    if judge.next:
        text += f" If that fails, they may go to {plain(shorten(judge.next, 120))}."
    if searched:
        text += (
            f" {asked} are sent as search words to "
            f"{plain(', then '.join(searched))}; pages that are found, and those of notes that would decide "
            "alone, are fetched from their sites."
        )
    if records:
        text += f" The records are in {records}; its workers check what you enter."
    return text


def total_spent(workbench: "Workbench") -> Usage:
    """What all runs have spent on language models. Raises StoreError."""
    ended = workbench.runs.count() - workbench.runs.count(status=RunStatus.RUNNING)
    return _total_spent(workbench, str(workbench.settings.data_dir), ended)


@st.cache_data(max_entries=8, show_spinner=False)
def _total_spent(_workbench: "Workbench", folder: str, ended: int) -> Usage:
    """Reads every run, so only again when one more has ended."""
    del folder, ended  # they only tell one answer from another
    return _workbench.runs.spent()
