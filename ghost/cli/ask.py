"""``python -m ghost ask``: a question, answered from earlier answers or by a new check."""

import sys
import textwrap
import uuid
from argparse import Namespace

from config import load_settings
from ghost.cli.terminal import CLAIM_BYTES, in_color, interrupt_asks, print_json, progress, read_text, say, typed, width
from ghost.errors import GhostError
from ghost.events import QuestionAnswered, QuestionRouted, QuestionSearched, SentenceAccepted, StepFinished
from ghost.reports import answer_value, answered_by, result, terminal
from ghost.text import one_line
from ghost.types import ClaimCard, RouteMode, RouterDecision, quoted

_MODES = {
    RouteMode.EXACT: "Answered before",
    RouteMode.CONTEXTUAL: "From earlier answers, not audited as a whole",
    RouteMode.NOVEL: "Newly checked",
}


def ask(args: Namespace) -> int:
    """Answer the question and print where the answer comes from; 0 for any answer, 1 where there is none."""
    settings = load_settings()
    question = read_text(CLAIM_BYTES) if args.question == "-" else typed(args.question)

    from ghost.cards import tidy_question  # large

    question = tidy_question(question)  # here too: one that cannot be used should not first open the knowledge base
    conversation = typed(args.conversation) or uuid.uuid4().hex

    from ghost.workbench import build  # larger, and not needed to refuse a question

    with build(settings, judge=args.judge, web=not args.no_web, progress=progress) as workbench:
        turns = workbench.asking.turns(conversation)
        decision: RouterDecision | None = None
        cards: tuple[ClaimCard, ...] = ()
        with interrupt_asks() as asked:
            for event in workbench.asking.ask(question, conversation, turns, cancelled=asked.is_set, anew=args.anew):
                match event:
                    case QuestionRouted():
                        decision, cards = event.decision, event.cards
                    case QuestionAnswered():
                        decision = event.decision
                _show(event)
        run = workbench.runs.get(decision.run_id) if decision and decision.run_id else None
    if decision is None or (decision.mode is RouteMode.NOVEL and run is None):
        raise GhostError("There is no answer: nothing was recorded. Ask again.")
    if args.json:
        print_json(answer_value(decision, cards) | {"run": result(run) if run else None})
    else:
        print(_text(decision, cards), end="")
        if run:
            print(terminal(run, width(), in_color()), end="")
        say(f"ghost: go on with --conversation {one_line(conversation)}")
    if run and run.error:
        say(f"ghost: {one_line(run.error)}")
    return 0 if decision.answer or (run and run.verdict) else 1


def _show(event: object) -> None:
    if not sys.stderr.isatty():
        return
    match event:
        case QuestionSearched(what=what):
            say(f"  {what}")
        case StepFinished(number=number, step=step):
            say(f"  {number} {step.name:<12} {one_line(step.decision)} ({step.seconds:.2f} s)")
        case SentenceAccepted(text=text):
            say(f"    {one_line(text)}")


def _text(decision: RouterDecision, cards: tuple[ClaimCard, ...]) -> str:
    lines = [f"{_MODES[decision.mode]}. {one_line(decision.reasoning)}"]
    if decision.reformulated != decision.question:
        lines.append(f"Understood as: {one_line(decision.reformulated)}")
    if decision.mode is RouteMode.NOVEL:
        return "\n".join([*lines, "", ""])
    if decision.mode is RouteMode.EXACT and cards:
        lines += ["", cards[0].label.value]
    lines += ["", *textwrap.wrap(one_line(decision.answer), width(), break_on_hyphens=False), ""]
    for number, card in enumerate(cards, start=1):
        # In the answer of one card, [n] points at its sources.
        mark = "" if decision.mode is RouteMode.EXACT else f"[{number}] "
        claim = f"{mark}Claim: {card.claim}: {card.label.value}. {answered_by(card)}."
        lines += textwrap.wrap(one_line(claim), width(), subsequent_indent="    ")
        for c in card.citations:
            cited = f"[{c.n}] {quoted(c.quote, c.kind)} {c.named} {c.url}"
            lines += textwrap.wrap(
                one_line(cited), width(), initial_indent="    ", subsequent_indent="        ",
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return "\n".join(lines) + "\n"
