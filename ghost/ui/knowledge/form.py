"""The form that adds a passage or edits one."""

from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from ghost.errors import ClaimError
from ghost.knowledge import MAX_CHARS, Action, AddReport, Revision, cut
from ghost.text import Period
from ghost.types import Kind, NewPassage, Origin, Passage
from ghost.ui.knowledge.selection import notify_change
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button
from ghost.ui.shared.text import capitalized, count, safe_url
from ghost.web import declared_language

LONGEST = 20_000
"""Characters that can be entered at once; a long text becomes several passages."""
_FIELDS = ("kind", "text", "source_url", "title", "publisher", "published_at", "as_of", "topic", "language", "note")
_KINDS = {
    Kind.EXCERPT: "The exact words of a source; needs its address. Quoted, and marked as entered by hand.",
    Kind.NOTE: "Your own words, with or without a page to check them at. Cited as a note, never as a quotation.",
}
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


def kind_choice(key: str, label: str, now: Kind = Kind.EXCERPT) -> Kind:
    """The choice between an excerpt and a note; ``now`` is chosen at first."""
    return st.radio(
        label, list(_KINDS), list(_KINDS).index(now), key=key, format_func=lambda kind: kind.value.capitalize(),
        captions=list(_KINDS.values()), persist_state="session",
    )  # fmt: skip


def add_form(workbench: Workbench) -> None:
    """A new passage, or several from a longer text."""
    with st.container(gap=None):
        theme.kicker("Knowledge base")
        st.title("Add a passage", anchor=False)
    st.markdown(
        "Enter what a source says, or a note of your own. A longer text is split into passages of one to three "
        "sentences. Text that is already known is merged; text that looks like instructions to an AI is quarantined."
    )
    # Not st.form, which sends its fields with the button only: a page switch would lose what was typed.
    with st.container(border=True, key="knowledge_form"):
        new = _inputs(None, LONGEST)
        sent = _buttons("Add")
    if sent:
        with theme.errors_shown():
            _add(workbench, new)


def edit_form(workbench: Workbench, p: Passage) -> None:
    """Edit text and fields. Fields that were left alone keep their present value, also when another tab changed it."""
    st.caption("The old text stays in the history of the passage and in the checks that used it.")
    with st.container(border=True, key="knowledge_form"):  # not st.form, as for a new passage
        new = _inputs(p, MAX_CHARS)
        sent = _buttons("Save")
    if sent:
        with theme.errors_shown():
            _check(new)
            wanted = replace(Revision.of(p), **{name: getattr(new, name) for name in _touched()})
            change = workbench.knowledge.curation.revise(p.id, wanted, new.note)
            words = "The passage was changed." if change else "Nothing was changed."
            notify_change(workbench, words, change.id if change else "")
            close_form()
            st.rerun()


def _inputs(p: Passage | None, longest: int) -> NewPassage:
    """The fields, filled with the known values; what was typed stays when the form is refused."""
    _fill(p)

    def key(name: str) -> dict[str, Any]:
        return {"key": f"knowledge_form_{name}", "persist_state": "session"}

    kind = kind_choice("knowledge_form_kind", "Kind")
    text = st.text_area("Text", height=160, max_chars=longest, **key("text"))
    url = st.text_input("Address of the source", placeholder="https://…", max_chars=2_000, **key("source_url"))
    left, right = st.columns(2)
    title = left.text_input("Title", max_chars=500, help="Of the page or document.", **key("title"))
    publisher = right.text_input("Publisher", max_chars=300, **key("publisher"))
    columns = st.columns(4)
    published = columns[0].date_input(
        "Published", value=None, min_value=date(1500, 1, 1), max_value=date(2200, 1, 1), format="YYYY-MM-DD",
        help="Leave empty if unknown.", **key("published_at"),
    )  # fmt: skip
    as_of = columns[1].text_input(
        "Valid as of", max_chars=10, placeholder="2024", **key("as_of"),
        help="For facts that change: the year, month or day they are valid for (2024, 2024-05, 2024-05-31).",
    )  # fmt: skip
    topic = columns[2].text_input("Topic", max_chars=80, **key("topic"))
    language = columns[3].text_input("Language", max_chars=16, help="Code, such as en or de.", **key("language"))
    note = st.text_input("Note for the history (optional)", max_chars=300, **key("note"))
    return NewPassage(
        text or "", (url or "").strip(), title or "", Origin.CURATED, language=language or "en",
        publisher=publisher or "", topic=(topic or "").strip().lower(), published_at=published,
        as_of=(as_of or "").strip(), note=(note or "").strip(), kind=kind,
    )  # fmt: skip


def _check(new: NewPassage) -> None:
    if new.kind is Kind.EXCERPT and not new.source_url:
        raise ClaimError("An excerpt needs the address of its source. Enter it, or choose Note.")
    if not declared_language(new.language):
        raise ClaimError("Language: enter a code such as en or de-AT.")
    if new.as_of:
        try:
            Period.parse(new.as_of)
        except ValueError as error:
            raise ClaimError(f"Valid as of: {error}.") from error


def _fill(p: Passage | None) -> None:
    """Fill the fields that have no value yet, and remember these values."""
    whose = p.id if p else ""
    if st.session_state.get(_FILLED, (None, {}))[0] != whose:
        _empty()
    filled = st.session_state.setdefault(_FILLED, (whose, {}))[1]
    known = {name: getattr(p, name, "") if p else "" for name in _FIELDS} | {
        "language": p.language if p else "en", "kind": p.kind if p else Kind.EXCERPT,
    }  # fmt: skip
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
        sent = button(word, "knowledge_form_send", "check", type="primary", shortcut="Ctrl+Enter")
        button("Cancel", "knowledge_form_cancel", "", close_form)
    return sent


def _add(workbench: Workbench, new: NewPassage) -> None:
    texts = cut(new.text)
    if not texts:
        raise ClaimError("There is no text to add.")
    if new.source_url and not safe_url(new.source_url):
        raise ClaimError(
            "The address of the source must be a web address, such as https://www.nasa.gov/page, or left empty."
        )
    _check(new)
    report = workbench.knowledge.add([replace(new, text=text, note=new.note or "added by hand") for text in texts])
    if report.refused == len(texts):
        raise ClaimError(f"Nothing was added: {report.outcomes[0].reason}.")
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
