"""Verdicts on claims whose answer is known: all data sets at a glance, then one in detail."""

from collections.abc import Sequence

import streamlit as st

from bench.stored import Verdicts
from ghost.ui.quality.charts import Dot, Dots, class_of, data_set, dot_plot, heatmap, provenance
from ghost.ui.quality.curves import coverage, reliability
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count, plain


def view(results: Sequence[Verdicts]) -> None:
    """The comparison, and one result."""
    names = [_name(result) for result in results]
    st.markdown(
        "\n".join(f"- {plain(name)}: **{plain(result.lead)}**" for name, result in zip(names, results, strict=True))
    )
    _compare(results, names)
    _costs(results, names)
    wanted = st.selectbox(
        "One result in detail", range(len(results)), key="quality_result", format_func=lambda i: names[i],
        persist_state="session",
    )  # fmt: skip
    result = results[wanted if wanted is not None and wanted < len(results) else 0]
    _figures(result)
    left, right = st.columns(2)
    with left:
        _confusion(result)
        coverage(result)
    with right:
        reliability(result)
        _classes(result)
    with charts.card("quality_measured", "How it was measured", ""):
        provenance(result)


def _name(result: Verdicts) -> str:
    return f"{data_set(result.claims.name)}, {result.judge.name}"


def _commonest(result: Verdicts) -> float:
    """How often somebody is right who always gives the commonest answer."""
    return max(scores.n for scores in result.by_class.values()) / result.n


def _compare(results: Sequence[Verdicts], names: list[str]) -> None:
    says = (
        "The lines are 95% intervals. *Macro-F1* gives each answer the same weight, however rare it is; the triangle "
        "is what always giving the commonest answer would reach in accuracy."
    )
    with charts.card("quality_compare", "All data sets", says):
        pairs = list(zip(names, results, strict=True))
        series = [
            Dots("accuracy", "blue", "circle", [Dot(n, r.accuracy, r.intervals.get("accuracy")) for n, r in pairs]),
            Dots("macro-F1", "orange", "diamond", [Dot(n, r.macro_f1, r.intervals.get("macro_f1")) for n, r in pairs]),
            Dots("commonest answer", "gray", "triangle-up", [Dot(n, _commonest(r)) for n, r in pairs]),
        ]
        drawn = dot_plot(series, names, "Verdicts by data set and judge", "share of claims, 0 to 1")
        told = "; ".join(f"{n}: accuracy {r.accuracy:.2f}, macro-F1 {r.macro_f1:.2f}" for n, r in pairs)
        charts.draw(drawn, "quality_compare", f"Dot plot of accuracy and macro-F1 with intervals. {told}.")
        head = ("data set", "judge", "claims", "accuracy", "from", "to", "macro-F1", "from", "to", "calibration error",
                "seconds p50", "seconds p95", "USD per claim")  # fmt: skip
        charts.figures_below(Table("verdicts", head, [Row(_cells(r)) for r in results]), "quality_compare")


def _cells(r: Verdicts) -> tuple[object, ...]:
    accuracy, macro = (r.intervals.get(name, (None, None)) for name in ("accuracy", "macro_f1"))
    return (
        data_set(r.claims.name), r.judge.name, r.n, r.accuracy, *accuracy, r.macro_f1, *macro, r.ece, r.seconds_p50,
        r.seconds_p95, r.cost_usd_per_claim,
    )  # fmt: skip


def _costs(results: Sequence[Verdicts], names: list[str]) -> None:
    pairs = list(zip(names, results, strict=True))
    dearest = max(r.cost_usd_per_claim for r in results)
    says = "Nothing was paid: no claim left the machine." if not dearest else f"At most {dearest:.4f} USD a claim."
    says += " Measured with " + ", ".join(sorted({str(r.workers) for r in results})) + " claims at a time."
    if any(_busy(r) for r in results):
        says += " The machine was busy with other things too, so the times are too long."
    with charts.card("quality_costs", "Time and cost", says):
        series = [
            Dots("median", "blue", "circle", [Dot(n, r.seconds_p50) for n, r in pairs]),
            Dots("95 of 100 are faster", "violet", "square", [Dot(n, r.seconds_p95) for n, r in pairs]),
        ]
        drawn = dot_plot(series, names, "Seconds for a claim, by data set and judge", "seconds", None)
        told = "; ".join(f"{n}: median {r.seconds_p50:.2f} s" for n, r in pairs)
        charts.draw(drawn, "quality_costs", f"Dot plot of seconds for a claim. {told}.")
        rows = [
            Row((n, r.seconds_p50, r.seconds_p95, r.cost_usd_per_claim, r.workers)) for n, r in pairs
        ]  # fmt: skip
        head = ("result", "seconds p50", "seconds p95", "USD per claim", "claims at a time")
        charts.figures_below(Table("time-and-cost", head, rows), "quality_costs")


def _busy(result: Verdicts) -> bool:
    load, cores = result.machine.get("load_average"), result.machine.get("cores")
    return isinstance(load, int | float) and isinstance(cores, int) and load > cores + result.workers


def _figures(result: Verdicts) -> None:
    st.subheader(plain(_name(result)), anchor=False)
    corpus = result.corpus.get("passages")
    over = f" over {count(corpus, 'passage')}" if isinstance(corpus, int) else " over the seed facts"
    failed = f" {count(result.failures, 'run')} failed." if result.failures else ""
    st.caption(
        f"{count(result.n, 'claim')}{over}. Judge: {plain(result.judge.name)} ({plain(result.judge.model)}).{failed}"
    )
    cited = result.citations
    compared = count(cited.of_gold_documents, "citation")
    agrees = f"How often an accepted citation takes the side of the label; {compared} could be compared."
    with st.container(horizontal=True, key="quality_metrics"):
        for label, value, note in (
            ("Accuracy", _figure(result.accuracy), _between(result, "accuracy")),
            ("Macro-F1", _figure(result.macro_f1), _between(result, "macro_f1")),
            (
                "Calibration error",
                _figure(result.ece),
                f"Confidence against outcome. {_between(result, 'ece')}{_perfect(result)}",
            ),
            (
                "Takes a side",
                theme.percent(result.decided.share or 0.0),
                "Share of claims on which it did not abstain.",
            ),
            ("Then right", _figure(result.decided.accuracy), "Accuracy among the claims on which it took a side."),
            ("Evidence found", _figure(result.evidence_recall), "Share of the known documents that became evidence."),
            ("Citations accepted", f"{cited.accepted:,} of {cited.proposed:,}", "By the citation gate."),
            ("Stance as labelled", _figure(cited.stance_agrees_with_gold), agrees),
        ):
            st.metric(label, value, help=note, border=True, width=170)


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _between(result: Verdicts, name: str) -> str:
    interval = result.intervals.get(name)
    return f"95% interval {interval[0]:.3f} to {interval[1]:.3f}." if interval else ""


def _perfect(result: Verdicts) -> str:
    perfect = result.ece_if_perfect
    if not perfect:
        return ""
    return f" Chance alone gives a perfectly calibrated judge {perfect.mean:.3f}, and up to {perfect.below:.3f}."


def _confusion(result: Verdicts) -> None:
    with charts.card("quality_confusion", "Confusion", "Rows add up to 100%; the diagonal is right."):
        drawn = heatmap(result.confusion, "Claims by expected and found answer")
        told = "; ".join(
            f"expected {class_of(label)}: " + ", ".join(f"{class_of(to)} {n:,}" for to, n in row.items())
            for label, row in result.confusion.items()
        )
        charts.draw(drawn, "quality_confusion", f"Confusion matrix. {told}.")
        rows = [Row((class_of(a), class_of(b), n)) for a, row in result.confusion.items() for b, n in row.items()]
        charts.figures_below(Table("confusion", ("expected", "found", "claims"), rows, linked=16), "quality_confusion")


def _classes(result: Verdicts) -> None:
    with charts.card("quality_classes", "Answer by answer", "Precision: how often the answer is right when given. "
                     "Recall: how often it is given when right."):  # fmt: skip
        st.dataframe(
            {
                "Answer": [class_of(label) for label in result.by_class],
                "Claims": [scores.n for scores in result.by_class.values()],
                "Precision": [scores.precision for scores in result.by_class.values()],
                "Recall": [scores.recall for scores in result.by_class.values()],
                "F1": [scores.f1 for scores in result.by_class.values()],
            },
            hide_index=True, key="quality_classes",
            column_config=dict.fromkeys(("Precision", "Recall", "F1"), st.column_config.NumberColumn(format="%.2f")),
        )  # fmt: skip
