"""The stance models on the Settings page: what each is, how good it is known to be, and a button that fetches one."""

from typing import TYPE_CHECKING

import streamlit as st

from ghost.inspection import StanceModel, stance_models, stores, variable_of
from ghost.jobs import Chores
from ghost.ui.shared import theme
from ghost.ui.shared.chore import chore_button
from ghost.ui.shared.text import plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def section(workbench: "Workbench", chores: Chores) -> None:
    """All stance models; the one that the settings name is marked."""
    from ghost.workbench import MODELS  # here, so that a broken installation is drawn as a page too

    st.header("Stance model", anchor=False)
    st.markdown(
        "Reads whether a passage supports or contradicts a claim, so it decides more than any other. "
        f"`{variable_of('stance_model')}` chooses it."
    )
    missing(workbench)
    for number, model in enumerate(stance_models.stance_models(workbench.settings, MODELS)):
        with st.container(border=True, gap="small"):
            _model(model)
            if model.kind == "to fetch":
                _fetch(workbench, chores, f"fetch_{number}", model.name)


def missing(workbench: "Workbench") -> None:
    """A warning when another stance model reads than the settings name."""
    if workbench.stance_missing:
        st.warning(plain(workbench.stance_missing), icon=":material/warning:")


def _model(model: StanceModel) -> None:
    badges = []
    if model.wanted:
        badges.append(theme.badge("Chosen", "check", "blue"))
    if model.problem:
        badges.append(theme.badge("Cannot be used", "error", "red"))
    elif not model.there:
        badges.append(theme.badge("Not on this machine", "cloud", "gray"))
    size = stores.bytes_in_words(model.bytes) if model.bytes else "size not known"
    badges.append(theme.badge(size if model.there or not model.bytes else f"about {size}", "memory", "gray"))
    st.markdown(f"**{plain(shorten(model.name, 120))}** {' '.join(badges)}")
    if model.problem:
        st.markdown(plain(shorten(model.problem, 1000)))
    measured = model.measured[:1].upper() + model.measured[1:]
    calibrated = "calibrated" if model.calibrated else "not calibrated: its verdicts are more cautious"
    st.markdown(plain(f"{measured}; {calibrated}. {model.note}".strip()))
    st.caption(plain(f"Licence: {model.licence or 'not stated, see its page on the hub'}"))
    if model.there:
        st.caption(f"Kept in {plain(model.path)}")
    if model.revision:
        st.caption(f"Revision `{plain(model.revision)}`")
    if model.checksum:
        st.caption(f"SHA-256 of the weights: `{plain(model.checksum)}`")


def _fetch(workbench: "Workbench", chores: Chores, key: str, name: str) -> None:
    chore_button(
        chores, key, "Fetch it", "download",
        lambda progress: stance_models.fetch(workbench.settings, name, progress),
        "Downloads the model from the Hugging Face hub, or from the mirror in HF_ENDPOINT.",
    )  # fmt: skip
    st.caption("The hub learns your network address and which model is fetched; nothing before you click.")
