"""One passage with all its fields, its history and the actions on it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from ghost.knowledge import Change, KnowledgeBase, Revision
from ghost.reports import source
from ghost.types import Intake, Kind, Origin, Passage, Status
from ghost.ui.knowledge.form import edit_form, open_form
from ghost.ui.knowledge.note_check import check_button, check_outcome, show_check
from ghost.ui.knowledge.selection import facts_line, open_passage, run_change, show_change, undo
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button, details_button
from ghost.ui.shared.runs import run_badge
from ghost.ui.shared.text import capitalized, count, plain, shorten

RUNS_SHOWN = 25
NEAR_SHOWN = 10
FIELDS = {
    "source_url": "Address", "title": "Title", "publisher": "Publisher", "topic": "Topic", "language": "Language",
    "published_at": "Published", "as_of": "As of", "origin": "Origin", "kind": "Kind", "intake": "Got in",
    "text_hash": "Hash", "trusted": "Trusted",
    "page_check": "Check against the source", "page_checked": "Checked on", "page_excerpts": "Excerpts",
}  # fmt: skip


def detail(workbench: Workbench, passage_id: str) -> None:
    """Text, actions, fields, the checks that used it, similar passages and history."""
    button("All passages", "knowledge_back", "arrow_back", open_passage, "", type="tertiary")
    show_check(workbench)
    show_change()
    with theme.errors_shown():
        found = workbench.knowledge.get([passage_id])
        if not found:
            st.title("This passage is not here", anchor=False)
            st.markdown(
                "The link may come from another machine, or the data folder may have changed. Nothing was changed."
            )
            return
        p = found[0]
        with st.container(gap=None):
            theme.kicker("Passage")
            st.title(plain(shorten(p.title or p.source_name, 120)), anchor=False)
        if st.query_params.get("form") == "edit":
            edit_form(workbench, p)
            return
        _text(workbench.knowledge, p)
        check_outcome(workbench, p)
        _actions(workbench, p)
        _facts(p)
        _runs(workbench, passage_id)
        _near(workbench, p)
        _history(workbench, passage_id)


def _text(knowledge: KnowledgeBase, p: Passage) -> None:
    kind = theme.badge(capitalized(theme.SOURCE_TYPES[p.source_type]), "apartment", "gray")
    st.markdown(
        f"{theme.PASSAGE_STATUSES[p.status].badge} {theme.ORIGINS[p.origin].badge} {kind} {theme.intake_badge(p)}"
    )
    with st.container(border=True):
        st.markdown(plain(p.text))
        theme.source_line(p.source_url)
    if p.status is Status.QUARANTINED:
        why = knowledge.why_quarantined([p.id]).get(p.id, "")
        st.warning(
            f"This passage is in quarantine, and checks do not use it. {plain(capitalized(why))}{'.' if why else ''}",
            icon=":material/shield:",
        )
    elif p.status is Status.RETIRED:
        st.warning("This passage is retired, and checks do not use it.", icon=":material/visibility_off:")


def _actions(workbench: Workbench, p: Passage) -> None:
    curation = workbench.knowledge.curation
    seed = p.origin is Origin.SEED
    wanted = replace(Revision.of(p), origin=Origin.CURATED if seed else Origin.SEED)
    waits = p.status is Status.QUARANTINED

    def with_note(action: Callable[[list[str], str], Change | None]) -> Change | None:
        return action([p.id], (st.session_state.get("knowledge_detail_note") or "").strip())

    with st.container(horizontal=True, vertical_alignment="bottom", key="knowledge_actions"):
        button("Edit", "knowledge_edit", "edit", open_form, p.id)
        check_button(workbench, p)
        if p.status is not Status.ACTIVE:
            button("Accept" if waits else "Restore", "knowledge_detail_restore", "check", run_change, workbench,
                   partial(with_note, curation.restore))  # fmt: skip
        if p.status is not Status.RETIRED:
            button("Reject" if waits else "Retire", "knowledge_detail_retire", "archive", run_change, workbench,
                   partial(with_note, curation.retire))  # fmt: skip
        revise = partial(curation.revise, p.id, wanted, f"{'removed from' if seed else 'added to'} the starter library")
        button(
            "Remove from the starter library" if seed else "Add to the starter library", "knowledge_seed",
            "potted_plant", run_change, workbench, revise,
            help="A new knowledge base starts with the starter library, which can be written to a file in packs/.",
        )  # fmt: skip
        if p.intake is Intake.ENTERED:
            button(
                "Trust no longer" if p.trusted else "Mark as trusted", "knowledge_trust", "verified_user", run_change,
                workbench, partial(with_note, curation.distrust if p.trusted else curation.trust),
                help="A verdict may rest on a trusted passage alone, also where nobody has rated its source.",
            )  # fmt: skip
        st.text_input("Note for the history (optional)", key="knowledge_detail_note", max_chars=300, width=280)


def _facts(p: Passage) -> None:
    note = theme.ORIGINS[p.origin].note
    page = f"{'has' if p.rated else 'is'} {theme.stars(p.credibility, p.rated)}"
    library = f" as a note; its page {page}" if p.kind is Kind.NOTE else ""
    rows = {
        "Source": plain(source(p)),
        "Domain": plain(p.domain) or "none",
        "Credibility": theme.standing(p) + library,
        "Topic": plain(p.topic) or "none",
        "Language": plain(p.language),
        "Added as": f"{theme.ORIGINS[p.origin].word}: {note[:1].lower()}{note[1:]}",
        "Published": theme.day(p.published_at),
        "Valid as of": theme.as_of(p.as_of) if p.as_of else "not stated",
        "Retrieved": theme.moment(p.retrieved_at),
        "Indexed": theme.moment(p.indexed_at),
        "Used in checks": str(p.verification_count),
        "Mean relevance": f"{p.avg_relevance:.2f}" if p.verification_count else "never used",
        "Opened": count(p.access_count, "time"),
        "Last opened": theme.moment(p.last_accessed) if p.last_accessed else "never",
        "Length": count(p.text_length, "character"),
        "Id": plain(p.id),
    }
    st.table(rows, border="horizontal", hide_header=True)


def _runs(workbench: Workbench, passage_id: str) -> None:
    st.header("Checks and research that used it", anchor=False)
    used = workbench.knowledge.runs_using(passage_id, RUNS_SHOWN)
    if not used:
        st.caption("No check and no research has used it yet.")
    runs = {run.id: run for run in workbench.runs.summaries([use.run_id for use in used])}
    for use in used:
        run = runs.get(use.run_id)
        stance = theme.STANCES[use.stance]
        research = None if run else workbench.research.topic_of(use.run_id)
        if research is not None:
            words, icon = f"Research: {plain(shorten(research, 100))}", ":material/travel_explore:"
            st.page_link("pages/research.py", label=words, icon=icon, query_params={"research": use.run_id})
        elif run:
            words = plain(shorten(run.claim_text, 100))
            st.page_link("pages/verify.py", label=words, icon=":material/fact_check:", query_params={"run": use.run_id})
        else:
            st.markdown(f"{plain(use.run_id)}, which was deleted")
        verdict = f"{run_badge(run).badge} " if run else ""
        cited = ", cited" if use.cited else ""
        st.caption(
            f"{verdict}Stance: :{stance.colour}[{stance.word.lower()}]{cited} · relevance "
            f"{theme.percent(use.relevance)} · {theme.moment(use.at)}"
        )


def _near(workbench: Workbench, p: Passage) -> None:
    """Passages with nearly the same text, and the duplicates merged into this one."""
    kept, absorbed = workbench.knowledge.merged(p.id)
    others = [i for i in dict.fromkeys([kept, *absorbed, *workbench.knowledge.alike(p.id), p.kin]) if i and i != p.id]
    if not others:
        return
    st.header("Similar passages", anchor=False)
    for other in workbench.knowledge.get(others[:NEAR_SHOWN]):
        with st.container(border=True, gap="small", key=f"knowledge_near_{other.id}"):
            if other.id == kept:
                st.caption(":material/merge: This passage was merged into the one below.")
            elif other.id in absorbed:
                st.caption(":material/merge: Merged into this passage, which has its statistics.")
            st.markdown(f"**{plain(shorten(source(other), 120))}** {plain(shorten(other.text, 300))}")
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.caption(facts_line(other), width="content")
                if p.status is Status.ACTIVE is other.status:
                    button("Merge into this one", f"knowledge_absorb_{other.id}", "merge", run_change, workbench,
                           partial(workbench.knowledge.curation.merge, p.id, [other.id]))  # fmt: skip
                details_button(f"knowledge_near_open_{other.id}", open_passage, other.id)
    if len(others) > NEAR_SHOWN:
        st.caption(f"And {len(others) - NEAR_SHOWN:,} more.")


def _history(workbench: Workbench, passage_id: str) -> None:
    entries = workbench.knowledge.history(passage_id)
    st.header("History", anchor=False)
    if not entries:
        st.caption("No changes since it was added.")
    for number, entry in reversed(list(enumerate(entries))):
        note = f": {plain(shorten(entry.note, 300))}" if entry.note else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(entry.action.capitalize())}** · {theme.moment(entry.at)}{note}", width="stretch")
            if entry.change:
                button("Undo this", f"knowledge_undo_{number}", "undo", undo, workbench, entry.change, passage_id,
                       type="tertiary", help="For this passage only. Undo the whole change under Changes.")  # fmt: skip
        for name, old, new in entry.fields:
            words = f"{plain(shorten(old, 200)) or 'none'} → {plain(shorten(new, 200)) or 'none'}"
            st.caption(f"{FIELDS.get(name, plain(name))}: {words}")
        if entry.old_text:
            st.markdown(f"> {plain(entry.old_text)}")
