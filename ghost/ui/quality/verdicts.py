"""Verdicts on claims with known answers: all data sets at a glance, then one in detail."""

from collections.abc import Sequence

import streamlit as st

from bench.result_types import Verdicts
from ghost.records import wilson_interval
from ghost.ui.quality.charts import Dots, class_of, confusion_card, data_set, dot_card, provenance
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row
from ghost.ui.shared.parts import chart_card, metrics
from ghost.ui.shared.text import count, plain

_RIGHT = {"title": {"text": "share that is right"}, "range": [0, 1]}


def view(results: Sequence[Verdicts]) -> None:
    """The comparison, and one result."""
    pairs = [(f"{data_set(r.claims.name)}, {r.judge.name}", r) for r in results]
    st.markdown("\n".join(f"- {plain(name)}: **{plain(r.lead)}**" for name, r in pairs))
    _compare(pairs)
    _costs(pairs)
    wanted = st.selectbox(
        "One result in detail", range(len(results)), key="quality_result", format_func=lambda i: pairs[i][0],
        persist_state="session",
    )  # fmt: skip
    name, result = pairs[wanted if wanted is not None and wanted < len(results) else 0]
    _figures(result, name)
    left, right = st.columns(2)
    with left:
        confusion_card("quality_confusion", "Confusion matrix", "Rows add up to 100%; the diagonal is right.",
                       result.confusion)  # fmt: skip
        _coverage(result)
    with right:
        _reliability(result)
        _classes(result)
    with charts.card("quality_measured", "How it was measured", ""):
        provenance(result)


def _compare(pairs: Sequence[tuple[str, Verdicts]]) -> None:
    majority = {name: (max(scores.n for scores in r.by_class.values()) / r.n, None) for name, r in pairs}
    series = [
        Dots("accuracy", "blue", "circle", {n: (r.accuracy, r.intervals.get("accuracy")) for n, r in pairs}),
        Dots("macro-F1", "orange", "diamond", {n: (r.macro_f1, r.intervals.get("macro_f1")) for n, r in pairs}),
        Dots("majority baseline", "gray", "triangle-up", majority),
    ]
    head = ("data set", "judge", "claims", "accuracy", "from", "to", "macro-F1", "from", "to", "calibration error",
            "seconds p50", "seconds p95", "USD per claim")  # fmt: skip
    unknown = (None, None)
    cells = [
        (data_set(r.claims.name), r.judge.name, r.n, r.accuracy, *r.intervals.get("accuracy", unknown), r.macro_f1,
         *r.intervals.get("macro_f1", unknown), r.ece, r.seconds_p50, r.seconds_p95, r.cost_usd_per_claim)
        for _, r in pairs
    ]  # fmt: skip
    dot_card(
        "quality_compare", "Verdicts by data set and judge",
        "Lines are 95% intervals. *Macro-F1* weighs each answer equally, however rare; the triangle is the accuracy of "
        "always giving the most common answer.", series, "share of claims, 0 to 1", head, cells,
    )  # fmt: skip


def _costs(pairs: Sequence[tuple[str, Verdicts]]) -> None:
    dearest = max(r.cost_usd_per_claim for _, r in pairs)
    says = "No cost: no claim left the machine." if not dearest else f"At most {dearest:.4f} USD per claim."
    says += " Measured with " + ", ".join(sorted({str(r.workers) for _, r in pairs})) + " claims at a time."
    if any(_busy(r) for _, r in pairs):
        says += " The machine was busy with other work, so the times are too long."
    series = [
        Dots("median", "blue", "circle", {n: (r.seconds_p50, None) for n, r in pairs}),
        Dots("95th percentile", "violet", "square", {n: (r.seconds_p95, None) for n, r in pairs}),
    ]
    head = ("result", "seconds p50", "seconds p95", "USD per claim", "claims at a time")
    rows = [(n, r.seconds_p50, r.seconds_p95, r.cost_usd_per_claim, r.workers) for n, r in pairs]
    dot_card("quality_costs", "Time and cost per claim", says, series, "seconds", head, rows, None)


def _busy(result: Verdicts) -> bool:
    load, cores = result.machine.get("load_average"), result.machine.get("cores")
    return isinstance(load, int | float) and isinstance(cores, int) and load > cores + result.workers


def _figures(result: Verdicts, name: str) -> None:
    st.subheader(plain(name), anchor=False)
    corpus = result.corpus.get("passages")
    over = f" with {count(corpus, 'passage')}" if isinstance(corpus, int) else " with the starter library"
    failed = f" {count(result.failures, 'run')} failed." if result.failures else ""
    st.caption(
        f"{count(result.n, 'claim')}{over}. Judge: {plain(result.judge.name)} ({plain(result.judge.model)}).{failed}"
    )
    cited = result.citations

    def figure(value: float | None) -> str:
        return "unknown" if value is None else f"{value:.3f}"

    def between(key: str) -> str:
        interval = result.intervals.get(key)
        return f"95% interval {interval[0]:.3f} to {interval[1]:.3f}." if interval else ""

    chance = ""
    if perfect := result.ece_if_perfect:
        chance = f" A perfectly calibrated judge gets {perfect.mean:.3f} by chance, up to {perfect.below:.3f}."
    metrics("quality_metrics", [
        ("Accuracy", figure(result.accuracy), between("accuracy")),
        ("Macro-F1", figure(result.macro_f1), between("macro_f1")),
        ("Calibration error", figure(result.ece),
         f"Confidence compared with outcome. {between('ece')}{chance}"),
        ("Decided", theme.percent(result.decided.share or 0.0), "Share of claims with a verdict."),
        ("Right when decided", figure(result.decided.accuracy), "Accuracy among the claims with a verdict."),
        ("Evidence found", figure(result.evidence_recall), "Share of the known documents that became evidence."),
        ("Citations accepted", f"{cited.accepted:,} of {cited.proposed:,}", "By the citation gate."),
        ("Stance as labelled", figure(cited.stance_agrees_with_gold),
         f"Accepted citations on the side of the label, of {count(cited.of_gold_documents, 'citation')} compared."),
    ], 170)  # fmt: skip


def _classes(result: Verdicts) -> None:
    says = "Precision: how often an answer is right when given. Recall: how often it is given when right."
    rows = [
        {"Answer": class_of(label), "Claims": s.n, "Precision": s.precision, "Recall": s.recall, "F1": s.f1}
        for label, s in result.by_class.items()
    ]
    with charts.card("quality_classes", "By answer", says):
        st.dataframe(
            rows, hide_index=True, key="quality_classes",
            column_config=dict.fromkeys(("Precision", "Recall", "F1"), st.column_config.NumberColumn(format="%.2f")),
        )  # fmt: skip


def _reliability(result: Verdicts) -> None:
    """Groups of verdicts with similar confidence: how many of them are right."""
    curve = result.calibration
    spans = [wilson_interval(round(c.accuracy * c.n), c.n) for c in curve]
    ideal = {
        "type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
        "line": {"dash": "dash", "width": 1.5, "color": charts.colour("gray")},
    }  # fmt: skip
    points = _line("blue", "circle", [c.confidence for c in curve], [c.accuracy for c in curve], [
        f"{count(c.n, 'verdict')} with confidence {c.low:.2f} to {c.high:.2f}<br>{c.accuracy:.0%} of them right"
        for c in curve
    ]) | {
        "error_y": {
            "type": "data", "symmetric": False, "thickness": 1.2, "width": 4, "color": charts.colour("blue"),
            "array": [high - c.accuracy for c, (_, high) in zip(curve, spans, strict=True)],
            "arrayminus": [c.accuracy - low for c, (low, _) in zip(curve, spans, strict=True)],
        },
    }  # fmt: skip
    _curve_card(
        "quality_reliability", "Reliability",
        "On the dashed line, confidence is accurate: of verdicts with 70%, 70% are right. Above it, Ghost is too "
        "cautious.", [ideal, points], {"title": {"text": "confidence of the verdict"}, "range": [0, 1]},
        "; ".join(f"confidence {c.confidence:.2f}: {c.accuracy:.2f} of {c.n}" for c in curve),
        ("verdicts", "confidence from", "to", "mean confidence", "share right"),
        [Row((c.n, c.low, c.high, round(c.confidence, 4), round(c.accuracy, 4))) for c in curve],
        "" if result.reliability else "Derived from the coverage curve: each group is drawn at its middle confidence, "
        "the surest at its lower end.",
    )  # fmt: skip


def _coverage(result: Verdicts) -> None:
    """The surest tenth, two tenths and so on: how many of them are right."""
    curve = result.coverage_accuracy
    line = _line("green", "square", [c.coverage for c in curve], [c.accuracy for c in curve], [
        f"The surest {c.coverage:.0%}: {count(c.n, 'verdict')}, confidence {c.confidence:.2f} or more<br>"
        f"{c.accuracy:.0%} of them right" for c in curve
    ])  # fmt: skip
    _curve_card(
        "quality_coverage", "Accuracy of the surest verdicts", "Useful when only these are acted on.", [line],
        {"title": {"text": "share of the claims, surest first"}, "tickformat": ".0%", "range": [0, 1.05]},
        "; ".join(f"surest {c.coverage:.0%}: {c.accuracy:.2f}" for c in curve),
        ("share", "verdicts", "least confidence", "accuracy"),
        [Row((c.coverage, c.n, c.confidence, c.accuracy)) for c in curve],
    )  # fmt: skip


def _line(colour: str, symbol: str, x: list[float], y: list[float], hover: list[str]) -> charts.Figure:
    shade = charts.colour(colour)
    return {
        "type": "scatter", "mode": "lines+markers", "x": x, "y": y, "line": {"color": shade, "width": 1.8},
        "marker": {"size": 9, "symbol": symbol, "color": shade}, "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _curve_card(
    key: str, heading: str, says: str, traces: Sequence[charts.Figure], x_axis: charts.Figure, told: str,
    head: Sequence[str], rows: Sequence[Row], note: str = "",
) -> None:  # fmt: skip
    """A curve over shares; says so when the result has none."""
    if not rows:
        with charts.card(key, heading, says):
            st.caption("This result has no confidences.")
        return
    drawn = charts.figure(traces, "", 330, xaxis=x_axis, yaxis=_RIGHT)
    chart_card(key, heading, says, drawn, f"{heading}. {told}.", head, rows, note=note)
