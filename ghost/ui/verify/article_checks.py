"""The checks that were started from an article, with their progress; each leads to its report."""

from dataclasses import dataclass

import streamlit as st

from ghost.jobs import Runner
from ghost.records import Article, ArticleCheck, RunSummary
from ghost.reports import confidence
from ghost.types import RunStatus
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.runs import run_badge, run_confidence
from ghost.ui.shared.steps import STEPS
from ghost.ui.shared.text import plain, shorten
from ghost.ui.verify.visit import open_run

POLL_SECONDS = 1.0
_WAITING = theme.Badge("Waiting", "hourglass_top", "gray", "Others are before it.")
_LOST = theme.Badge("Did not start", "power_off", "orange", "Ghost was closed before its turn. Select it again.")
_NO_VERDICT = "No verdict; its report gives the reason."


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A check as it is shown."""

    check: ArticleCheck
    badge: theme.Badge
    note: str
    """Markdown of ours."""
    running: bool = False


def checks_section(
    workbench: Workbench, runner: Runner, article: Article, checks: dict[int, ArticleCheck], lines: list[CheckLine]
) -> None:
    """All checks of an article as ``check_lines`` found them; polls while one is running."""
    running = any(line.running for line in lines)

    @st.fragment(run_every=POLL_SECONDS if running else None)
    def watch() -> None:
        # The next poll may succeed.
        with theme.store_errors_noted("The progress of the checks cannot be read now."):
            now = check_lines(workbench, runner, checks) if running else lines
            if running and not any(line.running for line in now):
                st.rerun()
            _draw(runner, article, now)

    watch()


def check_lines(workbench: Workbench, runner: Runner, checks: dict[int, ArticleCheck]) -> list[CheckLine]:
    """Each check by what the records have, and by what this process knows of the running ones. Raises StoreError."""
    kept = {run.id: run for run in workbench.runs.summaries([check.run_id for check in checks.values()])}
    return [_line(runner, check, kept.get(check.run_id)) for _, check in sorted(checks.items())]


def _line(runner: Runner, check: ArticleCheck, kept: RunSummary | None) -> CheckLine:
    if kept and kept.label:
        own = ("Your verdict", f"Ghost: {kept.label.value}") if kept.override else ()
        return CheckLine(check, run_badge(kept), " · ".join(filter(None, (*own, run_confidence(kept)))))
    if kept and kept.status is not RunStatus.RUNNING:
        return CheckLine(check, run_badge(kept), _NO_VERDICT)
    view = runner.snapshot(check.run_id)
    if view is None:
        return CheckLine(check, _LOST, _LOST.note)
    if view.verdict and view.ended:
        return CheckLine(check, theme.VERDICTS[view.verdict.label], confidence(view.verdict))
    if view.ended:
        return CheckLine(check, theme.STATUSES[view.status], _NO_VERDICT)
    if not view.number and not view.steps:
        return CheckLine(check, _WAITING, _WAITING.note, running=True)
    progress = f"step {max(view.number, 1)} of {len(STEPS)} · {theme.seconds(view.seconds)}"
    return CheckLine(check, theme.STATUSES[RunStatus.RUNNING], progress, running=True)


def _draw(runner: Runner, article: Article, lines: list[CheckLine]) -> None:
    running = [line.check.run_id for line in lines if line.running]
    done = len(lines) - len(running)

    def stop() -> None:
        for run_id in running:
            runner.cancel(run_id)

    st.header("Checks", anchor="checks")
    with st.container(border=True, key="verify_article_checks"):
        if running:
            st.progress(done / len(lines), text=f"{done} of {len(lines)} done")
            button("Cancel the rest", "verify_article_stop", "stop_circle", stop)
        for line in lines:
            _check(article, line)


def _check(article: Article, line: CheckLine) -> None:
    with st.container(gap=None, key=f"verify_article_line_{line.check.position}"):
        st.markdown(plain(shorten(line.check.statement, 240)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            note = f" :small[:gray[{line.note}]]" if line.note else ""
            st.markdown(f"{line.badge.badge}{note}", width="content")
            if line.badge is not _LOST and button(
                "Open", f"verify_article_open_{line.check.run_id}", "chevron_right", type="tertiary",
                help=f"Open the check of sentence {line.check.position}",
            ):  # fmt: skip
                open_run(line.check.run_id, article.id)
                st.rerun()  # the whole page, as this stands in a fragment
