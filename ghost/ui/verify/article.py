"""An article on the page: the statements in it to pick from, and the checks of those that were picked."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import ClaimError, GhostError, StoreError
from ghost.jobs import Runner
from ghost.records import Article, ArticleCheck, Sentence
from ghost.types import Claim, tidy_claim
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, link, plain, shorten
from ghost.ui.verify.article_checks import checks_section
from ghost.ui.verify.article_picks import BY_WORTH, IN_ORDER, Picks, picks_of
from ghost.ui.verify.compose import scope_fields, web_switch
from ghost.ui.verify.draft import Entry, entered, new
from ghost.ui.verify.verdict import privacy_line

if TYPE_CHECKING:
    from ghost.workbench import Workbench

ON_A_PAGE = 20
AT_ONCE = 20
"""Checks that are started together at most: they wait for one another, and so would everybody else's."""
WORDS = 600
CONTEXT_CHARS = 500


def article(workbench: "Workbench", runner: Runner, article_id: str) -> None:
    """The page of one article; says so when there is none with this id."""
    try:
        found = workbench.articles.get(article_id)
        checks = workbench.articles.checks(found.id) if found else {}
    except StoreError as error:
        st.header("This article cannot be read now", icon=":material/error:", anchor=False)
        st.markdown(f"{plain(str(error))} Nothing was changed.")
        with st.container(horizontal=True):
            st.button("Try again", key="verify_retry", icon=":material/refresh:", type="primary")
            st.button("New claim", key="verify_new", icon=":material/add:", on_click=new)
        return
    if found is None:
        _unknown(article_id)
        return
    _head(found)
    if checks:
        checks_section(workbench, runner, found, checks)
    if not found.checkable:
        st.info(
            "No sentence in it says something that evidence could settle. The list below says why of each.",
            icon=":material/lightbulb:",
        )
    else:
        _pick(workbench, runner, found, checks)
    _left_out(found)


def _unknown(article_id: str) -> None:
    with st.container(width=720):
        st.header("This article is not here", icon=":material/search_off:", anchor=False)
        st.markdown(
            f"There is no article **{plain(shorten(article_id, 60))}** on this machine. The link may come from another "
            "machine, or the data folder has changed. Nothing was lost or changed."
        )
        st.button("Check a claim", key="verify_new", icon=":material/add:", type="primary", on_click=new)


def _head(found: Article) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"Article · {theme.moment(found.added_at)}")
        st.button("New claim", key="verify_new", icon=":material/add:", on_click=new)
    st.title(plain(found.title), anchor=False)
    facts = [plain(part) for part in (found.site, found.author) if part]
    if found.published_at:
        facts.append(f"published {theme.day(found.published_at)}")
    if found.url:
        facts.append(link(shorten(found.url, 80), found.url))
    facts.append(f"{count(len(found.sentences), 'sentence')}, {len(found.checkable)} can be checked")
    st.caption(" · ".join(facts))
    for note in found.notes:
        st.caption(f":orange[:material/content_cut:] {plain(note)}")


def _pick(workbench: "Workbench", runner: Runner, found: Article, checks: dict[int, ArticleCheck]) -> None:
    """The list in a fragment of its own, since every box would draw the whole page again."""

    @st.fragment
    def listing() -> None:
        picks = picks_of(found)
        st.header("Statements", anchor="statements")
        _order(picks)
        above = picks.above(found)
        below = len(found.checkable) - len(above)
        _select(picks, above, below)
        if not above:
            st.caption("Nothing is worth that much. Move the slider to the left.")
        last = max(1, -(-len(above) // ON_A_PAGE))
        picks.page = min(picks.page, last)
        with st.container(border=True, key="verify_article_rows"):
            for sentence in above[(picks.page - 1) * ON_A_PAGE : picks.page * ON_A_PAGE]:
                _row(picks, sentence, checks.get(sentence.position))
        if last > 1:
            _turn(picks, last)
        _start_form(workbench, runner, found, picks)

    listing()


def _order(picks: Picks) -> None:
    left, right = st.columns([1, 1], vertical_alignment="center", gap="large")
    with left:
        key = picks.key("order")
        st.session_state.setdefault(key, picks.order)
        picks.order = st.segmented_control("Order", [BY_WORTH, IN_ORDER], key=key, required=True) or BY_WORTH
    with right:
        key = picks.key("threshold")
        st.session_state.setdefault(key, picks.threshold)
        picks.threshold = st.slider(
            "Listed from this worth on", 0.0, 1.0, step=0.05, key=key,
            help="How much a check of a sentence is worth, from 0 to 1, as a small model on this machine rates it: "
            "figures, events and doings rate high; feelings, announcements and talk rate low.",
        )  # fmt: skip


def _select(picks: Picks, above: list[Sentence], below: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Select all {len(above)} above" if below else f"Select all {len(above)}",
            key=picks.key("all"), icon=":material/select_check_box:", disabled=not above,
            on_click=picks.take, args=([s.position for s in above],),
        )  # fmt: skip
        st.button(
            "Select none", key=picks.key("none"), type="tertiary", disabled=not picks.chosen,
            on_click=picks.take, args=([],),
        )  # fmt: skip
        st.caption(f"{count(below, 'statement')} below {picks.threshold:.2f} not listed" if below else "All are listed")


def _row(picks: Picks, sentence: Sentence, check: ArticleCheck | None) -> None:
    position, said = sentence.position, picks.statement(sentence)
    key = picks.key("pick", position)
    st.session_state[key] = position in picks.chosen  # the picks decide: they are also changed by other buttons
    with st.container(gap=None, key=picks.key("row", position)):
        st.checkbox(plain(shorten(said, WORDS)), key=key, on_change=picks.toggle, args=(position,), width="stretch")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":small[:blue[{theme.bar(sentence.worth)}] **{sentence.worth:.2f}** :gray[· sentence {position}]]",
                width="content",
            )
            if check:
                st.markdown(theme.badge("Picked before", "history", "gray"))
            st.button(
                "Edit", key=picks.key("edit", position), icon=":material/edit:", type="tertiary",
                help=f"Change the words of sentence {position} before the check",
                on_click=picks.edit, args=(position,), disabled=position in picks.editing,
            )  # fmt: skip
        if position in picks.editing:
            _words(picks, sentence)
        if said.rstrip(".") != sentence.text.rstrip("."):
            st.caption(f"In the article: {plain(shorten(sentence.text, WORDS))}")


def _words(picks: Picks, sentence: Sentence) -> None:
    position = sentence.position
    key = picks.key("words", position)
    st.session_state.setdefault(key, picks.statement(sentence))
    st.text_area(
        f"Words to check for sentence {position}", key=key, max_chars=WORDS, height=80, on_change=picks.reword,
        args=(position,),
    )  # fmt: skip
    st.button(
        "As listed", key=picks.key("original", position), icon=":material/undo:", type="tertiary",
        on_click=_original, args=(picks, position),
    )  # fmt: skip


def _original(picks: Picks, position: int) -> None:
    picks.original(position)
    st.session_state.pop(picks.key("words", position), None)


def _turn(picks: Picks, last: int) -> None:
    def turn(by: int) -> None:
        picks.page += by

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Previous", key=picks.key("previous"), icon=":material/chevron_left:", disabled=picks.page <= 1,
            on_click=turn, args=(-1,),
        )  # fmt: skip
        st.caption(f"Page {picks.page} of {last}")
        st.button(
            "Next", key=picks.key("next"), icon=":material/chevron_right:", disabled=picks.page >= last,
            on_click=turn, args=(1,),
        )  # fmt: skip


def _start_form(workbench: "Workbench", runner: Runner, found: Article, picks: Picks) -> None:
    chosen = [s for s in found.checkable if s.position in picks.chosen]
    with st.container(border=True, key="verify_article_start"):
        as_of, without, only = scope_fields("verify_article")
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = st.button(
                f"Check {count(len(chosen), 'statement')}" if chosen else "Check",
                key="verify_article_check", type="primary", icon=":material/fact_check:",
                disabled=not chosen or len(chosen) > AT_ONCE,
            )  # fmt: skip
            web = web_switch(workbench, "verify_web")
        if len(chosen) > AT_ONCE:
            st.caption(f":orange[:material/error:] {len(chosen)} are picked; at most {AT_ONCE} are started at once.")
        elif not chosen:
            st.caption("Pick the statements that matter; each becomes a check of its own with its own report.")
        st.caption(privacy_line(workbench.judge_info, workbench.search_recipients))
    if not sent:
        return
    longest = workbench.settings.max_claim_chars
    try:
        entry = entered("-", "", as_of, found.url, without, only, web)
        # All of them before the first is started: one that cannot be used must not leave the others half begun.
        claims = {
            s.position: tidy_claim(
                Claim(picks.statement(s), _context(found, s, longest), as_of, found.url or None), longest
            )
            for s in chosen
        }
        _start(workbench, runner, found, picks, claims, entry)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        st.rerun()


def _start(
    workbench: "Workbench", runner: Runner, found: Article, picks: Picks, claims: dict[int, Claim], entry: Entry
) -> None:
    """Begin the checks; what was begun is recorded and picked no more, also when a later one is refused."""
    started: list[tuple[int, str, str]] = []
    try:
        for position, claim in claims.items():
            run_id = runner.start(claim, entry.web, entry.allowed, entry.denied)
            started.append((position, run_id, claim.text))
    finally:
        picks.begun(position for position, _, _ in started)
        if started:
            _record(workbench, found, started)


def _record(workbench: "Workbench", found: Article, started: list[tuple[int, str, str]]) -> None:
    try:
        workbench.articles.checked(found.id, started)
    except StoreError as error:
        raise StoreError(
            f"{count(len(started), 'check')} began, but the article cannot list them: {error} Find them among the "
            "recent checks."
        ) from error


def _context(found: Article, sentence: Sentence, longest: int) -> str:
    """What a reader of the sentence alone would miss: the article's title, and the sentence before."""
    before = found.sentences[sentence.position - 2].text if sentence.position > 1 else ""
    return shorten(f"From the article “{found.title}”. {before}", min(CONTEXT_CHARS, longest))


def _left_out(found: Article) -> None:
    rest = [s for s in found.sentences if not s.statement]
    if not rest:
        return
    with st.expander(f"{count(len(rest), 'sentence')} that cannot be checked, and why", icon=":material/block:"):
        for sentence in rest[:100]:
            st.markdown(f"{sentence.position} · {plain(shorten(sentence.text, 240))}  \n:gray[{plain(sentence.why)}]")
        if len(rest) > 100:
            st.caption(f"and {len(rest) - 100:,} more")
