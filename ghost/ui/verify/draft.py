"""What the form on the Verify page holds: put there from a run, read from there, emptied."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from ghost.jobs import RunView
from ghost.types import Claim, site_list
from ghost.ui.shared import flash
from ghost.ui.verify.place import open_run

ONE_CLAIM, ARTICLE = "One claim", "An article"
MODES = (ONE_CLAIM, ARTICLE)
_CLAIM = ("verify_claim", "verify_context", "verify_found_at", "verify_without", "verify_only", "verify_as_of")
_ARTICLE = ("verify_article_text", "verify_article_url")
_ARTICLE_SCOPE = ("verify_article_as_of", "verify_article_without", "verify_article_only")
_KEPT = (*_CLAIM, "verify_mode", "verify_web", "verify_review_first", "verify_statements", "verify_reviewing")
"""All that is put into the form together, and so comes back together."""
_STARTED = "verify_started"
_ADDRESS = "verify_address"
_FILLED = "verify_filled"


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim with everything that was set for its check."""

    claim: Claim
    web: bool
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


def fill(claim: Claim) -> None:
    """Put a claim into the form (a callback, because widgets can only be filled before they are drawn)."""
    _put(Entry(claim, True), keep_web=True)


def again(view: RunView) -> None:
    """Put a run back into the form with everything that was set for it."""
    _put(Entry(view.claim, view.web, view.allowed, view.denied), keep_web=False)


def _put(entry: Entry, keep_web: bool) -> None:
    """Put an entry into the form, with a way back to what the visitor had typed there."""
    tidy()
    before = _now()
    typed = "verify_reviewing" in before or is_set(*_CLAIM)
    pristine = st.session_state.get(_FILLED) == _typed()
    refill(entry, keep_web)
    if "verify_reviewing" in before or (typed and not pristine):
        flash.say("verify", "What you had typed was replaced.", lambda: _bring_back(before))
    st.session_state[_FILLED] = _typed()


def _now() -> dict[str, Any]:
    return {name: st.session_state[name] for name in _KEPT if name in st.session_state}


def _typed() -> tuple[Any, ...]:
    return tuple(st.session_state.get(name) or None for name in (*_CLAIM, "verify_statements"))


def _bring_back(before: dict[str, Any]) -> None:
    for name in _KEPT:
        if name in before:
            st.session_state[name] = before[name]
        else:
            st.session_state.pop(name, None)


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


def new() -> None:
    """Leave whatever is shown for the form, with what was typed there and not yet checked (a callback)."""
    _empty(_ARTICLE_SCOPE)  # chosen for the article that was shown
    open_run("")


def as_article(url: str) -> None:
    """What was entered as a claim is the address of a page: show it as an article the next time the form is drawn."""
    st.session_state[_ADDRESS] = url


def _open_article(url: str) -> None:
    names = ("verify_mode", "verify_claim", *_ARTICLE)
    before = {name: st.session_state.get(name) for name in names}
    _empty(("verify_claim", *_ARTICLE))
    st.session_state["verify_mode"] = ARTICLE
    st.session_state["verify_article_url"] = url
    said = "That is the address of a page. List its statements here, then check those that matter."
    flash.say("verify", said, lambda: st.session_state.update(before))


def started(mode: str) -> None:
    """What the form holds is being checked or listed, so that it is empty the next time."""
    st.session_state[_STARTED] = mode


def tidy() -> None:
    """Empty what has been started; not at once, as fields cannot be changed in the run that has drawn them."""
    if url := st.session_state.pop(_ADDRESS, ""):
        _open_article(url)
    mode = st.session_state.pop(_STARTED, "")
    if mode == ONE_CLAIM:
        _empty(_CLAIM)
        st.session_state["verify_review_first"] = False
        st.session_state.pop("verify_statements", None)
    elif mode == ARTICLE:
        _empty((*_ARTICLE, *_ARTICLE_SCOPE))


def _empty(names: Iterable[str]) -> None:
    for name in names:
        st.session_state[name] = None if name.endswith("_as_of") else ""


def entered(text: str, context: str, as_of: date | None, found_at: str, without: str, only: str, web: bool) -> Entry:
    """What the form says; raises ClaimError where a site cannot be used."""
    claim = Claim(text or "", context or "", as_of, found_at or None)
    return Entry(claim, web, site_list(only or ""), site_list(without or ""))


def is_set(*names: str) -> bool:
    """Whether any of these fields has something in it, so that what holds them is drawn open."""
    return any(st.session_state.get(name) for name in names)
