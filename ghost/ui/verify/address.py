"""What the Verify page shows: a run, an article, or the form. The address bar holds it, so that a reload keeps it."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True, slots=True)
class View:
    """What the visitor is looking at; both are empty for the form."""

    run: str = ""
    article: str = ""
    """Also set for a run that was opened from an article, to lead back to it."""


def current_view() -> View:
    """The view in the address, or, when the address names none, the one this visitor saw last."""
    named = View(str(st.query_params.get("run", "")), str(st.query_params.get("article", "")))
    if named == View():
        named = st.session_state.get("verify_view", named)
    _show(named)
    return named


def open_run(run_id: str, article: str = "") -> None:
    """Show this run from now on; an empty id leads back to the article, or to the form."""
    _show(View(run_id, article))


def open_article(article_id: str) -> None:
    """Show this article from now on."""
    _show(View("", article_id))


def back_to_article(view: View) -> None:
    """Above a run that was opened from an article: the way back to it."""
    if view.run and view.article:
        st.button(
            "Back to the article", key="verify_back", icon=":material/arrow_back:", type="tertiary",
            on_click=open_article, args=(view.article,),
        )  # fmt: skip


def _show(view: View) -> None:
    st.session_state["verify_view"] = view
    for name, value in (("run", view.run), ("article", view.article)):
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value:
            st.query_params.pop(name, None)
