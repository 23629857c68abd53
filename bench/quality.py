"""Results of quality as tables, and how they look in a terminal."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.metrics import LEVEL
from bench.result_types import OPEN, Everyday, Verdicts, by_kind
from bench.rows import DataError
from bench.stability import aims, table

Rows = list[list[str]]
"""A table, its head first."""

_WHAT = {"verdicts": "Verdicts", "stance": "Stance", "retrieval": "Retrieval", "matching": "Claim match"}
_RETRIEVAL = (("ndcg@10", "nDCG@10"), ("recall@5", "recall@5"), ("recall@20", "recall@20"),
              ("recall@100", "recall@100"), ("mrr", "MRR"))  # fmt: skip
_OUTSIDE = {
    "outside": (
        ("accuracy", "right"), ("same_found", "the same called so"), ("false_same", "others called the same"),
    ),
    "listed": (
        ("recall_at_5", "the repeated claim is among the first five"),
        ("recall_at_5_by_cosine", "the same by cosine alone"),
        ("true_called_same", "the repeated claim is called the same"),
        ("other_first_called_same", "another claim that comes first is called the same"),
    ),
}  # fmt: skip
_ORDERS = ("lexical", "dense", "fused", "reranked")


def terminal(result: dict[str, Any]) -> str:
    """One result in aligned columns."""
    parts = [title(result)]
    for rows in tables(result):
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        parts.append(
            "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)
        )
    return "\n\n".join([*parts, measured(result)])


def read_results(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Results that were written with ``--json``; raises DataError on a file that is none."""
    found = []
    for file in files:
        try:
            result = json.loads(file.read_text(encoding="utf-8"))
            title(result)
            measured(result)
            tables(result)
            if result["benchmark"] == "everyday":
                Everyday.model_validate(result)
        except OSError as error:
            raise DataError(f"{file} cannot be read: {error.strerror or error}.") from error
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise DataError(
                f"{file} is not a result of bench everyday, near-misses, verdicts, stance, retrieval, matching, demo, "
                f"reading, asking, research, api, analysts or pipelines ({error!r})."
            ) from error
        found.append(result)
    return found


def title(result: dict[str, Any]) -> str:
    """What was measured on what."""
    if result["benchmark"] == "reading":
        return f"Reading: {result['pages']} pages with {result['characters']:,} characters of main text each"
    if result["benchmark"] == "api":
        return f"HTTP API: {result['streams']:,} event streams and {result['rate']:,} requests a second"
    if result["benchmark"] == "analysts":
        where = "PostgreSQL, Chroma, an API and two workers" if result["team"] else "one server"
        return f"Analysts: {result['analysts']:,} at work for {result['seconds']:,.0f} s on {where}"
    if result["benchmark"] == "asking":
        return f"Asking: {result['questions']:,} questions among {result['cards']:,} claim cards"
    if result["benchmark"] == "research":
        return f"Research: {result['plans']:,} plans among {result['memories']:,} memories, embedded models"
    if result["benchmark"] == "pipelines":
        half = "" if result["half"] == "both" else f", the half to {result['half']}"
        part = ", the first of them" if result["limit"] else ""
        return f"Pipelines: {result['n']:,} claims, {result['reruns'] + 5} runs of each{half}{part}"
    if result["benchmark"] == "demo":
        part = ", a sample" if result["limit"] else ""
        return f"Live investigation: {result['n']:,} claims over the demo web, embedded judge{part}"
    if result["benchmark"] == "everyday":
        half = "" if result["half"] == "both" else f", the {result['half']} half"
        part = ", the first of them" if result["limit"] else ""
        return (
            f"Everyday claims: {result['n']:,} over {result['passages']:,} passages of the starter library{half}{part}"
        )
    if result["benchmark"] == "near_misses":
        part = ", the first of them" if result["limit"] else ""
        return f"Near misses: {result['n']:,} claims, each over passages or a page of its own, embedded judge{part}"
    source = result.get("claims") or result["pairs"]
    count = f"{result['n']:,} {'pairs' if 'pairs' in result else 'claims'}"
    over = f" over {result['corpus']['passages']:,} passages" if "corpus" in result else ""
    part = ", a sample" if result["limit"] else ""
    return f"{_WHAT[result['benchmark']]}: {source['name']}, {count}{over}{part}"


def measured(result: dict[str, Any]) -> str:
    """With what it was measured, in a sentence or two."""
    models = ", ".join(f"{m['name']} {m['sha256'][:8]}" for m in result["models"].values())
    models = f" Models: {models}." if models else ""
    judge = f" Judge: {result['judge']['name']} ({result['judge']['model']})." if "judge" in result else ""
    changed = ", ".join(f"{name} = {value}" for name, value in result["settings"].items())
    seed = f" with seed {result['seed']}" if "seed" in result else ""
    return f"Measured on {result['date'][:10]}{seed}, code {result['code'][:8]}.{models}{judge}" + (
        f" Settings: {changed}." if changed else ""
    )


def tables(result: dict[str, Any]) -> list[Rows]:
    """The figures of a result."""
    shown = {
        "everyday": _everyday, "verdicts": _verdicts, "stance": _stance, "retrieval": _retrieval, "demo": _demo,
        "reading": _reading, "matching": _matching, "asking": _asking, "research": _research, "api": _api,
        "pipelines": _pipelines, "analysts": _analysts, "near_misses": _near_misses,
    }  # fmt: skip
    return shown[result["benchmark"]](result)


def _everyday(result: dict[str, Any]) -> list[Rows]:
    groups = {
        **result["parts"],
        **{f"{half} half": part for half, part in result["halves"].items()},
        **{f"kind: {kind}": part for kind, part in result["kinds"].items()},
    }
    figures = ("n", "right", "open", "wrong")
    rows = [["claims", "n", "right", "left open", "wrong"]]
    rows += [[name, *(f"{part[figure]:,}" for figure in figures)] for name, part in groups.items()]
    return [rows, *_missed(result)]


def _near_misses(result: dict[str, Any]) -> list[Rows]:
    rows = [["kind", "traps", "taken", "twins", "settled"]]
    for kind, part in {"all": result["all"], **result["kinds"]}.items():
        rows.append([kind, *(str(part[figure]) for figure in ("traps", "taken", "twins", "settled"))])
    return [rows]


def _pipelines(result: dict[str, Any]) -> list[Rows]:
    return [table(result), [["aim of the embedded judge", ""], *([w, _met(g)] for w, g in aims(result))]]


def _retrieval(result: dict[str, Any]) -> list[Rows]:
    rows = [["order", *(name for _, name in _RETRIEVAL), f"nDCG@10, {LEVEL:.0%} interval"]]
    for order in _ORDERS:
        interval = result["intervals"][order]["ndcg@10"]
        rows.append([order, *(_figure(result[order][key]) for key, _ in _RETRIEVAL), _between(interval)])
    return [rows]


def _verdicts(result: dict[str, Any]) -> list[Rows]:
    cited, decided = result["citations"], result["decided"]
    rows = [["figure", "value", f"{LEVEL:.0%} interval"]]
    rows.append(["decided", f"{decided['share']:.1%}, {_figure(decided['accuracy'])} of them rightly", ""])
    agrees = f"{_figure(cited['stance_agrees_with_gold'])} of {cited['of_gold_documents']:,}"
    rows.append(["citations whose stance agrees with gold", agrees, ""])
    for name, what in (
        ("accuracy", "accuracy"),
        ("macro_f1", "macro-F1"),
        ("ece", "calibration error"),
        ("brier", "Brier score"),
        ("evidence_recall", "evidence recall"),
    ):
        rows.append([what, _figure(result[name]), _between(result["intervals"].get(name))])
        if name == "ece" and (perfect := result.get("ece_if_perfect")):
            told = f"95 in 100 below {perfect['below']:.3f}, its interval to {perfect['upper']:.3f}"
            rows.append(["the same of a perfect judge", _figure(perfect["mean"]), told])
    seconds = f"p50 {result['seconds_p50']:.3f}, p95 {result['seconds_p95']:.3f}, {result['workers']} at a time"
    rows += [
        ["citations", f"{cited['accepted']:,} of {cited['proposed']:,} accepted", ""],
        ["seconds per claim", seconds, ""],
        ["cost per claim", f"{result['cost_usd_per_claim']:.4f} USD", ""],
        ["failed", f"{Verdicts.model_validate(result).failures:,}", ""],
    ]
    coverage = [["surest", *(f"{point['coverage']:.0%}" for point in result["coverage_accuracy"])]]
    coverage.append(["accuracy", *(_figure(point["accuracy"]) for point in result["coverage_accuracy"])])
    return [rows, _confusion(result), coverage]


def _stance(result: dict[str, Any]) -> list[Rows]:
    rows = [["pairs", "n", "accuracy", "macro-F1"], ["all", *_part(result)]]
    rows += [[f"{words} words", *_part(part)] for words, part in result["by_evidence_words"].items()]
    rows += [
        ["no trap" if name == "none" else f"trap: {name}", *_part(part)] for name, part in result["by_trap"].items()
    ]
    classes = [["class", "n", "precision", "recall", "F1"]]
    for label, scores in result["by_class"].items():
        classes.append([label, f"{scores['n']:,}", *(_figure(scores[key]) for key in ("precision", "recall", "f1"))])
    return [rows, classes, _confusion(result)]


def _matching(result: dict[str, Any]) -> list[Rows]:
    goals, near = result["goals"], result["near_opposites"]
    rows = [["figure", "value", f"{LEVEL:.0%} interval", "goal"]]
    for name, what, goal in (
        ("false_same", "others called the same", f"interval up to 2%, {_met(goals['false_same'])}"),
        ("same_found", "the same called so", f"75%, {_met(goals['same_found'])}"),
        ("same_right", "called the same rightly", ""),
        ("opposite_found", "opposites called so", ""),
        ("opposite_right", "called opposite rightly", ""),
    ):
        rows.append([what, *_share(result[name]), goal])
    rows += [
        ["opposites of cosine > 0.9 called so", *_share(near["called_opposite"]), ""],
        ["opposites of cosine > 0.9 called the same", *_share(near["called_same"]), ""],
        ["relation right", _figure(result["accuracy"]), "", ""],
        ["category right", *_share(result["categories"]["right"]), ""],
        ["seconds per pair", _figure(result["seconds_per_pair"]), "", ""],
    ]
    for part, names in _OUTSIDE.items():
        if part in result:
            rows += [[f"{result[part]['name']}: {what}", *_share(result[part][name]), ""] for name, what in names]
    kinds = [["kind of pair", "n", "right", "called the same"]]
    kinds += [
        [kind, *(f"{count:,}" for count in row.values())] for kind, row in result["by_kind"].items() if row["n"] > 2
    ]
    return [rows, _confusion(result), kinds]


def _share(part: dict[str, Any]) -> list[str]:
    if part["share"] is None:
        return ["unknown", ""]
    low, high = part["interval"]
    return [f"{part['share']:.1%} ({part['hits']:,} of {part['n']:,})", f"{low:.1%} to {high:.1%}"]


def _demo(result: dict[str, Any]) -> list[Rows]:
    low, high = result["intervals"]["accuracy"]
    quotes = result["right_quoting_right_pages"]
    rows = [
        ["figure", "value", f"{LEVEL:.0%} interval", "goal"],
        ["right verdicts", f"{result['accuracy']:.3f}", f"{low:.3f} to {high:.3f}", ""],
        ["left open though the web tells", f"{result['open_though_known']:,}", "", ""],
        ["wrong verdicts", f"{result['wrong']:,}", "", f"none, {_met(not result['wrong'])}"],
        ["right ones quoting the right page", "unknown" if quotes is None else f"{quotes:.3f}", "", ""],
        ["seconds of a run", f"p50 {result['seconds_p50']:.1f}, p95 {result['seconds_p95']:.1f}", "", ""],
    ]
    kinds = [["claims whose verdict is", "n", "right", "left open", "another verdict"]]
    kinds += [[label, *(f"{count:,}" for count in row.values())] for label, row in by_kind(result["confusion"]).items()]
    return [rows, kinds, *_missed(result)]


def _missed(result: dict[str, Any]) -> list[Rows]:
    """The claims with a wrong verdict, where the result still has its claims."""
    claims = result["claims"] if isinstance(result.get("claims"), list) else []
    wrong = [row for row in claims if row["found"] not in (row["label"], *OPEN)]
    rows = [["wrong", "expected", "confidence", "claim"]]
    rows += [[row["found"], row["label"], _figure(row["confidence"]), row["claim"]] for row in wrong]
    return [rows] if wrong else []


def _asking(result: dict[str, Any]) -> list[Rows]:
    rows: Rows = [["answer", "from cards", "seconds, median", "seconds, 95 of 100", "goal"]]
    answered = {"exact": result["answered_exactly"], "contextual": result["answered_contextually"]}
    for name, goal in result["goals"].items():
        times = [f"{result[f'{name}_seconds_{share}']:.3f}" for share in (50, 95)]
        found = f"{answered[name]:,} of {result['questions']:,}"
        rows.append([name, found, *times, f"under {goal:g} s, {_met(result['goals_met'][name])}"])
    return [rows]


def _research(result: dict[str, Any]) -> list[Rows]:
    found = f"{result['exact']:,} exact, {result['match']:,} in other words, {result['none']:,} not known"
    goal = f"under {result['goal']:g} s, {_met(result['goal_met'])}"
    gate: Rows = [
        ["the gate, for the questions of a plan", "value", "goal"],
        ["seconds, median", f"{result['gate_seconds_50']:.3f}", goal],
        ["seconds, 95 of 100", f"{result['gate_seconds_95']:.3f}", ""],
        ["seconds, the first time", f"{result['gate_first_seconds']:.3f}", ""],
        ["questions", found, ""],
    ]
    answers: Rows = [[f"answers to {result['questions']:,} questions from the starter library", "number"]]
    answers += [[name.replace("_", " "), f"{number:,}"] for name, number in result["answered"].items()]
    return [gate, answers]


def _api(result: dict[str, Any]) -> list[Rows]:
    rows: Rows = [["figure", "value", "goal"]]
    for name in ("health", "card"):
        p50, p95, p99 = (result[f"{name}_ms_{share}"] for share in (50, 95, 99))
        rows.append([f"ms until {name} answers", f"p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f}", ""])
    answered = f"{result['requests']:,} in {result['seconds']:.1f} s, {result['requests_per_second']:.0f} a second"
    told = f"{result['events']:,} in {result['streams_read']:,} streams of {result['runs']:,} runs"
    rows += [["requests", answered, ""], ["events", told, ""]]
    return [[*rows, ["errors", f"{result['errors']:,}", f"none, {_met(result['goal_met'])}"]]]


def _analysts(result: dict[str, Any]) -> list[Rows]:
    actions: Rows = [["action", "number", "seconds: p50", "p95", "p99"]]
    for name, took in result["actions"].items():
        actions.append([name, f"{took['n']:,}", *(f"{took[f's_{share}']:.2f}" for share in (50, 95, 99))])
    memory: Rows = [["memory in MB", "half-way", "at the end", "at most"]]
    for name, took in result["memory_mb"].items():
        memory.append([name, *(f"{took[when]:,.0f}" for when in ("half", "end", "most"))])
    goals: Rows = [
        ["goal", ""],
        ["no error", f"{result['errors']:,} errors, {_met(result['goal_met'])}"],
        ["memory grows by less than 10% over the second half", _met(result["flat"])],
    ]
    return [actions, memory, goals]


def _reading(result: dict[str, Any]) -> list[Rows]:
    over = result["over_the_limit"]
    slowest = max(over, key=over.__getitem__)
    pages = f"{result['pages']} pages"
    return [[
        ["figure", "value", "goal"],
        [f"seconds for {pages}", f"p50 {result['seconds_p50']:.2f}, worst {result['seconds_worst']:.2f}",
         f"under {result['goal_seconds']:g}, {_met(result['goal_met'])}"],
        [f"processor seconds for {pages}", f"p50 {result['processor_p50']:.2f}", ""],
        [f"longest run when every server hangs, limit {result['limit_seconds']:g} s",
         f"{result['limit_seconds'] + over[slowest]:.2f} s ({slowest})",
         f"under {result['limit_seconds'] + result['over_goal']:g} s, {_met(result['over_goal_met'])}"],
    ]]  # fmt: skip


def _met(goal: bool) -> str:
    return "met" if goal else "missed"


def _confusion(result: dict[str, Any]) -> Rows:
    found = sorted({label for row in result["confusion"].values() for label in row})
    rows = [["expected \\ found", *found]]
    return rows + [[label, *(f"{row.get(to, 0):,}" for to in found)] for label, row in result["confusion"].items()]


def _part(part: dict[str, Any]) -> list[str]:
    return [f"{part['n']:,}", _figure(part["accuracy"]), _figure(part["macro_f1"])]


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _between(interval: Sequence[float] | None) -> str:
    return f"{interval[0]:.3f} to {interval[1]:.3f}" if interval else ""
