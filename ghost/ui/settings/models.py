"""The stance models, the bundled models with their checksums, and the versions of the packages."""

import streamlit as st

from ghost.diagnostics import (
    Model,
    bundled_models,
    fetch_stance_model,
    size_words,
    stance_models,
    variable_of,
    verify_models,
    versions,
)
from ghost.jobs import Task, Tasks
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, table, task_button
from ghost.ui.shared.text import capitalized, plain, shorten


def section(workbench: Workbench, tasks: Tasks) -> None:
    """Stance models, bundled models, the models that the settings name instead, and versions."""
    from ghost.workbench import MODELS  # here, so that a broken installation can still draw a page

    _stance_models(workbench, tasks)
    st.header("Bundled models", anchor=False)
    for model in bundled_models(MODELS):
        _bundled(model)
    for field, bundled in (("embedding_model", "all-MiniLM-L6-v2"), ("reranker_model", "bundled")):
        if (named := getattr(workbench.settings, field)) != bundled:
            st.info(f"`{variable_of(field)}` names another model: {plain(named)}. It is not among these files.")
    task_button(
        tasks, "models", "Verify checksums", "verified", lambda task: verify_models(MODELS, task.report),
        "Compares every model file with its manifest.",
    )  # fmt: skip
    st.header("Versions", anchor=False)
    table([{"Package": plain(name), "Version": plain(number)} for name, number in versions().items()])


def stance_warning(workbench: Workbench) -> None:
    """A warning when Ghost uses another stance model than the settings name."""
    if workbench.stance_missing:
        st.warning(plain(workbench.stance_missing), icon=":material/warning:")


def _stance_models(workbench: Workbench, tasks: Tasks) -> None:
    from ghost.workbench import MODELS

    st.header("Stance model", anchor=False)
    st.markdown(
        "Decides whether a passage supports or contradicts a claim, so it matters more than any other model. Choose it "
        f"with `{variable_of('stance_model')}`."
    )
    stance_warning(workbench)
    for number, model in enumerate(stance_models(workbench.settings, MODELS)):
        with st.container(border=True, gap="small"):
            _stance_model(model)
            if model.kind == "to fetch":
                _download(workbench, tasks, f"fetch_{number}", model.name)


def _stance_model(model: Model) -> None:
    badges = []
    if model.wanted:
        badges.append(theme.badge("Selected", "check", "blue"))
    if model.problem:
        badges.append(theme.badge("Cannot be used", "error", "red"))
    elif not model.installed:
        badges.append(theme.badge("Not on this machine", "cloud", "gray"))
    size = size_words(model.bytes) if model.bytes else "size unknown"
    badges.append(theme.badge(size if model.installed or not model.bytes else f"about {size}", "memory", "gray"))
    st.markdown(f"**{plain(shorten(model.name, 120))}** {' '.join(badges)}")
    if model.problem:
        st.markdown(plain(shorten(model.problem, 1000)))
    calibrated = "calibrated" if model.calibrated else "not calibrated, so verdicts are more cautious"
    st.markdown(plain(f"{capitalized(model.measured)}; {calibrated}. {model.note}".strip()))
    st.caption(plain(f"Licence: {model.licence or 'not stated, see its page on the hub'}"))
    if model.installed:
        st.caption(f"Stored in {plain(model.path)}")
    if model.revision:
        st.caption(f"Revision `{plain(model.revision)}`")
    if model.checksum:
        st.caption(f"SHA-256 of the weights: `{plain(model.checksum)}`")


def _download(workbench: Workbench, tasks: Tasks, key: str, name: str) -> None:
    def fetch(task: Task[str]) -> str:
        model = fetch_stance_model(workbench.settings, name, task.report)
        use = "" if workbench.settings.stance_model == name else f"set {variable_of('stance_model')}={name} and "
        return f"{name} is now on this machine ({size_words(model.bytes)}). To use it, {use}restart Ghost."

    task_button(
        tasks, key, "Download", "download", fetch,
        "Downloads the model from the Hugging Face hub, or from the mirror in HF_ENDPOINT.",
    )  # fmt: skip
    st.caption("The hub sees your network address and the name of the model. Nothing is sent before you click.")


def _bundled(model: Model) -> None:
    with st.container(border=True, gap="small"):
        if model.problem:
            st.markdown(f"**{plain(model.name)}** {theme.badge('Cannot be used', 'error', 'red')}")
            st.markdown(plain(model.problem))
            return
        st.markdown(f"**{plain(model.name)}** {theme.badge(size_words(model.bytes), 'memory', 'gray')}")
        st.markdown(model.role)
        st.caption(f"Based on {plain(shorten(model.upstream, 200))} · {plain(shorten(model.licence, 80))}")
        st.caption(f"SHA-256 of the weights: `{plain(model.checksum)}`")
