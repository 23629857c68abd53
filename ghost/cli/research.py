"""``python -m ghost research``: answers the questions of a topic from memory, and from the web where needed."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from config import load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import (
    CLAIM_BYTES,
    interrupt_asks,
    print_json,
    progress,
    read_file,
    read_text,
    say,
    typed,
    width,
)
from ghost.errors import GhostError
from ghost.events import (
    QuestionResearched,
    ResearchEvent,
    ResearchStarted,
    SentenceAccepted,
    SourceUpdate,
    StepFinished,
)
from ghost.reports import plan_text, plan_value, research_html, research_markdown, research_text, research_value
from ghost.text import one_line, write_whole
from ghost.types import Research, ResearchPlan, RunStatus

if TYPE_CHECKING:
    from ghost.research import Researcher

_WRITERS: dict[str, Callable[[Research], str]] = {".md": research_markdown, ".html": research_html}
_PAGES = ("read", "refused", "unreadable", "not read")
LISTED = 50


def research(args: Namespace) -> int:
    """Plan, carry out and print a research; returns 0 if it finished, with or without gaps, else 1."""
    settings = load_settings()
    topic = read_text(CLAIM_BYTES) if args.topic == "-" else typed(args.topic)
    _refuse(args, topic)
    questions = _questions(args.questions)

    from ghost.workbench import build  # large, and not needed to refuse what was typed

    with build(settings, judge=args.judge, web=not args.no_web, progress=progress) as workbench:
        researcher = workbench.research
        if problem := researcher.skills.problem:
            say(f"ghost: {researcher.skills.path}, {one_line(str(problem))} The last valid version stays in use.")
        if args.list:
            return _list(researcher, args.json)
        with interrupt_asks() as asked:
            if args.resume:
                events = researcher.resume(typed(args.resume), cancelled=asked.is_set)
            else:
                plan = researcher.plan(
                    topic, skill=typed(args.skill), questions=questions, web=not args.no_web, cancelled=asked.is_set
                )
                if args.plan:
                    return _show_plan(plan, args)
                if not args.json:
                    print(plan_text(plan, width()))
                events = researcher.run(plan, web=not args.no_web, cancelled=asked.is_set)
            research_id = _followed(events)
        found = researcher.get(research_id)
    if found is None:
        raise GhostError("The research was not recorded, so there is nothing to show. Start it again.")
    if args.json:
        print_json(research_value(found))
    else:
        print(research_text(found, width()), end="")
    if args.out:
        _write(found, args.out)
    if found.status is not RunStatus.FINISHED:
        say(f"ghost: {one_line(found.error)} Continue with --resume {found.id}.")
    return 0 if found.status is RunStatus.FINISHED else 1


def _refuse(args: Namespace, topic: str) -> None:
    """Refuse what cannot work before the knowledge base is opened."""
    if args.out and args.out.suffix.lower() not in (*_WRITERS, ".json"):
        raise UsageError("A report can be written as .md, .html or .json. Give --out a name with one of these endings.")
    if args.list or args.resume:
        if topic:
            raise UsageError("Give either a topic or --list or --resume.")
        return
    from ghost.research import tidy_topic  # large

    tidy_topic(topic)


def _questions(name: str | None) -> list[str]:
    if name is None:
        return []
    text = read_text(CLAIM_BYTES) if name == "-" else read_file(Path(name), CLAIM_BYTES).decode("utf-8-sig", "replace")
    found = [line for line in text.splitlines() if line.strip()]
    if not found:
        raise UsageError("The file of questions is empty. Write one question per line.")
    return found


def _followed(events: Iterator[ResearchEvent]) -> str:
    """Show the events of a research as they come; returns its id when it has ended."""
    research_id = ""
    for event in events:
        if isinstance(event, ResearchStarted):
            research_id = event.research_id
        _show(event)
    return research_id


def _show(event: ResearchEvent) -> None:
    if not sys.stderr.isatty():
        return
    match event:
        case StepFinished(number=number, step=step):
            say(f"  {number} {step.name:<8} {one_line(step.decision)} ({step.seconds:.2f} s)")
        case SourceUpdate(state=state, bytes=size) if state in _PAGES:
            say(f"    {state}: {one_line(event.title or event.url)} ({size:,} bytes) {one_line(event.note)}".rstrip())
        case SentenceAccepted(text=text):
            say(f"    {one_line(text)}")
        case QuestionResearched(answer=answer) if answer.gap:
            say(f"    Gap: {one_line(answer.gap)}")


def _show_plan(plan: ResearchPlan, args: Namespace) -> int:
    if args.json:
        print_json(plan_value(plan))
    else:
        print(plan_text(plan, width()), end="")
    return 0


def _list(researcher: "Researcher", as_json: bool) -> int:
    found, skills = researcher.list(LISTED), researcher.skills.all()
    if as_json:
        rows = [
            {name: value for name, value in research_value(r).items() if name not in ("plan", "steps", "answers")}
            for r in found
        ]
        named = [{"name": s.name, "title": s.title, "description": s.description, "shipped": s.shipped} for s in skills]
        print_json({"count": researcher.count(), "researches": rows, "skills": named})
        return 0
    for r in found:
        answered = sum(bool(a.text) for a in r.answers)
        asked = len(r.plan.questions) if r.plan else 0
        print(
            f"{r.id}  {r.started_at:%Y-%m-%d %H:%M}  {r.status.value:<11}  {answered} of {asked}  {one_line(r.topic)}"
        )
    if not found:
        print("No research yet.")
    print("\nSkills: " + ", ".join(f"{s.name} ({one_line(s.title)})" for s in skills))
    return 0


def _write(found: Research, out: Path) -> None:
    ending = out.suffix.lower()
    text = _WRITERS[ending](found) if ending in _WRITERS else json.dumps(research_value(found), indent=2)
    try:
        write_whole(out, [text.encode("utf-8", "replace")])
    except OSError as error:
        raise GhostError(f"{out} cannot be written ({error.strerror or error}). Nothing was left there.") from error
    say(f"ghost: the report was written to {out}")
