"""The time line of a run as a Plotly figure: a bar for each step, in the colours of the theme."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ghost.reports import TimelineStep
from ghost.steps import STEPS
from ghost.ui.shared.text import clean
from ghost.ui.shared.theme import seconds

SHORT = {
    "classify": "Understand",
    "retrieve": "Search",
    "rerank": "Weigh",
    "sufficiency": "Enough?",
    "investigate": "Look further",
    "index": "Keep",
    "verdict": "Decide",
}
"""Names that fit beside a bar on a telephone."""
_COLOURS = {
    "classify": "gray", "retrieve": "blue", "rerank": "violet", "sufficiency": "yellow", "investigate": "orange",
    "index": "gray", "verdict": "green",
}  # fmt: skip
_FALLBACK = {
    "gray": "#5f6670", "blue": "#1f4b7a", "violet": "#65479a", "yellow": "#8a6d00", "orange": "#9a5b00",
    "green": "#0a7257", "red": "#b23a1e",
}  # fmt: skip
ROW = 30
"""Pixels for one step."""
LEAST = 0.004
"""Part of the width that the shortest bar gets, to be seen at all."""


def figure(bars: Sequence[TimelineStep], notes: Sequence[str], selected: int) -> dict[str, Any]:
    """One row for each step from top to bottom; ``notes`` (hostile) are shown on hover, ``selected`` is outlined."""
    rows = list(zip(bars, notes, strict=True))
    end = max((b.start + b.seconds for b in bars), default=0.0) or 1.0
    marks = {
        "color": [_colour("red" if b.stopped else _COLOURS.get(b.name, "gray")) for b in bars],
        "pattern": {
            "shape": ["x" if b.stopped else "/" if b.name == "index" else "" for b in bars],
            "size": 6, "solidity": 0.25, "fillmode": "overlay",
        },
        "line": {"width": [2 if b.position == selected else 0 for b in bars], "color": _colour("text")},
    }  # fmt: skip
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": [row_name(b) for b in bars],
                "base": [b.start for b in bars],
                "x": [max(b.seconds, LEAST * end) for b in bars],
                "text": [seconds(b.seconds) + (" · stopped" if b.stopped else "") for b in bars],
                "textposition": "outside",
                "cliponaxis": False,
                "marker": marks,
                "hovertext": [f"{row_name(b)}: {seconds(b.seconds)}<br>{_wrapped(n)}" for b, n in rows],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "selected": {"marker": {"opacity": 1}},
                "unselected": {"marker": {"opacity": 1}},
            }
        ],
        "layout": {
            "height": 76 + ROW * len(bars),
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8, "pad": 4},
            "bargap": 0.3,
            "showlegend": False,
            "dragmode": False,
            "hoverlabel": {"align": "left"},
            "xaxis": {
                "title": {"text": "seconds after the start"}, "range": [0, end * 1.16], "fixedrange": True,
                "automargin": True, "zeroline": False,
            },
            "yaxis": {"autorange": "reversed", "type": "category", "fixedrange": True, "automargin": True},
        },
    }  # fmt: skip


def described(bars: Sequence[TimelineStep]) -> str:
    """The figure in a sentence, for those who do not see it."""
    if not bars:
        return "No step has ended."
    longest = max(bars, key=lambda b: b.seconds)
    return (
        f"Time line of {len(bars)} steps over {seconds(max(b.start + b.seconds for b in bars))}; "
        f"the longest is {row_name(longest)} with {seconds(longest.seconds)}."
    )


def row_name(bar: TimelineStep) -> str:
    """``3 Weigh`` by the number of the step, with the turn where it was at work more than once: ``3 Weigh (2)``."""
    turn = f" ({bar.turn})" if bar.turns > 1 else ""
    number = STEPS.index(bar.name) + 1 if bar.name in STEPS else bar.position
    return f"{number} {SHORT.get(bar.name, 'Other')}{turn}"


def _colour(name: str) -> str:
    side = "dark" if st.context.theme.type == "dark" else "light"
    return str(st.get_option(f"theme.{side}.{name}Color") or _FALLBACK.get(name, "#777777"))


def _wrapped(text: str, width: int = 56) -> str:
    """Hostile text for a hover box, where Plotly reads some HTML and its own ``%{...}``."""
    lines = [""]
    for word in clean(text)[:400].split():
        for piece in (word[i : i + width] for i in range(0, len(word), width)):
            if lines[-1] and len(lines[-1]) + 1 + len(piece) > width:
                lines.append("")
            lines[-1] = f"{lines[-1]} {piece}".strip()
    marks = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("%{", "%&#123;"), ("$", "&#36;"))
    for mark, told in marks:
        lines = [line.replace(mark, told) for line in lines]
    return "<br>".join(lines)
