"""Section Seed facts: what a new knowledge base starts with, and writing the analyst's changes back to the file."""

from typing import TYPE_CHECKING

import streamlit as st

import seed_kb
from ghost.errors import GhostError
from ghost.knowledge.seed_facts import Difference, Draft, backup_of, diff, writable
from ghost.knowledge.values import PassageFilter
from ghost.types import Origin, Status
from ghost.ui import browse, deeds, theme
from ghost.ui.passage import open_passage
from ghost.ui.text import coloured, count, plain, shorten

if TYPE_CHECKING:
    from ghost.knowledge.base import KnowledgeBase
    from ghost.workbench import Workbench

SHOWN = 50
_KINDS = {
    "added": theme.Look("New", "add_circle", "green"),
    "changed": theme.Look("Changed", "edit", "blue"),
    "dropped": theme.Look("Left out", "remove_circle", "orange"),
}


def section(bench: "Workbench") -> None:
    """How many there are, what was made of them, and the file."""
    st.header("Seed facts", anchor=False)
    st.markdown(
        "What a new knowledge base starts with. Edit or retire them like any passage; any other passage can be made a "
        "seed fact on its page. What was retired does not come back."
    )
    knowledge = bench.knowledge
    with st.container(horizontal=True, key="knowledge_seed_links"):
        for status, word in ((Status.ACTIVE, "active"), (Status.RETIRED, "retired"), (Status.QUARANTINED, "waiting")):
            number = knowledge.count(PassageFilter(status=status, origin=Origin.SEED))
            st.button(
                f"{number:,} {word}", key=f"knowledge_seeds_{word}", icon=":material/search:", disabled=not number,
                on_click=browse.show, args=({"origin": Origin.SEED.value, "status": status.value},),
                help="Show them in the list",
            )  # fmt: skip
    st.subheader("The file", anchor=False)
    try:
        new = _draft(str(knowledge.database.path), knowledge.watermark(), _stamp(), knowledge)
    except (GhostError, OSError, UnicodeDecodeError) as error:
        st.error(f"seed_facts.jsonl cannot be read. {plain(str(error))}", icon=":material/error:")
        return
    _file(bench, new)


@st.cache_data(max_entries=4, show_spinner=False)
def _draft(database: str, watermark: int, stamp: int, _knowledge: "KnowledgeBase") -> Draft:
    """Made when the knowledge base or the file has changed."""
    del database, watermark, stamp
    return seed_kb.draft(_knowledge)


def _stamp() -> int:
    return seed_kb.path().stat().st_mtime_ns


def _file(bench: "Workbench", new: Draft) -> None:
    file = seed_kb.path()
    if new.unknown:
        said = "is one of them" if new.unknown == 1 else "are among them"
        st.caption(f"{count(new.unknown, 'fact')} of the file {said} that this knowledge base does not have: kept.")
    if not new.differences:
        st.success(
            f"seed_facts.jsonl and the knowledge base agree: {count(new.facts, 'fact')}.",
            icon=":material/check_circle:",
        )
    else:
        numbers = {kind: sum(d.kind == kind for d in new.differences) for kind in _KINDS}
        told = ", ".join(f"{n:,} {_KINDS[kind].word.lower()}" for kind, n in numbers.items() if n)
        st.markdown(f"**{count(len(new.differences), 'difference')}** to seed_facts.jsonl: {told}.")
        for number, each in enumerate(new.differences[:SHOWN]):
            _difference(number, each)
        if len(new.differences) > SHOWN:
            st.caption(f"And {len(new.differences) - SHOWN:,} more, in the file.")
        with st.expander("The difference, line by line", icon=":material/difference:", key="knowledge_seed_diff"):
            old = file.read_text(encoding="utf-8")
            st.code(shorten_lines(diff(old, new.text)), language="diff", wrap_lines=True)
    with st.container(horizontal=True):
        can = writable(file)
        st.button(
            "Write to seed_facts.jsonl", key="knowledge_seed_write", type="primary", icon=":material/save:",
            disabled=not new.differences or not can, on_click=_write, args=(bench, new),
            help="The old file is kept beside it as seed_facts.jsonl.bak." if can else "It cannot be written here.",
        )  # fmt: skip
        st.download_button(
            "Download the file", new.text, "seed_facts.jsonl", "application/jsonl", key="knowledge_seed_download",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
        if can and backup_of(file).exists():
            st.button(
                "Swap with the copy kept before", key="knowledge_seed_back", icon=":material/undo:",
                on_click=_take_back, args=(bench,), help="The present file becomes the copy.",
            )  # fmt: skip
    if not writable(file):
        st.caption(
            "The file cannot be written here: Ghost was not started from a folder of yours. Download it instead."
        )


def shorten_lines(text: str) -> str:
    """At most some hundred lines, so that the page stays quick."""
    lines = text.splitlines()
    return "\n".join([*lines[:400], f"… {len(lines) - 400:,} more lines"] if len(lines) > 400 else lines)


def _difference(number: int, each: Difference) -> None:
    look = _KINDS[each.kind]
    with st.container(border=True, gap="small", key=f"knowledge_seed_difference_{number}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"{look.badge} {coloured('gray', each.why)}", width="content")
            if each.passage_id:
                st.button(
                    "Details", key=f"knowledge_seed_open_{number}", type="tertiary", icon=":material/chevron_right:",
                    icon_position="right", on_click=open_passage, args=(each.passage_id,),
                )  # fmt: skip
        if each.old and each.old != each.new:
            st.markdown(f"In the file: {coloured('gray', shorten(each.old, 400))}")
        if each.new:
            st.markdown(f"{'Would be: ' if each.old else ''}{plain(shorten(each.new, 400))}")


def _write(bench: "Workbench", new: Draft) -> None:
    try:
        backup = seed_kb.write_back(bench.knowledge, new)
    except (GhostError, OSError) as error:
        deeds.say(str(error), "error")
    else:
        deeds.say(
            f"{count(new.facts, 'fact')} written to seed_facts.jsonl. The old file is kept as {backup.name}.", "check"
        )


def _take_back(bench: "Workbench") -> None:
    try:
        seed_kb.take_back(bench.knowledge)
    except (GhostError, OSError) as error:
        deeds.say(str(error), "error")
    else:
        deeds.say(
            "seed_facts.jsonl is again what it was before; the other one is kept as seed_facts.jsonl.bak.", "undo"
        )
