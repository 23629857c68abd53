"""Compare notes with the pages where they can be checked: does the page say the same, the opposite, or neither?

The analyst asks for it on the page and on the command line. In a run it is stage 0 of step 5, where a verdict would
rest on notes alone. What is found are sentences of the page, verbatim. A note is found where each of its sentences is.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ghost.budget import Budget
from ghost.events import Event
from ghost.knowledge import NoteCheck, sentences
from ghost.matching import read_both_ways
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.page_passages import SIDE, SourceReport, as_findings, nearest_passages
from ghost.steps.investigate.page_text import PageText
from ghost.steps.investigate.read_pages import PageReader, pages_outcome, read_urls
from ghost.steps.trace import Outcome
from ghost.types import (
    Claim,
    Evidence,
    Kind,
    NewPassage,
    PageCheck,
    Passage,
    Relation,
    Statement,
    Sufficiency,
    host_of,
    page_key,
    registrable,
    same_page,
)
from ghost.web import Stage

NOTES = "note"
"""The stage of the notes' pages in the trace and in events."""
MOST_PAGES = 3
"""Pages that a run reads for its notes."""
PER_SENTENCE = 2
"""The most sentences of a page that are kept for one sentence of a note."""
Pages = Mapping[str, Sequence[Passage]]
"""Address of a page -> the notes that can be checked there."""


def by_page(notes: Iterable[Passage]) -> dict[str, list[Passage]]:
    """The notes that can be checked, by the address of their page."""
    found: dict[str, tuple[str, list[Passage]]] = {}
    for note in notes:
        if note.can_be_checked:
            found.setdefault(page_key(note.source_url), (note.source_url, []))[1].append(note)
    return dict(found.values())


def pages_to_read(
    statements: Sequence[Statement], evidence: Sequence[Evidence], unsettled: Sequence[Sufficiency]
) -> Pages:
    """The pages of the notes that alone settle a statement, those of the strongest first; few, as a run reads them."""
    left = {answer.statement for answer in unsettled}
    deciding: list[Evidence] = []
    for number in (s.number for s in statements if s.number not in left):
        sides = [e for e in evidence if e.statement == number and max(e.stance.supports, e.stance.refutes) >= SIDE]
        carrying = [e for e in sides if e.passage.settles]
        if all(e.passage.kind is Kind.NOTE for e in carrying):
            deciding += carrying
    deciding.sort(key=lambda e: (-e.final, e.number))
    notes = dict.fromkeys(e.passage for e in deciding if e.passage.page_check is None)
    return dict(list(by_page(notes).items())[:MOST_PAGES])


def check_notes(
    pages: Pages,
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
) -> Generator[Event, None, Outcome[Investigation]]:
    """Read the pages and compare their notes with them. What is found bears on the statements like any page."""
    reader = PageReader(Stage.BROAD, claim, statements, context, budget, history)
    sources = yield from read_urls(list(pages), reader, NOTES)
    checks: list[NoteCheck] = []
    for number, source in enumerate(sources):
        compared = [_compared(note, source, context, budget) for note in pages.get(source.url, ())]
        checks += [c.check for c in compared]
        sources[number] = _with_excerpts(source, [e for c in compared for e in c.excerpts], statements, context)
    outcome = pages_outcome(list(pages), sources, reader, "the pages of the notes", {"stage": NOTES})
    rows = [{"passage_id": c.note, "outcome": c.outcome, "why": c.why} for c in checks]
    return replace(
        outcome,
        value=replace(outcome.value, checks=tuple(checks)),
        reason=" ".join([*(f"A note was {c.outcome}: {c.why}" for c in checks), outcome.reason]),
        outputs={**outcome.outputs, "notes": rows},
    )


Excerpt = tuple[Passage, NewPassage]
"""A sentence of a page for the run, and the same for the knowledge base."""


@dataclass(frozen=True, slots=True)
class _Compared:
    check: NoteCheck
    excerpts: tuple[Excerpt, ...] = ()


def _compared(note: Passage, source: SourceReport, context: SearchContext, budget: Budget) -> _Compared:
    shown, moved = source.shown, bool(source.final_url) and not same_page(source.url, source.final_url)
    elsewhere = moved and registrable(host_of(source.url)) != registrable(host_of(source.final_url))
    if source.state is not SourceState.READ or shown is None:
        return _not_reached(note, source.why or "the page could not be read")
    if elsewhere:
        return _not_reached(note, f"the address leads to another site, {host_of(source.final_url)}")
    if source.disowned:
        return _of(note, PageCheck.NOT_FOUND, "the page says that it was retracted.", source, ())
    parts, said, denied = sentences(note.text), list[list[Excerpt]](), list[Excerpt]()
    for part in parts:
        budget.check()
        found = _read(part, source, shown, context)
        said.append(found[Relation.SAME])
        denied += found[Relation.OPPOSITE] if not found[Relation.SAME] else ()
    same = tuple(dict.fromkeys(excerpt for found in said for excerpt in found))
    missing = sum(not found for found in said)
    if not missing:
        return _of(note, PageCheck.FOUND, f"{host_of(source.final_url)} says the same.", source, same)
    if denied:
        first = denied[0][0].text
        return _of(note, PageCheck.CONTRADICTED, f"the page says: {first}", source, tuple(dict.fromkeys(denied)))
    if moved:
        return _not_reached(note, f"the address leads to another page, {source.final_url}, which does not say it")
    if not shown.passages:
        return _not_reached(note, "the page has no text that may be used")
    some = f"the page says only {len(parts) - missing} of its {len(parts)} sentences" if same else "no sentence says it"
    return _of(note, PageCheck.NOT_FOUND, f"{some}.", source, same)


def _not_reached(note: Passage, why: str) -> _Compared:
    return _Compared(NoteCheck(note.id, PageCheck.NOT_REACHED, f"{why.rstrip('.')}."))


def _of(note: Passage, outcome: PageCheck, why: str, source: SourceReport, excerpts: tuple[Excerpt, ...]) -> _Compared:
    day = str(source.row.get("retrieved_at") or "")[:10]
    return _Compared(NoteCheck(note.id, outcome, why, day, tuple(new for _, new in excerpts)), excerpts)


def _read(part: str, source: SourceReport, shown: PageText, context: SearchContext) -> dict[Relation, list[Excerpt]]:
    """The sentences of a page that say what a sentence of a note says, and those that deny it; the surest first."""
    reader = context.stance or context.reader
    assert reader
    near = nearest_passages(Statement(1, part), [p for p, _ in shown.passages], source.vectors, context.encoder)
    rows = [
        (excerpt, text)
        for sentence in dict.fromkeys(s for p, _ in near for s in sentences(p.text))
        if (excerpt := shown.quoted(sentence))
        for text in dict.fromkeys((sentence, excerpt[0].text))  # alone, and with what it refers back to
    ]
    read = read_both_ways([(text, part) for _, text in rows], reader, source.title)
    best = sorted(range(len(rows)), key=lambda n: -read[n][1])
    return {
        wanted: list(dict.fromkeys(rows[n][0] for n in best if read[n][0] is wanted))[:PER_SENTENCE]
        for wanted in (Relation.SAME, Relation.OPPOSITE)
    }


def _with_excerpts(
    source: SourceReport, excerpts: Sequence[Excerpt], statements: Sequence[Statement], context: SearchContext
) -> SourceReport:
    """The report on a page with what was found for its notes among what it says about the statements."""
    reader, known = context.reader, {(f.statement, f.passage.id) for f in source.found}
    passages = [passage for passage, _ in excerpts]
    if not passages or reader is None:
        return source
    read = [f for s in statements for f in as_findings(s, passages, reader, context.encoder)]
    more = tuple(f for f in read if (f.statement, f.passage.id) not in known)
    new = tuple(dict.fromkeys((*source.new, *(new for _, new in excerpts))))
    return replace(source, found=(*source.found, *more), new=new) if statements else source
