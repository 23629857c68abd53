"""A run while it goes on: its seven steps, what is known so far, and the sources as they come."""

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner, RunView
from ghost.reports import evidence_cards
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify import add_link
from ghost.ui.verify.draft import again, new
from ghost.ui.verify.sources import source_cards
from ghost.ui.verify.step_list import step_list
from ghost.ui.verify.verdict import headline, privacy_line

POLL_SECONDS = 0.4


def progress(runner: Runner, view: RunView) -> None:
    """The run as it goes on; looks again and again until it ends, then draws the page anew."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"In progress · {theme.moment(view.started_at)}")
        st.button(
            "Edit", key="verify_edit", icon=":material/edit:", type="tertiary", on_click=again, args=(view,),
            help="Back to the form with this claim. This check goes on.",
        )  # fmt: skip
        st.button(
            "New claim", key="verify_new", icon=":material/add:", on_click=new,
            help="Back to the form. This check goes on.",
        )  # fmt: skip
    headline(view)

    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        try:
            now = runner.snapshot(view.run_id)
        except StoreError as error:  # a run of another process; the next look may succeed
            st.caption(f"How far it is cannot be read now. {plain(str(error))}")
            return
        if now is None or now.ended:
            st.rerun()
        left, right = st.columns([3, 2], gap="large")
        with left, st.container(border=True):
            _clock(runner, now)
            step_list(now)
            _cancel(runner, now)
        with right:
            _so_far(now)
        source_cards(now.sources)

    watch()
    # Outside the fragment, so that what is being typed is not drawn again under the analyst's hands.
    with st.container(border=True, key="verify_links"):
        add_link.live(runner, view)


def _cancel(runner: Runner, view: RunView) -> None:
    """The way to stop it, where it can be stopped from here."""
    if view.run_id not in runner.active():
        st.caption("This check was begun elsewhere, such as in a batch. It is stopped there.")
        return
    st.button(
        "Stopping …" if view.cancelling else "Cancel", key="verify_cancel", icon=":material/stop_circle:",
        disabled=view.cancelling, on_click=runner.cancel, args=(view.run_id,),
    )  # fmt: skip


def _clock(runner: Runner, view: RunView) -> None:
    """How long it has taken, or who is before it."""
    if view.steps or view.number:
        st.caption(f":material/timer: {theme.seconds(view.seconds)}")
        return
    active = runner.active()
    before = active.index(view.run_id) if view.run_id in active else 0
    st.caption(
        f":material/hourglass_top: It waits for its turn; {count(before, 'check')} began before it."
        if before
        else ":material/hourglass_top: It begins in a moment."
    )


def _so_far(view: RunView) -> None:
    theme.kicker("Known so far")
    found = view.classification
    if found:
        st.markdown(theme.TYPES[found.type].badge)
        st.markdown("  \n".join(f"**{s.number}** · {plain(shorten(s.text, 200))}" for s in found.statements))
        if found.extracted is not None:
            st.caption(":material/edit: Statements in your words; the trace has what was extracted.")
    else:
        st.caption("What can be checked in it is listed here first, then the evidence as it is found.")
    if view.evidence:
        made = evidence_cards(view.evidence)
        st.markdown(
            f"{count(len(made), 'passage')} weighed: "
            + ", ".join(
                f"{sum(c.main.stance.label is stance for c in made)} "
                f":{look.colour}[:material/{look.icon}: {look.word.lower()}]"
                for stance, look in theme.STANCES.items()
                if any(c.main.stance.label is stance for c in made)
            )
        )
    if view.withdrawn:
        st.caption(f":orange[:material/undo:] Taken back: {plain(shorten(view.withdrawn, 300))}")
    for text in view.sentences:
        st.markdown(plain(text))  # its marks lead nowhere yet: the evidence is not drawn before the end
    st.caption("You can leave this page: the check goes on, and this address leads back to it.")
    st.caption(privacy_line(view.judge, view.searched))
