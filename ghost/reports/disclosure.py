"""What left the machine during a run, said in sentences."""

from collections import Counter

from ghost.reports.plain import counted, one_line
from ghost.types import Run


def left_the_machine(run: Run) -> list[str]:
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    used = run.usage
    sentences = []
    if used.searches:
        sentences += _searches(run)
    if used.fetches:
        sentences.append(f"{counted(used.fetches, 'page was', 'pages were')} fetched from the web.")
    if used.tokens:
        sentences.append(
            f"The claim and the evidence went to the language model {one_line(run.judge.model)} "
            f"({one_line(run.judge.name)} judge, {used.tokens:,} tokens)."
        )
    return sentences or ["Nothing: no search was made, no page was fetched, and no text went to a language model."]


def _searches(run: Run) -> list[str]:
    """Who was searched, and how often, as the trace has it; a provider that could not be reached received nothing."""
    rows = [row for step in run.steps if step.name == "investigate" for row in step.outputs.get("searches", ())]
    received, missed = Counter[str](), Counter[str]()
    for row in rows:
        if row.get("state") in ("answered", "failed"):
            lost = row.get("kind") == "ProviderUnreachableError"
            (missed if lost else received)[one_line(str(row.get("sent_to")))] += 1
    total = sum(received.values()) or run.usage.searches - sum(missed.values())
    sentences = []
    if total > 0:
        what = counted(total, "search", "searches")
        sentences.append(f"{what} with the words of its statements went to {_names(received) or 'search providers'}.")
    if missed:
        sentences.append(f"{_names(missed)} could not be reached, so no words went there.")
    return sentences


def _names(of: Counter[str]) -> str:
    return " and ".join(f"{name} ({times})" if len(of) > 1 else name for name, times in of.items())
