"""What the Verify page shows: a run, an article, or the form. The address bar holds it, so that reloading keeps it."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True, slots=True)
class Place:
    """Where a visitor is on the Verify page; both empty at the form."""

    run: str = ""
    article: str = ""
    """Also set for a run that was opened from an article, to lead back to it."""


def here() -> Place:
    """Where the address bar leads, or, when it says nothing, where this visitor was before he left the page."""
    named = Place(str(st.query_params.get("run", "")), str(st.query_params.get("article", "")))
    if named == Place():
        named = st.session_state.get("verify_place", named)
    _go(named)
    return named


def open_run(run_id: str, article: str = "") -> None:
    """Show this run from now on; an empty id leads back to the article, or to the form."""
    _go(Place(run_id, article))


def open_article(article_id: str) -> None:
    """Show this article from now on."""
    _go(Place("", article_id))


def way_back(to: Place) -> None:
    """Above a run that was opened from an article: the way back to it."""
    if to.run and to.article:
        st.button(
            "Back to the article", key="verify_back", icon=":material/arrow_back:", type="tertiary",
            on_click=open_article, args=(to.article,),
        )  # fmt: skip


def _go(to: Place) -> None:
    st.session_state["verify_place"] = to
    for name, value in (("run", to.run), ("article", to.article)):
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value:
            st.query_params.pop(name, None)
