"""What left the machine during a run, said in sentences."""

from collections import Counter

from ghost.reports.plain import counted, one_line
from ghost.types import Run


def left_the_machine(run: Run) -> list[str]:
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    used = run.usage
    sentences = []
    if used.searches:
        sentences.append(
            f"{counted(used.searches, 'search', 'searches')} with the words of its statements went to {_asked(run)}."
        )
    if used.fetches:
        sentences.append(f"{counted(used.fetches, 'page was', 'pages were')} fetched from the web.")
    if used.tokens:
        sentences.append(
            f"The claim and the evidence went to the language model {one_line(run.judge.model)} "
            f"({one_line(run.judge.name)} judge, {used.tokens:,} tokens)."
        )
    return sentences or ["Nothing: no search was made, no page was fetched, and no text went to a language model."]


def _asked(run: Run) -> str:
    """Who was searched, and how often, as the trace has it."""
    rows = [row for step in run.steps if step.name == "investigate" for row in step.outputs.get("searches", ())]
    names = Counter(one_line(str(row.get("sent_to") or row.get("provider"))) for row in rows if _sent(row))
    if len(names) == 1:
        return next(iter(names))
    return " and ".join(f"{name} ({times})" for name, times in names.items()) or "search providers"


def _sent(row: dict[str, object]) -> bool:
    return row.get("state") in ("answered", "failed")
