"""What the checks made of the passages: use, stance, and how much says the same again."""

import streamlit as st

from ghost.knowledge import Balance, CopyFigures, UseFigures
from ghost.types import Origin, StanceLabel
from ghost.ui.analytics.sources import browse, kind, share
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Part, Row, Table, Target
from ghost.ui.shared.text import count, shorten

_STANCES = (
    (StanceLabel.SUPPORTS, "supports", "green", ""),
    (StanceLabel.REFUTES, "refutes", "red", "/"),
    (StanceLabel.NEUTRAL, "neutral", "gray", "."),
    (StanceLabel.OFF_TOPIC, "off_topic", "yellow", "x"),
)


def view(use: UseFigures, copies: CopyFigures) -> None:
    """The charts of use, or what to do to have some."""
    if not use.runs:
        st.info(
            "No check has used a stored passage yet. Check a claim, and its use of the passages is counted here.",
            icon=":material/insights:",
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
    says = f"{count(use.runs, 'check')} weighed stored passages {use.uses:,} times."
    with charts.card("analytics_most", "Most used passages", says):
        names = [f"{n}. {shorten(p.source, 24)}" for n, p in enumerate(use.most, 1)]
        places: list[Target | None] = [{"passage": p.id} for p in use.most]
        hover = [
            f"<b>{charts.escaped(shorten(p.source, 60))}</b><br>{charts.wrapped(shorten(p.text, 220))}<br>"
            f"{count(p.runs, 'check')}, cited in {p.cited:,}; supports {p.supports:,}, contradicts {p.refutes:,}"
            for p in use.most
        ]
        drawn = charts.rows(
            names, [p.runs for p in use.most], "Checks that weighed each passage", "checks",
            hover=hover, texts=[f"{p.runs:,} ({p.cited:,} cited)" for p in use.most],
        )  # fmt: skip
        alt = (
            f"Bar chart of the {len(use.most)} most used passages; the first was weighed in {use.most[0].runs} checks."
        )
        drawn["layout"]["xaxis"] |= {"range": [0, use.most[0].runs * 1.3]}
        charts.follow(charts.draw(drawn, "analytics_most", alt, charts.nth(places)))
        table = Table("most-used", ("id", "source", "text", "checks", "cited", "supports", "contradicts"), [
            Row((p.id, p.source, p.text, p.runs, p.cited, p.supports, p.refutes),
                f"{shorten(p.text, 90)} ({count(p.runs, 'check')})", place)
            for p, place in zip(use.most, places, strict=True)
        ], linked=15)  # fmt: skip
        charts.figures_below(table, "analytics_most")


def _balance(use: UseFigures) -> None:
    sides = use.balance.supports + use.balance.refutes
    says = (
        f"Of the uses that take a side, **{share(use.balance.supports, sides)}** support the statement and "
        f"**{share(use.balance.refutes, sides)}** contradict it. A source that always takes one side deserves a look."
    )
    with charts.card("analytics_balance", "Stance balance", says):
        rows = [use.balance, *use.by_type]
        names = ["All sources", *(kind(b.name) for b in use.by_type)]
        _stances(names, rows, "Stance by kind of source", "analytics_balance")
        if use.by_domain:
            _stances(
                [b.name for b in use.by_domain], use.by_domain,
                "Stance by domain, the most used first", "analytics_balance_domains",
            )  # fmt: skip
        head = ("source", "supports", "contradicts", "related", "off topic", "uses")
        table = Table("stance-balance", head, [
            *(Row(_cells(name, b), f"{name}: {count(b.total, 'use')}", browse(source_type=b.name))
              for name, b in zip(names[1:], use.by_type, strict=True)),
            *(Row(_cells(b.name, b), f"{b.name}: {count(b.total, 'use')}", browse(domain=b.name))
              for b in use.by_domain),
        ], linked=24)  # fmt: skip
        charts.figures_below(table, "analytics_balance")


def _cells(name: str, b: Balance) -> tuple[object, ...]:
    return (name, b.supports, b.refutes, b.neutral, b.off_topic, b.total)


def _stances(names: list[str], rows: list[Balance] | tuple[Balance, ...], title: str, key: str) -> None:
    parts = []
    for stance, field, colour, pattern in _STANCES:
        counts = [getattr(b, field) for b in rows]
        word = theme.STANCES[stance].word
        hover = [
            f"{charts.escaped(name)}<br>{word}: {n:,} of {count(b.total, 'use')}"
            for name, n, b in zip(names, counts, rows, strict=True)
        ]
        shares = [n / b.total if b.total else 0.0 for n, b in zip(counts, rows, strict=True)]
        parts.append(Part(word, shares, charts.colour(colour), pattern, hover))
    labels = [f"{shorten(name, 28)} ({b.total:,})" for name, b in zip(names, rows, strict=True)]
    drawn = charts.stacked_rows(labels, parts, title, "share of uses")
    charts.draw(drawn, key, f"Stacked bars: {title}, for {len(rows)} rows.")


def _never(use: UseFigures) -> None:
    says = f"**{count(use.never, 'passage')}** ({share(use.never, use.active)}) were never weighed in a check."
    with charts.card("analytics_never", "Never used", says):
        names = [_origin(origin) for origin, _, _ in use.never_by_origin]
        values = [n / whole for _, n, whole in use.never_by_origin]
        places = [browse(origin=origin, unused="1") if n else None for origin, n, _ in use.never_by_origin]
        drawn = charts.rows(
            names, values, "Share of passages never used, by origin", "share of passages",
            colours=[charts.colour("gray")] * len(names),
            hover=[f"{_origin(o)}: {n:,} of {whole:,} never used" for o, n, whole in use.never_by_origin],
            texts=[f"{value:.0%}" for value in values],
        )  # fmt: skip
        drawn["layout"]["xaxis"] |= {"tickformat": ".0%", "range": [0, 1.05]}
        alt = "Bar chart: share of never used passages by origin."
        charts.follow(charts.draw(drawn, "analytics_never", alt, charts.nth(places)))
        table = Table("never-used", ("origin", "never used", "active"), [
            Row((o, n, whole), f"{_origin(o)}: {n:,} of {count(whole, 'passage')}", place)
            for (o, n, whole), place in zip(use.never_by_origin, places, strict=True)
        ])  # fmt: skip
        charts.figures_below(table, "analytics_never")


def _origin(value: str) -> str:
    return theme.ORIGINS[Origin(value)].word


def _copies(copies: CopyFigures) -> None:
    again = copies.active - copies.origins
    says = f"**{copies.origins:,}** different texts; **{count(again, 'passage')}** repeat one of them."
    with charts.card("analytics_copies", "Duplicates and origins", says):
        if not copies.sizes:
            st.caption("No two sources have nearly the same text. Copies count as one origin when a claim is checked.")
            return
        names = [f"{size:,}" for size, _ in copies.sizes]
        drawn = charts.columns(
            names, [n for _, n in copies.sizes], "Texts that several passages share", "texts",
            "passages with nearly the same text", height=300, colours=[charts.colour("orange")] * len(names),
        )  # fmt: skip
        alt = f"Bar chart: {sum(n for _, n in copies.sizes):,} texts stand in more than one passage."
        charts.draw(drawn, "analytics_copies", alt)
        places = [{"passage": each.id} for each in copies.largest]
        table = Table("copies", ("first passage", "text", "passages", "domains"), [
            Row((c.id, c.text, c.passages, c.domains),
                f"{c.passages} times, {count(c.domains, 'domain')}: {shorten(c.text, 80)}", place)
            for c, place in zip(copies.largest, places, strict=True)
        ])  # fmt: skip
        charts.figures_below(table, "analytics_copies")
