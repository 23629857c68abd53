"""The parts of the pipeline measured alone: reading a passage, finding evidence, time and memory."""

from collections.abc import Sequence

import streamlit as st

from bench.stored import Retrieval, Speed, Stance
from ghost.ui.quality.charts import Dot, Dots, class_of, data_set, dot_plot, heatmap, provenance
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count, plain

TRAPS = {"negation": "negation", "number": "a number", "date": "a date", "entity": "a name",
         "quantifier": "a quantifier", "none": "no trap"}  # fmt: skip
ORDERS = {"lexical": "by words", "dense": "by meaning", "fused": "both, fused", "reranked": "reranked"}
_WRITTEN = {"ndcg@10": "nDCG@10"}
"""Figures as they are usually written."""
_OUTCOMES = {
    "True": ("Met", "check", "green"), "False": ("Missed", "close", "red"), "None": ("Unknown", "help", "gray"),
}  # fmt: skip


def stance(results: Sequence[Stance]) -> None:
    """Pairs of claim and evidence, read by the model that weighs evidence."""
    st.markdown(
        "The model that weighs evidence reads pairs of a claim and a passage and says whether the passage supports or "
        "refutes the claim. A *trap* is a small difference that turns the sense: a negation, a number, a date, a name."
    )
    names = [data_set(r.pairs.name) for r in results]
    pairs = list(zip(names, results, strict=True))
    with charts.card("quality_stance", "All data sets", "The lines are 95% intervals."):
        series = [
            Dots("accuracy", "blue", "circle", [Dot(n, r.accuracy, r.intervals.get("accuracy")) for n, r in pairs]),
            Dots("macro-F1", "orange", "diamond", [Dot(n, r.macro_f1, r.intervals.get("macro_f1")) for n, r in pairs]),
        ]
        told = "; ".join(f"{n}: accuracy {r.accuracy:.2f}, macro-F1 {r.macro_f1:.2f}" for n, r in pairs)
        drawn = dot_plot(series, names, "Stance by data set", "share of pairs, 0 to 1")
        charts.draw(drawn, "quality_stance", f"Dot plot of accuracy and macro-F1. {told}.")
        rows = [Row((n, r.n, r.accuracy, r.macro_f1)) for n, r in pairs]
        charts.figures_below(Table("stance", ("data set", "pairs", "accuracy", "macro-F1"), rows), "quality_stance")
    for number, (name, result) in enumerate(pairs):
        st.subheader(plain(f"{name}, {count(result.n, 'pair')}"), anchor=False)
        left, right = st.columns(2)
        with left:
            _traps(result, f"quality_traps_{number}")
        with right, charts.card(f"quality_stance_confusion_{number}", "Confusion", "The diagonal is right."):
            told = "; ".join(
                f"expected {class_of(label)}: " + ", ".join(f"{class_of(to)} {n:,}" for to, n in row.items())
                for label, row in result.confusion.items()
            )
            drawn = heatmap(result.confusion, "Pairs by expected and found stance")
            charts.draw(drawn, f"quality_stance_confusion_{number}", f"Confusion matrix. {told}.")
        provenance(result)


def _traps(result: Stance, key: str) -> None:
    with charts.card(key, "By trap", "Where claim and passage differ in something small and telling."):
        traps = [(TRAPS.get(name, name), part) for name, part in result.by_trap.items() if part.accuracy is not None]
        if not traps:
            st.caption("This result does not tell traps apart.")
            return
        names = [f"{name} ({part.n:,})" for name, part in traps]
        values = [part.accuracy or 0.0 for _, part in traps]
        drawn = charts.rows(
            names, values, "Accuracy by kind of trap", "share of pairs",
            texts=[f"{value:.0%}" for value in values],
            hover=[f"{name}: {value:.1%} of {count(part.n, 'pair')} read rightly"
                   for (name, part), value in zip(traps, values, strict=True)],
        )  # fmt: skip
        drawn["layout"]["xaxis"] |= {"tickformat": ".0%", "range": [0, 1.05]}
        charts.draw(drawn, key, "Bar chart of accuracy by trap: " + ", ".join(
            f"{name} {value:.2f}" for name, value in zip(names, values, strict=True)))  # fmt: skip
        rows = [Row((name, part.n, part.accuracy, part.macro_f1)) for name, part in traps]
        charts.figures_below(Table("traps", ("trap", "pairs", "accuracy", "macro-F1"), rows), key)


def retrieval(results: Sequence[Retrieval]) -> None:
    """Search by words, by meaning, fused and reranked."""
    st.markdown(
        "Whether the documents that bear on a claim are among the first. *nDCG@10* rewards finding them early within "
        "the first ten; *recall@20* is the share that is among the first twenty, which is what the next step reads."
    )
    for number, result in enumerate(results):
        key, name = f"quality_retrieval_{number}", data_set(result.claims.name)
        corpus = result.corpus.get("passages", 0)
        says = f"{count(result.n, 'claim')} over {count(corpus, 'passage')}. The lines are 95% intervals."
        with charts.card(key, plain(name), says):
            series = [
                Dots(_WRITTEN.get(figure, figure), colour, symbol, [
                    Dot(words, getattr(result, order)[figure], result.intervals.get(order, {}).get(figure))
                    for order, words in ORDERS.items() if figure in getattr(result, order)
                ])
                for figure, colour, symbol in (("ndcg@10", "blue", "circle"), ("recall@20", "green", "square"))
            ]  # fmt: skip
            drawn = dot_plot(series, list(ORDERS.values()), "Finding the evidence, by way of searching", "0 to 1")
            told = "; ".join(f"{w}: nDCG@10 {getattr(result, o).get('ndcg@10', 0):.2f}" for o, w in ORDERS.items())
            charts.draw(drawn, key, f"Dot plot of nDCG@10 and recall@20. {told}.")
            measures = list(result.lexical)
            rows = [Row((w, *(getattr(result, o).get(m) for m in measures))) for o, w in ORDERS.items()]
            charts.figures_below(Table("retrieval", ("order", *(_WRITTEN.get(m, m) for m in measures)), rows), key)
            provenance(result)


def speed(results: Sequence[Speed]) -> None:
    """Time and memory beside what was promised."""
    for result in results:
        st.subheader(f"Over {count(result.passages, 'passage')}", anchor=False)
        with st.container(border=True, gap="small"):
            for goal in result.goals:
                look = _OUTCOMES.get(str(goal.get("met")), _OUTCOMES["None"])
                measured, unit = goal.get("measured"), str(goal.get("unit", ""))
                value = "not measured" if measured is None else f"{measured:,.3g} {unit}"
                st.markdown(
                    f"{theme.badge(*look)} {plain(str(goal.get('what', '')))}: **{plain(value)}**, "
                    f"goal {plain(str(goal.get('goal', '')))}"
                )
        steps = result.verification.get("steps_p50_ms")
        if isinstance(steps, dict) and steps:
            with charts.card("quality_steps", "Where the time goes", ""):
                names, values = list(map(str, steps)), [float(v) for v in steps.values()]
                drawn = charts.rows(
                    names, values, "Median time of each step of a verification", "milliseconds",
                    texts=[f"{v:.1f} ms" for v in values],
                )  # fmt: skip
                charts.draw(drawn, "quality_steps", "Bar chart of the time of each step.")
        provenance(result)
