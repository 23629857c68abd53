"""Section Domains: rate a source after seeing what the rating changes, import a list of ratings, and undo ratings."""

from functools import partial

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import (
    LIBRARY,
    MAX_RATINGS,
    PassageFilter,
    RatingEffect,
    RatingsFile,
    rating_of,
    read_ratings,
    write_ratings,
)
from ghost.records import DomainRating, RatingChange
from ghost.text import safe_cell
from ghost.types import Kind, Label, SourceType, Status
from ghost.ui.knowledge.selection import PAGE, counted, run_later
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify, notify_error, run_action
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download
from ghost.ui.shared.text import clean, count, plain, shorten

LISTED = 200
"""Domains of the knowledge base in the table."""
CHANGES_SHOWN = 10
OWN_SHOWN = 25
TOP = 8
"""Domains or verdicts that an effect lists."""
_BASES = {"yours": "you", "settings": "settings", "unrated": "not rated"}
_DRAFT, _LIST = "domains_draft", "domains_list"
"""What was previewed: one rating, or a list of them, with its effect."""
Ratings = dict[str, DomainRating | None]


def section(workbench: Workbench) -> None:
    """Rate one domain, see all, import a list, and undo."""
    st.header("Source credibility", anchor=False)
    st.markdown(
        "A rating applies to a domain and counts whenever evidence is weighed. Your ratings override the settings; the "
        "longest matching entry counts. Finished checks keep the values they were made with."
    )
    left, right = st.columns(2, gap="large")
    with left:
        _rate(workbench)
    with right:
        _known(workbench)
    _yours(workbench)
    _import(workbench)
    _changes(workbench)


def _change(workbench: Workbench, ratings: Ratings, reason: str, text: str) -> None:
    """Apply ratings and show ``text`` with an undo."""
    if change_id := workbench.ratings.change(ratings, reason):
        notify(PAGE, text, partial(_undo, workbench, change_id))
    else:
        notify(PAGE, "Nothing was changed: these ratings already apply.", icon="info")
    _drop(_DRAFT)


_NAMES = {LIBRARY: "Starter library"}
"""How an entry is called that is no domain. Its rating is that of all notes."""


def _undo(workbench: Workbench, change_id: str) -> None:
    stayed = workbench.ratings.undo(change_id)
    more = f" Rated again since, and left as they are: {plain(', '.join(stayed[:5]))}." if stayed else ""
    notify(PAGE, f"The previous ratings apply again.{more}", icon="undo")


def _drop(previewed: str) -> None:
    st.session_state.pop(previewed, None)


def _rate(workbench: Workbench) -> None:
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
            sent = button("Preview changes", "domains_show", "visibility", type="primary", shortcut="Ctrl+Enter")
        if sent:
            _drop(_DRAFT)
            # Worked out once: with many passages it takes a moment, which later clicks must not.
            with theme.errors_shown(), st.spinner("Finding the affected passages and verdicts"):
                rating = rating_of(clean(written or ""), value, kind, clean(reason or ""))
                st.session_state[_DRAFT] = (rating, workbench.ratings.effect({rating.entry: rating}))
        if draft := st.session_state.get(_DRAFT):
            _decide(workbench, *draft)


def _decide(workbench: Workbench, draft: DomainRating, effect: RatingEffect) -> None:
    book, entry = workbench.knowledge.book, plain(draft.entry)
    now = theme.stars(book.credibility(draft.entry), book.rated(draft.entry))
    st.markdown(f"**{entry}** {now} :material/arrow_forward: {theme.stars(draft.credibility)}")
    kind = theme.SOURCE_TYPES[draft.source_type].capitalize() if draft.source_type else "as known to Ghost"
    st.caption(f"Kind of source: {kind} · Reason: {plain(shorten(draft.note, 160)) or 'none'}")
    _draw_effect(effect)
    apply = partial(_change, workbench, {draft.entry: draft}, draft.note, f"{entry} is rated {draft.credibility:.2f}.")
    with st.container(horizontal=True):
        button("Apply", "domains_apply", "check", run_action, PAGE, apply, type="primary")
        button("Cancel", "domains_leave", "close", _drop, _DRAFT)


def _draw_effect(effect: RatingEffect) -> None:
    """The passages and domains that a rating changes, and the verdicts that cite them."""
    if not effect.under:
        st.caption("No passage comes from there yet. The rating applies to future ones.")
        return
    if not effect.passages:
        st.caption(f"Nothing changes for the {count(effect.under, 'passage')} from there.")
        return
    values = ", ".join(f"{n:,} with {value:.2f}" for value, n in effect.before.items())
    st.markdown(f"**{count(effect.passages, 'passage')}** affected, {effect.active:,} of them active. Now: {values}.")
    domains = list(effect.domains.items())
    if len(domains) > 1:
        shown = ", ".join(f"{plain(name) or 'no domain'} {n:,}" for name, n in domains[:TOP])
        more = f" and {len(domains) - TOP:,} more" if len(domains) > TOP else ""
        st.caption(f"From {len(domains):,} domains: {shown}{more}")
    if not effect.runs:
        st.caption("No verdict cites them yet.")
        return
    st.markdown(
        f"{count(effect.runs, 'verdict')} {'cites' if effect.runs == 1 else 'cite'} them. These verdicts stay as they "
        "are; check a claim again to see the difference."
    )
    for run in effect.shown[:TOP]:
        icon = theme.VERDICTS[Label(run.label)].icon if run.label in list(Label) else "fact_check"
        st.page_link("pages/verify.py", label=plain(shorten(run.claim, 90)), query_params={"run": run.run_id},
                     icon=f":material/{icon}:")  # fmt: skip
    if effect.runs > TOP:
        st.caption(f"The latest {TOP} are shown.")


def _known(workbench: Workbench) -> None:
    """The most frequent domains of the knowledge base; one can be taken into the form."""
    st.subheader("Domains in your knowledge base", anchor=False)
    book = workbench.knowledge.book
    words = clean(st.text_input("Find a domain", key="domains_find", placeholder="nasa", persist_state="session") or "")
    notes = counted(workbench.knowledge, "count", PassageFilter(status=Status.ACTIVE, kind=Kind.NOTE))
    domains = ((LIBRARY, notes), *counted(workbench.knowledge, "stats", LISTED).domains)
    rows = [
        {
            "Domain": _NAMES.get(domain, domain),
            "Passages": n,
            "Credibility": book.credibility(domain),
            "Rated by": _BASES[book.basis(domain)],
        }
        for domain, n in domains
        if words.lower() in _NAMES.get(domain, domain).lower() and n
    ]
    if not rows:
        st.info("No active passage comes from such a domain." if words else "No active passage has an address yet.",
                icon=":material/public_off:")  # fmt: skip
        return
    event = st.dataframe(
        rows, hide_index=True, height=380, key="domains_table", on_select="rerun", selection_mode="single-row",
        column_config={
            "Credibility": st.column_config.NumberColumn(format="%.2f", width="small"),
            "Passages": st.column_config.NumberColumn(width="small"),
        },
    )  # fmt: skip
    picked = event.selection.rows if hasattr(event, "selection") else []
    if picked and picked[0] < len(rows):
        name = str(rows[picked[0]]["Domain"])
        domain = next((entry for entry, shown in _NAMES.items() if shown == name), name)
        button(f"Rate {plain(name)}", "domains_pick", "edit", _pick, workbench, domain)
    else:
        st.caption("Select a row to rate its domain. Subdomains and paths can have their own rating.")


def _pick(workbench: Workbench, domain: str) -> None:
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
    _drop(_DRAFT)


def _yours(workbench: Workbench) -> None:
    ratings = workbench.ratings.all()
    st.subheader("Your ratings", anchor=False)
    if not ratings:
        st.caption("You have not rated any domain. The ratings in the settings apply (GHOST_SOURCE_CREDIBILITY).")
        return
    part = paging("domains_own_page", len(ratings), OWN_SHOWN)
    with st.container(border=True, gap="xsmall"):
        for rating in list(ratings.values())[part.offset : part.offset + OWN_SHOWN]:
            entry = plain(rating.entry)
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute",
                              key=f"domains_own_{rating.entry}"):  # fmt: skip
                kind = f" · {theme.SOURCE_TYPES[rating.source_type]}" if rating.source_type else ""
                note = f" · {plain(shorten(rating.note, 160))}" if rating.note else ""
                st.markdown(f"**{entry}** {theme.stars(rating.credibility)}{kind}{note}", width="content")
                remove = partial(
                    _change, workbench, {rating.entry: None}, "removed", f"Your rating of {entry} was removed."
                )
                button("Remove", f"domains_remove_{rating.entry}", "close", run_action, PAGE, remove, type="tertiary")
    part.numbers()
    download("Download your ratings", lambda: b"".join(write_ratings(workbench.ratings.all().values())),
             "ghost-domain-ratings.csv", "text/csv", "domains_download")  # fmt: skip


def _import(workbench: Workbench) -> None:
    """A list of ratings: upload, preview and apply it as a whole."""
    st.subheader("Import ratings", anchor=False)
    with st.container(border=True, key="domains_list_card"):
        if found := st.session_state.get(_LIST):
            _decide_list(workbench, *found)
            return
        number = st.session_state.setdefault("domains_file_number", 0)
        file = st.file_uploader(
            f"CSV or JSON Lines with domain, score (0 to 1), type and note; up to {MAX_RATINGS:,} rows",
            key=f"domains_file_{number}", max_upload_size=10,
        )  # fmt: skip
        if file is None:
            return
        # A click on the button ends the script at its next report.
        button("Cancel", "domains_cancel", "stop_circle", _drop_file)
        progress = st.empty()
        with theme.errors_shown():
            listed = read_ratings(file.getvalue(), clean(file.name)[:200])

            def report(passages: int) -> None:
                progress.caption(f"Finding the affected passages: {passages:,} so far")

            st.session_state[_LIST] = (listed, workbench.ratings.effect(dict(listed.ratings), report))
            _drop_file()
            st.rerun()


def _drop_file() -> None:
    """A new widget, which does not show the old file."""
    st.session_state["domains_file_number"] += 1


def _decide_list(workbench: Workbench, listed: RatingsFile, effect: RatingEffect) -> None:
    theme.kicker("Preview: nothing has been changed")
    st.markdown(f"**{plain(shorten(listed.name, 100))}** · {count(len(listed.ratings), 'domain')}")
    for note in listed.notes:
        st.warning(plain(note), icon=":material/info:")
    if listed.ratings:
        _draw_effect(effect)
    if listed.problems:
        st.dataframe(
            [{"Row": p.row, "Field": p.field, "Problem": p.problem, "Value": safe_cell(shorten(p.value, 80))}
             for p in listed.problems[:200]],
            hide_index=True, key="domains_list_problems",
        )  # fmt: skip
    rated = count(len(listed.ratings), "domain")
    with st.container(horizontal=True):
        button(f"Rate {rated}" if listed.ratings else "No usable rows", "domains_list_apply", "check", run_later,
               "Rating the domains", partial(_change_list, workbench, listed), type="primary",
               disabled=not listed.ratings)  # fmt: skip
        button("Cancel", "domains_list_leave", "close", _drop, _LIST)


def _change_list(workbench: Workbench, listed: RatingsFile) -> None:
    rated = count(len(listed.ratings), "domain")
    _change(workbench, dict(listed.ratings), f"imported from {listed.name}", f"{rated} rated.")
    _drop(_LIST)


def _changes(workbench: Workbench) -> None:
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
                    button("Undo", f"domains_undo_{change.id}", "undo", run_action, PAGE,
                           partial(_undo, workbench, change.id), type="tertiary")  # fmt: skip
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
