"""Models with their checksums, and the stores with their sizes, health and repair."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.inspection import models, stores, variable_of
from ghost.jobs import Chores
from ghost.text import server_of
from ghost.ui.settings import stance
from ghost.ui.shared import theme
from ghost.ui.shared.chore import chore_button
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

FRESH_SECONDS = 10.0


def models_section(workbench: "Workbench", chores: Chores) -> None:
    """The bundled models, what the settings name in their stead, and versions."""
    from ghost.workbench import MODELS  # here, so that a broken installation is drawn as a page too

    stance.section(workbench, chores)
    st.header("Bundled models", anchor=False)
    for model in models.bundled(MODELS):
        _model(model)
    for field, bundled in (("embedding_model", "all-MiniLM-L6-v2"), ("reranker_model", "bundled")):
        if (named := getattr(workbench.settings, field)) != bundled:
            st.info(f"`{variable_of(field)}` names another model: {plain(named)}. It is not among these files.")
    chore_button(
        chores, "models", "Verify the checksums", "verified", lambda progress: models.verify(MODELS, progress),
        "Reads every file of the models and compares it with its manifest.",
    )  # fmt: skip
    st.header("Versions", anchor=False)
    st.table(
        [{"What": plain(name), "Version": plain(number)} for name, number in _versions().items()],
        border="horizontal", hide_index=True,
    )  # fmt: skip


@st.cache_data(show_spinner=False, max_entries=1)
def _versions() -> dict[str, str]:
    return models.versions()


def _model(model: models.Model) -> None:
    with st.container(border=True, gap="small"):
        if model.problem:
            st.markdown(f"**{plain(model.name)}** {theme.badge('Cannot be used', 'error', 'red')}")
            st.markdown(plain(model.problem))
            return
        size = stores.bytes_in_words(model.bytes)
        st.markdown(f"**{plain(model.name)}** {theme.badge(size, 'memory', 'gray')}")
        st.markdown(model.role)
        st.caption(f"Made from {plain(shorten(model.upstream, 200))} · {plain(shorten(model.licence, 80))}")
        st.caption(f"SHA-256 of the weights: `{plain(model.checksum)}`")


def section(workbench: "Workbench", chores: Chores) -> None:
    """Counts that cost nothing, and the checks that do on buttons."""
    st.header("What is stored", anchor=False)
    _counts(workbench)
    s = workbench.settings
    rows = [
        {
            # With its place below, not beside it, so that there is room for both on a telephone.
            "What": f"**{place.what}**  \n:small[:gray[{place.note}]]  \n:small[{plain(str(place.path))}]",
            "Size": stores.bytes_in_words(place.bytes),
        }
        for place in stores.places(s.database_path, s.chroma_path, s.chroma_url)
    ]
    st.table(rows, border="horizontal", hide_index=True)
    if s.chroma_url:
        st.caption(f"The vector index is on the Chroma server {plain(server_of(s.chroma_url))}.")
    free = stores.bytes_in_words(stores.room_left(s.data_dir))
    st.caption(f"{free} are free on this disk. `{variable_of('data_dir')}` moves both stores together.")
    if repaired := workbench.knowledge.repaired:
        st.info(f"Put right at the start: {plain(repaired)}.", icon=":material/build:")
    st.header("Is it sound?", anchor=False)
    check, rebuild = st.columns(2, gap="large")
    with check, st.container(border=True):
        st.markdown("**Full check.** Reads the whole database and compares it with the vector index. Changes nothing.")
        chore_button(chores, "check", "Check everything", "health_and_safety",
                     lambda progress: stores.check(workbench.knowledge, progress))  # fmt: skip
    with rebuild, st.container(border=True):
        st.markdown(
            "**Rebuild the index.** Makes it anew from the database. Searches go on with the old one until it is done, "
            "and it stays if you stop."
        )
        chore_button(chores, "rebuild", "Rebuild the index", "construction",
                     lambda progress: stores.rebuild(workbench.knowledge, progress))  # fmt: skip


def _counts(workbench: "Workbench") -> None:
    passages, active, runs = _counted(str(workbench.settings.database_path), workbench)
    with st.container(horizontal=True, key="settings_counts"):
        for label, number, note in (
            ("Passages", passages, "All, whatever their status."),
            ("Active", active, "Passages that a verification can find."),
            ("Checks", runs, "Runs that are kept, also failed and cancelled ones."),
        ):
            st.metric(label, f"{number:,}", help=note, border=True, width=170)


@st.cache_data(ttl=FRESH_SECONDS, max_entries=4, show_spinner=False)
def _counted(database: str, _bench: "Workbench") -> tuple[int, int, int]:
    """Passages, active ones and runs, counted at most once in a few seconds for each database."""
    del database
    figures = _bench.knowledge.stats()
    return figures.total, figures.active, _bench.runs.count()
