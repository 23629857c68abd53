"""A card for any bar chart, with links to the passages behind each bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Target
from ghost.ui.shared.parts import chart_card
from ghost.ui.shared.text import count


def browse(**filters: str) -> Target:
    """The list of active passages on the Knowledge base page, filtered."""
    return {"section": "browse", "status": "active", **filters}


def kind(value: str) -> str:
    """The name of a source type."""
    known = {each.value: name for each, name in theme.SOURCE_TYPES.items()}
    return known.get(value, value).capitalize()


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, with where it leads."""

    name: str
    value: float
    target: Target | None = None
    link: str = ""
    """Words of the link below the chart; empty for name and value."""
    text: str = ""
    """Written on the bar; empty for the value."""
    hover: str = ""
    colour: str = ""
    pattern: str = ""
    cells: Sequence[Any] = ()
    """Of the file; empty for name and value."""


def bar_card(
    key: str, heading: str, says: str, bars: Sequence[Bar], unit: str, head: Sequence[str], *, upright: bool = False,
    x_title: str = "", layout: charts.Figure | None = None, linked: int = 12,
) -> None:  # fmt: skip
    """A card with a bar chart. A single bar says no more than its sentence, so it is not drawn.

    ``head`` names the columns of the file; the first names what the bars are.
    """
    texts = [b.text or f"{b.value:,}" for b in bars]
    rows = [
        Row(b.cells or (b.name, b.value), b.link or f"{b.name}: {count(int(b.value), 'passage')}", b.target)
        for b in bars
    ]
    drawn = None
    if sum(bool(b.value) for b in bars) > 1:
        names, values, colours = [b.name for b in bars], [b.value for b in bars], [b.colour for b in bars]
        colours = colours if all(colours) else []
        hover = [b.hover or f"{charts.escaped(b.name)}: {b.value:,} {unit}" for b in bars]
        if upright:
            patterns = [b.pattern for b in bars]
            drawn = charts.columns(names, values, "", unit, x_title, 300, colours, patterns, hover)
        else:
            drawn = charts.rows(names, values, "", unit, 0, colours, hover, texts)
        drawn["layout"] |= layout or {}
    told = ", ".join(f"{b.name} {text}" for b, text in zip(bars, texts, strict=True))
    alt = f"Bar chart: {heading}, {unit} by {head[0]}: {told}."
    targets = charts.nth([b.target for b in bars])
    chart_card(key, heading, says, drawn, alt, head, rows, targets=targets, linked=linked)
