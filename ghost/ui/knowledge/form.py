"""The form that adds a passage or edits one."""

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import MAX_CHARS, Action, AddReport, Revision, cut
from ghost.text import Period
from ghost.types import NewPassage, Origin, Passage
from ghost.ui.knowledge.selection import notify_change
from ghost.ui.shared import theme
from ghost.ui.shared.text import capitalized, count, plain, safe_url

if TYPE_CHECKING:
    from ghost.workbench import Workbench

LONGEST = 20_000
"""Characters that can be entered at once; a long text becomes several passages."""
_FIELDS = ("text", "source_url", "title", "publisher", "published_at", "as_of", "topic", "language", "note")
_FILLED = "knowledge_form_filled"
"""The passage of the form and its initial values; only fields that differ from them were edited."""


def open_form(passage_id: str) -> None:
    """Show the form, empty or with this passage; what was typed for the same passage stays. For callbacks."""
    if st.session_state.get(_FILLED, (None, {}))[0] != passage_id:
        _empty()
    st.query_params["form"] = "edit" if passage_id else "add"


def close_form() -> None:
    """Leave the form and forget what was typed. For callbacks."""
    st.query_params.pop("form", None)
    if not st.query_params:
        st.query_params["section"] = "browse"  # an empty address would reopen the form as the last view
    st.session_state.pop(_FILLED, None)


def _empty() -> None:
    for name in _FIELDS:
        st.session_state.pop(f"knowledge_form_{name}", None)
    st.session_state.pop(_FILLED, None)


def add_form(workbench: "Workbench") -> None:
    """A new passage, or several from a longer text."""
    with st.container(gap=None):
        theme.kicker("Knowledge base")
        st.title("Add a passage", anchor=False)
    st.markdown(
        "Enter text that a reader could look up, with its source. A longer text is split into passages of one to three "
        "sentences. Known text is merged, and text that looks like instructions to an AI goes to quarantine."
    )
    # Not st.form, which sends its fields with the button only: a page switch would lose what was typed.
    with st.container(border=True, key="knowledge_form"):
        new = _inputs(None, LONGEST)
        sent = _buttons("Add")
    if sent:
        _add(workbench, new)


def edit_form(workbench: "Workbench", p: Passage) -> None:
    """Edit text and fields. Fields that were left alone keep their present value, also when another tab changed it."""
    st.caption("The old text stays in the history of the passage and in the checks that used it.")
    with st.container(border=True, key="knowledge_form"):  # not st.form, as for a new passage
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
        notify_change(
            workbench, "The passage was changed." if change else "Nothing was changed.", change.id if change else ""
        )
        close_form()
        st.rerun()


def _inputs(p: Passage | None, longest: int) -> NewPassage:
    """The fields, filled with the known values; what was typed stays when the form is refused."""
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
        format="YYYY-MM-DD", help="Leave empty if unknown.", persist_state="session",
    )  # fmt: skip
    as_of = columns[1].text_input(
        "Valid as of", key=key("as_of"), max_chars=10, placeholder="2024", persist_state="session",
        help="For facts that change: the year, month or day they are valid for (2024, 2024-05, 2024-05-31).",
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
    """What is wrong with the as-of date; empty when nothing is."""
    if as_of:
        try:
            Period.parse(as_of)
        except ValueError as error:
            return plain(f"Valid as of: {error}.")
    return ""


def _fill(p: Passage | None) -> None:
    """Fill the fields that have no value yet, and remember these values."""
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
    """Fields of the passage that were edited."""
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
    notify_change(workbench, added_text(report), report.change, "check" if report.change else "info")
    close_form()
    if len(report.ids) == 1:
        st.query_params["passage"] = report.ids[0]
    st.rerun()


def added_text(report: AddReport) -> str:
    """How many passages were added, merged, quarantined or refused, and why."""
    words = [
        f"{count(number, 'passage')} {what}"
        for number, what in (
            (report.added, "added"),
            (report.merged, "merged with known text"),
            (report.quarantined, "put into quarantine"),
            (report.refused, "refused"),
        )
        if number
    ]
    why = next((o.reason for o in report.outcomes if o.action is not Action.ADDED or o.reason), "")
    return f"{', '.join(words)}.{f' {capitalized(why)}.' if why else ''}"
