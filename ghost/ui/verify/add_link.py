"""A page that the analyst wants read too: while a run goes on, or after it in a new one that reads it first."""

from collections.abc import Callable, Sequence

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import Runner, RunView
from ghost.reports import named_pages, page_outcome
from ghost.types import TraceStep
from ghost.ui.shared.text import clean, coloured, link, plain, safe_url, shorten
from ghost.ui.verify.place import open_run
from ghost.web import host_of

_LOOKS = {
    "reading": ("hourglass_top", "blue"), "read": ("article", "green"), "refused": ("block", "orange"),
    "unreadable": ("visibility_off", "orange"), "dropped": ("block", "orange"), "not read": ("timer_off", "gray"),
}  # fmt: skip

_SAID = "verify_link_said"
_BOXES = {"add_link": st.success, "schedule": st.info, "edit_note": st.warning, "error": st.error}
"""How what came of an address is shown, by its icon."""


def live(runner: Runner, view: RunView) -> None:
    """The field while a run goes on: the page is read between two turns of it, and weighed with the rest."""

    def add(url: str) -> bool:
        taken = runner.add_link(view.run_id, url)
        if taken:
            _say("add_link", f"{plain(shorten(url, 120))} will be read between two steps.")
        else:
            _say(
                "schedule",
                "Too late for this check: its verdict is being made. Add the page below the report once it is there.",
            )
        return taken

    _field("Add a link", "Add it", "A page that speaks about this: it is read and judged before the verdict.", add)


def after(runner: Runner, view: RunView) -> None:
    """The pages that were added to a run, and a field for another one."""

    def read(url: str) -> bool:
        open_run(runner.read_again(view.run_id, url))
        return True

    with st.container(border=True, key="verify_links"):
        st.header("Add a link", anchor="add-link")
        _named(view.steps)
        _field(
            "Page to read", "Read this page and decide again",
            "The claim is checked anew with this page read first. This check stays as it is.", read,
        )  # fmt: skip


def follows(settings: dict[str, object]) -> None:
    """Which earlier run this one does anew, where it does."""
    if before := str(settings.get("follows") or ""):
        st.button(
            "Checked again with pages that were added. Open the earlier check", key="verify_follows",
            icon=":material/history:", type="tertiary", on_click=open_run, args=(before,),
        )  # fmt: skip


def _field(label: str, button: str, note: str, act: Callable[[str], bool]) -> None:
    """The field for an address; it is emptied when ``act`` has taken the address, and keeps one that was refused."""
    row = st.form("verify_link_form", border=False)
    with row.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(label, key="verify_link", placeholder="https://…", max_chars=2000)
        st.form_submit_button(button, key="verify_link_add", icon=":material/add_link:", on_click=_send, args=(act,))
    st.caption(note)
    icon, words = st.session_state.pop(_SAID, ("", ""))
    if words:
        _BOXES[icon](words, icon=f":material/{icon}:")


def _send(act: Callable[[str], bool]) -> None:
    """A callback, because a field can only be emptied before it is drawn."""
    try:
        if act(clean(st.session_state.get("verify_link") or "")):
            st.session_state["verify_link"] = ""
    except ClaimError as error:
        _say("edit_note", plain(str(error)))
    except GhostError as error:
        _say("error", plain(str(error)))


def _say(icon: str, words: str) -> None:
    st.session_state[_SAID] = (icon, words)


def _named(steps: Sequence[TraceStep]) -> None:
    for row in named_pages(steps):
        icon, colour = _LOOKS.get(str(row.get("state")), ("link", "gray"))
        url = str(row.get("url") or "")
        name = shorten(str(row.get("title") or "") or url, 100)
        where = f" · {link(host_of(url), url)}" if safe_url(url) and host_of(url) else ""
        st.markdown(f":{colour}[:material/{icon}:] {plain(name)}{where}  \n{coloured('small', page_outcome(row))}")
