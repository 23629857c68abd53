"""What the charts of the page have in common: links to the passages behind a bar, and one card for any bar chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table, Target
from ghost.ui.shared.text import count


def browse(**filters: str) -> Target:
    """The list of active passages on the Knowledge base page, filtered."""
    return {"section": "browse", "status": "active", **filters}


def share(part: int, whole: int) -> str:
    """A share in words that never rounds to nothing or to all."""
    if not part or not whole:
        return "none"
    return "under 1%" if part * 100 < whole else theme.percent(part / whole)


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
    """A card with a bar chart, links and a file. A single bar says no more than its sentence, so it is not drawn.

    ``head`` names the columns of the file; the first names what the bars are.
    """
    name = key.removeprefix("analytics_").replace("_", "-")
    with charts.card(key, heading, says):
        if sum(bool(bar.value) for bar in bars) > 1:
            names, values, colours = [b.name for b in bars], [b.value for b in bars], [b.colour for b in bars]
            hover = [b.hover or f"{charts.escaped(b.name)}: {b.value:,} {unit}" for b in bars]
            if upright:
                drawn = charts.columns(
                    names, values, "", unit, x_title, 300, colours if all(colours) else (),
                    [b.pattern for b in bars], hover,
                )  # fmt: skip
            else:
                texts = [b.text or f"{b.value:,}" for b in bars]
                drawn = charts.rows(names, values, "", unit, 0, colours if all(colours) else (), hover, texts)
            drawn["layout"] |= layout or {}
            told = ", ".join(f"{b.name} {b.text or f'{b.value:,}'}" for b in bars)
            alt = f"Bar chart: {heading}, {unit} by {head[0]}: {told}."
            charts.follow(charts.draw(untitled(drawn), key, alt, charts.nth([b.target for b in bars])))
        rows = [
            Row(b.cells or (b.name, b.value), b.link or f"{b.name}: {count(int(b.value), 'passage')}", b.target)
            for b in bars
        ]
        charts.figures_below(Table(name, head, rows, linked), key)


def untitled(drawn: charts.Figure) -> charts.Figure:
    """A figure without a title of its own, for a card whose heading says it."""
    margin = drawn["layout"]["margin"] | {"t": 28}
    return {**drawn, "layout": drawn["layout"] | {"title": None, "margin": margin}}
