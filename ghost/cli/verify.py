"""``python -m ghost verify``: one claim, its progress on standard error, its verdict on standard output."""

import sys
from argparse import Namespace

from config import load_settings
from ghost.cli.input import CLAIM_BYTES, read_text
from ghost.cli.terminal import in_color, interrupt_asks, print_json, progress, say, typed, width
from ghost.errors import GhostError
from ghost.events import Event, RunStarted, SentenceAccepted, SentencesWithdrawn, SourceUpdate, StepFinished
from ghost.reports import result, terminal
from ghost.text import one_line
from ghost.types import Claim, tidy_claim
from ghost.web import Links

_PAGES = ("read", "refused", "unreadable", "not read")


def verify(args: Namespace) -> int:
    """Check the claim and print what came of it; 0 for any verdict, 1 when the run ended without one."""
    settings = load_settings()
    text = read_text(CLAIM_BYTES) if args.claim == "-" else typed(args.claim)
    # Tidied here too: a claim that cannot be used should not first open the knowledge base.
    statements = tuple(map(typed, args.statement))
    claim = Claim(text, typed(args.context), args.as_of, args.found_at, statements)
    claim = tidy_claim(claim, settings.max_claim_chars)
    links = Links(args.link)

    from ghost.workbench import build  # large, and not needed to refuse a claim

    with build(settings, judge=args.judge, web=not args.no_web, progress=progress) as workbench:
        if workbench.stance_missing:
            say(f"ghost: {workbench.stance_missing}")
        run_id = ""
        with interrupt_asks() as asked:
            sites = {"allowed": args.allow_site, "denied": args.deny_site}
            for event in workbench.verify(claim, cancelled=asked.is_set, links=links, **sites):
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
