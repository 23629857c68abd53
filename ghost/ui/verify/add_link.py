"""A page that the analyst wants read too: while a run goes on, or after it in a new run that reads it first."""

from collections.abc import Callable, Sequence

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import Runner, RunView
from ghost.reports import named_pages, page_outcome
from ghost.types import TraceStep
from ghost.ui.shared.text import clean, coloured, host_link, plain, shorten
from ghost.ui.verify.visit import open_run

_LOOKS = {
    "reading": ("hourglass_top", "blue"), "read": ("article", "green"), "refused": ("block", "orange"),
    "unreadable": ("visibility_off", "orange"), "dropped": ("block", "orange"), "not read": ("timer_off", "gray"),
}  # fmt: skip
_BOXES = {"add_link": st.success, "schedule": st.info, "edit_note": st.warning, "error": st.error}
"""How the result is shown, by its icon."""


def link_to_running(runner: Runner, view: RunView) -> None:
    """The field while a run goes on: the page is read between two steps, and weighed with the rest."""

    def add(url: str) -> bool:
        added = runner.add_link(view.run_id, url)
        if added:
            _report("add_link", f"{plain(shorten(url, 120))} will be read between two steps.")
        else:
            _report("schedule", "Too late for this check: it is deciding. Add the page below the finished report.")
        return added

    _field("Add a link", "Add it", "A page about this claim: it is read and weighed before the verdict.", add)


def link_to_ended(runner: Runner, view: RunView) -> None:
    """The pages that were added to a run, each with its result, and a field for another one."""

    def read(url: str) -> bool:
        open_run(runner.read_again(view.run_id, url))
        return True

    _added_pages(view.steps)
    note = "The claim is checked again with this page read first. This check stays as it is."
    _field("Page to read", "Read this page and decide again", note, read)


def _added_pages(steps: Sequence[TraceStep]) -> None:
    for row in named_pages(steps):
        icon, colour = _LOOKS.get(str(row.get("state")), ("link", "gray"))
        url = str(row.get("url") or "")
        name = plain(shorten(str(row.get("title") or "") or url, 100))
        st.markdown(
            f":{colour}[:material/{icon}:] {name}{host_link(url, ' · ')}  \n{coloured('small', page_outcome(row))}"
        )


def _field(label: str, button: str, note: str, act: Callable[[str], bool]) -> None:
    """The field for an address; it is emptied when ``act`` accepts the address, and keeps one that was refused."""

    def send() -> None:  # a callback, because a field can only be emptied before it is drawn
        try:
            if act(clean(st.session_state.get("verify_link") or "")):
                st.session_state["verify_link"] = ""
        except GhostError as error:
            _report("edit_note" if isinstance(error, ClaimError) else "error", plain(str(error)))

    with st.form("verify_link_form", border=False).container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(label, key="verify_link", placeholder="https://…", max_chars=2000)
        st.form_submit_button(button, key="verify_link_add", icon=":material/add_link:", on_click=send)
    st.caption(note)
    icon, words = st.session_state.pop("verify_link_result", ("", ""))
    if words:
        _BOXES[icon](words, icon=f":material/{icon}:")


def _report(icon: str, words: str) -> None:
    st.session_state["verify_link_result"] = (icon, words)
