"""Parts of the pipeline measured alone: stance, retrieval, speed."""

from collections.abc import Sequence

import streamlit as st

from bench.stored import Retrieval, Speed, Stance
from ghost.ui.quality.charts import Dots, confusion_card, data_set, dot_card, goal, provenance
from ghost.ui.shared import charts
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count, plain

TRAPS = {"negation": "negation", "number": "a number", "date": "a date", "entity": "a name",
         "quantifier": "a quantifier", "none": "no trap"}  # fmt: skip
ORDERS = {"lexical": "by words", "dense": "by meaning", "fused": "both, fused", "reranked": "reranked"}
_WRITTEN = {"ndcg@10": "nDCG@10"}
"""Usual spelling of a measure."""


def stance(results: Sequence[Stance]) -> None:
    """Pairs of claim and passage, read by the stance model."""
    st.markdown(
        "The stance model reads a claim and a passage and decides whether the passage supports or refutes the claim. A "
        "*trap* is a small difference that reverses the meaning: a negation, a number, a date, a name."
    )
    pairs = [(data_set(r.pairs.name), r) for r in results]
    series = [
        Dots("accuracy", "blue", "circle", {n: (r.accuracy, r.intervals.get("accuracy")) for n, r in pairs}),
        Dots("macro-F1", "orange", "diamond", {n: (r.macro_f1, r.intervals.get("macro_f1")) for n, r in pairs}),
    ]
    dot_card("quality_stance", "Stance by data set", "Lines are 95% intervals.", series, "share of pairs, 0 to 1",
             ("data set", "pairs", "accuracy", "macro-F1"),
             [(n, r.n, r.accuracy, r.macro_f1) for n, r in pairs])  # fmt: skip
    for number, (name, result) in enumerate(pairs):
        st.subheader(plain(f"{name}, {count(result.n, 'pair')}"), anchor=False)
        left, right = st.columns(2)
        with left:
            _traps(result, f"quality_traps_{number}")
        with right:
            confusion_card(f"quality_stance_confusion_{number}", "Confusion matrix", "The diagonal is right.",
                           result.confusion)  # fmt: skip
        provenance(result)


def _traps(result: Stance, key: str) -> None:
    with charts.card(key, "Accuracy by trap", "Claim and passage differ in one small detail."):
        traps = [(TRAPS.get(name, name), part) for name, part in result.by_trap.items() if part.accuracy is not None]
        if not traps:
            st.caption("This result does not separate traps.")
            return
        names = [f"{name} ({part.n:,})" for name, part in traps]
        values = [part.accuracy or 0.0 for _, part in traps]
        if len(traps) > 1:
            drawn = charts.rows(
                names, values, "", "share of pairs", texts=[f"{value:.0%}" for value in values],
                hover=[f"{name}: {v:.1%} of {count(part.n, 'pair')} right"
                       for (name, part), v in zip(traps, values, strict=True)],
            )  # fmt: skip
            drawn["layout"]["xaxis"] |= {"tickformat": ".0%", "range": [0, 1.05]}
            drawn["layout"] |= {"title": None, "margin": drawn["layout"]["margin"] | {"t": 28}}
            told = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, values, strict=True))
            charts.draw(drawn, key, f"Bar chart of accuracy by trap: {told}")
        rows = [Row((name, part.n, part.accuracy, part.macro_f1)) for name, part in traps]
        charts.figures_below(Table("traps", ("trap", "pairs", "accuracy", "macro-F1"), rows), key)


def retrieval(results: Sequence[Retrieval]) -> None:
    """Search by words, by meaning, fused and reranked."""
    st.markdown(
        "Whether the relevant documents are found early. *nDCG@10* rewards a high rank within the first ten; "
        "*recall@20* is the share among the first twenty, which the next step reads."
    )
    for number, result in enumerate(results):
        corpus = result.corpus.get("passages", 0)
        series = [
            Dots(_WRITTEN.get(measure, measure), colour, symbol, {
                words: (getattr(result, order)[measure], result.intervals.get(order, {}).get(measure))
                for order, words in ORDERS.items() if measure in getattr(result, order)
            })
            for measure, colour, symbol in (("ndcg@10", "blue", "circle"), ("recall@20", "green", "square"))
        ]  # fmt: skip
        measures = list(result.lexical)
        dot_card(
            f"quality_retrieval_{number}", plain(data_set(result.claims.name)),
            f"{count(result.n, 'claim')} over {count(corpus, 'passage')}. Lines are 95% intervals.", series, "0 to 1",
            ("order", *(_WRITTEN.get(m, m) for m in measures)),
            [(words, *(getattr(result, order).get(m) for m in measures)) for order, words in ORDERS.items()],
        )  # fmt: skip
        provenance(result)


def speed(results: Sequence[Speed]) -> None:
    """Time and memory compared with the goals."""
    for result in results:
        st.subheader(f"With {count(result.passages, 'passage')}", anchor=False)
        with st.container(border=True, gap="small"):
            for each in result.goals:
                measured, unit, met = each.get("measured"), str(each.get("unit", "")), each.get("met")
                value = "not measured" if measured is None else f"{measured:,.3g} {unit}"
                words = (
                    f"{plain(str(each.get('what', '')))}: **{plain(value)}**, goal {plain(str(each.get('goal', '')))}"
                )
                goal(met if isinstance(met, bool) else None, words)
        steps = result.verification.get("steps_p50_ms")
        if isinstance(steps, dict) and len(steps) > 1:
            with charts.card("quality_steps", "Median time of each step", ""):
                names, values = list(map(str, steps)), [float(v) for v in steps.values()]
                drawn = charts.rows(names, values, "", "milliseconds", texts=[f"{v:.1f} ms" for v in values])
                drawn["layout"] |= {"title": None, "margin": drawn["layout"]["margin"] | {"t": 28}}
                charts.draw(drawn, "quality_steps", "Bar chart of the time of each step.")
        provenance(result)
