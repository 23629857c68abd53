"""How the knowledge base grew, and how old its evidence is."""

from collections import Counter
from datetime import date, timedelta

import streamlit as st

from ghost.knowledge import Age, TimeFigures
from ghost.types import Origin
from ghost.ui.analytics.cards import Bar, bar_card, browse, share, untitled
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count

BY_DAY_UP_TO = 120
"""Days of growth that are drawn one by one; a longer time is drawn by month."""
BARS_UP_TO = 24
"""Points in time that are drawn as bars; more are drawn as areas."""
_COLOURS = dict(zip(Origin, ("green", "violet", "blue", "orange", "red"), strict=True))
_PATTERNS = dict(zip(Origin, (".", "x", "", "/", "\\"), strict=True))


def view(figures: TimeFigures, active: int) -> None:
    """The two charts."""
    _growth(figures)
    _ages(figures, active)


def _growth(figures: TimeFigures) -> None:
    by_origin = Counter[str]()
    for _, origin, n in figures.arrivals:
        by_origin[origin] += n
    last, before = _latest(figures)
    says = f"**{count(last, 'passage')}** added in the last 30 days of the record, {before:,} in the 30 days before."
    step, days, series = cumulated(figures.arrivals)
    with charts.card("analytics_growth", f"Growth {step}" if len(days) > 1 else "Growth", says):
        if len(days) > 1:
            bars = len(days) <= BARS_UP_TO
            points = _points(days, step, bars)
            layers = [_layer(origin, points, series[origin.value], bars) for origin in Origin if origin.value in series]
            drawn = charts.figure(
                layers, "", 360, showlegend=len(layers) > 1, hovermode="x", barmode="stack", bargap=0.5,
                yaxis={"title": {"text": "passages"}, "rangemode": "tozero"},
                xaxis={"type": "category" if bars else "date"},
            )  # fmt: skip
            now = ", ".join(f"{theme.ORIGINS[Origin(o)].word} {n:,}" for o, n in by_origin.most_common())
            shape = "bars" if bars else "areas"
            alt = f"Stacked {shape}: passages over time by origin. Now: {now}."
            charts.draw(untitled(drawn), "analytics_growth", alt)
        table = Table("growth", ("day", "origin", "added"), [
            *(Row((), f"{theme.ORIGINS[Origin(o)].word}: {count(n, 'passage')}",
                  {"section": "browse", "origin": o}) for o, n in by_origin.most_common()),
            *(Row((day.isoformat(), origin, n)) for day, origin, n in figures.arrivals),
        ])  # fmt: skip
        charts.figures_below(table, "analytics_growth")
        st.caption("Includes active and quarantined passages.")


def _layer(origin: Origin, points: list[str], totals: list[int], bars: bool) -> charts.Figure:
    """One origin: a part of each bar, or an area."""
    colour = charts.colour(_COLOURS[origin])
    pattern = {"shape": _PATTERNS[origin], "size": 7, "solidity": 0.25, "fgopacity": 0.5, "fillmode": "overlay"}
    layer = {
        "name": theme.ORIGINS[origin].word,
        "x": points,
        "y": totals,
        "hovertemplate": "%{y:,} until %{x}<extra>%{fullData.name}</extra>",
    }
    if bars:
        return layer | {"type": "bar", "marker": {"color": colour, "pattern": pattern}}
    line = {"width": 1.5, "color": colour, "shape": "hv"}
    return layer | {"type": "scatter", "mode": "lines", "stackgroup": "all", "line": line, "fillpattern": pattern}


def _points(days: list[date], step: str, bars: bool) -> list[str]:
    """The points in time as the axis needs them: names for bars, dates for areas."""
    if not bars:
        return [day.isoformat() for day in days]
    return [theme.day(day) if step == "by day" else f"{day:%b %Y}" for day in days]


def _latest(figures: TimeFigures) -> tuple[int, int]:
    """How many were added in the last 30 days of the record, and in the 30 days before."""
    if not figures.arrivals:
        return 0, 0
    newest = figures.arrivals[-1][0]
    ages = [((newest - day).days, n) for day, _, n in figures.arrivals]
    return sum(n for age, n in ages if age < 30), sum(n for age, n in ages if 30 <= age < 60)


def cumulated(arrivals: tuple[tuple[date, str, int], ...]) -> tuple[str, list[date], dict[str, list[int]]]:
    """The step (``by day`` or ``by month``), the points in time, and the total of each origin at each point."""
    if not arrivals:
        return "by day", [], {}
    first, newest = arrivals[0][0], arrivals[-1][0]
    by_day = (newest - first).days <= BY_DAY_UP_TO
    added = Counter[tuple[date, str]]()
    for day, origin, n in arrivals:
        added[day if by_day else day.replace(day=1), origin] += n
    days: list[date] = []
    day = first if by_day else first.replace(day=1)
    while day <= newest:
        days.append(day)
        day = day + timedelta(days=1) if by_day else (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    series: dict[str, list[int]] = {}
    for origin in {origin for _, origin in added}:
        total, points = 0, []
        for day in days:
            total += added[day, origin]
            points.append(total)
        series[origin] = points
    return ("by day" if by_day else "by month"), days, series


def _ages(figures: TimeFigures, active: int) -> None:
    says = f"**{share(figures.undated, active)}** of the passages have no publication date."
    if figures.oldest and figures.newest:
        says += f" The others date from {theme.day(figures.oldest)} to {theme.day(figures.newest)}."
    if figures.undated * 2 > active:
        says += " Undated evidence weighs less for a claim about the present."
    blue = charts.colour("blue")
    bars = [
        Bar(age.name, age.passages, _between(age), colour=blue, cells=(age.name, age.first, age.last, age.passages))
        for age in figures.ages
    ]
    undated = browse(undated="1") if figures.undated else None
    bars.append(Bar("Undated", figures.undated, undated, colour=charts.colour("gray"), pattern="/",
                    cells=("undated", None, None, figures.undated)))  # fmt: skip
    bar_card("analytics_ages", "Age of evidence", says, bars, "passages",
             ("published", "first day", "last day", "passages"), upright=True,
             x_title="time since publication")  # fmt: skip


def _between(age: Age) -> charts.Target | None:
    if not age.passages:
        return None
    span = {"published_from": age.first, "published_to": age.last}
    return browse(**{name: day.isoformat() for name, day in span.items() if day})
