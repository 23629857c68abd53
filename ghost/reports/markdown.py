"""A run as a Markdown report. Text from outside is escaped, so it can only ever be text."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ghost.reports import fact_checking, pages
from ghost.reports.change import what_would_change
from ghost.reports.disclosure import left_the_machine, money
from ghost.reports.plain import (
    SNIPPET,
    confidence,
    credibility,
    dated,
    day,
    iso,
    leaning,
    on_topic,
    origins_line,
    scope,
    snippet_ids,
    source,
    timing,
    web_address,
)
from ghost.reports.result import fact_checks, may_search
from ghost.reports.review import analyst_line, remarks
from ghost.reports.unused import NAME as NOT_USED
from ghost.reports.unused import unused
from ghost.text import one_line
from ghost.types import Citation, Evidence, Origin, Run, Verdict
from ghost.web import reviewer_of

_INLINE = re.compile(r"([\\`*_\[\]<>&|~$@^]|:(?=\S))")
"""What starts markup inside a line: in CommonMark, in GitHub's dialect, and Streamlit's directives and formulas."""
_LEADING = re.compile(r"^(?:([-+#=])|(\d+)([.)]))")
"""What starts a list, a heading or an underline at the beginning of a line."""
_BARE_LINK = re.compile(r"\b(www)\.", re.IGNORECASE)
"""GitHub's dialect turns this into a link without any markup."""


def escape(text: str) -> str:
    """Text from outside as one line of Markdown that renders as exactly that text."""
    safe = _INLINE.sub(r"\\\1", one_line(text))
    safe = _BARE_LINK.sub(r"\1\\.", safe)
    return _LEADING.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", safe)


def markdown(run: Run) -> str:
    """The report on a run, complete or as far as it got."""
    parts: list[Iterable[str]] = [_head(run), _remarks(run)]
    if run.verdict:
        parts += [
            _why(run.verdict),
            _change(run, run.verdict),
            _statements(run, run.verdict),
            _citations(run, run.verdict),
        ]
    parts += [
        _links(run),
        _fact_checks(run),
        _evidence(run),
        _unused(run),
        _trace(run),
        _disclosure(run),
        _settings(run),
    ]
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def _head(run: Run) -> Iterator[str]:
    yield f"# {escape(run.claim.text)}"
    yield ""
    if run.verdict:
        v = run.verdict
        contested = "contested: strong independent evidence stands on both sides" if v.contested else ""
        if run.review.override:
            yield f"**{run.review.override.label.value}** ({escape(analyst_line(run))})"
            yield ""
            yield "Ghost's own verdict:"
        yield " · ".join([f"**{v.label.value}**", *filter(None, (confidence(v.confidence), contested))])
        if v.leaning:
            yield f"\n({leaning(v.leaning)})"
        if v.explanation:
            yield f"\n{escape(v.explanation)}"
    else:
        yield f"**No verdict**: the run is {run.status.value}. {escape(run.error)}".rstrip()
    yield ""
    if run.claim.context:
        yield f"- Context: {escape(run.claim.context)}"
    if run.claim.as_of:
        yield f"- Evidence up to {day(run.claim.as_of)} only"
    if run.claim.found_at:
        yield f"- Found at {_link(run.claim.found_at)}"
    yield from (f"- {escape(note)}" for note in scope(run.settings, run.classification))
    if run.classification:
        yield f"- Claim type: {run.classification.type.value}. {escape(run.classification.reason)}"
    yield f"- Judge: {escape(run.judge.name)} ({escape(run.judge.model)})"
    for line in run.judge.route:
        yield f"  - {escape(line)}"
    if run.usage.tokens:
        used = run.usage
        yield f"- Language models: {escape(money(used.tokens, used.cost_usd, used.unpriced_tokens))}"
    yield f"- Run {escape(run.id)}, started {iso(run.started_at)}, {run.usage.seconds:.1f} s"
    yield ""


def _why(verdict: Verdict) -> Iterator[str]:
    if not verdict.reasons:
        return
    yield "## What weakens it\n"
    for r in verdict.reasons:
        yield f"- {escape(r.text)}"
    yield ""


def _remarks(run: Run) -> Iterator[str]:
    """Errors and bad sources that the analyst has noted."""
    if said := remarks(run):
        yield "## What the analyst notes\n"
        for line in said:
            yield f"- {escape(line)}"
        yield ""


def _change(run: Run, verdict: Verdict) -> Iterator[str]:
    said = what_would_change(run.claim, verdict, run.evidence, may_search(run))
    if said:
        yield "## What would change this verdict\n"
        for line in said:
            yield f"- {escape(line)}"
        yield ""


def _statements(run: Run, verdict: Verdict) -> Iterator[str]:
    statements = run.classification.statements if run.classification else ()
    if len(statements) < 2:
        return
    decided = {s.statement: s for s in verdict.statements}
    yield "## Statements\n"
    for s in statements:
        d = decided.get(s.number)
        beside = (f"**{d.label.value}**", confidence(d.confidence) or leaning(d.leaning)) if d else ()
        yield f"{s.number}. {escape(s.text)} {' · '.join(filter(None, beside))}".rstrip()
    yield ""


def _citations(run: Run, verdict: Verdict) -> Iterator[str]:
    snippets, origins = snippet_ids(run), pages.origins_of(run)
    accepted = [c for c in verdict.citations if c.accepted]
    refused = [c for c in verdict.citations if not c.accepted]
    if accepted:
        yield "## Citations\n"
        for c in accepted:
            yield from _citation(c, c.passage_id in snippets, origins.get(c.passage_id))
    if refused:
        yield "## Citations that were not accepted\n"
        for c in refused:
            yield from _citation(c, c.passage_id in snippets, origins.get(c.passage_id))


def _citation(c: Citation, snippet: bool, origin: Origin | None) -> Iterator[str]:
    title = f" {escape(c.title)}," if c.title else ""
    note = f" ({SNIPPET})" if snippet else ""
    yield f"**\\[{c.n}\\]**{title} {escape(source(c))}, {dated(c)}: {c.stance.value.lower()}{note}\n"
    yield f"> {escape(c.quote)}\n"
    if c.url:
        yield f"{_link(c.url)}\n"
    if c.accepted and (copy := pages.archived(c, origin)):
        said = f"Archived copy of {day(c.archived_at)}" if c.archived_at else "Archived copies, if there are any"
        yield f"{said}: {_link(copy)}\n"
    if not c.accepted:
        yield f"Not accepted: {escape(c.why)}\n"


def _links(run: Run) -> Iterator[str]:
    """The pages that the analyst named, and what became of them."""
    rows = pages.named(run.steps)
    if not rows:
        return
    yield "## Pages that were added\n"
    for row in rows:
        yield f"- {_link(str(row.get('url') or ''))} {escape(pages.told(row))}"
    yield ""


def _fact_checks(run: Run) -> Iterator[str]:
    """Whether somebody has published a check of this, in every run that searched."""
    if not fact_checking.searched(run.steps):
        return
    yield "## Already fact-checked?\n"
    rows = [row for row in fact_checks(run) if row.get("statement")]
    for told in fact_checking.told(run.steps, bool(rows)):
        yield f"{escape(told)}\n"
    for row in rows:
        who, rating = (
            escape(reviewer_of(row)),
            escape(str(row.get("rating") or "without a rating")),
        )
        claim, link = escape(str(row.get("claim") or "")), _link(str(row.get("url") or ""))
        yield f"- {who} on “{claim}”: **{rating}** {link}".rstrip()
    yield ""


_UNUSED = 20
"""Passages that are listed though they were not used."""
_WEIGHED = ("Origin", "Stance", "Relevance", "Credibility", "Final", "Group")


def _evidence(run: Run) -> Iterator[str]:
    evidence = on_topic(run.evidence)
    if not evidence:
        return
    yield "## Evidence\n"
    yield f"{origins_line(evidence)}.\n"
    yield from _table(
        ("n", "Statement", "Source", "Published", "Retrieved", "Indexed", *_WEIGHED),
        (_evidence_row(e) for e in evidence),
    )
    for e in {e.number: e for e in evidence if e.kin}.values():
        yield f"- \\[{e.number}\\] is of origin {e.group}: {escape(e.kin)}"
    noticed = pages.notices(run.steps)
    for e in {e.number: e for e in evidence}.values():
        for kind, text in noticed.get(e.passage.source_url, ()):
            yield f"- \\[{e.number}\\] has a notice ({escape(kind)}): {escape(text)}"
    yield ""


def _unused(run: Run) -> Iterator[str]:
    """What was looked at and became no evidence."""
    rows = unused(run.evidence, run.steps)
    if not rows:
        return
    yield f"## {NOT_USED}\n"
    for row in rows[:_UNUSED]:
        named = ": ".join(filter(None, (escape(row.source), escape(row.title))))
        yield f"- {named} ({escape(row.words)})"
    if len(rows) > _UNUSED:
        yield f"- And {len(rows) - _UNUSED:,} more, which are in the trace."
    yield ""


def _evidence_row(e: Evidence) -> tuple[str, ...]:
    p, s = e.passage, e.stance
    title = f"{escape(p.title)}, " if p.title and p.title != p.source_name else ""
    return (
        str(e.number),
        str(e.statement),
        f"{title}{escape(source(p))}",
        dated(p) + (f" ({timing(e)})" if timing(e) else ""),
        day(p.retrieved_at),
        "not indexed" if p.indexed_at is None else day(p.indexed_at),
        f"{p.origin.value} ({SNIPPET})" if p.snippet else p.origin.value,
        f"supports {s.supports:.2f}, refutes {s.refutes:.2f}, neutral {s.neutral:.2f}, off-topic {s.off_topic:.2f}",
        f"{e.relevance:.2f}",
        credibility(e),
        f"{e.final:.2f}",
        str(e.group),
    )


def _trace(run: Run) -> Iterator[str]:
    if not run.steps:
        return
    yield "## Steps\n"
    yield from _table(
        ("Step", "Decision", "Reason", "Seconds"),
        ((escape(s.name), escape(s.decision), escape(s.reason), f"{s.seconds:.2f}") for s in run.steps),
    )


def _disclosure(run: Run) -> Iterator[str]:
    yield "## What left the machine\n"
    for sentence in left_the_machine(run):
        yield escape(sentence)
    yield ""


def _settings(run: Run) -> Iterator[str]:
    if not run.settings:
        return
    yield "## Settings\n"
    yield from _table(("Setting", "Value"), ((escape(k), escape(_value(v))) for k, v in run.settings.items()))


def _value(value: Any) -> str:
    """Short values in full, long lists and tables by their size; the canonical result has them all."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 or isinstance(value, str) else f"{len(value)} entries"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    cells = list(head)
    yield f"| {' | '.join(cells)} |"
    yield f"|{' --- |' * len(cells)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _link(url: str) -> str:
    """An address as a link when it is a plain one, else as text."""
    address = web_address(url)
    return f"<{address}>" if address and not re.search(r"[<>\\]", address) else escape(url)
