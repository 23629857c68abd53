"""The Quality page: stored results of the benchmark, each with how it was measured, and the analyst's agreement."""

from typing import TYPE_CHECKING

import streamlit as st

from bench.stored import RESULTS, Model, Result, Stored, load, strangers
from ghost.errors import GhostError
from ghost.ui.quality import agreement, everyday, live_web, parts, verdicts
from ghost.ui.quality.charts import ROLES
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.workbench import Workbench

EVERYDAY = "Everyday claims"
VIEWS = {
    EVERYDAY: "What people ask",
    "Verdicts": "How often verdicts are right",
    "Stance": "How well a passage is read",
    "Retrieval": "Whether the evidence is found",
    "Live investigation": "What searching and reading come to",
    "Speed": "How fast it is",
    "Your verdicts": "How often you agree",
}
"""The views and their headings."""
LIVE = "Live investigation"
REFRESH = "python -m ghost bench store verdicts.json stance.json retrieval.json"


_LIVE_COMMANDS = "\n".join(
    f"python -m ghost bench {each}"
    for each in ("demo --json demo.json", "reading --json reading.json", "store demo.json reading.json")
)
_COMMANDS = {
    LIVE: _LIVE_COMMANDS,
    EVERYDAY: "python -m ghost bench everyday --json everyday.json\npython -m ghost bench store everyday.json",
}
"""Those of the views that are measured in a way of their own."""


def overview(workbench: "Workbench") -> None:
    """The chosen view, below what has to be known about all of them."""
    st.title("Quality", anchor=False)
    st.markdown(
        "How often Ghost is right, measured by itself on claims whose answers are known. "
        "Yours are other claims: read these figures as a comparison, not as a promise."
    )
    stored = _stored(str(RESULTS), _state())
    for problem in stored.problems:
        st.warning(f"A stored result was left out. {plain(problem)}", icon=":material/warning:")
    chosen = st.segmented_control(
        "View", list(VIEWS), default=EVERYDAY, required=True, key="quality_view", bind="query-params", wrap=True,
        label_visibility="collapsed",
    )  # fmt: skip
    st.header(VIEWS[chosen], anchor=False)
    if chosen == "Your verdicts":
        agreement.view(workbench.reviews)
        return
    results = _results(stored, chosen)
    if not results:
        _nothing(chosen)
        return
    _other_models(workbench, results)
    match chosen:
        case "Everyday claims":
            everyday.view(stored.everyday)
        case "Stance":
            parts.stance(stored.stance)
        case "Retrieval":
            parts.retrieval(stored.retrieval)
        case "Live investigation":
            live_web.view(stored.demo, stored.reading)
        case "Speed":
            parts.speed(stored.speed)
        case _:
            verdicts.view(stored.verdicts)
    st.caption("Measured again, results take the place of these:")
    st.code(_COMMANDS.get(chosen, REFRESH), language=None, wrap_lines=True)


def _results(stored: Stored, chosen: str) -> tuple[Result, ...]:
    if chosen == EVERYDAY:
        return stored.everyday
    return (*stored.demo, *stored.reading) if chosen == LIVE else getattr(stored, chosen.lower())


def _state() -> tuple[tuple[str, int], ...]:
    """Changes when a result is stored."""
    return tuple((file.name, file.stat().st_mtime_ns) for file in sorted(RESULTS.glob("*.json")))


@st.cache_data(max_entries=4, show_spinner=False)
def _stored(folder: str, state: tuple[tuple[str, int], ...]) -> Stored:
    del folder, state
    return load()


def _nothing(chosen: str) -> None:
    if chosen == LIVE:
        st.info(
            "No live investigation was measured yet. The demo web is on this machine: nothing leaves it, and it takes "
            "some minutes. Measure and store it:",
            icon=":material/travel_explore:",
        )
        st.code(_LIVE_COMMANDS, language=None, wrap_lines=True)
        return
    if chosen == EVERYDAY:
        st.info("The everyday claims were not measured yet. It takes some minutes:", icon=":material/query_stats:")
        st.code(_COMMANDS[EVERYDAY], language=None, wrap_lines=True)
        return
    what = chosen.lower()
    options = {"stance": "--pairs P.jsonl ", "speed": ""}.get(what, "--claims C.jsonl --corpus D.jsonl ")
    st.info("No result of this kind is stored yet. Measure one and store it:", icon=":material/query_stats:")
    commands = (f"bench {what} {options}--json {what}.json", f"bench store {what}.json")
    st.code("\n".join(f"python -m ghost {each}" for each in commands), language=None, wrap_lines=True)


def _other_models(workbench: "Workbench", results: tuple[Result, ...]) -> None:
    """Say so when what was measured is not what runs now."""
    try:
        now = {role: Model(**model) for role, model in workbench.models.items()}
    except GhostError as error:
        st.caption(f"Whether these models run now is not known. {plain(str(error))}")
        return
    other = {role for result in results for role in strangers(result, now)}
    concerned = sum(bool(strangers(result, now)) for result in results)
    if other:
        names = ", ".join(ROLES.get(role, role) for role in sorted(other))
        st.warning(
            f"**{count(concerned, 'result')}** of {len(results)} {'was' if concerned == 1 else 'were'} measured with "
            f"other models than those that run now: {plain(names)}. The figures may not hold for what you use.",
            icon=":material/sync_problem:",
        )  # fmt: skip
    else:
        st.markdown(f"{theme.badge('Same models', 'check', 'green')} They were measured with the models that run now.")
