"""A run as it is printed on a terminal. Text from outside loses its control characters first."""

import textwrap
from collections.abc import Iterable, Iterator

from ghost.reports.disclosure import left_the_machine
from ghost.reports.formatting import (
    SNIPPET,
    confidence,
    counted,
    dated,
    harm,
    heading,
    leaning,
    money,
    on_topic,
    origins_line,
    remark,
    scope,
    snippet_ids,
    source,
    truth,
)
from ghost.reports.verdict_notes import analyst_line, pipeline_note, reasons_heading
from ghost.text import one_line
from ghost.types import Citation, Kind, Label, Run, Verdict

_COLORS = {
    Label.TRUE: "32",
    Label.FALSE: "31",
    Label.PARTIALLY_TRUE: "33",
    Label.MISLEADING: "33",
    Label.NOT_ENOUGH_EVIDENCE: "36",
    Label.NOT_VERIFIABLE: "36",
}
"""ANSI foreground colours; green and red only for what is decided."""


def terminal(run: Run, width: int = 80, color: bool = False) -> str:
    """The verdict, why, and every citation, at most ``width`` columns wide; URLs are never broken."""
    width = max(width, 40)
    lines = [*_headline(run, color), ""]
    lines += wrap(run.claim.text, width, "  ")
    for note in (*scope(run.settings, run.classification), *pipeline_note(run)):
        lines += wrap(f"{note}.", width, "  ", 2)
    if run.verdict:
        lines += _verdict(run, run.verdict, width)
    if not run.verdict and (weighed := on_topic(run.evidence)):
        lines += ["", "  Evidence that was weighed before the run ended:"]
        for e in weighed:
            stance = e.stance.label.lower()
            lines += wrap(f"[{e.number}] {source(e.passage)}, {stance}: {e.passage.text}", width, "  ", 4)
    lines += ["", *_footer(run, width)]
    return "\n".join(lines) + "\n"


def _headline(run: Run, color: bool) -> Iterator[str]:
    if not run.verdict:
        yield f"No verdict: the run is {run.status.value}. {one_line(run.error)}".rstrip()
        return
    if run.review.override:
        yield f"{run.review.override.label.value}: {analyst_line(run)}"
        yield "Ghost's own verdict:"
    label = run.verdict.label
    shown = f"\x1b[1;{_COLORS[label]}m{label.value}\x1b[0m" if color else label.value
    beside = (
        confidence(run.verdict), truth(run.verdict.truth_percentage),
        "contested" if run.verdict.contested else "", harm(run.verdict.harm),
    )  # fmt: skip
    yield " · ".join([shown, *filter(None, beside)])


def _verdict(run: Run, verdict: Verdict, width: int) -> Iterator[str]:
    if verdict.explanation:
        yield ""
        yield from wrap(verdict.explanation, width, "  ")
    statements = run.classification.statements if run.classification else ()
    if len(statements) > 1:
        decided = {s.statement: s.label.value for s in verdict.statements}
        yield ""
        for s in statements:
            yield from wrap(f"{s.number}. {decided.get(s.number, 'Open')}: {s.text}", width, "  ", 3)
    for r in verdict.reasons if reasons_heading(verdict, run.review.override) else ():
        if r.text != verdict.explanation:
            yield ""
            yield from wrap(r.text, width, "  ")
        yield from wrap(r.remedy, width, "  ")
    if verdict.leaning:
        yield f"  ({leaning(verdict.leaning)})"
    for c in verdict.citations:
        yield ""
        yield from _citation(c, width, c.passage_id in snippet_ids(run))
        around = next((e.passage.frame.line for e in run.evidence if e.passage.id == c.passage_id), "")
        yield from wrap(f"The passage {around}.", width, "      ") if around else ()


def _citation(c: Citation, width: int, snippet: bool) -> Iterator[str]:
    note = f" ({SNIPPET})" if snippet else ""
    head = f"[{c.n}] {heading(c)}, {dated(c)}: {c.stance.value.lower()}{note}"
    yield from wrap(head, width, "  ", 4)
    yield from wrap(c.quote if c.kind is Kind.NOTE else f'"{c.quote}"', width, "      ")
    if c.url:
        yield f"      {one_line(c.url)}"
    if not c.accepted:
        yield from wrap(f"Not accepted: {c.why}", width, "      ")


def _footer(run: Run, width: int) -> Iterable[str]:
    spent = f"{counted(len(run.steps), 'step', 'steps')} in {run.usage.seconds:.1f} s"
    if origins := origins_line(run.evidence):
        yield from wrap(f"Evidence: {origins}.", width, "  ")
    yield from wrap(f"Run {run.id}, {spent}, judge {run.judge.name} ({run.judge.model}).", width, "  ")
    for e in on_topic(run.evidence):
        if e.unreadable or e.correction:
            yield from wrap(f"[{e.number}] {source(e.passage)}: {remark(e)}.", width, "  ", 4)
    if len(run.judge.route) > 1:
        for line in run.judge.route:
            yield from wrap(line, width, "  ", 2)
    if run.usage.tokens:
        used = run.usage
        yield from wrap(f"Language models: {money(used.tokens, used.cost_usd, used.unpriced_tokens)}.", width, "  ")
    yield from wrap(f"Left the machine: {' '.join(left_the_machine(run))}", width, "  ")


def wrap(text: str, width: int, indent: str, hang: int = 0) -> list[str]:
    """Outside text as lines of at most ``width`` columns; the lines after the first hang by ``hang`` more."""
    return textwrap.wrap(
        one_line(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent + " " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
