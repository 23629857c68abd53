"""Domains: how far each source is believed, what another rating would change, and lists of ratings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.jobs import Task
from ghost.knowledge import MAX_RATINGS, RatingEffect, RatingsFile, rating_of, read_ratings, write_ratings
from ghost.records import DomainRating, RatingChange
from ghost.text import redacted, safe_cell
from ghost.types import SourceType
from ghost.ui.knowledge.rating_effect import draw_effect, score
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import clean, count, plain, shorten

if TYPE_CHECKING:
    from ghost.knowledge import KnowledgeBase
    from ghost.workbench import Workbench

LISTED = 200
"""Domains of the knowledge base in the table."""
CHANGES_SHOWN = 10
OWN_SHOWN = 25
FRESH_SECONDS = 5.0
_BASES = {"yours": "you", "settings": "settings", "unrated": "nobody"}
_DRAFT, _LIST, _SAID = "domains_draft", "domains_list", "domains_said"
_WORK = "domains_work"
QUICK_SECONDS, POLL_SECONDS = 0.6, 0.5


@dataclass(frozen=True, slots=True)
class Work:
    """What is done with a list of ratings in the background."""

    kind: str
    """``reading`` it, or ``rating`` the domains."""
    task: Task[Any]
    words: str = ""
    """What is said when it has succeeded."""


def section(workbench: "Workbench") -> None:
    """Rate one domain, see all, import a list, and undo."""
    st.header("How far sources are believed", anchor=False)
    st.markdown(
        "Credibility belongs to a domain and counts whenever evidence is weighed. Your ratings go before those of the "
        "settings; of several that fit, the longest wins. Runs keep the values they were made with."
    )
    _settle()
    _banner(workbench)
    left, right = st.columns(2, gap="large")
    with left:
        _rate(workbench)
    with right:
        _known(workbench)
    _yours(workbench)
    _lists(workbench)
    _changes(workbench)


def _say(words: str, change_id: str = "", failed: bool = False) -> None:
    st.session_state[_SAID] = (words, change_id, failed)


def _banner(workbench: "Workbench") -> None:
    """What was just done, with a way back."""
    said = st.session_state.get(_SAID)
    if not said:
        return
    words, change_id, failed = said
    mark = ":red[:material/error:]" if failed else ":green[:material/check:]"
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="domains_banner"):
        st.markdown(f"{mark} {words}", width="content")
        if change_id:
            st.button(
                "Undo", key="domains_undo_last", icon=":material/undo:", on_click=_undo, args=(workbench, change_id)
            )
        st.button("Close", key="domains_close", type="tertiary", icon=":material/close:",
                  on_click=lambda: st.session_state.pop(_SAID, None))  # fmt: skip


def _rate(workbench: "Workbench") -> None:
    st.session_state.setdefault("domains_score", 0.5)
    asked = st.query_params.get("rate", "")
    if asked and st.session_state.get("domains_asked") != asked:
        st.session_state["domains_asked"] = asked
        _pick(workbench, clean(asked)[:255])
    with st.container(border=True, key="domains_rate"):
        st.subheader("Rate a domain", anchor=False)
        # No form: its fields would be handed over with the button only, and be lost when another page is looked at.
        with st.container(key="domains_form"):
            written = st.text_input(
                "Domain or address", key="domains_entry", placeholder="example.org, or example.org/opinion",
                max_chars=500, persist_state="session",
                help="It also covers what is below it: example.org covers news.example.org.",
            )  # fmt: skip
            value = st.slider(
                "Credibility", 0.0, 1.0, step=0.05, key="domains_score", persist_state="session",
                help="0: not to be believed at all. 0.5: unknown. 1: beyond doubt. Below GHOST_MIN_CREDIBILITY, what a "
                "run fetches from there waits in quarantine.",
            )  # fmt: skip
            kind = st.selectbox(
                "Kind of source", list(SourceType), index=None, key="domains_kind", persist_state="session",
                placeholder="As Ghost knows it", format_func=lambda k: theme.SOURCE_TYPES[k].capitalize(),
            )  # fmt: skip
            reason = st.text_input(
                "Reason", key="domains_reason", placeholder="Why? It is kept with the rating.", max_chars=500,
                persist_state="session",
            )  # fmt: skip
            sent = st.button("Show what it changes", key="domains_show", icon=":material/visibility:", type="primary",
                             shortcut="Ctrl+Enter")  # fmt: skip
        if sent:
            _draft(workbench, written or "", value, kind, reason or "")
        if draft := st.session_state.get(_DRAFT):
            _decide(workbench, *draft)


def _draft(workbench: "Workbench", written: str, value: float, kind: SourceType | None, reason: str) -> None:
    """Looked up once: with many passages that takes a moment, and the next clicks must not."""
    try:
        rating = rating_of(clean(written), value, kind, clean(reason))
        with st.spinner("Looking which passages and verdicts that concerns"):
            st.session_state[_DRAFT] = (rating, workbench.ratings.effect({rating.entry: rating}))
    except ClaimError as error:
        st.session_state.pop(_DRAFT, None)
        st.warning(plain(str(error)), icon=":material/edit_note:")


def _decide(workbench: "Workbench", draft: DomainRating, effect: RatingEffect) -> None:
    book = workbench.knowledge.book
    now = theme.stars(book.credibility(draft.entry), book.rated(draft.entry))
    then = theme.stars(draft.credibility)
    st.markdown(f"**{plain(draft.entry)}** {now} :material/arrow_forward: {then}")
    kind = theme.SOURCE_TYPES[draft.source_type].capitalize() if draft.source_type else "as Ghost knows it"
    st.caption(f"Kind of source: {kind} · Reason: {plain(shorten(draft.note, 160)) or 'none given'}")
    draw_effect(effect)
    done = f"{plain(draft.entry)} is rated {draft.credibility:.2f}."
    with st.container(horizontal=True):
        st.button("Apply", key="domains_apply", type="primary", icon=":material/check:", on_click=_apply,
                  args=(workbench, {draft.entry: draft}, draft.note, done))  # fmt: skip
        st.button("Leave it", key="domains_leave", icon=":material/close:",
                  on_click=lambda: st.session_state.pop(_DRAFT, None))  # fmt: skip


def _apply(workbench: "Workbench", ratings: dict[str, DomainRating | None], reason: str, words: str) -> None:
    try:
        change_id = workbench.ratings.change(ratings, reason)
    except GhostError as error:
        _say(plain(str(error)), failed=True)
        return
    _say(words if change_id else "Nothing was changed: it was rated so already.", change_id)
    st.session_state.pop(_DRAFT, None)
    st.session_state.pop(_LIST, None)


def _undo(workbench: "Workbench", change_id: str) -> None:
    try:
        stayed = workbench.ratings.undo(change_id)
        more = f" Rated again since, and left as they are: {plain(', '.join(stayed[:5]))}." if stayed else ""
        _say(f"The ratings are as before.{more}")
    except GhostError as error:
        _say(plain(str(error)), failed=True)


def _known(workbench: "Workbench") -> None:
    """The most frequent domains of the knowledge base; a click takes one over into the form."""
    st.subheader("Domains of your passages", anchor=False)
    book = workbench.knowledge.book
    found = _frequent(str(workbench.settings.database_path), workbench.knowledge)
    words = clean(st.text_input("Find a domain", key="domains_find", placeholder="nasa", persist_state="session") or "")
    rows = [(domain, n) for domain, n in found if words.lower() in domain]
    if not rows:
        st.info("No active passage is from such a domain." if words else "No active passage has an address yet.",
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
            f"Rate {plain(domain)}",
            key="domains_pick",
            icon=":material/edit:",
            on_click=_pick,
            args=(workbench, domain),
        )
    else:
        st.caption("Select a row to rate its domain. Pages and hosts below it can be rated apart.")


def _pick(workbench: "Workbench", domain: str) -> None:
    """Take a domain into the form with what is known of it now, and with nothing of the domain before it."""
    try:
        own = workbench.ratings.all().get(domain)
    except GhostError as error:
        _say(plain(str(error)), failed=True)
        return
    st.session_state["domains_kind"] = own.source_type if own else None
    st.session_state["domains_reason"] = own.note if own else ""
    st.session_state["domains_entry"] = domain
    st.session_state["domains_score"] = round(workbench.knowledge.book.credibility(domain) * 20) / 20
    st.session_state.pop(_DRAFT, None)


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner=False)
def _frequent(database: str, _knowledge: "KnowledgeBase") -> tuple[tuple[str, int], ...]:
    del database
    return _knowledge.stats(LISTED).domains


def _yours(workbench: "Workbench") -> None:
    ratings = workbench.ratings.all()
    st.subheader("Your ratings", anchor=False)
    if not ratings:
        st.caption("You have rated no domain yet: the table of the settings counts (GHOST_SOURCE_CREDIBILITY).")
        return
    part = paging("domains_own_page", len(ratings), OWN_SHOWN)
    for rating in list(ratings.values())[part.offset : part.offset + OWN_SHOWN]:
        with st.container(border=True, horizontal=True, vertical_alignment="center",
                          horizontal_alignment="distribute", key=f"domains_own_{rating.entry}"):  # fmt: skip
            kind = f" · {theme.SOURCE_TYPES[rating.source_type]}" if rating.source_type else ""
            note = f" · {plain(shorten(rating.note, 160))}" if rating.note else ""
            st.markdown(f"**{plain(rating.entry)}** {theme.stars(rating.credibility)}{kind}{note}", width="content")
            st.button("Take back", key=f"domains_remove_{rating.entry}", icon=":material/remove_circle_outline:",
                      on_click=_apply, args=(workbench, {rating.entry: None}, "taken back",
                                             f"{plain(rating.entry)} is rated by the settings again."))  # fmt: skip
    part.numbers()
    st.download_button(
        "Download your ratings", lambda: b"".join(write_ratings(workbench.ratings.all().values())),
        "ghost-domain-ratings.csv", "text/csv", key="domains_download", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _lists(workbench: "Workbench") -> None:
    st.subheader("A list of ratings", anchor=False)
    with st.container(border=True, key="domains_list_card"):
        if work := st.session_state.get(_WORK):
            _wait(work)
            return
        found: tuple[RatingsFile, RatingEffect] | str | None = st.session_state.get(_LIST)
        if isinstance(found, tuple):
            _decide_list(workbench, *found)
            return
        if found:
            st.error(plain(found), icon=":material/error:")
        number = st.session_state.setdefault("domains_file_number", 0)
        st.file_uploader(
            f"CSV or JSON Lines with domain, score (0 to 1), type and note; up to {MAX_RATINGS:,} rows",
            key=f"domains_file_{number}", max_upload_size=10, on_change=_uploaded,
            args=(workbench, f"domains_file_{number}"),
        )  # fmt: skip


def _uploaded(workbench: "Workbench", key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    body, name = file.getvalue(), clean(file.name)[:200]
    _begin(Work("reading", Task(lambda task: _read(workbench, body, name, task))))
    st.session_state["domains_file_number"] += 1


def _read(workbench: "Workbench", body: bytes, name: str, task: Task[Any]) -> tuple[RatingsFile, RatingEffect]:
    task.report("Reading the list")
    found = read_ratings(body, name)

    def looked(passages: int) -> None:
        task.report(f"Looking which passages that concerns: {passages:,} so far")

    task.report("Looking which passages that concerns")
    return found, workbench.ratings.effect(dict(found.ratings), looked)


def _apply_list(workbench: "Workbench", ratings: dict[str, DomainRating | None], reason: str, words: str) -> None:
    _begin(Work("rating", Task(lambda _: workbench.ratings.change(ratings, reason)), words))


def _begin(work: Work) -> None:
    """In a callback: what is quick is done when the page is drawn."""
    work.task.wait(QUICK_SECONDS)
    st.session_state[_WORK] = work


def _settle() -> None:
    """Take over what the work with a list has come to, once it has ended."""
    work: Work | None = st.session_state.get(_WORK)
    if work is None or not work.task.ended:
        return
    del st.session_state[_WORK]
    error = work.task.error
    if error is not None and not isinstance(error, GhostError):
        error = GhostError(f"Nothing was done: unexpected {type(error).__name__}: {redacted(str(error))}")
    if isinstance(error, Cancelled):
        _say("The list was left. Nothing was changed.")
    elif work.kind == "reading":
        st.session_state[_LIST] = str(error) if error else work.task.result()
    elif error:
        _say(plain(str(error)), failed=True)
    else:
        change_id = work.task.result()
        _say(work.words if change_id else "Nothing was changed: it was rated so already.", change_id)
        st.session_state.pop(_DRAFT, None)
        st.session_state.pop(_LIST, None)


def _wait(work: Work) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def watch() -> None:
        task = work.task
        if task.ended:
            st.rerun()
        if work.kind == "rating":
            # Not stopped half-way: either all of the list counts or nothing of it.
            st.markdown(":blue[:material/progress_activity:] The domains are rated, all together …")
            return
        words = task.progress.what or "Reading the list"
        st.markdown(f":blue[:material/progress_activity:] {plain(words)} …")
        st.button(
            "Stopping …" if task.cancelled() else "Cancel", key="domains_cancel", icon=":material/stop_circle:",
            disabled=task.cancelled(), on_click=task.cancel,
        )  # fmt: skip

    watch()


def _decide_list(workbench: "Workbench", found: RatingsFile, effect: RatingEffect) -> None:
    theme.kicker("Nothing is changed yet")
    st.markdown(f"**{plain(shorten(found.name, 100))}** · {count(len(found.ratings), 'domain')} rated")
    for note in found.notes:
        st.warning(plain(note), icon=":material/info:")
    ratings: dict[str, DomainRating | None] = dict(found.ratings)
    if ratings:
        draw_effect(effect)
    if found.problems:
        st.dataframe(
            [{"Row": p.row, "Field": p.field, "What is wrong": p.problem, "It says": safe_cell(shorten(p.value, 80))}
             for p in found.problems[:200]],
            hide_index=True, key="domains_list_problems",
        )  # fmt: skip
    with st.container(horizontal=True):
        st.button(
            f"Rate {count(len(ratings), 'domain')}" if ratings else "No row can be used", key="domains_list_apply",
            type="primary", icon=":material/check:", disabled=not ratings,
            on_click=_apply_list,
            args=(workbench, ratings, f"imported from {found.name}", f"{count(len(ratings), 'domain')} rated."),
        )  # fmt: skip
        st.button("Leave it", key="domains_list_leave", icon=":material/close:",
                  on_click=lambda: st.session_state.pop(_LIST, None))  # fmt: skip


def _changes(workbench: "Workbench") -> None:
    part = paging("domains_changes_page", workbench.ratings.count_changes(), CHANGES_SHOWN)
    changes = workbench.ratings.changes(CHANGES_SHOWN, part.offset)
    if not changes:
        return
    with st.expander("What was changed", icon=":material/history:", type="compact"):
        for change in changes:
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(_told(change), width="content")
                if change.undone_at:
                    st.caption(f"undone {theme.moment(change.undone_at)}", width="content")
                else:
                    st.button("Undo", key=f"domains_undo_{change.id}", icon=":material/undo:", type="tertiary",
                              on_click=_undo, args=(workbench, change.id))  # fmt: skip
        part.numbers()


def _told(change: RatingChange) -> str:
    parts = [f"{plain(entry)} {score(before)} :material/arrow_forward: {score(after)}"
             for entry, before, after in change.entries[:3]]  # fmt: skip
    more = change.count - len(parts)
    words = ", ".join(parts) + (f" and {more:,} more" if more > 0 else "")
    reason = f": {plain(shorten(change.reason, 160))}" if change.reason else ""
    return f"{theme.moment(change.at)} · {words}{reason}"
