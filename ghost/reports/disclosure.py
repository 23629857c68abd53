"""What left the machine during a run, said in sentences."""

from ghost.reports.plain import counted, one_line
from ghost.types import Run


def left_the_machine(run: Run) -> list[str]:
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    used = run.usage
    sentences = []
    if used.searches:
        sentences.append(f"{counted(used.searches, 'search', 'searches')} for the claim went to search providers.")
    if used.fetches:
        sentences.append(f"{counted(used.fetches, 'page was', 'pages were')} fetched from the web.")
    if used.tokens:
        sentences.append(
            f"The claim and the evidence went to the language model {one_line(run.judge.model)} "
            f"({one_line(run.judge.name)} judge, {used.tokens:,} tokens)."
        )
    return sentences or ["Nothing: no search was made, no page was fetched, and no text went to a language model."]
