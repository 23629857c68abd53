"""A conversation with a language model, turn by turn: its words, its calls, and which excerpts were kept.

A stored trace may come from another version, and everything in it may come from a model or from the web.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ghost.types import TraceStep
from ghost.ui.shared import theme
from ghost.ui.shared.text import capitalized, count, plain, shorten

MOST = 20
"""Calls, facts, or dropped facts of a turn that are drawn."""
_TOOLS = {
    "search": ("search", "Search"),
    "fetch": ("article", "Read page"),
    "extract_facts": ("format_quote", "Keep facts"),
    "finish": ("flag", "Finish"),
}
_CALL = re.compile(r"^\w+\(", re.MULTILINE)
"""Begins a line of an answer that is a call and not the model's words."""


def is_turn(step: TraceStep) -> bool:
    """Whether a step is a turn of a conversation, even one that was stopped."""
    return step.name == "investigate" and ("tools" in step.outputs or step.inputs.get("stage") == "conversation")


def turns_of(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """The turns of a run, in order."""
    return [step for step in steps if is_turn(step)]


def left_because(steps: Sequence[TraceStep]) -> str:
    """Why the seven steps took over from a conversation (hostile); empty if they did not."""
    for step in steps:
        troubles = step.outputs.get("troubles")
        if isinstance(troubles, Mapping) and troubles.get("took_over"):
            return step.reason
    return ""


def turn_title(step: TraceStep) -> str:
    """``Turn 2 of 5``."""
    number, of = step.outputs.get("turn"), step.outputs.get("turns")
    return f"Turn {number} of {of}" if isinstance(number, int) and isinstance(of, int) else "A turn"


def conversation_lines(steps: Sequence[TraceStep]) -> None:
    """The turns in short: what each did, and the excerpts it kept."""
    for step in turns_of(steps):
        _, _, did = step.decision.partition(": ")
        st.markdown(f"**{turn_title(step)}** :gray[· {plain(shorten(did or step.decision, 160))}]")
        for fact in _rows(step, "facts")[:MOST]:
            st.markdown(f":small[:green[:material/format_quote:] {plain(shorten(str(fact.get('excerpt')), 240))}]")
        if dropped := _rows(step, "dropped_facts"):
            why = plain(shorten(str(dropped[0].get("why")), 160))
            st.caption(f":orange[:material/block:] {count(len(dropped), 'excerpt')} dropped. {why}")


def turn_detail(step: TraceStep) -> None:
    """One turn in full."""
    if words := _words(step):
        st.markdown(f":gray[:small[What the model said]]  \n{plain(shorten(words, 2_000))}")
    calls = _rows(step, "tools")
    if calls:
        st.markdown(":gray[:small[Functions it called]]")
    for call in calls[:MOST]:
        name, result = str(call.get("name")), plain(shorten(str(call.get("result") or ""), 400))
        icon, did = _TOOLS.get(name, ("error", f"Unknown function {plain(shorten(name, 60))}"))
        st.markdown(f":blue[:material/{icon}:] **{did}** {_argument(call)}  \n:gray[:small[{result}]]")
    facts, dropped = _rows(step, "facts"), _rows(step, "dropped_facts")
    if facts:
        st.markdown(f":gray[:small[Kept, word for word · {len(facts)}]]")
    for fact in facts[:MOST]:
        with st.container(gap="xxsmall"):
            st.markdown(f"> {plain(shorten(str(fact.get('excerpt')), 500))}")
            opinion = f" {theme.badge('Opinion', 'chat_bubble', 'violet')}" if fact.get("opinion") else ""
            st.caption(f"For statement {plain(str(fact.get('statement')))}{opinion}")
    if dropped:
        st.markdown(f":gray[:small[Dropped · {len(dropped)}]]")
    for fact in dropped[:MOST]:
        with st.container(gap="xxsmall"):
            st.markdown(f"> {plain(shorten(str(fact.get('excerpt')), 500))}")
            st.markdown(f":orange[:material/block:] :small[{plain(shorten(str(fact.get('why')), 300))}]")
    if problem := str(step.outputs.get("problem") or ""):
        st.markdown(f":orange[:material/error:] {plain(shorten(problem, 400))}")
    if step.decision == "stopped":
        st.markdown(f":orange[:material/error:] {plain(shorten(step.reason, 600))}")


def _words(step: TraceStep) -> str:
    """What the model wrote beside its calls."""
    answers = [str(call.get("answer") or "") for call in _rows(step, "calls")]
    said = "\n".join(_CALL.split(answer, maxsplit=1)[0].strip() for answer in answers)
    return "" if said.lstrip().startswith("{") else said.strip()  # without functions a model calls in JSON


def _argument(call: Mapping[str, Any]) -> str:
    """The argument of a call as Markdown: the query, the address, or how many facts."""
    text = str(call.get("arguments") or "")
    try:
        given = json.loads(text)
    except ValueError:
        if call.get("name") == "search" or not text.strip():
            return plain(shorten(text, 300))
        return ""  # what is not JSON was not carried out, as the result says, and is a fragment at best
    if isinstance(given, Mapping):
        if isinstance(facts := given.get("facts"), list):
            return f"({count(len(facts), 'excerpt')} proposed)"
        text = str(given.get("query") or given.get("address") or given.get("reason") or "")
    return plain(shorten(text, 300))


def _rows(step: TraceStep, name: str) -> list[Mapping[str, Any]]:
    value = step.outputs.get(name)
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def truth_rows(step: TraceStep) -> list[dict[str, str]]:
    """How each statement counted towards the truth percentage, as table rows; empty if there is none."""
    truth = step.outputs.get("truth")
    rows = truth.get("statements") if isinstance(truth, Mapping) else None
    found = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    names = {"Statement": "statement", "True": "truth", "Importance": "importance"}
    return [{head: _figure(name, row.get(name)) for head, name in names.items()} for row in found]


def _figure(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return plain(shorten(str(value), 40))
    if name == "truth":
        return f"{value:.0f}%"
    return f"{value:g}"


def doing_in_turn(detail: str) -> str:
    """What a turn at work is doing; ``detail`` is that of its event."""
    if detail.startswith("turn "):
        return f"{capitalized(detail)}: it searches, reads pages, and keeps facts word for word."
    return f"Reading {detail}"
