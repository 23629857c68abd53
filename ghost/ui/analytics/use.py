"""How checks used the passages: frequency, stance, and how many repeat others."""

from collections.abc import Sequence

import streamlit as st

from ghost.knowledge import Balance, CopyFigures, UseFigures
from ghost.types import Origin, StanceLabel
from ghost.ui.analytics.bars import Bar, bar_card, browse, kind
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Part, Row, Table
from ghost.ui.shared.parts import chart_card, untitled
from ghost.ui.shared.text import count, shorten
from ghost.ui.shared.theme import share

_STANCES = (
    (StanceLabel.SUPPORTS, "supports", "green", ""),
    (StanceLabel.REFUTES, "refutes", "red", "/"),
    (StanceLabel.NEUTRAL, "neutral", "gray", "."),
    (StanceLabel.OFF_TOPIC, "off_topic", "yellow", "x"),
)
_AXIS = {"fixedrange": True, "automargin": True}


def view(use: UseFigures, copies: CopyFigures) -> None:
    """The charts of use, or how to get some."""
    if not use.runs:
        st.info(
            "No check has used a stored passage yet. Check a claim to see its use here.", icon=":material/insights:"
        )
        st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")
    else:
        _most(use)
        _balance(use)
    left, right = st.columns(2)
    with left:
        _never(use)
    with right:
        _copies(copies)


def _most(use: UseFigures) -> None:
    bars = [
        Bar(
            f"{n}. {shorten(p.source, 24)}", p.runs, {"passage": p.id}, text=f"{p.runs:,} ({p.cited:,} cited)",
            link=f"{shorten(p.text, 90)} ({count(p.runs, 'check')})",
            hover=f"<b>{charts.escaped(shorten(p.source, 60))}</b><br>{charts.wrapped(shorten(p.text, 220))}<br>"
            f"{count(p.runs, 'check')}, cited in {p.cited:,}; supports {p.supports:,}, contradicts {p.refutes:,}",
            cells=(p.id, p.source, p.text, p.runs, p.cited, p.supports, p.refutes),
        )
        for n, p in enumerate(use.most, 1)
    ]  # fmt: skip
    most = use.most[0].runs
    axis = _AXIS | {"title": {"text": "checks"}, "range": [0, most * 1.3], "dtick": 1 if most < 10 else None}
    says = f"{count(use.runs, 'check')} used stored passages {count(use.uses, 'time')}."
    head = ("id", "source", "text", "checks", "cited", "supports", "contradicts")
    bar_card("analytics_most", "Most used passages", says, bars, "checks", head, layout={"xaxis": axis}, linked=15)


def _balance(use: UseFigures) -> None:
    sides = use.balance.supports + use.balance.refutes
    says = (
        f"Of the decisive uses, **{share(use.balance.supports, sides)}** support the statement and "
        f"**{share(use.balance.refutes, sides)}** contradict it. A source that is always on one side deserves a look."
    )
    with charts.card("analytics_balance", "Stance balance", says):
        types = [] if len(use.by_type) == 1 else use.by_type  # a single kind is the same as all sources
        _stances([("All sources", use.balance), *((kind(b.name), b) for b in types)],
                 "Stance by kind of source", "analytics_balance")  # fmt: skip
        if len(use.by_domain) > 1:
            st.markdown("**By domain**, most used first")
            _stances([(b.name, b) for b in use.by_domain], "Stance by domain", "analytics_balance_domains")
        rows = [(kind(b.name), b, browse(source_type=b.name)) for b in use.by_type]
        rows += [(b.name, b, browse(domain=b.name)) for b in use.by_domain]
        head = ("source", "supports", "contradicts", "related", "off topic", "uses")
        table = Table("stance-balance", head, [
            Row((name, b.supports, b.refutes, b.neutral, b.off_topic, b.total), f"{name}: {count(b.total, 'use')}", to)
            for name, b, to in rows
        ], linked=24)  # fmt: skip
        charts.figures_below(table, "analytics_balance")


def _stances(rows: Sequence[tuple[str, Balance]], title: str, key: str) -> None:
    parts = []
    for stance, field, colour, pattern in _STANCES:
        word = theme.STANCES[stance].word
        counts = [(name, getattr(b, field), b.total) for name, b in rows]
        if not any(n for _, n, _ in counts):
            continue
        hover = [f"{charts.escaped(name)}<br>{word}: {n:,} of {count(whole, 'use')}" for name, n, whole in counts]
        shares = [n / whole if whole else 0.0 for _, n, whole in counts]
        parts.append(Part(word, shares, charts.colour(colour), pattern, hover))
    labels = [f"{shorten(name, 28)} ({b.total:,})" for name, b in rows]
    drawn = charts.stacked_rows(labels, parts, "", "share of uses", 150 + 34 * len(labels))
    charts.draw(untitled(drawn), key, f"Stacked bars: {title}, for {len(rows)} rows.")


def _never(use: UseFigures) -> None:
    bars = []
    for origin, n, whole in use.never_by_origin:
        word = theme.ORIGINS[Origin(origin)].word
        bars.append(Bar(
            word, n / whole, browse(origin=origin, unused="1") if n else None, colour=charts.colour("gray"),
            text=f"{n / whole:.0%}", hover=f"{word}: {n:,} of {whole:,} never used",
            link=f"{word}: {n:,} of {count(whole, 'passage')}", cells=(origin, n, whole),
        ))  # fmt: skip
    axis = _AXIS | {"title": {"text": "share of passages"}, "tickformat": ".0%", "range": [0, 1.05]}
    says = f"**{count(use.never, 'passage')}** ({share(use.never, use.active)}) have not been used in any check."
    bar_card("analytics_never", "Never used", says, bars, "share of passages", ("origin", "never used", "active"),
             layout={"xaxis": axis})  # fmt: skip


def _copies(copies: CopyFigures) -> None:
    again = copies.active - copies.origins
    says = f"**{copies.origins:,}** different texts; **{count(again, 'passage')}** repeat one of them."
    if not copies.sizes:
        with charts.card("analytics_copies", "Duplicates", says):
            st.caption("No two sources have nearly the same text. Copies count as one origin in a check.")
        return
    names, values = [f"{size:,}" for size, _ in copies.sizes], [n for _, n in copies.sizes]
    orange = [charts.colour("orange")] * len(names)
    drawn = charts.columns(names, values, "", "texts", "passages that share a text", 280, orange)
    rows = [
        Row((c.id, c.text, c.passages, c.domains),
            f"{c.passages} times, {count(c.domains, 'domain')}: {shorten(c.text, 80)}", {"passage": c.id})
        for c in copies.largest
    ]  # fmt: skip
    alt = f"Bar chart: {sum(values):,} texts occur in more than one passage."
    head = ("first passage", "text", "passages", "domains")
    chart_card("analytics_copies", "Duplicates", says, drawn if len(names) > 1 else None, alt, head, rows)
