"""A page that the analyst wants read too: while a run goes on, or after it in a new one that reads it first."""

from collections.abc import Sequence

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.reports import pages
from ghost.runner import Runner, RunView
from ghost.types import TraceStep
from ghost.ui.place import open_run
from ghost.ui.text import clean, coloured, link, plain, safe_url, shorten
from ghost.web.address import host_of

_LOOKS = {
    "reading": ("hourglass_top", "blue"), "read": ("article", "green"), "refused": ("block", "orange"),
    "unreadable": ("visibility_off", "orange"), "dropped": ("block", "orange"), "not read": ("timer_off", "gray"),
}  # fmt: skip


def live(runner: Runner, view: RunView) -> None:
    """The field while a run goes on: the page is read between two turns of it, and weighed with the rest."""
    url = _field("Add a link", "Add it", "A page that speaks about this: it is read and judged before the verdict.")
    if url is None:
        return
    try:
        taken = runner.add_link(view.run_id, url)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
        return
    if taken:
        st.success(f"{plain(shorten(url, 120))} will be read between two steps.", icon=":material/add_link:")
    else:
        st.info(
            "Too late for this check: its verdict is being made. Add the page below the report once it is there.",
            icon=":material/schedule:",
        )


def after(runner: Runner, view: RunView) -> None:
    """The pages that were added to a run, and a field for another one."""
    with st.container(border=True, key="verify_links"):
        st.header("Add a link", anchor="add-link")
        _named(view.steps)
        url = _field(
            "Page to read", "Read this page and decide again",
            "The claim is checked anew with this page read first. This check stays as it is.",
        )  # fmt: skip
        if url is None:
            return
        try:
            run_id = runner.read_again(view.run_id, url)
        except ClaimError as error:
            st.warning(plain(str(error)), icon=":material/edit_note:")
        except GhostError as error:
            st.error(plain(str(error)), icon=":material/error:")
        else:
            open_run(run_id)
            st.rerun()


def follows(settings: dict[str, object]) -> None:
    """Which earlier run this one does anew, where it does."""
    if before := str(settings.get("follows") or ""):
        st.button(
            "Checked again with pages that were added. Open the earlier check", key="verify_follows",
            icon=":material/history:", type="tertiary", on_click=open_run, args=(before,),
        )  # fmt: skip


def _field(label: str, button: str, note: str) -> str | None:
    """The address that was sent; None as long as none was."""
    row = st.form("verify_link_form", clear_on_submit=True, border=False)
    with row.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(label, key="verify_link", placeholder="https://…", max_chars=2000)
        sent = st.form_submit_button(button, key="verify_link_add", icon=":material/add_link:")
    st.caption(note)
    return clean(typed or "") if sent else None


def _named(steps: Sequence[TraceStep]) -> None:
    for row in pages.named(steps):
        icon, colour = _LOOKS.get(str(row.get("state")), ("link", "gray"))
        url = str(row.get("url") or "")
        name = shorten(str(row.get("title") or "") or url, 100)
        where = f" · {link(host_of(url), url)}" if safe_url(url) and host_of(url) else ""
        st.markdown(f":{colour}[:material/{icon}:] {plain(name)}{where}  \n{coloured('small', pages.told(row))}")
