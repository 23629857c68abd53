"""Section Starter library: the packs, their switches, and writing changes back to their files."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

import seed_kb
from config import INSTALLED
from ghost.errors import GhostError
from ghost.knowledge import (
    Difference,
    Draft,
    KnowledgeBase,
    Pack,
    PassageFilter,
    SwitchedBy,
    backup_path,
    is_writable,
    pack_title,
    stored_passages,
    switched_off,
)
from ghost.types import Origin, Status
from ghost.ui.knowledge.browse import show
from ghost.ui.knowledge.note_check import HELP, WORDS, start_check
from ghost.ui.knowledge.selection import PAGE, notify_change, open_passage, run_later, summary
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify_error
from ghost.ui.shared.parts import Workbench, button, details_button, download
from ghost.ui.shared.text import coloured, count, plain, shorten

SHOWN = 50
_KINDS = {
    "added": theme.Badge("New", "add_circle", "green"),
    "changed": theme.Badge("Changed", "edit", "blue"),
    "dropped": theme.Badge("Removed", "remove_circle", "orange"),
}


def section(workbench: Workbench) -> None:
    """The packs with their switches, the number of facts, and what differs from the files."""
    st.header("Starter library", anchor=False)
    st.markdown(
        "The facts that a new knowledge base starts with, in packs by topic. Edit or retire them like any passage, and "
        "add others from their own page. Retired facts do not come back."
    )
    knowledge = workbench.knowledge
    with st.container(horizontal=True, key="knowledge_seed_links"):
        for status, word in ((Status.ACTIVE, "active"), (Status.RETIRED, "retired"), (Status.QUARANTINED, "waiting")):
            number = knowledge.count(PassageFilter(status=status, origin=Origin.SEED))
            button(f"{number:,} {word}", f"knowledge_seeds_{word}", "search", show,
                   {"origin": Origin.SEED.value, "status": status.value}, disabled=not number,
                   help="Show in the list")  # fmt: skip
    try:
        stamp = tuple(sorted((path.name, path.stat().st_mtime_ns) for path in seed_kb.FOLDER.glob("*.jsonl")))
        packs, off = _packs(stamp), switched_off(knowledge)
        _list(workbench, packs, off)
        made = _drafts(knowledge.database.name, knowledge.watermark(), stamp, tuple(off), knowledge)
    except (GhostError, OSError) as error:
        st.error(f"The packs cannot be read. {plain(str(error))}", icon=":material/error:")
        return
    _files(workbench, made)


@st.cache_data(max_entries=2, show_spinner=False)
def _packs(stamp: object) -> tuple[Pack, ...]:
    """Read again when a file has changed."""
    del stamp
    return seed_kb.packs()


@st.cache_data(max_entries=4, show_spinner="Comparing the packs with the knowledge base")
def _drafts(
    database: str, watermark: int, stamp: object, off: tuple[str, ...], _knowledge: KnowledgeBase
) -> dict[str, Draft]:
    """Made again when the knowledge base, a file or a switch has changed."""
    del database, watermark, stamp, off
    return seed_kb.drafts(_knowledge)


def _list(workbench: Workbench, packs: Sequence[Pack], off: Mapping[str, SwitchedBy]) -> None:
    st.subheader(f"Packs ({len(packs):,})", anchor=False)
    with st.container(border=True, gap="small", key="knowledge_packs"):
        for pack in packs:
            fixed = pack.name in workbench.settings.packs_off
            key = f"knowledge_pack_{pack.name}"
            st.session_state[key] = pack.name not in off
            with st.container(horizontal=True, vertical_alignment="center", key=f"knowledge_pack_row_{pack.name}"):
                st.toggle(
                    plain(pack.title), key=key, disabled=fixed, on_change=_ask, args=(workbench, pack.name),
                    help="GHOST_PACKS_OFF turns it off: change the setting to turn it on." if fixed else None,
                    width="stretch",
                )  # fmt: skip
                name = pack.path.name.replace("`", "'")
                st.caption(f"`{name}` · {count(len(pack.facts), 'fact')}", width="content")
                button(WORDS, f"knowledge_pack_check_{pack.name}", "fact_check", _check, workbench, pack, help=HELP,
                       type="tertiary", disabled=pack.name in off)  # fmt: skip
    st.caption(
        "Turning a pack off retires its facts, except those you have edited. Turning it on restores exactly those."
    )


def _check(workbench: Workbench, pack: Pack) -> None:
    notes = [p for p in stored_passages(workbench.knowledge, pack.facts) if p and p.status is Status.ACTIVE]
    start_check(workbench, notes)


def _ask(workbench: Workbench, name: str) -> None:
    on = bool(st.session_state[f"knowledge_pack_{name}"])
    words = f"Turning {plain(pack_title(name))} {'on' if on else 'off'}"
    run_later(words, partial(_switch, workbench, name, on))


def _switch(workbench: Workbench, name: str, on: bool) -> None:
    change = (seed_kb.switch_on if on else seed_kb.switch_off)(workbench.knowledge, name)
    text = f"The pack {pack_title(name)} is {'on' if on else 'off'}."
    notify_change(workbench, f"{text} {summary(change)}" if change else text, change.id if change else "")


def _files(workbench: Workbench, made: Mapping[str, Draft]) -> None:
    st.subheader("Files", anchor=False)
    if not made:
        st.info("All packs are off.", icon=":material/toggle_off:")
        return
    names = sorted(made, key=lambda name: not made[name].differences)
    if not made[names[0]].differences:
        facts = count(sum(d.facts for d in made.values()), "fact")
        st.success(f"The files and the knowledge base agree: {facts}.", icon=":material/check_circle:")

    def words(name: str) -> str:
        number = len(made[name].differences)
        return pack_title(name) + (f" ({count(number, 'difference')})" if number else "")

    if st.session_state.get("knowledge_pack_file") not in names:
        st.session_state["knowledge_pack_file"] = names[0]
    name = st.selectbox("Pack", names, key="knowledge_pack_file", format_func=words, persist_state="session", width=320)
    _file(workbench, made[name or names[0]])


def _file(workbench: Workbench, new: Draft) -> None:
    file, can = new.path, is_writable(new.path) and not INSTALLED  # the next version would replace it
    if new.unknown:
        st.caption(f"{count(new.unknown, 'fact')} in the file, but not in this knowledge base, will be kept.")
    if new.differences:
        numbers = {kind: sum(d.kind == kind for d in new.differences) for kind in _KINDS}
        kinds = ", ".join(f"{n:,} {_KINDS[kind].word.lower()}" for kind, n in numbers.items() if n)
        st.markdown(f"**{count(len(new.differences), 'difference')}** from {plain(file.name)}: {kinds}.")
        for number, each in enumerate(new.differences[:SHOWN]):
            _difference(number, each)
        if len(new.differences) > SHOWN:
            st.caption(f"And {len(new.differences) - SHOWN:,} more, in the file.")
    with st.container(horizontal=True):
        button(
            f"Write to {plain(file.name)}", "knowledge_seed_write", "save", _write, workbench, new, type="primary",
            disabled=not new.differences or not can,
            help=f"Keeps the old file as {file.name}.bak." if can else "The file is read-only here.",
        )  # fmt: skip
        download("Download the file", new.text, file.name, "application/jsonl", "knowledge_seed_download")
        if can and backup_path(file).exists():
            button("Swap with the backup", "knowledge_seed_back", "undo", _swap, workbench, new,
                   help="The present file becomes the backup.")  # fmt: skip
    if not can:
        st.caption("The file is read-only: Ghost does not run from a folder you can write to. Download it instead.")


def _difference(number: int, each: Difference) -> None:
    badge = _KINDS[each.kind]
    with st.container(border=True, gap="small", key=f"knowledge_seed_difference_{number}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"{badge.badge} {coloured('gray', each.why)}", width="content")
            if each.passage_id:
                details_button(f"knowledge_seed_open_{number}", open_passage, each.passage_id)
        if each.old and each.old != each.new:
            st.markdown(f"In the file: {coloured('gray', shorten(each.old, 400))}")
        if each.new:
            st.markdown(f"{'Would be: ' if each.old else ''}{plain(shorten(each.new, 400))}")


def _write(workbench: Workbench, new: Draft) -> None:
    try:
        backup = seed_kb.write_back(workbench.knowledge, new)
    except (GhostError, OSError) as error:
        notify_error(PAGE, error)
    else:
        written = f"{count(new.facts, 'fact')} written to {new.path.name}"
        notify_change(workbench, f"{written}. The old file is {backup.name}.")


def _swap(workbench: Workbench, of: Draft) -> None:
    name = of.path.name
    try:
        seed_kb.take_back(workbench.knowledge, of.path.stem)
    except (GhostError, OSError) as error:
        notify_error(PAGE, error)
    else:
        text = f"{name} is restored from the backup; the other version is now {name}.bak."
        notify_change(workbench, text, icon="undo")
