"""What the form on the Verify page holds: filled from a run, read, and emptied."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from ghost.jobs import RunView
from ghost.types import Claim, site_list
from ghost.ui.shared.actions import notify
from ghost.ui.verify.address import open_run

ONE_CLAIM, ARTICLE = "One claim", "An article"
MODES = (ONE_CLAIM, ARTICLE)
_CLAIM = ("verify_claim", "verify_context", "verify_found_at", "verify_without", "verify_only", "verify_as_of")
_ARTICLE = ("verify_article_text", "verify_article_url")
_ARTICLE_SCOPE = ("verify_article_as_of", "verify_article_without", "verify_article_only")
_KEPT = (*_CLAIM, "verify_mode", "verify_web", "verify_review_first", "verify_statements", "verify_reviewing")
"""All that is put into the form together, and so comes back together."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim with everything that was set for its check."""

    claim: Claim
    web: bool
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


def fill(claim: Claim) -> None:
    """Put a claim into the form. For callbacks, because widgets can only be filled before they are drawn."""
    _replace(Entry(claim, True), keep_web=True)


def edit(view: RunView) -> None:
    """Put a run back into the form with everything that was set for it. For callbacks."""
    _replace(Entry(view.claim, view.web, view.allowed, view.denied), keep_web=False)


def _replace(entry: Entry, keep_web: bool) -> None:
    """Put an entry into the form, with an undo that brings back what the visitor had typed there."""
    prepare()
    state = st.session_state
    before = {name: state[name] for name in _KEPT if name in state}
    typed = is_set(*_CLAIM) and state.get("verify_filled") != _typed()

    def restore() -> None:
        for name in _KEPT:
            if name in before:
                state[name] = before[name]
            else:
                state.pop(name, None)

    refill(entry, keep_web)
    if "verify_reviewing" in before or typed:
        notify("verify", "The claim you had typed was replaced.", restore)
    state["verify_filled"] = _typed()


def _typed() -> tuple[Any, ...]:
    return tuple(st.session_state.get(name) or None for name in (*_CLAIM, "verify_statements"))


def refill(entry: Entry, keep_web: bool) -> None:
    """Put an entry into the form; ``keep_web`` leaves the switch for the web as it is."""
    claim, state = entry.claim, st.session_state
    state["verify_mode"] = ONE_CLAIM
    state["verify_claim"] = claim.text
    state["verify_context"] = claim.context
    state["verify_as_of"] = claim.as_of
    state["verify_found_at"] = claim.found_at or ""
    state["verify_without"] = ", ".join(entry.denied)
    state["verify_only"] = ", ".join(entry.allowed)
    state["verify_review_first"] = bool(claim.statements)
    state["verify_statements"] = (claim.text, claim.statements)
    if not keep_web:
        state["verify_web"] = entry.web
    state.pop("verify_reviewing", None)
    open_run("")


def new_claim_button(note: str = "", label: str = "New claim", primary: bool = False) -> None:
    """Leaves what is shown for the form, with what was typed there and not yet checked."""
    st.button(
        label, key="verify_new", icon=":material/add:", type="primary" if primary else "secondary", help=note or None,
        on_click=_new,
    )  # fmt: skip


def _new() -> None:
    _empty(_ARTICLE_SCOPE)  # chosen for the article that was shown
    open_run("")


def open_as_article(url: str) -> None:
    """What was entered as a claim is the address of a page: show it as an article the next time the form is drawn."""
    st.session_state["verify_address"] = url


def started(mode: str) -> None:
    """What the form holds is being checked or listed, so that it is empty the next time."""
    st.session_state["verify_started"] = mode


def prepare() -> None:
    """Change the fields as was asked for; later, as fields cannot be changed in the run that has drawn them."""
    if url := st.session_state.pop("verify_address", ""):
        names = ("verify_mode", "verify_claim", *_ARTICLE)
        before = {name: st.session_state.get(name) for name in names}
        _empty(names)
        st.session_state.update(verify_mode=ARTICLE, verify_article_url=url)
        text = "That is the address of a page. List its statements here, then check those that matter."
        notify("verify", text, lambda: st.session_state.update(before))
    mode = st.session_state.pop("verify_started", "")
    if mode == ONE_CLAIM:
        _empty(_CLAIM)
        st.session_state["verify_review_first"] = False
        st.session_state.pop("verify_statements", None)
    elif mode == ARTICLE:
        _empty((*_ARTICLE, *_ARTICLE_SCOPE))


def _empty(names: Iterable[str]) -> None:
    for name in names:
        st.session_state[name] = None if name.endswith("_as_of") else ""


def entry_of(text: str, context: str, as_of: date | None, found_at: str, without: str, only: str, web: bool) -> Entry:
    """What the form says; raises ClaimError where a site cannot be used."""
    claim = Claim(text or "", context or "", as_of, found_at or None)
    return Entry(claim, web, site_list(only or ""), site_list(without or ""))


def is_set(*names: str) -> bool:
    """Whether any of these fields has something in it, so that what holds them is drawn open."""
    return any(st.session_state.get(name) for name in names)
