"""A run as one HTML page to read, to print and to keep: no script, nothing fetched, outside text only ever text."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ghost.reports import fact_checking, pages
from ghost.reports.change import what_would_change
from ghost.reports.disclosure import left_the_machine
from ghost.reports.html_evidence import evidence
from ghost.reports.markup import Html, anchor, element, joined
from ghost.reports.plain import confidence, day, iso, leaning, on_topic, scope, source
from ghost.reports.result import fact_checks, may_search
from ghost.reports.review import analyst_line, confirms, remarks
from ghost.text import one_line
from ghost.types import Label, Run, Verdict
from ghost.web import reviewer_of

SIGNS: dict[Label, tuple[str, str]] = {
    Label.TRUE: ("✔", "green"),
    Label.FALSE: ("✘", "red"),
    Label.PARTIALLY_TRUE: ("◐", "orange"),
    Label.MISLEADING: ("⚠", "orange"),
    Label.NOT_ENOUGH_EVIDENCE: ("?", "gray"),
    Label.NOT_VERIFIABLE: ("⊘", "violet"),
}
"""Sign and colour of a verdict; the word stands beside them always."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html(run: Run) -> str:
    """The report on a run, complete or as far as it got, as a page of its own."""
    title = f"{run.label.value if run.label else 'No verdict'}: {one_line(run.claim.text)[:120]}"
    head = joined(
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        Html(f"<style>{_style()}</style>"),
    )
    body = joined(*_head(run), element("main", *_body(run)), _foot(run))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def _head(run: Run) -> Iterator[Html]:
    yield element("div", f"Fact-check · {day(run.finished_at or run.started_at)}", class_="kicker")
    yield element("h1", f"“{one_line(run.claim.text)}”")
    notes = []
    if run.claim.as_of:
        notes.append(element("div", f"Evidence up to {day(run.claim.as_of)} only"))
    if run.claim.found_at:
        notes.append(element("div", "Found at ", anchor(run.claim.found_at)))
    if run.claim.context:
        notes.append(element("div", f"Context: {run.claim.context}"))
    notes += [element("div", note) for note in scope(run.settings, run.classification)]
    if notes:
        yield element("div", *notes, class_="meta")


def _body(run: Run) -> Iterator[Html]:
    yield from _verdicts(run)
    if run.verdict:
        yield from _explanation(run, run.verdict)
    yield from _list("What the analyst notes", remarks(run))
    if run.verdict:
        weak = "Why there is no verdict" if run.verdict.label.startswith("Not ") else "What weakens it"
        yield from _list(weak, [one_line(r.text) for r in run.verdict.reasons])
        change = what_would_change(run.claim, run.verdict, run.evidence, may_search(run))
        yield from _list("What would change this verdict", change)
        yield from _statements(run, run.verdict)
    yield from _fact_checks(run)
    yield from _links(run)
    yield from evidence(run)
    yield from _refused(run)
    yield from _steps(run)
    yield from _list("What left the machine", left_the_machine(run))


def _verdicts(run: Run) -> Iterator[Html]:
    """The analyst's verdict first where there is one, the machine's always."""
    if not run.verdict:
        told = f"The run is {run.status.value}. {one_line(run.error)}".rstrip()
        yield element(
            "section", element("div", "No verdict", class_="label"), element("p", told), class_="verdict gray"
        )
        return
    sure = ", ".join(filter(None, ("Ghost's own verdict", confidence(run.verdict.confidence))))
    if run.review.override and not confirms(run):
        line = analyst_line(run)
        yield _box(run.review.override.label, line[:1].upper() + line[1:])
        yield _box(run.verdict.label, f"{sure}. It is kept as it was.", "second")
        return
    notes = [sure]
    if run.review.override:
        notes.append(analyst_line(run))
    if run.verdict.contested:
        notes.append("contested: strong independent evidence stands on both sides")
    yield _box(run.verdict.label, "; ".join(notes) + ".")
    if run.verdict.leaning:
        yield element("p", f"({leaning(run.verdict.leaning)})", class_="meta")


def _box(label: Label, words: str, more: str = "") -> Html:
    sign, colour = SIGNS[label]
    head = element("div", f"{sign} {label.value}", class_="label")
    return element("section", head, element("p", words), class_=f"verdict {colour} {more}".rstrip())


def _explanation(run: Run, verdict: Verdict) -> Iterator[Html]:
    if not verdict.explanation:
        return
    numbers = {e.number for e in on_topic(run.evidence)}
    text, pieces, at = one_line(verdict.explanation), [], 0
    while (start := text.find("[", at)) >= 0:
        end = text.find("]", start)
        mark = text[start + 1 : end] if end > 0 else ""
        if mark.isascii() and mark.isdigit() and len(mark) < 7 and int(mark) in numbers:
            pieces += [text[at:start], element("a", f"[{int(mark)}]", href=f"#evidence-{int(mark)}")]
            at = end + 1
        else:
            pieces.append(text[at : start + 1])
            at = start + 1
    yield element("p", *pieces, text[at:])


def _list(title: str, lines: list[str]) -> Iterator[Html]:
    if lines:
        yield element("h2", title)
        yield element("ul", *(element("li", line) for line in lines))


def _statements(run: Run, verdict: Verdict) -> Iterator[Html]:
    statements = run.classification.statements if run.classification else ()
    if len(statements) < 2:
        return
    decided = {s.statement: s for s in verdict.statements}
    yield element("h2", f"{len(statements)} statements")
    rows = []
    for s in statements:
        d = decided.get(s.number)
        beside = (confidence(d.confidence) or leaning(d.leaning)) if d else ""
        words = (
            [element("strong", f" {d.label.value}"), element("span", f" · {beside}", class_="meta") if beside else ""]
            if d
            else []
        )
        rows.append(element("li", s.text, *words))
    yield element("ol", *rows)


def _fact_checks(run: Run) -> Iterator[Html]:
    if not fact_checking.searched(run.steps):
        return
    rows = [row for row in fact_checks(run) if row.get("statement")]
    yield element("h2", "Already fact-checked?")
    for told in fact_checking.told(run.steps, bool(rows)):
        yield element("p", told)
    for row in rows:
        who, rating = reviewer_of(row), str(row.get("rating") or "without a rating")
        claim = f"{who} on “{row.get('claim') or ''}”: "
        yield element("p", claim, element("strong", rating), " ", anchor(str(row.get("url") or "")))


def _links(run: Run) -> Iterator[Html]:
    """The pages that the analyst named, and what became of them."""
    rows = pages.named(run.steps)
    if rows:
        items = (element("li", anchor(str(row.get("url") or "")), f" {pages.told(row)}") for row in rows)
        yield element("h2", "Pages that were added")
        yield element("ul", *items)


def _refused(run: Run) -> Iterator[Html]:
    refused = [c for c in run.verdict.citations if not c.accepted] if run.verdict else []
    if refused:
        yield element("h2", "Citations that were not accepted")
    for c in refused:
        yield element("p", f"[{c.n}] {source(c)}: {c.why}")
        yield element("blockquote", c.quote)


def _steps(run: Run) -> Iterator[Html]:
    if not run.steps:
        return
    yield element("h2", "How it was checked")
    head = element("tr", *(element("th", name, scope="col") for name in ("Step", "Decision", "Why", "Seconds")))
    rows = [
        element("tr", *(element("td", cell) for cell in (s.name, s.decision, s.reason, f"{s.seconds:.2f}")))
        for s in run.steps
    ]
    yield element("table", element("thead", head), element("tbody", *rows))


def _foot(run: Run) -> Html:
    lines = [
        f"Judge: {run.judge.name} ({run.judge.model}).",
        f"Run {run.id}, started {iso(run.started_at)}, {run.usage.seconds:.1f} s.",
        "Made with Ghost. A verdict is as good as its evidence: read it.",
    ]
    return element("footer", *(element("div", line) for line in lines), class_="meta")
