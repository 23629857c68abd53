"""``python -m ghost verify`` and ``export``: one claim and its verdict, and a run that was made before as a file."""

import sys
from argparse import Namespace

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import (
    CLAIM_BYTES,
    in_color,
    interrupt_asks,
    print_json,
    progress,
    put_out,
    read_text,
    say,
    typed,
    width,
)
from ghost.errors import GhostError
from ghost.events import Event, RunStarted, SentenceAccepted, SentencesWithdrawn, SourceUpdate, StepFinished
from ghost.text import one_line, write_whole
from ghost.types import Claim, tidy_claim

_PAGES = ("read", "refused", "unreadable", "not read")


def verify(args: Namespace) -> int:
    """Check the claim and print what came of it; 0 for any verdict, 1 when the run ended without one."""
    settings = load_settings()
    text = read_text(CLAIM_BYTES) if args.claim == "-" else typed(args.claim)
    # Tidied here too: a claim that cannot be used should not first open the knowledge base.
    statements = tuple(map(typed, args.statement))
    claim = Claim(text, typed(args.context), args.as_of, args.found_at, statements)
    claim = tidy_claim(claim, settings.max_claim_chars)
    if sys.stderr.isatty():
        say("  Opening the knowledge base")

    from ghost.reports import result, terminal  # large, as all of these, and not needed to refuse a claim
    from ghost.web import Links
    from ghost.workbench import build

    links = Links(args.link)
    with build(settings, judge=args.judge, web=not args.no_web, progress=progress) as workbench:
        if workbench.stance_missing:
            say(f"ghost: {workbench.stance_missing}")
        run_id = ""
        with interrupt_asks() as asked:
            sites = {"allowed": args.allow_site, "denied": args.deny_site}
            for event in workbench.verify(claim, cancelled=asked.is_set, links=links, pipeline=args.pipeline, **sites):
                if isinstance(event, RunStarted):
                    run_id = event.run_id
                _show(event)
        run = workbench.runs.get(run_id)
    if run is None:
        raise GhostError("The run was not recorded, so there is nothing to show. Verify the claim again.")
    if args.json:
        print_json(result(run))
    else:
        print(terminal(run, width(), in_color()), end="")
    if run.error:
        say(f"ghost: {one_line(run.error)}")
    return 0 if run.verdict else 1


def _show(event: Event) -> None:
    if not sys.stderr.isatty():
        return
    match event:
        case StepFinished(number=number, step=step):
            say(f"  {number} {step.name:<12} {one_line(step.decision)} ({step.seconds:.2f} s)")
        case SourceUpdate(state=state, bytes=size) if state in _PAGES:
            say(f"    {state}: {one_line(event.title or event.url)} ({size:,} bytes) {one_line(event.note)}".rstrip())
        case SentenceAccepted(text=text):
            say(f"    {one_line(text)}")
        case SentencesWithdrawn(reason=reason):
            say(f"    Taken back: {one_line(reason)}")


def export_run(args: Namespace) -> int:
    """Write a run to a file or to standard output.

    Needs no models and no free knowledge base, and reads a data folder that cannot be written too.
    """
    from ghost.records import Database, RunStore
    from ghost.reports import Format, Publisher, export

    settings = load_settings()
    form = Format(args.format)
    if form is Format.BUNDLE and args.out is None and sys.stdout.isatty():
        raise UsageError("A bundle is a zip archive. Name a file for it with --out, or send it on through a pipe.")
    publisher = Publisher(
        typed(args.author_name) or settings.publisher_name,
        typed(args.author_url) or settings.publisher_url,
        typed(args.page),
    )
    run_id = typed(args.run_id)
    with Database.reading(settings.database_place) as database:
        run = RunStore(database).get(run_id)
    if run is None:
        raise UsageError(
            f"There is no run {one_line(run_id)[:60]!r} in {settings.database_path}. Its id stands at the end of the "
            "report; GHOST_DATA_DIR says where to look."
        )
    data = export(run, form, publisher)
    if args.out is None:
        put_out(data)
        return 0
    try:
        write_whole(args.out, [data])
    except OSError as error:
        why = error.strerror or error
        raise GhostError(f"{args.out} cannot be written ({why}). Nothing was left there.") from error
    say(f"ghost: {len(data):,} bytes written to {args.out}")
    return 0
