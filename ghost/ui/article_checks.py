"""The checks that were started from an article, with how far each is, leading to its report."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ghost.records.articles import Article, ArticleCheck
from ghost.runner import Runner
from ghost.types import RunStatus
from ghost.ui import theme
from ghost.ui.place import open_run
from ghost.ui.text import plain, shorten

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
    going: bool
    known: bool = True
    """Whether there is a run to open."""


def checks_section(bench: "Workbench", runner: Runner, article: Article, checks: dict[int, ArticleCheck]) -> None:
    """All checks of an article in its order; looks again and again while one goes on."""
    lines = [_line(runner, check) for _, check in sorted(checks.items())]
    going = any(line.going for line in lines)

    @st.fragment(run_every=POLL_SECONDS if going else None)
    def watch() -> None:
        now = lines
        if going:
            now = [_line(runner, check) for _, check in sorted(bench.articles.checks(article.id).items())]
            if not any(line.going for line in now):
                st.rerun()
        _draw(runner, article, now)

    watch()


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
        words = plain(shorten(line.check.statement, 160))
        if line.known:
            st.button(
                words, key=f"verify_article_open_{line.check.run_id}", type="tertiary", icon=":material/open_in_new:",
                help="Open this check", on_click=open_run, args=(line.check.run_id, article.id),
            )  # fmt: skip
        else:
            st.markdown(words)
        st.markdown(f"{line.look.badge} :small[:gray[{line.note}]]")


def _line(runner: Runner, check: ArticleCheck) -> Line:
    """How a check stands: what the records have, and for what goes on, what this process knows."""
    if check.status in (None, RunStatus.RUNNING):
        view = runner.snapshot(check.run_id)
        if view is None:
            return Line(check, _LOST, _LOST.note, False, known=False)
        if not view.ended:
            if not view.number and not view.steps:
                return Line(check, _WAITS, "", True)
            where = f"step {max(view.number, 1)} of {_STEPS} · {theme.seconds(view.seconds)}"
            return Line(check, theme.STATUSES[RunStatus.RUNNING], where, True)
        label, confidence, status = (
            view.verdict.label if view.verdict else None,
            view.verdict.confidence if view.verdict else 0.0,
            view.status,
        )
    else:
        label, confidence, status = check.label, check.confidence or 0.0, check.status
    if label is None:
        return Line(check, theme.STATUSES[status], "No verdict; its report says why.", False)
    return Line(check, theme.VERDICTS[label], f"{theme.percent(confidence)} confident", False)
