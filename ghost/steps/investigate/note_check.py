"""Compare notes with the pages where they can be checked: does the page say the same, the opposite, or neither?

The analyst asks for it on the page and on the command line. In a run it is stage 0 of step 5, where a verdict would
rest on notes alone. What is found are sentences of the page, verbatim. A note is found where each of its sentences is.

What was read on an earlier day is read again in the same way, where it has to be: does its page still say it?
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace

from ghost.budget import Budget
from ghost.errors import BudgetExceeded
from ghost.events import Event
from ghost.inference import StanceReader
from ghost.judges import worded
from ghost.knowledge import NoteCheck, sentences
from ghost.matching import names_all, read_page_sentences
from ghost.steps.gate.citations import is_verbatim
from ghost.steps.investigate.fetch import SourceState
from ghost.steps.investigate.history import Investigation, SearchContext, SearchHistory
from ghost.steps.investigate.hits import to_passage
from ghost.steps.investigate.page_passages import SourceReport, as_findings, nearest_passages
from ghost.steps.investigate.page_text import PageText, leans
from ghost.steps.investigate.read_pages import read_chosen
from ghost.steps.rerank.selection import SIDE
from ghost.steps.trace import Outcome, count
from ghost.types import (
    Claim,
    Evidence,
    Kind,
    NewPassage,
    Origin,
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
from ghost.web import read_again

NOTES = "note"
"""The stage of the notes' pages in the trace and in events."""
MOST_PAGES = 3
"""Pages that a run reads for its notes."""
PER_SENTENCE = 2
"""The most sentences of a page that are kept for one sentence of a note."""
Pages = Mapping[str, Sequence[Passage]]
"""Address of a page -> the notes that can be checked there."""


def by_page(notes: Iterable[Passage]) -> dict[str, list[Passage]]:
    """The notes that can be checked, and what can be read again, by the address of their page."""
    found: dict[str, tuple[str, list[Passage]]] = {}
    for note in notes:
        if note.can_be_checked or note.can_be_read_again:
            found.setdefault(page_key(note.source_url), (note.source_url, []))[1].append(note)
    return dict(found.values())


def pages_to_read(
    statements: Sequence[Statement], evidence: Sequence[Evidence], unsettled: Sequence[Sufficiency]
) -> Pages:
    """The pages of what has to be read again, and of the notes that alone settle a statement; few, strongest first."""
    left = {answer.statement for answer in unsettled}
    deciding: list[Evidence] = []
    for number in (s.number for s in statements if s.number not in left):
        sides = [e for e in evidence if e.statement == number and _takes_side(e)]
        carrying = [e for e in sides if e.passage.settles]
        if all(e.passage.kind is Kind.NOTE for e in carrying):
            deciding += carrying
    deciding.sort(key=lambda e: (-e.final, e.number))
    kept = [e for e in evidence if e.passage.can_be_read_again and e.passage.page_check is PageCheck.NOT_REACHED]
    again = sorted((e for e in kept if _takes_side(e)), key=lambda e: (-e.final, e.number))
    notes = dict.fromkeys(e.passage for e in (*again, *deciding) if e in again or e.passage.page_check is None)
    return dict(list(by_page(notes).items())[:MOST_PAGES])


def _takes_side(e: Evidence) -> bool:
    return max(e.stance.supports, e.stance.refutes) >= SIDE or e.passage.origin is Origin.FACT_CHECK


def check_notes(
    pages: Pages,
    claim: Claim,
    statements: Sequence[Statement],
    context: SearchContext,
    budget: Budget,
    history: SearchHistory,
) -> Generator[Event, None, Outcome[Investigation]]:
    """Read the pages and compare their notes with them. What is found bears on the statements like any page.

    It ends while there is time for the verdict; notes that were not compared by then have no check.
    """
    budget = budget.part(replace(budget.limits, seconds=budget.seconds_to_look))
    checks, whole = list[NoteCheck](), sum(map(len, pages.values()))

    def compared(source: SourceReport) -> SourceReport:
        try:
            mine = [_compared(note, source, context, budget) for note in pages.get(source.url, ())]
        except BudgetExceeded:
            return source
        checks.extend(mine)
        return _with_excerpts(source, mine, statements, context)

    again = replace(context, fetcher=read_again(context.fetcher)) if context.fetcher else context
    outcome = yield from read_chosen(
        list(pages), claim, statements, again, budget, history, NOTES, "the pages of the notes", compared
    )
    late = f"No time was left for {count(whole - len(checks), 'note')}." if len(checks) < whole else ""
    rows = [{"passage_id": c.note, "outcome": c.outcome, "why": c.why} for c in checks]
    kept = {p.id for of_page in pages.values() for p in of_page if p.can_be_read_again}
    told = [*(f"{'What was read earlier' if c.note in kept else 'A note'} was {c.outcome}: {c.why}" for c in checks)]
    told += [late, outcome.reason]
    return replace(
        outcome,
        value=replace(outcome.value, checks=tuple(checks)),
        reason=" ".join(filter(None, told)),
        outputs={**outcome.outputs, "notes": rows, "fetches": budget.usage().fetches},
    )


def _compared(note: Passage, source: SourceReport, context: SearchContext, budget: Budget) -> NoteCheck:
    shown, moved = source.shown, bool(source.final_url) and not same_page(source.url, source.final_url)
    day = str(source.row.get("retrieved_at") or "")[:10]

    def report(outcome: PageCheck, why: str, excerpts: Iterable[NewPassage] = ()) -> NoteCheck:
        found = tuple(dict.fromkeys(excerpts))
        return NoteCheck(note.id, note.text, note.source_url, outcome, f"{why.rstrip('.')}.", day, found)

    if source.gone and note.can_be_read_again:
        return report(PageCheck.NOT_FOUND, source.why)
    if source.state is not SourceState.READ or shown is None or not shown.passages:
        return report(PageCheck.NOT_REACHED, source.why or "the page has no text that may be used")
    if moved and registrable(host_of(source.url)) != registrable(host_of(source.final_url)):
        return report(PageCheck.NOT_REACHED, f"the address leads to another site, {host_of(source.final_url)}")
    if source.disowned:
        return report(PageCheck.NOT_FOUND, "the page says that it was retracted")
    if note.can_be_read_again:
        return _still_there(note, source, report)
    read = []
    for part in sentences(note.text):
        budget.check()
        read.append(_read(part, source, shown, context))
    same, found = [new for said, _ in read for new in said], [bool(said) for said, _ in read]
    if all(found):
        return report(PageCheck.FOUND, f"{host_of(source.final_url)} says the same", same)
    if denied := [new for said, denial in read if not said for new in denial]:
        return report(PageCheck.CONTRADICTED, f"the page says: {denied[0].text}", denied)
    if moved:  # what another page does not say, the one that was named may have said
        return report(PageCheck.NOT_REACHED, f"the address leads to {source.final_url}, which does not say it")
    some = f"the page says only {sum(found)} of its {len(found)} sentences" if same else "no sentence says it"
    return report(PageCheck.NOT_FOUND, some, same)


def _still_there(note: Passage, source: SourceReport, report: Callable[..., NoteCheck]) -> NoteCheck:
    """Whether a page still has the words that were read there, or a fact-check the rating."""
    rated = [worded(r.reviewer or note.domain, r.claim, r.rating) for r in source.reviews]
    same = source.shown and any(p.id == note.id for p, _ in source.shown.passages)
    if same or note.text in rated or all(is_verbatim(part, source.text) for part in sentences(note.text)):
        return report(PageCheck.FOUND, f"{host_of(source.final_url)} still says it")
    if note.origin is Origin.FACT_CHECK and not rated:  # it came from somewhere else than its page
        return report(PageCheck.NOT_REACHED, "the page has no rating that can be read")
    return report(PageCheck.NOT_FOUND, f"{host_of(source.final_url)} does not say it any more")


def _read(
    part: str, source: SourceReport, shown: PageText, context: SearchContext
) -> tuple[list[NewPassage], list[NewPassage]]:
    """The sentences of a page that say what a sentence of a note says, and those that deny it; the surest first."""
    reader = context.stance or context.reader
    assert reader
    near = nearest_passages(Statement(1, part), [p for p, _ in shown.passages], source.vectors, context.encoder)
    alone = dict.fromkeys(s for p, _ in near for s in sentences(p.text))
    # Two sentences are read together where neither has all that the note names; else the other one only blurs it.
    pairs = [p.text for p, _ in near if not any(names_all(s, part) for s in sentences(p.text))]
    rows = [
        (text, excerpt[1])
        for text in dict.fromkeys([*alone, *pairs])
        if (excerpt := shown.quoted(text)) and not excerpt[1].frame.kind
    ]
    # A sentence such as “It was founded in 1913” leaves it to the one before, or to the title, what it is about.
    title = f"{source.title.rstrip('.')}."
    abouts = [new.text.removesuffix(text).strip() or (title if leans(text) else "") for text, new in rows]
    read = read_page_sentences(part, [text for text, _ in rows], abouts, reader)
    best = sorted(zip(rows, read, strict=True), key=lambda row: -row[1][1])

    def those(wanted: Relation) -> list[NewPassage]:
        found = dict.fromkeys(new for (_, new), (relation, _) in best if relation is wanted)
        plain = [new for new in found if not any(e.text in new.text for e in found if e is not new)]
        return [new for new in plain if not _taken_back(new, part, wanted, shown, reader)][:PER_SENTENCE]

    disputed = any(relation is Relation.RELATED and supports >= SIDE for relation, supports in read)
    return those(Relation.SAME), [] if disputed else those(Relation.OPPOSITE)


def _taken_back(of: NewPassage, part: str, said: Relation, shown: PageText, reader: StanceReader) -> bool:
    """Whether the sentences beside one turn it round, as those of a page do that repeats a claim to deny it."""
    beside = [p.text for p, _ in shown.passages if of.text in p.text and p.text != of.text]
    read = reader.read([(text, part) for text in beside])
    return any((s.refutes if said is Relation.SAME else s.supports) >= SIDE for s in read)


def _with_excerpts(
    source: SourceReport, checks: Sequence[NoteCheck], statements: Sequence[Statement], context: SearchContext
) -> SourceReport:
    """The report on a page with what was found for its notes among what it says about the statements."""
    new = list(dict.fromkeys(excerpt for check in checks for excerpt in check.excerpts))
    if not (new and statements and context.reader):
        return source
    passages, known = [to_passage(n, context.sources) for n in new], {(f.statement, f.passage.id) for f in source.found}
    read = [f for s in statements for f in as_findings(s, passages, context.reader, context.encoder)]
    more = [f for f in read if (f.statement, f.passage.id) not in known]
    return replace(source, found=(*source.found, *more), new=tuple(dict.fromkeys((*source.new, *new))))
