"""What a visitor of the Verify page looks at, which the address bar holds too, and what the form there holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import streamlit as st

from ghost.errors import ClaimError
from ghost.jobs import RunOptions, RunView
from ghost.types import Claim, site_list, tidy_claim, tidy_text
from ghost.ui.shared.actions import notify
from ghost.ui.shared.parts import button

PAGE = "verify"
ONE_CLAIM, ARTICLE = "One claim", "An article"
_CLAIM = ("verify_claim", "verify_context", "verify_found_at", "verify_without", "verify_only", "verify_as_of")
_ARTICLE = ("verify_article_text", "verify_article_url")
_ARTICLE_SCOPE = ("verify_article_as_of", "verify_article_without", "verify_article_only")


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
    open_run(named.run, named.article)
    return named


def take_link(limit: int) -> None:
    """Fill the form with the claim that the address brings: ``?claim=TEXT&found_at=URL``. Nothing is started.

    Any website may lead here, so the text is cut to ``limit`` characters, loses control characters, and an address
    that is no web address is left out; a note says so. The parameters are taken out of the address, or a reload would
    bring them again.
    """
    params = st.query_params
    text, found_at = (str(params.pop(name, "")) for name in ("claim", "found_at"))
    text = tidy_text(text)
    if not text or params.get("run") or params.get("article"):
        return
    notes = ["This claim comes from a link. Nothing has been checked yet."]
    if len(text) > limit:
        text = text[:limit]
        notes.append(f"It was too long: only the first {limit:,} characters are here.")
    try:
        claim = tidy_claim(Claim("Any text", found_at=found_at), limit)
    except ClaimError:
        claim = Claim("")
        notes.append("The address of its page was left out: it is not a web address.")
    _fill(_fields(Entry(Claim(text, found_at=claim.found_at), RunOptions())), " ".join(notes))


def open_run(run_id: str, article: str = "") -> None:
    """Show this run from now on; an empty id leads back to the article, or to the form."""
    st.session_state["verify_view"] = View(run_id, article)
    for name, value in (("run", run_id), ("article", article)):
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value:
            st.query_params.pop(name, None)


def open_article(article_id: str) -> None:
    """Show this article from now on."""
    open_run("", article_id)


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim with everything that was set for its check."""

    claim: Claim
    options: RunOptions


def entry_of(
    text: str, context: str, as_of: date | None, found_at: str, without: str, only: str, web: bool, pipeline: str = ""
) -> Entry:
    """What the form says; raises ClaimError where a site cannot be used."""
    claim = Claim(text or "", context or "", as_of, found_at or None)
    return Entry(claim, RunOptions(web, site_list(only or ""), site_list(without or ""), pipeline=pipeline))


def fill(claim: Claim) -> None:
    """Put a claim into the form. For callbacks, because widgets can only be filled before they are drawn."""
    _fill(_fields(Entry(claim, RunOptions())))


def edit(view: RunView) -> None:
    """Put a run back into the form with everything that was set for it. For callbacks."""
    options = RunOptions(view.web, view.allowed, view.denied, pipeline=view.pipeline)
    _fill(_fields(Entry(view.claim, options)) | {"verify_web": view.web})


def back_to_form(entry: Entry) -> None:
    """Leave a review for the form, filled with this entry. For callbacks."""
    st.session_state.update(_fields(entry) | {"verify_web": entry.options.web})
    open_run("")


def _fields(entry: Entry) -> dict[str, Any]:
    """What stands in the form for an entry, but for the switch of the web; no review or choice is open."""
    claim, options = entry.claim, entry.options
    sites = (", ".join(options.denied), ", ".join(options.allowed))
    values = (claim.text, claim.context, claim.found_at or "", *sites, claim.as_of)
    return {
        **dict(zip(_CLAIM, values, strict=True)),
        "verify_mode": ONE_CLAIM,
        "verify_review_first": bool(claim.statements),
        "verify_statements": (claim.text, claim.statements),
        "verify_reviewing": None,
        "verify_earlier": None,
        **({"verify_pipeline": options.pipeline} if options.pipeline else {}),
    }


def _fill(fields: Mapping[str, Any], note: str = "") -> None:
    prepare()
    typed = is_set(*_CLAIM) and st.session_state.get("verify_filled") != _typed()
    replaced = typed or is_set("verify_reviewing")
    notes = [note, "The claim you had typed was replaced." if replaced else ""]
    _put(fields, " ".join(filter(None, notes)))
    st.session_state["verify_filled"] = _typed()
    open_run("")


def _typed() -> tuple[Any, ...]:
    return tuple(st.session_state.get(name) or None for name in (*_CLAIM, "verify_statements"))


def _put(fields: Mapping[str, Any], note: str) -> None:
    """Replace what is in fields; with a note there is an undo that brings it back."""
    state = st.session_state
    before = {name: state[name] for name in fields if name in state}

    def restore() -> None:
        for name in fields:
            state.pop(name, None)
        state.update(before)

    state.update(fields)
    if note:
        notify(PAGE, note, restore)


def new_claim_button(note: str = "", label: str = "New claim", primary: bool = False) -> None:
    """Leaves what is shown for the form, with what was typed there and not yet checked."""

    def leave() -> None:
        _empty(_ARTICLE_SCOPE)  # chosen for the article that was shown
        open_run("")

    kind = "primary" if primary else "secondary"
    button(label, "verify_new", "add", leave, type=kind, help=note or None)


def open_as_article(url: str) -> None:
    """What was entered as a claim is the address of a page: show it as an article the next time the form is drawn."""
    st.session_state["verify_address"] = url


def started(mode: str) -> None:
    """What the form holds is being checked or listed, so that it is empty the next time."""
    st.session_state["verify_started"] = mode


def article_put_in(article_id: str) -> None:
    """What the form holds is being read as this article."""
    st.session_state["verify_reading"] = article_id, _put_in()


def article_read(article_id: str) -> None:
    """The article that this visitor has put in is kept: the form is empty the next time, unless it holds another."""
    reading, put_in = st.session_state.get("verify_reading", ("", ()))
    if reading == article_id:
        del st.session_state["verify_reading"]
        if put_in == _put_in():
            started(ARTICLE)


def _put_in() -> tuple[str, ...]:
    return tuple(str(st.session_state.get(name) or "") for name in _ARTICLE)


def refill(article_id: str, text: str, url: str) -> None:
    """Have what was put in for an article in the form, once: it may be corrected there."""
    if st.session_state.get("verify_refilled") != article_id:
        st.session_state["verify_refilled"] = article_id
        fields = {"verify_mode": ARTICLE, "verify_article_text": text, "verify_article_url": url}
        st.session_state.update(fields)


def prepare() -> None:
    """Change the fields as was asked for; later, as fields cannot be changed in the run that has drawn them."""
    if url := st.session_state.pop("verify_address", ""):
        fields = {"verify_mode": ARTICLE, "verify_claim": "", "verify_article_text": "", "verify_article_url": url}
        _put(fields, "That is the address of a page. List its statements here, then check those that matter.")
    mode = st.session_state.pop("verify_started", "")
    if mode == ONE_CLAIM:
        st.session_state.update(_fields(Entry(Claim(""), RunOptions())))
    elif mode == ARTICLE:
        _empty((*_ARTICLE, *_ARTICLE_SCOPE))


def _empty(names: Iterable[str]) -> None:
    st.session_state.update({name: None if name.endswith("_as_of") else "" for name in names})


def is_set(*names: str) -> bool:
    """Whether any of these fields has something in it, so that what holds them is drawn open."""
    return any(st.session_state.get(name) for name in names)
