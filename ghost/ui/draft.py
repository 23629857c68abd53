"""What the form on the Verify page holds: put there from a run, read from there, emptied."""

from dataclasses import dataclass
from datetime import date

import streamlit as st

from ghost.claims import site_list
from ghost.runner import RunView
from ghost.types import Claim
from ghost.ui.place import open_run

ONE_CLAIM, ARTICLE = "One claim", "An article"
MODES = (ONE_CLAIM, ARTICLE)
_TEXTS = (
    "verify_claim", "verify_context", "verify_found_at", "verify_without", "verify_only",
    "verify_article_text", "verify_article_url", "verify_article_without", "verify_article_only",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim with everything that was set for its check."""

    claim: Claim
    web: bool
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


def fill(claim: Claim) -> None:
    """Put a claim into the form (a callback, because widgets can only be filled before they are drawn)."""
    refill(Entry(claim, True), keep_web=True)


def again(view: RunView) -> None:
    """Put a run back into the form with everything that was set for it."""
    refill(Entry(view.claim, view.web, view.allowed, view.denied), keep_web=False)


def refill(entry: Entry, keep_web: bool) -> None:
    """Put an entry into the form; ``keep_web`` leaves the switch for the web as it is."""
    claim = entry.claim
    st.session_state["verify_mode"] = ONE_CLAIM
    st.session_state["verify_claim"] = claim.text
    st.session_state["verify_context"] = claim.context
    st.session_state["verify_as_of"] = claim.as_of
    st.session_state["verify_found_at"] = claim.found_at or ""
    st.session_state["verify_without"] = ", ".join(entry.denied)
    st.session_state["verify_only"] = ", ".join(entry.allowed)
    st.session_state["verify_review_first"] = bool(claim.statements)
    st.session_state["verify_statements"] = (claim.text, claim.statements)
    if not keep_web:
        st.session_state["verify_web"] = entry.web
    st.session_state.pop("verify_reviewing", None)
    open_run("")


def clear() -> None:
    """Empty the form and leave whatever is shown."""
    for field in _TEXTS:
        st.session_state[field] = ""
    st.session_state["verify_as_of"] = st.session_state["verify_article_as_of"] = None
    st.session_state["verify_review_first"] = False
    st.session_state.pop("verify_statements", None)
    st.session_state.pop("verify_reading", None)
    st.session_state.pop("verify_reviewing", None)
    open_run("")


def entered(text: str, context: str, as_of: date | None, found_at: str, without: str, only: str, web: bool) -> Entry:
    """What the form says; raises ClaimError where a site cannot be used."""
    claim = Claim(text or "", context or "", as_of, found_at or None)
    return Entry(claim, web, site_list(only or ""), site_list(without or ""))


def is_set(*names: str) -> bool:
    """Whether any of these fields has something in it, so that what holds them is drawn open."""
    return any(st.session_state.get(name) for name in names)
