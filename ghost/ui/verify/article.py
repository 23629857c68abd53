"""An article on the page: the statements in it to select from, and the checks of those that were selected."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from ghost.errors import StoreError
from ghost.jobs import Runner
from ghost.records import Article, ArticleCheck, Sentence
from ghost.types import Claim, tidy_claim
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import shared_records
from ghost.ui.shared.text import count, link, plain, shorten
from ghost.ui.verify.article_checks import check_lines, checks_section
from ghost.ui.verify.form import scope_fields, web_switch
from ghost.ui.verify.visit import Entry, entry_of, new_claim_button

PAGE_SIZE = 20
MOST_AT_ONCE = 20
"""Checks that are started together at most: they wait for one another, and all later checks for them."""
WORDS = 600
CONTEXT_CHARS = 500
BY_WORTH, IN_ORDER = "Most worth checking first", "As in the article"


@dataclass
class Selection:
    """The sentences of an article that a visitor has selected, by position, and those whose words are being edited."""

    article: str
    chosen: set[int] = field(default_factory=set)
    editing: set[int] = field(default_factory=set)

    def key(self, what: str, position: int = 0) -> str:
        """Key of a widget of this article."""
        return f"verify_article_{what}_{self.article[:12]}_{position}"

    def statement(self, sentence: Sentence) -> str:
        """The words to check."""
        written = str(st.session_state.get(self.key("words", sentence.position)) or "")
        return written.strip() or sentence.statement

    def toggle(self, position: int) -> None:
        """Select or deselect a sentence, as its box now says."""
        self.chosen ^= {position}

    def select(self, positions: Iterable[int]) -> None:
        """These and no others."""
        self.chosen = set(positions)

    def edit(self, position: int) -> None:
        """Open the field for the words; a sentence whose words are changed is meant to be checked."""
        self.editing.add(position)
        self.chosen.add(position)

    def reset(self, position: int) -> None:
        """The words as they were listed."""
        self.editing.discard(position)
        st.session_state.pop(self.key("words", position), None)


def article_page(workbench: Workbench, runner: Runner, found: Article) -> None:
    """The page of one article. Raises StoreError where its checks cannot be read."""
    checks = workbench.articles.checks(found.id)
    lines = check_lines(workbench, runner, checks)
    _head(found)
    if lines:
        checks_section(workbench, runner, found, checks, lines)
    if found.checkable:
        _statements(workbench, runner, found, checks)
    else:
        st.info(
            "No sentence makes a claim that evidence could settle. The list below gives the reason for each.",
            icon=":material/lightbulb:",
        )
    _not_checkable(found)


def _head(found: Article) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"Article · {theme.moment(found.added_at)}")
        new_claim_button()
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


def _statements(workbench: Workbench, runner: Runner, found: Article, checks: dict[int, ArticleCheck]) -> None:
    """The list in a fragment of its own, since every box would draw the whole page again."""

    @st.fragment
    def listing() -> None:
        selection: Selection = st.session_state.setdefault(f"verify_selection_{found.id}", Selection(found.id))
        st.header("Statements", anchor="statements")
        listed = _controls(selection, found)
        if not listed:
            st.caption("No statement is rated that high. Move the slider to the left.")
        part = paging(selection.key("page"), len(listed), PAGE_SIZE)
        with st.container(border=True, key="verify_article_rows"):
            for sentence in listed[part.offset : part.offset + PAGE_SIZE]:
                _row(selection, sentence, sentence.position in checks)
        part.numbers()
        _start_form(workbench, runner, found, selection)

    listing()


def _controls(selection: Selection, found: Article) -> list[Sentence]:
    """Order, threshold and the buttons that select; returns what is listed."""
    left, right = st.columns(2, vertical_alignment="center", gap="large")
    order = left.segmented_control(
        "Order", [BY_WORTH, IN_ORDER], default=BY_WORTH, key=selection.key("order"), required=True,
        persist_state="session",
    )  # fmt: skip
    threshold = right.slider(
        "Minimum check-worthiness", 0.0, 1.0, 0.5, step=0.05, key=selection.key("threshold"), persist_state="session",
        help="How much a check of a sentence is worth, from 0 to 1, as a small model on this machine rates it: "
        "figures, events and actions rate high; feelings, announcements and small talk rate low.",
    )  # fmt: skip
    listed = [s for s in found.checkable if s.worth >= threshold - 1e-9]
    below = len(found.checkable) - len(listed)
    with st.container(horizontal=True, vertical_alignment="center"):
        button(
            f"Select all {len(listed)} above" if below else f"Select all {len(listed)}", selection.key("all"),
            "select_check_box", selection.select, [s.position for s in listed], disabled=not listed,
        )  # fmt: skip
        button(
            "Select none", selection.key("none"), "", selection.select, [], type="tertiary",
            disabled=not selection.chosen,
        )  # fmt: skip
        st.caption(f"{count(below, 'statement')} below {threshold:.2f} not listed" if below else "All are listed")
    return sorted(listed, key=lambda s: -s.worth) if order == BY_WORTH else listed


def _row(selection: Selection, sentence: Sentence, checked: bool) -> None:
    position, words = sentence.position, selection.statement(sentence)
    key = selection.key("pick", position)
    st.session_state[key] = position in selection.chosen  # other buttons change the selection too
    with st.container(gap=None, key=selection.key("row", position)):
        st.checkbox(
            plain(shorten(words, WORDS)), key=key, on_change=selection.toggle, args=(position,), width="stretch"
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":small[:blue[{theme.bar(sentence.worth)}] **{sentence.worth:.2f}** :gray[· sentence {position}]]",
                width="content",
            )
            if checked:
                st.markdown(theme.badge("Already checked", "history", "gray"))
            button(
                "Edit", selection.key("edit", position), "edit", selection.edit, position, type="tertiary",
                help=f"Change the words of sentence {position} before the check",
                disabled=position in selection.editing,
            )  # fmt: skip
        if position in selection.editing:
            field_key = selection.key("words", position)
            st.session_state.setdefault(field_key, sentence.statement)
            st.text_area(
                f"Words to check for sentence {position}", key=field_key, max_chars=WORDS, height=80,
                persist_state="session",
            )  # fmt: skip
            button("Reset", selection.key("original", position), "undo", selection.reset, position, type="tertiary")
        if words.rstrip(".") != sentence.text.rstrip("."):
            st.caption(f"In the article: {plain(shorten(sentence.text, WORDS))}")


def _start_form(workbench: Workbench, runner: Runner, found: Article, selection: Selection) -> None:
    chosen = [s for s in found.checkable if s.position in selection.chosen]
    too_many = len(chosen) > MOST_AT_ONCE
    with st.container(border=True, key="verify_article_start"):
        as_of, without, only = scope_fields("verify_article")
        with st.container(horizontal=True, vertical_alignment="center"):
            sent = button(
                f"Check {count(len(chosen), 'statement')}" if chosen else "Check", "verify_article_check", "fact_check",
                type="primary", disabled=not chosen or too_many,
            )  # fmt: skip
            web = web_switch(workbench)
        if too_many:
            st.caption(
                f":orange[:material/error:] {len(chosen)} are selected; at most {MOST_AT_ONCE} can be started at once."
            )
        elif not chosen:
            st.caption("Select the statements that matter. Each becomes a check with its own report.")
        st.caption(
            privacy_line(
                workbench.judge_info,
                workbench.search_recipients,
                pipeline=workbench.settings.pipeline,
                records=shared_records(workbench),
            )
        )
    if not sent:
        return
    longest = workbench.settings.max_claim_chars
    with theme.errors_shown():
        entry = entry_of("-", "", as_of, found.url, without, only, web)
        # All of them before the first is started: one that cannot be used must not leave half of them started.
        claims = {
            s.position: tidy_claim(
                Claim(selection.statement(s), _context(found, s, longest), as_of, found.url or None), longest
            )
            for s in chosen
        }
        _start(workbench, runner, found, selection, claims, entry)
        st.rerun()


def _start(
    workbench: Workbench, runner: Runner, found: Article, selection: Selection, claims: dict[int, Claim], entry: Entry
) -> None:
    """Start the checks; those that started are recorded and deselected, also when a later one is refused."""
    started: list[tuple[int, str, str]] = []
    try:
        for position, claim in claims.items():
            run_id = runner.start(claim, entry.options)
            started.append((position, run_id, claim.text))
    finally:
        positions = {position for position, _, _ in started}
        selection.chosen -= positions
        selection.editing -= positions
        if started:
            try:
                workbench.articles.checked(found.id, started)
            except StoreError as error:
                raise StoreError(
                    f"{count(len(started), 'check')} started, but the article cannot list them: {error} Find them "
                    "among the recent checks."
                ) from error


def _context(found: Article, sentence: Sentence, longest: int) -> str:
    """What a reader of the sentence alone would miss: the article's title, and the sentence before."""
    before = found.sentences[sentence.position - 2].text if sentence.position > 1 else ""
    return shorten(f"From the article “{found.title}”. {before}", min(CONTEXT_CHARS, longest))


def _not_checkable(found: Article) -> None:
    rest = [s for s in found.sentences if not s.statement]
    if not rest:
        return
    with st.expander(f"{count(len(rest), 'sentence')} that cannot be checked, and why", icon=":material/block:"):
        for sentence in rest[:100]:
            st.markdown(f"{sentence.position} · {plain(shorten(sentence.text, 240))}  \n:gray[{plain(sentence.why)}]")
        if len(rest) > 100:
            st.caption(f"and {len(rest) - 100:,} more")
