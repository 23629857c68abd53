"""How far the confidence of verdicts is to be trusted: the reliability curve, and coverage against accuracy."""

import streamlit as st

from bench.stored import Verdicts
from ghost.records import wilson_interval
from ghost.ui.shared import charts
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count


def reliability(result: Verdicts) -> None:
    """Groups of verdicts of about the same confidence: how many of them are right."""
    curve = result.calibration
    says = "On the dashed line, confidence is right: of verdicts that say 70%, 70% hold. Above it, it is too modest."
    with charts.card("quality_reliability", "Reliability", says):
        if not curve:
            st.caption("This result holds no confidences.")
            return
        spans = [wilson_interval(round(c.accuracy * c.n), c.n) for c in curve]
        ideal = {
            "type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
            "line": {"dash": "dash", "width": 1.5, "color": charts.colour("gray")},
        }  # fmt: skip
        points = {
            "type": "scatter", "mode": "lines+markers", "x": [c.confidence for c in curve],
            "y": [c.accuracy for c in curve], "line": {"color": charts.colour("blue"), "width": 1.5},
            "marker": {"size": 9, "color": charts.colour("blue")},
            "error_y": {
                "type": "data", "symmetric": False, "thickness": 1.2, "width": 4, "color": charts.colour("blue"),
                "array": [high - c.accuracy for c, (_, high) in zip(curve, spans, strict=True)],
                "arrayminus": [c.accuracy - low for c, (low, _) in zip(curve, spans, strict=True)],
            },
            "hovertext": [
                f"{count(c.n, 'verdict')} with confidence {c.low:.2f} to {c.high:.2f}<br>{c.accuracy:.0%} of them right"
                for c in curve
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }  # fmt: skip
        drawn = charts.figure(
            [ideal, points], f"Reliability, {count(result.n, 'claim')} in {len(curve)} groups", 360,
            xaxis={"title": {"text": "confidence of the verdict"}, "range": [0, 1]},
            yaxis={"title": {"text": "share that is right"}, "range": [0, 1]},
        )  # fmt: skip
        told = "; ".join(f"confidence {c.confidence:.2f}: {c.accuracy:.2f} of {c.n}" for c in curve)
        charts.draw(drawn, "quality_reliability", f"Reliability curve. {told}.")
        head = ("verdicts", "confidence from", "to", "mean confidence", "share right")
        rows = [Row((c.n, c.low, c.high, round(c.confidence, 4), round(c.accuracy, 4))) for c in curve]
        charts.figures_below(Table("reliability", head, rows), "quality_reliability")
        if not result.reliability:
            st.caption(
                "Worked out from the coverage curve: each group stands at the middle of its confidences, the surest "
                "one at its lower end."
            )


def coverage(result: Verdicts) -> None:
    """The surest tenth, two tenths and so on: how many of them are right."""
    curve = result.coverage_accuracy
    says = "How right the surest verdicts are: useful when only those are acted on."
    with charts.card("quality_coverage", "Coverage against accuracy", says):
        if not curve:
            st.caption("This result holds no confidences.")
            return
        line = {
            "type": "scatter", "mode": "lines+markers", "x": [c.coverage for c in curve],
            "y": [c.accuracy for c in curve], "line": {"color": charts.colour("green"), "width": 2},
            "marker": {"size": 9, "symbol": "square", "color": charts.colour("green")},
            "hovertext": [
                f"The surest {c.coverage:.0%}: {count(c.n, 'verdict')}, confidence {c.confidence:.2f} and more<br>"
                f"{c.accuracy:.0%} of them right"
                for c in curve
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }  # fmt: skip
        drawn = charts.figure(
            [line], "Accuracy among the surest verdicts", 340,
            xaxis={"title": {"text": "share of the claims, surest first"}, "tickformat": ".0%", "range": [0, 1.05]},
            yaxis={"title": {"text": "share that is right"}, "range": [0, 1]},
        )  # fmt: skip
        told = "; ".join(f"surest {c.coverage:.0%}: {c.accuracy:.2f}" for c in curve)
        charts.draw(drawn, "quality_coverage", f"Coverage curve. {told}.")
        head = ("share", "verdicts", "least confidence", "accuracy")
        rows = [Row((c.coverage, c.n, c.confidence, c.accuracy)) for c in curve]
        charts.figures_below(Table("coverage", head, rows), "quality_coverage")
