"""``python -m ghost batch``: a list of claims, or one that was begun before, and its results as a file."""

import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from config import Settings, load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, progress, put_out, read_file, read_input, say, typed
from ghost.errors import ClaimError, GhostError
from ghost.jobs import (
    INDEX_AWAY,
    MAX_BYTES,
    NO_WORKER,
    BatchEngine,
    BatchView,
    ClaimList,
    Columns,
    Sheet,
    claims_of,
    join_repeats,
    open_jobs,
    read_sheet,
)
from ghost.records import BatchState, ItemState, NewBatch
from ghost.reports import batch_csv, batch_jsonl, counted
from ghost.text import one_line, write_whole

if TYPE_CHECKING:
    from ghost.workbench import Workbench

LOOK_SECONDS = 0.2


def batch(args: Namespace) -> int:
    """Check the list and write the results; 0 when every line that can be checked has a verdict, else 1."""
    if args.engine == "ray":
        from ghost.cli.bulk import bulk

        return bulk(args)
    if args.address or args.workers:
        raise UsageError("--address and --workers belong to --engine ray.")
    settings = load_settings()
    if bool(args.file) == bool(args.resume):
        raise UsageError("Name a file, or a batch to go on with: --resume ID.")
    if args.judge and settings.database_url:
        raise UsageError(
            "On PostgreSQL workers check the batch, with the judge of their own settings (GHOST_JUDGE). Leave --judge "
            "out."
        )
    if args.resume and args.pipeline:
        raise UsageError("A batch keeps the pipeline that it was begun with; --pipeline is for a new one.")
    # Read before the knowledge base is opened: a file that cannot be used should not open it.
    new = None if args.resume else _new(args, settings)

    from ghost.workbench import build  # large, and not needed to refuse a file

    with build(settings, judge=args.judge, web=not args.no_web, progress=progress) as workbench:
        wanted = new.pipeline if new else _pipeline(workbench, args.resume)
        for choice in workbench.pipelines:
            if choice.name == wanted and not choice.usable:
                raise ClaimError(f"A single conversation is not possible. {choice.why}")
        jobs = open_jobs(workbench)
        batch_id = workbench.batches.create(_joined(new, workbench)) if new else args.resume
        try:
            view = _work(jobs.batches, batch_id)
        finally:
            jobs.close()
        _write(workbench, view, args)
    return _told(view)


def _new(args: Namespace, settings: Settings) -> NewBatch:
    """The batch that the file describes; raises UsageError or ClaimError when there is nothing to check in it."""
    body = read_input(MAX_BYTES) if args.file == "-" else read_file(Path(args.file), MAX_BYTES)
    called = "standard input" if args.file == "-" else typed(Path(args.file).name)
    sheet = read_sheet(body, called, encoding=typed(args.encoding))
    column = _column(sheet, args.column)
    if len(sheet.head) > 1:
        say(f"Claims: column {one_line(sheet.head[column])!r}")
    lines = claims_of(sheet, Columns(column), settings.max_claim_chars)
    for remark in lines.remarks:
        say(one_line(remark))
    if not lines.checked:
        raise UsageError("There is no line that can be checked. Name the column of the claims with --column.")
    name = Path(sheet.name).stem
    return NewBatch(
        name, lines.items, sheet.name, sheet.head, lines.remarks, args.as_of, not args.no_web, args.pipeline
    )


def _pipeline(workbench: "Workbench", batch_id: str) -> str:
    """The pipeline that the rest of a batch needs; none where nothing is left and its results are only written."""
    batch = workbench.batches.get(batch_id)
    return batch.pipeline if batch and batch.state is not BatchState.DONE else ""


def _joined(new: NewBatch, workbench: "Workbench") -> NewBatch:
    """The batch in which claims that say the same in other words share a check."""
    before = ClaimList(new.items, ())
    lines = join_repeats(before, workbench.matcher)
    if more := len(lines.repeated) - len(before.repeated):
        gets = "gets" if more == 1 else "get"
        say(f"{counted(more, 'line says', 'lines say')} what an earlier line says, and {gets} its result.")
    return replace(new, items=lines.items)


def _column(sheet: Sheet, wanted: str | None) -> int:
    columns = ", ".join(map(one_line, sheet.head))
    if wanted is None:
        if sheet.claim_column is None:
            raise UsageError(f"No column contains sentences. Name the column of the claims with --column: {columns}.")
        return sheet.claim_column
    names = [name.lower() for name in sheet.head]
    if typed(wanted).lower() not in names:
        raise UsageError(f"There is no column {typed(wanted)!r}. There are: {columns}.")
    return names.index(typed(wanted).lower())


def _work(engine: BatchEngine, batch_id: str) -> BatchView:
    """Check until all is done or somebody interrupts: once to pause after the claim at work, twice to stop at once."""
    engine.resume(batch_id)
    say(f"Batch {batch_id}")
    with interrupt_asks() as asked:
        pausing = waited = False
        while True:
            view = engine.snapshot(batch_id)
            if view is None:
                raise GhostError("The batch is not there any more.")
            progress("Checking claims:", view.tally.ended, view.tally.total)
            if not view.running:
                return view
            if view.waits in (NO_WORKER, INDEX_AWAY) and not waited:
                waited = True
                say(f"\n{view.waits}.")
            if asked.is_set() and not pausing:
                pausing = True
                say("\nPausing after the claim at work. Press Ctrl-C again to stop at once.")
                engine.pause(batch_id)
            time.sleep(LOOK_SECONDS)


def _write(workbench: "Workbench", view: BatchView, args: Namespace) -> None:
    make = batch_jsonl if args.json or (args.out and args.out.suffix.lower() in (".jsonl", ".ndjson")) else batch_csv
    overrides = {o.run_id: o for o in workbench.reviews.overrides()}
    body = make(view.batch, workbench.batches.outcomes(view.batch.id), overrides)
    if args.out is None:
        put_out(body)
        return
    try:
        write_whole(args.out, [body])
    except OSError as error:
        raise GhostError(
            f"{args.out} cannot be written: {error.strerror or error}. The results are kept: export them with "
            f"--resume {view.batch.id}, or on the Batch page."
        ) from error


def _told(view: BatchView) -> int:
    """Say how it ended, and return the exit code."""
    tally = view.tally
    parts = [f"{label.value} {number:,}" for label, number in tally.labels.items() if number]
    parts += [f"{state.value} {number:,}" for state, number in tally.states.items() if state is not ItemState.DONE]
    say(f"{counted(tally.total, 'line', 'lines')}: {', '.join(parts)}")
    if view.batch.state is BatchState.DONE:
        return 1 if tally.of(ItemState.FAILED) else 0
    why = view.problem or view.batch.note or "Paused."
    say(f"{one_line(why)} Go on with: python -m ghost batch --resume {view.batch.id}")
    return 1
