"""Section Domains: rate a source after seeing what the rating changes, and undo ratings."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.knowledge import RatingEffect, rating_of, write_ratings
from ghost.records import DomainRating, RatingChange
from ghost.types import SourceType
from ghost.ui.knowledge.rating_list import PAGE, change_ratings, draw_effect, list_section, undo_ratings
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify_error, run_action, show_notice
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import clean, plain, shorten

if TYPE_CHECKING:
    from ghost.knowledge import KnowledgeBase
    from ghost.workbench import Workbench

LISTED = 200
"""Domains of the knowledge base in the table."""
CHANGES_SHOWN = 10
OWN_SHOWN = 25
FRESH_SECONDS = 5.0
_BASES = {"yours": "you", "settings": "settings", "unrated": "not rated"}
_DRAFT = "domains_draft"


def section(workbench: "Workbench") -> None:
    """Rate one domain, see all, import a list, and undo."""
    st.header("Source credibility", anchor=False)
    st.markdown(
        "A rating applies to a domain and counts whenever evidence is weighed. Your ratings override the settings; the "
        "longest matching entry counts. Finished checks keep the values they were made with."
    )
    show_notice(PAGE)
    left, right = st.columns(2, gap="large")
    with left:
        _rate(workbench)
    with right:
        _known(workbench)
    _yours(workbench)
    list_section(workbench)
    _changes(workbench)


def _rate(workbench: "Workbench") -> None:
    st.session_state.setdefault("domains_score", 0.5)
    asked = st.query_params.get("rate", "")
    if asked and st.session_state.get("domains_asked") != asked:
        st.session_state["domains_asked"] = asked
        _pick(workbench, clean(asked)[:255])
    with st.container(border=True, key="domains_rate"):
        st.subheader("Rate a domain", anchor=False)
        # Not st.form, which sends its fields with the button only: a page switch would lose what was typed.
        with st.container(key="domains_form"):
            written = st.text_input(
                "Domain or address", key="domains_entry", placeholder="example.org, or example.org/opinion",
                max_chars=500, persist_state="session",
                help="Includes everything below it: example.org covers news.example.org.",
            )  # fmt: skip
            value = st.slider(
                "Credibility", 0.0, 1.0, step=0.05, key="domains_score", persist_state="session",
                help="0: not credible. 0.5: unknown. 1: beyond doubt. Passages that a run fetches from a source below "
                "GHOST_MIN_CREDIBILITY go to quarantine.",
            )  # fmt: skip
            kind = st.selectbox(
                "Kind of source", list(SourceType), index=None, key="domains_kind", persist_state="session",
                placeholder="As known to Ghost", format_func=lambda k: theme.SOURCE_TYPES[k].capitalize(),
            )  # fmt: skip
            reason = st.text_input(
                "Reason", key="domains_reason", placeholder="Stored with the rating", max_chars=500,
                persist_state="session",
            )  # fmt: skip
            sent = st.button("Preview changes", key="domains_show", icon=":material/visibility:", type="primary",
                             shortcut="Ctrl+Enter")  # fmt: skip
        if sent:
            _draft(workbench, written or "", value, kind, reason or "")
        if draft := st.session_state.get(_DRAFT):
            _decide(workbench, *draft)


def _draft(workbench: "Workbench", written: str, value: float, kind: SourceType | None, reason: str) -> None:
    """Work out the effect once: with many passages it takes a moment, which later clicks must not."""
    try:
        rating = rating_of(clean(written), value, kind, clean(reason))
        with st.spinner("Finding the affected passages and verdicts"):
            st.session_state[_DRAFT] = (rating, workbench.ratings.effect({rating.entry: rating}))
    except ClaimError as error:
        st.session_state.pop(_DRAFT, None)
        st.warning(plain(str(error)), icon=":material/edit_note:")


def _decide(workbench: "Workbench", draft: DomainRating, effect: RatingEffect) -> None:
    book = workbench.knowledge.book
    now = theme.stars(book.credibility(draft.entry), book.rated(draft.entry))
    st.markdown(f"**{plain(draft.entry)}** {now} :material/arrow_forward: {theme.stars(draft.credibility)}")
    kind = theme.SOURCE_TYPES[draft.source_type].capitalize() if draft.source_type else "as known to Ghost"
    st.caption(f"Kind of source: {kind} · Reason: {plain(shorten(draft.note, 160)) or 'none'}")
    draw_effect(effect)
    text = f"{plain(draft.entry)} is rated {draft.credibility:.2f}."
    with st.container(horizontal=True):
        st.button("Apply", key="domains_apply", type="primary", icon=":material/check:", on_click=_apply,
                  args=(workbench, {draft.entry: draft}, draft.note, text))  # fmt: skip
        st.button("Cancel", key="domains_leave", icon=":material/close:", on_click=_drop_draft)


def _drop_draft() -> None:
    st.session_state.pop(_DRAFT, None)


def _apply(workbench: "Workbench", ratings: dict[str, DomainRating | None], reason: str, text: str) -> None:
    if run_action(PAGE, partial(change_ratings, workbench, ratings, reason, text)):
        _drop_draft()


def _known(workbench: "Workbench") -> None:
    """The most frequent domains of the knowledge base; one can be taken into the form."""
    st.subheader("Domains in your knowledge base", anchor=False)
    book = workbench.knowledge.book
    found = _frequent(str(workbench.settings.database_path), workbench.knowledge)
    words = clean(st.text_input("Find a domain", key="domains_find", placeholder="nasa", persist_state="session") or "")
    rows = [(domain, n) for domain, n in found if words.lower() in domain]
    if not rows:
        st.info("No active passage comes from such a domain." if words else "No active passage has an address yet.",
                icon=":material/public_off:")  # fmt: skip
        return
    event = st.dataframe(
        [
            {
                "Domain": domain,
                "Passages": n,
                "Credibility": book.credibility(domain),
                "Rated by": _BASES[book.basis(domain)],
            }
            for domain, n in rows
        ],
        hide_index=True,
        height=380,
        key="domains_table",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Credibility": st.column_config.NumberColumn(format="%.2f", width="small"),
            "Passages": st.column_config.NumberColumn(width="small"),
        },
    )
    picked = event.selection.rows if hasattr(event, "selection") else []
    if picked and picked[0] < len(rows):
        domain = rows[picked[0]][0]
        st.button(
            f"Rate {plain(domain)}", key="domains_pick", icon=":material/edit:", on_click=_pick,
            args=(workbench, domain),
        )  # fmt: skip
    else:
        st.caption("Select a row to rate its domain. Subdomains and paths can have their own rating.")


def _pick(workbench: "Workbench", domain: str) -> None:
    """Fill the form with what is known about a domain, and with nothing from the domain before it."""
    try:
        own = workbench.ratings.all().get(domain)
    except GhostError as error:
        notify_error(PAGE, error)
        return
    st.session_state["domains_kind"] = own.source_type if own else None
    st.session_state["domains_reason"] = own.note if own else ""
    st.session_state["domains_entry"] = domain
    st.session_state["domains_score"] = round(workbench.knowledge.book.credibility(domain) * 20) / 20
    _drop_draft()


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner=False)
def _frequent(database: str, _knowledge: "KnowledgeBase") -> tuple[tuple[str, int], ...]:
    del database
    return _knowledge.stats(LISTED).domains


def _yours(workbench: "Workbench") -> None:
    ratings = workbench.ratings.all()
    st.subheader("Your ratings", anchor=False)
    if not ratings:
        st.caption("You have not rated any domain. The ratings in the settings apply (GHOST_SOURCE_CREDIBILITY).")
        return
    part = paging("domains_own_page", len(ratings), OWN_SHOWN)
    with st.container(border=True, gap="xsmall"):
        for rating in list(ratings.values())[part.offset : part.offset + OWN_SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute",
                              key=f"domains_own_{rating.entry}"):  # fmt: skip
                kind = f" · {theme.SOURCE_TYPES[rating.source_type]}" if rating.source_type else ""
                note = f" · {plain(shorten(rating.note, 160))}" if rating.note else ""
                st.markdown(f"**{plain(rating.entry)}** {theme.stars(rating.credibility)}{kind}{note}", width="content")
                st.button("Remove", key=f"domains_remove_{rating.entry}", icon=":material/close:", type="tertiary",
                          on_click=_apply, args=(workbench, {rating.entry: None}, "removed",
                                                 f"Your rating of {plain(rating.entry)} was removed."))  # fmt: skip
    part.numbers()
    st.download_button(
        "Download your ratings", lambda: b"".join(write_ratings(workbench.ratings.all().values())),
        "ghost-domain-ratings.csv", "text/csv", key="domains_download", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _changes(workbench: "Workbench") -> None:
    part = paging("domains_changes_page", workbench.ratings.count_changes(), CHANGES_SHOWN)
    changes = workbench.ratings.changes(CHANGES_SHOWN, part.offset)
    if not changes:
        return
    with st.expander("History of ratings", icon=":material/history:", type="compact"):
        for change in changes:
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(_summary(change), width="content")
                if change.undone_at:
                    st.caption(f"undone {theme.moment(change.undone_at)}", width="content")
                else:
                    st.button("Undo", key=f"domains_undo_{change.id}", icon=":material/undo:", type="tertiary",
                              on_click=run_action,
                              args=(PAGE, partial(undo_ratings, workbench, change.id)))  # fmt: skip
        part.numbers()


def _summary(change: RatingChange) -> str:
    def score(rating: DomainRating | None) -> str:
        return f"{rating.credibility:.2f}" if rating else "not rated"

    parts = [f"{plain(entry)} {score(before)} :material/arrow_forward: {score(after)}"
             for entry, before, after in change.entries[:3]]  # fmt: skip
    more = change.count - len(parts)
    words = ", ".join(parts) + (f" and {more:,} more" if more > 0 else "")
    reason = f": {plain(shorten(change.reason, 160))}" if change.reason else ""
    return f"{theme.moment(change.at)} · {words}{reason}"
