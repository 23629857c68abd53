"""The checks that were started from an article, with how far each is, leading to its report."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner
from ghost.records import Article, ArticleCheck, RunSummary
from ghost.reports import confidence
from ghost.types import RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten
from ghost.ui.verify.place import open_run

if TYPE_CHECKING:
    from ghost.workbench import Workbench

POLL_SECONDS = 1.0
_STEPS = 7
_WAITS = theme.Look("Waits", "hourglass_top", "gray", "Others are before it.")
_LOST = theme.Look("Did not start", "power_off", "orange", "Ghost was closed before its turn. Pick it again.")


@dataclass(frozen=True, slots=True)
class Line:
    """A check as it is shown."""

    check: ArticleCheck
    look: theme.Look
    note: str
    """Markdown of ours."""
    going: bool = False
    known: bool = True
    """Whether there is a run to open."""


def checks_section(workbench: "Workbench", runner: Runner, article: Article, checks: dict[int, ArticleCheck]) -> None:
    """All checks of an article in its order; looks again and again while one goes on."""
    try:
        lines = _lines(workbench, runner, checks)
    except StoreError as error:
        st.header("Checks", anchor="checks")
        st.error(f"How the checks stand cannot be read now. {plain(str(error))}", icon=":material/error:")
        st.button("Try again", key="verify_article_retry", icon=":material/refresh:")
        return
    going = any(line.going for line in lines)

    @st.fragment(run_every=POLL_SECONDS if going else None)
    def watch() -> None:
        try:
            now = _lines(workbench, runner, checks) if going else lines
        except StoreError as error:  # the next look may succeed
            st.caption(f"How the checks stand cannot be read now. {plain(str(error))}")
            return
        if going and not any(line.going for line in now):
            st.rerun()
        _draw(runner, article, now)

    watch()


def _lines(workbench: "Workbench", runner: Runner, checks: dict[int, ArticleCheck]) -> list[Line]:
    """How the checks stand: what the records have, and for what goes on, what this process knows."""
    kept = {run.id: run for run in workbench.runs.summaries([check.run_id for check in checks.values()])}
    return [_line(runner, check, kept.get(check.run_id)) for _, check in sorted(checks.items())]


def _line(runner: Runner, check: ArticleCheck, kept: RunSummary | None) -> Line:
    if kept and kept.label:
        sure = confidence(kept.confidence)
        said = ("Your verdict", f"Ghost: {kept.label.value}") if kept.override else ()
        return Line(check, theme.VERDICTS[kept.override or kept.label], " · ".join(filter(None, (*said, sure))))
    if kept and kept.status is not RunStatus.RUNNING:
        return Line(check, theme.STATUSES[kept.status], "No verdict; its report says why.")
    view = runner.snapshot(check.run_id)
    if view is None:
        return Line(check, _LOST, _LOST.note, known=False)
    if view.ended:
        if view.verdict:
            return Line(check, theme.VERDICTS[view.verdict.label], confidence(view.verdict.confidence))
        return Line(check, theme.STATUSES[view.status], "No verdict; its report says why.")
    if not view.number and not view.steps:
        return Line(check, _WAITS, _WAITS.note, going=True)
    where = f"step {max(view.number, 1)} of {_STEPS} · {theme.seconds(view.seconds)}"
    return Line(check, theme.STATUSES[RunStatus.RUNNING], where, going=True)


def _draw(runner: Runner, article: Article, lines: list[Line]) -> None:
    done = sum(not line.going for line in lines)
    st.header("Checks", anchor="checks")
    with st.container(border=True, key="verify_article_checks"):
        if done < len(lines):
            st.progress(done / len(lines), text=f"{done} of {len(lines)} done")
            going = [line.check.run_id for line in lines if line.going]
            st.button(
                "Cancel the rest", key="verify_article_stop", icon=":material/stop_circle:",
                on_click=_stop, args=(runner, going),
            )  # fmt: skip
        for line in lines:
            _check(article, line)


def _stop(runner: Runner, run_ids: list[str]) -> None:
    for run_id in run_ids:
        runner.cancel(run_id)


def _check(article: Article, line: Line) -> None:
    with st.container(gap=None, key=f"verify_article_line_{line.check.position}"):
        st.markdown(plain(shorten(line.check.statement, 240)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            note = f" :small[:gray[{line.note}]]" if line.note else ""
            st.markdown(f"{line.look.badge}{note}", width="content")
            if line.known and st.button(
                "Open", key=f"verify_article_open_{line.check.run_id}", type="tertiary",
                icon=":material/chevron_right:", help=f"Open the check of sentence {line.check.position}",
            ):  # fmt: skip
                open_run(line.check.run_id, article.id)
                st.rerun()  # the whole page, as this stands in a fragment
