"""Entering a passage by hand, and changing one."""

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import MAX_CHARS, Action, AddReport, Revision, cut
from ghost.text import Period
from ghost.types import NewPassage, Origin, Passage
from ghost.ui.knowledge import selection
from ghost.ui.shared import theme
from ghost.ui.shared.text import capitalized, count, plain, safe_url

if TYPE_CHECKING:
    from ghost.workbench import Workbench

LONGEST = 20_000
"""Characters that can be entered at once; they become as many passages as are needed."""
_FIELDS = ("text", "source_url", "title", "publisher", "published_at", "as_of", "topic", "language", "note")
_FILLED = "knowledge_form_filled"
"""What the form was filled with, and for which passage: only what differs from it was changed by the visitor."""


def open_form(passage_id: str) -> None:
    """Show the form, empty or with this passage; what was typed for the same one stays (a callback)."""
    if st.session_state.get(_FILLED, (None, {}))[0] != passage_id:
        _empty()
    st.query_params["form"] = "edit" if passage_id else "add"


def close_form() -> None:
    """Leave the form without keeping anything (a callback)."""
    st.query_params.pop("form", None)
    if not st.query_params:
        st.query_params["section"] = (
            "browse"  # an empty address would lead back to the form, where the visitor was last
        )
    st.session_state.pop(_FILLED, None)


def _empty() -> None:
    for name in _FIELDS:
        st.session_state.pop(f"knowledge_form_{name}", None)
    st.session_state.pop(_FILLED, None)


def add_form(workbench: "Workbench") -> None:
    """A new passage, or several out of a longer text."""
    with st.container(gap=None):
        theme.kicker("Knowledge base")
        st.title("Add a passage", anchor=False)
    st.markdown(
        "Text that a reader could look up, with its source. A longer text is cut into passages of one to three "
        "sentences. What is there already merges, and what reads like an order to an AI waits in quarantine."
    )
    # No form: its fields would be handed over with the button only, and what was typed would be lost on a page switch.
    with st.container(border=True, key="knowledge_form"):
        new = _inputs(None, LONGEST)
        sent = _buttons("Add")
    if sent:
        _add(workbench, new)


def edit_form(workbench: "Workbench", p: Passage) -> None:
    """Another text, or other facts about it. The old text stays in the history, and in the runs that used it.

    What the visitor left alone stays as it is now, also where it was changed elsewhere while the form was open.
    """
    st.caption("The old text stays in the history of the passage, and in the checks that used it.")
    with st.container(border=True, key="knowledge_form"):  # no form, as for a new passage
        new = _inputs(p, MAX_CHARS)
        sent = _buttons("Save")
    if sent:
        if problem := _no_period(new.as_of):
            st.warning(problem, icon=":material/edit_note:")
            return
        wanted = replace(Revision.of(p), **{name: getattr(new, name) for name in _touched()})
        try:
            change = workbench.knowledge.curation.revise(p.id, wanted, new.note)
        except GhostError as error:
            st.warning(plain(str(error)), icon=":material/edit_note:")
            return
        words = "The passage was changed." if change else "Nothing was changed."
        selection.notify_change(workbench, words, change.id if change else "")
        close_form()
        st.rerun()


def _inputs(p: Passage | None, longest: int) -> NewPassage:
    """The fields, filled with what is known; what the visitor has typed stays when the form is refused."""
    _fill(p)

    def key(name: str) -> str:
        return f"knowledge_form_{name}"

    text = st.text_area("Text", key=key("text"), height=160, max_chars=longest, persist_state="session")
    url = st.text_input(
        "Address of the source", key=key("source_url"), placeholder="https://…", max_chars=2_000,
        persist_state="session",
    )  # fmt: skip
    left, right = st.columns(2)
    title = left.text_input(
        "Title", key=key("title"), max_chars=500, help="Of the page or document.", persist_state="session"
    )
    publisher = right.text_input("Publisher", key=key("publisher"), max_chars=300, persist_state="session")
    columns = st.columns(4)
    published = columns[0].date_input(
        "Published", value=None, key=key("published_at"), min_value=date(1500, 1, 1), max_value=date(2200, 1, 1),
        format="YYYY-MM-DD", help="Leave it empty when it is not known.", persist_state="session",
    )  # fmt: skip
    as_of = columns[1].text_input(
        "Holds as of", key=key("as_of"), max_chars=10, placeholder="2024", persist_state="session",
        help="For what can change: the year, month or day for which it holds (2024, 2024-05, 2024-05-31).",
    )  # fmt: skip
    topic = columns[2].text_input("Topic", key=key("topic"), max_chars=80, persist_state="session")
    language = columns[3].text_input(
        "Language", key=key("language"), max_chars=16, help="Code, such as en or de.", persist_state="session"
    )
    note = st.text_input(
        "Note", key=key("note"), max_chars=300, help="Kept in the history of the passage.", persist_state="session"
    )
    return NewPassage(
        text=text or "",
        source_url=(url or "").strip(),
        title=title or "",
        publisher=publisher or "",
        topic=(topic or "").strip().lower(),
        language=language or "en",
        published_at=published,
        as_of=(as_of or "").strip(),
        note=(note or "").strip(),
    )


def _no_period(as_of: str) -> str:
    """What is wrong with the date for which the passage holds; empty when nothing is."""
    if as_of:
        try:
            Period.parse(as_of)
        except ValueError as error:
            return plain(f"Holds as of: {error}.")
    return ""


def _fill(p: Passage | None) -> None:
    """Fill the fields that have nothing yet, and remember with what."""
    whose = p.id if p else ""
    if st.session_state.get(_FILLED, (None, {}))[0] != whose:
        _empty()
    filled = st.session_state.setdefault(_FILLED, (whose, {}))[1]
    known = {name: getattr(p, name, "") if p else "" for name in _FIELDS} | {"language": p.language if p else "en"}
    for name, value in known.items():
        if f"knowledge_form_{name}" not in st.session_state:
            filled[name] = st.session_state[f"knowledge_form_{name}"] = (
                (value or None) if name == "published_at" else value
            )


def _touched() -> list[str]:
    """Fields of the passage that the visitor has changed."""
    filled = st.session_state[_FILLED][1]
    return [name for name in _FIELDS if name != "note" and st.session_state[f"knowledge_form_{name}"] != filled[name]]


def _buttons(word: str) -> bool:
    with st.container(horizontal=True):
        sent = st.button(
            word, key="knowledge_form_send", type="primary", icon=":material/check:", shortcut="Ctrl+Enter"
        )
        st.button("Cancel", key="knowledge_form_cancel", on_click=close_form)
    return sent


def _add(workbench: "Workbench", new: NewPassage) -> None:
    texts = cut(new.text)
    if not texts:
        st.warning("There is no text to add.", icon=":material/edit_note:")
        return
    if new.source_url and not safe_url(new.source_url):
        st.warning(
            "The address of the source must be a web address, such as https://www.nasa.gov/page, or left empty.",
            icon=":material/edit_note:",
        )
        return
    if problem := _no_period(new.as_of):
        st.warning(problem, icon=":material/edit_note:")
        return
    note = new.note or "added by hand"
    offered = [
        NewPassage(
            text, new.source_url, new.title, Origin.CURATED, language=new.language, publisher=new.publisher,
            topic=new.topic, published_at=new.published_at, as_of=new.as_of, note=note,
        )
        for text in texts
    ]  # fmt: skip
    try:
        report = workbench.knowledge.add(offered)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if report.refused == len(offered):
        st.warning(f"Nothing was added: {plain(report.outcomes[0].reason)}.", icon=":material/edit_note:")
        return
    selection.notify_change(workbench, _told(report), report.change, "check" if report.change else "info")
    close_form()
    if len(report.ids) == 1:
        st.query_params["passage"] = report.ids[0]
    st.rerun()


def _told(report: AddReport) -> str:
    words = [
        f"{count(number, 'passage')} {what}"
        for number, what in (
            (report.added, "added"),
            (report.merged, "merged with what was there"),
            (report.quarantined, "put into quarantine"),
            (report.refused, "refused"),
        )
        if number
    ]
    why = next((o.reason for o in report.outcomes if o.action is not Action.ADDED or o.reason), "")
    return f"{', '.join(words)}.{f' {capitalized(why)}.' if why else ''}"
