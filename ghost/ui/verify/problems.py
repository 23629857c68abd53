"""What the Verify page shows instead of a run or an article that is unknown or cannot be read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import StoreError
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten
from ghost.ui.verify.draft import new_claim_button

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def unreadable(what: str, error: StoreError) -> None:
    """The records cannot be read; the visitor can try again or go on with another claim."""
    with st.container(width=720):
        st.title(f":material/error: This {what} cannot be read now", anchor=False)
        theme.show_error(error)
        st.caption("Nothing was changed. This address leads back to it.")
        with st.container(horizontal=True):
            st.button("Try again", key="verify_retry", icon=":material/refresh:", type="primary")
            new_claim_button()


def not_here(what: str, identity: str, reasons: Sequence[str], workbench: "Workbench") -> None:
    """The address names what is not on this machine: possible reasons, and the way on."""
    folder = f"{plain(str(workbench.settings.data_dir))}, set by GHOST\\_DATA\\_DIR"
    with st.container(width=720):
        st.title(f":material/search_off: This {what} is not here", anchor=False)
        st.markdown(
            f"There is no {what} **{plain(shorten(identity, 60))}** on this machine. Nothing was lost or changed. "
            "Possible reasons:"
        )
        st.markdown(
            "\n".join(
                f"- {reason}" for reason in (*reasons, f"Ghost was started with another data folder (now: {folder}).")
            )
        )
        new_claim_button(label="Check a claim", primary=True)
