"""``python -m ghost kb import|export|rate|ratings``: many passages at once, and what domains are worth."""

import uuid
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from config import Settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, print_json, progress, put_out, read_file, say, show, typed, width
from ghost.errors import ClaimError
from ghost.knowledge import (
    IMPORT_FIELDS,
    MAX_IMPORT_BYTES,
    Action,
    ImportCheck,
    ImportFile,
    ImportFileError,
    PassageFilter,
    RatingsFile,
    ReadOptions,
    RowProblem,
    check_import,
    entry_of,
    export_passages,
    missing_columns,
    rating_of,
    read_import_file,
    read_ratings,
    restore_import,
    run_import,
    undo_import,
    write_ratings,
)
from ghost.records import DomainRating, ImportRecord
from ghost.reports import counted, wrap
from ghost.text import one_line, write_whole
from ghost.types import Kind, Origin, SourceType, Status

if TYPE_CHECKING:
    from ghost.workbench import Workbench

ACTIONS = ("import", "export", "rate", "ratings")
PROBLEMS_SHOWN = 20
_NONE_RATED = "You have rated no domain; the table of the settings counts."
E = TypeVar("E", Status, Origin, SourceType)


def transfer(args: Namespace, settings: Settings) -> int:
    """Do what ``args.action`` says and print what came of it."""
    # What is typed is looked at before anything large is opened.
    try:
        file = _import_file(args) if args.action == "import" and args.file else None
        filter = _filter(args) if args.action == "export" else None
        listed = _listed(args) if args.action == "rate" else None
    except ImportFileError as error:
        raise UsageError(str(error)) from error
    from ghost.workbench import build  # large, and not needed to refuse a file

    with build(settings, progress=progress) as workbench:
        if args.action == "import":
            return _bring(workbench, file, args) if file else _change(workbench, args)
        if filter is not None:
            return _export(workbench, args, filter)
        if listed is not None:
            return _rate(workbench, args, listed)
        return _unrate(workbench, args) if args.action == "rate" else _ratings(workbench, args)


def _import_file(args: Namespace) -> ImportFile:
    columns = dict(pair.partition("=")[::2] for pair in map(typed, args.column))
    unknown = sorted(set(columns) - set(IMPORT_FIELDS))
    if unknown:
        raise UsageError(f"There is no field {', '.join(unknown)}. There are {', '.join(IMPORT_FIELDS)}.")
    file = read_import_file(
        read_file(args.file, MAX_IMPORT_BYTES),
        args.file.name,
        ReadOptions(columns, args.cut, typed(args.encoding), Kind(args.kind)),
    )
    if why := missing_columns(file):
        raise UsageError(f"{why} Its columns are {', '.join(file.header)}; name one with --column text=COLUMN.")
    if lacking := sorted(set(columns) - set(file.columns)):
        raise UsageError(f"The file has no column {', '.join(columns[name] for name in lacking)}.")
    return file


def _bring(workbench: "Workbench", file: ImportFile, args: Namespace) -> int:
    with interrupt_asks() as stop:
        found = check_import(workbench.knowledge, file, progress, stop.is_set)
        record = None
        if not args.dry_run:
            record = run_import(
                workbench.knowledge, workbench.imports.store, found, uuid.uuid4().hex, progress, stop.is_set
            )
    if args.json:
        print_json(_as_json(found, record))
    else:
        _print_check(found, record)
    return 1 if found.passages == found.counts[Action.REFUSED] else 0


def _as_json(found: ImportCheck, record: ImportRecord | None) -> dict[str, Any]:
    counts = {action.value: found.counts[action] for action in Action}
    if record:
        counts |= {name: getattr(record, name) for name in counts}
    return {
        "import_id": record.id if record else None,
        "form": found.file.format.value,
        "rows": found.file.rows,
        "unusable_rows": found.file.unusable,
        **counts,
        "already_retired": found.retired,
        "languages": dict(found.languages),
        "domains": dict(found.domains),
        "notes": list(found.file.notes),
        "problems": [_problem(p) | {"left_out": p.fatal} for p in found.problems],
        "more_problems": found.more_problems,
    }


def _print_check(found: ImportCheck, record: ImportRecord | None) -> None:
    for note in found.file.notes:
        say(f"ghost: {note}")
    _say_problems(found.problems)
    more = len(found.problems) - PROBLEMS_SHOWN + found.more_problems
    if more > 0:
        say(f"ghost: and {counted(more, 'more problem', 'more problems')}; --json lists them")
    words = {"added": "new", "merged": "there already", "quarantined": "in quarantine", "refused": "refused"}
    parts = [f"{getattr(record, n) if record else found.counts[Action(n)]:,} {word}" for n, word in words.items()]
    rows = f"{counted(found.file.rows, 'row', 'rows')}, {found.file.unusable:,} of them unusable"
    print(f"{rows}; passages: {', '.join(parts)}")
    if record:
        print("\n".join(wrap(f"To undo this: python -m ghost kb import --undo {record.id}", width(), "")))
    else:
        print("Nothing was changed.")


def _problem(p: RowProblem) -> dict[str, Any]:
    return {"row": p.row, "field": p.field, "problem": p.problem, "value": p.value}


def _say_problems(problems: Sequence[RowProblem]) -> None:
    for p in problems[:PROBLEMS_SHOWN]:
        say(f"ghost: row {p.row}, {' '.join(part for part in (p.field, one_line(p.problem)) if part)}")


def _change(workbench: "Workbench", args: Namespace) -> int:
    back = bool(args.restore)
    change = restore_import if back else undo_import
    changed = change(workbench.knowledge, workbench.imports.store, typed(args.restore or args.undo), progress)
    words = f"{counted(changed, 'passage', 'passages')} {'restored' if back else 'retired'}"
    return show(args.json, {"action": "restore" if back else "undo", "changed": changed}, words)


def _filter(args: Namespace) -> PassageFilter:
    return PassageFilter(
        text=typed(args.text or ""),
        status=_one_of(Status, args.status),
        origin=_one_of(Origin, args.origin),
        source_type=_one_of(SourceType, args.source_type),
        domain=typed(args.domain) if args.domain else None,
        topic=typed(args.topic) if args.topic else None,
    )


def _one_of(kind: type[E], written: str | None) -> E | None:
    if not written:
        return None
    try:
        return kind(written)
    except ValueError:
        raise UsageError(f"{typed(written)!r} is none of {', '.join(kind)}.") from None


def _export(workbench: "Workbench", args: Namespace, filter: PassageFilter) -> int:
    pieces = export_passages(workbench.knowledge, args.format, filter)
    if args.out is None:
        if args.json:
            raise UsageError("--json needs --out FILE: standard output has the passages.")
        for piece in pieces:
            put_out(piece)
        return 0
    write(args.out, pieces)
    count = workbench.knowledge.count(filter)
    found = {"passages": count, "format": args.format, "out": str(args.out)}
    return show(args.json, found, f"{counted(count, 'passage', 'passages')} written to {args.out}")


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a whole file or none; raises UsageError where that cannot be done."""
    try:
        write_whole(path, pieces)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from None


def _listed(args: Namespace) -> RatingsFile | None:
    """The ratings that were typed, one or a file of them; None to undo a change."""
    if args.undo:
        return None
    if args.file:
        return read_ratings(read_file(args.file, MAX_IMPORT_BYTES), args.file.name)
    if args.domain is None or args.score is None:
        raise UsageError("Type a domain and a score, such as: kb rate example.org 0.2; or a list: kb rate --file FILE.")
    entry = entry_of(typed(args.domain))
    if args.score.lower() == "none":
        return RatingsFile(entry, {}, 1)
    try:
        score = float(args.score)
    except ValueError:
        raise UsageError(f"{typed(args.score)!r} is not a number from 0 to 1.") from None
    if not 0 <= score <= 1:
        raise ClaimError(f"A credibility is a number from 0 to 1, not {score:g}. Nothing was changed.")
    return RatingsFile("", {entry: rating_of(entry, score, None, typed(args.reason))}, 1)


def _rate(workbench: "Workbench", args: Namespace, listed: RatingsFile) -> int:
    ratings: dict[str, DomainRating | None] = dict(listed.ratings)
    if not ratings and listed.name and not args.file:
        ratings = {listed.name: None}
    effect = workbench.ratings.effect(ratings)
    reason = typed(args.reason) or (f"imported from {listed.name}" if args.file else "from the command line")
    change_id = "" if args.dry_run or not ratings else workbench.ratings.change(ratings, reason)
    if args.json:
        print_json({
            "change_id": change_id or None,
            "ratings": {entry: r.credibility if r else None for entry, r in ratings.items()},
            "passages": effect.passages,
            "active": effect.active,
            "domains": dict(effect.domains),
            "runs": effect.runs,
            "newest_runs": [{"run_id": r.run_id, "claim": r.claim, "label": r.label} for r in effect.shown],
            "problems": [_problem(p) for p in listed.problems],
        })  # fmt: skip
        return 0 if ratings else 1
    _say_problems(listed.problems)
    print(f"{counted(len(ratings), 'domain', 'domains')}, passages that get another rating: {effect.passages:,}")
    print(f"Verdicts that cite them, and keep the values they were made with: {effect.runs:,}")
    if change_id:
        print(f"To undo this: python -m ghost kb rate --undo {change_id}")
    elif not args.dry_run:
        print("Nothing was changed: it was rated so already." if ratings else "Nothing was changed.")
    return 0 if ratings else 1


def _unrate(workbench: "Workbench", args: Namespace) -> int:
    stayed = workbench.ratings.undo(typed(args.undo))
    but = f", except {', '.join(stayed)}, rated again since" if stayed else ""
    found = {"undone": typed(args.undo), "stayed": list(stayed)}
    return show(args.json, found, f"The ratings are as before{but}.")


def _ratings(workbench: "Workbench", args: Namespace) -> int:
    ratings = workbench.ratings.all()
    if args.out:
        write(args.out, write_ratings(ratings.values()))
    rows = [
        {"domain": r.entry, "score": r.credibility, "type": r.source_type.value if r.source_type else None,
         "note": r.note}
        for r in ratings.values()
    ]  # fmt: skip
    lines = [f"{counted(len(ratings), 'rating', 'ratings')} written to {args.out}"]
    if not args.out:
        lines = ["  ".join(filter(None, (f"{r.credibility:.2f}", r.entry, one_line(r.note)))) for r in ratings.values()]
    return show(args.json, {"ratings": rows}, "\n".join(lines) or _NONE_RATED)
