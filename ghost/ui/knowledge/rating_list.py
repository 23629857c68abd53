"""A file of domain ratings: read in the background, previewed, applied as a whole; and the effect of ratings."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.errors import Cancelled
from ghost.jobs import Task, failure_text
from ghost.knowledge import MAX_RATINGS, RatingEffect, RatingsFile, read_ratings
from ghost.records import DomainRating
from ghost.text import safe_cell
from ghost.types import Label
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, notify_error
from ghost.ui.shared.task_progress import task_progress
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = "domains"
DOMAINS_SHOWN = 8
RUNS_SHOWN = 8
QUICK_SECONDS = 0.6
_LIST, _WORK = "domains_list", "domains_work"


@dataclass(frozen=True, slots=True)
class Work:
    """What is being done with a list in the background."""

    kind: str
    """``reading`` it, or ``rating`` the domains."""
    task: Task[Any]
    change: tuple[dict[str, DomainRating | None], str] = ({}, "")
    """The ratings and the text that says that they apply."""


def change_ratings(workbench: "Workbench", ratings: dict[str, DomainRating | None], reason: str, text: str) -> None:
    """Apply ratings and show ``text`` with an undo. Raises GhostError."""
    notify_ratings(workbench, workbench.ratings.change(ratings, reason), text)


def notify_ratings(workbench: "Workbench", change_id: str, text: str) -> None:
    """Show what was rated, with an undo where anything was changed."""
    if change_id:
        notify(PAGE, text, partial(undo_ratings, workbench, change_id))
    else:
        notify(PAGE, "Nothing was changed: these ratings already apply.", icon="info")


def undo_ratings(workbench: "Workbench", change_id: str) -> None:
    """Undo a change of ratings. Raises GhostError."""
    stayed = workbench.ratings.undo(change_id)
    more = f" Rated again since, and left as they are: {plain(', '.join(stayed[:5]))}." if stayed else ""
    notify(PAGE, f"The previous ratings apply again.{more}", icon="undo")


def draw_effect(effect: RatingEffect) -> None:
    """The passages and domains that a rating changes, and the verdicts that cite them."""
    if not effect.under:
        st.caption("No passage comes from there yet. The rating applies to future ones.")
        return
    if not effect.passages:
        st.caption(f"Nothing changes for the {count(effect.under, 'passage')} from there.")
        return
    values = ", ".join(f"{n:,} with {value:.2f}" for value, n in effect.before.items())
    st.markdown(f"**{count(effect.passages, 'passage')}** affected, {effect.active:,} of them active. Now: {values}.")
    domains = list(effect.domains.items())
    if len(domains) > 1:
        shown = ", ".join(f"{plain(name) or 'no domain'} {n:,}" for name, n in domains[:DOMAINS_SHOWN])
        more = f" and {len(domains) - DOMAINS_SHOWN:,} more" if len(domains) > DOMAINS_SHOWN else ""
        st.caption(f"From {len(domains):,} domains: {shown}{more}")
    if not effect.runs:
        st.caption("No verdict cites them yet.")
        return
    st.markdown(
        f"{count(effect.runs, 'verdict')} {'cites' if effect.runs == 1 else 'cite'} them. These verdicts stay as they "
        "are; check a claim again to see the difference."
    )
    for run in effect.shown[:RUNS_SHOWN]:
        icon = theme.VERDICTS[Label(run.label)].icon if run.label in list(Label) else "fact_check"
        st.page_link("pages/verify.py", label=plain(shorten(run.claim, 90)), query_params={"run": run.run_id},
                     icon=f":material/{icon}:")  # fmt: skip
    if effect.runs > RUNS_SHOWN:
        st.caption(f"The latest {RUNS_SHOWN} are shown.")


def list_section(workbench: "Workbench") -> None:
    """Upload, preview and apply a list."""
    _finish(workbench)
    st.subheader("Import ratings", anchor=False)
    with st.container(border=True, key="domains_list_card"):
        work: Work | None = st.session_state.get(_WORK)
        found: tuple[RatingsFile, RatingEffect] | str | None = st.session_state.get(_LIST)
        if work:
            # Rating cannot be stopped halfway: either the whole list applies or none of it.
            task_progress(work.task, "domains_cancel" if work.kind == "reading" else "", "Rating the domains")
        elif isinstance(found, tuple):
            _decide(workbench, *found)
        else:
            if found:
                theme.show_error(found)
            key = f"domains_file_{st.session_state.setdefault('domains_file_number', 0)}"
            st.file_uploader(
                f"CSV or JSON Lines with domain, score (0 to 1), type and note; up to {MAX_RATINGS:,} rows",
                key=key, max_upload_size=10, on_change=_uploaded, args=(workbench, key),
            )  # fmt: skip


def _uploaded(workbench: "Workbench", key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    body, name = file.getvalue(), clean(file.name)[:200]
    st.session_state["domains_file_number"] += 1  # or the widget would show the old file when it comes back
    _start(Work("reading", Task(lambda task: _read(workbench, body, name, task))))


def _read(workbench: "Workbench", body: bytes, name: str, task: Task[Any]) -> tuple[RatingsFile, RatingEffect]:
    task.report("Reading the list")
    found = read_ratings(body, name)

    def looked(passages: int) -> None:
        task.report(f"Finding the affected passages: {passages:,} so far")

    looked(0)
    return found, workbench.ratings.effect(dict(found.ratings), looked)


def _apply(workbench: "Workbench", ratings: dict[str, DomainRating | None], reason: str, text: str) -> None:
    _start(Work("rating", Task(lambda _: workbench.ratings.change(ratings, reason)), (ratings, text)))


def _start(work: Work) -> None:
    """Keep the work in the session. Quick work is finished before the page is drawn. For callbacks."""
    work.task.wait(QUICK_SECONDS)
    st.session_state[_WORK] = work


def _finish(workbench: "Workbench") -> None:
    """Take over the result of work that has ended."""
    work: Work | None = st.session_state.get(_WORK)
    if work is None or not work.task.ended:
        return
    del st.session_state[_WORK]
    error = work.task.error
    if isinstance(error, Cancelled):
        notify(PAGE, "The list was cancelled. Nothing was changed.", icon="info")
    elif work.kind == "reading":
        st.session_state[_LIST] = failure_text(error) if error else work.task.result()
    elif error:
        notify_error(PAGE, failure_text(error))
    else:
        notify_ratings(workbench, work.task.result(), work.change[1])
        st.session_state.pop(_LIST, None)
    st.rerun()  # the notice is drawn above this section


def _decide(workbench: "Workbench", found: RatingsFile, effect: RatingEffect) -> None:
    theme.kicker("Preview: nothing has been changed")
    st.markdown(f"**{plain(shorten(found.name, 100))}** · {count(len(found.ratings), 'domain')}")
    for note in found.notes:
        st.warning(plain(note), icon=":material/info:")
    ratings: dict[str, DomainRating | None] = dict(found.ratings)
    if ratings:
        draw_effect(effect)
    if found.problems:
        st.dataframe(
            [{"Row": p.row, "Field": p.field, "Problem": p.problem, "Value": safe_cell(shorten(p.value, 80))}
             for p in found.problems[:200]],
            hide_index=True, key="domains_list_problems",
        )  # fmt: skip
    rated = count(len(ratings), "domain")
    with st.container(horizontal=True):
        st.button(
            f"Rate {rated}" if ratings else "No usable rows", key="domains_list_apply", type="primary",
            icon=":material/check:", disabled=not ratings, on_click=_apply,
            args=(workbench, ratings, f"imported from {found.name}", f"{rated} rated."),
        )  # fmt: skip
        st.button("Cancel", key="domains_list_leave", icon=":material/close:", on_click=_drop)


def _drop() -> None:
    st.session_state.pop(_LIST, None)
