"""``python -m ghost kb …``: the knowledge base from the command line."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from config import load_settings
from ghost.cli import note_checks, transfer
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import TEXT_BYTES, print_json, progress, read_file, read_text, say, show, typed, width
from ghost.knowledge import AddReport, Change, KnowledgeBase, KnowledgeStats, cut, restore_import, undo_import
from ghost.pipelines import RunReadings
from ghost.records import ImportRecord, ImportStatus, latest_readings, training_pairs
from ghost.reports import READINGS, added_value, candidate_value, counted, day, intake, iso, reading_value, source, wrap
from ghost.text import one_line
from ghost.types import Candidate, Kind, NewPassage, Origin

if TYPE_CHECKING:
    from ghost.workbench import Workbench


_OUTCOMES = ("added", "merged", "quarantined", "refused")
_DONE = {"retire": "retired", "restore": "restored", "trust": "trusted", "distrust": "no longer trusted"}


def knowledge(args: Namespace) -> int:
    """Do what ``args.action`` says and print what came of it."""
    settings = load_settings()
    if args.action in transfer.ACTIONS:
        return transfer.transfer(args, settings)
    new = _new_passages(args) if args.action == "add" else []

    from ghost.workbench import build  # large, and not needed to refuse a text

    with build(settings, progress=progress) as workbench:
        base = workbench.knowledge
        match args.action:
            case "stats":
                return _print_stats(base.stats(), args.json)
            case "search":
                return _print_hits(args.query, base.search(typed(args.query), args.limit), args.json)
            case "add":
                return _print_report(base.add(new, progress), args.json)
            case "check-notes":
                return note_checks.check_notes(workbench, args)
            case "undo":
                return _undo(workbench, typed(args.change), args.json)
            case "changes":
                return _print_changes(base.curation.changes(args.limit), args.json)
            case "readings":
                return _readings(workbench.readings, args)
            case "rebuild":
                vectors = base.rebuild(progress)
                words = counted(vectors, "passage", "passages")
                return show(args.json, {"vectors": vectors}, f"The vector index was built again with {words}.")
            case _:
                return _change(base, args)


def _new_passages(args: Namespace) -> list[NewPassage]:
    """The text cut into passages, all with the same source."""
    texts = cut(_text(args))
    if not texts:
        raise UsageError("There is no text to add.")
    kind = Kind(args.kind or (Kind.EXCERPT if args.source else Kind.NOTE))
    if kind is Kind.EXCERPT and not args.source:
        raise UsageError("An excerpt needs its address: add --source URL, or --kind note for a sentence of your own.")
    new = NewPassage("", typed(args.source), typed(args.title), Origin.CURATED, published_at=args.published, kind=kind)
    return [replace(new, text=text, note="added from the command line") for text in texts]


def _text(args: Namespace) -> str:
    if args.file is None:
        return read_text(TEXT_BYTES) if args.text == "-" else typed(args.text)
    try:
        return read_file(args.file, TEXT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{args.file} is not UTF-8 text. Save it as plain text in UTF-8 and add it again.") from None


def _print_stats(stats: KnowledgeStats, as_json: bool) -> int:
    if as_json:
        print_json({"total": stats.total, "active": stats.active, **asdict(stats)})
        return 0
    passages = counted(stats.total, "passage", "passages")
    domains = counted(stats.domain_count, "domain", "domains")
    print(f"{passages}, {stats.active:,} of them active, from {domains}")
    for name, counts in (
        ("Status", stats.by_status),
        ("Origin", stats.by_origin),
        ("Source type", stats.by_source_type),
        ("Publication date", {"known": stats.dated, "unknown": stats.undated}),
        ("Most frequent domains", dict(stats.domains)),
    ):
        shown = ", ".join(f"{one_line(key)} {count:,}" for key, count in counts.items()) or "none"
        print("\n".join(wrap(f"{name}: {shown}", width(), "", 4)))
    return 0


def _print_hits(query: str, hits: Sequence[Candidate], as_json: bool) -> int:
    if as_json:
        print_json({"query": typed(query), "results": [candidate_value(c) for c in hits]})
        return 0
    if not hits:
        print("No passage was found.")
    for c in hits:
        p = c.passage
        print("\n".join(wrap(f"{c.rank}. {p.text}", width(), "", 3)))
        on_page = f", its page: {p.page_check.value}" if p.page_check else ""
        facts = f"{source(p)}, {day(p.published_at)}, {p.origin.value}, {intake(p)}{on_page}, id {p.id}"
        print("\n".join(wrap(facts, width(), "   ")))
        if p.source_url:
            print(f"   {one_line(p.source_url)}")
    return 0


def _print_report(report: AddReport, as_json: bool) -> int:
    """What became of the passages; 1 when every one of them was turned away."""
    show(as_json, added_value(report), ", ".join(f"{getattr(report, name):,} {name}" for name in _OUTCOMES))
    for number, o in enumerate(report.outcomes, 1):
        if o.reason:
            say(f"ghost: passage {number} was {o.action.value}: {one_line(o.reason)}")
    return 1 if report.outcomes and report.refused == len(report.outcomes) else 0


def _change(base: KnowledgeBase, args: Namespace) -> int:
    """Retire, restore, or mark as trusted."""
    ids, note = [typed(i) for i in args.ids], typed(args.note) or "from the command line"
    act: Callable[[Sequence[str], str], Change | None] = getattr(base.curation, args.action)
    change = act(ids, note)
    changed = change.passages if change else 0
    found = {"action": args.action, "changed": changed, "change": change.id if change else ""}
    return show(args.json, found, f"{changed:,} {_DONE[args.action]}")


def _undo(workbench: "Workbench", name: str, as_json: bool) -> int:
    """Take back the change or the import that is named, or what was done last.

    Done a second time it takes back the undoing: an import that was undone last comes in again.
    """
    base, store = workbench.knowledge, workbench.imports.store
    last, record = base.curation.changes(1), store.get(name) if name else store.last()
    if not name and last and record and last[0].at > (record.finished_at or record.started_at):
        record = None  # a passage was changed since
    if record:
        return _undo_import(workbench, record, not name and record.status is ImportStatus.UNDONE, as_json)
    if not (name or last):
        raise UsageError("There is no change to be taken back.")
    name = name or last[0].id
    undone = base.curation.undo(name)
    found = {"action": "undone", "undone": name, "changed": undone.change.passages, "change": undone.change.id,
             "left": list(undone.left)}  # fmt: skip
    show(as_json, found, f"{counted(undone.change.passages, 'passage', 'passages')} put back as before.")
    if undone.left and not as_json:
        say(f"ghost: {counted(len(undone.left), 'passage', 'passages')} changed again since and stayed as they are.")
    return 0


def _undo_import(workbench: "Workbench", record: ImportRecord, back: bool, as_json: bool) -> int:
    changed = (restore_import if back else undo_import)(
        workbench.knowledge, workbench.imports.store, record.id, progress
    )
    action, what, done = ("restored", "brought back", "restored") if back else ("undone", "undone", "retired")
    found = {"action": action, "undone": record.id, "changed": changed, "change": "", "left": []}
    passages = counted(changed, "passage", "passages")
    return show(as_json, found, f"The import of {one_line(record.name)} was {what}: {passages} {done}.")


def _print_changes(changes: Sequence[Change], as_json: bool) -> int:
    if as_json:
        print_json({"changes": [{**asdict(change), "at": iso(change.at)} for change in changes]})
        return 0
    for c in changes:
        note = f": {one_line(c.note)}" if c.note else ""
        taken_back = " (taken back)" if c.undone_by else ""
        print(f"{c.id}  {day(c.at.date())}  {c.action} {counted(c.passages, 'passage', 'passages')}{note}{taken_back}")
    return 0


def _readings(readings: RunReadings, args: Namespace) -> int:
    """List people's readings of passages, write them to a file, or undo one."""
    if args.undo:
        undone = readings.set(args.undo, False)
        standing = (r for r in readings.store.standing([undone.key]) if r.statement == undone.statement)
        other = next(standing, None)
        words = f"your reading {other.id} of the passage counts" if other else "Ghost reads the passage"
        words = f"Undone: {words} for “{one_line(undone.statement)}”{'' if other else ' again'}."
        return show(args.json, {"undone": undone.id, "run_id": undone.run_id}, words)
    made = readings.store.all()
    if args.export:
        pairs = list(training_pairs(made))
        transfer.write(args.export, pairs)
        words = f"{counted(len(pairs), 'pair', 'pairs')} written to {args.export}"
        return show(args.json, {"pairs": len(pairs), "out": str(args.export)}, words)
    latest = {r.id for r in latest_readings(made)}
    states = ["" if r.id in latest else " (replaced by a newer one)" if r.stands else " (undone)" for r in made]
    lines = [
        f"{r.id}  {day(r.at)}  {READINGS[r.label]}{state}: {one_line(r.statement)}\n    {one_line(r.text)}"
        for r, state in zip(made, states, strict=True)
    ]
    values = [reading_value(r) for r in made]
    return show(args.json, {"readings": values}, "\n".join(lines) or "You have not corrected a reading.")
